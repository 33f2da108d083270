"""The temperature of a mind: the one that makes people's first guesses likeliest."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from brushpass.errors import CorruptData
from brushpass.semantics.choice import Doubles, log_probabilities
from brushpass.semantics.guesses import Item, cluster_sums
from brushpass.semantics.mind import Mind

STEPS = 50  # of Newton; some five are needed
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Figures:
    """How well a mind foresees first guesses: chance that its best word is the guess, mean log-likelihood."""

    items: int
    top1: float
    log_likelihood: float


@dataclass(frozen=True)
class Fit:
    """A temperature with its standard error, clustered by game, and the figures it gives, a source each."""

    temperature: float
    standard_error: float
    items: int
    log_likelihood: float
    sources: dict[str, Figures]

    def as_json(self) -> dict[str, object]:
        """What the manifest keeps beside the temperature, to four decimals."""
        return {
            "items": self.items,
            "standard_error": round(self.standard_error, 4),
            "log_likelihood": round(self.log_likelihood, 4),
            "sources": {
                name: {key: round(value, 4) for key, value in asdict(figures).items()}
                for name, figures in self.sources.items()
            },
        }


def fit_temperature(mind: Mind, items: list[Item]) -> Fit:
    """The maximum-likelihood temperature of softmax(score / T) over the board, every item counting once.

    The log-likelihood is concave in 1 / T: Newton's way finds its one top.

    Raises:
        CorruptData: no items, or guesses that prefer no temperature (the mind is at odds with them).
    """
    items = [item for item in items if item.guesses]
    if not items:
        raise CorruptData("no guesses to fit a temperature on: 0 items")
    scores = [mind.scores([item.clue], item.board)[0].astype(np.float64) for item in items]
    sharpness = 1 / mind.temperature
    for _ in range(STEPS):
        slopes, bends = _derivatives(scores, items, sharpness)
        step = slopes.sum() / max(bends.sum(), np.finfo(float).tiny)
        sharpness += float(np.clip(step, -sharpness / 2, sharpness))
        if abs(step) < TOLERANCE * sharpness:
            break
    else:
        raise CorruptData(f"people's guesses ({len(items)} items) set no temperature for {mind.name}")
    sums = cluster_sums(slopes, [(item.source, item.game) for item in items])
    error = np.linalg.norm(sums) / bends.sum()  # of 1 / T
    sources = {
        name: _figures([row for row in zip(scores, items, strict=True) if row[1].source == name], 1 / sharpness)
        for name in sorted({item.source for item in items})
    }
    total = _figures(list(zip(scores, items, strict=True)), 1 / sharpness)
    return Fit(1 / sharpness, float(error) / sharpness**2, total.items, total.log_likelihood, sources)


def _derivatives(scores: list[Doubles], items: list[Item], sharpness: float) -> tuple[Doubles, Doubles]:
    """First and minus second derivative of each item's log-likelihood by 1 / T."""
    slopes, bends = np.empty(len(items)), np.empty(len(items))
    for row, (score, item) in enumerate(zip(scores, items, strict=True)):
        chances = np.exp(log_probabilities(score * sharpness, 1.0))
        mean = chances @ score
        slopes[row] = item.shares @ score - mean
        bends[row] = chances @ (score - mean) ** 2
    return slopes, bends


def _figures(scored: list[tuple[Doubles, Item]], temperature: float) -> Figures:
    hits, likelihood = 0.0, 0.0
    for score, item in scored:
        hits += float(item.hits[score == score.max()].mean())  # of an unknown clue, every word is the best
        likelihood += float(item.shares @ log_probabilities(score, temperature))
    return Figures(len(scored), hits / len(scored), likelihood / len(scored))
