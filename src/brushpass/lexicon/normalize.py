"""How words are compared: folded, and split into tokens (DUET §8)."""

from __future__ import annotations

import re
import unicodedata

_BREAKS = re.compile(r"[\s\-\u2010-\u2015]+")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'"})


def fold(word: str) -> str:
    """The form in which words are compared: NFKC, strip, casefold, inner runs of white space as one space."""
    if word.isascii():
        folded = word.lower()
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    return " ".join(folded.split())


def tokens(word: str) -> tuple[str, ...]:
    """The folded parts of an entry or clue, split on spaces and hyphens; curly apostrophes become straight."""
    return tuple(part for part in _BREAKS.split(fold(word).translate(_APOSTROPHES)) if part)


def unaccented(word: str) -> str:
    """`word` without accents: café and cafe are one word."""
    if word.isascii():
        return word
    return "".join(ch for ch in unicodedata.normalize("NFKD", word) if not unicodedata.combining(ch))
