"""What happened, as both sides see it (DUET §9): the public history of a game."""

from __future__ import annotations

from msgspec import Struct

from brushpass.duet.core.cards import Card, Color, Seat
from brushpass.duet.core.phase import Outcome, Reason


class ClueGiven(Struct, frozen=True):
    """`seat` said a clue; `penalised` when it broke the clue law and cost a token."""

    seat: Seat
    word: str
    number: int
    penalised: bool = False


class CardTouched(Struct, frozen=True):
    """`seat` touched `card`; `color` is the partner's side of it."""

    seat: Seat
    card: Card
    color: Color


class Stopped(Struct, frozen=True):
    """`seat` ended its guessing."""

    seat: Seat


class Yielded(Struct, frozen=True):
    """`seat` left the next sudden-death guess to its partner."""

    seat: Seat


class SideFinished(Struct, frozen=True):
    """All greens of `seat` are found (DUET §6)."""

    seat: Seat


class SuddenDeathBegan(Struct, frozen=True):
    """The bank is empty (DUET §7)."""


class GameEnded(Struct, frozen=True):
    """The end."""

    outcome: Outcome
    reason: Reason | None


Event = ClueGiven | CardTouched | Stopped | Yielded | SideFinished | SuddenDeathBegan | GameEnded
