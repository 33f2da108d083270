"""The guesser: exact prior, every clue so far, and stopping by expected value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from brushpass.duet.agents import kernel, luce
from brushpass.duet.agents.belief import CluesHeard, Floats, known, partner_prior
from brushpass.duet.agents.lookup import card_scores
from brushpass.duet.agents.value import NOTHING, stakes
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
        self._heard = CluesHeard(self._scores.of_clue)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The card of greatest expected value, or an end where none is worth it."""
        heard = self._heard
        heard.hear(view)
        sudden = view.phase is Phase.SUDDEN
        tan_cost, black_cost = NOTHING if sudden else stakes(view)
        card, worth = kernel.engine().best_guess(
            *known(view), heard.weights, heard.clues, heard.count, view.touchable(), tan_cost, black_cost
        )
        if view.must_guess or (worth >= SURE if sudden else worth > 0):
            return Guess(card)
        return Yield() if sudden else Stop()

    def believed(self, view: Observation) -> Floats:
        """What `guess` weighs: P(green), P(tan), P(black) of every card on the partner's side, float64 (3, 25)."""
        heard = self._heard
        heard.hear(view)
        belief = partner_prior(view)
        if view.seat.other not in view.finished:
            luce.hear(
                belief, heard.weights, heard.clues, heard.count, view.found.of(view.seat), view.marks.of(view.seat)
            )
        return belief
