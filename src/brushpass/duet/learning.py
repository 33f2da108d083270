"""Whether a bot that remembers its partner plays better the longer it knows it: its figures by game in a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from brushpass.arena.stats import clustered_rate, mean
from brushpass.duet.compare import Outcome
from brushpass.duet.results import found_interval, found_json

STAGES: Final = 4
"""Into so many parts a row of games is divided."""


def learning(outcomes: Mapping[tuple[Any, ...], Outcome], memory: int) -> dict[str, Any] | None:
    """The stages of rows of `memory` games, by outcomes of which the second key is a game's index; None without memory.

    Intervals are clustered by row.
    """
    if memory == 1:
        return None
    length = -(-memory // STAGES)
    rows = len({(city, index // memory) for city, index, *_ in outcomes})
    stages = []
    for first in range(0, memory, length):
        last = min(first + length, memory)
        stage = [
            (outcome, (city, index // memory))
            for (city, index, *_), outcome in outcomes.items()
            if first <= index % memory < last
        ]
        places = sorted({row for _, row in stage})
        clusters = [places.index(row) for _, row in stage]
        won = [outcome.won for outcome, _ in stage]
        rate, low, high = clustered_rate(won, clusters) if won else (0.0, 0.0, 1.0)
        agents = found_interval(mean([outcome.found for outcome, _ in stage], clusters))
        counts = {"from": first + 1, "to": last, "games": len(stage), "wins": sum(won)}
        stages.append({**counts, "win_rate": rate, "low": low, "high": high, **found_json(agents)})
    return {"memory": memory, "rows": rows, "stages": stages}
