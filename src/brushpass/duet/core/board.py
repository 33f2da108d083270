"""The board: 25 distinct words (DUET §1)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as brief
from typing import Self

from brushpass.duet.core.cards import CARD_COUNT
from brushpass.errors import InvalidSetup
from brushpass.lexicon.normalize import fold


@dataclass(frozen=True, slots=True)
class Board:
    """The words on the table, row by row.

    Raises:
        InvalidSetup: not 25 words, an empty one, or two alike once folded.
    """

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.words) != CARD_COUNT:
            raise InvalidSetup(f"a board has {CARD_COUNT} words, not {len(self.words)}")
        folded = [fold(word) if isinstance(word, str) else "" for word in self.words]
        if all(folded) and len({*folded}) == CARD_COUNT:
            return
        for place, (word, same) in enumerate(zip(self.words, folded, strict=True)):
            if not same:
                raise InvalidSetup(f"board word {brief(word)} is not a word")
            first = folded.index(same)
            if first < place:
                raise InvalidSetup(f"the board has {self.words[first]!r} and {word!r}: its words must differ")

    @classmethod
    def deal(cls, words: Sequence[str], rng: random.Random) -> Self:
        """25 words drawn without replacement from `words`, which are distinct; fewer than 25 raise InvalidSetup."""
        if len(words) < CARD_COUNT:
            raise InvalidSetup(f"a board needs {CARD_COUNT} words; the list has {len(words)}")
        return cls(tuple(rng.sample(words, CARD_COUNT)))
