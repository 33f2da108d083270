"""The clue giver: the word and number of greatest expected value under a model of the partner's choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from brushpass.duet.agent import Advice
from brushpass.duet.agents import kernel
from brushpass.duet.agents.lookup import barred_words, card_scores, roles_for_partner
from brushpass.duet.agents.luce import GREEN, TAN
from brushpass.duet.agents.value import clue_stakes
from brushpass.duet.core.actions import Clue
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind

MOST: Final = 4
"""The highest number it says."""


class Giver:
    """Gives clues for a partner who thinks in `mind` at `temperature`."""

    def __init__(self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str], temperature: float) -> None:
        self._mind = mind
        self._scores = card_scores(mind, vocabulary, tuple(words), temperature)
        self._barred = barred_words(vocabulary)
        self._unknown: list[int] = []

    def new_game(self, words: tuple[str, ...]) -> None:
        """Note which cards the mind does not know."""
        self._unknown = [card for card, word in enumerate(words) if not self._mind.knows(word)]

    def give_clue(self, view: Observation) -> Advice:
        """The best clue not yet said. A green that the mind does not know is never a target.

        Raises:
            AgentFailure: every word of the vocabulary is barred.
        """
        roles = roles_for_partner(view)
        if self._unknown:
            roles = without_unknown(roles, self._unknown)
        cost = clue_stakes(view)
        rows = self._scores.rows(view.words)
        best = kernel.best_expected(
            self._scores.table,
            rows,
            roles,
            self._barred.by(view, repeats=False),
            tan_cost=cost.tan,
            black_cost=cost.black,
            most=min(MOST, int((roles == GREEN).sum())),
        )
        if best.place < 0:
            raise AgentFailure("no legal clue is left in the vocabulary")
        column = self._scores.table[rows, best.place]
        hits, risk = kernel.engine().turn_of_four(column, roles, best.number)
        return Advice(
            Clue(self._scores.vocabulary.words[best.place], best.number),
            targets(column, roles, best.number),
            {"expected_hits": float(hits), "assassin_risk": float(risk), "score": best.value},
        )


def without_unknown(roles: kernel.Ints, unknown: Sequence[int]) -> kernel.Ints:
    """`roles` with the unknown greens as obstacles, unless no other green is left."""
    changed = roles.copy()
    changed[[card for card in unknown if roles[card] == GREEN]] = TAN
    return changed if (changed == GREEN).any() else roles


def targets(column: kernel.Floats, roles: kernel.Ints, number: int) -> tuple[int, ...]:
    """The `number` greens nearest to the clue whose weights are `column`, nearest first."""
    weights = column.tolist()
    greens = [card for card, role in enumerate(roles.tolist()) if role == GREEN]
    return tuple(sorted(greens, key=lambda card: -weights[card])[:number])
