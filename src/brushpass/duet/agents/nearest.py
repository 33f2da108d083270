"""The peers' way, kept as a fair baseline: raw cosine, margins, no model of the partner and no memory.

Giver: the word whose k-th nearest own green lies furthest above the worst bad card, an assassin weighed like a
bystander, k at most 3. Guesser: the k cards nearest to the clue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from brushpass.duet.agent import Advice, Player
from brushpass.duet.agents import kernel
from brushpass.duet.agents.giver import targets
from brushpass.duet.agents.lookup import barred_words, card_scores, roles_for_partner
from brushpass.duet.agents.luce import GREEN
from brushpass.duet.agents.options import Options
from brushpass.duet.core.actions import Clue, Guess, Stop
from brushpass.duet.core.events import ClueGiven
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind

MOST = 3


class Nearest(Player):
    """A player by margins, with `mind` for both seats."""

    def __init__(self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str] = ()) -> None:
        self._scores = card_scores(mind, vocabulary, tuple(words))
        self._barred = barred_words(vocabulary)

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> Nearest:
        """`nearest:model=M`."""
        read = Options("nearest", options)
        mind, vocabulary = read.mind("model"), read.vocabulary()
        read.done()
        return cls(mind, vocabulary, words)

    def give_clue(self, view: Observation) -> Advice:
        """The clue of greatest margin."""
        roles = roles_for_partner(view)
        rows = self._scores.rows(view.words)
        best = kernel.best_margin(
            self._scores.table, rows, roles, self._barred.by(view), most=min(MOST, int((roles == GREEN).sum()))
        )
        if best.place < 0:
            raise AgentFailure("no legal clue is left in the vocabulary")
        word = self._scores.vocabulary.words[best.place]
        aimed = targets(self._scores.table[rows, best.place], roles, best.number)
        return Advice(Clue(word, best.number), aimed, {"margin": best.value})

    def guess(self, view: Observation) -> Guess | Stop:
        """The nearest open card to the last clue received, until its number is reached."""
        heard = next((e for e in reversed(view.history) if isinstance(e, ClueGiven) and e.seat is not view.seat), None)
        if view.clue is not None and view.hits >= max(view.clue.number, 1):
            return Stop()
        scores = np.zeros(len(view.words)) if heard is None else self._scores.of_clue(heard.word, view.words)
        return Guess(max(view.open_cards(), key=lambda card: scores[card]))
