"""A worker process from within: it plays chunks, and must outlive neither its parent nor any trick of an agent."""

from __future__ import annotations

import contextlib
import gc
import io
import mmap
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from functools import partial
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, NamedTuple

from brushpass.arena.chunks import MOST_JOBS, Batch, play_chunk
from brushpass.arena.executors import WorkersLost, as_portable
from brushpass.arena.jobs import Game, Job, warm
from brushpass.arena.pulse import pulse

IDLE = -1
SPARE = 1 << 26
"""A worker that has fewer bytes of its memory left plays no other game."""
SELDOM = 50_000
"""So many new objects before the collector looks for circles: games make few."""

Order = tuple[int, list[Job]]
"""A chunk with its number."""


class Spot(NamedTuple):
    """Where a worker is: the number of a chunk, the place of a job in it."""

    number: int
    place: int

    @classmethod
    def read(cls, value: int) -> Spot | None:
        """The spot of that number; None between games."""
        return None if value == IDLE else cls(*divmod(value, MOST_JOBS))


def work(link: Connection, slot: Any, payload: bytes, memory: int) -> None:  # noqa: ANN401  # ctypes arrays have no type to name
    """The life of a worker: warm the game, then play chunks until told to go home.

    `slot` is shared with the parent: the value of the `Spot`, and how many signs of life there were. `memory` is how
    many bytes of its own the process may take.
    """
    board = slot

    def alone() -> None:
        """In a child of ours, the guard or an agent's: it must not speak for us."""
        nonlocal board
        board = [IDLE, 0]
        link.close()

    if sys.platform != "win32":
        os.register_at_fork(after_in_child=alone)
    _settle_in(memory)
    inbox: SimpleQueue[Order | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(link, inbox), daemon=True).start()

    def note(number: int, place: int) -> None:
        board[0] = number * MOST_JOBS + place

    def hear() -> None:
        board[1] += 1

    ours = _file_of(link)

    def fit() -> bool:
        return _has_room() and _file_of(link) == ours

    pulse.hear = hear
    try:
        game: Game = pickle.loads(payload)  # noqa: S301  # made by our own parent
        _warm(game, memory)
        gc.freeze()  # what is loaded stays: the collector need not look at it again
        gc.set_threshold(SELDOM)
        link.send(None)
        while (order := inbox.get()) is not None:
            number, jobs = order
            batch = play_chunk(game, jobs, partial(note, number), fit, faults=BaseException)
            if _file_of(link) != ours or not _sent(link, batch):
                os._exit(1)  # an agent has seen to that: its game stands on the board
            board[0] = IDLE
            if not _has_room():
                return  # another game would suffer; a new worker takes our place
    except BaseException as error:  # noqa: BLE001  # whatever it is, the parent must hear of it
        board[0] = IDLE
        with contextlib.suppress(OSError):
            link.send(as_portable(error))


def _settle_in(memory: int) -> None:
    """Become a process that agents can do little harm from."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    outlet = io.BufferedWriter(_Outlet(os.dup(2)))  # the parent's stdout is for its result alone
    sys.stdout = sys.stderr = _Open(outlet, encoding="utf-8", errors="replace", write_through=True, line_buffering=True)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    if sys.platform == "win32":
        return
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.setpgid(0, 0)
    if os.fork() == 0:
        _guard()
    if sys.platform == "linux":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (memory if most < 0 else min(memory, most), most))


def _guard() -> None:
    """The life of our guard: when the parent ends, end all that is left of us, whatever holds us up."""
    if parent := multiprocessing.parent_process():
        wait([parent.sentinel])
    os.killpg(0, signal.SIGKILL)


def _warm(game: Game, memory: int) -> None:
    """Warm the game within our memory; raises WorkersLost if that fills it."""
    full = f"the agents of a worker take more memory than its share, {memory >> 20} MB: use fewer --workers"
    try:
        warm(game)
    except MemoryError as error:
        raise WorkersLost(full) from error
    if not _has_room():
        raise WorkersLost(full)


def _file_of(link: Connection) -> tuple[int, int] | None:
    """Which file the link is; None if it is closed, and on Windows, where it is none."""
    if sys.platform == "win32":
        return None
    try:
        stat = os.fstat(link.fileno())
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _sent(link: Connection, batch: Batch) -> bool:
    """Whether the batch could be sent."""
    with contextlib.suppress(Exception):
        link.send(batch)
        return True
    return False


def _has_room() -> bool:
    """Whether this process may take some more memory; asked before every game, and answered in microseconds."""
    try:
        mmap.mmap(-1, SPARE, access=mmap.ACCESS_COPY).close()
    except OSError:
        return False
    return True


class _Outlet(io.RawIOBase):
    """Our stderr for agents to write to: when nobody reads it any more, nothing happens."""

    def __init__(self, file: int) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:  # noqa: ANN401  # any buffer
        with contextlib.suppress(OSError):
            os.write(self._file, data)
        return len(data)


class _Open(io.TextIOWrapper):
    """A stream that agents cannot close."""

    def close(self) -> None:
        """Stay open."""


def _listen(link: Connection, inbox: SimpleQueue[Order | None]) -> None:
    """Take chunks in while games are played, so that none is waited for; end at once when the parent ends."""
    order: Order | None = (0, [])
    while order is not None:
        try:
            order = link.recv()
        except (EOFError, OSError):
            os._exit(1)
        inbox.put(order)
