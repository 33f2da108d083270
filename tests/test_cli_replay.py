import json
import os
import subprocess
import sys

import pytest
from cli_runner import run
from conftest import F1_A, F1_B, WORDS

from brushpass.cli import lesson
from brushpass.duet.record import find_line, read_record
from brushpass.duet.transcript import transcript
from brushpass.errors import CorruptData

GAME = {
    "schema": 1,
    "id": "mine",
    "game": "duet",
    "turns": 4,
    "mistakes": 2,
    "words": list(WORDS),
    "key_a": F1_A,
    "key_b": F1_B,
    "first": "A",
    "actions": [
        ["clue", "A", "weather", 2],
        ["guess", "B", 3],
        ["guess", "B", 18],
        ["clue", "B", "music", 1],
        ["guess", "A", 9],
        ["stop", "A"],
        ["clue", "A", "winter", 1],
        ["guess", "B", 15],
    ],
    "outcome": "lost",
    "reason": "assassin",
}


@pytest.fixture
def written(tmp_path):
    """Writes games, each a change of `GAME`, to a file."""

    def write(*changes):
        file = tmp_path / "games.jsonl"
        file.write_text("".join(json.dumps({**GAME, **change}) + "\n" for change in changes))
        return file

    return write


def test_a_game_is_told_clue_by_clue_with_both_sides_of_the_key(written):
    trace = [{"targets": [3, 4]}, {"targets": [9]}, {"targets": []}]
    told = run("replay", written({"trace": trace, "agents": ["one", "two"]}))
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[:3] == ["Game mine: a table of its own, 4-2, order alternate, clue law reject", "A: one", "B: two"]
    for card, word in enumerate(WORDS):
        assert f"{card + 1:>2} {F1_A[card]}{F1_B[card]} {word}" in told.out
    assert max(map(len, lines)) <= 80
    assert (
        "1. A says WEATHER 2 (meant desert, engine)\n   B touches desert: agent\n   B touches saddle: bystander"
        in told.out
    )
    assert "   tokens left 3 (2 check, 1 bystander), agents found 1\n   chance of winning " in told.out
    assert "2. B says MUSIC 1 (meant jungle)\n   A touches jungle: agent\n   A stops" in told.out
    assert "3. A says WINTER 1\n   B touches pepper: assassin" in told.out
    assert "Lost: an assassin was touched.\n2 of 15 agents were found.\nTurn " in told.out


def test_long_words_are_a_card_a_line(written):
    words = [*WORDS[:24], "a card of more than twenty letters"]
    told = run("replay", written({"words": words}))
    assert "\n25 TT a card of more than twenty letters\n" in told.out
    assert "\n 1 GG anchor\n" in told.out


def test_sudden_death_is_a_turn_of_its_own(written):
    actions = [["clue", "A", "weather", 2], ["guess", "B", 18], ["guess", "B", 3], ["yield", "B"], ["guess", "A", 18]]
    late = {"turns": 1, "mistakes": 1, "actions": actions, "reason": "sudden_death"}
    told = run("replay", written(late))
    assert "Sudden death: no token is left\n   B touches desert: agent\n   B leaves the next guess" in told.out


def test_a_forfeit_says_who_and_why(written):
    trace = [{"targets": [1]}, {"forfeit": "B", "why": "it sulks"}]
    lost = {"actions": GAME["actions"][:2], "reason": "forfeit", "trace": trace}
    told = run("replay", written(lost))
    assert "B could not go on: it sulks" in told.out
    assert told.err == ""


@pytest.mark.parametrize("trace", [None, 7, "x", [7], [{"targets": 3}], [{"targets": ["x", 99, None]}], {"a": 1}])
def test_a_trace_of_another_program_does_no_harm(written, trace):
    assert run("replay", written({"trace": trace})).code == 0


def test_a_game_is_found_by_id_and_else_by_its_number(written):
    file = written({"id": "one"}, {"id": 1}, {"id": "två"}, {"id": "1-Prague-0"})
    assert run("replay", file).out.startswith("Game one:")
    assert run("replay", file, "--game", 1).out.startswith("Game 1:")
    assert run("replay", file, "--game", "två").out.startswith("Game två:")
    assert run("replay", file, "--game", 4).out.startswith("Game 1-Prague-0:")
    assert "4" in run("replay", file, "--game", 5).error()
    assert find_line(file, "3")[0] == 3


def test_the_document_has_the_record_and_every_step(written):
    document = run("replay", written({}), "--json").document()
    assert document["game"] == GAME
    assert [step["action"] for step in document["steps"]] == GAME["actions"]
    assert document["steps"][2]["bank"] == {"check": 2, "bystander": 1}
    assert document["steps"][2]["marks"] == {"A": [], "B": [18]}
    assert document["steps"][-1]["phase"] == "LOST"
    assert document["steps"][-1]["events"] == [["guess", "B", 15, "B"], ["end", "lost", "assassin"]]


def test_an_illegal_move_is_one_line_and_nothing_is_shown(written):
    refused = run("replay", written({"actions": [["guess", "B", 3]]}))
    assert refused.code == 3
    assert "line 1: action 1" in refused.error()


def test_a_claim_that_is_wrong_is_told_and_the_game_shown(written):
    told = run("replay", written({"outcome": "won", "reason": None}))
    assert told.code == 0
    assert "does not verify" in told.err


def test_step_takes_a_line_a_move_and_needs_no_terminal(written):
    plain = run("replay", written({})).out
    assert run("replay", written({}), "--step", typed="").out == plain
    assert run("replay", written({}), "--step", typed="\n" * 20).out == plain
    assert run("replay", written({}), "--step", "--json").code == 2


def stepped(file, typed):
    """What is shown beyond the head of the game."""
    head = "".join(f"{line}\n" for line in transcript(read_record(file.read_text()))[0].lines)
    told = run("replay", file, "--step", typed=typed)
    assert told.code == 0
    assert told.out.startswith(head)
    return told.out.removeprefix(head).splitlines()


def test_step_shows_one_move_at_a_time_and_leaves_when_told(written):
    assert stepped(written({}), "q\n") == []
    assert stepped(written({}), "\nq\n") == ["", "1. A says WEATHER 2"]
    assert stepped(written({}), "\n\nq\n")[2:] == ["   B touches desert: agent"]
    assert stepped(written({}), "x\n\n\nq\n")[4].startswith("   tokens left 3")


def test_step_goes_to_the_end_of_the_turn_or_of_the_game(written):
    assert stepped(written({}), "t\nq\n")[-1].startswith("   chance of winning")
    assert stepped(written({}), "\nt\nq\n") == stepped(written({}), "t\nq\n")
    two = stepped(written({}), "t\nt\nq\n")
    assert "   A stops" in two
    assert not any(line.startswith("3. A") for line in two)
    whole = stepped(written({}), "")
    assert stepped(written({}), "e\n") == whole
    assert stepped(written({}), "t\nt\nt\nt\n") == whole


def test_step_goes_back_and_shows_the_board(written):
    assert stepped(written({}), "\n\nb\nq\n")[-2:] == ["(back)", "1. A says WEATHER 2"]
    assert stepped(written({}), "b\nq\n")[1:2] == [
        "Game mine: a table of its own, 4-2, order alternate, clue law reject"
    ]
    board = stepped(written({}), "t\nk\nq\n")[-5:]
    assert board[0] == "   found: desert"
    assert board[3] == "   A bystander mark of B: saddle"
    assert "engine" in board[2]


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
@pytest.mark.parametrize("args", [(), ("--plain",)], ids=["rich", "plain"])
def test_step_in_a_terminal_is_a_key_a_move(written, args):
    pexpect = pytest.importorskip("pexpect")
    command = ["-m", "brushpass", "replay", str(written({})), "--step", *args]
    terminal = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, dimensions=(24, 80))
    terminal.expect_exact("25 TT zipper")
    for key, shown in ((" ", "1. A says"), ("\r", "B touches desert"), ("x", "B touches saddle"), ("n", "2. B says")):
        terminal.send(key)
        terminal.expect_exact(shown)
    terminal.send("k")
    terminal.expect_exact("found" if args else "◆")
    terminal.send("\x1b[D")
    terminal.expect_exact("(back)")
    terminal.send("e")
    terminal.expect_exact("Lost: an assassin")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_step_in_a_pipe_ends_with_its_reader(written):
    told = subprocess.run(
        [sys.executable, "-m", "brushpass", "replay", str(written({})), "--step"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert told.stdout == run("replay", written({})).out
    assert told.stderr == ""


def test_pieces_are_a_head_a_move_each_and_an_end():
    pieces = transcript(read_record(json.dumps(GAME)))
    begins = ["Game m", "1. A s", "   B t", "   B t", "2. B s", "   A t", "   A s", "3. A s", "   B t", "Lost: "]
    assert [piece.lines[0][:6] for piece in pieces] == begins
    assert [place for place, piece in enumerate(pieces) if piece.opens] == [1, 4, 7, 9]
    with pytest.raises(CorruptData):
        transcript(read_record(json.dumps({**GAME, "actions": [["stop", "A"]]})))


def test_when_the_game_is_won_nobody_is_told_to_guess_on():
    lines = [line for piece in transcript(lesson.record()) for line in piece.lines]
    assert [line for line in lines if "now only" in line] == ["   all words of A are found: now only A guesses"]
    assert lines.index("   A touches snow: agent") > lines.index("   all words of A are found: now only A guesses")
