"""Files written whole or not at all, whoever else writes them at the same time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from brushpass import __version__, paths


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` when the block ends well, and vanishes when it does not.

    Raises:
        OSError: the folder cannot be made or written.
    """
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        Path(draft).chmod(0o644)  # mkstemp's files are the maker's alone
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def kept(folder: str, key: str, make: Callable[[], str]) -> str:
    """The text that `make` gives for `key`: made once, then read from `folder` in the user's cache.

    Every version keeps its own. Where the cache cannot be read or written, the text is simply made.
    """
    name = hashlib.sha256(f"{__version__}\n{key}".encode()).hexdigest()
    path = paths.user_cache() / folder / name
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    text = make()
    with suppress(OSError), replacing(path) as file:
        file.write(text.encode())
    return text
