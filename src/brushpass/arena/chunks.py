"""Chunks: enough games in one go that handing them out costs nothing, few enough to lose or share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import NamedTuple, TypeAlias

from brushpass.arena.jobs import Foresighted, Game, Job
from brushpass.errors import Suspended

AIM_SECONDS = 0.06
"""The work a chunk should hold."""
LIMIT_SECONDS = 0.12
"""After this time a worker hands back what it has not begun."""
GROWTH = 4
MOST_JOBS = 1000
AHEAD = 32
"""So many jobs a game is told of at once."""
HEED = 0.3
"""The weight of the last chunk in the running mean of seconds a job."""


class Batch(NamedTuple):
    """Records of the first `played` jobs of a chunk: UTF-8 lines, each ended by a newline; `failed` are jobs, too."""

    text: bytes
    played: int
    failed: int
    seconds: float


Batches: TypeAlias = Generator[Batch, None, None]


def play_chunk(
    game: Game,
    jobs: Sequence[Job],
    note: Callable[[int], None] | None = None,
    fit: Callable[[], bool] = lambda: True,
    *,
    faults: type[BaseException] | tuple[type[BaseException], ...] = (Exception, SystemExit),
) -> Batch:
    """Play jobs in order until all are done, `LIMIT_SECONDS` are over, or we are not `fit`; at least one is played.

    `note` is told the place of every job before it begins. A job that raises one of `faults` is recorded through
    `game.failed`; what `game.failed` raises is a fault of the game and passes through.

    Raises:
        Suspended: the first job cannot be played now. A later one is handed back.
    """
    began = perf_counter()
    lines: list[bytes] = []
    failed = 0
    seconds = 0.0
    for place, job in enumerate(jobs):
        if note is not None:
            note(place)
        try:
            if place % AHEAD == 0 and isinstance(game, Foresighted):
                game.prepare(jobs[place : place + AHEAD])
            line = encode(game.play(job), len(job.games))
        except Suspended:
            if lines:
                break
            raise
        except faults as error:  # whatever an agent does costs only its game
            line = encode(game.failed(job, describe(error)), len(job.games))
            failed += 1
        lines.append(line)
        seconds = perf_counter() - began
        if seconds >= LIMIT_SECONDS or not fit():
            break
    return Batch(b"".join(lines), len(lines), failed, seconds)


def failure(game: Game, jobs: Sequence[Job], reason: str) -> Batch:
    """The records of jobs that are not played, or not again."""
    text = b"".join(encode(game.failed(job, reason), len(job.games)) for job in jobs)
    return Batch(text, len(jobs), len(jobs), 0.0)


def encode(record: str, games: int = 1) -> bytes:
    """The record of a job of so many games as it stands in the journal.

    Raises:
        ValueError: it is not a line a game, or not text that UTF-8 can hold.
    """
    if (lines := record.count("\n") + 1) != games:
        raise ValueError(f"the record has {lines} lines, a game has one")
    return record.encode() + b"\n"


def describe(error: BaseException) -> str:
    """One line for an exception: its class and message, if it can be told."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001  # an agent's exception may be faulty, too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class Backlog:
    """The jobs still to be handed out, and how many to hand out at once."""

    def __init__(self, jobs: Iterator[Job], workers: int, expected: int | None = None) -> None:
        self._jobs = jobs
        self._workers = workers
        self._left = expected
        self._returned: deque[Job] = deque()
        self._postponed: deque[Job] = deque()
        self._size = 1
        self._pace = 0.0

    def __bool__(self) -> bool:
        """Whether a job is left now."""
        if not self._returned:
            self._returned.extend(islice(self._jobs, 1))
        return bool(self._returned or self._postponed)

    @property
    def postponed(self) -> int:
        """How many jobs are to be handed out by themselves."""
        return len(self._postponed)

    @property
    def brisk(self) -> bool:
        """Whether jobs are known to be so short that a worker may hold a second chunk."""
        return 0 < 4 * self._pace < AIM_SECONDS

    def take(self) -> list[Job]:
        """The next chunk; empty when nothing is left (unless something is given back later)."""
        size = self._size
        if self._left is not None:
            size = max(1, min(size, self._left // (2 * self._workers)))
        chunk = [self._returned.popleft() for _ in range(min(size, len(self._returned)))]
        chunk += islice(self._jobs, size - len(chunk))
        if not chunk and self._postponed:
            chunk.append(self._postponed.popleft())
        if self._left is not None:
            self._left = max(0, self._left - len(chunk))
        return chunk

    def give_back(self, jobs: Sequence[Job]) -> None:
        """Jobs of a chunk that were not played: they come first again."""
        self._returned.extendleft(reversed(jobs))
        if self._left is not None:
            self._left += len(jobs)

    def postpone(self, job: Job) -> None:
        """A job to be handed out by itself, when nothing else is left."""
        self._postponed.append(job)
        if self._left is not None:
            self._left += 1

    def shrink(self) -> None:
        """A chunk was lost: small ones come next, so that little is lost with another."""
        self._size = 1

    def learn(self, batch: Batch) -> None:
        """Fit the size of the next chunk to the time this one took."""
        pace = batch.seconds / batch.played
        self._pace = pace if self._pace == 0 else self._pace + HEED * (pace - self._pace)
        fitting = int(AIM_SECONDS / self._pace) if self._pace > 0 else MOST_JOBS
        self._size = max(1, min(fitting, self._size * GROWTH, MOST_JOBS))
