"""The random and the scripted player."""

import random
from collections import Counter

import pytest
from hypothesis import given

from brushpass.duet.agent import Advice
from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.agents.scripted import ScriptedAgent
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import SEATS
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.state import Setup
from brushpass.duet.observe import observe
from brushpass.duet.referee import play_game
from brushpass.duet.testing.strategies import CLUE_WORDS, games
from brushpass.errors import AgentFailure

A, B = SEATS


@pytest.fixture
def setup(f1, board):
    return Setup(board, f1, Mission(9, 9), A)


@pytest.fixture
def view(setup):
    return observe(rules.new_game(setup), A, ())


@given(games())
def test_the_random_player_does_only_what_is_legal(played):
    for seat in rules.actors(played.state):
        agent = RandomAgent(CLUE_WORDS)
        view = observe(played.state, seat, played.history)
        for seed in range(3):
            agent.new_game(view, seed)
            action = agent.give_clue(view) if played.state.phase in rules.CLUING else agent.guess(view)
            rules.step(played.state, seat, action)


def test_the_random_player_does_everything_that_is_legal(board):
    """Every card, stops and yields, all its words and numbers."""
    done = Counter()
    rng = random.Random(1)
    for seed in range(300):
        agents = RandomAgent(CLUE_WORDS * 3), RandomAgent(CLUE_WORDS * 3)
        record = play_game(*agents, Setup(board, KeyCard.deal(rng), Mission(2, 2), A), seed=seed, salt=seed)
        done.update(move.action for move in record.moves)
    assert {action.card for action in done if isinstance(action, Guess)} == set(range(25))
    assert {action.word for action in done if isinstance(action, Clue)} == set(CLUE_WORDS)
    assert {action.number for action in done if isinstance(action, Clue)} == {1, 2, 3}
    assert {Stop(), Yield()} <= set(done)


def test_the_random_player_says_no_word_twice_and_none_the_law_bars(view):
    agent = RandomAgent(["anchor", "anchors", *CLUE_WORDS, "badge"])
    agent.new_game(view, 1)
    assert sorted(agent.give_clue(view).word for _ in CLUE_WORDS) == sorted(CLUE_WORDS)
    with pytest.raises(AgentFailure, match="none of the 11 clue words"):
        agent.give_clue(view)
    agent.new_game(view, 1)
    assert agent.give_clue(view).word in CLUE_WORDS


def test_the_random_player_plays_by_its_seed(view):
    def clues(seed):
        agent = RandomAgent(CLUE_WORDS)
        agent.new_game(view, seed)
        return [agent.give_clue(view) for _ in CLUE_WORDS]

    assert clues(4) == clues(4)
    assert clues(4) != clues(5)


def test_the_scripted_player_says_its_lines_again_every_game(view):
    script = [Clue("one", 1), Guess(3), Stop(), Advice(Clue("two", 2), (1,)), Yield()]
    agent = ScriptedAgent(script)
    for _ in range(2):
        agent.new_game(view, 0)
        assert [agent.give_clue(view), agent.guess(view), agent.guess(view)] == script[:3]
        assert [agent.give_clue(view), agent.guess(view)] == script[3:]
        with pytest.raises(AgentFailure, match="script of A has run out after 5 actions"):
            agent.guess(view)


def test_the_scripted_player_tells_a_line_out_of_place(view):
    agent = ScriptedAgent([Guess(3), Clue("one", 1)])
    with pytest.raises(AgentFailure, match=r"Guess\(card=3\) where a clue is due"):
        agent.give_clue(view)
    with pytest.raises(AgentFailure, match="where a guess is due"):
        agent.guess(view)


def test_a_recorded_game_can_be_played_again_from_scripts(setup):
    agents = RandomAgent(CLUE_WORDS * 3), RandomAgent(CLUE_WORDS * 3)
    for seed in range(20):
        record = play_game(*agents, setup, seed=seed, salt=seed)
        scripts = [ScriptedAgent([move.action for move in record.moves if move.seat is seat]) for seat in SEATS]
        again = play_game(*scripts, setup, seed=99, salt=99)
        assert (again.moves, again.outcome, again.reason) == (record.moves, record.outcome, record.reason)
