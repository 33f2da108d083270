"""The two-sided key card: dealing, checking, and its text form (DUET §2)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from brushpass.duet.core.cards import BITS, BLACK, GREEN, PAIR_COUNTS, A, Color, KeySide, Mask, Seat
from brushpass.errors import InvalidSetup

_PAIRS = tuple(pair for pair, count in PAIR_COUNTS.items() for _ in range(count))


@dataclass(frozen=True, slots=True)
class KeyCard:
    """Both faces of a key.

    Raises:
        InvalidSetup: the pairs of colors are not the 3/5/5/1/1/1/1/1/7 of DUET §2.
    """

    a: KeySide
    b: KeySide

    def __post_init__(self) -> None:
        for (color_a, color_b), wanted in PAIR_COUNTS.items():
            count = (self.a.mask(color_a) & self.b.mask(color_b)).bit_count()
            if count != wanted:
                raise InvalidSetup(
                    f"key sides {self.a} and {self.b} do not make a key card: "
                    f"{count} cards are {color_a} for A and {color_b} for B; there must be {wanted}"
                )

    @classmethod
    def deal(cls, rng: random.Random) -> Self:
        """A key drawn uniformly from the 25!/(3!·5!·5!·7!) placements (DUET §2, R1)."""
        pairs = list(_PAIRS)
        rng.shuffle(pairs)
        return cls(*map(_face, zip(*pairs, strict=True)))

    @classmethod
    def parse(cls, a: str, b: str) -> Self:
        """Read two 25-letter faces; raises InvalidSetup as `KeySide.parse` and the constructor do."""
        return cls(KeySide.parse(a), KeySide.parse(b))

    def side(self, seat: Seat) -> KeySide:
        """The face `seat` sees, and by which its partner's guesses are judged."""
        return self.a if seat is A else self.b

    @property
    def agents(self) -> Mask:
        """The 15 cards that are green on some face."""
        return self.a.greens | self.b.greens


def _face(colors: Sequence[Color]) -> KeySide:
    greens = blacks = 0
    for bit, color in zip(BITS, colors, strict=True):
        if color is GREEN:
            greens |= bit
        elif color is BLACK:
            blacks |= bit
    return KeySide(greens, blacks)
