"""What a seat may know: I1 to I8 of DUET §12, and hiding at large."""

import gc
import random
from types import FunctionType, ModuleType

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop
from brushpass.duet.core.cards import SEATS, Color, KeySide, Seat, cards_of
from brushpass.duet.core.events import ClueGiven, SideFinished
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup, State
from brushpass.duet.observe import observe
from brushpass.duet.testing.strategies import actions, games, play
from brushpass.errors import IllegalAction

A, B = SEATS


@pytest.fixture
def start(f1, board, stub_law):
    return rules.new_game(Setup(board, f1, law=stub_law))


def run(state, *moves):
    history = ()
    for seat, action in moves:
        state, events = rules.step(state, seat, action)
        history += events
    return state, history


def test_i1_a_view_before_any_guess_holds_nothing_of_the_other_key(start, f1):
    view = observe(start, A, ())
    assert view.key == f1.a
    assert view.seen() == {}
    assert str(f1.b) not in repr(view) + str(view.to_json())


def test_i2_a_guess_shows_the_guesser_the_partners_color(start):
    state, history = run(start, (A, Clue("clue", 1)), (B, Guess(3)))
    assert observe(state, A, history).seen() == {}
    assert observe(state, B, history).seen() == {3: Color.GREEN}


def test_i3_a_guess_of_the_other_side_is_seen_by_it(start):
    state, history = run(start, (B, Clue("clue", 1)), (A, Guess(9)))
    assert observe(state, A, history).seen() == {9: Color.GREEN}
    assert observe(state, B, history).seen() == {}


def swapped(side: KeySide, one: int, other: int) -> KeySide:
    text = list(str(side))
    text[one], text[other] = text[other], text[one]
    return KeySide.parse("".join(text))


def twin(setup: Setup, seat: Seat, one: int, other: int) -> Setup:
    """The set-up in which two cards of equal color on `seat`'s side have changed places on its partner's."""
    hidden = swapped(setup.keys.side(seat.other), one, other)
    keys = KeyCard(setup.keys.a, hidden) if seat is A else KeyCard(hidden, setup.keys.b)
    return Setup(setup.board, keys, setup.mission, setup.first, setup.rules, setup.law)


def replayed(setup, played):
    """The moves of `played` in another set-up: the position, or None if they are told otherwise there.

    A swap may let a side finish sooner or later, which is announced: then the two keys do not look alike.
    """
    try:
        state, history = run(rules.new_game(setup), *played.moves)
    except IllegalAction:
        return None
    return state if history == played.history else None


@given(games(), st.sampled_from(SEATS), st.data())
def test_i4_keys_that_differ_unseen_give_equal_views_and_equal_answers(played, seat, data):
    state = played.state
    seen = observe(state, seat, played.history).seen()
    unseen = [card for card in range(25) if card not in seen]
    key, hidden = played.setup.keys.side(seat), played.setup.keys.side(seat.other)
    pairs = [
        (one, other)
        for one in unseen
        for other in unseen
        if one < other and key.color(one) is key.color(other) and hidden.color(one) is not hidden.color(other)
    ]
    assume(pairs)
    other = replayed(twin(played.setup, seat, *data.draw(st.sampled_from(pairs))), played)
    assume(other is not None)
    views = [observe(position, seat, played.history) for position in (state, other)]
    assert views[0] == views[1]
    assert views[0].to_json() == views[1].to_json()
    for actor in SEATS:
        assert rules.options(other, actor) == rules.options(state, actor)
        for action in [*data.draw(st.lists(actions(), min_size=3, max_size=6)), *map(Guess, range(25))]:
            assert answer(other, actor, action) == answer(state, actor, action)


def answer(state, seat, action) -> tuple[str, str] | None:
    """The code and text of a refusal, or None."""
    try:
        rules.step(state, seat, action)
    except IllegalAction as refused:
        return refused.code, str(refused)
    return None


def test_i4_most_swaps_are_twins(board, stub_law):
    """So that the property above is not empty: nearly every swap in a young game leaves the history as it is."""
    rng, twins = random.Random(3), 0
    for _ in range(100):
        setup = Setup(board, KeyCard.deal(rng), law=stub_law)
        played = play(setup, rng, (Color.GREEN, Color.TAN), 12)
        seen = observe(played.state, A, played.history).seen()
        one, other = next(
            (one, other)
            for one in range(25)
            for other in range(25)
            if not {one, other} & set(seen)
            and setup.keys.a.color(one) is setup.keys.a.color(other)
            and setup.keys.b.color(one) is not setup.keys.b.color(other)
        )
        twins += replayed(twin(setup, A, one, other), played) is not None
    assert twins > 90


def test_i6_a_finished_side_is_in_both_views_in_the_same_step(start):
    moves = [(A, Clue("clue", 9)), *((B, Guess(card)) for card in range(9))]
    state, history = run(start, *moves[:-1])
    assert [observe(state, seat, history).finished for seat in SEATS] == [(), ()]
    state, history = run(start, *moves)
    for seat in SEATS:
        view = observe(state, seat, history)
        assert view.finished == (A,)
        assert SideFinished(A) in view.history


def test_i7_the_guessers_view_holds_the_clue_alone(start):
    state, history = run(start, (A, Clue("clue", 2)))
    view = observe(state, B, history)
    assert view.clue == Clue("clue", 2)
    assert view.history == (ClueGiven(A, "clue", 2),)
    assert view.refused == ()


@pytest.mark.parametrize("action", [Guess(25), Stop(), Clue("clue", 1)])
def test_i8_a_refusal_tells_nothing_of_the_key(board, stub_law, action):
    told = set()
    for seed in range(30):
        keys = KeyCard.deal(random.Random(seed))
        state, _ = run(rules.new_game(Setup(board, keys, law=stub_law)), (A, Clue("clue", 1)))
        told.add(answer(state, B, action))
    assert len(told) == 1
    assert None not in told


@given(games())
def test_a_view_agrees_with_the_position_in_all_that_is_public(played):
    state = played.state
    for seat in SEATS:
        view = observe(state, seat, played.history)
        assert (view.seat, view.giver, view.phase, view.clue, view.hits) == (
            *(seat, state.giver, state.phase, state.clue, state.hits),
        )
        assert (view.found, view.marks, view.checks) == (state.found, state.marks, state.checks)
        assert (view.bank, view.covered, view.dead) == (state.bank, state.covered, state.dead)
        assert view.visible() == state.visible
        assert view.greens_left() == cards_of(state.left(seat))
        may = rules.options(state, seat)
        if may.guesses:
            assert view.open_cards() == cards_of(may.guesses)
            assert view.must_guess == (not may.stop and not may.yield_)
        assert view.seen() == {
            card: state.setup.keys.side(seat.other).color(card)
            for actor, action in played.moves
            if actor is seat and isinstance(action, Guess)
            for card in [action.card]
        }


def reachable(thing):
    """Every object of ours that can be reached from `thing`; classes, functions and modules are not followed."""
    found, todo = [], [thing]
    known = set()
    while todo:
        one = todo.pop()
        if id(one) in known or isinstance(one, type | ModuleType | FunctionType):
            continue
        known.add(id(one))
        found.append(one)
        todo += gc.get_referents(one)
    return found


@given(games())
def test_nothing_hidden_can_be_reached_from_a_view(played):
    keys = played.setup.keys
    for seat in SEATS:
        for thing in reachable(observe(played.state, seat, played.history)):
            assert not isinstance(thing, KeyCard | Setup | State)
            assert not isinstance(thing, KeySide) or thing is keys.side(seat)


@given(games())
def test_a_view_shows_no_color_of_the_other_side_but_those_guessed(played):
    """Every letter of a view's JSON that could be a color is an own one or one that was touched."""
    state = played.state
    for seat in SEATS:
        data = observe(state, seat, played.history).to_json()
        assert data.pop("key") == str(state.setup.keys.side(seat))
        touched = {action.card for actor, action in played.moves if isinstance(action, Guess) and actor is seat}
        assert {int(card) for card in data.pop("seen")} == touched
        told = {line[2] for line in data.pop("history") if line[0] == "guess" and line[1] == seat}
        assert told == touched
        assert not {"targets", "key_a", "key_b", "keys"} & set(data)


def test_phases_of_the_end_are_seen_too(start):
    state, history = run(start, (A, Clue("clue", 1)), (B, Guess(15)))
    view = observe(state, B, history)
    assert view.phase is Phase.LOST
    assert view.seen() == {15: Color.BLACK}
