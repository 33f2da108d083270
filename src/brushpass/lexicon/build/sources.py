"""What the recipes read: word frequencies, WordNet and the spelling dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

WORDNET = Path("/usr/share/wordnet")  # Debian's wordnet-base
DICTIONARY = Path("/usr/share/dict/american-english")  # Debian's wamerican (SCOWL)

COMMON = 60_000
"""How many of the most frequent English words of the letters a to z are known words."""

POINTERS = ("+", "\\")  # derivationally related form, pertainym
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


@lru_cache(maxsize=1)
def ranks() -> dict[str, int]:
    """Words of the letters a to z, most frequent first, with their place."""
    from wordfreq import top_n_list

    letters = (word for word in top_n_list("en", 3 * COMMON) if re.fullmatch("[a-z]+", word))
    return {word: place for place, word in enumerate(letters)}


def common(count: int = COMMON) -> list[str]:
    """The `count` most frequent words."""
    return list(ranks())[:count]


@lru_cache(maxsize=1)
def spelled_small() -> frozenset[str]:
    """The dictionary's words that are written small."""
    return frozenset(word for word in DICTIONARY.read_text(encoding="utf-8").split() if re.fullmatch("[a-z]+", word))


@dataclass(frozen=True)
class Sense:
    """A WordNet synset: its part of speech, its words as written, and its links from word to word."""

    pos: str
    offset: str
    words: tuple[str, ...]
    links: tuple[tuple[str, int, str, str, int], ...]
    """(pointer, number of the word here, part of speech and offset there, number of the word there)."""
    gloss: str


@lru_cache(maxsize=1)
def senses() -> dict[tuple[str, str], Sense]:
    """WordNet's synsets by part of speech and offset (the format of wndb(5))."""
    return {(sense.pos, sense.offset): sense for pos, name in FILES.items() for sense in _read(pos, name)}


def _read(pos: str, name: str) -> Iterator[Sense]:
    for line in (WORDNET / f"data.{name}").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        data, _, gloss = line.partition(" | ")
        cells = data.split()
        count = int(cells[3], 16)
        words = tuple(re.sub(r"\((a|p|ip)\)$", "", cells[4 + 2 * number]) for number in range(count))
        start = 5 + 2 * count
        links = []
        for at in range(start, start + 4 * int(cells[start - 1]), 4):
            pointer, offset, other, numbers = cells[at : at + 4]
            if numbers != "0000":
                here, there = divmod(int(numbers, 16), 256)
                links.append((pointer, here, "a" if other == "s" else other, offset, there))
        yield Sense(pos, cells[0], words, tuple(links), gloss.strip())


def irregular() -> Iterator[tuple[str, str]]:
    """WordNet's irregular inflections: (inflected, base)."""
    for name in FILES.values():
        for line in (WORDNET / f"{name}.exc").read_text(encoding="utf-8").splitlines():
            inflected, *bases = line.split()
            yield from ((inflected, base) for base in bases)
