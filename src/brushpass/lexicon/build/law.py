"""The table `wordlists/law/families.txt`: the family of every word a mind or a list may hold."""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import version

from brushpass.lexicon import morphology
from brushpass.lexicon.build.sources import common, ranks, spelled_small
from brushpass.lexicon.families import FORM, NO_PIECE, PART
from brushpass.lexicon.normalize import tokens
from brushpass.lexicon.vocabulary import list_vocabularies, load_vocabulary
from brushpass.lexicon.wordlists import list_wordlists, load_wordlist

TABLES = ("derivations", "unrelated", "homophones", "wordnet")

SHORT_PIECES = "ad am an as at ax be by do go he hi if in is it me my no of oh on or ox pa so to un up us we"
"""The pieces of two letters: words as one says them, and the prefix un-."""

NO_PIECES = """
ani avg bpm cad cal cis col dos eds ems esp est eta etc fer foo ftp gov hes hoc hrs hwy ids ifs iii inc ind ing ins
int ion ish ism ist lat lbs lei mar mas mes mil min mos mpg mph nos ops pas pct pol rpm sic sis sol sos tat tbs tel
tsp var vii viz vol wan wen xii xiv xvi xxx yrs able ible ness tion sion ment ious
"""
"""Abbreviations, numerals and endings among the common words, which split no compound."""

HEADER = """# name: families
# lang: en
# licence: CC BY-SA 4.0, with parts under the WordNet 3.0 licence and others, see NOTICE.md
# source: wordfreq, WordNet 3.0, simplemma, snowballstemmer, SCOWL; python -m brushpass.lexicon.build
# made-with: simplemma {simplemma}, snowballstemmer {snowballstemmer}
# covers: {covers}
# A word's row: its family keys besides itself, +part for each part of it, - if compounds are not split into it.
# =key: the words with that key besides itself; +key: the words that have a part with that key.
"""


def table() -> str:
    """The text of the table, sorted by name."""
    words = sorted({*common(), *_tabled(), *_listed()})
    lexicon = frozenset(word for word in words if splits(word))
    keys = {word: morphology.keys(word) for word in words}
    parts = {word: morphology.parts(word, lexicon.__contains__) for word in words}
    rows: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        rows[word] = [*sorted(keys[word] - {word}), *(PART + piece for piece in parts[word])]
        if word not in lexicon:
            rows[word].append(NO_PIECE)
        for key in keys[word] - {word}:
            rows[FORM + key].append(word)
        for key in {key for piece in parts[word] for key in keys[piece]}:
            rows[PART + key].append(word)
    header = HEADER.format(
        covers=" ".join(sorted({load_vocabulary(name).sha256 for name in list_vocabularies()})),
        **{name: version(name) for name in ("simplemma", "snowballstemmer")},
    )
    return header + "\n" + "".join(f"{name}\t{' '.join(rows[name])}\n" for name in sorted(rows, key=str.encode))


def splits(word: str) -> bool:
    """Whether compounds are split into this word: a common word that is one as one says it."""
    if len(word) <= 2:
        return word in SHORT_PIECES.split()
    if word in NO_PIECES.split() or word not in ranks():
        return False
    return len(word) > 3 or word in spelled_small()


def _tabled() -> set[str]:
    return {word for name in TABLES for word in morphology.load_members(name) if word.isalpha()}


def _listed() -> set[str]:
    lists = [load_wordlist(name).words for name in list_wordlists()]
    lists += [load_vocabulary(name).words for name in list_vocabularies()]
    return {token for words in lists for word in words for token in tokens(word)}
