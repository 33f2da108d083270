"""The text of a run's tables, from its JSON document (INTERFACES §2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from brushpass.cli.output import columns

ABREAST: Final = 3
"""Pairs whose columns stand side by side."""
MOST: Final = 10
"""Comparisons that the text shows."""

Pair = Mapping[str, Any]


def bench_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Who played, a line a city with win rates and intervals, totals, and where the figures come from."""
    pairs: Sequence[Pair] = report["pairs"]
    yield from _cities(pairs)
    yield ""
    games = sum(pair["games"] for pair in pairs)
    yield (
        f"seed {report['seed']}, {games} games, {pairs[0]['cities'][0]['games']} a pair and city, "
        f"{report['games_per_second']:.0f} games/s once warm, {report['seconds']:.1f} s in all; intervals are 95 %"
    )
    yield from _models(pairs)


def report_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The document of `report` as text: cities, results by cause, clues and numbers, comparisons."""
    pairs: Sequence[Pair] = report["pairs"]
    yield from _cities(pairs)
    yield ""
    yield from _results(pairs)
    yield ""
    yield from _clues(pairs)
    if report["differences"]:
        yield ""
        yield from _differences(report["differences"], elsewhere=report["compared_with"])
    yield ""
    state = "finished" if report["finished"] else "not finished"
    yield f"seed {report['seed']}, {report['games']} of {report['planned']} games, {state}; intervals are 95 %"
    yield from _models(pairs)


def _cities(pairs: Sequence[Pair]) -> Iterator[str]:
    for number, pair in enumerate(pairs, 1):
        yield f"{number}: {pair['a']} + {pair['b']}"
        yield from _caveat(pair)
    for start in range(0, len(pairs), ABREAST):
        yield ""
        yield from _table(pairs[start : start + ABREAST], start + 1)


def _results(pairs: Sequence[Pair]) -> list[str]:
    """A line a pair: how its games ended."""
    head = ("pair", "games", "won", "in sudden death", "assassin", "sudden death", "cannot pay", "failures")
    return columns(
        head,
        (
            (number, pair["games"], pair["wins"], pair["sudden_death_wins"], *pair["losses"].values())
            for number, pair in enumerate(pairs, 1)
        ),
    )


def _clues(pairs: Sequence[Pair]) -> list[str]:
    """A line a pair: clues a game, and how often each number was said."""
    said = sorted({number for pair in pairs for number in pair["numbers"]}, key=int)
    head = ("pair", "clues a game", "95 %", *(f"said {number}" for number in said))
    rows = []
    for number, pair in enumerate(pairs, 1):
        total = sum(pair["numbers"].values()) or 1
        span = "" if pair["turns_low"] is None else f"{pair['turns_low']:.2f} - {pair['turns_high']:.2f}"
        shares = (f"{pair['numbers'].get(one, 0) / total:.0%}" for one in said)
        rows.append((number, f"{pair['mean_turns']:.2f}", span, *shares))
    return columns(head, rows)


def _differences(differences: Sequence[Mapping[str, Any]], *, elsewhere: str | None) -> Iterator[str]:
    """Three lines a comparison."""
    yield f"differences over the same deals{f', first here and then in {elsewhere}' if elsewhere else ''}"
    for one in differences[:MOST]:
        names = " less ".join(f"{side['pair']} ({side['a']} + {side['b']})" for side in (one["first"], one["second"]))
        yield f"{names}: {one['games']} deals"
        if not one["games"]:
            continue
        yield (
            f"  wins {_signed(one['wins'], 100, 1)} points; only the first won {one['only_first']}, "
            f"only the second {one['only_second']}; p = {one['p']:.2g}"
        )
        won = one["turns_won"]
        both = f"; in the {one['both_won']} that both won {_signed(won, 1, 2)}" if won else ""
        yield f"  clues a game {_signed(one['turns'], 1, 2)}{both}"
    if len(differences) > MOST:
        yield f"… and {len(differences) - MOST} more; --json has all"


def _signed(interval: Mapping[str, float], scale: int, decimals: int) -> str:
    value, low, high = (scale * interval[end] for end in ("difference", "low", "high"))
    return f"{value:+.{decimals}f} ({low:+.{decimals}f} to {high:+.{decimals}f})"


def _models(pairs: Sequence[Pair]) -> Iterator[str]:
    models = {model["name"]: model["sha256"] for pair in pairs for model in pair["models"] if model}
    if models:
        yield "models: " + ", ".join(f"{name} {sha256[:12]}" for name, sha256 in models.items())


def _caveat(pair: Pair) -> Iterator[str]:
    if pair["mirror"]:
        yield "   mirror: one mind on both sides, which says nothing of play with another"
    elif pair["shared_ingredients"]:
        yield f"   not independent: both minds are made from {', '.join(pair['shared_ingredients'])}"


def _table(pairs: Sequence[Pair], first: int) -> list[str]:
    head = ["city", "tokens"]
    for number, pair in enumerate(pairs, first):
        head += [f"{number}: wins", "95 %, mirror" if pair["mirror"] else "95 %"]
    cities = [
        [pairs[0]["cities"][row]["city"], f"{city['turns']}-{city['mistakes']}"]
        + [cell for pair in pairs for cell in _wins(pair["cities"][row])]
        for row, city in enumerate(pairs[0]["cities"])
    ]
    whole = ["all", ""] + [cell for pair in pairs for cell in _wins(pair, 1)]
    others = [
        ["assassin", "", *_spread(f"{pair['assassin_rate']:.1%}" for pair in pairs)],
        ["clues a game", "", *_spread(f"{pair['mean_turns']:.1f}" for pair in pairs)],
        ["failures", "", *_spread(str(pair["failures"]) for pair in pairs)],
    ]
    return columns(head, [*cities, whole, *others])


def _spread(cells: Iterable[str]) -> list[str]:
    """A cell under each pair's wins, none under its interval."""
    return [part for cell in cells for part in (cell, "")]


def _wins(counts: Mapping[str, Any], decimals: int = 0) -> tuple[str, str]:
    """The rate of wins, and the ends of its interval."""
    rate = counts["wins"] / counts["games"] if counts["games"] else 0.0
    low, high = (f"{100 * counts[end]:.{decimals}f}" for end in ("low", "high"))
    return f"{rate:.{decimals}%}", f"{low} - {high}"
