"""The table `wordlists/dictionary/glosses.txt`: rare words of WordNet, each by a few common ones that say what it is.

A word's row has at most `MOST` common nouns: the other words of its first sense, then those of its definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

import simplemma

from brushpass.lexicon.build.sayable import UNDERSTOOD, listed
from brushpass.lexicon.build.sources import FILES, WORDNET, Sense, common, senses, spelled_small

MOST: Final = 3
COMMON: Final = 20_000
"""How many of the most frequent words may say what another is."""
RAREST: Final = 1.5
"""Zipf frequency of the rarest word told; below that nobody says it."""
SHORTEST: Final = 3
VAGUE: Final = """
act action activity amount and any are being can case cause condition day device event for form found from genus
group half having individual its kind lack large like line living long made make making manner many may measure
member month more most not number object one other out part people period person place process property quality
resulting set six small some someone something sort state substance that the their thing three time two type
unit use used usually various way which who with work
"""
"""Nouns, as WordNet has it, that tell nothing."""
HEADER: Final = """# name: glosses
# lang: en
# licence: WordNet 3.0 licence (Princeton University), see NOTICE.md
# source: WordNet 3.0; python -m brushpass.lexicon.build
# A rare word, a tab, and common words that say what it is.
"""


def table() -> str:
    """The text of the table, sorted by word."""
    from wordfreq import zipf_frequency

    known = frozenset(common(UNDERSTOOD))
    rows = {
        word: told
        for word, sense in _first_senses()
        if re.fullmatch("[a-z0-9]+", word) and len(word) >= SHORTEST and word not in known
        if zipf_frequency(word, "en") >= RAREST and (told := _told(word, sense))
    }
    return HEADER + "\n" + "".join(f"{word}\t{' '.join(rows[word])}\n" for word in sorted(rows, key=str.encode))


def _first_senses() -> Iterator[tuple[str, Sense]]:
    """Each word with the first sense of the first part of speech that it has, of noun, verb, adjective and adverb."""
    seen: set[str] = set()
    for pos, name in FILES.items():
        for line in (WORDNET / f"index.{name}").read_text(encoding="utf-8").splitlines():
            word, _, rest = line.partition(" ")
            if word and word not in seen:
                seen.add(word)
                fields = rest.split()
                yield word, senses()[pos, fields[-int(fields[1])]]


def _told(word: str, sense: Sense) -> tuple[str, ...]:
    """The other words of the sense, then the nouns of its definition; fewer than two tell too little."""
    same = [_lemma(piece) for other in sense.words for piece in other.lower().split("_")]
    definition = re.sub(r"\([^)]*\)", " ", sense.gloss.split(";")[0]).lower()
    said = [_lemma(piece) for piece in re.findall("[a-z]+", definition)]
    fit = dict.fromkeys(piece for piece in (*same, *said) if piece in _telling() and piece != word)
    return tuple(fit)[:MOST]


@lru_cache(maxsize=1)
def _telling() -> frozenset[str]:
    """The common nouns, vague ones left out."""
    nouns = {word for sense in senses().values() if sense.pos == "n" for word in sense.words if len(word) >= SHORTEST}
    return spelled_small() & nouns & frozenset(common(COMMON)) - frozenset(VAGUE.split()) - listed("unfit")


@cache
def _lemma(word: str) -> str:
    return simplemma.lemmatize(word, "en").casefold()
