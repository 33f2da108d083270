"""The graph of a norm as vectors: words are near each other if they share associates.

As for words that share neighbours in texts (Levy, Goldberg and Dagan 2015, "Improving distributional similarity"):
the weights of the links become positive pointwise mutual information, their matrix is reduced by a truncated singular
value decomposition, and a word's vector is its row times the root of the singular values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from brushpass.semantics.blend import STRENGTH
from brushpass.semantics.norm import Norm
from brushpass.semantics.space import Space

DIM: Final = 120
LEAST: Final = 5
"""By how many cards a word must be listed to be in the graph; the cards themselves are."""
SMOOTHING: Final = 0.75
"""The power of a word's share of all links: rare words would else seem informative (the same paper)."""
FLOOR: Final = 0.01
"""What a link says at least, so that no word is left without a direction."""
TINY: Final = 1e-9
SEED: Final = 0


def graph(norm: Norm, dim: int = DIM, least: int = LEAST) -> Space:
    """The words of the norm, sorted, with their vectors of at most `dim` numbers.

    A word that these dimensions tell nothing of is left out.
    """
    from sklearn.utils.extmath import randomized_svd

    links = list(_links(norm))
    listed = Counter(word for _, word, _ in links)
    cards = set(norm.cards())
    words = sorted(cards | {word for word, count in listed.items() if count >= least})
    table = _informative(words, links)
    left, values, _ = randomized_svd(table, min(dim, max(len(words) - 1, 1)), n_iter=4, random_state=SEED)
    vectors = left * np.sqrt(values)
    placed = np.abs(vectors).max(axis=1) > TINY
    return Space.from_vectors([word for word, kept in zip(words, placed, strict=True) if kept], vectors[placed])


def _links(norm: Norm) -> Iterator[tuple[str, str, float]]:
    """Each card with each of its associates, and how much the link counts."""
    for card in norm.cards():
        for strength, words in zip(STRENGTH, norm.of(card) or (), strict=False):
            for word in words:
                yield card, word, strength


def _informative(words: list[str], links: list[tuple[str, str, float]]) -> Any:  # noqa: ANN401 - scipy has no types
    """Positive pointwise mutual information between `words`, sparse; a word is linked with itself too."""
    from scipy.sparse import csr_matrix, identity

    index = {word: row for row, word in enumerate(words)}
    kept = [(index[card], index[word], weight) for card, word, weight in links if word in index]
    rows, columns, weights = np.array(kept).reshape(-1, 3).T
    one_way = csr_matrix((weights, (rows.astype(int), columns.astype(int))), shape=(len(words),) * 2)
    table = (one_way.maximum(one_way.T) + identity(len(words))).tocoo()
    totals = np.asarray(table.sum(axis=1)).ravel()
    shares = totals**SMOOTHING / (totals**SMOOTHING).sum()
    information = np.log(table.data / totals[table.row] / shares[table.col])
    return csr_matrix((np.maximum(information, FLOOR), (table.row, table.col)), shape=table.shape)
