import json

import pytest
from conftest import F1_A, WORDS
from hypothesis import given

from brushpass.duet.core.cards import BySeat, Seat
from brushpass.duet.core.phase import Phase
from brushpass.duet.observe import observe
from brushpass.duet.testing.strategies import Played, games
from brushpass.duet.viewfile import read_view
from brushpass.errors import CorruptData

BOARD = {"words": list(WORDS), "key": F1_A}


@given(games())
def test_every_view_reads_back(played: Played):
    for seat in Seat:
        view = observe(played.state, seat, played.history)
        read = read_view(json.loads(json.dumps(view.to_json())))
        assert read.to_json() == view.to_json()
        assert (read.found, read.marks, read.mission, read.rules) == (view.found, view.marks, view.mission, view.rules)


def test_words_and_key_alone_are_the_start_of_a_standard_game():
    view = read_view(BOARD)
    assert view.seat is Seat.A
    assert view.phase is Phase.CLUE_ANY
    assert (view.check, view.bystander) == (0, 9)
    assert view.greens_left() == tuple(range(9))


def test_found_cards_that_were_not_seen_are_the_partners_finds():
    view = read_view(BOARD | {"found": [0, 9], "seen": {"9": "G"}})
    assert view.found == BySeat(1 << 9, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"words": ["one"]},
        {"words": "anchor"},
        {"words": [*WORDS[:24], 5]},
        {"words": [*WORDS[:24], [1]]},
        {"words": [*WORDS[:24], "ANCHOR"]},
        {"key": "G" * 25},
        {"key": 5},
        {"key": None},
        {"seat": "C"},
        {"seat": []},
        {"phase": "DINNER"},
        {"phase": {}},
        {"found": [25]},
        {"found": [True]},
        {"found": {"1": 2}},
        {"seen": {"x": "G"}},
        {"seen": {"-1": "G"}},
        {"seen": {"1" * 5000: "G"}},
        {"seen": {"1": []}},
        {"seen": {"1": "G"}},
        {"marks": {"A": [1.5]}},
        {"marks": [1]},
        {"turns": 12},
        {"turns": "9"},
        {"turns": 3, "mistakes": 9},
        {"bank": {"check": -1}},
        {"checks": {"A": "many"}},
        {"clue": {"word": 5, "number": 1}},
        {"clue": {"word": "zebra"}},
        {"clue": {"word": "zebra", "number": 10}},
        {"hits": None},
        {"history": [["clue"]]},
        {"history": [["clue", "A", 5, 1]]},
        {"history": [["dance", "A"]]},
        {"history": ["clue"]},
        {"order": "backwards"},
        {"order": []},
        {"law": "none"},
        {"relax": "acronyms"},
        {"finished": ["both"]},
        {"must_guess": "yes"},
        {"giver": 1},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(CorruptData):
        read_view(BOARD | wrong)


@pytest.mark.parametrize("data", [None, [], "board", 5, {}, {"words": list(WORDS)}], ids=str)
def test_what_is_no_board_is_refused(data):
    with pytest.raises(CorruptData, match=r"words|key"):
        read_view(data)


KEY = "GGGGGGGGGTTTTTBBBTTTTTTTT"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"found": list(range(15))}, "the game is over"),
        ({"found": [0, 1, 2, 3], "seen": {str(card): "G" for card in range(4)}}, "4 of the partner's green cards"),
        ({"marks": {"A": [14, 15]}}, "2 of the partner's tan cards"),
    ],
)
def test_what_no_key_allows_is_refused(data, why):
    board = {"words": [f"word{place}" for place in range(25)], "key": KEY, "seat": "A"}
    with pytest.raises(CorruptData, match=why):
        read_view(board | data)


def test_a_partner_all_of_whose_agents_are_seen_is_finished():
    seen = [0, 1, 2, 9, 10, 11, 12, 13, 14]
    board = {"words": [f"word{place}" for place in range(25)], "key": KEY, "seat": "A", "found": seen}
    assert read_view(board | {"seen": dict.fromkeys(map(str, seen), "G")}).finished == ("B",)
