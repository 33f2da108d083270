"""Families computed: lemmatiser, stemmer and the exception lists of `wordlists/law` (DUET §8, L3 and L4).

This is how `families.txt` is made, and what answers for words it lacks. The libraries are imported late.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import unaccented
from brushpass.lexicon.wordlists import read_entries
from brushpass.paths import find_data

_SHORT_WORDS = "ad am an as at ax do go he hi if it me my no of oh or ox pa so us we"

LAW = ("wordlists", "law")
MIN_PART = 3  # letters of a part that may not be said; the other part has two or more
PARTICLES = frozenset(("be", "by", "in", "is", "on", "to", "un", "up"))
SHORT_WORDS = frozenset(_SHORT_WORDS.split())
ENDINGS = ("ings", "ing", "ships", "ship")

Members = dict[str, tuple[str, ...]]
"""Each word's families, by the family's first word."""


@lru_cache(maxsize=1 << 12)
def keys(token: str) -> frozenset[str]:
    """The family keys of a token: tokens that share one are forms of one word.

    They are the token, its lemma, the first words of its families in `derivations.txt`, and either the
    first word of its line in `unrelated.txt` or its stem and its families in `wordnet.txt`.
    """
    forms = {token} if token in load_members("unrelated") else {token, *lemmas(token)}
    found = {*forms, *_families("derivations", forms)}
    alone = set(_families("unrelated", forms))
    if alone:
        return frozenset(found | alone)
    return frozenset(found | set(_stems(forms)) | set(_families("wordnet", forms)))


def parts(token: str, is_piece: Callable[[str], bool]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts that may not be said of every split of `token`, or of what it inflects, into two pieces.

    Two kinds: parts barred in all their forms, and parts barred as written only, because what is left is a
    word of two letters, as a rule there by chance (HE+ART). `is_piece` answers for words of three letters or more.
    """
    forms: dict[str, None] = {}
    exact: dict[str, None] = {}
    for word in sorted(lemmas(token) - {token} or {token}):
        for cut in _cuts(word, is_piece):
            pieces = word[:cut], word[cut:]
            short = next((piece for piece in pieces if len(piece) < MIN_PART), None)
            if all(is_piece(piece) for piece in pieces if piece is not short):
                into = forms if short is None or short in PARTICLES else exact if short in SHORT_WORDS else {}
                into.update((piece, None) for piece in pieces if piece is not short)
    return tuple(forms), tuple(piece for piece in exact if piece not in forms)


def _cuts(word: str, is_piece: Callable[[str], bool]) -> Iterable[int]:
    """Where `word` may be split: not inside the base of a word in -ing or -ship (BANK+ING holds no KING)."""
    for ending in ENDINGS:
        base = word.removesuffix(ending)
        if base != word and len(base) >= MIN_PART and (is_piece(base) or is_piece(base + "e")):
            return (len(base),)
    return range(2, len(word) - 1)


def lemmas(token: str) -> frozenset[str]:
    """The base forms of a token: without possessive and accents, and its lemma if it is English letters."""
    plain = unaccented(token.removesuffix("'s").removesuffix("'")) or token
    if not (plain.isascii() and plain.isalpha()):
        return frozenset({plain})
    import simplemma

    return frozenset({plain, simplemma.lemmatize(plain, "en").casefold()} - ({token} if plain == token else set()))


def _stems(forms: Iterable[str]) -> list[str]:
    words = [form for form in forms if form.isascii() and form.isalpha()]
    if not words:
        return []
    import snowballstemmer

    stems: list[str] = snowballstemmer.stemmer("english").stemWords(words)
    return stems


def _families(table: str, forms: Iterable[str]) -> Iterator[str]:
    members = load_members(table)
    for form in forms:
        yield from members.get(form, ())


@lru_cache(maxsize=8)
def load_members(table: str) -> Members:
    """Read a table of families, one a line, its words split by spaces.

    Raises:
        CorruptData: the table is not installed, or not readable.
    """
    path = find_data(*LAW, f"{table}.txt")
    if path is None:
        raise CorruptData(
            f"the word table {table}.txt is missing; reinstall brushpass or point BRUSHPASS_DATA at its data"
        )
    members: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for line in read_entries(path)[1]:
        words = line.split()
        for word in words:
            members[word] += (words[0],)
    return dict(members)
