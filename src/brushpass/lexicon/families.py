"""Which words are forms or parts of one another (DUET §8, L3 to L5 and L9).

Two tokens are forms of one word if they share a family key; one is a part of another if it is a form of a
part of that compound. The families of some 61,000 words are looked up in `wordlists/law/families.txt`, made by
`python -m brushpass.lexicon.build`; only other words need the libraries.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from brushpass.atomic import kept
from brushpass.errors import CorruptData
from brushpass.lexicon import morphology
from brushpass.lexicon.normalize import tokens
from brushpass.lexicon.sortedlines import SortedLines
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.paths import find_data

PART = "+"
"""In a word's row: a part of it. Before a name: the row of the words that have a part with this family key."""
EXACT = "~"
"""In a word's row: a part barred as written only. Before a name: the row of the words that have this one."""
FORM = "="
"""Before a name: the row of the words with this family key besides the word itself."""
NO_PIECE = "-"
"""In a word's row: compounds are not split into it (abbreviations, names, rare words)."""
MIN_CONTAINED = 3
_CACHED = 1 << 17


@dataclass(frozen=True, slots=True)
class Kin:
    """A token's family keys, and the compound parts that may not be said while it is visible."""

    keys: frozenset[str]
    parts: tuple[str, ...]
    """Barred in all their forms."""
    exact: tuple[str, ...]
    """Barred as written only."""


@lru_cache(maxsize=_CACHED)
def kin(token: str) -> Kin:
    """The family of a folded token."""
    row = table().get(token)
    if row is None:
        row = kept("families", token, lambda: _computed(token))
    return _read(token, row)


def kin_once(token: str) -> Kin:
    """`kin`, of a word that may never come again: nothing is kept in the cache."""
    return _read(token, table().get(token) or _computed(token))


def _read(token: str, row: str) -> Kin:
    marks: dict[str, list[str]] = {"": [token], PART: [], EXACT: [], NO_PIECE: []}
    for mark in row.split():
        if mark[0] in marks:
            marks[mark[0]].append(mark[1:])
        else:
            marks[""].append(mark)
    return Kin(frozenset(marks[""]), tuple(marks[PART]), tuple(marks[EXACT]))


def _computed(token: str) -> str:
    """The row of a word the table lacks: it takes the lemmatiser, a quarter of a second to load."""
    parts, exact = morphology.parts(token, _is_piece)
    forms = sorted(morphology.keys(token) - {token})
    return " ".join((*forms, *(PART + part for part in parts), *(EXACT + part for part in exact)))


@lru_cache(maxsize=_CACHED)
def units(entry: str) -> tuple[str, ...]:
    """What of a card or clue is compared: its tokens and, if several, also the tokens joined."""
    split = tokens(entry)
    return split if len(split) == 1 else (*split, "".join(split))


def is_form(one: str, other: str) -> bool:
    """Whether two tokens are forms of one word (L3)."""
    return not kin(one).keys.isdisjoint(kin(other).keys)


def is_part(part: str, whole: str) -> bool:
    """Whether `part` is a part of the compound `whole` (L4): in any form, or as written only, as the part is."""
    return part in kin(whole).exact or any(is_form(part, piece) for piece in kin(whole).parts)


def contains(one: str, other: str) -> bool:
    """Whether one token contains the other, which has three letters or more (L5)."""
    return (len(one) >= MIN_CONTAINED and one in other) or (len(other) >= MIN_CONTAINED and other in one)


@lru_cache(maxsize=1 << 14)
def homophones(token: str) -> frozenset[str]:
    """The other words that sound like `token`, as far as the list goes (L9)."""
    sounds = morphology.load_members("homophones")
    lines = set(sounds.get(token, ()))
    if not lines:
        return frozenset()
    return frozenset(other for other, its in sounds.items() if other != token and not lines.isdisjoint(its))


def related(one: str, other: str) -> bool:
    """Whether two tokens are forms or parts of one another (L3, L4): quick once `one` has been asked about."""
    if other in relatives(one):
        return True
    return not known(other) and (is_form(one, other) or is_part(one, other) or is_part(other, one))


@lru_cache(maxsize=1 << 14)
def relatives(token: str) -> frozenset[str]:
    """The token and all known words that are forms or parts of it, or have it as a part."""
    family = kin(token)
    found = {token, *family.keys, *family.exact, *_members(EXACT + token)}
    for key in family.keys:
        found.update(_members(FORM + key), _members(PART + key))
    for part in family.parts:
        for key in kin(part).keys:
            found.add(key)
            found.update(_members(FORM + key))
    return frozenset(found)


def _members(name: str) -> list[str]:
    return (table().get(name) or "").split()


@lru_cache(maxsize=1 << 14)
def barred_by(word: str, vocabulary: Vocabulary, strict: bool = False) -> tuple[int, ...]:
    """The places in `vocabulary` of the words that may not be said while `word` is visible, ascending.

    Agrees with `ClueLaw(strict=strict)` on L2 to L5.
    """
    shown = units(word)
    words = set[str]().union(*map(relatives, shown))
    if strict:
        words.update(unit[i:j] for unit in shown for j in range(len(unit) + 1) for i in range(j - MIN_CONTAINED + 1))
    index = vocabulary.index
    barred = {index[one] for one in words if one in index}
    if strict:
        barred.update(place for unit in shown for place in _holding(unit, vocabulary))
    for place in _unlisted(vocabulary):
        said = units(vocabulary.words[place])
        if any(related(one, unit) or (strict and contains(one, unit)) for one in said for unit in shown):
            barred.add(place)
    return tuple(sorted(barred))


def _holding(token: str, vocabulary: Vocabulary) -> Iterator[int]:
    """The places of the words that contain `token` (L5)."""
    if len(token) < MIN_CONTAINED:
        return
    text, starts = _text(vocabulary)
    at = -1
    while (at := text.find(token, at + 1)) >= 0:
        yield bisect(starts, at) - 1


@lru_cache(maxsize=8)
def _text(vocabulary: Vocabulary) -> tuple[str, tuple[int, ...]]:
    """The words, one a line, and where each begins."""
    lengths = (len(word) + 1 for word in vocabulary.words)
    return "\n".join(vocabulary.words), tuple(accumulate(lengths, initial=0))


@lru_cache(maxsize=8)
def _unlisted(vocabulary: Vocabulary) -> tuple[int, ...]:
    """The places of the words that the table lacks or that have several tokens; none in the lists that ship."""
    if vocabulary.sha256 in table().header:
        return ()
    known_words = frozenset(table().names())  # one reading: a look-up a word would take half a second
    return tuple(place for place, word in enumerate(vocabulary.words) if word not in known_words)


@lru_cache(maxsize=_CACHED)
def listed(entry: str) -> bool:
    """Whether all units of an entry are known, so that `relatives` of others say all about it."""
    return all(map(known, units(entry)))


@lru_cache(maxsize=_CACHED)
def known(word: str) -> bool:
    """Whether the shipped word-frequency vocabulary has this token (L6)."""
    return word in table()


def _is_piece(word: str) -> bool:
    """Whether compounds are split into this word (L4)."""
    row = table().get(word)
    return row is not None and not row.endswith(NO_PIECE)


@lru_cache(maxsize=1)
def table() -> SortedLines:
    """The precomputed families.

    Raises:
        CorruptData: `families.txt` is not installed, or damaged.
    """
    path = find_data(*morphology.LAW, "families.txt")
    if path is None:
        raise CorruptData("families.txt is missing; reinstall brushpass or point BRUSHPASS_DATA at its data")
    return SortedLines(path)
