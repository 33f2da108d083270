"""How often bots win each city of the map, from a benchmark of our own; `benchmarks/city_rates.py` writes the table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from brushpass.arena.stats import Interval, wilson


class CityRate(NamedTuple):
    """Games of one pair in one city; `mirror` if both are the same bot with the same mind."""

    a: str
    b: str
    mirror: bool
    games: int
    wins: int

    @property
    def rate(self) -> Interval:
        """The share of games won, with its 95 % interval."""
        return wilson(self.wins, self.games)

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        value, low, high = self.rate
        return {**self._asdict(), "win_rate": round(value, 4), "low": round(low, 4), "high": round(high, 4)}


@cache
def city_rates() -> Mapping[str, tuple[CityRate, ...]]:
    """The rates of each city by its name, of the mirror pair first."""
    table = json.loads(resources.files("brushpass.duet").joinpath("mapdata", "rates.json").read_text(encoding="utf-8"))
    pairs = sorted(table["pairs"], key=lambda pair: not pair["mirror"])
    return {
        city: tuple(CityRate(pair["a"], pair["b"], pair["mirror"], pair["games"], pair["wins"][city]) for pair in pairs)
        for city in pairs[0]["wins"]
    }
