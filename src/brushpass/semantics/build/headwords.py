"""Which words the association norm is written for: a rule, not a pick (`models/norm/README.md`).

Needs Debian's `wordnet-base` and the `[build]` extra. The rule was fixed before any list of associations was begun:

1. every entry of the word list there was, `english`;
2. the commonest nouns of WordNet whose first sense is a thing one can touch, and then those one of whose first three
   senses can at least be pointed at;
3. the best-known places;
4. the commonest verbs and adjectives with a meaning of their own;
5. our own additions, `models/norm/additions.txt`;
6. of the other words that may be said as clues, the most frequent: abstract things, deeds and properties, which are
   cards less often but are said of cards all the time (this part was added later, for a second round of writing).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from brushpass.lexicon.build.sayable import DIGITS, POINTED_AT
from brushpass.lexicon.build.sources import WORDNET
from brushpass.lexicon.normalize import fold
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist, read_entries

PLACES: Final = 15
THINGS: Final = frozenset({5, 6, 8, 13, 17, 20, 27})
"""WordNet's files of animals, artifacts, body, food, objects, plants and substances: what one can touch."""
SENSES: Final = 3
TOUCHED: Final = 1500
POINTED: Final = 1300
VERBS: Final = 110
ADJECTIVES: Final = 110
FREQUENT: Final = 3000
PLACE_FREQUENCY: Final = 4.25
"""Zipf frequency (wordfreq) from which a place is well known."""


def headwords(additions: Path) -> list[str]:
    """The headwords, sorted."""
    words = {fold(word) for word in load_wordlist("english").words}
    words.update(_commonest(_nouns(THINGS, 1), TOUCHED), _commonest(_nouns(POINTED_AT, SENSES), POINTED), _places())
    words.update(_commonest(_bases("verb"), VERBS), _commonest(_bases("adj"), ADJECTIVES))
    words.update(fold(word) for word in read_entries(additions)[1])
    words.update(_commonest(_sayable() - words, FREQUENT))
    return sorted(words)


def _commonest(words: Iterable[str], count: int) -> list[str]:
    from wordfreq import zipf_frequency

    return sorted(set(words), key=lambda word: (-zipf_frequency(word, "en"), word))[:count]


def _lines(name: str) -> Iterator[list[str]]:
    with (WORDNET / name).open(encoding="utf-8") as file:
        for line in file:
            if not line.startswith("  "):
                yield line.split()


@cache
def _sayable() -> frozenset[str]:
    """The clue vocabulary: base forms, no function words, nothing crude, no names."""
    return frozenset(load_vocabulary("clues-v1").words)


def _nouns(kinds: Container[int], senses: int) -> Iterator[str]:
    """The sayable nouns one of whose first `senses` senses is of these kinds, and no name."""
    synsets = {fields[0]: (int(fields[1]), fields[4]) for fields in _lines("data.noun")}
    for word, *fields in _lines("index.noun"):
        listed = [synsets[sense] for sense in fields[-int(fields[1]) :][:senses]]
        if word in _sayable() and any(kind in kinds and name[0].islower() for kind, name in listed):
            yield word


def _places() -> Iterator[str]:
    from wordfreq import zipf_frequency

    for fields in _lines("data.noun"):
        name = fields[4]
        place = int(fields[1]) == PLACES and "@i" in fields and name[0].isupper() and name.isalpha()
        if place and zipf_frequency(name, "en") >= PLACE_FREQUENCY and name.lower() not in _sayable():
            yield name.lower()


def _bases(kind: str) -> Iterator[str]:
    """Words that WordNet has seen more often as this part of speech than as a noun."""
    counts: dict[str, dict[str, int]] = {}
    for sense, _, count in _lines("cntlist.rev"):
        word, _, rest = sense.partition("%")
        of = counts.setdefault(word, {})
        of[DIGITS[rest[0]]] = of.get(DIGITS[rest[0]], 0) + int(count)
    for word, of in counts.items():
        if of.get(kind, 0) > sum(count for other, count in of.items() if other != kind) and word in _sayable():
            yield word
