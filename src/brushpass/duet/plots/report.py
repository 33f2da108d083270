"""What the figures of a run are drawn from: its report, or the document of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from brushpass.duet.plots.style import LONGEST, short


class Told(Protocol):
    """What has the document of a run."""

    def to_json(self) -> dict[str, Any]:
        """The document of `report --json` or `bench --json`."""


Report = Told | Mapping[str, Any]


def document_of(report: Report) -> Mapping[str, Any]:
    """The document itself."""
    return report if isinstance(report, Mapping) else report.to_json()


def pairs_of(report: Report, wanted: Sequence[int] | None) -> list[tuple[int, Mapping[str, Any]]]:
    """Pairs with their numbers from 1.

    Raises:
        ValueError: none is wanted, or one that is not there.
    """
    every = dict(enumerate(document_of(report)["pairs"], 1))
    chosen = [*every] if wanted is None else [*wanted]
    if not chosen or not every.keys() >= {*chosen}:
        raise ValueError(f"no pairs {chosen}: the run has 1 to {len(every)}")
    return [(number, every[number]) for number in chosen]


def name_of(number: int, pair: Mapping[str, Any]) -> str:
    """What a figure calls the pair of that number."""
    half = (LONGEST - 3) // 2
    return f"{number}: {short(pair['a'], half)} + {short(pair['b'], half)}"


def or_else(value: float | None, other: float) -> float:
    """A figure, or `other` where it is not known."""
    return other if value is None else value
