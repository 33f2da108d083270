"""Whether one pair plays better than another: paired comparison over the deals that both have played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from brushpass.arena.stats import Interval, bootstrap_difference, design_effect, known, mcnemar, paired_rates

Game = TypeVar("Game", bound=Hashable)

SEED: Final = 0
"""Of the bootstrap, so that the same games give the same interval."""


class Outcome(NamedTuple):
    """What is compared of a game: whether it was won, its clues, its deal's number, and the agents found.

    Games of one `deal` are one piece of evidence; those that a bot remembers together have one, too.
    """

    won: bool
    turns: int
    deal: int
    found: int


@dataclass(frozen=True, slots=True)
class Difference:
    """First less second, over the games of both. Where games share a deal (a suite's), a deal is one piece of evidence.

    Attributes:
        games: how many.
        wins: difference of the win rates, with its interval.
        only_first: games that only the first has won.
        only_second: games that only the second has won.
        p: exact two-sided p-value of McNemar's test that both are equally good, over the deals that one won more often.
        found: difference of the agents found a game, with its bootstrap interval.
        turns: difference of the clues a game, with its bootstrap interval.
        both_won: games won by both.
        turns_won: difference of the clues a game over those.
    """

    games: int
    wins: Interval
    only_first: int
    only_second: int
    p: float
    found: Interval
    turns: Interval
    both_won: int
    turns_won: Interval

    def to_json(self) -> dict[str, Any]:
        """As JSON; null where there is nothing to compare, and for the ends of an interval that is not known."""
        return {
            "games": self.games,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "p": self.p,
            "wins": _interval(self.wins),
            "found": _interval(self.found),
            "turns": _interval(self.turns),
            "both_won": self.both_won,
            "turns_won": _interval(self.turns_won),
        }


def compare(first: Mapping[Game, Outcome], second: Mapping[Game, Outcome]) -> Difference:
    """The outcomes of two pairs, compared in the games that both have played."""
    both = [(first[game], second[game]) for game in first if game in second]
    deals = min(([game[side].deal for game in both] for side in (0, 1)), key=lambda deals: len({*deals}))
    better = [a.won - b.won for a, b in both]
    balance: Counter[int] = Counter()
    for deal, one in zip(deals, better, strict=True):
        balance[deal] += one
    effect = design_effect(better, deals)
    only_first, only_second = better.count(1), better.count(-1)
    return Difference(
        games=len(both),
        wins=paired_rates(only_first / effect, only_second / effect, len(both) / effect),
        only_first=only_first,
        only_second=only_second,
        p=mcnemar(sum(one > 0 for one in balance.values()), sum(one < 0 for one in balance.values())),
        found=_mean(both, deals, lambda game: game.found),
        turns=_mean(both, deals, _turns),
        both_won=sum(a.won and b.won for a, b in both),
        turns_won=_mean(
            [(a, b) for a, b in both if a.won and b.won],
            [deal for (a, b), deal in zip(both, deals, strict=True) if a.won and b.won],
            _turns,
        ),
    )


def _turns(game: Outcome) -> int:
    return game.turns


def _mean(both: Sequence[tuple[Outcome, Outcome]], deals: Sequence[int], value: Callable[[Outcome], int]) -> Interval:
    """The difference of the means of a value."""
    return bootstrap_difference([value(a) for a, _ in both], [value(b) for _, b in both], seed=SEED, clusters=deals)


def _interval(interval: Interval) -> dict[str, float | None] | None:
    value, low, high = map(known, interval)
    return None if value is None else {"difference": value, "low": low, "high": high}
