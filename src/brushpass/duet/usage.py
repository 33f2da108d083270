"""What games cost metered players, such as language models: numbers by name, by seat."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from brushpass.duet.core.cards import SEATS, BySeat

Usage = Mapping[str, Mapping[str, float]]
"""Counts by name (`requests`, `cost`), of each seat that tells any."""


def usage_of(players: BySeat[Any]) -> dict[str, dict[str, float]]:
    """What the players tell in their `usage`, as far as that is numbers."""
    return {str(seat): counts for seat in SEATS if (counts := _counts(players.of(seat)))}


def added(one: Usage, other: Usage) -> dict[str, dict[str, float]]:
    """Both together."""
    return {
        seat: {name: round(mine.get(name, 0) + theirs.get(name, 0), 6) for name in {**mine, **theirs}}
        for seat in {**one, **other}
        for mine, theirs in [(one.get(seat, {}), other.get(seat, {}))]
    }


def _counts(player: object) -> dict[str, float]:
    try:
        return {
            str(name): count if type(count) is int else round(float(count), 6)
            for name, count in getattr(player, "usage", {}).items()
            if math.isfinite(count)
        }
    except (Exception, SystemExit):  # noqa: BLE001 - a stranger's attribute of that name may be anything
        return {}
