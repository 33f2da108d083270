"""The table `wordlists/law/families.txt`: the family of every word a mind or a list may hold."""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import version

from brushpass.lexicon import morphology
from brushpass.lexicon.build.sources import common, ranks, spelled_small
from brushpass.lexicon.families import EXACT, FORM, NO_PIECE, PART
from brushpass.lexicon.normalize import tokens
from brushpass.lexicon.vocabulary import PERSON, load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist

CARDS = ("english",)
CLUES = ("clues-v1", PERSON)
"""The lists there were when the suite duet-1 froze the table."""
TABLES = ("derivations", "unrelated", "homophones", "wordnet")

NO_PIECES = """
ani avg bpm cad cal cis col dos eds ems esp est eta etc fer foo ftp gov hes hoc hrs hwy ids ifs iii inc ind ing ins
int ion ish ism ist lat lbs lei mar mas mes mil min mos mpg mph nos ops pas pct pol rpm sic sis sol sos tat tbs tel
tsp var vii viz vol wan wen xii xiv xvi xxx yrs able ible ness tion sion ment ious ate hid wich
"""
"""Abbreviations, numerals and endings among the common words, which split no compound."""

FOREPARTS = "mega micro tele"
"""Pieces the dictionary lacks: TELE+PHONE."""

HEADER = """# name: families
# lang: en
# licence: CC BY-SA 4.0, with parts under the WordNet 3.0 licence and others, see NOTICE.md
# source: wordfreq, WordNet 3.0, simplemma, snowballstemmer, SCOWL; python -m brushpass.lexicon.build
# made-with: simplemma {simplemma}, snowballstemmer {snowballstemmer}
# covers: {covers}
# A word's row: its family keys besides itself, +part for each part of it barred in all forms, ~part for each
# barred as written only, - if compounds are not split into it.
# =key: the words with that key besides itself; +key: the words that have a part with that key; ~part likewise.
"""


def table() -> str:
    """The text of the table, sorted by name."""
    words = sorted({*common(), *_tabled(), *_listed()})
    lexicon = frozenset(word for word in words if splits(word))
    keys = {word: morphology.keys(word) for word in words}
    parts = {word: morphology.parts(word, lexicon.__contains__) for word in words}
    rows: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        forms, exact = parts[word]
        rows[word] = [
            *sorted(keys[word] - {word}),
            *(PART + piece for piece in forms),
            *(EXACT + piece for piece in exact),
        ]
        if word not in lexicon:
            rows[word].append(NO_PIECE)
        for key in keys[word] - {word}:
            rows[FORM + key].append(word)
        for key in {key for piece in forms for key in keys[piece]}:
            rows[PART + key].append(word)
        for piece in exact:
            rows[EXACT + piece].append(word)
    header = HEADER.format(
        covers=" ".join(sorted({load_vocabulary(name).sha256 for name in CLUES})),
        **{name: version(name) for name in ("simplemma", "snowballstemmer")},
    )
    return header + "\n" + "".join(f"{name}\t{' '.join(rows[name])}\n" for name in sorted(rows, key=str.encode))


def splits(word: str) -> bool:
    """Whether compounds are split into this word of three letters or more: a common word, and no name."""
    if word in FOREPARTS.split():
        return True
    return word in ranks() and word in spelled_small() and word not in NO_PIECES.split()


def _tabled() -> set[str]:
    return {word for name in TABLES for word in morphology.load_members(name) if word.isalpha()}


def _listed() -> set[str]:
    lists = [load_wordlist(name).words for name in CARDS]
    lists += [load_vocabulary(name).words for name in CLUES]
    return {token for words in lists for word in words for token in tokens(word)}
