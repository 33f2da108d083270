"""`brushpass models build value` as text: how turns go, and whether the chances come true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from brushpass.cli.output import columns

SHOWN: Final = (1, 2, 4, 6, 9)
"""Agents left of which the table has a row; the partner has no more than six that are its alone."""
GIVERS: Final = (("bot", 9), ("partner", 6))


def value_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The lines for what `models/value.json` holds."""
    taught, held_back = data["taught_by"]["games"], data["held_back"]
    yield f"{len(data['pairs'])} pairs in {len(data['cities'])} cities, {taught + held_back['games']:,} games"
    yield ""
    yield from columns(("clue of", "agents left", "hits", "stop %", "bystander %", "assassin %"), _turns(data))
    partner, bot = data["sudden"]
    yield f"sudden death: a guess is right in {100 * partner:.0f} % (partner), {100 * bot:.0f} % (bot)"
    yield ""
    yield f"chance to win before a clue, in {held_back['games']:,} games held back:"
    yield from columns(("positions", "expected %", "happened %", "±"), _comparison(held_back["groups"]))
    if held_back["slope"] is not None:
        yield f"log-odds {held_back['slope']:.2f} x {held_back['intercept']:+.2f} (1 and 0 where all comes true)"


def _turns(data: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    for (giver, most), by_left in zip(GIVERS, data["turns"], strict=True):
        for left in SHOWN:
            if left <= most:
                ends = [100 * sum(column) for column in zip(*by_left[left], strict=True)]
                hits = sum(count * sum(row) for count, row in enumerate(by_left[left]))
                yield giver, left, f"{hits:.2f}", *(f"{end:.0f}" for end in ends)


def _comparison(rows: list[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        error = row["error"]
        yield (
            *(row["places"], f"{100 * row['expected']:.2f}", f"{100 * row['happened']:.2f}"),
            "" if error is None else f"{100 * error:.2f}",
        )
