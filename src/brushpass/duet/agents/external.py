"""An agent that is a program of its own, in any language: the protocol of `docs/agents.md` over JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as brief
from typing import Any, Final

from brushpass.arena.pulse import pulse
from brushpass.doors.command import Command
from brushpass.doors.process import Process
from brushpass.duet.agent import Advice
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import KeySide
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure

PROTOCOL: Final = 1
LONGEST_WORD: Final = 100
"""Letters that a clue word may have: the law need not look into longer ones."""


class External:
    """Translates between a table and the program of `command`.

    The program is started when a game begins and quits when it ends, unless its `hello` says that it plays any number
    of games (`"reuse": true`). One that fails is ended at once; the next game begins with a new one.
    """

    def __init__(self, command: Command) -> None:
        self._command = command
        self._process: Process | None = None
        self._reuse = False

    def new_game(self, view: Observation, seed: int) -> None:
        """Start the program, if none is ready, and tell it of the game.

        Raises:
            AgentFailure: here and below, the program does not start, or does not answer as it should.
        """
        if self._process is not None and not self._reuse:
            self._quit()
        if self._process is None:
            self._process = Process(self._command, beat=pulse.beat)
            self._hello()
        self._ask("new_game", {"view": view.to_json(), "seed": seed})

    def give_clue(self, view: Observation) -> Clue | Advice:
        """The program's clue; the rules judge it."""
        params: dict[str, Any] = {"view": view.to_json()}
        if view.refused:
            params["refused"] = [{"word": word, "reason": reason} for word, reason in view.refused]
        match said := self._ask("clue", params):
            case {"word": str(word), "number": number} if len(word) <= LONGEST_WORD:
                clue = Clue(word, number)
            case _:
                raise self._rubbish("clue", said)
        if (targets := said.get("targets")) is None:
            return clue
        if not isinstance(targets, list):
            raise self._rubbish("clue", said)
        return Advice(clue, targets=tuple(targets))

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The program's action; the rules judge it."""
        match said := self._ask("guess", {"view": view.to_json()}):
            case {"card": card}:
                return Guess(card)
            case {"stop": True}:
                return Stop()
            case {"yield": True}:
                return Yield()
            case _:
                raise self._rubbish("guess", said)

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        """Tell the program, if it has not failed, and let it quit."""
        if self._process is None:
            return
        told = {"outcome": str(outcome), "reason": None if reason is None else str(reason)}
        self._ask("end", {**told, "key_a": str(key_a), "key_b": str(key_b)})
        if not self._reuse:
            self._quit()

    def _hello(self) -> None:
        match said := self._ask("hello", {"protocol": PROTOCOL, "game": "duet"}):
            case {"name": str(), "version": str()}:
                self._reuse = said.get("reuse") is True
            case _:
                raise self._rubbish("hello", said)

    def _ask(self, method: str, params: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON
        if self._process is None:
            raise AgentFailure("its program has failed before")
        try:
            return self._process.ask(method, params)
        except AgentFailure:
            self._process = None
            raise

    def _rubbish(self, method: str, said: object) -> AgentFailure:
        self._quit()
        return AgentFailure(f"its program answered {method} with {brief(said)}, which is no result of {method}")

    def _quit(self) -> None:
        if self._process is not None:
            self._process.quit()
            self._process = None
