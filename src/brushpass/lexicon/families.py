"""Which words are forms or parts of one another (first version: computed by the libraries)."""

from __future__ import annotations

from functools import lru_cache

from brushpass.lexicon.normalize import fold, tokens
from brushpass.lexicon.vocabulary import Vocabulary


@lru_cache(maxsize=1 << 16)
def keys(token: str) -> frozenset[str]:
    """The family keys of a token; words that share one are forms of one another."""
    import simplemma
    import snowballstemmer

    lemma = simplemma.lemmatize(token, "en").casefold()
    return frozenset({token, lemma, *snowballstemmer.stemmer("english").stemWords([token, lemma])})


def parts(token: str) -> tuple[str, ...]:
    """The parts of a compound that may not be said."""
    return ()


def is_form(one: str, other: str) -> bool:
    """Whether two tokens are forms of one word (L3)."""
    return not keys(one).isdisjoint(keys(other))


def is_part(part: str, whole: str) -> bool:
    """Whether `part` is, in any form, a part of the compound `whole` (L4)."""
    return any(is_form(part, piece) for piece in parts(whole))


def contains(one: str, other: str) -> bool:
    """Whether one token contains the other, which has three letters or more (L5)."""
    short, long = sorted((one, other), key=len)
    return len(short) >= 3 and short in long


def is_homophone(one: str, other: str) -> bool:
    """Whether two tokens sound alike (L9)."""
    return False


@lru_cache(maxsize=4096)
def barred_by(word: str, vocabulary: Vocabulary, strict: bool = False) -> tuple[int, ...]:
    """The places in `vocabulary` of the words that may not be said while `word` is visible, ascending."""
    shown = tokens(fold(word))
    return tuple(
        place
        for place, clue in enumerate(vocabulary.words)
        if clue in shown
        or any(
            is_form(clue, t) or is_part(clue, t) or is_part(t, clue) or (strict and contains(clue, t)) for t in shown
        )
    )
