"""What happened, as both sides see it (DUET §9): the public history of a game."""

from __future__ import annotations

from dataclasses import dataclass

from brushpass.duet.core.cards import Card, Color, Seat
from brushpass.duet.core.phase import Outcome, Reason


@dataclass(frozen=True, slots=True)
class ClueGiven:
    """`seat` said a clue; `penalised` when it broke the clue law and cost a token."""

    seat: Seat
    word: str
    number: int
    penalised: bool = False


@dataclass(frozen=True, slots=True)
class CardTouched:
    """`seat` touched `card`; `color` is the partner's side of it."""

    seat: Seat
    card: Card
    color: Color


@dataclass(frozen=True, slots=True)
class Stopped:
    """`seat` ended its guessing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Yielded:
    """`seat` left the next sudden-death guess to its partner."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SideFinished:
    """All greens of `seat` are found (DUET §6)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SuddenDeathBegan:
    """The bank is empty (DUET §7)."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The end."""

    outcome: Outcome
    reason: Reason | None


Event = ClueGiven | CardTouched | Stopped | Yielded | SideFinished | SuddenDeathBegan | GameEnded
