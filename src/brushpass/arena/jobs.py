"""What the arena plays: jobs, and a game that turns a job into one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace


class Job(Struct, frozen=True):
    """One game to be played, and perhaps `more` that follow it with the same players, who may remember it.

    `id` is unique in a run and stands in the record; `group` is what is compared (a pair of agents),
    `condition` what it is compared under (Duet's city), `index` the deal's number: jobs of equal condition
    and index are dealt alike. `seats` holds the agents' specs as text.
    """

    id: str
    group: str
    condition: str
    index: int
    seed: int
    seats: tuple[str, ...]
    more: tuple[Job, ...] = ()

    @property
    def games(self) -> tuple[Job, ...]:
        """Every game of the job, in the order of play."""
        return (self, *self.more)


def in_a_row(games: Sequence[Job]) -> Job:
    """One job of all `games`, at least one."""
    first, *more = games
    return replace(first, more=tuple(more)) if more else first


class Game(Protocol):
    """All the arena knows of a game. It must be picklable.

    A game may also have `warm()` (see `Warmable`), and `prepare()` (see `Foresighted`).
    """

    def play(self, job: Job, /) -> str:
        """Play the job and return its record: a line of JSON a game, with newlines between them only."""
        ...

    def failed(self, job: Job, reason: str, /) -> str:
        """The record, likewise, of a job that could not be played. Called on a game that may not be warm."""
        ...


@runtime_checkable
class Warmable(Protocol):
    """A game with something to load: called once in every worker, before its first job."""

    def warm(self) -> None:
        """Load what games need; a `BrushpassError` raised here ends the run with its message."""
        ...


@runtime_checkable
class Foresighted(Protocol):
    """A game that plays faster if it knows what comes."""

    def prepare(self, jobs: Sequence[Job], /) -> None:
        """Get ready for `jobs`, which are played next, in this order, if nothing comes between."""
        ...


def warm(game: Game) -> None:
    """Warm the game, if it has anything to warm."""
    if isinstance(game, Warmable):
        game.warm()
