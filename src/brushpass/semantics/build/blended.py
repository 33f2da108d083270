"""The recipes of the minds that blend vectors with the norm: `default` and `plain` (the same without MiniLM)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from brushpass.semantics.build import glove, minilm
from brushpass.semantics.build.cleaning import clean, reduce, unit
from brushpass.semantics.build.understood import understood
from brushpass.semantics.build.wordnet import neighbours
from brushpass.semantics.norm import STRENGTHS, Norm
from brushpass.semantics.space import Floats, Space

GLOVE_WEIGHT: Final = 0.75**0.5
NEIGHBOURS: Final = 0.4
"""How much of what WordNet says of a word is added to its own vector."""
DIM: Final = 256


def default(source: Path | None, norm: Norm) -> Space:
    """MiniLM and GloVe side by side, each word drawn towards its WordNet neighbours, in 256 dimensions."""
    words = _words(norm)
    own = clean(minilm.encode(words), minilm.COMPONENTS)
    return _space(words, unit(np.hstack([own, GLOVE_WEIGHT * _glove(source, words)])), DIM)


def plain(source: Path | None, norm: Norm) -> Space:
    """GloVe, each word drawn towards its WordNet neighbours."""
    words = [word for word in _words(norm) if word in glove.read(source)]
    return _space(words, _glove(source, words), None)


def _space(words: list[str], vectors: Floats, dim: int | None) -> Space:
    drawn = unit(vectors + NEIGHBOURS * neighbours(words, vectors))
    return Space.from_vectors(words, drawn if dim is None else reduce(drawn, dim))


def _words(norm: Norm) -> list[str]:
    """What any mind should understand, then the cards and associates of the norm."""
    words = dict.fromkeys(understood())
    for card in norm.cards():
        listed = norm.of(card) or ()
        for word in (card, *(word for strength in range(STRENGTHS) for word in listed[strength])):
            if word.isalpha():
                words.setdefault(word)
    return list(words)


def _glove(source: Path | None, words: list[str]) -> Floats:
    """Clean GloVe vectors (n, 100); zero rows for words it lacks."""
    raw = glove.read(source)
    known = [place for place, word in enumerate(words) if word in raw]
    vectors = np.zeros((len(words), glove.DIM), np.float32)
    table = np.array([raw[words[place]][: glove.DIM] for place in known], np.float32)
    vectors[known] = clean(table, glove.COMPONENTS)
    return vectors
