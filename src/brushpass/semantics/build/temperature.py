"""The temperature of a mind: the one that makes people's first guesses likeliest.

Guess sets are read from files of INTERFACES §6 that whoever fits holds; they are no part of this package.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold
from brushpass.semantics.choice import Doubles, log_probabilities
from brushpass.semantics.mind import Mind

STEPS = 50  # of Newton; some five are needed
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Item:
    """A clue, a board, and what people made of it."""

    source: str
    game: str
    clue: str
    board: tuple[str, ...]
    shares: Doubles
    """The share of first guesses that each word of the board got; sums to 1."""
    number: int
    hits: Doubles
    """The share of people for whom each word would be a hit: for unordered guesses, any of them."""


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


def read_items(files: Iterable[Path]) -> list[Item]:
    """The items of guess sets; of unordered guesses each counts equally as the first, of several people likewise.

    Raises:
        CorruptData: a file is unreadable, or a line is not as INTERFACES §6 says.
    """
    items = []
    for path in files:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise CorruptData(f"cannot read {path}: {error}") from error
        for number, line in enumerate(lines, start=1):
            try:
                item = _item(line)
            except (ValueError, KeyError, TypeError, IndexError) as error:
                raise CorruptData(f"{path} line {number} is no guess item: {error!r}") from error
            items += [item] if item else []
    return items


def fit_temperature(mind: Mind, items: list[Item]) -> Fit:
    """The maximum-likelihood temperature of softmax(score / T) over the board, every item counting once.

    The log-likelihood is concave in 1 / T: Newton's way finds its one top.

    Raises:
        CorruptData: no items, or guesses that prefer no temperature (the mind is at odds with them).
    """
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
    clusters: dict[tuple[str, str], float] = defaultdict(float)
    for item, slope in zip(items, slopes, strict=True):
        clusters[item.source, item.game] += slope
    error = math.hypot(*clusters.values()) / bends.sum()  # of 1 / T
    sources = {
        name: _figures([row for row in zip(scores, items, strict=True) if row[1].source == name], 1 / sharpness)
        for name in sorted({item.source for item in items})
    }
    total = _figures(list(zip(scores, items, strict=True)), 1 / sharpness)
    return Fit(1 / sharpness, float(error) / sharpness**2, total.items, total.log_likelihood, sources)


def _item(line: str) -> Item | None:
    given = json.loads(line)
    board = [fold(word) for word in given["board"]]
    responses = [guesses for guesses in given["guesses"] if guesses]
    shares, hits = np.zeros(len(board)), np.zeros(len(board))
    for guesses in responses:
        first = [board.index(fold(word)) for word in (guesses[:1] if given["ordered"] else guesses)]
        hits[first] += 1 / len(responses)
        shares[first] += 1 / (len(first) * len(responses))
    if not responses:
        return None
    return Item(
        given["source"], str(given["game"]), given["clue"], tuple(board), shares, int(given.get("number", 1)), hits
    )


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
