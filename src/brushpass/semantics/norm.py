"""An association norm: what people connect with a card, over all its senses, in three strengths.

The file is sorted text, `card<tab>strong<tab>middling<tab>weak`, each a comma-separated list, after a header and an
empty line; it is mapped and looked up, not read.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from brushpass.atomic import file_sha256
from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold
from brushpass.lexicon.sortedlines import SortedLines

STRENGTHS = 3
"""Strong, middling, weak: places 0, 1, 2."""

LEAST = 5
"""How many cards must list a phrase for it to have associates."""

Associates = tuple[tuple[str, ...], ...]
"""The associates of one card, a tuple a strength."""


class Norm:
    """The norm in the file at `path`.

    Raises:
        CorruptData: missing, unreadable or not such a file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = SortedLines(path)

    @cached_property
    def sha256(self) -> str:
        """Hash of the file."""
        return file_sha256(self._path)

    def of(self, card: str) -> Associates | None:
        """The associates of `card`, or None if it has none here.

        Those of a phrase (`ice cream`) that has no list of its own are the cards that list it, as strongly as they do.
        """
        folded = fold(card)
        row = self._lines.get(folded)
        if row is None:
            return self._listing(folded) if " " in folded else None
        return self._split(card, row)

    def _listing(self, phrase: str) -> Associates | None:
        if phrase not in self._phrases:
            found: tuple[list[str], ...] = tuple([] for _ in range(STRENGTHS))
            for card, row in self._lines.having(phrase):
                for cards, words in zip(found, self._split(card, row), strict=True):
                    if phrase in words:
                        cards.append(card)
            enough = sum(map(len, found)) >= LEAST
            self._phrases[phrase] = tuple(map(tuple, found)) if enough else None
        return self._phrases[phrase]

    @cached_property
    def _phrases(self) -> dict[str, Associates | None]:
        return {}

    def _split(self, card: str, row: str) -> Associates:
        lists = row.split("\t")
        if len(lists) != STRENGTHS:
            raise CorruptData(f"{self._path}: {card!r} has {len(lists)} lists of associates, not {STRENGTHS}")
        return tuple(tuple(listed.split(", ")) if listed else () for listed in lists)

    def first_of(self, words: Iterable[str]) -> Associates | None:
        """The associates of the first of `words` that has any, or None."""
        return next((listed for word in words if (listed := self.of(word)) is not None), None)

    def __len__(self) -> int:
        return len(self._lines)

    def cards(self) -> list[str]:
        """Every card, sorted."""
        return self._lines.names()
