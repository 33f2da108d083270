"""A player that says and does anything legal: for tests, and as the floor under every figure."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from brushpass.duet.agent import Player
from brushpass.duet.agents.options import Options
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure

MOST = 3


class RandomAgent(Player):
    """Legal clues drawn from `words`, none twice; then any open card, sometimes a stop or a yield."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._unsaid: list[str] = []
        self._rng = random.Random(0)

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> RandomAgent:
        """`random:vocabulary=V`."""
        del words
        read = Options("random", options)
        vocabulary = read.vocabulary()
        read.done()
        return cls(vocabulary.words)

    def new_game(self, view: Observation, seed: int) -> None:
        """Take up all the words again."""
        del view
        self._rng = random.Random(seed)
        self._unsaid = list(self._words)

    def give_clue(self, view: Observation) -> Clue:
        """A word the clue law allows, and a number from 1 to 3.

        Raises:
            AgentFailure: no legal word is left.
        """
        law, visible = ClueLaw(view.rules.relax), view.visible()
        while self._unsaid:
            place = self._rng.randrange(len(self._unsaid))
            self._unsaid[place], self._unsaid[-1] = self._unsaid[-1], self._unsaid[place]
            word = self._unsaid.pop()
            if law.check(word, visible).legal:
                return Clue(word, self._rng.randint(1, MOST))
        raise AgentFailure(f"none of the {len(self._words)} clue words is legal and unsaid: give the agent more")

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """Any open card; where allowed, half the time a stop or a yield."""
        if not view.must_guess and self._rng.random() < 0.5:
            return Yield() if view.phase is Phase.SUDDEN else Stop()
        return Guess(self._rng.choice(view.open_cards()))
