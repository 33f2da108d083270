"""The peers' way, kept as a fair baseline: raw cosine, margins, no model of the partner and no memory.

Giver: the word whose k-th nearest own green lies furthest above the worst bad card, an assassin weighed like a
bystander, k at most 3. Guesser: the k cards nearest to the clue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brushpass.duet.agent import Advice, Player
from brushpass.duet.agents import kernel
from brushpass.duet.agents.lookup import barred_words, card_scores, roles_for_partner
from brushpass.duet.agents.options import Options
from brushpass.duet.core.actions import Clue, Guess, Stop
from brushpass.duet.core.cards import Card
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind

MOST = 3


class Nearest(Player):
    """A player by margins, with `mind` for both seats."""

    def __init__(self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str] = ()) -> None:
        self.scores = card_scores(mind, vocabulary, tuple(words))
        self.barred = barred_words(vocabulary, mind)
        self._words: tuple[str, ...] = ()
        self._heard: Clue | None = None
        self._order: list[Card] = []
        """The cards by their nearness to the clue heard."""

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> Nearest:
        """`nearest:model=M`."""
        read = Options("nearest", options)
        mind, vocabulary = read.mind("model"), read.vocabulary()
        read.done()
        return cls(mind, vocabulary, words)

    def give_clue(self, view: Observation) -> Advice:
        """The clue of greatest margin."""
        scores, roles = self.scores, roles_for_partner(view)
        rows, barred = scores.rows(view.words), self.barred.by(view)
        most = min(MOST, roles.greens.bit_count())
        place, number, margin, near, *_ = kernel.engine().margin_clue(scores.table, rows, *roles, *barred, most)
        if place < 0:
            raise AgentFailure("no legal clue is left in the vocabulary")
        return Advice(Clue(scores.vocabulary.words[place], number), near[:number], {"margin": margin})

    def guess(self, view: Observation) -> Guess | Stop:
        """The nearest open card to the last clue received, until its number is reached."""
        clue = view.clue
        if clue is None:  # sudden death
            clue = next(reversed(view.heard()), None)
        elif view.hits >= max(clue.number, 1):
            return Stop()
        if view.words is not self._words or clue is not self._heard:
            self._words, self._heard = view.words, clue
            self._order = [*range(len(view.words))]
            if clue is not None:
                scores = self.scores.of_clue(clue.word, view.words).tolist()
                self._order.sort(key=scores.__getitem__, reverse=True)
        open_cards = view.touchable()
        for card in self._order:
            if open_cards >> card & 1:
                return Guess(card)
        raise AgentFailure("no card is left to touch")
