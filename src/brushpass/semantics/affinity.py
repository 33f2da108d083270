"""Affinity: how near every clue word of a vocabulary is to every card, as one table.

The table is what the bots' hot loop reads. That of a whole word list is made once and kept in the user's cache,
mapped read-only, so that all workers share its pages; that of one board takes milliseconds and is not kept.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from brushpass import paths
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.atomic import replacing
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Floats

PAD = 16
"""Rows are as long as a multiple of this many numbers (64 bytes), the rest zeros."""
FORMAT = 1
"""Of kept tables; raised when new ones would differ from those already kept."""

_log = logging.getLogger(__name__)


def make_table(mind: Mind, vocabulary: Vocabulary, words: Sequence[str]) -> Floats:
    """Raw scores (len(words), V padded to a multiple of `PAD`), float32, C-contiguous; 0 for unknown words."""
    table = np.zeros(_shape(vocabulary, words), dtype=np.float32)
    table[:, : len(vocabulary)] = mind.scores(words, vocabulary.words)
    return table


def score_table(mind: Mind, vocabulary: Vocabulary, words: Sequence[str]) -> Floats:
    """`make_table`, kept in the user's cache and mapped from there, read-only.

    Safe when several processes make it at once; made anew if the kept one is damaged, and simply made in memory
    where the cache cannot be written.
    """
    shape = _shape(vocabulary, words)
    key = f"{FORMAT}\n{mind.sha256}\n{vocabulary.sha256}\n" + "\n".join(words)
    path = paths.user_cache() / "affinity" / f"{hashlib.sha256(key.encode()).hexdigest()}.npy"
    try:
        return _mapped(path, shape)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        _log.warning("making the score table %s again: %s", path, error)
    table = make_table(mind, vocabulary, words)
    table.flags.writeable = False
    try:
        with replacing(path) as file:
            np.save(file, table, allow_pickle=False)
        return _mapped(path, shape)
    except (OSError, ValueError) as error:
        _log.warning("cannot keep the score table in %s: %s", path.parent, error)
        return table


def _shape(vocabulary: Vocabulary, words: Sequence[str]) -> tuple[int, int]:
    return len(words), -(-len(vocabulary) // PAD) * PAD


def _mapped(path: Path, shape: tuple[int, int]) -> Floats:
    table = np.load(path, mmap_mode="r", allow_pickle=False)
    if table.shape != shape or table.dtype != np.float32 or not table.flags.c_contiguous:
        raise ValueError(f"it holds {table.dtype} {table.shape}")
    return np.asarray(table)
