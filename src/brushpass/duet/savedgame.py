"""A game on its way: all that is needed to go on with it, as one line that is a game record too.

As a record it is a forfeit, for its actions are legal and do not end it: `replay` and `verify` read it as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, Self

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.events import Event
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup, State
from brushpass.duet.record import GameRecord, Move, read_record, replay
from brushpass.duet.usage import Usage
from brushpass.errors import CorruptData

SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game that may be left and gone on with: its set-up, who plays, and its moves so far.

    `options` are how it was begun, name by name, for whoever began it. `practice` games do not count.
    """

    id: str
    setup: Setup
    seed: int
    names: tuple[str, str]
    city: str | None = None
    practice: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    trace: tuple[dict[str, Any], ...] = ()
    usage: Usage = field(default_factory=dict)
    """What it has cost metered players so far, with what was taken back."""

    def position(self) -> tuple[State, tuple[Event, ...]]:
        """Where it stands, and its public history.

        Raises:
            CorruptData: the rules refuse a move.
        """
        state = rules.new_game(self.setup)
        history: tuple[Event, ...] = ()
        for _, after, events in replay(self.record(Outcome.LOST, Reason.FORFEIT, state)):
            state, history = after, (*history, *events)
        return state, history

    def record(self, outcome: Outcome, reason: Reason | None, state: State) -> GameRecord:
        """The game as a record that ends in `state`."""
        return GameRecord(
            id=self.id,
            setup=self.setup,
            moves=self.moves,
            outcome=outcome,
            reason=reason,
            seed=self.seed,
            city=self.city,
            agents=self.names,
            score=rules.score(state),
            sudden_death=state.sudden,
            trace=list(self.trace),
            usage=self.usage,
        )

    def taken_back(self, seat: Seat) -> Self:
        """The game before the last action of `seat`; the same if it has done nothing."""
        last = max((place for place, move in enumerate(self.moves) if move.seat is seat), default=None)
        if last is None:
            return self
        moves = self.moves[:last]
        clues = sum(isinstance(move.action, Clue) for move in moves)
        return replace(self, moves=moves, trace=tuple(islice(self.trace, clues)))

    def to_line(self) -> str:
        """One line of JSON, without its end."""
        state, _ = self.position()
        data = json.loads(self.record(Outcome.LOST, Reason.FORFEIT, state).to_line())
        data["saved"] = {"schema": SCHEMA, "practice": self.practice, "options": dict(self.options)}
        return json.dumps(data)

    @classmethod
    def read(cls, line: str) -> Self:
        """The game on a line that `to_line` wrote.

        Raises:
            CorruptData: it is something else, or its moves are not legal.
        """
        record = read_record(line)
        if not all(map(str.isprintable, record.setup.board.words)):
            raise CorruptData("its words hold control characters")
        saved = json.loads(line).get("saved")
        if not isinstance(saved, dict) or saved.get("schema") != SCHEMA:
            raise CorruptData("a game record, but not of a game to go on with")
        match record.id, record.seed, record.agents, record.trace, saved.get("practice"), saved.get("options"):
            case str(name), int(seed), (str(a), str(b)), list(trace), bool(practice), dict(options):
                game = cls(
                    name,
                    record.setup,
                    seed,
                    (a, b),
                    record.city,
                    practice,
                    {str(key): str(value) for key, value in options.items()},
                    record.moves,
                    tuple(thought for thought in trace if isinstance(thought, dict)),
                    _numbers(record.usage),
                )
            case _:
                raise CorruptData("id, seed, agents, trace, practice or options is not what a saved game has")
        game.position()
        return game


def _numbers(usage: Usage) -> Usage:
    """`usage` as a file tells it, as far as it is counts by name and seat."""
    seats = {seat: counts for seat, counts in usage.items() if isinstance(counts, dict)}
    return {
        seat: {name: count for name, count in counts.items() if type(count) in (int, float)}
        for seat, counts in seats.items()
    }


def is_on_its_way(line: str) -> bool:
    """Whether the line of a record holds a game to go on with, whose key nobody should see yet."""
    try:
        state, _ = SavedGame.read(line).position()
    except CorruptData:
        return False
    return state.phase not in rules.OVER
