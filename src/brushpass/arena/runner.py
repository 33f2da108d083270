"""One run: jobs through an engine into a journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from time import perf_counter

from brushpass.arena.executors import Engine
from brushpass.arena.jobs import Game, Job
from brushpass.arena.journal import Journal, read_id
from brushpass.arena.workers import LocalWorkers

Progress = Callable[[int, int | None, list[str]], None]
"""Called with games done (earlier sittings included), games in all if known, and the new records."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did.

    `played` records were written; `failed` jobs were recorded by the arena in place of a game; `skipped` games were
    in the journal already. `seconds` runs from all workers ready to the last record written.
    """

    played: int
    skipped: int
    failed: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Games of this sitting over its seconds; 0 if nothing was played."""
        return self.played / self.seconds if self.seconds > 0 else 0.0


def run(
    jobs: Iterable[Job],
    game: Game,
    *,
    workers: int = 1,
    engine: Engine | None = None,
    journal: Journal | None = None,
    total: int | None = None,
    on_progress: Progress | None = None,
) -> Outcome:
    """Play every game that the journal does not hold yet, each exactly once.

    A job of several games of which only some are there is played again from its first, so that nothing depends on
    the interruption; what is there stays.

    `jobs` is read as it is needed. The engine is `LocalWorkers(workers)` unless one is given; any engine and
    any number of workers give the same records, in another order. Records go to the journal, if there is one,
    then to `on_progress(done, total, lines)`. On Ctrl-C the workers are stopped, what is done is on the disk,
    and KeyboardInterrupt goes on to the caller.

    Raises:
        BrushpassError: `game.warm()` raised it.
        WorkersLost: the workers cannot start, or keep dying outside of games.
        CannotWrite: the journal cannot be written.
    """
    if total is None and isinstance(jobs, Sized):
        total = len(jobs)
    tally = _Tally(journal.done if journal is not None else frozenset())
    todo = tally.unplayed(jobs)
    first = next(todo, None)
    if first is None:
        return tally.outcome()
    expected = None if total is None else max(0, total - len(tally.finished))
    engine = engine or LocalWorkers(workers)
    try:
        with closing(engine.play(game, chain([first], todo), expected=expected, ready=tally.ready)) as batches:
            for batch in batches:
                text = tally.fresh(batch.text)
                if journal is not None:
                    journal.append(text)
                tally.book(text, batch.failed)
                if on_progress is not None:
                    on_progress(tally.skipped + tally.played, total, text.decode().split("\n")[:-1])
    finally:
        if journal is not None:
            journal.sync()
    return tally.outcome()


class _Tally:
    """The count of a run while it runs."""

    def __init__(self, finished: frozenset[str]) -> None:
        self.finished = finished
        self.played = self.skipped = self.failed = 0
        self._again: set[str] = set()
        """Games that are there, and yet will be played with the others of their job."""
        self._began = self._ended = 0.0

    def unplayed(self, jobs: Iterable[Job]) -> Iterator[Job]:
        for job in jobs:
            there = [game.id for game in job.games if game.id in self.finished]
            self.skipped += len(there)
            if len(there) <= len(job.more):
                self._again.update(there)
                yield job

    def fresh(self, text: bytes) -> bytes:
        """The lines of `text` that the journal does not hold."""
        if not self._again:
            return text
        return b"".join(line for line in text.splitlines(keepends=True) if read_id(line) not in self._again)

    def ready(self) -> None:
        self._began = self._ended = perf_counter()

    def book(self, text: bytes, failed: int) -> None:
        self._ended = perf_counter()
        self.played += text.count(b"\n")
        self.failed += failed

    def outcome(self) -> Outcome:
        return Outcome(self.played, self.skipped, self.failed, self._ended - self._began)
