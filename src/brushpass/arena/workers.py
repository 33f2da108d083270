"""Worker processes of our own: a worker that dies or hangs costs one game, never the run."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import connection, resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from time import monotonic
from typing import Any, NamedTuple

from brushpass.arena.chunks import MOST_JOBS, Backlog, Batch, Batches, failure, play_chunk
from brushpass.arena.executors import WorkersLost, as_portable
from brushpass.arena.jobs import Game, Job, warm
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
GROUP_DEATHS = 10
"""So many workers lost in a row to games of one group, and the rest of the group is given up."""
IDLE_DEATHS = 3
"""So many workers in a row lost outside of games, and the run ends."""
IDLE = -1
GLANCE_SECONDS = 0.5
FAREWELL_SECONDS = 5.0

_spawn = multiprocessing.get_context("spawn")


class LocalWorkers:
    """Plays in `workers` processes of this machine (an `Engine`).

    A game that kills its worker twice, or runs longer than `limit` seconds, is recorded as failed; the rest of
    its chunk is played elsewhere, and a new worker takes the place.
    """

    def __init__(self, workers: int, *, limit: float | None = None) -> None:
        if workers < 1:
            raise InvalidSetup(f"{workers} workers can play nothing; use 1 or more")
        self._count = workers
        self._limit = limit

    def play(
        self, game: Game, jobs: Iterator[Job], *, expected: int | None = None, ready: Callable[[], None]
    ) -> Batches:
        """See `Engine.play`."""
        crew = _Crew(game, Backlog(jobs, self._count, expected), self._count, self._limit)
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

    def __init__(self, game: Game, backlog: Backlog, count: int, limit: float | None) -> None:
        self._game = game
        self._payload = pickle.dumps(game)
        self._backlog = backlog
        self._count = count
        self._limit = limit
        self._workers: list[_Worker] = []
        self._group_deaths: Counter[str] = Counter()
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
        for worker in self._workers:
            worker.end(FAREWELL_SECONDS)

    def kill(self) -> None:
        """Stop everything now."""
        for worker in self._workers:
            worker.end(0)

    def _fill(self) -> None:
        while len(self._workers) < self._count and self._backlog:
            self._workers.append(_Worker(self._payload))

    def _hand_out(self) -> Batches:
        """Give every worker a chunk, and one to go on with; jobs of groups given up are recorded as failed."""
        for depth in range(2 if self._backlog.brisk else 1):
            for worker in self._workers:
                while worker.ready and len(worker.chunks) <= depth and (chunk := self._backlog.take()):
                    hopeless = [job for job in chunk if self._hopeless(job)] if self._group_deaths else []
                    if hopeless:
                        reason = f"given up: games of its group lost {GROUP_DEATHS} workers in a row"
                        yield failure(self._game, hopeless, reason)
                        chunk = [job for job in chunk if not self._hopeless(job)]
                    if chunk:
                        worker.give(chunk)

    def _hopeless(self, job: Job) -> bool:
        return self._group_deaths[job.group] >= GROUP_DEATHS

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
            elif self._limit is not None and (spot := worker.overdue(self._limit)):
                news += self._bury(worker, spot, f"it took longer than {self._limit:g} seconds")
        return news

    def _book(self, worker: _Worker, batch: Batch) -> None:
        """A chunk came back: what was not begun goes to the backlog."""
        _, chunk = worker.chunks.popleft()
        self._backlog.give_back(chunk[batch.played :])
        self._backlog.learn(batch)
        self._idle_deaths = 0
        self._absolve(chunk[: batch.played])

    def _bury(self, worker: _Worker, spot: Spot | None, reason: str | None = None) -> list[Batch]:
        """A worker is lost, in the game at `spot`; all it had goes to the backlog.

        The game itself is tried once more, as the worker may have been killed for no fault of the game: a second
        time, or with a `reason` against it, it is recorded as failed.
        """
        self._workers.remove(worker)
        cause = worker.end(0 if reason else 1)
        culprit: Job | None = None
        for number, chunk in reversed(worker.chunks):
            if spot and number == spot.number:
                self._absolve(chunk[: spot.place])
                culprit = chunk[spot.place]
                if reason or culprit.id in self._suspects:
                    del chunk[spot.place]
            self._backlog.give_back(chunk)
        if culprit is None:
            self._idle_deaths += 1
            if self._idle_deaths >= IDLE_DEATHS:
                raise WorkersLost(f"{IDLE_DEATHS} workers in a row were lost outside of games; of the last, {cause}")
            return []
        self._group_deaths[culprit.group] += 1
        if not reason and culprit.id not in self._suspects:
            self._suspects.add(culprit.id)
            return []
        return [failure(self._game, [culprit], reason or f"lost its worker twice; {cause}")]

    def _absolve(self, played: list[Job]) -> None:
        if self._group_deaths:
            for group in {job.group for job in played}:
                del self._group_deaths[group]


class Spot(NamedTuple):
    """Where a worker is: the number of a chunk, the place of a job in it."""

    number: int
    place: int


class _Worker:
    """A worker process as its parent sees it. `chunks` are those given and not back yet, numbered."""

    def __init__(self, payload: bytes) -> None:
        self.ready = False
        self.chunks: deque[tuple[int, list[Job]]] = deque()
        self._given = 0
        self._slot: Any = _spawn.RawValue("q", IDLE)
        self._seen: Spot | None = None
        self._since = 0.0
        self.link, theirs = _spawn.Pipe()
        self._process = _spawn.Process(target=_work, args=(theirs, self._slot, payload), daemon=True)
        with _one_thread(), _deaf_to_interrupts():
            self._process.start()
        theirs.close()

    @property
    def spot(self) -> Spot | None:
        """The game it is in, None between games."""
        value = int(self._slot.value)
        return None if value == IDLE else Spot(*divmod(value, MOST_JOBS))

    def alive(self) -> bool:
        return self._process.is_alive()

    def give(self, chunk: list[Job]) -> None:
        """Hand out a chunk."""
        self.chunks.append((self._given, chunk))
        self._send((self._given, chunk))
        self._given += 1

    def dismiss(self) -> None:
        """Let it go home when its chunks are played."""
        self._send(None)

    def _send(self, message: object) -> None:
        with contextlib.suppress(OSError):  # that it is dead shows when it is heard
            self.link.send(message)

    def overdue(self, limit: float) -> Spot | None:
        """The game that has run too long, if one has."""
        now, spot = monotonic(), self.spot
        if spot != self._seen:
            self._seen, self._since = spot, now
        return spot if spot and now - self._since > limit else None

    def end(self, patience: float) -> str:
        """Wait so many seconds for it to end, then kill it and what it started; returns how it ended."""
        if patience:
            self._process.join(patience)
        code = self._process.exitcode
        if self._process.pid and sys.platform != "win32":
            with contextlib.suppress(OSError):  # it has no group yet, or none any more
                os.killpg(self._process.pid, signal.SIGKILL)
        if code is None:
            self._process.kill()
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
    """Hold Ctrl-C back, so that a process started here does not meet it before it can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # when it starts by itself, it undoes the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(link: Connection, slot: Any, payload: bytes) -> None:  # noqa: ANN401  # ctypes values have no type to name
    """The life of a worker: warm the game, then play chunks until told to go home."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.setpgid(0, 0)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # the parent's stdout is for its result alone
    inbox: SimpleQueue[tuple[int, list[Job]] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(link, inbox), daemon=True).start()
    try:
        game: Game = pickle.loads(payload)  # noqa: S301  # made by our own parent
        warm(game)
        gc.freeze()  # what is loaded stays: the collector need not look at it again
        link.send(None)
        while (order := inbox.get()) is not None:
            number, jobs = order
            batch = play_chunk(game, jobs, partial(_note, slot, number))
            slot.value = IDLE
            link.send(batch)
    except Exception as error:  # noqa: BLE001  # whatever it is, the parent must hear of it
        slot.value = IDLE
        with contextlib.suppress(OSError):
            link.send(as_portable(error))


def _note(slot: Any, number: int, place: int) -> None:  # noqa: ANN401  # as above
    slot.value = number * MOST_JOBS + place


def _listen(link: Connection, inbox: SimpleQueue[tuple[int, list[Job]] | None]) -> None:
    """Take chunks in while games are played, so that none is waited for; end at once when the parent ends."""
    order: tuple[int, list[Job]] | None = (0, [])
    while order is not None:
        try:
            order = link.recv()
        except (EOFError, OSError):
            if sys.platform != "win32":
                os.killpg(os.getpid(), signal.SIGKILL)
            os._exit(1)
        inbox.put(order)
