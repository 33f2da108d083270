"""Whose fault lost workers are: groups whose games cost too many in a row are given up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brushpass.arena.jobs import Job

GROUP_DEATHS = 10
"""So many workers lost in a row to games of one group, and the rest of the group is given up."""


class Blame:
    """How workers were lost in games of each group, since one of the group came back."""

    def __init__(self) -> None:
        self._causes: dict[str, list[str]] = {}

    def lost(self, job: Job, cause: str) -> None:
        """A worker was lost in this game."""
        self._causes.setdefault(job.group, []).append(cause)

    def played(self, jobs: Iterable[Job]) -> None:
        """These games came back."""
        if self._causes:
            for group in {job.group for job in jobs}:
                self._causes.pop(group, None)

    def sift(self, chunk: Sequence[Job]) -> tuple[list[Job], list[tuple[Job, str]]]:
        """The jobs that may be played, and those to be given up, each with the reason."""
        reasons = {
            group: f"given up: games of its group lost {GROUP_DEATHS} workers in a row; of the last, {causes[-1]}"
            for group, causes in self._causes.items()
            if len(causes) >= GROUP_DEATHS
        }
        given_up = [(job, reasons[job.group]) for job in chunk if job.group in reasons]
        return [job for job in chunk if job.group not in reasons], given_up
