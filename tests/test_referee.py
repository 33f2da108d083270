"""One game between two agents: who is asked and what they are told, refusals, forfeits, seeds, the record."""

import json
import re
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from brushpass import seeds
from brushpass.duet.agent import Advice, Agent, LeftTheTable, Player
from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.agents.scripted import ScriptedAgent
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import SEATS, Seat
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.duet.record import read_record, verify
from brushpass.duet.referee import MAX_REFUSALS, play_game
from brushpass.duet.testing.strategies import CLUE_WORDS

A, B = SEATS
CLUE = Clue("clue", 1)
BAD = Clue("bad", 1)


class Watched(ScriptedAgent):
    """A scripted agent that remembers everything it was told; a script entry that is an exception is raised."""

    def __init__(self, *script) -> None:
        super().__init__(script)
        self.views, self.seeds, self.ends = [], [], []

    def new_game(self, view, seed):
        super().new_game(view, seed)
        self.views.append(view)
        self.seeds.append(seed)

    def give_clue(self, view):
        return self._answer(view)

    def guess(self, view):
        return self._answer(view)

    def end(self, *told):
        self.ends.append(told)

    def _answer(self, view):
        self.views.append(view)
        answer = self._next(view)
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def setup(f1, board, stub_law):
    return Setup(board, f1, Mission(9, 9), A, law=stub_law)


def sudden(setup):
    """One token: the first miss begins sudden death."""
    return replace(setup, mission=Mission(1, 1))


def asked(agent):
    """The views of an agent's turns, that of `new_game` left out."""
    return agent.views[1:]


def why(record):
    return record.trace[-1]["why"]


# ------------------------------------------------------------------ a game


def test_a_whole_game_is_played_and_recorded(setup):
    a = Watched(Advice(Clue("clue", 9), targets=(0, 1), scores={"value": 0.123456}), Guess(9), Guess(15))
    b = Watched(Guess(3), Stop(), CLUE)
    record = play_game(a, b, setup, seed=5, id="x", city="Prague", names=("a", "b"))
    assert [move.to_json() for move in record.moves] == [
        ["clue", "A", "clue", 9],
        ["guess", "B", 3],
        ["stop", "B"],
        ["clue", "B", "clue", 1],
        ["guess", "A", 9],
        ["guess", "A", 15],
    ]
    assert (record.outcome, record.reason, record.turns_used) == (Outcome.LOST, Reason.ASSASSIN, 2)
    assert (record.id, record.city, record.agents, record.seed) == ("x", "Prague", ("a", "b"), 5)
    assert record.trace == [{"value": 0.1235, "targets": [0, 1]}, {"targets": []}]


def test_i5_both_sides_of_the_key_are_told_at_the_end(setup, f1):
    a, b = Watched(CLUE), Watched(Guess(15))
    play_game(a, b, setup)
    assert a.ends == b.ends == [(Outcome.LOST, Reason.ASSASSIN, f1.a, f1.b)]


def test_each_seat_is_asked_in_its_turn_with_its_own_view(setup):
    a, b = Watched(CLUE, Guess(15)), Watched(Guess(3), Guess(18), Clue("next", 2))
    play_game(a, b, setup)
    assert [(view.seat, view.phase, view.hits) for view in asked(a)] == [(A, Phase.CLUE, 0), (A, Phase.GUESS, 0)]
    assert [(view.seat, view.phase, view.hits) for view in asked(b)] == [
        (B, Phase.GUESS, 0),
        (B, Phase.GUESS, 1),
        (B, Phase.CLUE, 0),
    ]
    assert [view.must_guess for view in asked(b)] == [True, False, False]
    assert asked(a)[1].clue == Clue("next", 2)
    assert a.views[0].history == ()


def test_the_partner_never_sees_targets_or_scores(setup):
    a = Watched(Advice(CLUE, targets=(3, 4), scores={"secret": 0.5}))
    b = Watched(Guess(15))
    record = play_game(a, b, setup)
    assert record.trace == [{"secret": 0.5, "targets": [3, 4]}]
    for view in [*a.views, *b.views]:
        told = repr(view) + json.dumps(view.to_json())
        assert "secret" not in told
        assert "targets" not in told


class Whispered(Clue):
    """A clue with more to it than a word and a number."""

    aside: str = "touch the first card"


def test_the_partner_hears_a_word_and_a_number_and_no_more(setup):
    a, b = Watched(Whispered("clue", 1)), Watched(Guess(15))
    record = play_game(a, b, setup)
    (view,) = asked(b)
    assert (type(view.clue), view.clue, view.heard()) == (Clue, CLUE, (CLUE,))
    assert type(record.moves[0].action) is Clue


def test_an_open_first_giver_is_drawn_by_the_seed_and_recorded(setup):
    agents = RandomAgent(CLUE_WORDS * 3), RandomAgent(CLUE_WORDS * 3)
    opened = replace(setup, first=None)
    firsts = {play_game(*agents, opened, seed=seed, salt=0).setup.first for seed in range(20)}
    assert firsts == set(SEATS)
    record = play_game(*agents, opened, seed=4, salt=0)
    assert record.moves[0].seat is record.setup.first
    verify(read_record(record.to_line()))


def test_free_order_asks_either_unfinished_side(setup):
    free = replace(setup, first=None, rules=TableRules(Order.FREE))
    agents = RandomAgent(CLUE_WORDS * 3), RandomAgent(CLUE_WORDS * 3)
    givers = set()
    for seed in range(30):
        moves = play_game(*agents, free, seed=seed, salt=seed).moves
        given = [str(move.seat) for move in moves if isinstance(move.action, Clue)]
        givers.add("".join(given[:2]))
    assert givers >= {"AA", "AB", "BA", "BB"}


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize("refused", [BAD, Clue("clue", 10), Clue("clue", 1.5), Clue("clue", True), Clue("clue", None)])
def test_a_refused_clue_costs_nothing_and_is_asked_again(setup, refused):
    a, b = Watched(refused, Clue("good", 2)), Watched(Guess(15))
    record = play_game(a, b, setup)
    assert record.moves[0].action == Clue("good", 2)
    assert [len(view.refused) for view in asked(a)] == [0, 1]
    ((word, reason),) = asked(a)[1].refused
    assert word == refused.word
    assert reason
    assert asked(a)[1].bank == 9


def test_the_refused_clues_of_a_turn_are_told_with_their_reasons(setup):
    a, b = Watched(BAD, Clue("clue", 11), BAD, CLUE), Watched(Guess(15))
    record = play_game(a, b, setup)
    assert MAX_REFUSALS == 3
    assert record.reason is Reason.ASSASSIN
    assert [word for word, _ in asked(a)[3].refused] == ["bad", "clue", "bad"]
    assert "number 11" in asked(a)[3].refused[1][1]


def test_the_fourth_refusal_of_a_turn_forfeits(setup):
    a, b = Watched(BAD, BAD, BAD, BAD, CLUE), Watched()
    record = play_game(a, b, setup)
    assert (record.outcome, record.reason, record.moves) == (Outcome.LOST, Reason.FORFEIT, ())
    assert record.trace[-1]["forfeit"] == "A"
    assert "refused clue number 4" in why(record)
    assert len(asked(a)) == 4


def test_refusals_are_counted_anew_each_turn(setup):
    a = Watched(BAD, BAD, BAD, CLUE, Guess(18), BAD, BAD, BAD, CLUE)
    b = Watched(Guess(18), BAD, BAD, CLUE, Guess(15))
    assert play_game(a, b, setup).reason is Reason.ASSASSIN
    assert [len(view.refused) for view in asked(a)] == [0, 1, 2, 3, 0, 0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(6))
def test_the_partner_hears_nothing_of_a_refused_clue(setup, seed):
    """Also where either side might be asked next."""
    free = replace(setup, first=None, rules=TableRules(Order.FREE))
    a, b = (Watched(*[BAD, CLUE, Guess(18), BAD, CLUE, Guess(15), Guess(19)]) for _ in SEATS)
    for _ in range(3):
        play_game(a, b, free, seed=seed)
    for agent in (a, b):
        told = [view for view in agent.views if view.refused]
        for view in told:
            before = agent.views[agent.views.index(view) - 1]
            assert (before.phase, before.history) == (view.phase, view.history)
        assert all("bad" not in repr(view.history) for view in agent.views)


def test_under_the_penalty_law_a_barred_clue_stands(setup):
    law = replace(setup, rules=TableRules(clue_law=LawMode.PENALTY))
    record = play_game(Watched(BAD), Watched(Guess(15)), law)
    assert record.moves[0].to_json() == ["clue", "A", "bad", 1, "penalty"]
    assert record.reason is Reason.ASSASSIN


# ------------------------------------------------------------------ forfeits


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Guess(25), "illegal Guess(card=25): card 25 is not"),
        (Guess(True), "card True is not"),
        (Guess(3.0), "is not a whole number"),
        (Guess("x" * 10_000), "is not a whole number"),
        (Stop(), "at least one guess"),
        (Yield(), "no yield in phase GUESS"),
        (CLUE, "is not a guess, a stop or a yield"),
        (None, "None is not a guess"),
        (3, "3 is not a guess"),
        ("stop", "'stop' is not a guess"),
        (Guess, "is not a guess"),
        (ZeroDivisionError("oops"), "ZeroDivisionError: oops"),
        (RecursionError("deep\n\n  down"), "RecursionError: deep down"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_a_guesser_that_answers_rubbish_forfeits(setup, answer, says):
    a, b = Watched(CLUE), Watched(answer)
    record = play_game(a, b, setup)
    assert (record.outcome, record.reason) == (Outcome.LOST, Reason.FORFEIT)
    assert record.trace[-1]["forfeit"] == "B"
    assert says in why(record)
    assert len(why(record)) <= 300
    assert "\n" not in why(record)
    assert len(record.moves) == 1
    verify(read_record(record.to_line()))


@pytest.mark.parametrize(
    "answer", [object(), (one for one in ()), type("Long" * 20, (), {})(), ValueError(object()), ValueError(object)]
)
def test_why_a_game_is_forfeited_is_told_alike_in_every_run(setup, answer):
    record = play_game(Watched(CLUE), Watched(answer), setup)
    assert record.reason is Reason.FORFEIT
    assert not re.search(r"[0-9a-f]{6,}", why(record))


class Sly(str):
    """A word that is like any other."""

    __slots__ = ()

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def test_the_law_judges_the_word_that_is_recorded(setup):
    lawful = replace(setup, law=ClueLaw())
    play_game(Watched(Clue(Sly("ocean"), 1)), Watched(), lawful)
    record = play_game(Watched(*[Clue(Sly(setup.board.words[0]), 1)] * 4), Watched(), lawful)
    assert why(record).startswith("refused clue number 4")
    verify(read_record(record.to_line()))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "None is not a clue"),
        ("clue 1", "'clue 1' is not a clue"),
        (("clue", 1), "is not a clue"),
        (Guess(3), "Guess(card=3) is not a clue"),
        (Advice(None), "is not a clue"),
        (Advice(Guess(1)), "is not a clue"),
        (Clue(5, 1), "is not a clue"),
        (Clue(None, 1), "is not a clue"),
        (Clue(b"clue", 1), "is not a clue"),
        (Advice(CLUE, targets=5), "makes no sense"),
        (Advice(CLUE, targets=("three",)), "makes no sense"),
        (Advice(CLUE, targets=(2.5,)), "makes no sense"),
        (Advice(CLUE, targets=(25,)), "are not cards"),
        (Advice(CLUE, targets=(-1,)), "are not cards"),
        (Advice(CLUE, scores=5), "makes no sense"),
        (Advice(CLUE, scores={"value": "high"}), "makes no sense"),
        (Advice(CLUE, scores={"value": None}), "makes no sense"),
        (Advice(CLUE, scores={"value": 10**400}), "makes no sense"),
        (ValueError("no word"), "ValueError: no word"),
        (AssertionError(), "AssertionError"),
    ],
)
def test_a_giver_that_answers_rubbish_forfeits(setup, answer, says):
    record = play_game(Watched(answer), Watched(), setup)
    assert (record.reason, record.moves) == (Reason.FORFEIT, ())
    assert record.trace == [{"forfeit": "A", "why": why(record)}]
    assert says in why(record)
    verify(read_record(record.to_line()))


def test_a_trace_is_plain_json_whatever_the_agent_counts_in(setup):
    scores = {"value": np.float32(0.5), "risk": float("nan"), "gain": float("inf"), 3: 1}
    record = play_game(Watched(Advice(CLUE, np.array([3, 4]), scores)), Watched(Guess(15)), setup)
    assert record.trace == [{"value": 0.5, "3": 1.0, "targets": [3, 4]}]
    assert json.loads(record.to_line())["trace"] == record.trace


def test_a_word_that_is_no_unicode_can_be_recorded(setup):
    odd = Clue("\ud800", 1)
    record = play_game(Watched(odd), Watched(Guess(15)), setup)
    assert record.moves[0].action == odd
    record.to_line().encode()


@pytest.mark.parametrize("seat", SEATS)
def test_an_agent_that_cannot_begin_forfeits(setup, seat):
    class Broken(Watched):
        def new_game(self, *_):
            raise OSError("no model")

    agents = [Watched(CLUE), Watched(Guess(15))]
    agents[SEATS.index(seat)] = Broken()
    record = play_game(*agents, setup)
    assert (record.reason, record.moves) == (Reason.FORFEIT, ())
    assert record.trace == [{"forfeit": str(seat), "why": "OSError: no model"}]


def test_after_a_forfeit_both_sides_are_told_of_the_end(setup, f1):
    a, b = Watched(ValueError("oops")), Watched()
    play_game(a, b, setup)
    assert a.ends == b.ends == [(Outcome.LOST, Reason.FORFEIT, f1.a, f1.b)]


def test_an_agent_that_fails_after_the_end_loses_nothing(setup):
    class Sore(Watched):
        def end(self, *_):
            raise ValueError("unfair")

    record = play_game(Sore(CLUE), Watched(Guess(15)), setup)
    assert record.reason is Reason.ASSASSIN
    assert record.trace[-1] == {"after_the_end": "A", "why": "ValueError: unfair"}
    verify(read_record(record.to_line()))


def test_a_person_who_leaves_the_table_ends_the_game_without_a_record(setup):
    b = Watched()
    with pytest.raises(LeftTheTable):
        play_game(Watched(LeftTheTable()), b, setup)
    with pytest.raises(LeftTheTable):
        play_game(Watched(CLUE), Watched(LeftTheTable()), setup)


def test_an_interrupt_passes_through(setup):
    with pytest.raises(KeyboardInterrupt):
        play_game(Watched(KeyboardInterrupt()), Watched(), setup)


# ------------------------------------------------------------------ sudden death


def test_sudden_death_asks_the_partner_of_the_last_giver_first(setup):
    a, b = Watched(CLUE), Watched(Guess(18), Guess(19))
    assert play_game(a, b, sudden(setup)).reason is Reason.SUDDEN_DEATH
    assert [view.phase for view in asked(b)] == [Phase.GUESS, Phase.SUDDEN]


def test_after_a_penalty_the_partner_of_the_giver_is_asked_first_too(setup):
    law = replace(sudden(setup), rules=TableRules(clue_law=LawMode.PENALTY))
    a, b = Watched(BAD), Watched(Guess(19))
    assert play_game(a, b, law).reason is Reason.SUDDEN_DEATH
    assert [view.phase for view in asked(b)] == [Phase.SUDDEN]


def test_the_last_guesser_is_asked_again_and_a_yield_passes_on(setup):
    a = Watched(CLUE, Guess(9), Guess(10), Yield(), Guess(19))
    b = Watched(Guess(18), Guess(3), Yield(), Yield())
    record = play_game(a, b, sudden(setup))
    assert [move.to_json()[:2] for move in record.moves] == [
        ["clue", "A"],
        ["guess", "B"],
        ["guess", "B"],
        ["yield", "B"],
        ["guess", "A"],
        ["guess", "A"],
        ["yield", "A"],
        ["yield", "B"],
        ["guess", "A"],
    ]
    assert [view.must_guess for view in asked(a)] == [False, False, False, False, True]


def test_a_side_bound_to_guess_that_yields_forfeits(setup):
    a, b = Watched(CLUE, Yield()), Watched(Guess(18), Yield(), Yield())
    record = play_game(a, b, sudden(setup))
    assert record.trace[-1]["forfeit"] == "B"
    assert "may not yield" in why(record)


def test_when_one_side_is_finished_only_it_is_asked(setup):
    a = Watched(CLUE, Guess(9), Guess(15))
    b = Watched(*[Guess(card) for card in range(9)])
    record = play_game(a, b, sudden(setup))
    assert [move.to_json()[:2] for move in record.moves[-2:]] == [["guess", "A"]] * 2
    assert all(view.must_guess for view in asked(a)[1:])


# ------------------------------------------------------------------ seeds


@dataclass
class Noisy(Player):
    """An agent that draws everything from its seed."""

    inner: RandomAgent = field(default_factory=lambda: RandomAgent(CLUE_WORDS * 3))

    def new_game(self, view, seed):
        self.inner.new_game(view, seed)

    def give_clue(self, view):
        return self.inner.give_clue(view)

    def guess(self, view):
        return self.inner.guess(view)


def test_equal_seeds_give_the_same_line_byte_for_byte(setup):
    lines = {play_game(Noisy(), Noisy(), setup, seed=8, salt=9).to_line() for _ in range(3)}
    assert len(lines) == 1
    assert play_game(Noisy(), Noisy(), setup, seed=8, salt=10).to_line() not in lines
    assert play_game(Noisy(), Noisy(), setup, seed=9, salt=9).to_line() not in lines


def test_agents_can_be_used_for_many_games(setup):
    a, b = Noisy(), Noisy()
    once = [play_game(a, b, setup, seed=seed, salt=1).to_line() for seed in range(5)]
    again = [play_game(a, b, setup, seed=seed, salt=1).to_line() for seed in reversed(range(5))]
    assert once == again[::-1]


def agent_seeds(setup, **how):
    a, b = Watched(CLUE), Watched(Guess(15))
    play_game(a, b, setup, **how)
    return a.seeds[0], b.seeds[0]


def test_agents_get_seeds_of_their_own(setup):
    drawn = [seed for game in range(10) for seed in agent_seeds(setup, seed=game, salt=5)]
    assert len(set(drawn)) == 20
    assert agent_seeds(setup, seed=3, salt=5) == agent_seeds(setup, seed=3, salt=5)


def test_an_agents_seed_follows_from_the_salt_alone_and_not_from_the_games_seed(setup):
    """With another salt the same game gives other seeds, so that the game's seed does not tell an agent's."""
    assert set(agent_seeds(setup, seed=3, salt=5)).isdisjoint(agent_seeds(setup, seed=3, salt=6))
    assert 3 not in agent_seeds(setup, seed=3, salt=5)
    cheap = {seeds.child(3, *tail) for tail in [(), ("agent",), ("A",), ("agent", "A"), ("agent", 3, Seat.A)]}
    assert cheap.isdisjoint(agent_seeds(setup, seed=3))


def test_the_salt_is_costly_to_make_and_made_once_from_the_seed(setup):
    assert agent_seeds(setup, seed=3) == agent_seeds(setup, seed=3, salt=seeds.salt(3))
    assert seeds.salt(3) != seeds.salt(4)


def test_the_game_is_the_same_whatever_the_agents_draw(setup):
    """What the referee draws itself depends on the game's seed alone, not on the salt."""
    free = replace(setup, first=None, rules=TableRules(Order.FREE))
    for seed in range(10):
        firsts = {play_game(Noisy(), Noisy(), free, seed=seed, salt=salt).setup.first for salt in range(4)}
        assert len(firsts) == 1


def test_the_simple_players_are_agents():
    assert isinstance(RandomAgent(CLUE_WORDS), Agent)
    assert isinstance(ScriptedAgent([]), Agent)
    assert not isinstance(Player(), Agent)
