"""The recipes of the minds that blend vectors with the norm: `default` and `plain` (the same without MiniLM)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from brushpass.lexicon.wordlists import read_entries
from brushpass.semantics.build import glove, minilm
from brushpass.semantics.build.cleaning import clean, reduce, unit
from brushpass.semantics.build.understood import understood
from brushpass.semantics.build.wordnet import neighbours
from brushpass.semantics.space import Floats, Space

GLOVE_WEIGHT: Final = 0.75**0.5
NEIGHBOURS: Final = 0.4
"""How much of what WordNet says of a word is added to its own vector."""
DIM: Final = 256


def default(source: Path | None, named: Path) -> Space:
    """MiniLM and GloVe side by side, each word drawn towards its WordNet neighbours, in 256 dimensions.

    The words are those any mind should understand, then those of the list `named`.
    """
    words = _words(named)
    own = clean(minilm.encode(words), minilm.COMPONENTS)
    return _space(words, unit(np.hstack([own, GLOVE_WEIGHT * _glove(source, words)])), DIM)


def plain(source: Path | None, named: Path) -> Space:
    """GloVe, each word drawn towards its WordNet neighbours; of the same words those it has."""
    words = [word for word in _words(named) if word in glove.read(source)]
    return _space(words, _glove(source, words), None)


def _space(words: list[str], vectors: Floats, dim: int | None) -> Space:
    drawn = unit(vectors + NEIGHBOURS * neighbours(words, vectors))
    return Space.from_vectors(words, drawn if dim is None else reduce(drawn, dim))


def _words(named: Path) -> list[str]:
    return list(dict.fromkeys((*understood(), *read_entries(named)[1])))


def _glove(source: Path | None, words: list[str]) -> Floats:
    """Clean GloVe vectors (n, 100); zero rows for words it lacks."""
    raw = glove.read(source)
    known = [place for place, word in enumerate(words) if word in raw]
    vectors = np.zeros((len(words), glove.DIM), np.float32)
    table = np.array([raw[words[place]][: glove.DIM] for place in known], np.float32)
    vectors[known] = clean(table, glove.COMPONENTS)
    return vectors
