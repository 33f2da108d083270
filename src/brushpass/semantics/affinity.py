"""Affinity: how near every clue word of a vocabulary is to every card, as one table.

The table is what the bots' hot loop reads. It is made once and kept in the user's cache, mapped read-only, so that
all workers share its pages; the tables longest unused make room for new ones.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from brushpass import paths
from brushpass.atomic import replacing
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Floats

PAD = 16
"""Rows are as long as a multiple of this many numbers (64 bytes), the rest zeros."""
KEPT_BYTES = 1 << 29
"""How much the kept tables may take; that of 400 words and 10,000 clue words takes 16 MB."""
TRUST = 0.7
"""What the scores of rare clue words are multiplied by: such a word is said only where it is clearly best."""
FORMAT = 6
"""Of kept tables; raised when new ones would differ from those already kept."""

_log = logging.getLogger(__name__)


def make_table(mind: Mind, vocabulary: Vocabulary, words: Sequence[str]) -> Floats:
    """Raw scores (len(words), V padded to a multiple of `PAD`), float32, C-contiguous; 0 for unknown words.

    Those of the vocabulary's rare words are held back (`TRUST`).
    """
    table = np.zeros(_shape(vocabulary, words), dtype=np.float32)
    table[:, : len(vocabulary)] = mind.scores(vocabulary.words, words).T
    table[:, len(vocabulary) - vocabulary.rare : len(vocabulary)] *= np.float32(TRUST)
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
    except (OSError, ValueError, EOFError) as error:
        _log.warning("making the score table %s again: %s", path, error)
    table = make_table(mind, vocabulary, words)
    try:
        with replacing(path) as file:
            np.save(file, table, allow_pickle=False)
        table = _mapped(path, shape)
    except OSError as error:
        _log.warning("cannot keep the score table in %s: %s", path.parent, error)
    with suppress(OSError):
        _make_room(path.parent)
    table.flags.writeable = False
    return table


def _make_room(folder: Path) -> None:
    """Delete the tables longest unused, beyond `KEPT_BYTES` in all; the newest stays."""
    states = {path: path.stat() for path in folder.glob("*.npy")}
    total = 0
    for place, path in enumerate(sorted(states, key=lambda path: -states[path].st_mtime_ns)):
        total += states[path].st_size
        if place and total > KEPT_BYTES:
            path.unlink(missing_ok=True)


def _shape(vocabulary: Vocabulary, words: Sequence[str]) -> tuple[int, int]:
    return len(words), -(-len(vocabulary) // PAD) * PAD


def _mapped(path: Path, shape: tuple[int, int]) -> Floats:
    table = np.load(path, mmap_mode="r", allow_pickle=False)
    with suppress(OSError):
        os.utime(path)  # used just now
    if table.shape != shape or table.dtype != np.float32 or not table.flags.c_contiguous:
        raise ValueError(f"it holds {table.dtype} {table.shape}")
    return np.asarray(table)
