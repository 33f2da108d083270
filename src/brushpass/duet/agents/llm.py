"""A language model as a player: a question for each decision, over a chat endpoint, each paid for once."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from brushpass import paths
from brushpass.arena.pulse import pulse
from brushpass.doors.chat import ChatServer
from brushpass.doors.pace import Pace
from brushpass.doors.replies import Replies, Reply, key_of
from brushpass.duet.agent import Advice, Player
from brushpass.duet.agents.options import Options
from brushpass.duet.agents.prompt import (
    Messages,
    Unusable,
    again,
    clue_prompt,
    guess_prompt,
    read_clue,
    read_guess,
)
from brushpass.duet.core.actions import Guess, Stop, Yield
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure, InvalidSetup, Suspended

URL: Final = "BRUSHPASS_LLM_URL"
KEY: Final = "BRUSHPASS_LLM_KEY"
REPLIES: Final = "BRUSHPASS_LLM_REPLIES"
RATE: Final = "BRUSHPASS_LLM_RATE"
BUDGET: Final = "BRUSHPASS_LLM_BUDGET"
TOKENS: Final = "BRUSHPASS_LLM_TOKENS"
MILLION: Final = 1_000_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in any currency."""

    prompt: float
    completion: float

    @classmethod
    def parse(cls, text: str) -> Price | None:
        """Read `IN/OUT`; no text, no price.

        Raises:
            InvalidSetup: not two numbers of at least 0.
        """
        if not text:
            return None
        try:
            prompt, completion = (float(part) for part in text.split("/"))
        except ValueError:
            prompt = completion = -1.0
        if not (0 <= prompt < float("inf") and 0 <= completion < float("inf")):
            raise InvalidSetup(f"llm: price={text} is not IN/OUT, what a million tokens cost, such as 0.15/0.60")
        return cls(prompt, completion)

    def of(self, reply: Reply) -> float:
        """What a reply costs."""
        return (reply.prompt_tokens * self.prompt + reply.completion_tokens * self.completion) / MILLION


class LanguageModel(Player):
    """A player that asks `model` for every decision; it remembers nothing but the replies it was given.

    Args:
        model: as the server calls it.
        server: where it is asked.
        replies: those that need not be paid for again.
        settings: what else a question says, such as a temperature.
        price: of tokens; without one nothing is known of costs.
        budget: the most that the replies of the file may have cost.
        tokens: the most tokens that they may have taken.
    """

    def __init__(
        self,
        model: str,
        server: ChatServer,
        replies: Replies,
        *,
        settings: Mapping[str, Any],
        price: Price | None = None,
        budget: float | None = None,
        tokens: float | None = None,
    ) -> None:
        self._model = model
        self._server = server
        self._replies = replies
        self._settings = settings
        self._price = price
        self._budget = budget
        self._tokens = tokens
        self._asked: list[Reply] = []

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> LanguageModel:
        """`llm:model=NAME,temperature=T,max_tokens=N,price=IN/OUT,timeout=SECONDS,retries=N`, and the environment.

        Raises:
            InvalidSetup: an option or variable that makes no sense.
            AgentFailure: no server is named.
            MissingExtra: httpx is not installed.
        """
        del words
        read = Options("llm", options)
        model = read.text("model")
        settings: dict[str, Any] = {}
        if read.text("temperature", "0") != "server":
            settings["temperature"] = read.number("temperature", 0)
        if longest := int(read.number("max_tokens", 0)):
            settings["max_tokens"] = longest
        price = Price.parse(read.text("price", ""))
        timeout, retries = read.number("timeout", 60, least=0.1), int(read.number("retries", 4))
        read.done()
        budget = _number(BUDGET)
        if budget is not None and price is None:
            raise InvalidSetup(f"{BUDGET} is set, but not what {model} costs: write llm:model={model},price=IN/OUT")
        if not (url := os.environ.get(URL)):
            raise AgentFailure(f"llm needs a server: set {URL} to the address of an OpenAI-compatible one, up to /v1")
        replies = Replies(Path(os.environ.get(REPLIES) or paths.user_cache() / "llm" / "replies.jsonl").expanduser())
        pace = Pace(replies.path.with_name(f"{replies.path.name}.next"), _number(RATE))
        server = ChatServer(
            url,
            os.environ.get(KEY, "").strip(),
            pace=pace,
            timeout=timeout,
            retries=retries,
            proven=replies.knows(model),
        )
        return cls(model, server, replies, settings=settings, price=price, budget=budget, tokens=_number(TOKENS))

    @property
    def usage(self) -> dict[str, float]:
        """What the game took so far, whether it was paid now or before."""
        counts: dict[str, float] = {
            "requests": len(self._asked),
            "prompt_tokens": sum(reply.prompt_tokens for reply in self._asked),
            "completion_tokens": sum(reply.completion_tokens for reply in self._asked),
        }
        if self._price is None:
            return counts
        return counts | {"cost": round(sum(map(self._price.of, self._asked)), 6)}

    def new_game(self, view: Observation, seed: int) -> None:
        """Count anew."""
        del view, seed
        self._asked = []

    def give_clue(self, view: Observation) -> Advice:
        """The model's clue; one against the law, which it would not mend, is left to the table.

        Raises:
            AgentFailure: it gives none.
            Suspended: the server cannot be asked, or the budget is spent.
        """
        try:
            return self._decide(clue_prompt(view), lambda said: read_clue(said, view))
        except Unusable as unlawful:
            if unlawful.clue is not None:
                return unlawful.clue
            raise self._failure(unlawful) from None

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The model's action.

        Raises:
            AgentFailure: it names none that is allowed.
            Suspended: the server cannot be asked, or the budget is spent.
        """
        try:
            return self._decide(guess_prompt(view), lambda said: read_guess(said, view))
        except Unusable as useless:
            raise self._failure(useless) from None

    def _decide(self, question: Messages, read: Callable[[str], T]) -> T:
        """What `read` makes of the answer, or of the answer to the question put once more."""
        said = self._ask(question)
        try:
            return read(said)
        except Unusable as useless:
            return read(self._ask(again(question, said, str(useless))))

    def _failure(self, useless: Unusable) -> AgentFailure:
        return AgentFailure(f"{self._model} gave no usable answer, though asked twice: {useless}")

    def _ask(self, messages: Messages) -> str:
        """The reply to a question: the one in the file, or a new one."""
        body = {"model": self._model, "messages": messages, **self._settings}
        key = key_of(self._server.url, body)
        if (reply := self._replies.get(key)) is None:
            self._check_budget()
            with _alive():
                reply = self._server.complete(body)
            if self._price is not None:
                reply = replace(reply, cost=self._price.of(reply))
            reply = self._replies.add(key, self._model, reply)
        self._asked.append(reply)
        return reply.text

    def _check_budget(self) -> None:
        replies = self._replies
        for name, most, spent in (BUDGET, self._budget, replies.cost), (TOKENS, self._tokens, replies.tokens):
            if most is not None and spent >= most:
                raise Suspended(
                    f"{name}={most:g} is spent: {replies.count} replies in {replies.path} took {spent:.6g}; "
                    f"raise it, or name another file with {REPLIES}"
                )


@contextmanager
def _alive() -> Iterator[None]:
    """Give signs of life while a server is asked, which has time limits of its own."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(1):
            pulse.beat()

    threading.Thread(target=beat, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _number(variable: str) -> float | None:
    """The number in an environment variable; None if it is not set.

    Raises:
        InvalidSetup: it is not a number above 0.
    """
    text = os.environ.get(variable)
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise InvalidSetup(f"{variable}={json.dumps(text)} is not a number above 0")
    return value
