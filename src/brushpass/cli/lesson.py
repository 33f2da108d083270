"""The game that `brushpass learn` teaches with: one board, one key, eight turns played as they well might be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Action, Clue, Guess, Stop
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import A, B, Card, Seat
from brushpass.duet.core.events import Event
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Outcome
from brushpass.duet.core.state import Setup, State
from brushpass.duet.record import GameRecord, Move

TABLE: Final = (
    ("ladder TT", "queen GG", "apple TG", "rocket BT", "mouse GT"),
    ("piano TG", "carpet TT", "nurse GT", "glass TT", "castle GG"),
    ("camel GB", "ticket TT", "ice TG", "button TT", "violin TG"),
    ("poison BB", "lock GT", "bridge TT", "king GG", "spoon TT"),
    ("hospital GT", "cherry TG", "pirate TB", "computer GT", "snow BG"),
)
"""The cards with what they are to you and to the bot."""
TURNS: Final = (
    (B, "fruit 2", "apple cherry", "apple cherry stop"),
    (A, "doctor 2", "nurse hospital", "nurse hospital stop"),
    (B, "royal 3", "king queen castle", "queen king castle stop"),
    (A, "keys 2", "lock computer", "lock piano"),
    (B, "music 2", "piano violin", "violin piano stop"),
    (A, "laptop 2", "computer mouse", "computer mouse stop"),
    (B, "cold 2", "ice snow", "ice glass"),
    (A, "desert 1", "camel", "camel"),
)
"""Giver, clue, what it means, what is done on it."""
LAST: Final = "snow"
"""What is left for sudden death."""


class Position(NamedTuple):
    """A point of the game: where it stands, and what has happened."""

    state: State
    history: tuple[Event, ...]

    def after(self, seat: Seat, action: Action) -> Position:
        """The position after one more action; raises as `rules.step` does."""
        state, events = rules.step(self.state, seat, action)
        return Position(state, (*self.history, *events))


def setup() -> Setup:
    """The table: eight tokens, the bot begins."""
    words, sides = zip(*(cell.split() for row in TABLE for cell in row), strict=True)
    keys = KeyCard.parse("".join(side[0] for side in sides), "".join(side[1] for side in sides))
    return Setup(Board(words), keys, Mission(8, 8), first=B)


def card_of(word: str) -> Card:
    """The card with that word."""
    return [cell.split()[0] for row in TABLE for cell in row].index(word)


def meant(turn: int) -> tuple[Card, ...]:
    """What the clue of that turn, from 1 on, is for."""
    return tuple(map(card_of, TURNS[turn - 1][2].split()))


def clue_of(turn: int) -> Clue:
    """The clue of that turn, from 1 on."""
    word, number = TURNS[turn - 1][1].split()
    return Clue(word, int(number))


def begins(turn: int) -> Position:
    """The position before the clue of that turn, from 1 on; after the last turn is sudden death."""
    played = [move for one in range(1, turn) for move in moves_of(one)]
    start = Position(rules.new_game(setup()), ())
    *_, position = accumulate(played, lambda at, move: at.after(move.seat, move.action), initial=start)
    return position


def moves_of(turn: int) -> list[Move]:
    """The clue of that turn and what is done on it."""
    giver, _, _, done = TURNS[turn - 1]
    acts: Sequence[Action] = [Stop() if word == "stop" else Guess(card_of(word)) for word in done.split()]
    return [Move(giver, clue_of(turn)), *(Move(giver.other, act) for act in acts)]


def record() -> GameRecord:
    """The whole game, with its last word."""
    moves = [move for turn in range(1, len(TURNS) + 1) for move in moves_of(turn)]
    return GameRecord(
        id="learn",
        setup=setup(),
        moves=(*moves, Move(A, Guess(card_of(LAST)))),
        outcome=Outcome.WON,
        reason=None,
        agents=("human", "embedding"),
        sudden_death=True,
        trace=[{"targets": list(meant(turn))} for turn in range(1, len(TURNS) + 1)],
    )
