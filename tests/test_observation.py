import json
import pickle
from copy import copy

import pytest
from hypothesis import given
from msgspec.structs import replace

from brushpass.duet.core.actions import Clue, Guess
from brushpass.duet.core.cards import ALL_CARDS, SEATS, BySeat, Color, Seat, mask_of
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
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.duet.observation import Observation, event_to_json
from brushpass.duet.observe import observe
from brushpass.duet.record import Move
from brushpass.duet.testing.strategies import games

A, B = SEATS


@pytest.fixture
def view(f1, board):
    return Observation(
        seat=A,
        giver=B,
        phase=Phase.GUESS,
        words=board.words,
        key=f1.a,
        found=BySeat(mask_of([9]), mask_of([0, 3])),
        marks=BySeat(mask_of([18, 20]), mask_of([18])),
        mission=Mission(7, 2),
        rules=TableRules(Order.FREE, LawMode.PENALTY, frozenset({"acronyms"})),
        check=4,
        bystander=1,
        checks=BySeat(1, 0),
        clue=Clue("clue", 2),
        finished=(B,),
        hits=1,
        history=(
            ClueGiven(A, "old", 1),
            CardTouched(B, 3, Color.GREEN),
            CardTouched(B, 18, Color.TAN),
            ClueGiven(B, "clue", 2),
            CardTouched(A, 9, Color.GREEN),
        ),
    )


def test_the_json_form_is_that_of_the_protocol(view, f1):
    assert view.to_json() == {
        "seat": "A",
        "giver": "B",
        "phase": "GUESS",
        "words": list(view.words),
        "key": str(f1.a),
        "found": [0, 3, 9],
        "marks": {"A": [18, 20], "B": [18]},
        "seen": {"9": "G"},
        "turns": 7,
        "mistakes": 2,
        "order": "free",
        "law": "penalty",
        "relax": ["acronyms"],
        "bank": {"check": 4, "bystander": 1},
        "checks": {"A": 1, "B": 0},
        "clue": {"word": "clue", "number": 2},
        "finished": ["B"],
        "hits": 1,
        "must_guess": False,
        "history": [
            ["clue", "A", "old", 1],
            ["guess", "B", 3, "G"],
            ["guess", "B", 18, "T"],
            ["clue", "B", "clue", 2],
            ["guess", "A", 9, "G"],
        ],
    }


@given(games())
def test_the_json_form_is_plain_json(played):
    for seat in SEATS:
        data = observe(played.state, seat, played.history).to_json()
        assert json.loads(json.dumps(data)) == data


def test_what_a_seat_may_touch_and_see(view):
    assert view.bank == 5
    assert view.covered == mask_of([0, 3, 9])
    assert view.dead == mask_of([0, 3, 9, 18])
    assert view.touchable() == ALL_CARDS & ~mask_of([0, 3, 9, 18, 20])
    assert view.touchable(B) == ALL_CARDS & ~mask_of([0, 3, 9, 18])
    assert view.open_cards() == tuple(card for card in range(25) if card not in (0, 3, 9, 18, 20))
    assert view.greens_left() == (1, 2, 4, 5, 6, 7, 8)
    assert view.visible() == tuple(word for card, word in enumerate(view.words) if card not in (0, 3, 9, 18))
    assert view.said() == ("old", "clue")
    assert view.seen() == {9: Color.GREEN}


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ClueGiven(A, "w", 0, penalised=True), ["clue", "A", "w", 0]),
        (CardTouched(B, 24, Color.BLACK), ["guess", "B", 24, "B"]),
        (Stopped(A), ["stop", "A"]),
        (Yielded(B), ["yield", "B"]),
        (SideFinished(A), ["finished", "A"]),
        (SuddenDeathBegan(), ["sudden_death"]),
        (GameEnded(Outcome.LOST, Reason.ASSASSIN), ["end", "lost", "assassin"]),
        (GameEnded(Outcome.WON, None), ["end", "won", None]),
    ],
)
def test_each_event_has_its_line(event, line):
    assert event_to_json(event) == line
    assert all(type(part) is not Seat for part in event_to_json(event))


def test_the_end_is_not_part_of_a_views_history(view):
    ended = replace(view, history=(*view.history, GameEnded(Outcome.WON, None)))
    assert ended.to_json()["history"] == view.to_json()["history"]


def test_what_is_seen_and_done_cannot_be_changed_and_travels(view):
    for value in (view, view.clue, CardTouched(A, 3, Color.TAN), Move(A, Guess(3))):
        with pytest.raises(AttributeError):
            setattr(value, next(iter(type(value).__annotations__)), None)
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own bytes
        assert len({value, copy(value)}) == 1
