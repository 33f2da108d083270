"""What a rare word means, in a few common ones: a dictionary of last resort, for words no mind has a vector for."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from brushpass.lexicon.sortedlines import SortedLines
from brushpass.paths import find_data

FILE: Final = ("wordlists", "dictionary", "glosses.txt")


def gloss(word: str) -> tuple[str, ...]:
    """Common words that say what a folded `word` is, the most telling first; none if it is not listed."""
    table = _table()
    return () if table is None else tuple((table.get(word) or "").split())


@lru_cache(maxsize=1)
def _table() -> SortedLines | None:
    """The shipped table, or None where none is installed."""
    path = find_data(*FILE)
    return None if path is None else SortedLines(path)
