"""The guesser: exact prior, every clue so far, and stopping by expected value."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents import kernel, luce
from brushpass.duet.agents.belief import STOP, CluesHeard, Floats, known, partner_prior
from brushpass.duet.agents.lookup import Scores
from brushpass.duet.agents.value import AHEAD, Place, Weigh, stakes
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import BITS, Card, Mask
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation

SHARPNESS: Final = 0.7
"""What a partner means by a clue is surer than what it touches: at this share of the temperature."""
LAST: Final = np.array([1, 0, 0], np.float32)
"""The stakes of sudden death: any miss is the end, so only the chance of a hit counts."""
SURE: Final = 0.5
"""In sudden death it guesses unbidden from this probability on, else leaves it to the partner."""


class Guesser:
    """Guesses the clues of a partner who thinks as `scores` tell; `weigh` says what each touch is worth."""

    def __init__(self, scores: Scores, weigh: Weigh = stakes) -> None:
        self.scores = scores
        self.weigh = weigh
        self._heard = CluesHeard(self._meaning)
        self._ahead = np.empty(AHEAD, np.int64)
        self._plan: list[Card] = []
        """What to touch next while each is a hit."""
        self._clue: Clue | None = None
        self._found: Mask = 0
        """The clue and the own finds of which the plan goes on."""

    def _meaning(self, clue: str, words: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """The weight of every card for what `clue` means."""
        weights = self.scores.of_clue(clue, words)
        return np.power(weights, np.float32(1 / SHARPNESS), dtype=np.float64).astype(np.float32)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The card of greatest expected value, or an end where none is worth it."""
        if view.phase is Phase.SUDDEN:
            return self._guess_in_sudden_death(view)
        if not self._plan or view.clue is not self._clue or view.found.of(view.seat) != self._found:
            self._think_ahead(view)
        card = self._plan.pop(0)
        if card == STOP:
            return Stop()
        self._found |= BITS[card]
        if view.key.greens & BITS[card]:
            self._plan = []  # as a hit it is found on the own side too, which the plan has not reckoned with
        return Guess(card)

    def _think_ahead(self, view: Observation) -> None:
        """Plan the rest of a turn: while it goes well, nothing new is learned."""
        heard = self._heard
        heard.hear(view)
        planned = kernel.engine().plan_turn(
            *known(view),
            heard.weights,
            heard.clues,
            heard.count,
            view.touchable(),
            self.weigh(Place.of(view, mine=False)),
            view.must_guess,
            self._ahead,
        )
        self._plan = self._ahead[:planned].tolist()
        self._clue, self._found = view.clue, view.found.of(view.seat)

    def _guess_in_sudden_death(self, view: Observation) -> Guess | Yield:
        heard = self._heard
        heard.hear(view)
        card, sure = kernel.engine().best_guess(
            *known(view), heard.weights, heard.clues, heard.count, view.touchable(), LAST
        )
        return Guess(card) if view.must_guess or sure >= SURE else Yield()

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
