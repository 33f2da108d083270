"""Hypothesis strategies for Duet: keys, boards, missions, table rules, set-ups, and games played at random.

The only module that imports Hypothesis (extra `test`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Action, Clue, Guess, Stop, Yield
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import CARD_COUNT, Color, Seat, cards_of
from brushpass.duet.core.cluelaw import RELAXATIONS, ClueLaw
from brushpass.duet.core.events import Event
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import MAX_TURNS, Mission
from brushpass.duet.core.state import Setup, State
from brushpass.duet.core.table import LawMode, Order, TableRules

BOARD_WORDS: Final = (
    *("anchor", "badge", "canyon", "desert", "engine", "falcon", "guitar", "harbor", "island", "jungle"),
    *("kettle", "ladder", "magnet", "needle", "orchid", "pepper", "quartz", "rocket", "saddle", "temple"),
    *("umbrella", "violin", "walnut", "yogurt", "zipper", "ice cream", "Ångström", "bank", "cliff", "drum"),
)
CLUE_WORDS: Final = ("weather", "travel", "music", "kitchen", "war", "school", "money", "winter")
"""Words that every board of `BOARD_WORDS` allows as clues."""
_MAX_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Played:
    """A game somewhere on its way: the states passed, the actions between them, and all public events."""

    states: tuple[State, ...]
    moves: tuple[tuple[Seat, Action], ...]
    history: tuple[Event, ...]

    def __repr__(self) -> str:
        """Short, for failing examples: the positions follow from these."""
        setup = self.setup
        moves = " ".join(f"{seat}:{action}" for seat, action in self.moves)
        return f"<{setup.mission} first={setup.first} {setup.rules} A={setup.keys.a} B={setup.keys.b} {moves}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401 - Hypothesis asks dataclasses this way
        del cycle
        printer.text(repr(self))

    @property
    def setup(self) -> Setup:
        """What the game was set up with."""
        return self.states[0].setup

    @property
    def state(self) -> State:
        """The position reached."""
        return self.states[-1]

    @property
    def steps(self) -> Iterator[tuple[State, Seat, Action, State]]:
        """Each action: the position before, who did what, the position after."""
        for before, (seat, action), after in zip(self.states, self.moves, self.states[1:], strict=False):
            yield before, seat, action, after


def rngs() -> st.SearchStrategy[random.Random]:
    """Seeded generators."""
    return st.integers(0, _MAX_SEED).map(random.Random)


def key_cards() -> st.SearchStrategy[KeyCard]:
    """Dealt keys."""
    return rngs().map(KeyCard.deal)


def boards() -> st.SearchStrategy[Board]:
    """Boards of words from `BOARD_WORDS`."""
    return rngs().map(lambda rng: Board.deal(BOARD_WORDS, rng))


@st.composite
def missions(draw: st.DrawFn) -> Mission:
    """Any allowed number of turns and mistakes."""
    turns = draw(st.integers(1, MAX_TURNS))
    return Mission(turns, draw(st.integers(0, turns)))


def table_rules() -> st.SearchStrategy[TableRules]:
    """Every order and clue law, with any relaxations."""
    relax = st.frozensets(st.sampled_from(sorted(RELAXATIONS)))
    return st.builds(TableRules, st.sampled_from(Order), st.sampled_from(LawMode), relax)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Whole set-ups, the first giver agreed or open."""
    table = draw(table_rules())
    first = draw(st.sampled_from([None, *Seat]))
    return Setup(draw(boards()), draw(key_cards()), draw(missions()), first, table, ClueLaw(table.relax))


@st.composite
def games(draw: st.DrawFn, given: st.SearchStrategy[Setup] | None = None, *, to_the_end: bool = False) -> Played:
    """Games of random legal actions, left after any number of them or played `to_the_end`.

    Players avoid the assassins, or all but greens, now and then, so that late positions come up too.
    """
    setup = draw(setups() if given is None else given)
    rng = draw(rngs())
    wanted = draw(st.sampled_from([tuple(Color), (Color.GREEN, Color.TAN), (Color.GREEN,)]))
    length = None if to_the_end else draw(st.integers(0, 40))
    return play(setup, rng, wanted, length)


def play(
    setup: Setup, rng: random.Random, wanted: tuple[Color, ...] = tuple(Color), length: int | None = None
) -> Played:
    """Play `length` random actions, or to the end; guesses are drawn from cards of the `wanted` colors, mostly."""
    state = rules.new_game(setup)
    states: list[State] = [state]
    moves: list[tuple[Seat, Action]] = []
    history: tuple[Event, ...] = ()
    while state.phase not in rules.OVER and (length is None or len(moves) < length):
        seat = rng.choice(rules.actors(state))
        action = random_action(state, seat, rng, wanted)
        state, events = rules.step(state, seat, action)
        states.append(state)
        moves.append((seat, action))
        history += events
    return Played(tuple(states), tuple(moves), history)


def random_action(state: State, seat: Seat, rng: random.Random, wanted: tuple[Color, ...]) -> Action:
    """Something `seat`, one of the actors, may do; under the penalty law a quarter of the clues break it."""
    may = rules.options(state, seat)
    if may.clue:
        penalty = state.setup.rules.clue_law is LawMode.PENALTY and rng.random() < 0.25
        word = state.visible[0] if penalty else rng.choice(CLUE_WORDS)
        return Clue(word, rng.randrange(rules.MAX_NUMBER + 1))
    if may.stop and rng.random() < 0.3:
        return Stop()
    if may.yield_ and rng.random() < 0.3:
        return Yield()
    side = state.setup.keys.side(seat.other)
    good = [card for card in cards_of(may.guesses) if side.color(card) in wanted]
    return Guess(rng.choice(good if good and rng.random() < 0.95 else cards_of(may.guesses)))


def actions() -> st.SearchStrategy[Action]:
    """Any action, wise or foolish: of every kind, with numbers and cards in and out of range."""
    clues = st.builds(Clue, st.sampled_from([*CLUE_WORDS, *BOARD_WORDS, ""]), st.integers(-1, rules.MAX_NUMBER + 1))
    guesses = st.builds(Guess, st.integers(-1, CARD_COUNT))
    return st.one_of(clues, guesses, st.just(Stop()), st.just(Yield()))
