"""Mind: what a model on the command line is; how near a clue is to a card, and how surely that decides a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from brushpass.lexicon.normalize import fold
from brushpass.semantics.backoff import Parts, Reading, read, rows_of
from brushpass.semantics.blend import Blend, Nearness
from brushpass.semantics.space import Floats, Space

DEFAULT_TEMPERATURE = 0.1
"""Of a file that states none (INTERFACES §2)."""


@dataclass(frozen=True, eq=False)
class Mind:
    """A space, and what the choice model and the reports need to know of it."""

    name: str
    sha256: str
    """Two minds with one hash give the same scores."""
    space: Space
    temperature: float = DEFAULT_TEMPERATURE
    """Of the choice model: P(guess) is in proportion to exp(score / temperature)."""
    ingredients: tuple[str, ...] = ()
    """The corpora and models it was made from: minds that share none are independent."""
    licence: str = "unknown"
    source: str = "unknown"
    blend: Blend | None = None
    """How a norm of associations enters the scores; without, they are cosines."""
    sharpness: tuple[float, ...] = (1.0,)
    """By how much surer than `temperature` says people are for a clue of number 1, 2, … (the last also beyond)."""

    @staticmethod
    def load(name_or_path: str | Path) -> Mind:
        """The mind of that name, or of the vector file at that path (`catalog.load_mind` says more)."""
        from brushpass.semantics.catalog import load_mind

        return load_mind(name_or_path)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that have a vector, folded, most frequent first."""
        return self.space.words

    def knows(self, word: str) -> bool:
        """Whether `word`, or a part of it, has a vector."""
        return bool(self._parts(word))

    def understands(self, clue: str) -> bool:
        """Whether `clue` means anything here: it is known, or backed off to what is (`backoff`)."""
        return bool(self._meant(clue))

    def scores(self, clues: Sequence[str], cards: Sequence[str]) -> Floats:
        """Scores (clues, cards), cosines unless the mind has a norm; 0 where either is unknown.

        An entry of several words (`New York`) is taken whole if it is known so, else as the unit mean of its
        known parts. A clue is backed off before it counts as unknown, a card is not.
        """
        nearness = self._nearness(clues)
        cosines = self._cosines(nearness, cards)
        if self.blend is None:
            return cosines
        meant = [self.taken_for(clue) for clue in clues]
        return self.blend.scores(cosines, meant, nearness, cards) * np.float32(self.temperature)

    def features(self, clue: str, cards: Sequence[str]) -> Floats:
        """What the blend weighs, (cards, features): see `blend`. Zeros where clue or card is unknown.

        Raises:
            ValueError: the mind has no norm.
        """
        if self.blend is None:
            raise ValueError(f"mind {self.name} has no norm")
        nearness = self._nearness([clue])
        cosines = self._cosines(nearness, cards)
        return np.concatenate(list(self.blend.features(cosines, [self.taken_for(clue)], nearness, cards)))

    def _nearness(self, clues: Sequence[str]) -> Nearness:
        """From rows of the space to their cosines (n, clues) with the clues; 0 where a clue is unknown."""
        meant = [self._meant(clue) for clue in clues]
        towards = self.space.towards(_flat(meant))
        return lambda rows: self._merge(towards(rows).T, meant).T

    def _cosines(self, nearness: Nearness, cards: Sequence[str]) -> Floats:
        """Cosines (clues, cards)."""
        parts = [self._parts(card) for card in cards]
        return np.ascontiguousarray(self._merge(nearness(_flat(parts)), parts).T)

    def cosines(self, clues: Sequence[str], cards: Sequence[str]) -> Floats:
        """Cosines (clues, cards) of the vectors alone, whatever norm there is; 0 where either is unknown."""
        return self._cosines(self._nearness(clues), cards)

    def reads(self, clue: str) -> Reading:
        """How a clue is made out, and the rows whose mean stands for it."""
        rows = self._parts(clue)
        return Reading("known", rows) if rows else read(fold(clue), self.space.index)

    def taken_for(self, clue: str) -> str:
        """The word or words that a clue is backed off to (`mountian` is mountain); the clue if it needs it not."""
        how, rows = self.reads(clue)
        return clue if how in {"known", "unknown"} else " ".join(self.words[row] for row in rows)

    def heat(self, number: int) -> float:
        """The temperature of people's next guess for a clue of `number`."""
        return self.temperature / self.sharpness[min(max(number, 1), len(self.sharpness)) - 1]

    def _meant(self, clue: str) -> Parts:
        """The rows whose mean stands for a clue, backed off if need be."""
        return self.reads(clue).rows

    def _parts(self, word: str) -> Parts:
        """The rows whose mean stands for `word`; none if it is unknown."""
        return rows_of(word, self.space.index)

    def _merge(self, table: Floats, entries: Sequence[Parts]) -> Floats:
        """From a row a part to a row an entry: the unit mean of its parts, zero without any."""
        counts = np.fromiter(map(len, entries), dtype=np.intp, count=len(entries))
        if (counts == 1).all():
            return table
        merged = np.zeros((len(entries), table.shape[1]), dtype=np.float32)
        if len(table):
            starts = (np.cumsum(counts) - counts)[counts > 0]
            merged[counts > 0] = np.add.reduceat(table, starts, axis=0)
        for place in np.flatnonzero(counts > 1).tolist():
            rows = np.array(entries[place])
            merged[place] /= np.sqrt(
                max(self.space.cosines(rows, rows).sum(dtype=np.float64), np.finfo(np.float32).eps)
            )
        return merged


def _flat(entries: Sequence[Parts]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.fromiter(chain.from_iterable(entries), dtype=np.intp)
