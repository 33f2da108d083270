"""Why a clue and a card go together, in words a person accepts: what both make people think of.

A reason depends on the clue, the card and the mind alone, never on a board or a key: it can give no color away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from brushpass.lexicon.families import kin, known
from brushpass.lexicon.normalize import tokens
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.semantics.blend import STRENGTH, forms_of
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Floats

CLEAR: Final = 0.4
"""The tie from which a shared word is clear (one in ten words has one with a random card); the rest are `perhaps`."""
FAINT: Final = 0.24
"""The tie below which a shared word explains nothing; half of it where there is no norm."""
LINKS: Final = {1.0: "at first thought", 0.8: "on second thought", 0.6: "at a stretch"}
"""How a direct link is told: one is a strong, middling or weak associate of the other."""
NONE: Final = "no link that I know"


@dataclass(frozen=True, slots=True)
class Because:
    """Why a clue may mean a card; `str()` is `piano: at first thought; keys, song; perhaps hall`."""

    clue: str
    card: str
    link: float
    """How strongly one makes people think of the other: 1, 0.8, 0.6, or 0 if the norm does not say so."""
    shared: tuple[tuple[str, float], ...]
    """Words that both go with and how well they tie them (0 to 1), best first."""

    @property
    def found(self) -> bool:
        """Whether there is any reason."""
        return bool(self.link or self.shared)

    @property
    def told(self) -> str:
        """The reason without the card before it."""
        clear = ", ".join(word for word, tie in self.shared if tie >= CLEAR)
        faint = ", ".join(word for word, tie in self.shared if tie < CLEAR)
        perhaps = f"perhaps {faint}" if faint else ""
        return "; ".join(filter(None, (LINKS.get(self.link), clear, perhaps))) or NONE

    def __str__(self) -> str:
        return f"{self.card}: {self.told}"


def because(mind: Mind, clue: str, card: str, most: int = 3) -> Because:
    """Why `clue` may mean `card`, by at most `most` words that go with both; some ten milliseconds.

    They are associates of clue or card, or, where the norm has neither, words fit to say. How well such a word ties the
    two is the product of how it goes with each: by its cosine, and for what has a norm, half by that and half by how
    strong an associate it is. A clue is taken as `mind` understands it.
    """
    if not (mind.understands(clue) and mind.knows(card)):
        return Because(clue, card, 0.0, ())
    meant = mind.taken_for(clue)
    sides = _associates(mind, meant), _associates(mind, card)
    words = list(dict.fromkeys(word for side in sides for word in side)) or list(load_vocabulary().words)
    near = np.maximum(mind.cosines([meant, card], words), 0)
    for row, side in zip(near, sides, strict=True):
        if side:
            row[:] = (row + [side.get(word, 0.0) for word in words]) / 2
    shared = _best(words, near.prod(axis=0), FAINT if any(sides) else FAINT / 2, meant, card)
    return Because(clue, card, _link(sides, meant, card), tuple(islice(shared, most)))


def _associates(mind: Mind, word: str) -> dict[str, float]:
    """The associates of a word and their strengths; none where there is no norm."""
    listed = mind.blend.norm.first_of(forms_of(word)) if mind.blend is not None else None
    return {other: strength for strength, words in zip(STRENGTH, listed or (), strict=False) for other in words}


def _link(sides: tuple[dict[str, float], dict[str, float]], clue: str, card: str) -> float:
    of_clue, of_card = sides
    both = [of_clue.get(form, 0.0) for form in forms_of(card)] + [of_card.get(form, 0.0) for form in forms_of(clue)]
    return max(both)


def _best(words: list[str], ties: Floats, least: float, *said: str) -> Iterator[tuple[str, float]]:
    """The words that tie best, `least` or more, none a form of what was said or of one before it."""
    barred = {key for word in said for key in _keys(word)}
    for place in np.argsort(-ties, kind="stable").tolist():
        if ties[place] < least:
            return
        keys = _keys(words[place])
        if barred.isdisjoint(keys):
            barred |= keys
            yield words[place], round(float(ties[place]), 3)


def _keys(entry: str) -> set[str]:
    """The families of an entry's parts, and the entry as one word: t-shirt and tshirt are the same."""
    parts = tokens(entry)
    return {"".join(parts)} | {key for part in parts for key in (kin(part).keys if known(part) else (part,))}
