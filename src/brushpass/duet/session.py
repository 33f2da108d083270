"""A game between two players that is watched after every action, and may be left, gone on with and taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from brushpass import seeds
from brushpass.duet.agent import Advice, Agent, Player
from brushpass.duet.agents.human import TakenBack
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import BySeat, KeySide, Seat
from brushpass.duet.core.events import Event
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import State
from brushpass.duet.observation import Observation
from brushpass.duet.record import GameRecord
from brushpass.duet.referee import Table
from brushpass.duet.savedgame import SavedGame
from brushpass.duet.usage import Usage, added, usage_of


class Session:
    """A table at which `game` goes on.

    `after` is called after every action, before anybody is asked for the next: whoever keeps the game or shows it
    has then seen all of it.
    """

    def __init__(self, game: SavedGame, agents: BySeat[Agent], after: Callable[[Session], None]) -> None:
        self.game = game
        self._after = after
        self._told = len(game.moves)
        self._salt = seeds.salt(game.seed)
        self._players = agents
        self._before = game.usage
        """What the game has cost before the players began to count."""
        self._agents = BySeat[Agent](*(_Watched(agent, self._look) for agent in agents))
        self._table = self._laid()

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self._table.state

    @property
    def history(self) -> tuple[Event, ...]:
        """What has happened."""
        return self._table.history

    def play(self) -> GameRecord:
        """Play to the end, from wherever the game stands.

        Raises:
            LeftTheTable: a person left; `game` is what may be gone on with.
        """
        while True:
            self._table, self._before = self._laid(), self.game.usage
            try:
                outcome, reason = self._table.play()
            except TakenBack as back:
                self.take_back(back.seat)
            else:
                self._look()
                return self._record(outcome, reason)

    def take_back(self, seat: Seat) -> None:
        """Go back to before the last action of `seat`."""
        self.game = self.game.taken_back(seat)
        self._table = self._laid()
        self._told = len(self.game.moves)
        self._after(self)

    def _laid(self) -> Table:
        """A table on which the game stands as it was left."""
        game = self.game
        table = Table(game.setup, self._agents, seed=game.seed, salt=self._salt)
        if game.setup.first is None:
            self.game = game = replace(game, setup=table.state.setup)
        table.state, table.history = game.position()
        table.moves, table.trace = list(game.moves), list(game.trace)
        return table

    def _look(self) -> None:
        table = self._table
        if len(table.moves) == self._told:
            return
        self._told = len(table.moves)
        self.game = replace(self.game, moves=tuple(table.moves), trace=tuple(table.trace), usage=self._usage())
        self._after(self)

    def _record(self, outcome: Outcome, reason: Reason | None) -> GameRecord:
        game = replace(self.game, trace=tuple(self._table.trace), usage=self._usage())
        return game.record(outcome, reason, self.state)

    def _usage(self) -> Usage:
        return added(self._before, usage_of(self._players))


class _Watched(Player):
    """A player before whose every turn `look` is called."""

    def __init__(self, agent: Agent, look: Callable[[], None]) -> None:
        self._agent = agent
        self._look = look

    def new_game(self, view: Observation, seed: int) -> None:
        self._agent.new_game(view, seed)

    def give_clue(self, view: Observation) -> Clue | Advice:
        self._look()
        return self._agent.give_clue(view)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        self._look()
        return self._agent.guess(view)

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        self._look()
        self._agent.end(outcome, reason, key_a, key_b)
