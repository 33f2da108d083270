import os
import random
import re
import sys

import pytest
from cli_runner import run

from brushpass.cli import lesson
from brushpass.duet.core.cards import A, B, Color
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.phase import Phase
from brushpass.duet.record import verify

ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
STEPS = ["", "apple", "cherry", "stop", "doctor 2", "violin", "piano", "stop", "snow"]
"""What the lesson hopes for."""


def learn(*lines, args=()):
    told = run("learn", *args, typed="".join(f"{line}\n" for line in lines))
    assert told.code == 0
    assert told.err == ""
    return told.out


def test_the_game_of_the_lesson_is_a_game_by_the_rules():
    record = lesson.record()
    verify(record)
    for turn, (giver, *_) in enumerate(lesson.TURNS, 1):
        at = lesson.begins(turn)
        greens = at.state.setup.keys.side(giver).greens
        assert all(greens >> card & 1 and not at.state.covered >> card & 1 for card in lesson.meant(turn))
        assert ClueLaw(strict=True).check(lesson.clue_of(turn).word, at.state.visible).legal
    end = lesson.begins(len(lesson.TURNS) + 1).state
    assert end.phase is Phase.SUDDEN
    assert end.left(A) == 0
    assert end.left(B) == 1 << lesson.card_of(lesson.LAST)
    assert end.setup.keys.a.color(lesson.card_of(lesson.LAST)) is Color.BLACK


def test_the_whole_lesson_teaches_every_part_of_the_game():
    told = learn(*STEPS)
    for number in range(1, 6):
        assert f"STEP {number} OF 5" in told
    for taught in ("your side of the key", "another side", "8 tokens", "type stop", "check side up", "has my mark"):
        assert taught in told
    assert "SUDDEN DEATH" in told
    assert "THE END: all 15 agents are found" in told
    assert "bot said COLD 2 for ice, snow; you found ice and touched glass, a bystander." in told
    assert "brushpass play --turns 11" in told


def test_the_bot_says_what_it_thinks_of_a_clue_and_why_it_touches():
    told = learn("", "skip", "doctor 2")
    assert "DOCTOR makes me think of nurse (" in told
    assert "  nurse: at first thought; " in told
    assert "I touch nurse: one of your agents." in told
    assert "I stop: that was 2, as many as you said." in told


def test_every_step_can_be_skipped():
    told = learn(*["skip"] * 5)
    assert told.count("Skipped") == 5
    assert "I meant apple and cherry" in told
    assert "THE END" in told


@pytest.mark.parametrize("lines", [(), ("",), ("", "apple"), ("", "skip", "doctor 2"), ("quit",), ("", "exit")])
def test_one_may_leave_at_any_time(lines):
    told = learn(*lines)
    assert "brushpass learn begins it again" in told
    assert "THE END" not in told


@pytest.mark.parametrize(
    ("step", "word", "told"),
    [
        (2, "ladder", "ladder: a bystander on my side"),
        (2, "pirate", "pirate: an assassin on my side"),
        (2, "rocket", "rocket: a bystander on my side"),
        (2, "ice", "ice: an agent of mine! I did not mean it"),
        (4, "glass", "glass: a bystander on my side"),
        (5, "ladder", "ladder is no agent on my side"),
    ],
)
def test_a_wrong_touch_is_told_and_taken_back(step, word, told):
    said = learn(*["skip"] * (step - 1), word, *["skip"] * (6 - step))
    assert told in said
    assert "THE END" in said


def test_one_may_find_all_that_the_bot_has():
    every = ["apple", "cherry", "piano", "queen", "castle", "king", "ice", "violin", "snow"]
    said = learn("", *every, "quit")
    assert "The turn is over and costs a token: 7 are left" in said
    assert "STEP 3" in said


def test_a_clue_that_loses_is_taken_back():
    told = learn("skip", "skip", "toxic 1", "toxic 1", "doctor 2", "skip", "skip")
    assert "I touch poison" in told
    assert "Lost! Here it is taken back" in told
    assert "I touch nurse" in told


def test_what_is_no_clue_or_no_card_changes_nothing():
    told = learn("", "stop", "zzz", "99", "skip", "nurses 2", "nurse", "2", "quit")
    assert "Touch at least one card before you stop" in told
    assert "No card is called 'zzz'" in told
    assert "L3: 'nurses' is a form of NURSE" in told
    assert "makes me think" not in told


def test_help_board_and_log_are_there_at_every_prompt():
    told = learn("help", "board", "", "help", "hint", "log", "skip", "board", "log", "quit")
    assert "hint is for real games" in told
    assert told.count("skip (this step is played for you)") == 2
    assert told.count("1. ladder: bystander") == 3
    assert "1. bot FRUIT 2" in told


def test_rubbish_never_ends_in_more_than_a_line():
    rng = random.Random(1)
    rubbish = ["".join(rng.choices("abcdefghij 0123456789\t.,;é漢\x00\x1b'", k=rng.randrange(30))) for _ in range(2000)]
    told = run("learn", typed="\n".join(["", *rubbish]))
    assert told.code == 0
    assert "Traceback" not in told.out + told.err


def test_json_is_one_document_and_the_talk_goes_to_stderr():
    told = run("learn", "--json", typed="\n".join(STEPS) + "\n")
    assert told.document() == {"schema": 1, "finished": True, "steps": 5}
    assert "THE END" in told.err
    left = run("learn", "--json", typed="skip\nskip\nquit\n")
    assert left.document() == {"schema": 1, "finished": False, "steps": 2}


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
@pytest.mark.parametrize("args", [(), ("--plain",)], ids=["rich", "plain"])
def test_the_lesson_in_a_terminal_fits_its_lines(args):
    pexpect = pytest.importorskip("pexpect")
    env = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "LINES", "NO_COLOR"}}
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "brushpass", "learn", *args],
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=60,
        env=env | {"TERM": "xterm-256color"},
    )
    shown = ""
    for line in STEPS:
        terminal.expect_exact("> ")
        shown += terminal.before
        terminal.sendline(line)
    terminal.expect(pexpect.EOF)
    shown += terminal.before
    terminal.close()
    assert terminal.exitstatus == 0
    assert "THE END" in shown
    assert ("◆" in shown) is (not args)
    told = ANSI.sub("", shown).replace("\r", "").splitlines()
    assert max(len(line.rstrip()) for line in told) <= 80


def test_the_rules_point_to_the_lesson():
    assert "brushpass learn" in run("rules").out
