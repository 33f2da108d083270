"""An agent under observation: what it is asked and answers, and the partner that keeps the game going."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from reprlib import Repr
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from brushpass.arena.pulse import pulse
from brushpass.duet.agent import Advice, Agent, LeftTheTable, Player
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import KeySide, cards_of
from brushpass.duet.core.cluelaw import ClueLaw, Ruling, explain
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.table import LawMode
from brushpass.duet.observation import Observation
from brushpass.duet.referee import MAX_REFUSALS
from brushpass.duet.testing.positions import CLUE_WORDS, Position
from brushpass.duet.testing.report import CheckReport, Failure
from brushpass.errors import AgentFailure, Suspended
from brushpass.lexicon.normalize import fold

ASKED: Final = 3
"""How often a player is asked after a position from which the game is not played to its end."""
REFUSAL: Final = Ruling("L6")
"""What a clue is refused for that the law allows: an agent cannot know every word a table knows."""
T = TypeVar("T")
brief = Repr()
brief.maxstring = brief.maxother = 160


class Answer(NamedTuple):
    """What a player said when it was asked."""

    asked: str
    view: Observation
    text: str
    seed: int
    """What `new_game` was given."""

    @property
    def check(self) -> str:
        """The check that says whether it is legal."""
        return "sudden_death" if self.view.phase is Phase.SUDDEN else self.asked


class Watched(Player):
    """Stands between the referee and `agent`, and writes down what it does."""

    def __init__(self, agent: Agent, position: Position, report: CheckReport, limit: float | None) -> None:
        self.answers: list[Answer] = []
        self._agent = agent
        self._position = position
        self._report = report
        self._limit = limit
        self._seed = 0
        self._refused: tuple[tuple[str, str], ...] = ()
        self._raised = False

    def new_game(self, view: Observation, seed: int) -> None:
        """A game begins."""
        self._seed = seed
        self._ask("new_game", view, lambda copied: self._agent.new_game(copied, seed))
        self._report.passed("new_game")

    def give_clue(self, view: Observation) -> Clue | Advice:
        """The agent's clue, after as many refusals as the position wants."""
        self._leave_in_time()
        if view.refused:
            self._report.refusals += 1
        else:
            self._refused = ()
        while len(self._refused) < self._position.refusals:
            advice = self._clue(replace(view, refused=self._refused))
            word = _word(advice)
            if word is None:
                return advice  # the referee says what it is
            self._refused += ((word, explain(REFUSAL, word)),)
        view = replace(view, refused=(*self._refused, *view.refused))
        if len(view.refused) > MAX_REFUSALS:
            self.judge(f"refused clue number {len(view.refused)} in one turn: {view.refused[-1][1]}")
            raise LeftTheTable
        return self._clue(view)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The agent's guess."""
        self._leave_in_time()
        return self._asked("guess", view, self._agent.guess)

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        """The game is over."""
        try:
            self._agent.end(outcome, reason, key_a, key_b)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it raises is what we are here to find
            self._fail("end", "end", None, _named(error))
        else:
            self._report.passed("end")

    def judge(self, forfeit: str | None) -> None:
        """Say of each answer whether it was legal: all but the last were, or the game would have ended before."""
        good = self.answers if forfeit is None else self.answers[:-1]
        for answer in good:
            self._report.passed(answer.check)
        if forfeit is not None and not self._raised:
            last = self.answers[-1]
            self._fail(last.check, last.asked, last.view, forfeit)

    # -------------------------------------------------------------- asking the agent

    def _leave_in_time(self) -> None:
        if len(self.answers) >= ASKED and not self._position.whole:
            self.judge(None)
            raise LeftTheTable

    def _clue(self, view: Observation) -> Clue | Advice:
        advice = self._asked("clue", view, self._agent.give_clue)
        word = _word(advice)
        if word is None:
            return advice
        if fold(word) in {fold(refused) for refused, _ in view.refused}:
            self._fail("refused", "clue", view, f"{brief.repr(word)} again, which had just been refused")
        elif view.refused:
            self._report.passed("refused")
        if view.rules.clue_law is LawMode.PENALTY:
            ruling = ClueLaw(view.rules.relax).check(word, view.visible())
            if not ruling.legal:
                self._fail("clue", "clue", view, f"it stands and costs a token: {explain(ruling, word)}")
        return advice

    def _asked(self, asked: str, view: Observation, question: Callable[[Observation], T]) -> T:
        """What the agent answers to `question`, which counts as a position."""
        self._report.kinds[self._position.kind] += 1
        try:
            answer = self._ask(asked, view, question)
        except AgentFailure as error:
            self.answers.append(Answer(asked, view, str(error), self._seed))
            raise
        self.answers.append(Answer(asked, view, _text(answer), self._seed))
        self._report.passed("answers")
        return answer

    def _ask(self, asked: str, view: Observation, question: Callable[[Observation], T]) -> T:
        copied = deepcopy(view)
        pulse.beat()
        began = perf_counter()
        try:
            answer = question(copied)
        except Suspended:
            raise
        except (Exception, SystemExit) as error:
            self._raised = True
            self._report.waited += perf_counter() - began
            self._fail("new_game" if asked == "new_game" else "answers", asked, view, _named(error))
            raise AgentFailure(_named(error)) from error
        seconds = perf_counter() - began
        self._report.seconds[asked].append(seconds)
        if _equal(copied, view):
            self._report.passed("view")
        else:
            self._fail("view", asked, view, "the view has been changed; make a copy of what you want to change")
        if self._limit is not None and seconds > self._limit:
            self._fail("time", asked, view, f"took {seconds:.2f} s; {self._limit:g} s are allowed")
        elif self._limit is not None:
            self._report.passed("time")
        return answer

    def _fail(self, check: str, asked: str, view: Observation | None, why: str) -> None:
        self._report.failed(failure_at(check, self._position, asked, view, self._seed, why))


class Partner(Player):
    """Knows the key: it finds agents, misses now and then, and never touches an assassin."""

    def __init__(self, keys: KeyCard, seed: int) -> None:
        self._keys = keys
        self._rng = random.Random(seed)

    def give_clue(self, view: Observation) -> Clue:
        """Any legal word of the list."""
        word = self._rng.choice([word for word in CLUE_WORDS if view.allows(word)])
        return Clue(word, self._rng.randint(1, 3))

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """A green card, mostly."""
        side, sudden = self._keys.side(view.seat.other), view.phase is Phase.SUDDEN
        if not view.must_guess and self._rng.random() < 0.4:
            return Yield() if sudden else Stop()
        tans = cards_of(side.tans & view.touchable())
        if tans and not sudden and self._rng.random() < 0.3:
            return Guess(self._rng.choice(tans))
        return Guess(self._rng.choice(cards_of(side.greens & view.touchable())))


def failure_at(check: str, position: Position, asked: str, view: Observation | None, seed: int, why: str) -> Failure:
    """A failure with all that is needed to see it again."""
    shown, refused = (None, ()) if view is None else (view.to_json(), view.refused)
    return Failure(check, position.kind, asked, str(position.seat), seed, " ".join(why.split()), shown, refused)


def _equal(copied: Observation, view: Observation) -> bool:
    try:
        return copied == view
    except Exception:  # noqa: BLE001 - it holds what cannot even be compared
        return False


def _word(advice: object) -> str | None:
    """The word of what may be a clue, or may be rubbish."""
    word = getattr(getattr(advice, "clue", advice), "word", None)
    return word if isinstance(word, str) else None


def _text(answer: object) -> str:
    """An answer as text that is equal for equal answers; scores are rounded as records round them."""
    try:
        if isinstance(answer, Advice):
            scores = {name: round(float(score), 4) for name, score in answer.scores.items()}
            return f"{answer.clue!r} for {answer.targets!r}, {scores}"
        return repr(answer)
    except Exception as error:  # noqa: BLE001 - rubbish, which the referee will call so
        return f"{type(answer).__name__} that cannot be shown: {_named(error)}"


def _named(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[: brief.maxstring]}"
