"""How vectors and a norm together score a clue for a card: multi-prototype, as a card has many senses.

A card is itself and its associates. The score of (clue, card) is linear in these features:

- `cosine` of clue and card;
- `own`: the same in standard deviations over the reference words, card by card (some cards are near everything);
- `bare`: `own` once more, for cards that have no norm, so that both kinds lie on one scale;
- `associates`: the mean of the three best strength·cosine(clue, associate), likewise standardised;
- `strong`, `middling`, `weak`: whether the clue is an associate;
- `normed`: whether the card has a norm.

The weights are fitted on people's guesses, so that a score is a logit; times the mind's temperature it is a score as
any mind's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from brushpass.lexicon.families import kin
from brushpass.lexicon.normalize import fold
from brushpass.semantics.backoff import rows_of
from brushpass.semantics.norm import Norm
from brushpass.semantics.space import Floats, Space

BEST = 3
"""How many of the nearest associates speak for a card."""
STRENGTH = (1.0, 0.8, 0.6)
"""What a cosine with a strong, middling or weak associate counts."""


_NARROW = 256  # columns from which a pass a row is quicker than a partition
REFERENCE = 10_000
"""How many of the most frequent words scores are standardised over."""
FEATURES = ("cosine", "own", "bare", "associates", "strong", "middling", "weak", "normed")


@dataclass(frozen=True, eq=False)
class Blend:
    """A norm and vectors, the weights, and the rows of the reference vocabulary.

    `scales` (cards of the norm, 4) holds what `scales_of` computes for each, so that it need not be computed again.
    """

    norm: Norm
    space: Space
    weights: tuple[float, ...]
    """One a feature."""
    reference: npt.NDArray[np.intp]
    scales: Floats | None = None

    def scores(self, cosines: Floats, clues: Sequence[str], rows: npt.NDArray[np.intp], cards: Sequence[str]) -> Floats:
        """Logits (clues, cards), from the cosines of the same clues and cards; 0 where either is unknown.

        `rows` are the clues' rows in the space (any, where one is unknown).
        """
        weights = np.array(self.weights, np.float32)
        table = np.empty_like(cosines)
        for column, features in enumerate(self.features(cosines, clues, rows, cards)):
            table[:, column] = features @ weights
        return np.asarray(table * (cosines != 0))

    def features(
        self, cosines: Floats, clues: Sequence[str], rows: npt.NDArray[np.intp], cards: Sequence[str]
    ) -> Iterator[Floats]:
        """For each card its features (clues, 8), as `scores` weighs them."""
        near_clues, places = self.space.towards(rows), _places(clues)
        for column, card in enumerate(cards):
            cosine = cosines[:, column]
            features = np.zeros((len(clues), len(FEATURES)), np.float32)
            if cosine.any():
                scale, associates = self._scale(card), self._associates(card)
                features[:, 0] = cosine
                features[:, 1] = (cosine - scale[0]) / scale[1]
                if associates is None:
                    features[:, 2] = features[:, 1]
                else:
                    near = best_mean(near_clues(associates.rows) * associates.strengths[:, None])
                    features[:, 3] = (near - scale[2]) / scale[3]
                    for word in places.keys() & associates.words.keys():
                        features[places[word], 4 + associates.words[word]] = 1
                    features[:, 7] = 1
            yield features

    def scales_of(self, card: str) -> tuple[float, float, float, float]:
        """Mean and deviation of the cosines of `card` over the reference words, and those of its nearest associates."""
        rows = np.array(rows_of(card, self.space.index), np.intp)
        length = np.sqrt(max(self.space.cosines(rows, rows).sum(), 1e-6))
        cosine = self._to_reference(rows).sum(axis=0) / length
        associates = self._associates(card)
        if associates is None:
            return float(cosine.mean()), float(cosine.std()) or 1.0, 0.0, 1.0
        near = best_mean(self._to_reference(associates.rows) * associates.strengths[:, None])
        return float(cosine.mean()), float(cosine.std()) or 1.0, float(near.mean()), float(near.std()) or 1.0

    @cached_property
    def _to_reference(self) -> Callable[..., Floats]:
        return self.space.towards(self.reference)

    @cached_property
    def _kept(self) -> dict[str, int]:
        return {} if self.scales is None else {card: place for place, card in enumerate(self.norm.cards())}

    @cached_property
    def _known(self) -> dict[str, tuple[float, float, float, float]]:
        return {}

    def _scale(self, card: str) -> tuple[float, float, float, float]:
        card = fold(card)
        if card not in self._known:
            place = self._kept.get(card)
            known = self.scales_of(card) if place is None or self.scales is None else self.scales[place].tolist()
            self._known[card] = tuple(known)
        return self._known[card]

    @cached_property
    def _looked_up(self) -> dict[str, Associated | None]:
        return {}

    def _associates(self, card: str) -> Associated | None:
        card = fold(card)
        if card not in self._looked_up:
            self._looked_up[card] = self._look_up(card)
        return self._looked_up[card]

    def _look_up(self, card: str) -> Associated | None:
        listed = self.norm.of(card)
        if listed is None:
            return None
        words = {word: strength for strength in reversed(range(len(listed))) for word in listed[strength]}
        known = {word: row for word in words if (row := self.space.index.get(word)) is not None}
        if not known:
            return None
        strengths = np.array([STRENGTH[words[word]] for word in known], np.float32)
        return Associated(words, np.array(list(known.values()), np.intp), strengths)


@dataclass(frozen=True, eq=False)
class Associated:
    """The associates of a card with their strengths, and the rows and factors of those that have a vector."""

    words: dict[str, int]
    rows: npt.NDArray[np.intp]
    strengths: Floats


def reference_rows(space: Space) -> npt.NDArray[np.intp]:
    """The rows of the reference words: the most frequent ones."""
    return np.arange(min(REFERENCE, len(space)))


def best_mean(table: Floats) -> Floats:
    """The mean of the `BEST` greatest numbers of each column of `table` (n, m), n at least 1; float32 (m,)."""
    count = min(BEST, len(table))
    if table.shape[1] < _NARROW:
        return np.asarray(np.partition(table, len(table) - count, axis=0)[-count:].mean(axis=0), np.float32)
    tops = np.full((count, table.shape[1]), -np.inf, np.float32)
    for row in table:
        for place in range(count):
            higher = np.maximum(tops[place], row)
            row = np.minimum(tops[place], row)  # noqa: PLW2901 - what sinks to the next place
            tops[place] = higher
    return np.asarray(tops.mean(axis=0), np.float32)


def _places(clues: Sequence[str]) -> dict[str, list[int]]:
    """Where each clue stands, under its own and its base forms."""
    places: dict[str, list[int]] = {}
    for place, clue in enumerate(clues):
        word = fold(clue)
        for form in {word, *kin(word).keys}:
            places.setdefault(form, []).append(place)
    return places
