"""The table `wordlists/law/wordnet.txt`: derivations and irregular inflections among common words.

Words linked in WordNet as derivationally related or as pertainyms, whose first three letters agree, are one
family, words of `unrelated.txt` excepted; a base's irregular inflections belong to its family, so that an
inflection may have several families.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from brushpass.lexicon.build.sources import POINTERS, irregular, ranks, senses
from brushpass.lexicon.morphology import load_members

COMMON = 75_000  # words of a family: somewhat more than the known ones
SHARED_LETTERS = 3
HEADER = """# name: wordnet
# lang: en
# licence: WordNet 3.0 licence (Princeton University), see NOTICE.md
# source: WordNet 3.0; python -m brushpass.lexicon.build
# Derivations and irregular inflections: each line's words are forms of one another (L3).
"""


def table() -> str:
    """The text of the table, families by their most frequent word, in alphabetical order."""
    families = _derivations()
    head = {word: family[0] for family in families.values() for word in family}
    for inflected, base in sorted(set(_inflections())):
        first = head.setdefault(base, base)
        family = families.setdefault(first, [first])
        if inflected not in family:
            family.append(inflected)
    lines = [" ".join(family) for _, family in sorted(families.items()) if len(family) > 1]
    return HEADER + "\n" + "\n".join(lines) + "\n"


def _derivations() -> dict[str, list[str]]:
    """Families by their most frequent word, which comes first."""
    parent: dict[str, str] = {}

    def root(word: str) -> str:
        while parent.setdefault(word, word) != word:
            word = parent[word]
        return word

    for one, other in sorted(set(_links())):
        first, second = sorted((root(one), root(other)), key=ranks().__getitem__)
        parent[second] = first
    families: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(parent, key=ranks().__getitem__):
        families[root(word)].append(word)
    return dict(families)


def _links() -> Iterator[tuple[str, str]]:
    for sense in senses().values():
        for pointer, here, pos, offset, there in sense.links:
            one, other = sense.words[here - 1].lower(), senses()[pos, offset].words[there - 1].lower()
            alike = one != other and one[:SHARED_LETTERS] == other[:SHARED_LETTERS]
            if alike and pointer in POINTERS and _common(one) and _common(other):
                yield one, other


def _inflections() -> Iterator[tuple[str, str]]:
    return ((one, base) for one, base in irregular() if _common(one) and _common(base) and one != base)


def _common(word: str) -> bool:
    return ranks().get(word, COMMON) < COMMON and word not in load_members("unrelated")
