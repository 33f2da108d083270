"""The files of the clue vocabularies: the two first ones, and the levels of `sayable`.

A clue word of the first ones is among wordfreq's most frequent, written small in the dictionary, a noun, verb or
adjective of WordNet, its own lemma (or listed in `kept.txt`) and not listed in `unfit.txt`.
"""

from __future__ import annotations

from itertools import islice

import simplemma

from brushpass.lexicon.build.sayable import LEVELS, MIN_LETTERS, RARE, level, listed
from brushpass.lexicon.build.sources import ranks, senses, spelled_small

COUNT = 10_000
COMMON = 45_000
OPEN_CLASSES = "nva"
HEADER = """# name: {name}
# lang: en
# licence: CC BY-SA 4.0 (word frequencies of wordfreq); see NOTICE.md
# source: wordfreq, WordNet 3.0, SCOWL, simplemma; python -m brushpass.lexicon.build
# {note}
"""
LEVEL_HEADER = """# name: {name}
# lang: en
# licence: CC BY-SA 4.0 (word frequencies of wordfreq); see NOTICE.md
# source: wordfreq, WordNet 3.0, SCOWL, simplemma, the brushpass norm; python -m brushpass.lexicon.build
# rare: {rare}
# The {count:,} most sayable clue words, most frequent first; the last {rare:,} are said only where clearly best.
"""
NOTES = {
    "clues-v1": "Words fit to say as a clue, most frequent first.",
    "person-vocabulary-v1": "Frozen: figures with the simulated person rest on it. Never change it; add a v2.",
}


def text(name: str) -> str:
    """The text of the vocabulary `name`, one of `NOTES` or of `LEVELS`."""
    if name in LEVELS:
        found = level(name)
        header = LEVEL_HEADER.format(name=name, count=len(found), rare=round(RARE * len(found)))
        return header + "\n".join(found) + "\n"
    return HEADER.format(name=name, note=NOTES[name]) + "\n".join(words()) + "\n"


def words() -> list[str]:
    """The clue words, most frequent first."""
    open_class = {word for sense in senses().values() if sense.pos in OPEN_CLASSES for word in sense.words}
    unfit, kept = listed("unfit"), listed("kept")
    fit = (
        word
        for word, rank in ranks().items()
        if rank < COMMON
        and len(word) >= MIN_LETTERS
        and word in spelled_small()
        and word in open_class
        and word not in unfit
        and (word in kept or simplemma.lemmatize(word, "en").casefold() == word)
    )
    return list(islice(fit, COUNT))
