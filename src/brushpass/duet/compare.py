"""Whether one pair plays better than another: paired comparison over the deals that both have played."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from brushpass.arena.stats import Interval, bootstrap_difference, mcnemar, paired_rates

Deal = TypeVar("Deal", bound=Hashable)

SEED: Final = 0
"""Of the bootstrap, so that the same games give the same interval."""


class Outcome(NamedTuple):
    """What is compared of a game: whether it was won, and the clues it took."""

    won: bool
    turns: int


@dataclass(frozen=True, slots=True)
class Difference:
    """First less second, over the deals of both.

    Attributes:
        games: how many deals.
        wins: difference of the win rates, with its interval.
        only_first: deals that only the first has won.
        only_second: deals that only the second has won.
        p: exact two-sided p-value of McNemar's test that both are equally good.
        turns: difference of the clues a game, with its bootstrap interval.
        both_won: deals won by both.
        turns_won: difference of the clues a game over those.
    """

    games: int
    wins: Interval
    only_first: int
    only_second: int
    p: float
    turns: Interval
    both_won: int
    turns_won: Interval

    def to_json(self) -> dict[str, Any]:
        """As JSON; null where there is nothing to compare."""
        return {
            "games": self.games,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "p": self.p,
            "wins": _interval(self.wins),
            "turns": _interval(self.turns),
            "both_won": self.both_won,
            "turns_won": _interval(self.turns_won),
        }


def compare(first: Mapping[Deal, Outcome], second: Mapping[Deal, Outcome]) -> Difference:
    """The outcomes by deal of two pairs, compared where both have one."""
    deals = [deal for deal in first if deal in second]
    one, other = [first[deal] for deal in deals], [second[deal] for deal in deals]
    only_first = sum(a.won and not b.won for a, b in zip(one, other, strict=True))
    only_second = sum(b.won and not a.won for a, b in zip(one, other, strict=True))
    won = [(a.turns, b.turns) for a, b in zip(one, other, strict=True) if a.won and b.won]
    return Difference(
        games=len(deals),
        wins=paired_rates(only_first, only_second, len(deals)),
        only_first=only_first,
        only_second=only_second,
        p=mcnemar(only_first, only_second),
        turns=bootstrap_difference([a.turns for a in one], [b.turns for b in other], seed=SEED),
        both_won=len(won),
        turns_won=bootstrap_difference([a for a, _ in won], [b for _, b in won], seed=SEED),
    )


def _interval(interval: Interval) -> dict[str, float] | None:
    if math.isnan(interval.value):
        return None
    return {"difference": interval.value, "low": interval.low, "high": interval.high}
