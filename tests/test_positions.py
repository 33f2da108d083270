"""The positions of the conformance suite: each is what its kind says, for both seats and any seed."""

import pytest

from brushpass import Phase, Seat, load_wordlist
from brushpass.duet.core import rules
from brushpass.duet.core.cards import cards_of
from brushpass.duet.observe import observe
from brushpass.duet.testing.positions import KINDS, every_kind

WORDS = load_wordlist("english").words


@pytest.fixture(scope="module")
def views():
    """What the seat that is asked sees, by kind, for several seeds and both seats."""
    return [
        (position, observe(position.state, position.seat, position.history))
        for seed in range(6)
        for position in every_kind(seed, WORDS)
    ]


EXPECTED = {
    "first clue": lambda v: v.phase is Phase.CLUE and not v.history,
    "first guess": lambda v: v.must_guess and v.clue and len(v.history) == 1,
    "no mistake allowed, whole game": lambda v: (v.check, v.bystander) == (8, 0) and v.clue is None,
    "no mistake allowed, guess": lambda v: (v.check, v.bystander) == (8, 0) and v.must_guess,
    "a mistake cannot be paid": lambda v: (v.check, v.bystander) == (1, 0) and v.must_guess,
    "number 0": lambda v: v.clue.number == 0 and v.must_guess,
    "number 0, after a hit": lambda v: v.clue.number == 0 and v.hits == 1,
    "number 9, after hits": lambda v: v.clue.number == 9 and v.hits == 3,
    "hits beyond the number": lambda v: v.hits > v.clue.number,
    "clue of an unknown word": lambda v: v.clue.word == "zyzzogeton",
    "clue in digits": lambda v: v.clue.word == "7",
    "clue of two words": lambda v: " " in v.clue.word or "apple" in v.words,
    "clue against the law": lambda v: v.clue.word in v.words and v.bank == 8,
    "the same clue again": lambda v: [clue.word for clue in v.heard()] == [v.clue.word] * 2,
    "clue under the penalty law": lambda v: v.rules.clue_law == "penalty" and v.phase is Phase.CLUE,
    "unknown cards, clue": lambda v: "Blorptang" in v.words and v.phase is Phase.CLUE,
    "unknown cards, guess": lambda v: "Blorptang" in v.words and v.phase is Phase.GUESS,
    "cards of several words, clue": lambda v: "ice cream" in v.words and v.phase is Phase.CLUE,
    "cards of several words, guess": lambda v: "ice cream" in v.words and v.phase is Phase.GUESS,
    "last green, clue": lambda v: len(v.greens_left()) == 1 and v.phase is Phase.CLUE,
    "last green, guess": lambda v: v.must_guess and not v.finished,
    "last green among assassins, clue": lambda v: len(v.greens_left()) == 1 and v.finished == (v.seat.other,),
    "last green among assassins, guess": lambda v: len(v.open_cards()) == 3 and v.finished == (v.seat,),
    "partner finished": lambda v: v.finished == (v.seat.other,) and v.phase is Phase.CLUE,
    "own side finished": lambda v: v.finished == (v.seat,) and v.phase is Phase.GUESS,
    "marks from both sides, clue": lambda v: v.marks.a & v.marks.b and v.phase is Phase.CLUE,
    "marks from both sides, guess": lambda v: v.marks.a & v.marks.b and v.phase is Phase.GUESS,
    "last token, clue": lambda v: v.bank == 1 and v.phase is Phase.CLUE,
    "last token, guess": lambda v: v.bank == 1 and v.phase is Phase.GUESS,
    "sudden death": lambda v: v.phase is Phase.SUDDEN and not v.must_guess and v.heard(),
    "sudden death, no clue heard": lambda v: v.phase is Phase.SUDDEN and not v.heard() and not v.must_guess,
    "sudden death, bound to guess": lambda v: v.phase is Phase.SUDDEN and v.must_guess and not v.finished,
    "sudden death, partner cannot guess": lambda v: v.phase is Phase.SUDDEN and v.finished == (v.seat,),
    "sudden death, last green": lambda v: v.phase is Phase.SUDDEN and len(v.greens_left()) == 1,
    "sudden death by a clue": lambda v: v.phase is Phase.SUDDEN and len(v.history) == 2 and len(v.heard()) == 1,
    "order 2-1": lambda v: v.rules.order == "2-1" and v.phase is Phase.CLUE and v.said() and not v.heard(),
    "order free": lambda v: v.phase is Phase.CLUE_ANY and v.giver is None,
    "one clue refused": lambda v: v.phase is Phase.CLUE,
    "two clues refused": lambda v: v.phase is Phase.CLUE,
    "three clues refused": lambda v: v.phase is Phase.CLUE,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_is_what_its_kind_says(views, kind):
    met = [(position, view) for position, view in views if position.kind == kind]
    assert {position.seat for position, _ in met} == set(Seat)
    for position, view in met:
        assert position.seat in rules.actors(position.state)
        assert EXPECTED[kind](view), view.to_json()


def test_only_assassins_are_left_beside_the_last_green(views):
    for position, view in views:
        if position.kind == "last green among assassins, guess":
            side = position.state.setup.keys.side(view.seat.other)
            assert sorted(side.color(card) for card in view.open_cards()) == ["B", "B", "G"]
        if position.kind == "last green among assassins, clue":
            touchable = cards_of(view.touchable(view.seat.other))
            assert sorted(view.key.color(card) for card in touchable) == ["B", "B", "G"]


def test_cards_of_ones_own_bring_every_kind_too():
    words = ["music", "apple", "ice cream", *(f"word{number}" for number in range(40))]
    assert {position.kind for position in every_kind(1, words)} == set(KINDS)
