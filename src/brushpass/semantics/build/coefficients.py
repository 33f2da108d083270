"""The weights of a blend, and the sharpness by number: those that make people's first guesses likeliest.

A conditional (Luce) logit over the cards of each board, every source of guesses counting alike. Guess sets are files
of INTERFACES §6 that whoever fits holds; they are no part of this package.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from brushpass.errors import CorruptData
from brushpass.semantics.blend import FEATURES, Blend
from brushpass.semantics.build.temperature import Item
from brushpass.semantics.choice import log_probabilities
from brushpass.semantics.mind import Mind

RIDGE: Final = 1e-3
"""Pulls the weights towards 0: with some hundred boards a few features are rare."""
NUMBERS: Final = 3
"""Numbers with a sharpness of their own; the last holds beyond."""
ROUNDS: Final = 6

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Coefficients:
    """Weights a feature, their standard errors (clustered by game), sharpness a number, and n."""

    weights: tuple[float, ...]
    errors: tuple[float, ...]
    sharpness: tuple[float, ...]
    items: int

    def as_json(self) -> dict[str, Any]:
        """What the manifest keeps, to four decimals."""
        return {
            "items": self.items,
            "weights": dict(zip(FEATURES, (round(x, 4) for x in self.weights), strict=True)),
            "standard_errors": dict(zip(FEATURES, (round(x, 4) for x in self.errors), strict=True)),
            "sharpness": [round(x, 4) for x in self.sharpness],
        }


def fit_coefficients(blend: Blend, items: list[Item]) -> Coefficients:
    """Fit weights and sharpness in turn, each given the other.

    Raises:
        CorruptData: no items.
    """
    if not items:
        raise CorruptData("no guesses to fit coefficients on: 0 items")
    mind = Mind("fit", "fit", blend.space, blend=blend)
    tables = [mind.features(item.clue, item.board).astype(np.float64) for item in items]
    counts = Counter(item.source for item in items)
    shares = np.array([1 / counts[item.source] / len(counts) for item in items])
    numbers = np.array([min(max(item.number, 1), NUMBERS) - 1 for item in items])
    sharpness, weights = np.ones(NUMBERS), np.zeros(len(FEATURES))
    for _ in range(ROUNDS):
        heated = [table * sharpness[number] for table, number in zip(tables, numbers, strict=True)]
        weights = _fit(heated, items, shares, weights)
        sharpness = _sharpness([table @ weights for table in tables], items, shares, numbers)
    heated = [table * sharpness[number] for table, number in zip(tables, numbers, strict=True)]
    errors = _errors(heated, items, shares, weights)
    return Coefficients(tuple(weights.tolist()), tuple(errors.tolist()), tuple(sharpness.tolist()), len(items))


def _slope(tables: list[Doubles], items: list[Item], weights: Doubles) -> tuple[Doubles, Doubles]:
    """Log-likelihood of each item and its gradient by the weights."""
    values, slopes = np.empty(len(items)), np.empty((len(items), len(weights)))
    for row, (table, item) in enumerate(zip(tables, items, strict=True)):
        logs = log_probabilities(table @ weights, 1.0)
        values[row] = item.shares @ logs
        slopes[row] = item.shares @ table - np.exp(logs) @ table
    return values, slopes


def _fit(tables: list[Doubles], items: list[Item], shares: Doubles, start: Doubles) -> Doubles:
    from scipy.optimize import minimize

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        values, slopes = _slope(tables, items, weights)
        return float(-shares @ values + RIDGE * weights @ weights), -shares @ slopes + 2 * RIDGE * weights

    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x)


def _sharpness(logits: list[Doubles], items: list[Item], shares: Doubles, numbers: Any) -> Doubles:  # noqa: ANN401 - places
    """The factor of each number, their weighted mean kept at 1."""
    from scipy.optimize import minimize_scalar

    factors = np.ones(NUMBERS)
    for number in range(NUMBERS):
        chosen = [place for place in range(len(items)) if numbers[place] == number]
        if chosen:

            def loss(factor: float, chosen: list[int] = chosen) -> float:
                return -float(
                    sum(
                        shares[place] * float(items[place].shares @ log_probabilities(logits[place] * factor, 1.0))
                        for place in chosen
                    )
                )

            factors[number] = minimize_scalar(loss, bounds=(0.2, 5.0), method="bounded").x
    return np.asarray(factors / np.average(factors[numbers], weights=shares))


def _errors(tables: list[Doubles], items: list[Item], shares: Doubles, weights: Doubles) -> Doubles:
    """Sandwich standard errors, clustered by game."""
    bend = 2 * RIDGE * np.eye(len(weights))
    clusters: dict[tuple[str, str], Doubles] = defaultdict(lambda: np.zeros(len(weights)))
    _, slopes = _slope(tables, items, weights)
    for table, item, share, slope in zip(tables, items, shares, slopes, strict=True):
        chances = np.exp(log_probabilities(table @ weights, 1.0))
        centred = table - chances @ table
        bend += share * (centred * chances[:, None]).T @ centred
        clusters[item.source, item.game] += share * slope
    meat = sum(np.outer(slope, slope) for slope in clusters.values())
    inverse = np.linalg.inv(bend)
    return np.asarray(np.sqrt(np.diag(inverse @ meat @ inverse)))
