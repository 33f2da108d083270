"""A player that reads its actions from a list: for tests, and to play a recorded game again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brushpass.duet.agent import Advice, Player
from brushpass.duet.core.actions import Action, Clue, Guess, Stop, Yield
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure


class ScriptedAgent(Player):
    """Plays `actions`, its own alone, in order; every game begins with the first."""

    def __init__(self, actions: Sequence[Action | Advice]) -> None:
        self._actions = tuple(actions)
        self._left: Iterator[Action | Advice] = iter(self._actions)

    def new_game(self, view: Observation, seed: int) -> None:
        """Back to the first action."""
        del view, seed
        self._left = iter(self._actions)

    def give_clue(self, view: Observation) -> Clue | Advice:
        """The next action, which must be a clue; raises AgentFailure otherwise."""
        action = self._next(view)
        if isinstance(action, Clue | Advice):
            return action
        raise AgentFailure(f"the script says {action} where a clue is due")

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The next action, which must not be a clue; raises AgentFailure otherwise."""
        action = self._next(view)
        if isinstance(action, Clue | Advice):
            raise AgentFailure(f"the script says {action} where a guess is due")
        return action

    def _next(self, view: Observation) -> Action | Advice:
        for action in self._left:
            return action
        raise AgentFailure(f"the script of {view.seat} has run out after {len(self._actions)} actions")
