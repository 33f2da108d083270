"""Vector files of other programs, as spaces.

The open formats are read by `vectorfile`, gensim's own pickles by gensim and only for a caller that trusts them.
Vectors are made unit length and otherwise taken as they are; of words that are equal or fold alike the first, most
frequent one stays, and zero vectors, which point nowhere, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold
from brushpass.semantics.space import Precision, Space
from brushpass.semantics.vectorfile import Block, Progress, read_blocks, starts_with

PRECISION: Precision = "float16"
_PICKLE = b"\x80"


def sources(path: Path, *, trust_pickle: bool = False) -> list[Path]:
    """The files a vector file consists of: gensim keeps the large arrays of a pickle beside it.

    Raises:
        CorruptData: the file is a pickle that is not trusted.
        OSError: the file cannot be read.
    """
    if not starts_with(path, _PICKLE):
        return [path]
    if not trust_pickle:
        raise CorruptData(
            f"{path} is a pickle (gensim's .kv), which can run code when it is opened; "
            "if you trust its maker: brushpass models import --trust-pickle; or save it in word2vec format"
        )
    return [path, *sorted(part for part in path.parent.iterdir() if part.name.startswith(f"{path.name}."))]


def read_vectors(
    path: Path,
    *,
    max_words: int | None = None,
    trust_pickle: bool = False,
    precision: Precision = PRECISION,
    on_progress: Progress | None = None,
) -> Space:
    """The space in a vector file, or in its first `max_words` words.

    It takes the memory of the finished space and its words, and little more; a pickle takes what gensim needs.

    Raises:
        CorruptData: the file is malformed, is no vector file, or is a pickle that is not trusted.
    """
    sources(path, trust_pickle=trust_pickle)  # which refuses what is not trusted
    blocks: Iterable[Block]
    if starts_with(path, _PICKLE):
        blocks = [_read_pickle(path, max_words)]
    else:
        blocks = read_blocks(path, max_words=max_words, on_progress=on_progress)
    return gathered(path, blocks, precision)


def gathered(path: Path, blocks: Iterable[Block], precision: Precision) -> Space:
    """The space of all `blocks`, which come from `path`.

    Raises:
        CorruptData: a vector with NaN or infinity, or no word with a vector other than zero.
    """
    seen: set[str] = set()
    parts: list[Space] = []
    for words, vectors in blocks:
        rows: dict[str, int] = {}
        points = np.asarray(vectors.astype(bool).any(axis=1))
        for row, word in enumerate(map(fold, words)):
            if word and word not in seen and points[row]:
                seen.add(word)
                rows[word] = row
        if rows:
            parts.append(_part(path, list(rows), vectors[list(rows.values())], precision))
    if not parts:
        raise CorruptData(f"{path} has no word with a vector other than zero")
    return Space.joined(parts)


def _part(path: Path, words: list[str], vectors: np.ndarray, precision: Precision) -> Space:
    try:
        return Space.from_vectors(words, vectors, precision)
    except CorruptData as error:
        raise CorruptData(f"{path}: {error}") from error


def _read_pickle(path: Path, max_words: int | None) -> Block:
    from gensim.models import KeyedVectors

    try:
        loaded = KeyedVectors.load(str(path))
        keyed = getattr(loaded, "wv", loaded)
        words, vectors = [str(word) for word in keyed.index_to_key], np.asarray(keyed.vectors, dtype=np.float32)
    except Exception as error:
        raise CorruptData(f"cannot read {path} as gensim vectors: {error}") from error
    if vectors.ndim != 2 or len(words) != len(vectors):
        raise CorruptData(f"{path} has {len(words)} words and vectors of shape {vectors.shape}")
    return words[:max_words], vectors[:max_words]
