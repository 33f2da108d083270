"""What the scenarios leave open: events, orders with a finished side, penalties, yields, messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import SEATS, BySeat, Color, cards_of, mask_of
from brushpass.duet.core.events import (
    CardTouched,
    ClueGiven,
    GameEnded,
    SideFinished,
    Stopped,
    SuddenDeathBegan,
    Yielded,
)
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.duet.testing.strategies import actions, games
from brushpass.errors import ForbiddenClue, IllegalAction, InvalidSetup

A, B = SEATS
CLUE = Clue("clue", 1)
A_GREENS = range(9)
ALL_BUT_8 = (*range(8), *range(9, 15))


@pytest.fixture
def new(f1, board, stub_law):
    """A new game on F1 by the stub law; what is named replaces a default."""

    def make(turns=9, mistakes=None, first=None, order=Order.ALTERNATE, clue_law=LawMode.REJECT, **changes):
        mission = Mission(turns, turns if mistakes is None else mistakes)
        if "found" in changes:
            found = mask_of(changes["found"])
            changes["found"] = BySeat(found & ~f1.a.greens, found & f1.a.greens)
        return replace(
            rules.new_game(Setup(board, f1, mission, first, TableRules(order, clue_law), stub_law)), **changes
        )

    return make


def run(state, *moves):
    """The state after the moves, and all events."""
    history = []
    for seat, action in moves:
        state, events = rules.step(state, seat, action)
        history += events
    return state, history


def refusal(state, seat, action):
    with pytest.raises(IllegalAction) as refused:
        rules.step(state, seat, action)
    return refused.value


# ------------------------------------------------------------------ what is seen


def test_a_turn_is_told_event_by_event(new):
    _, history = run(new(), (A, CLUE), (B, Guess(3)), (B, Stop()), (B, Clue("next", 0)), (A, Guess(18)))
    assert history == [
        ClueGiven(A, "clue", 1),
        CardTouched(B, 3, Color.GREEN),
        Stopped(B),
        ClueGiven(B, "next", 0),
        CardTouched(A, 18, Color.TAN),
    ]


def test_a_finished_side_is_announced_once_in_the_step_that_finishes_it(new):
    _, history = run(new(found=range(8)), (A, CLUE), (B, Guess(8)), (B, CLUE), (A, Guess(9)))
    assert history[1:3] == [CardTouched(B, 8, Color.GREEN), SideFinished(A)]
    assert history.count(SideFinished(A)) == 1


def test_both_sides_may_finish_with_one_card(new):
    state, history = run(new(found=range(1, 15)), (B, CLUE), (A, Guess(0)))
    assert history[1:] == [
        CardTouched(A, 0, Color.GREEN),
        SideFinished(A),
        SideFinished(B),
        GameEnded(Outcome.WON, None),
    ]
    assert (state.phase, state.reason, state.check + state.bystander) == (Phase.WON, None, 8)


@pytest.mark.parametrize(
    ("turns", "mistakes", "card", "reason"),
    [(9, 9, 15, Reason.ASSASSIN), (1, 0, 18, Reason.CANNOT_PAY), (1, 1, 15, Reason.ASSASSIN)],
)
def test_a_loss_in_a_turn_tells_its_reason(new, turns, mistakes, card, reason):
    state, history = run(new(turns, mistakes), (A, CLUE), (B, Guess(card)))
    assert history[-1] == GameEnded(Outcome.LOST, reason)
    assert (state.phase, state.reason, state.giver) == (Phase.LOST, reason, None)


def test_sudden_death_is_announced_after_what_brought_it(new):
    state, history = run(new(1), (A, CLUE), (B, Guess(18)))
    assert history[1:] == [CardTouched(B, 18, Color.TAN), SuddenDeathBegan()]
    assert (state.giver, state.clue, state.hits, state.sudden) == (None, None, 0, True)


def test_a_loss_in_sudden_death_tells_its_reason(new):
    start, _ = run(new(1), (A, CLUE), (B, Guess(18)))
    for card, reason in [(19, Reason.SUDDEN_DEATH), (15, Reason.ASSASSIN)]:
        state, history = run(start, (A, Guess(card)))
        assert history[-1] == GameEnded(Outcome.LOST, reason)
        assert state.reason is reason
        assert state.sudden


def test_hits_and_clue_are_gone_when_the_turn_is_over(new):
    state, _ = run(new(), (A, CLUE), (B, Guess(3)))
    assert (state.hits, state.clue) == (1, CLUE)
    state, _ = run(state, (B, Stop()))
    assert (state.hits, state.clue) == (0, None)


def test_finds_and_marks_are_kept_by_the_side_that_made_them(new):
    state, _ = run(new(), (A, CLUE), (B, Guess(0)), (B, Guess(18)), (B, CLUE), (A, Guess(1)), (A, Guess(19)))
    assert [cards_of(mask) for mask in (*state.found, *state.marks)] == [(1,), (0,), (19,), (18,)]


# ------------------------------------------------------------------ who gives the next clue


def givers(state, turns):
    """The givers of so many turns, each ended by a bystander."""
    given = []
    for _ in range(turns):
        (seat,) = rules.actors(state)
        given.append(str(seat))
        state, _ = rules.step(state, seat, CLUE)
        card = next(card for card in range(18, 25) if rules.options(state, seat.other).guesses >> card & 1)
        state, _ = rules.step(state, seat.other, Guess(card))
    return "".join(given)


def test_sides_alternate(new):
    assert givers(new(first=B), 6) == "BABABA"


def test_two_one_order_repeats(new):
    assert givers(new(11, first=A, order=Order.TWO_ONE), 9) == "AABAABAAB"
    assert givers(new(11, first=B, order=Order.TWO_ONE), 7) == "BBABBAB"


def test_two_one_order_starts_with_whoever_opens(new):
    state, _ = run(new(order=Order.TWO_ONE), (B, CLUE), (A, Guess(18)))
    assert state.giver is B


@pytest.mark.parametrize("order", [Order.ALTERNATE, Order.TWO_ONE])
@pytest.mark.parametrize("first", SEATS)
def test_a_finished_side_is_skipped(new, order, first):
    done = {A: A_GREENS, B: (0, 1, 2, *range(9, 15))}[first.other]
    assert givers(new(first=first, order=order, found=done), 5) == str(first) * 5


def test_free_order_leaves_the_next_clue_to_any_unfinished_side(new):
    state, _ = run(new(order=Order.FREE), (A, CLUE), (B, Guess(18)))
    assert (state.phase, state.giver, rules.actors(state)) == (Phase.CLUE_ANY, None, (A, B))
    state = replace(state, found=BySeat(0, mask_of(A_GREENS)))
    assert rules.actors(state) == (B,)
    assert refusal(state, A, CLUE).code == "E_SIDE_COMPLETE"


# ------------------------------------------------------------------ the clue law


def test_a_barred_clue_is_refused_with_its_reason_and_the_word_it_meets(new):
    error = refusal(new(), A, Clue("bad", 2))
    assert isinstance(error, ForbiddenClue)
    assert (error.code, error.reason, error.clash) == ("E_CLUE_ILLEGAL", "L2", "anchor")
    assert "bad" in str(error)


def test_a_bad_number_is_refused_before_a_barred_word(new):
    assert refusal(new(), A, Clue("bad", 11)).code == "E_CLUE_NUMBER"
    assert refusal(new(clue_law=LawMode.PENALTY), A, Clue("bad", 11)).code == "E_CLUE_NUMBER"


@pytest.mark.parametrize("number", [True, False, 1.0, "1", None, [1], -1, 10, float("nan")])
def test_only_whole_numbers_from_0_to_9_are_clue_numbers(new, number):
    assert refusal(new(), A, Clue("clue", number)).code == "E_CLUE_NUMBER"


@pytest.mark.parametrize("number", range(10))
def test_every_whole_number_from_0_to_9_is_one(new, number):
    state, _ = run(new(), (A, Clue("clue", number)))
    assert state.clue == Clue("clue", number)


def test_a_penalised_clue_says_so_and_costs_no_turn(new):
    state, history = run(new(7, 2, clue_law=LawMode.PENALTY), (A, Clue("bad", 1)), (B, Guess(3)), (B, Stop()))
    assert history[0] == ClueGiven(A, "bad", 1, penalised=True)
    assert (state.check, state.bystander, state.discarded, state.checks) == (3, 2, 1, BySeat(0, 1))


def test_a_legal_clue_under_the_penalty_law_costs_nothing(new):
    state, history = run(new(clue_law=LawMode.PENALTY), (A, CLUE))
    assert (history, state.bank, state.discarded) == ([ClueGiven(A, "clue", 1)], 9, 0)


def test_a_penalty_that_empties_the_bank_begins_sudden_death(new):
    state, history = run(new(1, 0, clue_law=LawMode.PENALTY), (A, Clue("bad", 1)))
    assert history == [ClueGiven(A, "bad", 1, penalised=True), SuddenDeathBegan()]
    assert (state.phase, state.giver, state.discarded) == (Phase.SUDDEN, None, 1)
    assert rules.actors(state) == (A, B)


def test_dead_words_are_not_shown_to_the_law_but_once_marked_ones_are(new, board):
    state = new(found=(3,), marks=BySeat(mask_of((18, 19)), mask_of((19, 20))))
    assert state.visible == tuple(word for card, word in enumerate(board.words) if card not in (3, 19))


def test_law_and_table_must_relax_the_same(f1, board, stub_law):
    with pytest.raises(InvalidSetup, match="acronyms"):
        Setup(board, f1, rules=TableRules(relax=frozenset({"acronyms"})), law=stub_law)


# ------------------------------------------------------------------ sudden death


@pytest.fixture
def sudden(new):
    """Sudden death with both sides unfinished, begun by a miss of B."""
    return run(new(1), (A, CLUE), (B, Guess(18)))[0]


def test_after_two_yields_in_a_row_the_first_to_yield_must_guess(sudden):
    state, history = run(sudden, (B, Yield()), (A, Yield()))
    assert history == [Yielded(B), Yielded(A)]
    assert refusal(state, B, Yield()).code == "E_MUST_GUESS"
    assert not rules.options(state, B).yield_
    assert rules.options(state, A).yield_
    assert rules.step(state, A, Guess(9))[0].phase is Phase.SUDDEN


def test_one_side_that_yields_twice_is_not_bound(sudden):
    state, _ = run(sudden, (B, Yield()), (B, Yield()))
    assert rules.options(state, B).yield_
    assert rules.options(state, A).yield_
    state, _ = run(state, (A, Yield()))
    assert refusal(state, B, Yield()).code == "E_MUST_GUESS"


def test_a_guess_clears_the_yields(sudden):
    state, _ = run(sudden, (B, Yield()), (A, Yield()), (B, Guess(3)))
    assert state.yielded == ()
    state, _ = run(state, (B, Yield()))
    assert state.yielded == (B,)


def test_who_alone_can_guess_may_not_yield(new):
    state, _ = run(new(1, found=range(8)), (A, CLUE), (B, Guess(8)))
    assert rules.actors(state) == (A,)
    for seat in SEATS:
        assert refusal(state, seat, Yield()).code == "E_MUST_GUESS"
    assert rules.options(state, B) == rules.Options()


def test_a_card_marked_by_one_side_may_be_guessed_by_the_other(sudden):
    assert refusal(sudden, B, Guess(18)).code == "E_ALREADY_MARKED"
    assert rules.step(sudden, A, Guess(18))[0].reason is Reason.SUDDEN_DEATH


@pytest.mark.parametrize("action", [CLUE, Stop()])
def test_no_clue_and_no_stop_in_sudden_death(sudden, action):
    assert refusal(sudden, A, action).code == "E_PHASE"


@pytest.mark.parametrize("action", [Guess(0), Stop(), Yield()])
def test_only_clues_in_a_clue_phase(new, action):
    assert refusal(new(), A, action).code == "E_PHASE"


@pytest.mark.parametrize("action", [CLUE, Yield()])
def test_no_clue_and_no_yield_while_guessing(new, action):
    state, _ = run(new(), (A, CLUE), (B, Guess(3)))
    assert refusal(state, B, action).code == "E_PHASE"


# ------------------------------------------------------------------ the end


def test_only_a_won_standard_game_has_a_score(new):
    won, _ = run(new(found=ALL_BUT_8), (A, CLUE), (B, Guess(8)))
    assert rules.score(won) == 3 * 8 + 1
    assert rules.score(replace(won, phase=Phase.LOST)) is None
    for turns, mistakes in [(9, 8), (10, 10), (8, 8)]:
        won, _ = run(new(turns, mistakes, found=ALL_BUT_8), (A, CLUE), (B, Guess(8)))
        assert (won.phase, rules.score(won)) == (Phase.WON, None)


def test_a_win_in_sudden_death_scores_one_less(new):
    start = new(found=ALL_BUT_8, bystander=1, checks=BySeat(4, 4))
    state, _ = run(start, (A, CLUE), (B, Guess(18)), (B, Guess(8)))
    assert (state.phase, rules.score(state)) == (Phase.WON, 7)


@pytest.mark.parametrize("phase", [Phase.WON, Phase.LOST])
@pytest.mark.parametrize("action", [CLUE, Guess(0), Stop(), Yield(), Guess(99)])
def test_nothing_is_played_after_the_end(new, phase, action):
    assert refusal(new(phase=phase), A, action).code == "E_GAME_OVER"
    assert rules.actors(new(phase=phase)) == ()


@pytest.mark.parametrize("card", [-1, 25, True, 3.0, "3", None, [3]])
def test_only_0_to_24_are_cards(new, card):
    state, _ = run(new(), (A, CLUE))
    assert refusal(state, B, Guess(card)).code == "E_CELL"


def test_what_is_no_action_is_a_mistake_of_the_program(new):
    with pytest.raises(TypeError, match="'guess 3' is not an action"):
        rules.step(new(), A, "guess 3")


@pytest.mark.parametrize(
    ("seat", "action", "says"),
    [
        (A, Guess(9), "A gave the clue: B guesses"),
        (A, Stop(), "only B may stop"),
        (B, Guess(3), "card 3 (desert) is out of play"),
        (B, Guess(18), "B already missed on card 18 (saddle)"),
        (B, Guess(30), "card 30 is not a whole number from 0 to 24"),
        (B, Stop(), "every turn needs at least one guess: touch a card before stopping"),
        (B, CLUE, "no clue in phase GUESS"),
        (A, CLUE, "no clue in phase GUESS"),
    ],
)
def test_a_refusal_says_what_and_what_else_to_do(new, seat, action, says):
    state, _ = run(new(found=(3,), marks=BySeat(0, 1 << 18)), (A, CLUE))
    assert says in str(refusal(state, seat, action))


def test_the_wrong_giver_and_a_finished_one_are_told_who_gives(new):
    assert "clue number 10 is not a whole number from 0 to 9" in str(refusal(new(), A, Clue("clue", 10)))
    assert "it is A's turn to give a clue, not B's" in str(refusal(new(first=A), B, CLUE))
    assert "all words of A are found: B gives the clues" in str(refusal(new(found=A_GREENS), A, CLUE))
    over = new(phase=Phase.WON)
    assert "the game is over (WON)" in str(refusal(over, A, CLUE))
    alone = new(phase=Phase.SUDDEN, found=A_GREENS)
    assert "all words of A are found: only A guesses now" in str(refusal(alone, B, Guess(9)))
    assert "B may not yield" in str(refusal(alone, B, Yield()))


# ------------------------------------------------------------------ options and step agree


@given(games(), st.sampled_from(SEATS), actions())
def test_step_accepts_an_action_exactly_when_options_have_it(played, seat, action):
    state = played.state
    may = rules.options(state, seat)
    allowed = {
        Clue: lambda: may.clue and 0 <= action.number <= 9 and _lawful(state, action.word),
        Guess: lambda: 0 <= action.card < 25 and bool(may.guesses >> action.card & 1),
        Stop: lambda: may.stop,
        Yield: lambda: may.yield_,
    }[type(action)]()
    if allowed:
        rules.step(state, seat, action)
    else:
        assert refusal(state, seat, action).code


def _lawful(state, word):
    return state.setup.rules.clue_law is LawMode.PENALTY or state.setup.law.check(word, state.visible).legal


@given(games())
def test_step_accepts_every_option_and_nothing_else_in_every_position(played):
    for state in played.states:
        for seat in SEATS:
            may = rules.options(state, seat)
            for card in range(25):
                assert accepts(state, seat, Guess(card)) == bool(may.guesses >> card & 1)
            assert accepts(state, seat, Stop()) == may.stop
            assert accepts(state, seat, Yield()) == may.yield_
            assert accepts(state, seat, Clue("weather", 1)) == may.clue
        over = state.phase in rules.OVER
        assert over == (not rules.actors(state))


def accepts(state, seat, action):
    try:
        rules.step(state, seat, action)
    except IllegalAction:
        return False
    return True
