"""`make speed`: how fast this machine plays. Prints the tables and writes them to `runs/speed.json`.

Figures of one run compare with one another; between machines, or between quiet and busy hours, only ratios do.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import games
import search
from machine import load, machine

COSTS = ("first", "best", "median", "clues")
"""What is told of a game's cost."""


def main() -> None:
    """Measure, print, write."""
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("--games", type=int, default=2000, help="games a line")
    read.add_argument("--out", type=Path, default=Path("runs/speed.json"), help="where the figures go")
    asked = read.parse_args()
    began = perf_counter()
    where = machine()
    print("{processor}, {cores} cores, {system}; Python {python}, numpy {numpy}, numba {numba}".format(**where))
    print(f"1,000 turns of a plain Python loop: {where['loop']} µs; load before the start: {where['load']}\n")
    searches = [search.measure(size) for size in search.SIZES]
    _print_searches(searches)
    played = games.measure(asked.games)
    _print_games(played)
    where |= {"load at the end": load(), "seconds": round(perf_counter() - began, 1)}
    print(f"\n{where['seconds']} s; load at the end: {where['load at the end']}")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    document = {"schema": 1, "machine": where, "search": searches, "games": played}
    asked.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _print_searches(searches: Sequence[dict[str, Any]]) -> None:
    print("The best clue for one board, 25 cards: microseconds by clue words")
    rows = [(name, *(f"{one['microseconds'][name]:.0f}" for one in searches)) for name in searches[0]["microseconds"]]
    _print_table(("", *(f"{one['words']:,}" for one in searches)), rows)
    print("Ratios")
    ratios = [(name, *(f"{one['ratios'][name]:,.1f}" for one in searches)) for name in searches[0]["ratios"]]
    _print_table(("", *(f"{one['words']:,}" for one in searches)), ratios)


def _print_games(played: dict[str, Any]) -> None:
    print("A game, 10,000 clue words: milliseconds of one core, and clues a game")
    _print_table(("", "first games", *COSTS[1:]), _costs(played["cost"]))
    print("The same for the embedding pair, by clue words")
    _print_table(("", "first games", *COSTS[1:]), _costs(played["vocabulary"]))
    print("Where the time of a game goes, 10,000 clue words: microseconds")
    shares = played["parts"]
    parts = {part: None for taken in shares.values() for part in taken}
    _print_table(("", *shares), [(part, *(f"{taken.get(part, 0):.0f}" for taken in shares.values())) for part in parts])
    print("Games a second, records written, by workers; CPU milliseconds a game of all processes")
    names = list(next(iter(played["workers"].values())))
    rows = [
        (pair, *(f"{told[name]:.2f}" if told[name] < 10 else f"{told[name]:,.0f}" for name in names))
        for pair, told in played["workers"].items()
    ]
    _print_table(("", *names), rows)
    print("The 26 cities, embedding pair, 2 workers, start-up and all")
    _print_table(("games", "seconds", "games/s"), [tuple(f"{told:,.1f}" for told in played["cities"].values())])
    print("A worker's memory at its peak, MB")
    _print_table(("", "MB"), [(pair, f"{peak:.0f}") for pair, peak in played["memory"].items() if peak is not None])


def _costs(costs: dict[str, dict[str, float]]) -> Iterable[tuple[str, ...]]:
    return [(name, *(f"{told[part]:.3f}" for part in COSTS)) for name, told in costs.items()]


def _print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    rows = [head, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row in rows:
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join([first.strip().ljust(widths[0]), *others]))
    print()


if __name__ == "__main__":
    main()
