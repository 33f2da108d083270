"""What WordNet says of a word: the words it is linked with, and those its glosses mention.

Reads the dictionary files of Debian's `wordnet-base` (WordNet 3.0; its notice is in NOTICE.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from brushpass.errors import CorruptData
from brushpass.lexicon.build.sources import WORDNET
from brushpass.semantics.build.cleaning import unit
from brushpass.semantics.space import Floats

PARTS: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
"""WordNet's files, and the letter by which pointers name them (`s` stands for `a`)."""
COLLOCATION: Final = 0.5
"""What it counts that two words stand in one entry (`fire engine`)."""
PART_GLOSS: Final = 0.3
"""What a gloss counts for a word that is part of the entry."""
MOST: Final = 3.0
"""No link counts more, however often it is found."""
_FREQUENT_IN_GLOSSES: Final = 100
"""That many of the commonest words in glosses say nothing."""


@dataclass(frozen=True)
class Synset:
    """Words of one meaning, the meanings it points to, and the words of its gloss."""

    lemmas: tuple[str, ...]
    pointers: tuple[str, ...]
    gloss: frozenset[str]


def neighbours(words: Sequence[str], vectors: Floats) -> Floats:
    """For each word the unit mean of the vectors of the words WordNet connects it with, (n, d); zero without any.

    Links count 1, mentions in a gloss by their rarity (idf²/100).

    Raises:
        CorruptData: WordNet's files are not in `WORDNET`.
    """
    from scipy.sparse import csr_matrix

    index = {word: row for row, word in enumerate(words)}
    links = _links(_synsets(index), index)
    places = np.array(list(links), np.intp).reshape(-1, 2)
    weights = np.fromiter(links.values(), np.float64, len(links))
    matrix: Any = csr_matrix((weights, (places[:, 0], places[:, 1])), shape=(len(words),) * 2)
    means = matrix @ vectors.astype(np.float64)
    connected = np.linalg.norm(means, axis=1) > 0
    means[connected] = unit(means[connected])
    return np.asarray(means, np.float32)


def _synsets(index: dict[str, int]) -> dict[str, Synset]:
    synsets = {}
    for part, letter in PARTS.items():
        try:
            lines = (WORDNET / f"data.{part}").read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise CorruptData(f"cannot read WordNet: {error}; install Debian's wordnet-base") from error
        for line in lines:
            if not line.startswith("  "):
                data, _, gloss = line.partition("|")
                synsets[letter + data[:8]] = _synset(data.split(), gloss, index)
    return synsets


def _synset(fields: list[str], gloss: str, index: dict[str, int]) -> Synset:
    count = int(fields[3], 16)
    lemmas = tuple(fields[4 + 2 * place].lower().partition("(")[0] for place in range(count))
    first = 5 + 2 * count
    pointers = (fields[first + 4 * place : first + 4 * place + 3] for place in range(int(fields[first - 1])))
    return Synset(
        lemmas,
        tuple(part.replace("s", "a") + offset for _, offset, part in pointers),
        frozenset(_lemma(word) for word in re.findall("[a-z]+", gloss.lower())) & index.keys(),
    )


def _lemma(word: str) -> str:
    import simplemma

    return simplemma.lemmatize(word, "en").lower()


def _links(synsets: dict[str, Synset], index: dict[str, int]) -> dict[tuple[int, int], float]:
    frequency = Counter(word for synset in synsets.values() for word in synset.gloss)
    dull = {word for word, _ in frequency.most_common(_FREQUENT_IN_GLOSSES)}
    rarity = {word: (math.log(len(synsets) / count) / 10) ** 2 for word, count in frequency.items() if word not in dull}
    links: Counter[tuple[int, int]] = Counter()
    glosses: Counter[tuple[int, int]] = Counter()
    for synset in synsets.values():
        own = [lemma for lemma in synset.lemmas if lemma in index]
        parts = {part for lemma in synset.lemmas if "_" in lemma for part in lemma.split("_") if part in index}
        targets = [lemma for pointer in synset.pointers for lemma in synsets[pointer].lemmas if lemma in index]
        for one, other in _pairs(own, [*own, *targets]):
            links[index[one], index[other]] += 1
        for one, other in _pairs(parts, parts):
            links[index[one], index[other]] += COLLOCATION  # type: ignore[assignment]
        for word in synset.gloss & rarity.keys():
            for one, other in _pairs(own, [word]):
                glosses[index[one], index[other]] += rarity[word]  # type: ignore[assignment]
            for one, other in _pairs(parts, [word]):
                glosses[index[one], index[other]] += PART_GLOSS * rarity[word]  # type: ignore[assignment]
    weights = {pair: min(float(count), MOST) for pair, count in links.items()}
    for pair, count in glosses.items():
        weights[pair] = weights.get(pair, 0.0) + min(float(count), MOST)
    return weights


def _pairs(ones: Sequence[str] | set[str], others: Sequence[str] | set[str]) -> Iterator[tuple[str, str]]:
    return ((one, other) for one in ones for other in others if one != other)
