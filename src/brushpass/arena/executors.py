"""Engines: who plays the jobs. Here: this process, or any `concurrent.futures.Executor`."""

from __future__ import annotations

import faulthandler
import hashlib
import os
import pickle
import platform
import threading
import traceback
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from typing import ClassVar, Protocol

from brushpass.arena.chunks import Backlog, Batch, Batches, describe, failure, play_chunk
from brushpass.arena.jobs import Game, Job, warm
from brushpass.errors import BrushpassError

START_SECONDS = 600.0
"""A worker that is not warm by then is stuck."""
GLANCE_SECONDS = 0.5


class WorkersLost(BrushpassError):
    """Workers that cannot start, or that keep dying outside of games."""

    exit_code: ClassVar[int] = 4


class Engine(Protocol):
    """Plays jobs somewhere."""

    def play(
        self, game: Game, jobs: Iterator[Job], *, expected: int | None = None, ready: Callable[[], None]
    ) -> Batches:
        """Play every job exactly once and yield the records as they come, in any order.

        `ready` is called once, when all workers are warm and before the first job; `expected` is about how
        many jobs there are, if known. Closing the iterator stops the workers.

        Raises:
            BrushpassError: `game.warm()` raised it.
            WorkersLost: the workers cannot start, or keep dying outside of games.
        """
        ...


class Serial:
    """Plays in this process, one game after another: for notebooks, debugging and small runs."""

    def play(
        self, game: Game, jobs: Iterator[Job], *, expected: int | None = None, ready: Callable[[], None]
    ) -> Batches:
        """See `Engine.play`."""
        warm(game)
        ready()
        backlog = Backlog(jobs, 1, expected)
        while chunk := backlog.take():
            batch = play_chunk(game, chunk)
            backlog.give_back(chunk[batch.played :])
            backlog.learn(batch)
            yield batch


class Futures:
    """Plays on any `concurrent.futures.Executor`; it stays the caller's to shut down.

    `workers` is how many chunks it can play at once. Every thread of every worker has its own copy of the game.
    `watch` is called now and then while nothing comes back, and may raise; `limit` is how many seconds a game may
    take before it ends the process it is in (None: for ever), so give one only if workers are processes that
    someone starts again.
    """

    def __init__(
        self,
        executor: Executor,
        workers: int,
        *,
        watch: Callable[[], None] | None = None,
        limit: float | None = None,
    ) -> None:
        self._executor = executor
        self._workers = workers
        self._watch = watch
        self._limit = limit

    def play(
        self, game: Game, jobs: Iterator[Job], *, expected: int | None = None, ready: Callable[[], None]
    ) -> Batches:
        """See `Engine.play`."""
        payload = pickle.dumps(game)
        backlog = Backlog(jobs, self._workers, expected)
        pending: dict[Future[Batch], list[Job]] = {}
        halves: list[list[Job]] = []
        news: list[Batch] = []
        try:
            for _ in range(self._workers):
                self._submit(payload, [], pending)
            while pending:
                for future in self._wait(pending):
                    future.result()
                    del pending[future]
            ready()
            while True:
                while len(pending) < 2 * self._workers and (chunk := halves.pop() if halves else backlog.take()):
                    self._submit(payload, chunk, pending)
                yield from news
                if not pending:
                    return
                done = self._wait(pending)
                news = [
                    batch for future in done if (batch := _settle(future, pending.pop(future), game, backlog, halves))
                ]
        except (BrokenExecutor, CancelledError) as error:
            raise WorkersLost(f"the executor broke: {describe(error)}; go on with --resume") from error
        finally:
            for future in pending:
                future.cancel()

    def _submit(self, payload: bytes, chunk: list[Job], pending: dict[Future[Batch], list[Job]]) -> None:
        pending[self._executor.submit(_play_afar, payload, chunk, self._limit)] = chunk

    def _wait(self, pending: Collection[Future[Batch]]) -> set[Future[Batch]]:
        """Those that are done, once there are some."""
        while not (done := wait(pending, GLANCE_SECONDS, FIRST_COMPLETED).done):
            if self._watch is not None:
                self._watch()
        return done


def _settle(
    future: Future[Batch], chunk: list[Job], game: Game, backlog: Backlog, halves: list[list[Job]]
) -> Batch | None:
    """What came of a chunk: its records, or None if it was lost with its worker and is tried again in halves."""
    try:
        batch = future.result()
    except (BrushpassError, BrokenExecutor, CancelledError):
        raise
    except Exception as error:  # noqa: BLE001  # a cluster's own failures have no common class
        if len(chunk) == 1:
            return failure(game, chunk, f"its worker was lost: {describe(error)}")
        middle = len(chunk) // 2
        halves += [chunk[:middle], chunk[middle:]]
        return None
    backlog.give_back(chunk[batch.played :])
    backlog.learn(batch)
    return batch


class _Own(threading.local):
    """The game a thread of a worker holds, warm."""

    def __init__(self) -> None:
        self.digest = b""
        self.game: Game | None = None


_own = _Own()


def _play_afar(payload: bytes, jobs: list[Job], limit: float | None = None) -> Batch:
    """Play a chunk in somebody else's worker, warming the game the first time; no jobs: only warm."""
    digest = hashlib.sha256(payload).digest()
    try:
        if _own.game is None or _own.digest != digest:
            game: Game = pickle.loads(payload)  # noqa: S301  # made by our own parent
            with _ended_after(START_SECONDS if limit else None):
                warm(game)
            _own.digest, _own.game = digest, game
        with _ended_after(limit):
            return play_chunk(_own.game, jobs, faults=BaseException)
    except BaseException as error:  # noqa: BLE001  # raised again, as one that can travel
        portable = as_portable(error)
        portable.args = (f"worker {platform.node()}, process {os.getpid()}: {portable}",)
        raise portable from (None if portable is error else error)


@contextmanager
def _ended_after(seconds: float | None) -> Iterator[None]:
    """End this process if what is done here takes longer, even if it holds the interpreter's lock."""
    if seconds is None:
        yield
        return
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def as_portable(error: BaseException) -> BrushpassError:
    """The error as one that survives the way to the parent: itself, or its text."""
    if isinstance(error, BrushpassError):
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
        except Exception:  # noqa: BLE001  # any failure means the same: it cannot travel
            return BrushpassError(str(error))
        return error
    lost = WorkersLost(f"a worker cannot work: {describe(error)}")
    lost.add_note("".join(traceback.format_exception(error)))
    return lost
