"""People of other habits: one who stops early, and one who remembers old clues and goes beyond the number.

Both are a `Person` in all else: clues, noise, sudden death. They are partners to train and to measure with.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from brushpass.duet.agents.options import Options
from brushpass.duet.agents.person import Person
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import Card, Color
from brushpass.duet.core.events import CardTouched, ClueGiven
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation
from brushpass.semantics.choice import probabilities

SURE: Final = 0.15
"""The chance among the open cards from which a card is sure enough: three times what a blind choice of 20 gives."""


class Choosy(Person):
    """A person to whom it matters how sure it is of a card."""

    sure = SURE

    def take_habits(self, options: Options) -> None:
        """Read `sure`, the chance from which a card is sure enough."""
        self.sure = options.number("sure", SURE)

    def best(self, clue: str, view: Observation) -> tuple[float, Card]:
        """The chance it gives the likeliest open card for `clue`, and that card."""
        cards = view.open_cards()
        chances = probabilities(self.felt(clue, view.words)[[*cards]], 1.0)
        place = int(np.argmax(chances))
        return float(chances[place]), cards[place]


class Cautious(Choosy):
    """Stops early: after its first guess it touches no card that it is not sure enough of, whatever the number."""

    NAME = "cautious"

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """What a person guesses, or a stop before it."""
        if view.phase is Phase.GUESS and view.clue is not None and view.hits:
            chance, _ = self.best(view.clue.word, view)
            if chance < self.sure:
                return Stop()
        return super().guess(view)


class Eager(Choosy):
    """Goes beyond the number, to a card it is sure of: for this clue, or for an old one that promised more."""

    NAME = "eager"

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """What a person guesses, and more."""
        action = super().guess(view)
        if not isinstance(action, Stop) or view.clue is None:
            return action
        chance, card = max(self.best(clue, view) for clue in {view.clue.word, *owed(view)})
        return Guess(card) if chance >= self.sure else action


def owed(view: Observation) -> dict[str, int]:
    """The partner's clues with a number that this seat did not reach in their turn, and how many cards are due."""
    due: dict[str, int] = {}
    clue: Clue | None = None
    for event in view.history:
        if isinstance(event, ClueGiven):
            clue = Clue(event.word, event.number) if event.seat is not view.seat else None
            if clue is not None:
                due[clue.word] = clue.number
        elif isinstance(event, CardTouched) and clue is not None and event.color is Color.GREEN:
            due[clue.word] -= 1
    return {word: count for word, count in due.items() if count > 0}
