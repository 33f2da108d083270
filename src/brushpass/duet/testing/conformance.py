"""The conformance suite: can this agent sit down at any table? For agent authors, and for us.

Every position is played on by the real referee, with a partner that knows the key and keeps the game going: an
agent is judged by the rules themselves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import count, zip_longest
from reprlib import Repr
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

from brushpass import seeds
from brushpass.duet.agent import Advice, Agent, LeftTheTable, Player, Teammate, as_agent
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import BySeat, KeySide, Seat, cards_of
from brushpass.duet.core.cluelaw import ClueLaw, Ruling, explain
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.table import LawMode
from brushpass.duet.observation import Observation
from brushpass.duet.referee import MAX_REFUSALS, Table
from brushpass.duet.testing.positions import CLUE_WORDS, KINDS, Position, every_kind
from brushpass.duet.testing.report import CheckReport, Failure
from brushpass.errors import AgentFailure, BrushpassError, InvalidSetup
from brushpass.lexicon.normalize import fold
from brushpass.lexicon.wordlists import DEFAULT, load_wordlist

ASKED: Final = 3
"""How often a player is asked after a position from which the game is not played to its end."""
AGAIN: Final = 3
"""The first instance plays one position in so many again."""
REFUSAL: Final = Ruling("L6")
"""What a clue is refused for that the law allows: an agent cannot know every word a table knows."""
T = TypeVar("T")
_brief = Repr()
_brief.maxstring = _brief.maxother = 160


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


def check_agent(
    factory: Callable[[], Teammate],
    *,
    positions: int = 200,
    seed: int = 0,
    limit: float | None = None,
    words: Sequence[str] | None = None,
    name: str | None = None,
) -> CheckReport:
    """Ask players made by `factory` in at least so many `positions`, the rare ones among them, and report.

    Checked are: legal answers, also after a refusal; that nothing is raised; that views are left alone; that
    answers depend on the view and on the seed of `new_game` alone (asked of a second instance, and of the first one
    after other games); that games end and begin. Every kind of position comes up for both seats, whatever the number;
    many begin in the middle of a game, as `new_game` shows.

    Args:
        factory: makes a player with `give_clue` and `guess`: a class, or a function without arguments.
        positions: the least number of positions.
        seed: of the positions, and of the agents.
        limit: seconds an answer may take; None: the report only warns. An answer that never comes is waited for.
        words: cards, 25 or more; None: the English list.
        name: what the report calls the agent; None: its type's name.

    Raises:
        AgentFailure: no player can be made, or it lacks `give_clue` or `guess`.
        BrushpassError: whatever `factory` raises of its kind, such as a model that is not there.
        InvalidSetup: `positions` below 1.
    """
    if positions < 1:
        raise InvalidSetup(f"positions {positions} is not a number of at least 1")
    cards = load_wordlist(DEFAULT).words if words is None else words
    player, other = _make(factory), _make(factory)
    report = CheckReport(name or type(player).__name__, seed)
    one, two = as_agent(player), as_agent(other)
    played: list[tuple[Position, list[Answer]]] = []
    for position in _positions(seed, cards):
        answers = _play(one, position, report, limit)
        _compare("repeats", position, answers, _play(two, position), report)
        played.append((position, answers))
        if len(played) >= len(Seat) * len(KINDS) and max(len(played), report.positions) >= positions:
            break
    for position, answers in played[::-AGAIN]:
        _compare("again", position, answers, _play(one, position), report)
    return report


def _make(factory: Callable[[], Teammate]) -> Teammate:
    try:
        return factory()
    except BrushpassError:
        raise
    except Exception as error:
        raise AgentFailure(f"the agent cannot start: {type(error).__name__}: {error}") from error


def _positions(seed: int, words: Sequence[str]) -> Iterator[Position]:
    for time in count():
        yield from every_kind(seeds.child(seed, "conformance", time), words)


def _play(
    agent: Agent, position: Position, report: CheckReport | None = None, limit: float | None = None
) -> list[Answer]:
    """Let `agent` play from `position` on; what is found goes to `report`."""
    watched = _Watched(agent, position, report or CheckReport("", 0), limit)
    partner = _Partner(position.state.setup.keys, position.seed)
    agents = BySeat[Agent](watched, partner) if position.seat is Seat.A else BySeat[Agent](partner, watched)
    table = Table(position.state.setup, agents, seed=position.seed, salt=position.seed)
    table.state, table.history = position.state, position.history
    with suppress(LeftTheTable):
        table.play()
        forfeit = next((line for line in table.trace if "forfeit" in line), {"forfeit": position.seat, "why": None})
        if forfeit["forfeit"] != position.seat:
            raise RuntimeError(f"the suite's own partner failed in {position.kind!r}: {forfeit['why']}")
        watched.judge(forfeit["why"])
    return watched.answers


def _compare(
    check: str, position: Position, before: Sequence[Answer], now: Sequence[Answer], report: CheckReport
) -> None:
    """Count whether the answers `now` are those of `before`; the first other one is the failure."""
    for old, new in zip_longest(before, now):
        if old is None or new is None or old.text != new.text:
            at, said = old or new, [_brief.repr(answer.text) if answer else "nothing" for answer in (old, new)]
            why = f"answered {said[0]} first, then {said[1]}"
            report.failed(_failure(check, position, at.asked, at.view, at.seed, why))
            return
    report.passed(check)


def _failure(check: str, position: Position, asked: str, view: Observation | None, seed: int, why: str) -> Failure:
    shown, refused = (None, ()) if view is None else (view.to_json(), view.refused)
    return Failure(check, position.kind, asked, str(position.seat), seed, " ".join(why.split()), shown, refused)


class _Watched(Player):
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
            advice = self._clue(view._replace(refused=self._refused))
            word = _word(advice)
            if word is None:
                return advice  # the referee says what it is
            self._refused += ((word, explain(REFUSAL, word)),)
        view = view._replace(refused=(*self._refused, *view.refused))
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
            self._fail("refused", "clue", view, f"{_brief.repr(word)} again, which had just been refused")
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
        began = perf_counter()
        try:
            answer = question(copied)
        except (Exception, SystemExit) as error:
            self._raised = True
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
        self._report.failed(_failure(check, self._position, asked, view, self._seed, why))


class _Partner(Player):
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
    return f"{type(error).__name__}: {text[: _brief.maxstring]}"
