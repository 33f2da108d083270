"""The weights of a blend, and the sharpness by number: those that make people's first guesses likeliest.

A conditional (Luce) logit over the cards of each board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from brushpass.errors import CorruptData
from brushpass.semantics.blend import OPINIONS, Blend
from brushpass.semantics.choice import Doubles, log_probabilities
from brushpass.semantics.guesses import Item, by_cluster, cluster_sums
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Indices

RIDGE: Final = 1e-3
"""Pulls the weights towards 0: with some hundred boards a few features are rare."""
MAIN: Final = 3.0
"""What guesses made in the game itself (the colors are known) count, a source; any other source counts 1."""
NUMBERS: Final = 3
"""Numbers with a sharpness of their own; the last holds beyond."""
SECOND_OPINION: Final = 1.4
"""What a further space counts beyond its likeliest weight. Who gives a clue takes the best of ten thousand by its own
lights, so its errors are what it takes; there a second opinion is worth more than where a clue is given. People's
guesses are foreseen no worse so than without one (docs/models.md)."""


@dataclass(frozen=True)
class Coefficients:
    """Weights a feature, their standard errors (clustered by game), sharpness a number, and n."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    errors: tuple[float, ...]
    sharpness: tuple[float, ...]
    items: int

    def as_json(self) -> dict[str, Any]:
        """What the manifest keeps, to four decimals."""
        return {
            "items": self.items,
            "weights": dict(zip(self.features, (round(x, 4) for x in self.weights), strict=True)),
            "standard_errors": dict(zip(self.features, (round(x, 4) for x in self.errors), strict=True)),
            "sharpness": [round(x, 4) for x in self.sharpness],
        }


class Boards:
    """The features of every item's cards, padded to the widest board, with what people touched.

    Raises:
        CorruptData: no items.
    """

    def __init__(self, blend: Blend, items: Sequence[Item]) -> None:
        self.items = [item for item in items if item.guesses]
        if not self.items:
            raise CorruptData("no guesses to fit coefficients on: 0 items")
        self.features = blend.names
        self.raised = np.array([SECOND_OPINION if name in OPINIONS else 1.0 for name in self.features])
        mind = Mind("fit", "fit", blend.space, blend=blend)
        size = len(self.items), max(len(item.board) for item in self.items)
        self.table, self.open = np.zeros((*size, len(self.features))), np.zeros(size, bool)
        self.shares, self.hits = np.zeros(size), np.zeros(size)
        for row, item in enumerate(self.items):
            cards = len(item.board)
            self.table[row, :cards] = mind.features(item.clue, item.board)
            self.open[row, :cards] = True
            self.shares[row, :cards], self.hits[row, :cards] = item.shares, item.hits
        self.numbers = np.array([min(max(item.number, 1), NUMBERS) - 1 for item in self.items])
        self.clusters = by_cluster(self.items)

    def fit(self, rows: Indices) -> tuple[Doubles, Doubles]:
        """Weights and sharpness that make the first guesses of these items likeliest, together; then `raised`."""
        from scipy.optimize import minimize

        count, weigh = len(self.features), self.weigh(rows)

        def loss(given: Doubles) -> tuple[float, Doubles]:
            weights, factors = given[:count], np.exp(given[count:])[self.numbers[rows]]
            plain = self.table[rows] @ weights
            logs = self._logs(rows, plain * factors[:, None])
            miss = self.shares[rows] - np.exp(logs)
            slope = (weigh * factors) @ np.einsum("nc,ncf->nf", miss, self.table[rows])
            bend = weigh * factors * (miss * plain).sum(axis=1)
            bends = np.bincount(self.numbers[rows], bend, NUMBERS)
            likely = float(weigh @ self._likelihoods(rows, logs))
            return float(RIDGE * given @ given) - likely, 2 * RIDGE * given - np.concatenate([slope, bends])

        found = minimize(loss, np.zeros(count + NUMBERS), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
        return found[:count] * self.raised, np.exp(found[count:])

    def foresee(self, rows: Indices, weights: Doubles, sharpness: Doubles) -> tuple[Doubles, Doubles]:
        """For each of these items, whether its best card was a first guess, and the log-likelihood of that guess."""
        logs = self._logs(rows, (self.table[rows] @ weights) * sharpness[self.numbers[rows], None])
        best = logs == logs.max(axis=1, keepdims=True)
        return (self.hits[rows] * best).sum(axis=1) / best.sum(axis=1), self._likelihoods(rows, logs)

    def errors(self, weights: Doubles, sharpness: Doubles) -> Doubles:
        """Sandwich standard errors of the weights, clustered."""
        rows = np.arange(len(self.items))
        heated = self.table * sharpness[self.numbers, None, None]
        chances = np.exp(self._logs(rows, heated @ weights))
        weigh = self.weigh(rows)
        slopes = np.einsum("nc,ncf->nf", (self.shares - chances) * weigh[:, None], heated)
        centred = heated - np.einsum("nc,ncf->nf", chances, heated)[:, None, :]
        bend = np.einsum("nc,ncf,ncg->fg", chances * weigh[:, None], centred, centred) + 2 * RIDGE * np.eye(
            len(weights)
        )
        sums = cluster_sums(slopes, self.clusters)
        inverse, meat = np.linalg.inv(bend), sums.T @ sums
        return np.asarray(np.sqrt(np.diag(inverse @ meat @ inverse)))

    def _logs(self, rows: Indices, logits: Doubles) -> Doubles:
        """Log-chances (items, cards), -inf where there is no card."""
        return log_probabilities(np.where(self.open[rows], logits, -np.inf), 1.0)

    def _likelihoods(self, rows: Indices, logs: Doubles) -> Doubles:
        return np.asarray((np.where(self.open[rows], logs, 0) * self.shares[rows]).sum(axis=1))

    def weigh(self, rows: Indices) -> Doubles:
        """(items,): what each of these items counts, summing to 1; sources count alike, but for `MAIN`."""
        sources = [self.items[row].source for row in rows.tolist()]
        counts = Counter(sources)
        main = {item.source for item in self.items if item.colored}
        shares = {source: MAIN if source in main else 1.0 for source in counts}
        weights = np.array([shares[source] / counts[source] for source in sources])
        return np.asarray(weights / weights.sum())


def fit_coefficients(boards: Boards) -> Coefficients:
    """Fit weights and sharpness on all items."""
    rows = np.arange(len(boards.items))
    weights, sharpness = boards.fit(rows)
    size = float(np.average(sharpness[boards.numbers], weights=boards.weigh(rows)))
    errors = boards.errors(weights, sharpness) * size * boards.raised
    weights, sharpness = weights * size, sharpness / size
    found = tuple(weights.tolist()), tuple(errors.tolist()), tuple(sharpness.tolist())
    return Coefficients(boards.features, *found, len(boards.items))
