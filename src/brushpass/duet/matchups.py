"""Who gave clues to whom: the results of a run by giver and guesser (of a `--cross`, every giver with every mind)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from brushpass.arena.stats import clustered_rate
from brushpass.duet.played import Played
from brushpass.duet.turns import Turns


def matchups(tables: Sequence[Mapping[str, Any]], pairs: Sequence[Played]) -> list[dict[str, Any]]:
    """A table a (giver, guesser), in the order in which they first sit down; `tables` are those of `bench --json`.

    In a game both sides give: its win counts for both directions, and both orders of seats count together, by
    intervals clustered by deal. Clues count where they were given.
    """
    sides: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for number, table in enumerate(tables):
        sides.setdefault((table["a"], table["b"]), []).append((number, "A"))
        sides.setdefault((table["b"], table["a"]), []).append((number, "B"))
    return [_matchup(names, seats, tables, pairs) for names, seats in sides.items()]


def _matchup(
    names: tuple[str, str],
    seats: Sequence[tuple[int, str]],
    tables: Sequence[Mapping[str, Any]],
    pairs: Sequence[Played],
) -> dict[str, Any]:
    first, seat = seats[0]
    models = tables[first]["models"]
    numbers = sorted({number for number, _ in seats})
    games = sorted((one.deal, one.won) for number in numbers for one in pairs[number].outcomes.values())
    rate, low, high = clustered_rate([won for _, won in games], [deal for deal, _ in games])
    return {
        "giver": names[0],
        "guesser": names[1],
        "models": models if seat == "A" else models[::-1],
        "mirror": tables[first]["mirror"],
        "pairs": [number + 1 for number in numbers],
        "games": len(games),
        "wins": sum(won for _, won in games),
        "win_rate": rate if games else 0.0,
        "low": low,
        "high": high,
        **sum((pairs[number].turns[seat] for number, seat in seats), Turns()).to_json(),
    }
