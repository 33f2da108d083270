"""How well a blend foresees guesses that its coefficients were not fitted on.

Games (or boards, where games repeat them) are dealt into parts; each part is foreseen with coefficients fitted on the
others.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import numpy as np

from brushpass.lexicon.normalize import fold
from brushpass.semantics.build.coefficients import Boards
from brushpass.semantics.choice import Doubles
from brushpass.semantics.guesses import Item, cluster_sums
from brushpass.semantics.space import Indices

FOLDS: Final = 5
SEED: Final = 0


def cross_validate(boards: Boards) -> dict[str, Any]:
    """By source: items, the share of first guesses that were the mind's best card, their mean log-likelihood.

    Standard errors are clustered as the parts are. `new` is the same for those items none of whose clue-card pairs
    (the clue with its targets and guesses) occurs in another part: people repeat each other.
    """
    parts = _deal(boards.clusters)
    top1, likelihood = np.zeros(len(parts)), np.zeros(len(parts))
    for part in range(FOLDS):
        rest, rows = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        top1[rows], likelihood[rows] = boards.foresee(rows, *boards.fit(rest))
    new = _new(boards.items, parts)
    found: dict[str, Any] = {}
    for source in dict.fromkeys(item.source for item in boards.items):
        rows = np.array([row for row, item in enumerate(boards.items) if item.source == source])
        found[source] = _figures(boards, rows, top1, likelihood)
        if 0 < new[rows].sum() < len(rows):
            found[source]["new"] = _figures(boards, rows[new[rows]], top1, likelihood)
    return found


def _deal(clusters: list[str]) -> Indices:
    """The part (items,) each item falls to, whole clusters together."""
    names = sorted(set(clusters))
    order = np.random.default_rng(SEED).permutation(len(names))
    part = {names[name]: place % FOLDS for place, name in enumerate(order.tolist())}
    return np.array([part[cluster] for cluster in clusters])


def _new(items: list[Item], parts: Indices) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which items (items,) share no clue-card pair with another part."""
    seen: dict[tuple[str, str], set[int]] = defaultdict(set)
    pairs = [[(fold(item.clue), item.board[card]) for card in item.targets.union(*item.guesses)] for item in items]
    for part, found in zip(parts.tolist(), pairs, strict=True):
        for pair in found:
            seen[pair].add(part)
    return np.array([all(len(seen[pair]) == 1 for pair in found) for found in pairs])


def _figures(boards: Boards, rows: Indices, top1: Doubles, likelihood: Doubles) -> dict[str, Any]:
    games = [boards.clusters[row] for row in rows.tolist()]
    figures: dict[str, Any] = {"items": len(rows)}
    for name, values in (("top1", top1[rows]), ("log_likelihood", likelihood[rows])):
        error = np.linalg.norm(cluster_sums(values - values.mean(), games)) / len(rows)
        figures |= {name: round(float(values.mean()), 4), f"{name}_error": round(float(error), 4)}
    return figures
