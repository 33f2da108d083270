"""The conformance suite for strangers: asked in a process of its own, so that one that hangs or dies fails there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from brushpass import seeds
from brushpass.arena.jobs import Job
from brushpass.arena.runner import run
from brushpass.arena.workers import LocalWorkers
from brushpass.duet.agents.roster import build_agent
from brushpass.duet.core.phase import Phase
from brushpass.duet.observe import observe
from brushpass.duet.testing.conformance import AGAIN, LEAST, Checkup, check_positions, position_at
from brushpass.duet.testing.report import CheckReport
from brushpass.duet.testing.watched import failure_at

SPARE: Final = 5.0
"""Seconds beyond the limit after which an answer is no longer waited for."""


def check_apart(spec: str, words: Sequence[str], *, positions: int, seed: int, limit: float) -> CheckReport:
    """What `check_agent` does, with the agent of `spec` in a worker process.

    An answer that does not come within `limit` seconds, or takes the process with it, fails its position only; three
    of these, and nothing more is asked.

    Raises:
        BrushpassError: the agent cannot be made.
        InvalidSetup: `positions` below 1.
    """
    check_positions(positions)
    report = CheckReport(spec, seed)
    counted = 0

    def enough(asked: int) -> bool:
        return asked >= LEAST and max(asked, report.positions) >= positions

    def jobs() -> Iterator[Job]:
        asked = 0
        while not enough(asked):
            yield _job("ask", asked, seed)
            asked += 1
        for place in reversed(range(1, asked, AGAIN)):
            yield _job("again", place, seed)

    def take(_done: int, _total: int | None, lines: list[str]) -> None:
        """Count what came back, but not what was asked while the last of enough was under way."""
        nonlocal counted
        for line in lines:
            condition, place, found = line.split(" ", 2)
            if int(place) < counted or (condition == "ask" and not enough(counted)):
                report.add(CheckReport.read_line(found))
                counted += condition == "ask"
        if report.given_up:
            raise _GivenUp

    with suppress(_GivenUp):
        engine = LocalWorkers(1, limit=limit + SPARE, retry=False)
        run(jobs(), _Alone(spec, tuple(words), limit), engine=engine, on_progress=take)
    return report


class _GivenUp(Exception):
    """Too many answers did not come."""


def _job(condition: str, place: int, seed: int) -> Job:
    """A position to be asked in, of a group of its own: what it does is no other's fault."""
    name = f"{condition}-{place}"
    return Job(name, name, condition, place, seed, ())


def _line(job: Job, report: CheckReport) -> str:
    return f"{job.condition} {job.index} {report.to_line()}"


@dataclass(frozen=True)
class _Alone:
    """What the arena plays: a position a job, its findings a line."""

    spec: str
    words: tuple[str, ...]
    limit: float

    @cached_property
    def _checkup(self) -> Checkup:
        return Checkup(lambda: build_agent(self.spec, self.words), self.limit)

    def warm(self) -> None:
        """Make the players."""
        _ = self._checkup

    def play(self, job: Job) -> str:
        """Ask in the position of the job, or ask again."""
        position = position_at(job.index, job.seed, self.words)
        asking = self._checkup.again if job.condition == "again" else self._checkup.ask
        return _line(job, asking(position))

    def failed(self, job: Job, reason: str) -> str:
        """The position in which the process was lost, as it was at the beginning."""
        position = position_at(job.index, job.seed, self.words)
        view = observe(position.state, position.seat, position.history)
        asked = "clue" if position.state.phase in {Phase.CLUE, Phase.CLUE_ANY} else "guess"
        given = seeds.child(position.seed, "agent", position.seed, position.seat)
        report = CheckReport(kinds=Counter({position.kind: 1}), lost=1)
        why = f"its process was ended, here or later in this game: {reason}"
        report.failed(failure_at("answers", position, asked, view, given, why))
        return _line(job, report)
