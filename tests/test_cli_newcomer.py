"""What makes somebody new to the game stop and think is answered where it comes up."""

import re

import pytest
from cli_runner import run
from conftest import WORDS
from msgspec.structs import replace

from brushpass.cli.advice import hint_lines
from brushpass.duet.agents.foresee import Ranked
from brushpass.duet.agents.human import Unclear, find_card, read_clue
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Guess
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.mission import standard
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import TableRules
from brushpass.duet.observe import observe


@pytest.fixture(name="play")
def _play(words):
    def played(*typed, args=("--partner", "embedding:model=glove", "--first", "bot")):
        lines = "".join(f"{line}\n" for line in typed)
        return run("play", "--words", words, "--seed", 5, *args, typed=lines).out

    return played


CARDS = ("whale", "staff", "new york")


@pytest.mark.parametrize("text", ["staff", "8", "new york", "stop"])
def test_a_touch_where_a_clue_is_due_is_told_apart(text):
    with pytest.raises(Unclear, match="your turn to give a clue, not to guess"):
        read_clue(text, CARDS)


def test_a_clue_without_its_number_is_shown_with_one():
    with pytest.raises(Unclear, match=r"such as: drink 2$"):
        read_clue("drink", CARDS)
    with pytest.raises(Unclear, match=r"such as: ocean 2; or did you mean board\?$"):
        read_clue("boart", CARDS)


def test_a_clue_where_a_guess_is_due_is_told_apart():
    with pytest.raises(Unclear, match="your turn to guess, not to give a clue"):
        find_card("ocean 2", CARDS)
    with pytest.raises(Unclear, match="One card at a time"):
        find_card("whale 2", CARDS)


def test_a_hint_names_cards_of_the_same_chances_once_and_none_without_a_chance(play):
    told = play("hint")
    rows = re.findall(r"^  (.+): (\S+ %, an assassin \S+ %)$", told, re.MULTILINE)
    assert 1 <= len(rows) <= 6
    assert len({chances for _, chances in rows}) == len(rows)
    assert not any(chances.startswith("0 %") or "100 %" in chances for _, chances in rows)


@pytest.mark.parametrize(
    ("chance", "must_guess", "bystander", "told"),
    [(0.27, False, 9, True), (0.9, False, 9, False), (0.27, True, 9, False), (0.27, False, 0, False)],
)
def test_a_doubtful_touch_is_advised_with_its_reason(monkeypatch, f1, chance, must_guess, bystander, told):
    setup = Setup(Board(WORDS), f1, standard(), Seat.B, TableRules())
    view = observe(rules.new_game(setup), Seat.A, ())
    view = replace(view, phase=Phase.GUESS, must_guess=must_guess, bystander=bystander)
    ranked = [Ranked(word, chance, 0.09) for word in WORDS]
    monkeypatch.setattr("brushpass.duet.agents.foresee.heard", lambda view, _: view)
    monkeypatch.setattr("brushpass.duet.agents.foresee.agents", lambda *_: (ranked, Guess(0)))
    lines = list(hint_lines(view, None, "normal"))
    assert lines[1] == f"  {', '.join(WORDS[:4])}, 21 more: {100 * chance:.0f} %, an assassin 9 %"
    assert any("A miss costs one token, as stopping does" in line for line in lines) is told


def test_the_board_comes_with_what_is_to_be_done(play):
    assert play("board").count("type a card's word or number") == 2


def test_two_people_are_told_to_agree_who_is_who(play):
    assert play("", "zebra 1", args=("--partner", "human")).count("Agree who is player A") == 1


def test_why_says_how_to_read_its_reasons_only_where_there_are_some(play):
    assert "What ties clue and card" not in play("why")
    assert "What ties clue and card" in play(
        "music 1", "why", args=("--partner", "embedding:model=glove", "--first", "me")
    )
