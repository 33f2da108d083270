"""How sayable a word is: how readily a person would say it as a clue, and the levels made of that.

The score of a word adds up

- its Zipf frequency (wordfreq): the base-ten logarithm of how often it comes in a billion words;
- how many cards of the association norm list it, as `AT_HAND` times the binary logarithm: what comes to people's mind;
- how concrete it is, times `CONCRETE`: the share of its uses in which it is a noun for what one can point at, by
  WordNet's counts of senses, each sense given half a use over its place besides, so that none goes without.

A level is the words of the greatest score that are fit to say, by frequency. The rarest of them count as rare.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from math import log2
from pathlib import Path
from typing import Final

import simplemma

from brushpass.lexicon.build.sources import WORDNET, common, ranks, senses, spelled_small
from brushpass.lexicon.wordlists import read_entries

LEVELS: Final = {"easy": 2_000, "normal": 5_000, "rich": 10_000}
"""How many words each has."""
RARE: Final = 0.12
"""The share of a level that counts as rare."""
AT_HAND: Final = 0.3
CONCRETE: Final = 0.6
POINTED_AT: Final = frozenset({5, 6, 8, 13, 14, 15, 17, 18, 19, 20, 25, 27})
"""WordNet's files of animals, artifacts, body, food, groups, places, objects, people, phenomena, plants, shapes and
substances."""
UNDERSTOOD: Final = 50_000
"""How many of the most frequent words minds are made to know (`semantics.build.understood`)."""
MIN_LETTERS: Final = 3
POS: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
DIGITS: Final = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
NORM: Final = Path("models/norm/associations.tsv")


def level(name: str) -> list[str]:
    """The words of a level, most frequent first."""
    best = sorted(_fit(), key=lambda word: (-score(word), ranks()[word]))[: LEVELS[name]]
    return sorted(best, key=ranks().__getitem__)


def score(word: str) -> float:
    """How sayable a word is."""
    from wordfreq import zipf_frequency

    frequency: float = zipf_frequency(word, "en")
    return frequency + AT_HAND * log2(1 + _at_hand()[word]) + CONCRETE * _concrete().get(word, 0.0)


@lru_cache(maxsize=1)
def _fit() -> list[str]:
    """Nouns, verbs and adjectives in their base form, no names, nothing crude; a plural only without its singular."""
    open_class = {word for sense in senses().values() if sense.pos in "nva" for word in sense.words}
    unfit = listed("unfit") | listed("unsaid")
    words = {
        word
        for word in common(UNDERSTOOD)
        if len(word) >= MIN_LETTERS and word in spelled_small() and word in open_class and word not in unfit
    }
    lemma = {word: simplemma.lemmatize(word, "en").casefold() for word in words}
    return [word for word in words if lemma[word] == word or (word in listed("kept") and lemma[word] not in words)]


@lru_cache(maxsize=3)
def listed(name: str) -> frozenset[str]:
    """The words of a list beside this file."""
    return frozenset(word for line in read_entries(Path(__file__).with_name(f"{name}.txt"))[1] for word in line.split())


@lru_cache(maxsize=1)
def _at_hand() -> Counter[str]:
    """Of how many cards the norm lists each word."""
    _, _, rows = NORM.read_text(encoding="utf-8").partition("\n\n")
    lists = (row.split("\t")[1:] for row in rows.splitlines())
    return Counter(word for row in lists for listed in row for word in listed.split(", "))


@lru_cache(maxsize=1)
def _concrete() -> dict[str, float]:
    """The share of each word's uses that name what one can point at, 0 to 1."""
    counted: Counter[tuple[str, str, int]] = Counter()
    for line in (WORDNET / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        word, _, key = line.partition("%")
        kind, count = key.split()[0].split(":"), key.split()[-1]
        counted[word, DIGITS[kind[0]], int(kind[1])] += int(count)
    uses: defaultdict[str, float] = defaultdict(float)
    concrete: defaultdict[str, float] = defaultdict(float)
    for name in POS:
        files = _files(name)
        for word, *fields in _lines(f"index.{name}"):
            for place, offset in enumerate(fields[-int(fields[1]) :], start=1):
                weight = 0.5 / place + counted.pop((word, name, files[offset]), 0)
                uses[word] += weight
                concrete[word] += weight * (name == "noun" and files[offset] in POINTED_AT)
    return {word: concrete[word] / total for word, total in uses.items()}


def _files(name: str) -> dict[str, int]:
    """The number of the lexicographer's file of each synset."""
    return {fields[0]: int(fields[1]) for fields in _lines(f"data.{name}")}


def _lines(name: str) -> list[list[str]]:
    text = (WORDNET / name).read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if not line.startswith("  ")]
