"""Which words a mind should understand: far more than may be said, and names too, for people say those as clues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from brushpass.lexicon.normalize import fold, tokens
from brushpass.lexicon.vocabulary import list_vocabularies, load_vocabulary
from brushpass.lexicon.wordlists import list_wordlists, load_wordlist

COMMON = 50_000
"""How many of wordfreq's most frequent English words of the letters a to z."""
NUMBERS = tuple(str(number) for number in (*range(101), *range(1900, 2031)))
"""Counts and years: a clue may be a number (DUET §8, L8)."""


def understood() -> list[str]:
    """The words to build a mind from, folded, distinct, most frequent first.

    The `COMMON` words, `NUMBERS`, and every entry of the word lists and clue vocabularies with its parts.
    """
    from wordfreq import top_n_list, zipf_frequency

    letters = (word for word in top_n_list("en", 2 * COMMON) if re.fullmatch("[a-z]+", word))
    common = list(islice(letters, COMMON))
    extra = sorted({*NUMBERS, *listed()} - set(common))
    return common + sorted(extra, key=lambda word: -zipf_frequency(word, "en"))


def listed() -> Iterator[str]:
    """The entries of the word lists and clue vocabularies with their parts, folded; some more than once."""
    lists = [load_wordlist(name) for name in list_wordlists()]
    for words in (
        *(listed.words for listed in lists if listed.lang.startswith("en")),
        *(load_vocabulary(name).words for name in list_vocabularies()),
    ):
        for word in words:
            yield fold(word)
            yield from tokens(word)
