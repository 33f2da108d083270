"""The clue giver: the word and number of greatest expected value under a model of the partner's choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from brushpass.duet.agent import Advice
from brushpass.duet.agents import kernel
from brushpass.duet.agents.lookup import barred_words, card_scores, roles_for_partner
from brushpass.duet.agents.value import stakes
from brushpass.duet.core.actions import Clue
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind

MOST = 4
"""The highest number it says."""


class Giver:
    """Gives clues for a partner who thinks in `mind` at `temperature`."""

    def __init__(
        self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str], temperature: float, *, compiled: bool
    ) -> None:
        self._scores = card_scores(mind, vocabulary, tuple(words), temperature)
        self._barred = barred_words(vocabulary)
        self._compiled = compiled
        self._weights = np.zeros((0, 0), np.float32)

    def new_game(self, words: tuple[str, ...]) -> None:
        """Copy the board's rows."""
        self._weights = self._scores.board(words)

    def give_clue(self, view: Observation) -> Advice:
        """The best clue not yet said.

        Raises:
            AgentFailure: every word of the vocabulary is barred.
        """
        roles = roles_for_partner(view)
        barred = self._barred.by(view, repeats=False)
        cost = stakes(view)
        greens = int((roles == kernel.GREEN).sum())
        best = kernel.best_expected(
            self._weights, roles, barred, cost.tan, cost.black, min(MOST, greens), compiled=self._compiled
        )
        if best.place < 0:
            raise AgentFailure("no legal clue is left in the vocabulary")
        column = self._weights[:, best.place].tolist()
        turn = expected_turn(column, roles.tolist(), best.number)
        near = sorted((card for card in view.greens_left() if roles[card]), key=lambda card: -column[card])
        return Advice(
            Clue(self._scores.vocabulary.words[best.place], best.number),
            tuple(near[: best.number]),
            {"expected_hits": turn.hits, "assassin_risk": turn.assassin, "score": best.value},
        )


class ExpectedTurn(NamedTuple):
    """A partner's turn on one clue: greens found before the first miss, and the probability of an assassin."""

    hits: float
    assassin: float


def expected_turn(weights: Sequence[float], roles: Sequence[int], number: int) -> ExpectedTurn:
    """What a partner does who touches up to `number` cards by Luce's rule without replacement: exact.

    Args:
        weights: exp(score / T) of the cards.
        roles: kernel roles of the cards.
        number: cards touched at most.
    """
    greens = [card for card, role in enumerate(roles) if role == kernel.GREEN]
    black = sum(weight for weight, role in zip(weights, roles, strict=True) if role == kernel.BLACK)
    total = sum(weight for weight, role in zip(weights, roles, strict=True) if role != kernel.OUT)
    hits = assassin = 0.0
    found: dict[int, float] = {0: 1.0}
    for _ in range(min(number, len(greens))):
        reached: dict[int, float] = {}
        for mask, probability in found.items():
            rest = total - sum(weights[card] for card in greens if mask >> card & 1)
            assassin += probability * black / rest
            for card in greens:
                if not mask >> card & 1:
                    after = mask | 1 << card
                    reached[after] = reached.get(after, 0.0) + probability * weights[card] / rest
        found = reached
        hits += sum(found.values())
    return ExpectedTurn(hits, assassin)
