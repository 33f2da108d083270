"""The games of one pair of a run, as far as its report needs them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from brushpass.arena.stats import around, known, mean
from brushpass.duet.compare import Outcome
from brushpass.duet.core.cards import SEATS
from brushpass.duet.learning import learning
from brushpass.duet.results import found
from brushpass.duet.turns import Turns, read_turns
from brushpass.errors import CorruptData

CAUSES = ("assassin", "sudden_death_losses", "cannot_pay", "failures")
"""Of a loss, by their keys in a report."""


@dataclass
class Played:
    """Outcomes by game, how often each number was said, and the turns by the seat of their giver.

    Games that are remembered, `memory` in a row, are one piece of evidence, as those of one deal are elsewhere.
    """

    memory: int = 1
    outcomes: dict[tuple[object, ...], Outcome] = field(default_factory=dict)
    numbers: Counter[int] = field(default_factory=Counter)
    turns: dict[str, Turns] = field(default_factory=lambda: {str(seat): Turns() for seat in SEATS})

    def add(self, record: Mapping[str, Any], city: str, index: int) -> None:
        """Count a record's JSON; what is none raises as `read_turns` does.

        Raises:
            CorruptData: it was counted before.
        """
        deal = deal_of(record)
        game = city, index, record["turns"], record["mistakes"], deal
        if game in self.outcomes:
            raise CorruptData(f"game {record['id']} is there twice: remove one")
        numbers = [int(action[3]) for action in record["actions"] if action[0] == "clue"]
        if self.memory > 1:
            deal = _number_of([city, index // self.memory])
        for turn in read_turns(record):
            self.turns[turn.seat].add(deal, turn)
        self.outcomes[game] = Outcome(record["outcome"] == "won", len(numbers), deal, found(record))
        self.numbers.update(numbers)

    def to_json(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """The pair's `table` (`bench --json`) with all that its games tell beside it."""
        clues = [outcome.turns for outcome in self.outcomes.values()]
        _, low, high = around(mean(clues, [outcome.deal for outcome in self.outcomes.values()]), 0, math.inf)
        return {
            **table,
            "sudden_death_wins": sum(city["sudden_death_wins"] for city in table["cities"]),
            "losses": {cause: sum(city[cause] for city in table["cities"]) for cause in CAUSES},
            "turns_low": known(low),
            "turns_high": known(high),
            "turns": _counts(Counter(clues)),
            "numbers": _counts(self.numbers),
            "calibration": {seat: turns.calibration() for seat, turns in self.turns.items()},
            "learning": learning(self.outcomes, self.memory),
        }


def deal_of(record: Mapping[str, Any]) -> int:
    """A number that stands for a record's board and key: the same in every process, city and run."""
    return _number_of([record["words"], record["key_a"], record["key_b"]])


def _number_of(what: list[Any]) -> int:
    return int.from_bytes(blake2b(json.dumps(what).encode(), digest_size=8).digest(), signed=True)


def _counts(counter: Counter[int]) -> dict[str, int]:
    return {str(number): counter[number] for number in sorted(counter)}
