"""People of other habits: who stops early, and who remembers and goes beyond the number."""

import numpy as np
import pytest
from test_agents import CARDS, play, position, view_of

from brushpass.duet.agents.habits import Cautious, Eager
from brushpass.duet.agents.person import Person
from brushpass.duet.agents.roster import build_agent
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop
from brushpass.duet.core.cards import SEATS
from brushpass.duet.testing.conformance import check_agent
from brushpass.errors import InvalidSetup
from brushpass.lexicon.vocabulary import make_vocabulary
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space

A, B = SEATS
POINTS = {"ocean": (3, 4, 5), "metal": (6,), "school": tuple(range(25))}
"""The cards each clue points at, all of them alike: those of the first two are green on A's side."""
ROWS = [*np.eye(25), *(np.isin(np.arange(25), cards).astype(float) for cards in POINTS.values())]
MIND = Mind("plain", "plain", Space.from_vectors([*CARDS, *POINTS], np.array(ROWS), "float32"), temperature=0.1)
SURE = 0.25


def player(kind, sure=SURE):
    made = kind(MIND, make_vocabulary(POINTS), guess_noise=0, clue_noise=0)
    made.sure = sure
    return made


def turn(agent, *moves):
    """The cards touched in the turn that follows `moves` of both, as long as all goes well."""
    state, history = play(position(), *moves)
    agent.new_game(view_of(B, state), 1)
    touched = []
    while not isinstance(action := agent.guess(view_of(B, state, history)), Stop):
        touched.append(action.card)
        state, events = rules.step(state, B, action)
        history += events
        if state.giver is not A:
            break
    return touched


def test_the_cautious_stop_where_they_are_not_sure_and_always_touch_one_card():
    said = (A, Clue("metal", 4))
    assert turn(player(Person), said) == [6, 0, 1, 2], "a person goes on to the number"
    assert turn(player(Cautious), said) == [6]
    assert turn(player(Cautious, sure=1.1), (A, Clue("ocean", 3))) == turn(player(Person), (A, Clue("ocean", 1)))
    assert turn(player(Cautious), (A, Clue("ocean", 3))) == [3, 4, 5]


@pytest.mark.parametrize("number", [1, 2])
def test_the_eager_go_beyond_the_number_to_cards_they_are_sure_of(number):
    said = (A, Clue("ocean", number))
    assert len(turn(player(Person), said)) == number
    assert turn(player(Eager), said) == [3, 4, 5]
    assert turn(player(Eager, sure=1.1), said) == turn(player(Person), said)


def test_the_eager_remember_what_an_old_clue_still_promises():
    first = [(A, Clue("ocean", 2)), (B, Guess(18)), (B, Clue("school", 1)), (A, Guess(9)), (A, Stop())]
    assert turn(player(Person), *first, (A, Clue("metal", 1))) == [6]
    assert turn(player(Eager), *first, (A, Clue("metal", 1))) == [6, 3, 4, 5]
    kept = [(A, Clue("ocean", 1)), (B, Guess(4)), (B, Stop()), *first[2:]]
    assert turn(player(Eager), *kept, (A, Clue("metal", 1))) == [6], "that clue promised no more"


def test_they_are_agents_like_others():
    spec = "eager:model=minilm,sure=0.2,guess_noise=0.3,clue_noise=0.35"
    report = check_agent(lambda: build_agent(spec, CARDS), positions=40, words=CARDS)
    assert report.ok, str(report)
    for name in ("cautious", "eager"):
        with pytest.raises(InvalidSetup, match=f"{name} has no option 'surely'; known: .*sure"):
            build_agent(f"{name}:model=minilm,surely=1", CARDS)
    with pytest.raises(InvalidSetup, match="person has no option 'sure'"):
        build_agent("person:model=minilm,sure=1", CARDS)
