"""The guesser: exact prior, every clue so far, and stopping by expected value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from brushpass.duet.agents import belief
from brushpass.duet.agents.lookup import card_scores
from brushpass.duet.agents.value import stakes
from brushpass.duet.core.actions import Guess, Stop, Yield
from brushpass.duet.core.cards import ALL_CARDS, Color, Mask, cards_of
from brushpass.duet.core.events import CardTouched, ClueGiven
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind

SURE = 0.5
"""In sudden death it guesses unbidden from this probability on, else leaves it to the partner."""


@dataclass(slots=True)
class Heard:
    """A clue of the partner: what could be meant when it was said, and what was found in its turn."""

    clue: ClueGiven
    open: Mask
    hits: list[int] = field(default_factory=list)


class Guesser:
    """Guesses the clues of a partner who thinks in `mind` at `temperature`."""

    def __init__(self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str], temperature: float) -> None:
        self._scores = card_scores(mind, vocabulary, tuple(words), temperature)
        self._temperature = temperature

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The card of greatest expected value, or an end where none is worth it."""
        believed = self.believed(view)
        cards = list(view.open_cards())
        green = believed[belief.GREEN, cards]
        if view.phase is Phase.SUDDEN:
            place = int(green.argmax())
            return Guess(cards[place]) if view.must_guess or green[place] >= SURE else Yield()
        cost = stakes(view)
        worth = green - cost.tan * believed[belief.TAN, cards] - cost.black * believed[belief.BLACK, cards]
        place = int(worth.argmax())
        return Guess(cards[place]) if view.must_guess or worth[place] > 0 else Stop()

    def believed(self, view: Observation) -> belief.Floats:
        """P(color) of every card on the partner's side, (3, 25): the prior and all its clues."""
        believed = belief.partner_prior(view)
        if view.seat.other in view.finished:
            return believed
        bad = view.marks.of(view.seat)
        for heard in clues_heard(view):
            felt = self._scores.of_clue(heard.clue.word, view.words).astype(np.float64) / self._temperature
            candidates = cards_of(heard.open & ~bad)
            candidates = tuple(card for card in candidates if card not in heard.hits)
            believed = belief.with_clue(believed, felt, heard.clue.number, heard.hits, candidates)
        return believed


def clues_heard(view: Observation) -> list[Heard]:
    """The partner's clues in order."""
    heard: list[Heard] = []
    out: Mask = 0
    for event in view.history:
        if isinstance(event, ClueGiven) and event.seat is not view.seat:
            heard.append(Heard(event, ALL_CARDS & ~out))
        elif isinstance(event, CardTouched):
            if event.color is Color.GREEN:
                out |= 1 << event.card
                if event.seat is view.seat and heard:
                    heard[-1].hits.append(event.card)
            elif event.seat is view.seat:
                out |= 1 << event.card
    return heard
