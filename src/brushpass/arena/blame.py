"""Whose fault lost workers are: groups whose games cost too many in a row are given up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from brushpass.arena.jobs import Job

GROUP_DEATHS = 10
"""So many workers lost in a row to games of one group, and the rest of the group is given up."""


class Blame:
    """Counts the workers that games of each group have cost since one of them came back."""

    def __init__(self) -> None:
        self._deaths: Counter[str] = Counter()
        self._cause = ""

    def lost(self, job: Job, cause: str) -> None:
        """A worker was lost in this game."""
        self._deaths[job.group] += 1
        self._cause = cause

    def played(self, jobs: Iterable[Job]) -> None:
        """These games came back."""
        if self._deaths:
            for group in {job.group for job in jobs}:
                del self._deaths[group]

    def sift(self, chunk: Sequence[Job]) -> tuple[list[Job], list[Job]]:
        """The jobs that may be played, and those to be given up."""
        given_up = [job for job in chunk if self._deaths[job.group] >= GROUP_DEATHS] if self._deaths else []
        return [job for job in chunk if job not in given_up], given_up

    @property
    def reason(self) -> str:
        """Why a job is given up."""
        return f"given up: games of its group lost {GROUP_DEATHS} workers in a row; of the last, {self._cause}"
