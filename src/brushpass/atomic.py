"""Files written whole or not at all, whoever else writes them at the same time."""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from brushpass import __version__, paths


def file_sha256(path: Path) -> str:
    """The hash of a file's bytes.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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


def write_durably(path: Path, text: str) -> None:
    """Write `text` to `path`, whole or not at all; when this returns it is on the disk.

    Raises:
        OSError: it cannot be written; what `path` held is still there.
    """
    try:
        with replacing(path) as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def locked(path: Path, patience: float) -> Iterator[None]:
    """Keep other writers of `path` out, by a lock on a file beside it; it ends with the process, however it ends.

    Args:
        path: what is to be read, changed and written.
        patience: seconds to wait for another program that is writing it.

    Raises:
        TimeoutError: it did not finish.
        OSError: the folder cannot be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    deadline = monotonic() + patience
    with path.with_name(f"{path.name}.lock").open("a") as lock:
        while not _try_lock(lock):
            if monotonic() > deadline:
                raise TimeoutError(errno.ETIMEDOUT, "another program is writing it; try again", str(path))
            sleep(0.02)
        yield


def _try_lock(file: IO[str]) -> bool:
    """Whether the lock is ours now, or the file system has none."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
    return True


def kept(folder: str, key: str, make: Callable[[], str]) -> str:
    """The text that `make` gives for `key`: made once, then read from `folder` in the user's cache.

    Every version keeps its own. Where the cache cannot be read or written, the text is simply made.
    """
    name = hashlib.sha256(f"{__version__}\n{key}".encode(errors="surrogatepass")).hexdigest()
    path = paths.user_cache() / folder / name
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    text = make()
    with suppress(OSError), replacing(path) as file:
        file.write(text.encode(errors="surrogatepass"))
    return text
