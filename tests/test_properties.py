"""What holds in every game: symmetry, conservation, an end, and that texts read back are the thing written."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import SEATS, BySeat, KeySide, Seat, cards_of, mask_of
from brushpass.duet.core.events import CardTouched, ClueGiven, SideFinished
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Outcome, Phase
from brushpass.duet.core.table import TableRules
from brushpass.duet.record import GameRecord, Move, read_record, verify
from brushpass.duet.referee import play_game
from brushpass.duet.testing.strategies import CLUE_WORDS, games, setups, table_rules

# ------------------------------------------------------------------ symmetry


def flipped(value):
    """The same thing with the seats changed over."""
    match value:
        case Seat():
            return value.other
        case BySeat(a, b):
            return BySeat(b, a)
        case KeyCard(a, b):
            return KeyCard(b, a)
        case ClueGiven() | CardTouched() | SideFinished():
            return structs.replace(value, seat=value.seat.other)
        case _ if hasattr(value, "seat"):
            return type(value)(value.seat.other)
        case _:
            return value


def flipped_setup(setup):
    return replace(setup, keys=flipped(setup.keys), first=flipped(setup.first))


def flipped_state(state):
    changes = {name: flipped(getattr(state, name)) for name in ("giver", "found", "marks", "checks")}
    yielded = tuple(seat.other for seat in state.yielded)
    return structs.replace(state, setup=flipped_setup(state.setup), yielded=yielded, **changes)


@given(games())
def test_changing_seats_commutes_with_every_step(played):
    state = rules.new_game(flipped_setup(played.setup))
    for before, seat, action, after in played.steps:
        assert state == flipped_state(before)
        _, events = rules.step(before, seat, action)
        state, mirrored = rules.step(state, seat.other, action)
        assert sorted(map(str, mirrored)) == sorted(str(flipped(event)) for event in events)
        assert state == flipped_state(after)
        assert rules.score(state) == rules.score(after)


def permuted(mask, order):
    return mask_of(place for place, card in enumerate(order) if mask >> card & 1)


def permuted_side(side, order):
    return KeySide(permuted(side.greens, order), permuted(side.blacks, order))


def permuted_setup(setup, order):
    keys = KeyCard(permuted_side(setup.keys.a, order), permuted_side(setup.keys.b, order))
    return replace(setup, board=Board(tuple(setup.board.words[card] for card in order)), keys=keys)


def permuted_state(state, order):
    found, marks = (BySeat(*(permuted(mask, order) for mask in pair)) for pair in (state.found, state.marks))
    return structs.replace(state, setup=permuted_setup(state.setup, order), found=found, marks=marks)


@given(games(), st.permutations(range(25)))
def test_laying_the_cards_out_otherwise_commutes_with_every_step(played, order):
    state = rules.new_game(permuted_setup(played.setup, order))
    for _, seat, action, after in played.steps:
        moved = Guess(order.index(action.card)) if isinstance(action, Guess) else action
        state, _ = rules.step(state, seat, moved)
        assert state == permuted_state(after, order)


# ------------------------------------------------------------------ conservation


def tokens_on_words(played):
    """Tokens lying on words: one a mark, two for a miss paid with check-side tokens."""
    on_words = 0
    for before, _, _, after in played.steps:
        if after.marks != before.marks:
            on_words += 1 if before.bystander else 2
    return on_words


@given(games())
def test_no_token_is_ever_lost(played):
    for end in range(1, len(played.states) + 1):
        part = replace(played, states=played.states[:end])
        state = part.state
        there = state.bank + sum(state.checks) + state.discarded + tokens_on_words(part)
        assert there == state.setup.mission.turns


@given(games())
def test_every_step_adds_and_never_takes_back(played):
    for before, _, action, after in played.steps:
        assert after.turn - before.turn == isinstance(action, Clue)
        for seat in SEATS:
            assert not before.found.of(seat) & ~after.found.of(seat)
            assert not before.marks.of(seat) & ~after.marks.of(seat)
            assert after.checks.of(seat) >= before.checks.of(seat)
        assert not after.found.a & after.found.b
        assert not after.covered & ~after.setup.keys.agents
        assert min(after.check, after.bystander) >= 0


@st.composite
def plain_setups(draw):
    """Set-ups whose tokens all lie bystander side up."""
    turns = draw(st.integers(1, 11))
    return replace(draw(setups()), mission=Mission(turns, turns))


@given(games(plain_setups()))
def test_a_turn_costs_its_tokens_once(played):
    """Where all tokens lie bystander side up, every turn takes one, whatever ended it."""
    paid = [after.bank + after.discarded for before, _, _, after in played.steps if _ended(before, after)]
    assert paid == [played.setup.mission.turns - turn for turn in range(1, len(paid) + 1)]


def _ended(before, after):
    return before.phase is Phase.GUESS and after.phase in (Phase.CLUE, Phase.CLUE_ANY, Phase.SUDDEN, Phase.WON)


@given(games())
def test_a_position_is_its_own_memory(played):
    """Equal positions hash alike, and a step leaves the position it starts from as it was."""
    state = rules.new_game(played.setup)
    for _, seat, action, after in played.steps:
        copy = structs.replace(state)
        stepped, _ = rules.step(state, seat, action)
        assert (state, hash(state)) == (copy, hash(copy))
        assert (stepped, hash(stepped)) == (after, hash(after))
        state = stepped


# ------------------------------------------------------------------ the end


@given(games(to_the_end=True))
def test_every_game_ends_and_tells_why(played):
    state = played.state
    assert state.phase in rules.OVER
    assert rules.actors(state) == ()
    assert (state.phase is Phase.WON) == (state.covered == state.setup.keys.agents) == (state.reason is None)
    assert len(played.moves) <= 200


@given(games())
def test_someone_may_act_until_the_end(played):
    for state in played.states:
        assert bool(rules.actors(state)) == (state.phase not in rules.OVER)
        for seat in rules.actors(state):
            may = rules.options(state, seat)
            assert may.clue or may.guesses
        if state.phase is Phase.SUDDEN:
            assert any(rules.bound_to_guess(state, seat) or rules.options(state, seat).yield_ for seat in SEATS)
            assert all(cards_of(rules.options(state, seat).guesses) for seat in rules.actors(state))


# ------------------------------------------------------------------ texts read back


@given(setups())
def test_parts_read_back_are_the_parts_written(setup):
    keys = setup.keys
    assert KeyCard.parse(str(keys.a), str(keys.b)) == keys
    assert TableRules.read(setup.rules.to_json()) == setup.rules


@given(table_rules())
def test_table_rules_default_what_is_left_out(table):
    for key, default in TableRules().to_json().items():
        data = {**table.to_json(), key: default}
        del data[key]
        assert TableRules.read(data) == TableRules.read({**table.to_json(), key: default})


def recorded(played, outcome=None, reason=None):
    """The record of a played game, as a referee would write it."""
    state = played.state
    first = next((seat for seat, _ in played.moves), Seat.A)
    return GameRecord(
        id="one",
        setup=replace(played.setup, first=first),
        moves=tuple(
            Move(seat, action, penalised=after.discarded > before.discarded)
            for before, seat, action, after in played.steps
        ),
        outcome=outcome or (Outcome.WON if state.phase is Phase.WON else Outcome.LOST),
        reason=reason or state.reason,
        seed=5,
        agents=("a", "b"),
        score=rules.score(state),
        sudden_death=state.sudden,
        trace=[{"targets": [1, 2]}],
    )


@given(games(to_the_end=True))
def test_a_record_read_back_is_the_record_written_and_verifies(played):
    record = recorded(played)
    line = record.to_line()
    read = read_record(line)
    assert read == record
    assert read.to_line() == line
    end = verify(read)
    assert structs.astuple(end)[1:5] == structs.astuple(played.state)[1:5]
    assert (end.found, end.marks, end.checks) == (played.state.found, played.state.marks, played.state.checks)


@given(setups(), st.integers(0, 2**63), st.integers(0, 2**63))
def test_a_refereed_game_verifies_whatever_the_table(setup, seed, salt):
    agents = RandomAgent(CLUE_WORDS * 3), RandomAgent(CLUE_WORDS * 3)
    record = play_game(*agents, setup, seed=seed, salt=salt, names=("random", "random"))
    assert read_record(record.to_line()) == record
    verify(read_record(record.to_line()))


@given(games(to_the_end=True), st.randoms(use_true_random=False))
def test_a_game_with_any_action_dropped_or_doubled_does_not_verify_as_it_was(played, rng: random.Random):
    """Or it is still a game with the same end: dropping a yield, say. Nothing else passes."""
    record = recorded(played)
    moves = list(record.moves)
    place = rng.randrange(len(moves))
    changed = moves[:place] + moves[place + 1 :] if rng.random() < 0.5 else moves[: place + 1] + moves[place:]
    try:
        end = verify(replace(record, moves=tuple(changed)))
    except ValueError:
        return
    assert end.phase is played.state.phase
    assert end.reason is played.state.reason
