"""How vectors and a norm together score a clue for a card: multi-prototype, as a card has many senses.

The score of (clue, card) is linear in these features:

- `own`: the cosine of clue and card in standard deviations over the reference words, card by card (some cards are
  near everything);
- `bare`: `own` once more, for cards that have no norm, so that both kinds lie on one scale;
- `associates`: the mean of the three best strength·cosine(clue, associate of the card), likewise standardised;
- `graph`: the cosine of clue and card in the norm's graph, where words are near if they share associates, likewise;
- `back`: whether the card, in whatever form, is an associate of the clue: the greatest strength;
- `second` and `third`, if there are more spaces: the cosine of clue and card there, standardised like the first.

What is standardised levels off (`LEVEL`): from some point on, nearer is not surer, and one stranger is as strange as
another. The weights are fitted on people's guesses, so that a score is a logit; times the mind's temperature it is a
score as any mind's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from brushpass.lexicon.families import kin
from brushpass.lexicon.normalize import fold
from brushpass.semantics.backoff import LONGEST, rows_of, spellings
from brushpass.semantics.norm import Norm
from brushpass.semantics.space import Floats, Space

BEST = 3
"""How many of the nearest associates speak for a card."""
STRENGTH = (1.0, 0.8, 0.6)
"""What a cosine with a strong, middling or weak associate counts."""
LEVEL = 4.0
"""Standard deviations above the mean that nothing standardised goes beyond: x becomes LEVEL·tanh(x / LEVEL)."""
BELOW = 0.5
"""The same below the mean."""

_NARROW = 256  # columns from which a pass a row is quicker than a sort
REFERENCE = 10_000
"""How many of the most frequent words scores are standardised over."""
FEATURES = ("own", "bare", "associates", "graph", "back")
OPINIONS = ("second", "third")
"""The features of further spaces, which come last."""

Spread = tuple[float, float]
"""Mean and standard deviation."""
Scale = tuple[Spread, ...]
"""Of a card: the spread of its cosines, its nearest associates', in the graph, and in each further space."""
LACKING: Spread = (0.0, 1.0)
Nearness = Callable[[npt.NDArray[np.intp]], Floats]
"""From n rows of the space to their cosines (n, clues) with the clues asked about."""


@dataclass(frozen=True, eq=False)
class Blend:
    """A norm with its graph and vectors, the weights, and the rows of the reference vocabulary.

    `scales` (cards of the norm, 3 and one an opinion, 2) holds what `scales_of` computes for each, so that it need not
    be computed again.
    """

    norm: Norm
    graph: Space
    space: Space
    weights: tuple[float, ...]
    """One a feature."""
    reference: npt.NDArray[np.intp]
    scales: Floats | None = None
    opinions: tuple[Space, ...] = ()
    """The words as other sources have them; each may lack some."""

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in the order of their weights."""
        return features_with(len(self.opinions))

    def scores(self, cosines: Floats, clues: Sequence[str], nearness: Nearness, cards: Sequence[str]) -> Floats:
        """Logits (clues, cards), from the cosines of the same clues and cards; 0 where either is unknown."""
        weights = np.array(self.weights, np.float32)[:, None]
        table = np.empty_like(cosines)
        for column, features in enumerate(self.features(cosines, clues, nearness, cards)):
            table[:, column] = in_order(features.T * weights)
        return np.asarray(table * (cosines != 0))

    def features(
        self, cosines: Floats, clues: Sequence[str], nearness: Nearness, cards: Sequence[str]
    ) -> Iterator[Floats]:
        """For each card its features (clues, one a name), as `scores` weighs them."""
        said, forms = [forms_of(clue) for clue in clues], [forms_of(card) for card in cards]
        back = self._back(said, frozenset().union(*forms))
        beside = [(self.names.index(name), space, *_within(space, said)) for name, space in self._beside]
        for column, card in enumerate(cards):
            features = np.zeros((len(self.names), len(clues)), np.float32)
            cosine = cosines[:, column]
            if cosine.any():
                own, associates, *spreads = self._scale(card)
                features[0] = _standard(cosine, own)
                listed = self._associates(card)
                if listed is None:
                    features[1] = features[0]
                else:
                    near = nearness(listed.rows) * listed.strengths[:, None]
                    features[2] = _standard(best_mean(near), associates)
                for (feature, space, places, towards), spread in zip(beside, spreads, strict=True):
                    if (row := row_in(space, forms[column])) is not None:
                        features[feature, places] = _standard(towards(np.array([row]))[0], spread)
                for form in {*forms[column]}:
                    for place, strength in back.get(form, ()):
                        features[4, place] = max(features[4, place], strength)
            yield features.T

    @property
    def _beside(self) -> tuple[tuple[str, Space], ...]:
        """The features that are cosines in spaces of their own, in the order of a card's spreads."""
        return (("graph", self.graph), *zip(OPINIONS, self.opinions, strict=False))

    def _back(self, clues: Sequence[list[str]], words: frozenset[str]) -> dict[str, list[tuple[int, float]]]:
        """For each of `words` that a clue (its forms) makes people think of: those clues' places, and how strongly."""
        found: dict[str, list[tuple[int, float]]] = {}
        for place, forms in enumerate(clues):
            for strength, associates in zip(STRENGTH, self.norm.first_of(forms) or (), strict=False):
                for word in words.intersection(associates):
                    found.setdefault(word, []).append((place, strength))
        return found

    def scales_of(self, card: str) -> Scale:
        """The `Scale` of a card, `LACKING` what it lacks."""
        rows = np.array(rows_of(card, self.space.index), np.intp)
        length = np.sqrt(max(self.space.cosines(rows, rows).sum(), 1e-6))
        cosine = self._to_reference(rows).sum(axis=0) / length
        nearest = LACKING
        if (associates := self._associates(card)) is not None:
            nearest = _spread(best_mean(self._to_reference(associates.rows) * associates.strengths[:, None]))
        forms, beside = forms_of(card), []
        for name, space in self._beside:
            row = row_in(space, forms)
            beside.append(LACKING if row is None else _spread(self._to_all[name](np.array([row]))[0]))
        return _spread(cosine), nearest, *beside

    @cached_property
    def _to_reference(self) -> Callable[..., Floats]:
        return self.space.towards(self.reference)

    @cached_property
    def _to_all(self) -> dict[str, Nearness]:
        return {name: space.towards(np.arange(len(space))) for name, space in self._beside}

    @cached_property
    def _kept(self) -> dict[str, int]:
        return {} if self.scales is None else {card: place for place, card in enumerate(self.norm.cards())}

    @cached_property
    def _known(self) -> dict[str, Scale]:
        return {}

    def _scale(self, card: str) -> Scale:
        card = fold(card)
        if card not in self._known:
            place = self._kept.get(card)
            known = self.scales_of(card) if place is None or self.scales is None else self.scales[place].tolist()
            self._known[card] = known
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
        listed = self.norm.first_of(spellings(card))
        if listed is None:
            return None
        words = {word: strength for strength, words in zip(STRENGTH, listed, strict=True) for word in words}
        known = {row: words[word] for word in words if (row := self.space.index.get(word)) is not None}
        if not known:
            return None
        return Associated(np.array(list(known), np.intp), np.array(list(known.values()), np.float32))


@dataclass(frozen=True, eq=False)
class Associated:
    """The rows of a card's associates, those that have a vector, and their strengths."""

    rows: npt.NDArray[np.intp]
    strengths: Floats


def level(values: Floats) -> Floats:
    """What nears `LEVEL` or, below zero, -`BELOW`, and never goes beyond."""
    ends = np.where(values > 0, np.float32(LEVEL), np.float32(BELOW))
    return np.asarray(ends * np.tanh(values / ends, dtype=np.float64), np.float32)


def reference_rows(space: Space) -> npt.NDArray[np.intp]:
    """The rows of the reference words: the most frequent ones."""
    return np.arange(min(REFERENCE, len(space)))


def features_with(opinions: int) -> tuple[str, ...]:
    """The features of a blend with so many further spaces."""
    return (*FEATURES, *OPINIONS[:opinions])


def row_in(space: Space, forms: Sequence[str]) -> int | None:
    """The row of the first of a word's `forms` that has one, or None."""
    return next((row for form in forms if (row := space.index.get(form)) is not None), None)


def best_mean(table: Floats) -> Floats:
    """The mean of the `BEST` greatest numbers of each column of `table` (n, m), n at least 1; float32 (m,)."""
    count = min(BEST, len(table))
    if table.shape[1] < _NARROW:
        return in_order(-np.sort(-table, axis=0)[:count]) / np.float32(count)
    tops = np.full((count, table.shape[1]), -np.inf, np.float32)
    for row in table:
        for place in range(count):
            higher = np.maximum(tops[place], row)
            row = np.minimum(tops[place], row)  # noqa: PLW2901 - what sinks to the next place
            tops[place] = higher
    return in_order(tops) / np.float32(count)


def in_order(rows: Floats) -> Floats:
    """The sum of `rows` (n, m), one after another, (m,): BLAS and numpy add in an order of their own."""
    return np.asarray(sum(rows[1:], rows[0]))


def forms_of(word: str) -> list[str]:
    """A word as it stands and as it may be spelt, then its base forms."""
    spelt = spellings(word)
    return [*spelt, *sorted(kin(spelt[0]).keys - {*spelt})] if len(spelt[0]) <= LONGEST else [*spelt]


def _within(space: Space, words: Sequence[list[str]]) -> tuple[npt.NDArray[np.intp], Nearness]:
    """The places of the words (their forms) that are in `space`, and their cosines with rows of it."""
    rows = {place: row for place, forms in enumerate(words) if (row := row_in(space, forms)) is not None}
    return np.array(list(rows), np.intp), space.towards(np.array(list(rows.values()), np.intp))


def _standard(values: Floats, spread: Spread) -> Floats:
    mean, deviation = spread
    return level((values - mean) / deviation)


def _spread(values: Floats) -> Spread:
    return float(values.mean()), float(values.std()) or 1.0
