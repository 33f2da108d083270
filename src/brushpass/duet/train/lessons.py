"""What simulated games teach: what became of every touch, and from which places the game was won."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from brushpass.duet.agents.value import BLACK, SIDE, STOP, TAN, Place
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Stop
from brushpass.duet.core.cards import AGENTS, Color, Seat
from brushpass.duet.core.events import CardTouched
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import State
from brushpass.duet.observe import observe
from brushpass.duet.record import GameRecord, replay

Ints = NDArray[np.int64]

MOST_HITS: Final = 4
"""More hits in a turn are counted as so many."""
HIT: Final = 3
"""How a touch comes out, beside `STOP`, `TAN` and `BLACK`, which end the turn."""
EVENT: Final = {Color.GREEN: HIT, Color.TAN: TAN, Color.BLACK: BLACK}


class Lessons:
    """What games taught, counted; the order of the games makes no difference.

    Attributes:
        games: how many.
        touches: how touches came out, by role (0: the bot gave the clue, 1: its partner), agents of that giver left
            when the turn began (of the partner's those that are its alone), hits before in the turn, and event,
            (2, 10, 5, 4).
        sudden: guesses in sudden death by who made them (0: the partner, 1: the bot), agents left, and whether they
            were right, (2, 16, 2).
        stood: the places before a clue of each game by its id, and whether it was won.
    """

    def __init__(self) -> None:
        self.games = 0
        self.touches = np.zeros((2, SIDE + 1, MOST_HITS + 1, HIT + 1), np.int64)
        self.sudden = np.zeros((2, AGENTS + 1, 2), np.int64)
        self.stood: dict[str, tuple[list[Place], bool]] = {}

    def learn(self, record: GameRecord, bot: Seat) -> None:
        """Count a game in which the bot sat at `bot`. A forfeit teaches nothing."""
        if record.reason is Reason.FORFEIT:
            return
        places: list[Place] = []
        state, turn = rules.new_game(record.setup), (0, 0)
        for move, after, events in replay(record):
            if isinstance(move.action, Clue):
                places.append(place_of(state, move.seat, bot))
                turn = _turn(places[-1])
            elif state.phase is Phase.SUDDEN:
                self._in_sudden_death(state, events[0], bot)
            elif isinstance(move.action, Stop):
                self._touched(turn, state.hits, STOP)
            elif isinstance(events[0], CardTouched):
                self._touched(turn, state.hits, EVENT[events[0].color])
            state = after
        self.games += 1
        self.stood[str(record.id)] = places, record.outcome is Outcome.WON

    def rows(self) -> tuple[list[Place], Ints, Ints]:
        """Every position, in the order of the games' ids, whether it was won, and the number of its game, (n,)."""
        places: list[Place] = []
        won, games = [], []
        for number, name in enumerate(sorted(self.stood)):
            seen, win = self.stood[name]
            places += seen
            won += [int(win)] * len(seen)
            games += [number] * len(seen)
        return places, np.array(won, np.int64), np.array(games, np.int64)

    def _touched(self, turn: tuple[int, int], hits: int, event: int) -> None:
        role, left = turn
        self.touches[role, left, min(hits, MOST_HITS), event] += 1

    def _in_sudden_death(self, state: State, event: object, bot: Seat) -> None:
        if isinstance(event, CardTouched):
            left = AGENTS - state.covered.bit_count()
            self.sudden[int(event.seat is bot), left, int(event.color is Color.GREEN)] += 1


def place_of(state: State, giver: Seat, bot: Seat) -> Place:
    """What `bot` knows of a state before the clue of `giver`."""
    return Place.of(observe(state, bot, ()), mine=giver is bot)


def _turn(position: Place) -> tuple[int, int]:
    """Its role, and the agents of the giver left."""
    return (0, position.own) if position.mine else (1, position.theirs)
