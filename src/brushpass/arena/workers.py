"""Worker processes of our own: a worker that dies or hangs costs one game, never the run."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import connection, resource_tracker
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from brushpass.arena.blame import Blame
from brushpass.arena.chunks import Backlog, Batch, Batches, failure
from brushpass.arena.executors import GLANCE_SECONDS, START_SECONDS, WorkersLost
from brushpass.arena.jobs import Game, Job
from brushpass.arena.worker import IDLE, Spot, work
from brushpass.errors import InvalidSetup

ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
"""A worker is one thread: the environment variables that say so, read when the libraries are imported."""
IDLE_DEATHS = 3
"""So many workers in a row lost outside of games, and the run ends."""
LEAST_MEMORY = 1 << 30
FAREWELL_SECONDS = 5.0
PATIENT_SECONDS = 0.005

_spawn = multiprocessing.get_context("spawn")


class LocalWorkers:
    """Plays in `workers` processes of this machine (an `Engine`).

    A game that kills its worker twice (without `retry`: once), or gives no sign of life (a beginning, an end, a
    `pulse`) for `limit` seconds, is recorded as failed; the rest of its chunk is played elsewhere, and a new worker
    takes the place. The second time it is the first game of a new worker, so that no other can be to blame. No worker
    gets more than `memory` bytes of its own, by default its share of the machine's (on Linux).
    """

    def __init__(
        self, workers: int, *, limit: float | None = None, memory: int | None = None, retry: bool = True
    ) -> None:
        if workers < 1:
            raise InvalidSetup(f"{workers} workers can play nothing; use 1 or more")
        self._count = workers
        self._limit = limit
        self._memory = memory or _share_of_memory(workers)
        self._retry = retry

    def play(
        self, game: Game, jobs: Iterator[Job], *, expected: int | None = None, ready: Callable[[], None]
    ) -> Batches:
        """See `Engine.play`."""
        backlog = Backlog(jobs, self._count, expected)
        crew = _Crew(game, backlog, self._count, self._limit, self._memory, retry=self._retry)
        try:
            crew.muster()
            ready()
            yield from crew.play()
        except BaseException:
            crew.kill()
            raise
        crew.dismiss()


class _Crew:
    """The workers of one run and what they are doing."""

    def __init__(
        self, game: Game, backlog: Backlog, count: int, limit: float | None, memory: int, *, retry: bool
    ) -> None:
        self._game = game
        self._payload = pickle.dumps(game)
        self._backlog = backlog
        self._count = count
        self._limit = limit
        self._memory = memory
        self._retry = retry
        self._workers: list[_Worker] = []
        self._blame = Blame()
        self._suspects: set[str] = set()
        self._idle_deaths = 0

    def muster(self) -> None:
        """Start the workers and wait until all are warm."""
        self._fill()
        while not all(worker.ready for worker in self._workers):
            self._hear()
            self._fill()

    def play(self) -> Batches:
        """Play the backlog; workers get their next chunks before records are passed on."""
        news: list[Batch] = []
        while True:
            yield from self._hand_out()
            self._fill()
            yield from news
            if not (self._backlog or any(worker.chunks for worker in self._workers)):
                return
            news = self._hear()

    def dismiss(self) -> None:
        """Let every worker go home."""
        for worker in self._workers:
            worker.dismiss()
        latest = monotonic() + FAREWELL_SECONDS
        for worker in self._workers:
            worker.end(latest - monotonic())

    def kill(self) -> None:
        """Stop everything now."""
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.end(0)

    def _fill(self) -> None:
        while len(self._workers) < self._count and self._backlog:
            self._workers.append(_Worker(self._payload, self._memory))

    def _hand_out(self) -> Batches:
        """Give every worker a chunk, and one to go on with; jobs of groups given up are recorded as failed."""
        for depth in range(2 if self._backlog.brisk else 1):
            for worker in list(self._workers):
                while worker.ready and len(worker.chunks) <= depth and (chunk := self._backlog.take()):
                    if worker.used and self._suspects.intersection(job.id for job in chunk):
                        self._postpone(chunk, worker)
                        break
                    chunk, given_up = self._blame.sift(chunk)
                    for job, reason in given_up:
                        yield failure(self._game, [job], reason)
                    if chunk:
                        worker.give(chunk)

    def _postpone(self, chunk: Sequence[Job], worker: _Worker) -> None:
        """Suspects wait for a new worker, which takes the place of this one if it is needed and has nothing to do."""
        for job in chunk:
            self._backlog.postpone(job)
        new = sum(not one.used for one in self._workers)
        if not worker.chunks and new < self._backlog.postponed:
            self._workers.remove(worker)
            worker.end(0)

    def _hear(self) -> list[Batch]:
        """Wait until something happens, or a moment; returns the records of what did."""
        glance = GLANCE_SECONDS if self._limit is None else min(GLANCE_SECONDS, self._limit / 4)
        speaking = connection.wait([worker.link for worker in self._workers], glance)
        news: list[Batch] = []
        for worker in list(self._workers):
            if worker.link in speaking:
                try:
                    message = worker.link.recv()
                except (EOFError, OSError):
                    news += self._bury(worker, worker.spot)
                    continue
                if isinstance(message, BaseException):
                    raise message
                if message is None:
                    worker.ready = True
                else:
                    self._book(worker, message)
                    news.append(message)
            elif not worker.alive():
                news += self._bury(worker, worker.spot)
            elif worker.ready and self._limit is not None and worker.still(glance) > self._limit:
                news += self._bury(worker, worker.spot, f"it gave no sign of life for {self._limit:g} seconds")
            elif not worker.ready and worker.still(glance) > START_SECONDS:
                raise WorkersLost(f"a worker was not ready to play within {START_SECONDS:g} seconds")
        return news

    def _book(self, worker: _Worker, batch: Batch) -> None:
        """A chunk came back: what was not begun goes to the backlog."""
        _, chunk = worker.chunks.popleft()
        self._backlog.give_back(chunk[batch.played :])
        self._backlog.learn(batch)
        worker.proven = True
        self._idle_deaths = 0
        self._blame.played(chunk[: batch.played])

    def _bury(self, worker: _Worker, spot: Spot | None, reason: str | None = None) -> list[Batch]:
        """A worker is lost, in the game at `spot`; all it had goes to the backlog.

        The game itself is tried once more in the end, as the worker may have been killed for no fault of the game: a
        second time, or with a `reason` against it, or without `retry`, it is recorded as failed.
        """
        self._workers.remove(worker)
        self._backlog.shrink()
        cause = worker.end(0 if reason else 1)
        culprit: Job | None = None
        for number, chunk in reversed(worker.chunks):
            if spot and number == spot.number:
                self._blame.played(chunk[: spot.place])
                culprit = chunk.pop(spot.place)
            self._backlog.give_back(chunk)
        if culprit is None:
            self._idle_deaths += not worker.proven
            if self._idle_deaths >= IDLE_DEATHS:
                raise WorkersLost(f"{IDLE_DEATHS} workers in a row were lost outside of games; of the last, {cause}")
            return []
        self._blame.lost(culprit, reason or cause)
        if self._retry and not reason and culprit.id not in self._suspects:
            self._suspects.add(culprit.id)
            self._backlog.postpone(culprit)
            return []
        lost = "lost its worker twice" if self._retry else "lost its worker"
        return [failure(self._game, [culprit], reason or f"{lost}; {cause}")]


class _Worker:
    """A worker process as its parent sees it. `chunks` are those given and not back yet, numbered.

    It is `proven` when a chunk came back: what ends it later, outside of games, an agent may have left behind.
    """

    def __init__(self, payload: bytes, memory: int) -> None:
        self.ready = False
        self.proven = False
        self.chunks: deque[tuple[int, list[Job]]] = deque()
        self._given = 0
        self._slot: Any = _spawn.RawArray("q", [IDLE, 0])
        """The spot, as one number, and how many signs of life it gave."""
        self._seen: tuple[int, ...] = ()
        self._still = 0.0
        self._glanced = monotonic()
        self.link, theirs = _spawn.Pipe()
        self._process = _spawn.Process(target=work, args=(theirs, self._slot, payload, memory), daemon=True)
        with _one_thread(), _deaf_to_interrupts():
            self._process.start()
        theirs.close()

    @property
    def spot(self) -> Spot | None:
        """The game it is in, None between games."""
        return Spot.read(self._slot[0])

    @property
    def used(self) -> bool:
        """Whether it was given a game."""
        return self._given > 0

    def alive(self) -> bool:
        return self._process.is_alive()

    def give(self, chunk: list[Job]) -> None:
        """Hand out a chunk."""
        if not self.chunks:
            self._still = 0.0
        self.chunks.append((self._given, chunk))
        self._send((self._given, chunk))
        self._given += 1

    def dismiss(self) -> None:
        """Let it go home when its chunks are played."""
        self._send(None)

    def _send(self, message: object) -> None:
        with contextlib.suppress(OSError):  # that it is dead shows when it is heard
            self.link.send(message)

    def still(self, glance: float) -> float:
        """For how many seconds it has shown no sign of life, though it has something to do.

        `glance` is how often we look; time in which we did not look does not count.
        """
        now, seen = monotonic(), tuple(self._slot)
        passed = min(now - self._glanced, 2 * glance)
        resting = self.ready and not self.chunks
        self._still = 0.0 if resting or seen != self._seen else self._still + passed
        self._seen, self._glanced = seen, now
        return self._still

    def kill(self) -> None:
        """Have it and what it started end now."""
        if self._process.pid and sys.platform != "win32":
            with contextlib.suppress(OSError):  # it has no group yet, or none any more
                os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.exitcode is None:
            self._process.kill()

    def end(self, patience: float) -> str:
        """Wait so many seconds for it to end, then kill it and what it started; returns how it ended."""
        latest = monotonic() + patience  # not `join`: that would wait for the worker's own children, too
        while (code := self._process.exitcode) is None and monotonic() < latest:
            sleep(PATIENT_SECONDS)
        self.kill()
        if code is None:
            self._process.join()
            code = self._process.exitcode or 0
        self.link.close()
        if code >= 0:
            return f"it ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"it was killed by {name}{' (out of memory?)' if name == 'SIGKILL' else ''}"


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """An environment in which numeric libraries, once imported, use one thread."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back, so that a process started here does not meet it before it can ignore it.

    The mask is what the new process inherits. It does not stop this process, whose other threads may take the signal:
    so it is also noted only, and raised when the process is started.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    Path.cwd()  # raises if that folder is gone: the tracker would complain at length
    resource_tracker.ensure_running()  # when it starts by itself, it undoes the mask
    heard: list[int] = []
    answer = signal.getsignal(signal.SIGINT)
    ours = answer is not None and threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if ours:
            signal.signal(signal.SIGINT, answer)
    if heard:
        signal.raise_signal(signal.SIGINT)


def _share_of_memory(workers: int) -> int:
    """What one of so many workers may take of this machine's memory, in bytes."""
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return LEAST_MEMORY
    return max(LEAST_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // workers)
