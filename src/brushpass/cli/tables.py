"""The text of `bench`, from its JSON document (INTERFACES §2), and what the text of `report` shares with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from brushpass.cli.output import columns

ABREAST: Final = 3
"""Pairs whose columns stand side by side."""

FOOT: Final = "agents found are of 15; intervals are 95 %"

Pair = Mapping[str, Any]


def bench_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Who played, a line a city with win rates and intervals, totals, and where the figures come from."""
    pairs: Sequence[Pair] = report["pairs"]
    yield from _cities(pairs)
    yield ""
    games = sum(pair["games"] for pair in pairs)
    yield (
        f"seed {report['seed']}, {games} games, {pairs[0]['cities'][0]['games']} a pair and city, "
        f"{report['games_per_second']:.0f} games/s once warm, {report['seconds']:.1f} s in all; {FOOT}"
    )
    yield from models(pairs)


def _cities(pairs: Sequence[Pair]) -> Iterator[str]:
    for number, pair in enumerate(pairs, 1):
        yield f"{number}: {pair['a']} + {pair['b']}"
        yield from caveat(pair)
    for start in range(0, len(pairs), ABREAST):
        yield ""
        yield from _table(pairs[start : start + ABREAST], start + 1)


def models(pairs: Sequence[Pair]) -> Iterator[str]:
    """A line with every mind of `pairs` and its hash."""
    named = {model["name"]: model["sha256"] for pair in pairs for model in pair["models"] if model}
    if named:
        yield "models: " + ", ".join(f"{name} {sha256[:12]}" for name, sha256 in named.items())


def caveat(pair: Pair) -> Iterator[str]:
    """A line on what a pair's win rate does not say."""
    if pair["mirror"]:
        yield "   mirror: one mind on both sides, which says nothing of play with another"
    elif pair["shared_ingredients"]:
        yield f"   not independent: both minds are made from {', '.join(pair['shared_ingredients'])}"
    if pair["memory"] > 1:
        yield f"   gets to know its partner over {pair['memory']} games in a row, then forgets"


def _table(pairs: Sequence[Pair], first: int) -> list[str]:
    head = ["city", "tokens"]
    for number, pair in enumerate(pairs, first):
        head += [f"{number}: wins", "95 %, mirror" if pair["mirror"] else "95 %"]
    cities = [
        [pairs[0]["cities"][row]["city"], f"{city['turns']}-{city['mistakes']}"]
        + [cell for pair in pairs for cell in wins(pair["cities"][row])]
        for row, city in enumerate(pairs[0]["cities"])
    ]
    whole = ["all", ""] + [cell for pair in pairs for cell in wins(pair, 1)]
    agents = ["agents found", ""] + [cell for pair in pairs for cell in found(pair)]
    others = [
        ["assassin", "", *_spread(f"{pair['assassin_rate']:.1%}" for pair in pairs)],
        ["clues a game", "", *_spread(f"{pair['mean_turns']:.1f}" for pair in pairs)],
        ["failures", "", *_spread(str(pair["failures"]) for pair in pairs)],
    ]
    return columns(head, [*cities, whole, agents, *others])


def _spread(cells: Iterable[str]) -> list[str]:
    """A cell under each pair's wins, none under its interval."""
    return [part for cell in cells for part in (cell, "")]


def wins(counts: Mapping[str, Any], decimals: int = 0) -> tuple[str, str]:
    """The rate of wins, and the ends of its interval."""
    rate = counts["wins"] / counts["games"] if counts["games"] else 0.0
    low, high = (f"{100 * counts[end]:.{decimals}f}" for end in ("low", "high"))
    return f"{rate:.{decimals}%}", f"{low} - {high}"


def found(counts: Mapping[str, Any]) -> tuple[str, str]:
    """The mean of the agents found, and the ends of its interval."""
    value, low, high = (counts[name] for name in ("mean_found", "found_low", "found_high"))
    return "" if value is None else f"{value:.2f}", "" if low is None else f"{low:.2f} - {high:.2f}"
