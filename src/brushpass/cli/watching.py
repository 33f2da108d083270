"""Bot against bot for somebody who watches: both sides of the key, what each clue means, and time to read."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING

from brushpass.cli.screen import Screen
from brushpass.duet.agents.roster import build_agent
from brushpass.duet.core.cards import BySeat
from brushpass.duet.core.events import ClueGiven
from brushpass.duet.render import spectator_line, spectator_standing, worth_telling
from brushpass.duet.session import Session

if TYPE_CHECKING:
    from brushpass.duet.record import GameRecord
    from brushpass.duet.savedgame import SavedGame


class Watching:
    """A game of two bots on `screen`, with `pace` seconds after each thing that happens."""

    def __init__(self, game: SavedGame, screen: Screen, pace: float) -> None:
        agents = BySeat(*(build_agent(spec, game.setup.board.words) for spec in game.names))
        self._screen = screen
        self._pace = pace
        self._told = 0
        self._session = Session(game, agents, self._show)

    def play(self) -> GameRecord:
        """Play to the end."""
        self._screen.both_sides(self._session.game.setup, 0)
        return self._session.play()

    def _show(self, session: Session) -> None:
        """What has just happened; with a new clue also where the game stood."""
        words, state = session.game.setup.board.words, session.state
        new, self._told = session.history[self._told :], len(session.history)
        for event in worth_telling(new):
            if isinstance(event, ClueGiven) and self._told > len(new):
                self._screen.both_sides(session.game.setup, state.covered)
                self._screen.lines([spectator_standing(state)])
            meant = session.game.trace[-1].get("targets", ()) if isinstance(event, ClueGiven) else ()
            self._screen.lines([spectator_line(event, words, meant)])
            sleep(self._pace)
        self._screen.told(session.history)
