"""What a seat may do (DUET §4)."""

from __future__ import annotations

from dataclasses import dataclass

from brushpass.duet.core.cards import Card


@dataclass(frozen=True, slots=True)
class Clue:
    """One word and one number, 0 to 9."""

    word: str
    number: int


@dataclass(frozen=True, slots=True)
class Guess:
    """Touch a card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Stop:
    """End the own guessing; only after a hit."""


@dataclass(frozen=True, slots=True)
class Yield:
    """In sudden death, leave the next guess to the partner."""


Action = Clue | Guess | Stop | Yield
