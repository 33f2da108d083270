"""Engines: who plays the jobs. Here: this process, or any `concurrent.futures.Executor`."""

from __future__ import annotations

import faulthandler
import hashlib
import math
import os
import pickle
import platform
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from time import monotonic
from typing import ClassVar, Protocol

from brushpass.arena.blame import Blame
from brushpass.arena.chunks import Backlog, Batch, Batches, describe, failure, play_chunk
from brushpass.arena.jobs import Game, Job, warm
from brushpass.arena.pulse import pulse
from brushpass.errors import BrushpassError, InvalidSetup

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
    `watch` is called now and then while nothing comes back, and may raise. A game that gives no sign of life (see
    `pulse`) for about `limit` seconds ends the process it is in: give a limit only if workers are processes, of one
    thread each, that someone starts again.
    """

    def __init__(
        self,
        executor: Executor,
        workers: int,
        *,
        watch: Callable[[], None] | None = None,
        limit: float | None = None,
    ) -> None:
        if workers < 1:
            raise InvalidSetup(f"an executor of {workers} workers can play nothing; use 1 or more")
        self._executor = executor
        self._workers = workers
        self._watch = watch
        self._limit = limit

    def play(
        self, game: Game, jobs: Iterator[Job], *, expected: int | None = None, ready: Callable[[], None]
    ) -> Batches:
        """See `Engine.play`."""
        payload = pickle.dumps(game)

        def submit(chunk: list[Job]) -> Future[Batch]:
            try:
                return self._executor.submit(_play_afar, payload, chunk, self._limit)
            except RuntimeError as error:  # a broken one, too
                raise BrokenExecutor(str(error)) from error

        run = _Run(game, Backlog(jobs, self._workers, expected), submit, self._workers, self._watch)
        try:
            run.warm_up()
            ready()
            yield from run.play()
        except (BrokenExecutor, CancelledError) as error:
            if self._watch is not None:
                self._watch()
            raise WorkersLost(f"the executor broke: {describe(error)}; go on with --resume") from error
        finally:
            run.cancel()


class _Run:
    """The chunks of one run on an executor."""

    def __init__(
        self,
        game: Game,
        backlog: Backlog,
        submit: Callable[[list[Job]], Future[Batch]],
        workers: int,
        watch: Callable[[], None] | None,
    ) -> None:
        self._game = game
        self._backlog = backlog
        self._submit = submit
        self._workers = workers
        self._watch = watch
        self._pending: dict[Future[Batch], list[Job]] = {}
        self._parts: list[list[Job]] = []
        """Of chunks that were lost."""
        self._suspects: list[Job] = []
        """Games that were lost by themselves, but perhaps with a worker that another game ended."""
        self._retried: set[str] = set()
        self._blame = Blame()

    def warm_up(self) -> None:
        """Have every worker warm the game."""
        for _ in range(self._workers):
            self._pending[self._submit([])] = []
        while self._pending:
            for future in self._wait():
                del self._pending[future]
                try:
                    future.result()
                except (BrushpassError, BrokenExecutor, CancelledError):
                    raise
                except Exception as error:
                    raise WorkersLost(f"a worker was lost before its first game: {describe(error)}") from error

    def play(self) -> Batches:
        """Play the backlog; workers get their next chunks before records are passed on."""
        news: list[Batch] = []
        while True:
            while len(self._pending) < 2 * self._workers and (chunk := self._next()):
                chunk, given_up = self._blame.sift(chunk)
                news += [failure(self._game, [job], reason) for job, reason in given_up]
                if chunk:
                    self._pending[self._submit(chunk)] = chunk
            yield from news
            if not self._pending:
                return
            news = [batch for future in self._wait() if (batch := self._settle(future))]

    def cancel(self) -> None:
        """Drop what is not begun."""
        for future in self._pending:
            future.cancel()

    def _next(self) -> list[Job]:
        """What to hand out next; a suspect by itself, so that it is alone to blame."""
        if self._parts:
            return self._parts.pop()
        if chunk := self._backlog.take():
            return chunk
        return [self._suspects.pop()] if self._suspects and not self._pending else []

    def _wait(self) -> set[Future[Batch]]:
        """Those that are done, once there are some."""
        while not (done := wait(self._pending, GLANCE_SECONDS, FIRST_COMPLETED).done):
            if self._watch is not None:
                self._watch()
        return done

    def _settle(self, future: Future[Batch]) -> Batch | None:
        """What came of a chunk: its records, or None if it was lost with its worker and is tried again in parts."""
        chunk = self._pending.pop(future)
        try:
            batch = future.result()
        except (BrushpassError, BrokenExecutor, CancelledError):
            raise
        except Exception as error:  # noqa: BLE001  # a cluster's own failures have no common class
            return self._lost(chunk, error)
        self._backlog.give_back(chunk[batch.played :])
        self._backlog.learn(batch)
        self._blame.played(chunk[: batch.played])
        return batch

    def _lost(self, chunk: list[Job], error: Exception) -> Batch | None:
        middle = len(chunk) // 2
        if middle:
            self._parts += [chunk[:middle], chunk[middle:]]
            return None
        (job,) = chunk
        self._blame.lost(job, describe(error))
        if job.id not in self._retried:
            self._retried.add(job.id)
            self._suspects.append(job)
            return None
        return failure(self._game, chunk, f"its worker was lost: {describe(error)}")


class _Own(threading.local):
    """The game a thread of a worker holds, warm."""

    def __init__(self) -> None:
        self.digest = b""
        self.game: Game | None = None


_own = _Own()


def _play_afar(payload: bytes, jobs: list[Job], limit: float | None) -> Batch:
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
    """End this process when what is done here gives no sign of life for so long, even if it lets no thread run."""
    if seconds is None:
        yield
        return
    begun = -math.inf

    def hear() -> None:
        nonlocal begun
        if (now := monotonic()) - begun > seconds / 4:  # setting the alarm anew takes a while
            begun = now
            faulthandler.dump_traceback_later(seconds, exit=True)

    hear()
    pulse.hear = hear
    try:
        yield
    finally:
        pulse.hear = None
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
