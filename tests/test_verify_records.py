"""What `verify` accepts and refuses: records of other programs, and records that were tampered with."""

import json

import pytest

from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.mission import Mission, find_city
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.duet.record import read_record, verify
from brushpass.duet.referee import play_game
from brushpass.duet.testing.strategies import CLUE_WORDS
from brushpass.errors import CorruptData

REQUIRED = {
    "schema",
    "id",
    "game",
    "turns",
    "mistakes",
    "words",
    "key_a",
    "key_b",
    "first",
    "actions",
    "outcome",
    "reason",
}
A_GREENS, B_GREENS = range(9), range(9, 15)


@pytest.fixture
def foreign(f1, board):
    """A maker of records as another program writes them, with the required keys alone."""

    def make(actions, outcome="lost", reason="assassin", turns=9, mistakes=None, first="A", **more):
        data = {
            "schema": 1,
            "id": 7,
            "game": "duet",
            "turns": turns,
            "mistakes": turns if mistakes is None else mistakes,
            "words": list(board.words),
            "key_a": str(f1.a),
            "key_b": str(f1.b),
            "first": first,
            "actions": actions,
            "outcome": outcome,
            "reason": reason,
        }
        assert set(data) == REQUIRED
        return data | more

    return make


def check(data):
    return verify(read_record(json.dumps(data)))


def refused(data, says):
    with pytest.raises(CorruptData, match=says):
        check(data)


def clue(seat, word="clue", number=1):
    return ["clue", seat, word, number]


def guesses(seat, cards):
    return [["guess", seat, card] for card in cards]


ASSASSIN = [clue("A"), ["guess", "B", 15]]
WIN = [clue("A"), *guesses("B", A_GREENS), clue("B"), *guesses("A", B_GREENS)]
"""A perfect game: two turns, all fifteen."""
SUDDEN_LOSS = [clue("A"), ["guess", "B", 18], ["guess", "A", 9], ["guess", "A", 19]]
SUDDEN_WIN = [clue("A"), *guesses("B", A_GREENS), *guesses("A", B_GREENS)]
"""With one token: A's words in the one turn, B's in sudden death."""


# ------------------------------------------------------------------ records of other programs


@pytest.mark.parametrize(
    ("actions", "claim"),
    [
        (ASSASSIN, {}),
        (WIN, {"outcome": "won", "reason": None}),
        (SUDDEN_LOSS, {"turns": 1, "reason": "sudden_death"}),
        (SUDDEN_WIN, {"turns": 1, "outcome": "won", "reason": None}),
        ([clue("A"), ["guess", "B", 18]], {"turns": 1, "mistakes": 0, "reason": "cannot_pay"}),
        ([], {"reason": "forfeit"}),
        ([clue("A"), ["guess", "B", 0]], {"reason": "forfeit"}),
    ],
)
def test_the_required_keys_are_enough(foreign, actions, claim):
    check(foreign(actions, **claim))


@pytest.mark.parametrize("first", ["A", "B"])
def test_either_side_may_be_first(foreign, first):
    other = "B" if first == "A" else "A"
    check(foreign([clue(first), ["guess", other, 15]], first=first))
    refused(foreign([clue(first), ["guess", other, 15]], first=other), "E_ACTOR")


@pytest.mark.parametrize("value", ["x", "", "ид", 0, -5, 10**30])
def test_any_text_or_whole_number_is_an_id(foreign, value):
    check(foreign(ASSASSIN) | {"id": value})


def test_clue_words_are_checked_only_where_rules_are_given(foreign):
    said = [clue("A", "anchors"), ["guess", "B", 15]]
    check(foreign(said))
    check(foreign(said, rules=None))
    for rules in ({}, {"clue_law": "reject"}):
        refused(foreign(said, rules=rules), r"action 1 .*E_CLUE_ILLEGAL L3")
    two_words = [clue("A", "big apple"), ["guess", "B", 15]]
    check(foreign(two_words))
    refused(foreign(two_words, rules={}), "E_CLUE_ILLEGAL L1")
    check(foreign(two_words, rules={"relax": ["proper-names"]}))


def test_a_form_of_a_found_word_may_be_said(foreign):
    said = [clue("A"), ["guess", "B", 0], ["stop", "B"], clue("B", "anchors"), ["guess", "A", 15]]
    check(foreign(said, rules={}))


def test_a_penalty_is_recorded_exactly_where_the_law_is_broken(foreign):
    rules = {"clue_law": "penalty"}
    broken, lawful = clue("A", "anchors"), clue("A", "weather")
    end = ["guess", "B", 15]
    check(foreign([[*broken, "penalty"], end], rules=rules))
    check(foreign([lawful, end], rules=rules))
    refused(foreign([broken, end], rules=rules), "breaks the clue law, yet no penalty")
    refused(foreign([[*lawful, "penalty"], end], rules=rules), "is legal, yet recorded as penalised")
    refused(foreign([[*lawful, "penalty"], end], rules={}), "is legal, yet recorded as penalised")
    refused(foreign([[*broken, "penalty"], end], rules={}), "E_CLUE_ILLEGAL")
    refused(foreign([[*broken, "penalty"], end]), "is legal, yet recorded as penalised")


def test_a_penalty_costs_its_token(foreign):
    said = [[*clue("A", "anchors"), "penalty"], ["guess", "A", 9], ["guess", "B", 15]]
    check(foreign(said, turns=1, rules={"clue_law": "penalty"}))
    refused(foreign(said, turns=2, rules={"clue_law": "penalty"}), "E_ACTOR")


def test_yields_may_be_left_out_and_put_in(foreign):
    yields = [*SUDDEN_LOSS[:2], ["yield", "B"], ["guess", "A", 9], ["yield", "A"], ["yield", "B"], ["guess", "A", 19]]
    check(foreign(SUDDEN_LOSS, turns=1, reason="sudden_death"))
    check(foreign(yields, turns=1, reason="sudden_death"))
    bound = [*SUDDEN_LOSS[:2], ["yield", "B"], ["yield", "A"], ["yield", "B"], ["guess", "A", 19]]
    refused(foreign(bound, turns=1, reason="sudden_death"), "action 5 .*E_MUST_GUESS")


def test_orders_are_those_of_the_rules(foreign):
    turns = [(seat, "B" if seat == "A" else "A") for seat in "AABA"]
    play = [step for card, (giver, guesser) in enumerate(turns, 18) for step in (clue(giver), ["guess", guesser, card])]
    actions = [*play, clue("A"), ["guess", "B", 15]]
    check(foreign(actions, rules={"order": "2-1"}))
    check(foreign(actions, rules={"order": "free"}))
    refused(foreign(actions, rules={"order": "alternate"}), "action 3 .*E_ACTOR")
    refused(foreign(actions), "action 3 .*E_ACTOR")
    refused(foreign([*play[:2], clue("B"), ["guess", "A", 15]], rules={"order": "2-1"}), "E_ACTOR")
    refused(foreign(ASSASSIN, first="B", rules={"order": "free"}), "E_ACTOR")


# ------------------------------------------------------------------ what does not hold


def test_another_outcome_is_refused(foreign):
    refused(foreign(ASSASSIN, outcome="won"), r"recorded as won \(assassin\), but the actions give lost \(assassin\)")
    refused(foreign(ASSASSIN, outcome="won", reason=None), r"but the actions give lost \(assassin\)")
    refused(foreign(WIN, outcome="lost", reason=None), r"but the actions give won \(None\)")


@pytest.mark.parametrize("reason", [None, "sudden_death", "cannot_pay", "forfeit"])
def test_another_reason_is_refused(foreign, reason):
    refused(foreign(ASSASSIN, reason=reason), "recorded as lost|a forfeit is a lost game")


def test_a_won_game_has_no_reason(foreign):
    refused(foreign(WIN, outcome="won", reason="assassin"), "recorded as won")


def test_an_illegal_move_is_refused_by_number_and_code(foreign):
    refused(foreign([clue("A"), ["guess", "B", 3], ["guess", "B", 3]]), r"action 3 \['guess', 'B', 3\]: E_COVERED")
    refused(foreign([clue("A"), ["stop", "B"]]), "action 2 .*E_MUST_GUESS")
    refused(foreign([clue("A"), ["guess", "A", 9]]), "action 2 .*E_ACTOR")
    refused(foreign([["guess", "A", 9]]), "action 1 .*E_PHASE")
    refused(foreign([clue("A"), ["yield", "B"]]), "action 2 .*E_PHASE")
    for number in (10, -1, 2.5, True, "2", None, [1]):
        refused(foreign([clue("A", number=number)]), "action 1 .*E_CLUE_NUMBER")
    for card in (25, -1, 3.0, True, "3", None, [3]):
        refused(foreign([clue("A"), ["guess", "B", card]]), "action 2 .*E_CELL")


def test_an_action_after_the_end_is_refused(foreign):
    refused(foreign([*ASSASSIN, clue("B")]), "action 3 .*E_GAME_OVER")
    refused(foreign([*WIN, ["stop", "A"]], outcome="won", reason=None), "E_GAME_OVER")


@pytest.mark.parametrize("end", range(len(WIN)))
def test_a_game_cut_short_is_refused(foreign, end):
    refused(foreign(WIN[:end], outcome="won", reason=None), "leave the game unfinished in phase")


def test_a_forfeit_is_a_lost_game_left_unfinished(foreign):
    refused(foreign(ASSASSIN, reason="forfeit"), "a forfeit is a lost game that the actions leave unfinished")
    refused(foreign([], outcome="won", reason="forfeit"), "a forfeit is a lost game")
    refused(foreign([clue("A"), ["guess", "A", 3]], reason="forfeit"), "E_ACTOR")


# ------------------------------------------------------------------ claims


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ({"turns_used": 3}, "turns_used is recorded as 3, but the actions give 2"),
        ({"turns_used": True}, "turns_used is recorded as True"),
        ({"turns_used": 2.0}, "turns_used is recorded as 2.0"),
        ({"turns_used": None}, "turns_used is recorded as None"),
        ({"score": 22}, "score is recorded as 22, but the actions give 23"),
        ({"score": None}, "score is recorded as None, but the actions give 23"),
        ({"score": "23"}, "score is recorded as '23'"),
        ({"sudden_death": True}, "sudden_death is recorded as True, but the actions give False"),
        ({"sudden_death": 0}, "sudden_death is recorded as 0"),
        ({"city": "Berlin"}, "city 'Berlin' is not played with 9-9 tokens"),
        ({"city": "Atlantis"}, "city 'Atlantis' is not on the map"),
        ({"city": 9}, "city 9 is not played"),
        ({"city": ["Prague"]}, "city"),
        ({"city": ""}, "city '' is not on the map"),
    ],
)
def test_a_claim_that_does_not_hold_is_refused(foreign, claim, says):
    refused(foreign(WIN, outcome="won", reason=None, **claim), says)


@pytest.mark.parametrize(
    "claim",
    [{"turns_used": 2}, {"score": 23}, {"sudden_death": False}, {"city": "Prague"}, {"city": "prague"}, {"city": None}],
)
def test_a_claim_that_holds_passes(foreign, claim):
    check(foreign(WIN, outcome="won", reason=None, **claim))


def test_only_a_won_standard_game_may_claim_a_score(foreign):
    check(foreign(ASSASSIN, score=None))
    refused(foreign(ASSASSIN, score=0), "score is recorded as 0, but the actions give None")
    check(foreign(WIN, turns=10, outcome="won", reason=None, score=None))
    refused(foreign(WIN, turns=10, outcome="won", reason=None, score=26), "score")


def test_sudden_death_is_told_of_won_and_lost_games(foreign):
    check(foreign(SUDDEN_WIN, turns=1, outcome="won", reason=None, sudden_death=True))
    check(foreign(SUDDEN_LOSS, turns=1, reason="sudden_death", sudden_death=True))
    refused(foreign(SUDDEN_LOSS, turns=1, reason="sudden_death", sudden_death=False), "sudden_death is recorded")
    assassin = [*SUDDEN_LOSS[:3], ["guess", "A", 15]]
    check(foreign(assassin, turns=1, reason="assassin", sudden_death=True))


def test_every_city_is_known_by_its_tokens(foreign):
    for name in ("Vatican", "Rio de Janeiro", "hong-kong"):
        mission = find_city(name).mission
        data = foreign(ASSASSIN, turns=mission.turns, mistakes=mission.mistakes, city=name)
        check(data)
        refused(data | {"city": "Prague"}, "is not played with")


# ------------------------------------------------------------------ our own records


@pytest.fixture
def own(f1, board):
    """A maker of records of random games on F1."""

    def make(seed, mission=None, **table):
        rules = TableRules(**table)
        setup = Setup(board, f1, mission or Mission(), Seat.A, rules, ClueLaw(rules.relax))
        agents = RandomAgent(CLUE_WORDS * 3), RandomAgent(CLUE_WORDS * 3)
        return play_game(*agents, setup, seed=seed, salt=seed, names=("random", "random"))

    return make


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("law", LawMode)
def test_what_the_referee_writes_verifies(own, order, law):
    ends = set()
    for seed in range(40):
        record = own(seed, Mission(1 + seed % 5, seed % 2), order=order, clue_law=law)
        ends.add(verify(read_record(record.to_line())).reason)
    assert len(ends) > 1


def test_any_single_tampering_with_an_own_record_is_noticed(own):
    """Every scalar a record claims and every action, changed one at a time."""
    data = json.loads(own(3).to_line())
    tampered = [
        data | {"outcome": "won" if data["outcome"] == "lost" else "lost"},
        data | {"reason": "cannot_pay"},
        data | {"turns_used": data["turns_used"] + 1},
        data | {"score": 5},
        data | {"sudden_death": not data["sudden_death"]},
        data | {"city": "Paris"},
        data | {"actions": data["actions"][:-1]},
        data | {"actions": [*data["actions"], data["actions"][-1]]},
        data | {"actions": data["actions"][1:]},
        data | {"first": "B" if data["first"] == "A" else "A"},
        data | {"key_a": data["key_b"]},
        data | {"words": data["words"][:24]},
    ]
    check(data)
    for wrong in tampered:
        refused(wrong, ".")


def test_verify_returns_the_last_position(foreign):
    state = check(foreign(WIN, outcome="won", reason=None))
    assert (state.phase, state.bank, sum(state.checks)) == (Phase.WON, 7, 2)
