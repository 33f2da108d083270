"""Seats, colors, the 25 cards and sets of them, and one face of a key card (DUET §1, §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from reprlib import repr as brief
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, Self, TypeVar

from brushpass.errors import InvalidSetup

CARD_COUNT: Final = 25
Card = int
"""A card's place on the board, 0 to 24, row by row."""
Mask = int
"""A set of cards: bit `i` stands for card `i`."""
ALL_CARDS: Final[Mask] = (1 << CARD_COUNT) - 1
BITS: Final = tuple(1 << card for card in range(CARD_COUNT))
"""The set of each card alone."""

T = TypeVar("T")


class Seat(StrEnum):
    """One of the two sides of the table."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Seat:
        """The side opposite."""
        return B if self is A else A


A: Final = Seat.A
B: Final = Seat.B
SEATS: Final = (A, B)
"""The seats under plain names: Python 3.11 takes long to look up a member of an enumeration."""


class Color(StrEnum):
    """What a key says of a card: agent, bystander or assassin."""

    GREEN = "G"
    TAN = "T"
    BLACK = "B"


GREEN: Final = Color.GREEN
TAN: Final = Color.TAN
BLACK: Final = Color.BLACK


PAIR_COUNTS: Final[Mapping[tuple[Color, Color], int]] = MappingProxyType(
    {
        (Color.GREEN, Color.GREEN): 3,
        (Color.GREEN, Color.TAN): 5,
        (Color.GREEN, Color.BLACK): 1,
        (Color.TAN, Color.GREEN): 5,
        (Color.TAN, Color.TAN): 7,
        (Color.TAN, Color.BLACK): 1,
        (Color.BLACK, Color.GREEN): 1,
        (Color.BLACK, Color.TAN): 1,
        (Color.BLACK, Color.BLACK): 1,
    }
)
"""How many cards carry each (face A, face B) pair of colors (DUET §2)."""

COLOR_COUNTS: Final[Mapping[Color, int]] = MappingProxyType({Color.GREEN: 9, Color.TAN: 13, Color.BLACK: 3})
"""How many cards of each color one face shows."""

AGENTS: Final = 2 * COLOR_COUNTS[Color.GREEN] - PAIR_COUNTS[Color.GREEN, Color.GREEN]
"""The cards that are green on either face: 15."""


class BySeat(NamedTuple, Generic[T]):
    """One value a side."""

    a: T
    b: T

    def of(self, seat: Seat) -> T:
        """The value of `seat`."""
        return self.a if seat is A else self.b

    def put(self, seat: Seat, value: T) -> BySeat[T]:
        """A copy with `value` at `seat`."""
        return BySeat(value, self.b) if seat is A else BySeat(self.a, value)


def mask_of(cards: Iterable[Card]) -> Mask:
    """The set of `cards`."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: Mask) -> tuple[Card, ...]:
    """The cards of `mask`, lowest first."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cards)


@dataclass(frozen=True, slots=True)
class KeySide:
    """One face of a key card: what one side sees. Cards neither green nor black are tan."""

    greens: Mask
    blacks: Mask

    @property
    def tans(self) -> Mask:
        """The bystanders."""
        return ALL_CARDS & ~(self.greens | self.blacks)

    def color(self, card: Card) -> Color:
        """The color of `card` on this face."""
        bit = BITS[card]
        return GREEN if self.greens & bit else BLACK if self.blacks & bit else TAN

    def mask(self, color: Color) -> Mask:
        """All cards of `color`."""
        if color is GREEN:
            return self.greens
        return self.blacks if color is BLACK else self.tans

    def __str__(self) -> str:
        """25 letters G, T or B in card order."""
        greens, blacks = self.greens, self.blacks
        return "".join([GREEN if greens & bit else BLACK if blacks & bit else TAN for bit in BITS])

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form.

        Raises:
            InvalidSetup: not 25 letters G, T, B with 9 green, 13 tan and 3 black among them.
        """
        if not isinstance(text, str) or len(text) != CARD_COUNT or set(text) - set("GTB"):
            raise InvalidSetup(f"key side {brief(text)} is not 25 letters G, T or B, one a card")
        for color, count in COLOR_COUNTS.items():
            if text.count(color) != count:
                raise InvalidSetup(
                    f"key side {brief(text)} has {text.count(color)} {color.name.lower()} cards; a side has {count}"
                )
        return cls(
            greens=mask_of(card for card, letter in enumerate(text) if letter == Color.GREEN),
            blacks=mask_of(card for card, letter in enumerate(text) if letter == Color.BLACK),
        )
