"""What a seat may do (DUET §4)."""

from __future__ import annotations

from msgspec import Struct

from brushpass.duet.core.cards import Card


class Clue(Struct, frozen=True):
    """One word and one number, 0 to 9."""

    word: str
    number: int


class Guess(Struct, frozen=True):
    """Touch a card."""

    card: Card


class Stop(Struct, frozen=True):
    """End the own guessing; only after a hit."""


class Yield(Struct, frozen=True):
    """In sudden death, leave the next guess to the partner."""


Action = Clue | Guess | Stop | Yield
