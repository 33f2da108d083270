"""What a mind makes of a clue it has no vector for: its base form, its meaning, its parts, or a word spelt nearly so.

People misspell, inflect, join and decorate words; a partner still understands them. The first of these that is known
counts: the word without marks around it (`hulk.`, `god's`); the lemma and its like; two known words joined or a word
one slip of the keyboard away (not of short words), whichever is the likelier; what a dictionary says of it, if it is
in one, for then it is not misspelt; an everyday word that is much like it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple

from brushpass.lexicon.families import kin
from brushpass.lexicon.glosses import gloss
from brushpass.lexicon.normalize import fold, tokens, unaccented

SPELLABLE = 5
"""Letters from which a word may be taken as misspelt."""
LONG = 7
"""Letters from which it may be taken for a rare word."""
COMMON = 30_000
"""Else only so many of the most frequent words are taken for what was meant."""
EVERYDAY_MEANT = 20_000
"""Of these a long word may be taken for one that is much like it."""
ALIKE = 0.81
"""How like: twice the letters in common over the letters of both (difflib); and of the same length but for one."""
OFFERED = 0.7
"""How like a word must be to be offered, where none is more so."""
SLIP = 4
"""How many times as rare as the rarer half of a joined word a word may be that is taken for misspelt instead."""
ODD_SLIP = 2
"""The same where it would be an odder slip."""
ODD = 30
"""How many times as frequent a word must be that an odder slip leads to: another letter, or one too many."""
EVERYDAY = 1_000
"""Of these even two letters may be part of a joined word, beside a longer one."""
LONGEST = 40
"""Letters beyond which it is no word that anybody says."""
MIN_PART = 3

Parts = tuple[int, ...]
HOW = ("known", "form", "marks", "joined", "misspelt", "dictionary", "unknown")
"""How a word may be made out."""


def rows_of(word: str, index: Mapping[str, int]) -> Parts:
    """The rows whose mean stands for `word` as it is written; none if it is unknown.

    An entry of several words is taken whole if it is known so, else by its known parts; accents may be missing.
    """
    if (row := index.get(word)) is not None:
        return (row,)
    for spelling in spellings(word):
        if (row := index.get(spelling)) is not None:
            return (row,)
    return tuple(row for piece in tokens(word) if (row := index.get(piece)) is not None)


def spellings(word: str) -> tuple[str, ...]:
    """How a word may be written: joined by spaces or hyphens (`wi-fi` by nothing, too), with accents or without."""
    folded = fold(word)
    if folded.isascii() and folded.isalpha():
        return (folded,)
    pieces = tokens(word)
    lengths = [len(piece) for piece in pieces]
    joints = ("", " ", "_", "-") if 1 in lengths or max(lengths, default=0) < MIN_PART else (" ", "_", "-")
    return tuple(dict.fromkeys((folded, *(joint.join(pieces) for joint in joints), unaccented(folded))))


class Reading(NamedTuple):
    """What a word is taken for: how it was made out, one of `HOW`, and the rows whose mean stands for it."""

    how: str
    rows: Parts


def read(word: str, index: Mapping[str, int]) -> Reading:
    """What a folded, unknown `word` is taken for; unknown, and without rows, if it cannot be made out.

    Args:
        word: one token.
        index: the row of each known word, most frequent first.
    """
    if len(word) > LONGEST:
        return UNKNOWN
    if not word.isalpha():
        return _first(("dictionary", _meaning(word, index)), ("marks", _unmarked(word, index)))
    if form := _most_frequent(kin(word).keys, index):
        return Reading("form", form)
    joined, meaning = _joined(word, index), _meaning(word, index)
    slips = _slipped(word, index) if len(word) >= SPELLABLE and not meaning else []
    if joined and not (slips and index[slips[0]] < max(joined) * (SLIP if _is_usual(word, slips[0]) else ODD_SLIP)):
        return Reading("joined", joined)
    misspelt = (index[slips[0]],) if slips else _garbled(word, index)
    return _first(("dictionary", meaning), ("misspelt", misspelt))


def back_off(word: str, index: Mapping[str, int]) -> Parts:
    """The rows of what `read` takes `word` for."""
    return read(word, index).rows


UNKNOWN = Reading("unknown", ())


def _first(*readings: tuple[str, Parts]) -> Reading:
    return next((Reading(how, rows) for how, rows in readings if rows), UNKNOWN)


def _meaning(word: str, index: Mapping[str, int]) -> Parts:
    """The known words of what a dictionary says of it."""
    return tuple(row for said in gloss(word) if (row := index.get(said)) is not None)


def _unmarked(word: str, index: Mapping[str, int]) -> Parts:
    """The words between marks: `god's` is god, `battle{-}music` battle and music."""
    without = re.sub(r"['\u2019]s\b|\{[a-z]+\}", " ", word)
    if (row := index.get(re.sub(r"['\u2019]", "", without).strip())) is not None:
        return (row,)
    pieces = re.findall(r"[^\W_]+", without)
    if pieces == [word]:
        return ()
    return tuple(row for piece in pieces for row in (rows_of(piece, index) or back_off(piece, index)))


def near_spellings(word: str, index: Mapping[str, int], most: int = 3) -> list[str]:
    """Known words one slip away from a folded `word`, likeliest first, or else everyday words much like it."""
    if not MIN_PART <= len(word) <= LONGEST:
        return []
    return (_slipped(word, index) or _alike(word, index, ALIKE) or _alike(word, index, OFFERED))[:most]


def _most_frequent(words: frozenset[str], index: Mapping[str, int]) -> Parts:
    rows = [row for word in words if (row := index.get(word)) is not None]
    return (min(rows),) if rows else ()


def _joined(word: str, index: Mapping[str, int]) -> Parts:
    """Two common words written as one, the split whose rarer half is commonest."""
    if len(word) < 2 * MIN_PART - 1:
        return ()
    splits = [
        (index[word[:cut]], index[word[cut:]])
        for cut in range(2, len(word) - 1)
        if _is_part(word[:cut], index) and _is_part(word[cut:], index)
    ]
    return min(splits, key=max) if splits else ()


def _is_part(piece: str, index: Mapping[str, int]) -> bool:
    return index.get(piece, COMMON) < (COMMON if len(piece) >= MIN_PART else EVERYDAY)


def _garbled(word: str, index: Mapping[str, int]) -> Parts:
    alike = _alike(word, index, ALIKE) if len(word) >= LONG else []
    near = [other for other in alike if abs(len(other) - len(word)) <= 1]
    return (index[near[0]],) if near else ()


def _slipped(word: str, index: Mapping[str, int]) -> list[str]:
    """Words one slip away, common ones unless `word` is long, the likeliest first."""
    beyond = COMMON if len(word) < LONG else len(index)
    found = {other for other in _slips(word) if index.get(other, beyond) < beyond}
    return sorted(found, key=lambda other: (index[other] + 1) * (1 if _is_usual(word, other) else ODD))


def _is_usual(word: str, meant: str) -> bool:
    """Whether people often write `word` for `meant`: a letter left out, doubled or not, two swapped, f for ph."""
    return len(word) < len(meant) or sorted(word) == sorted(meant) or _singled(word) == _singled(meant)


def _singled(word: str) -> str:
    """`word` with single letters for double ones."""
    return re.sub(r"(.)\1", r"\1", word)


def _alike(word: str, index: Mapping[str, int], least: float) -> list[str]:
    """Everyday words that begin as `word` does and share most of its letters in order, the most alike first."""
    everyday = (other for other in islice(index, EVERYDAY_MEANT) if other[:1] == word[:1])
    return get_close_matches(word, list(everyday), cutoff=least)


def _slips(word: str) -> Iterator[str]:
    """All words one letter more, fewer or other than `word`, with two neighbours swapped, or with ph for f."""
    for cut in range(len(word) + 1):
        head, tail = word[:cut], word[cut:]
        if tail:
            yield head + tail[1:]
        if tail[:1] == "f":
            yield head + "ph" + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in string.ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]
