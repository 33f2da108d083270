"""The Hypothesis strategies draw what they promise, and reach every kind of position."""

from collections import Counter

import hypothesis
import pytest
from hypothesis import find, given, settings
from hypothesis.errors import NoSuchExample

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import SEATS, Color
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Phase, Reason
from brushpass.duet.core.table import LawMode, Order
from brushpass.duet.testing.strategies import (
    BOARD_WORDS,
    CLUE_WORDS,
    actions,
    boards,
    games,
    key_cards,
    missions,
    setups,
    table_rules,
)

LOOK = settings(max_examples=1000, deadline=None, database=None, derandomize=True, phases=[hypothesis.Phase.generate])
"""For `find`: any example will do, so none is made smaller."""


def test_every_clue_word_is_legal_on_every_board():
    law = ClueLaw(strict=True)
    assert {word: law.check(word, BOARD_WORDS) for word in CLUE_WORDS if not law.check(word, BOARD_WORDS).legal} == {}


@given(setups())
def test_set_ups_are_whole(setup):
    assert set(setup.board.words) <= set(BOARD_WORDS)
    assert setup.law.relax == setup.rules.relax
    assert rules.new_game(setup).bank == setup.mission.turns


@given(games())
def test_a_played_game_is_what_the_rules_make_of_its_moves(played):
    state, history = rules.new_game(played.setup), ()
    assert played.states[0] == state
    for before, seat, action, after in played.steps:
        assert before == state
        state, events = rules.step(state, seat, action)
        history += events
        assert state == after
    assert (state, history) == (played.state, played.history)
    assert len(played.states) == len(played.moves) + 1


@given(games())
def test_a_played_game_is_shown_by_what_it_follows_from(played):
    shown = repr(played)
    assert str(played.setup.keys.a) in shown
    assert str(played.setup.mission) in shown
    assert all(f"{seat}:{action}" in shown for seat, action in played.moves)
    assert len(shown) < 5000


@given(games(to_the_end=True))
def test_a_game_to_the_end_is_over(played):
    assert played.state.phase in rules.OVER


def double_marked(state):
    return bool(state.marks.a & state.marks.b)


def finished(state):
    return any(state.finished(seat) for seat in SEATS) and state.phase not in rules.OVER


POSITIONS = {
    "phase " + phase: (lambda state, phase=phase: state.phase is phase) for phase in Phase
} | {
    "reason " + reason: (lambda state, reason=reason: state.reason is reason)
    for reason in (Reason.ASSASSIN, Reason.SUDDEN_DEATH, Reason.CANNOT_PAY)
} | {
    "a doubly marked card": double_marked,
    "a finished side": finished,
    "a finished side in sudden death": lambda state: finished(state) and state.phase is Phase.SUDDEN,
    "a discarded token": lambda state: state.discarded > 0,
    "a sudden-death win": lambda state: state.phase is Phase.WON and state.sudden,
    "a side bound to guess": lambda state: len(state.yielded) == 2,
    "free order in mid-game": lambda state: state.setup.rules.order is Order.FREE and state.turn > 2,
    "2-1 order, second giver": lambda state: state.setup.rules.order is Order.TWO_ONE and state.turn == 3,
    "the penalty law": lambda state: state.setup.rules.clue_law is LawMode.PENALTY,
    "no mistakes allowed": lambda state: state.setup.mission.mistakes == 0,
}  # fmt: skip


@pytest.mark.parametrize("kind", POSITIONS)
def test_every_kind_of_position_is_reached(kind):
    wanted = POSITIONS[kind]
    find(
        games(to_the_end=True),
        lambda played: any(wanted(state) for state in played.states),
        settings=settings(LOOK, max_examples=3000),
    )


@pytest.mark.parametrize(
    ("strategy", "wanted"),
    [
        (missions(), lambda mission: mission == Mission(9, 9)),
        (missions(), lambda mission: mission.mistakes == 0),
        (table_rules(), lambda table: len(table.relax) == 3),
        (key_cards(), lambda key: key.a.color(0) is Color.BLACK),
        (boards(), lambda board: "ice cream" in board.words),
        (actions(), lambda action: isinstance(action, Clue) and action.number > 9),
        (actions(), lambda action: isinstance(action, Guess) and action.card > 24),
        (actions(), lambda action: isinstance(action, Stop)),
        (actions(), lambda action: isinstance(action, Yield)),
        (setups(), lambda setup: setup.first is None),
    ],
)
def test_the_smaller_strategies_draw_what_they_promise(strategy, wanted):
    find(strategy, wanted, settings=LOOK)


def test_what_cannot_be_is_never_drawn():
    for strategy, wanted in [(missions(), lambda mission: mission.mistakes > mission.turns), (games(), _impossible)]:
        with pytest.raises(NoSuchExample):
            find(strategy, wanted, settings=settings(LOOK, max_examples=200))


def _impossible(played):
    return Counter(state.bank < 0 for state in played.states)[True] > 0
