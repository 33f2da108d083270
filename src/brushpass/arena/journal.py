"""The run folder: an append-only `games.jsonl` and its `manifest.json`, resumable after any kill."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import ClassVar, Self

from brushpass.errors import BrushpassError, CorruptData, InvalidSetup, Suspended
from brushpass.registry import cut

GAMES = "games.jsonl"
MANIFEST = "manifest.json"
SCHEMA = 1
SYNC_SECONDS = 5.0
LONGEST_VALUE = 160
"""Characters of an argument in a message."""

_DRAFT = f".{MANIFEST}.new"
_OPENING = b'{"schema":'
_ID = re.compile(rb'\{"schema":\d+,"id":"([^"\\\x00-\x1f]+)"[,}]')


class CannotWrite(BrushpassError):
    """A run folder that cannot be written: no permission, no space, another run at work."""

    exit_code: ClassVar[int] = 3


class Journal:
    """A run folder open for writing. Use as a context manager; `done` holds the ids already played.

    A run that was begun and cannot play at all, as an agent of it cannot start, leaves no folder behind.
    """

    def __init__(self, folder: Path, file: int, done: frozenset[str], size: int, made: Sequence[Path] = ()) -> None:
        self.folder = folder
        self.done = done
        self._file = file
        self._size = size
        self._made = made
        """What was not there before and can go again, until a record is written."""
        self._synced = monotonic()

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        equal: Mapping[str, object],
        growing: Mapping[str, int] | None = None,
        free: Mapping[str, object] | None = None,
        about: Mapping[str, object] | None = None,
        resume: bool = False,
    ) -> Journal:
        """Begin a run in `folder`, or go on with the one that lies there.

        The arguments of a run are `equal` (the same in every sitting), `growing` (numbers that may only
        become larger) and `free` (worker count and the like); `about` is provenance, kept but never
        compared. All must be plain JSON values.

        Raises:
            InvalidSetup: the folder is not empty and `resume` is false, or the run there had other arguments.
            CorruptData: what lies there is no run folder of this schema, or a line of it is damaged.
            CannotWrite: the folder cannot be made or written, or another run is writing it.
        """
        folder = Path(folder)
        if folder.exists() and not folder.is_dir():
            raise InvalidSetup(f"{folder} is no folder; choose another --out")
        parts = [folder / _DRAFT, folder / MANIFEST, folder / GAMES, *([] if folder.exists() else [folder])]
        made: Sequence[Path] = ()
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not resume and any(folder.iterdir()):
                raise InvalidSetup(f"{folder} is not empty; add --resume to go on or choose another --out")
            strangers = sorted(path.name for path in folder.iterdir() if path.name not in {GAMES, MANIFEST, _DRAFT})
            if strangers and not (folder / MANIFEST).exists():
                raise InvalidSetup(f"{folder} is no run folder: it has {strangers[0]} and no {MANIFEST}")
            file = os.open(folder / GAMES, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        try:
            _check_ordinary(file, folder)
            _lock(file, folder)
            with _writing(folder):
                old = _read_manifest(folder)
                made = parts if old is None else ()
                arguments = {**equal, **(growing or {}), **(free or {})}
                new = json.loads(json.dumps({"schema": SCHEMA, "arguments": arguments, **(about or {})}))
                if old is not None:
                    _compare(folder, old["arguments"], new["arguments"], set(growing or ()), set(free or ()))
                if new != old:
                    _write_manifest(folder, new)
                done, size = _recover(folder / GAMES, file)
        except BaseException:
            _withdraw(made, file)
            raise
        return cls(folder, file, done, size, made)

    def append(self, text: bytes) -> None:
        """Add whole lines: they are with the system when this returns, and on the disk within seconds.

        Raises:
            CannotWrite: the disk is full or gone; the lines before these stay whole.
        """
        self._made = ()
        try:
            rest = memoryview(text)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise _cannot_write(self.folder, error, "make room there and go on with --resume") from error
        self._size += len(text)
        if monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Have the system put everything on the disk."""
        with _writing(self.folder):
            os.fsync(self._file)
        self._synced = monotonic()

    def close(self) -> None:
        """Sync, and let others write the folder."""
        if self._file >= 0:
            try:
                self.sync()
            finally:
                os.close(self._file)
                self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._made and isinstance(error, BrushpassError) and not isinstance(error, Suspended):
            _withdraw(self._made, self._file)
            self._file = -1
        self.close()


def _withdraw(made: Sequence[Path], file: int) -> None:
    """Remove files, and then the folder, that were made for nothing, and close `file`: the lock is kept until then."""
    if sys.platform == "win32":  # without a lock; and there an open file cannot be removed
        os.close(file)
    with contextlib.suppress(OSError):
        for path in made:
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
    if sys.platform != "win32":
        os.close(file)


def _cannot_write(folder: Path, error: OSError, remedy: str = "mend that or choose another --out") -> CannotWrite:
    return CannotWrite(f"cannot write {folder}: {error.strerror or error}; {remedy}")


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """The system's refusals in one clear line."""
    try:
        yield
    except OSError as error:
        raise _cannot_write(folder, error) from error


def _check_ordinary(file: int, folder: Path) -> None:
    """Refuse a pipe or a device: it may have no end."""
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise CorruptData(f"{folder / GAMES} is no ordinary file; choose another --out")


def _lock(file: int, folder: Path) -> None:
    """Keep other runs out; the lock ends with the process, however it ends."""
    if sys.platform == "win32":
        return  # no flock there: two runs in one folder are the user's own care
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        alone = os.path.samestat(os.fstat(file), (folder / GAMES).stat())
    except (BlockingIOError, FileNotFoundError):
        alone = False
    except OSError:
        return  # a file system without locks
    if not alone:
        raise CannotWrite(f"another run is writing {folder}; wait for it or choose another --out")


def _read_manifest(folder: Path) -> dict[str, dict[str, object]] | None:
    """The manifest of the run in the folder, None if none has begun."""
    path = folder / MANIFEST
    if not path.exists():
        if (folder / GAMES).stat().st_size:
            raise CorruptData(f"{folder} has {GAMES} but no {MANIFEST}; choose another --out")
        return None
    try:
        manifest = json.loads(path.read_bytes())
    except ValueError as error:
        raise CorruptData(f"{path} is not JSON: {error}") from error
    schema = manifest.get("schema") if isinstance(manifest, dict) else None
    if schema != SCHEMA:
        raise CorruptData(f"{path} has schema {schema!r}, this version reads {SCHEMA}; choose another --out")
    if not isinstance(manifest.get("arguments"), dict):
        raise CorruptData(f"{path} names no arguments; choose another --out")
    return manifest  # type: ignore[no-any-return]  # checked just above as far as it is read


def _write_manifest(folder: Path, manifest: Mapping[str, object]) -> None:
    draft = folder / _DRAFT
    with draft.open("w", encoding="utf-8") as file:
        json.dump(manifest, file, ensure_ascii=False, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / MANIFEST)


def _compare(
    folder: Path, old: Mapping[str, object], new: Mapping[str, object], growing: set[str], free: set[str]
) -> None:
    """Refuse to resume a run of other arguments, naming the first that differs."""
    for name in dict.fromkeys((*new, *old)):
        was, now = old.get(name), new.get(name)
        if name in free:
            continue
        grown = name in growing and isinstance(was, int) and isinstance(now, int) and now >= was
        if was != now and not grown:
            was, now = _first_unlike(was, now)
            but = "it may only become larger" if name in growing else "resume with equal arguments"
            raise InvalidSetup(f"{folder} was made with {name}={was}, not {now}; {but} or choose another --out")


def _first_unlike(was: object, now: object) -> tuple[str, str]:
    """Two values as text; of lists of equal length only the first elements that differ."""
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return _first_unlike(*next((a, b) for a, b in zip(was, now, strict=True) if a != b))
    return cut(repr(was), LONGEST_VALUE), cut(repr(now), LONGEST_VALUE)


def _recover(path: Path, file: int) -> tuple[frozenset[str], int]:
    """The ids of the finished games and the size of the file, its torn end mended."""
    done: set[str] = set()
    size = 0
    torn = b""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                torn = line
                break
            size += len(line)
            if not line.strip():
                continue
            name = read_id(line)
            if name is None:
                raise CorruptData(f"{path} line {number} is not a game record; mend it or choose another --out")
            if name in done:
                raise CorruptData(f"{path} line {number} repeats game {name!r}; remove one or choose another --out")
            done.add(name)
    name = read_id(torn) if torn else None
    if name is not None and name not in done:
        os.write(file, b"\n")
        done.add(name)
        size += len(torn) + 1
    elif torn:
        os.ftruncate(file, size)
    return frozenset(done), size


def read_id(line: bytes) -> str | None:
    """The id of a record, None if it is none.

    Our own compact form is recognised by its beginning, its end, and by holding one record only (two lines
    run into one by a crash would have two openings); anything else is parsed.
    """
    found = _ID.match(line)
    if found and line.endswith(b"}\n") and line.count(_OPENING) == 1 and b"\x00" not in line:
        with contextlib.suppress(UnicodeDecodeError):
            return found[1].decode()
    try:
        record = json.loads(line)
    except ValueError:
        return None
    name = record.get("id") if isinstance(record, dict) else None
    return name if isinstance(name, str) else None
