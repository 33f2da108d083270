import io

import pytest
from conftest import WORDS
from hypothesis import given
from rich.console import Console

from brushpass.duet import render
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.mission import Mission, standard
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.observe import observe
from brushpass.duet.testing.strategies import Played, games

OPENING = ((Seat.B, Clue("zebra", 2)), (Seat.A, Guess(9)), (Seat.A, Stop()), (Seat.A, Clue("velvet", 1)))
LONG = ("a very long card of words", *(f"microscope{letter}" for letter in "abcdefghijklmnopqrstuvwx"))


def position(f1, *moves, mission=None, words=WORDS):
    state, history = rules.new_game(Setup(Board(words), f1, mission or standard(), Seat.B)), ()
    for by, action in moves:
        state, events = rules.step(state, by, action)
        history += events
    return observe(state, Seat.A, history)


def drawn(thing, width=80, **options):
    console = Console(file=io.StringIO(), width=width, **options)
    console.print(thing)
    return console.file.getvalue()


@pytest.fixture
def view(f1):
    """A found 9 for B, B missed 18; A to guess has missed 19 before."""
    return position(f1, *OPENING, (Seat.B, Guess(18)), (Seat.B, Clue("tundra", 1)), (Seat.A, Guess(18)))


def test_plain_lines_tell_each_card_and_what_happened_to_it(view):
    lines = render.board_lines(view, "bot")
    assert lines[0] == "1. anchor: agent"
    assert lines[9] == "10. jungle: you found"
    assert lines[14] == "15. orchid: assassin"
    assert lines[18] == "19. saddle: bystander, both missed"


def test_marks_tell_who_missed(f1):
    first = position(f1, *OPENING, (Seat.B, Guess(18)))
    assert render.mark(first, 18, "bot") == "bot missed"
    assert render.mark(first, 0, "bot") == ""


def test_tokens_are_told_by_side(f1):
    view = position(f1, mission=Mission(7, 2))
    assert render.standing(view) == [
        "tokens left 7: 5 check, 2 bystander",
        "agents found 0 of 15",
        "your agents left 9",
    ]


def test_the_log_holds_each_clue_with_its_touches(view):
    assert render.log_lines(view.history, view.words, Seat.A, "bot") == [
        "1. bot ZEBRA 2: jungle (agent), stop",
        "2. you VELVET 1: saddle (bystander)",
        "3. bot TUNDRA 1: saddle (bystander)",
    ]
    symbols = render.log_lines(view.history, view.words, Seat.A, "bot", render.ASCII)
    assert symbols[0] == "1. bot ZEBRA 2: jungle +, stop"


def test_the_board_fits_a_terminal_of_80_columns_and_keeps_every_word(view):
    text = drawn(render.board_table(view, "bot", render.Symbols(), 80))
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) == 10
    for word in WORDS:
        assert word in text


@pytest.mark.parametrize("width", [70, 80, 200])
def test_long_words_are_folded_not_cut(f1, width):
    view = position(f1, words=LONG)
    text = drawn(render.board_table(view, "bot", render.ASCII, width), width)
    assert max(map(len, text.splitlines())) <= width
    letters = "".join(text.split())
    assert letters.count("mic") == 24


def test_colors_are_told_by_symbol_as_well(view):
    text = drawn(render.board_table(view, "bot", render.ASCII, 80), no_color=True)
    for told in ("1 + anchor", "10 * jungle", "15 X orchid", "20 . temple"):
        assert told in text
    assert "\x1b" not in text


def test_both_sides_of_the_key_are_told_at_the_end(f1, view):
    setup = Setup(Board(WORDS), f1, standard(), Seat.B)
    assert render.key_lines(setup, Seat.A, "bot")[8] == "9. island: you agent, bot assassin"
    assert render.key_lines(setup, Seat.B, "bot")[8] == "9. island: you assassin, bot agent"
    assert " 9 +X island" in drawn(render.key_table(setup, view.covered, Seat.A, render.ASCII, 80))


@pytest.mark.parametrize(
    ("outcome", "reason", "score", "told"),
    [
        (Outcome.WON, None, 14, "Score 14"),
        (Outcome.WON, None, None, "15 agents are found."),
        (Outcome.LOST, Reason.ASSASSIN, None, "assassin"),
        (Outcome.LOST, Reason.SUDDEN_DEATH, None, "sudden death"),
        (Outcome.LOST, Reason.CANNOT_PAY, None, "paid"),
    ],
)
def test_the_result_says_why(outcome, reason, score, told):
    assert told in render.result_line(outcome, reason, score)


@given(games())
def test_every_position_can_be_told_and_drawn(played: Played):
    for seat in Seat:
        view = observe(played.state, seat, played.history)
        lines = [
            *render.standing(view),
            *render.board_lines(view, "bot"),
            render.task(view, "bot"),
            *(render.event_line(event, view, "bot") for event in view.history),
            *render.log_lines(view.history, view.words, seat, "bot"),
        ]
        assert all(line and "\n" not in line for line in lines)
        assert drawn(render.board_table(view, "bot", render.Symbols(), 80))
