"""The conformance suite: can this agent sit down at any table? For agent authors, and for us.

Every position is played on by the real referee, with a partner that knows the key and keeps the game going: an
agent is judged by the rules themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product, zip_longest
from typing import Final

from brushpass import seeds
from brushpass.duet.agent import Agent, LeftTheTable, Teammate, as_agent
from brushpass.duet.core.cards import BySeat, Seat
from brushpass.duet.referee import Table
from brushpass.duet.testing.positions import KINDS, Position
from brushpass.duet.testing.positions import position as make_position
from brushpass.duet.testing.report import CheckReport
from brushpass.duet.testing.watched import Answer, Partner, Watched, brief, failure_at
from brushpass.errors import AgentFailure, BrushpassError, InvalidSetup
from brushpass.lexicon.wordlists import DEFAULT, load_wordlist

AGAIN: Final = 3
"""The first instance plays one position in so many again."""
LEAST: Final = len(Seat) * len(KINDS)
"""Positions that come up whatever the number: every kind for both seats."""


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
        Suspended: the server of a language model is out of reach, or its budget is spent.
    """
    check_positions(positions)
    cards = load_wordlist(DEFAULT).words if words is None else words
    checkup = Checkup(factory, limit)
    report = CheckReport(name or checkup.name, seed)
    asked: list[Position] = []
    while not report.given_up and (len(asked) < LEAST or max(len(asked), report.positions) < positions):
        asked.append(position_at(len(asked), seed, cards))
        report.add(checkup.ask(asked[-1]))
    for position in [] if report.given_up else asked[1::AGAIN][::-1]:
        report.add(checkup.again(position))
    return report


def check_positions(positions: int) -> None:
    """Refuse a number of positions that is none.

    Raises:
        InvalidSetup: it is below 1.
    """
    if positions < 1:
        raise InvalidSetup(f"positions {positions} is not a number of at least 1")


class Checkup:
    """Two players of one factory, asked position by position.

    Args:
        factory: as for `check_agent`, which says what it raises.
        limit: seconds an answer may take.
    """

    def __init__(self, factory: Callable[[], Teammate], limit: float | None) -> None:
        player, other = _make(factory), _make(factory)
        self.name = type(player).__name__
        self._one, self._two = as_agent(player), as_agent(other)
        self._limit = limit
        self._answers: dict[int, list[Answer]] = {}
        """By the seed of the position."""

    def ask(self, position: Position) -> CheckReport:
        """What is found in `position`: by the rules, and by asking the second player, too."""
        report, aside = CheckReport(), CheckReport()
        answers = self._answers[position.seed] = _play(self._one, position, report, self._limit)
        now = _play(self._two, position, aside)
        _compare("repeats", position, answers, now, report)
        report.waited += aside.waited
        return report

    def again(self, position: Position) -> CheckReport:
        """Whether the first player answers as before in a `position` that it was asked in."""
        report, aside = CheckReport(), CheckReport()
        if position.seed in self._answers:
            now = _play(self._one, position, aside)
            _compare("again", position, self._answers[position.seed], now, report)
        report.waited += aside.waited
        return report


def position_at(place: int, seed: int, words: Sequence[str]) -> Position:
    """The position at `place` of the endless row that `seed` and `words` make."""
    time, place = divmod(place, LEAST)
    seat, name = list(product(Seat, KINDS))[place]
    return make_position(name, seat, seeds.child(seed, "conformance", time), words)


def _make(factory: Callable[[], Teammate]) -> Teammate:
    try:
        return factory()
    except BrushpassError:
        raise
    except Exception as error:
        raise AgentFailure(f"the agent cannot start: {type(error).__name__}: {error}") from error


def _play(agent: Agent, position: Position, report: CheckReport, limit: float | None = None) -> list[Answer]:
    """Let `agent` play from `position` on; what is found goes to `report`."""
    watched = Watched(agent, position, report, limit)
    partner = Partner(position.state.setup.keys, position.seed)
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
            at, said = old or new, [brief.repr(answer.text) if answer else "nothing" for answer in (old, new)]
            why = f"answered {said[0]} first, then {said[1]}"
            report.failed(failure_at(check, position, at.asked, at.view, at.seed, why))
            return
    report.passed(check)
