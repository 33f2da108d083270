"""The clue giver: the word and number of greatest expected value under a model of the partner's choice."""

from __future__ import annotations

from typing import Final

from brushpass.duet.agent import Advice
from brushpass.duet.agents import kernel
from brushpass.duet.agents.lookup import Roles, Scores, barred_words, roles_for_partner
from brushpass.duet.agents.value import Place, Weigh, stakes
from brushpass.duet.core.actions import Clue
from brushpass.duet.core.cards import Mask
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure
from brushpass.semantics.mind import Mind

MOST: Final = 4
"""The highest number it says."""


class Giver:
    """Gives clues, of words that `mind` knows, for a partner who thinks as `scores` tell.

    `weigh` says what each touch is worth.
    """

    def __init__(self, mind: Mind, scores: Scores, weigh: Weigh = stakes) -> None:
        self.scores = scores
        self.barred = barred_words(scores.vocabulary, mind)
        self.weigh = weigh

    def give_clue(self, view: Observation) -> Advice:
        """The best clue not yet said, or if all are, the best. A green that the mind does not know is never a target.

        Raises:
            AgentFailure: every word of the vocabulary is barred.
        """
        scores, worth = self.scores, self.weigh(Place.of(view, mine=True))
        roles = without_unknown(roles_for_partner(view), scores.unknown(view.words))
        rows, most = scores.rows(view.words), min(MOST, roles.greens.bit_count())
        for repeats in (False, True):
            barred = self.barred.by(view, repeats=repeats)
            place, number, value, near, hits, risk = kernel.engine().expected_clue(
                scores.table, rows, *roles, *barred, worth, most
            )
            if place >= 0:
                break
        else:
            raise AgentFailure("no legal clue is left in the vocabulary")
        return Advice(
            Clue(scores.vocabulary.words[place], number),
            near[:number],
            {"expected_hits": hits, "assassin_risk": risk, "score": value},
        )


def without_unknown(roles: Roles, unknown: Mask) -> Roles:
    """`roles` with the unknown greens as obstacles, unless no other green is left."""
    greens, tans, blacks = roles
    if not greens & unknown or not greens & ~unknown:
        return roles
    return Roles(greens & ~unknown, tans | greens & unknown, blacks)
