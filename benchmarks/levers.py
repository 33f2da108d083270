"""Weaker embedding players, the rungs of the ladder in docs/strength.md: each lacks levers that the shipped one has."""

from __future__ import annotations

from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.giver import Giver
from brushpass.duet.agents.guesser import Guesser
from brushpass.duet.agents.lookup import card_scores
from brushpass.duet.agents.value import Weigh, fixed, stakes
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.lexicon.wordlists import DEFAULT, load_wordlist
from brushpass.semantics.catalog import load_mind

SHARP = 0.7
"""The share of people's temperature that the giver took before the value was fitted."""


class _Rung(Embedding):
    """A player of the mind `model` that weighs every clue and, mostly, every guess by fixed costs."""

    model = "glove-use"
    guessing: Weigh = staticmethod(fixed)

    def __init__(self) -> None:
        mind, vocabulary = load_mind(self.model), load_vocabulary()
        words = load_wordlist(DEFAULT).words
        self.giver = Giver(mind, card_scores(mind, vocabulary, words, SHARP * mind.temperature), fixed)
        self.guesser = Guesser(card_scores(mind, vocabulary, words, mind.temperature), self.guessing)


class Calibrated(_Rung):
    """Calibrated choice, fixed costs, GloVe."""

    model = "glove"


class WithNorm(_Rung):
    """And with the norm of associations."""

    model = "glove-norm"


class WithUse(_Rung):
    """And with the Universal Sentence Encoder."""


class ValueGuesser(_Rung):
    """And it stops and goes on by the fitted chance of winning."""

    guessing = staticmethod(stakes)
