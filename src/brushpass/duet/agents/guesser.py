"""The guesser: exact prior, every clue so far, and stopping by expected value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from brushpass.duet.agents import belief, kernel
from brushpass.duet.agents.lookup import card_scores
from brushpass.duet.agents.value import stakes
from brushpass.duet.core.actions import Guess, Stop, Yield
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind

SURE: Final = 0.5
"""In sudden death it guesses unbidden from this probability on, else leaves it to the partner."""


class Guesser:
    """Guesses the clues of a partner who thinks in `mind` at `temperature`."""

    def __init__(self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str], temperature: float) -> None:
        self._scores = card_scores(mind, vocabulary, tuple(words), temperature)
        self._temperature = temperature
        self._felt: dict[str, belief.Floats] = {}

    def new_game(self) -> None:
        """Forget the last board."""
        self._felt.clear()

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The card of greatest expected value, or an end where none is worth it."""
        believed = self.believed(view)
        cards = list(view.open_cards())
        green, tan, black = believed[:, cards]
        if view.phase is Phase.SUDDEN:
            place = int(green.argmax())
            return Guess(cards[place]) if view.must_guess or green[place] >= SURE else Yield()
        cost = stakes(view)
        worth = green - cost.tan * tan - cost.black * black
        place = int(worth.argmax())
        return Guess(cards[place]) if view.must_guess or worth[place] > 0 else Stop()

    def believed(self, view: Observation) -> belief.Floats:
        """P(color) of every card on the partner's side, (3, 25): the prior and all its clues."""
        believed = belief.partner_prior(view)
        heard = belief.clues_heard(view)
        if heard and view.seat.other not in view.finished:
            bad = view.marks.of(view.seat)
            kernel.engine().hear(
                believed,
                np.stack([self._feel(clue.word, view.words) for clue in heard]),
                np.array([1 if clue.number else -1 for clue in heard], np.int8),
                np.array([clue.missing for clue in heard], np.int8),
                np.array([clue.open & ~(clue.found | bad) for clue in heard], np.int64),
            )
        return believed

    def _feel(self, clue: str, words: tuple[str, ...]) -> belief.Floats:
        """Score / T of every card for `clue`."""
        if clue not in self._felt:
            self._felt[clue] = self._scores.of_clue(clue, words).astype(np.float64) / self._temperature
        return self._felt[clue]
