"""Vector files named by path: our own are opened in place, others are converted once and kept in the user's cache."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

from brushpass import paths
from brushpass.atomic import file_sha256, replacing
from brushpass.errors import CorruptData
from brushpass.semantics.loaders import read_vectors, sources
from brushpass.semantics.space import Space
from brushpass.semantics.vectorfile import starts_with

FORMAT = 1
"""Of kept conversions; raised when new ones would differ from those already kept."""
ZIP = b"PK"
"""What a file in our own format begins with."""

_log = logging.getLogger(__name__)


def open_file(path: Path, *, max_words: int | None = None, trust_pickle: bool = False) -> tuple[Space, str]:
    """The space in any vector file (its first `max_words` words), and the SHA-256 of the file's bytes.

    Raises:
        CorruptData: the file is missing or malformed, or is a pickle that is not trusted.
    """
    try:
        if starts_with(path, ZIP):
            return _own(path, max_words), file_sha256(path)
        sha256 = content_hash(sources(path, trust_pickle=trust_pickle))
    except OSError as error:
        raise CorruptData(f"cannot read model {path}: {error.strerror or error}") from error
    kept = _folder() / f"{sha256}-{max_words or 'all'}-{FORMAT}.npz"
    if kept.exists():
        try:
            return Space.open(kept), sha256
        except CorruptData as error:
            _log.warning("converting %s again: %s", path, error)
    _log.info("converting %s, once", path)
    space = read_vectors(path, max_words=max_words, trust_pickle=trust_pickle)
    try:
        space.save(kept)
    except OSError as error:
        _log.warning("cannot keep the converted %s: %s", path, error)
    return space, sha256


def _folder() -> Path:
    return paths.user_cache() / "minds"


def _own(path: Path, max_words: int | None) -> Space:
    space = Space.open(path)
    try:
        space.check()
    except CorruptData as error:
        raise CorruptData(f"{path}: {error}") from error
    return space if max_words is None else space.head(max_words)


def content_hash(files: Sequence[Path]) -> str:
    """SHA-256 of the files' bytes, remembered by path, size and time of change: gigabytes are hashed once."""
    states = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    note = _folder() / f"{hashlib.sha256(repr(states).encode()).hexdigest()}.sha256"
    try:
        return note.read_text(encoding="ascii")
    except (OSError, ValueError):
        pass  # not remembered
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    try:
        with replacing(note) as file:
            file.write(digest.hexdigest().encode())
    except OSError as error:
        _log.warning("cannot remember the hash of %s: %s", files[0], error)
    return digest.hexdigest()
