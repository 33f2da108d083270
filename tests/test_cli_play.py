import json
import os
import random
import re
import subprocess
import sys

import pytest
from cli_runner import run
from conftest import WORDS

from brushpass.cli.screen import HELP
from brushpass.duet.core.cards import Color, Seat
from brushpass.duet.core.deal import deal
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.table import TableRules
from brushpass.duet.record import read_record, verify

RUBBISH = "@#%&!~^*()[]{}<>|'\"` \t.,;:?éß漢字🙂\x00\x07\x1b"


@pytest.fixture(autouse=True)
def _no_saved_games(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def play(words):
    """Play with a random partner, seat A first."""

    def played(*args, typed):
        return run("play", "--words", words, "--partner", "random", "--first", "me", "--seed", 5, *args, typed=typed)

    return played


def test_a_whole_game_is_played_through_a_pipe(play):
    lines = []
    for number in range(300):
        lines += ["zebra 1", str(number % 25 + 1)]
    told = play(typed="\n".join(lines))
    assert told.code == 0
    assert told.out.count("Both sides of the key") == 1
    assert "Won:" in told.out or "Lost:" in told.out
    assert "--seed 5" in told.out
    assert "meant" not in told.out.split("Both sides of the key")[0]


def test_json_is_the_record_and_the_dialogue_goes_to_stderr(play):
    lines = ["zebra 1\n" + str(number % 25 + 1) for number in range(300)]
    told = play("--json", typed="\n".join(lines))
    record = read_record(told.out)
    verify(record)
    assert record.agents == ("human", "random")
    assert record.setup.first is Seat.A
    assert record.city == "Prague"
    assert "Your clue" in told.err
    assert play("--json", typed="\n".join(lines)).out == told.out


@pytest.mark.parametrize("typed", ["", "help\nboard\nlog\n", "zebra 1", "quit\n", "exit\n"])
def test_the_end_of_input_and_quit_end_the_game_quietly(play, typed):
    told = play(typed=typed)
    assert told.code == 0
    assert "left unfinished" in told.out
    assert told.err == ""
    assert play("--json", typed=typed).document() == {"schema": 1, "finished": False, "seed": 5}


def test_rubbish_changes_nothing(play):
    rng = random.Random(1)
    rubbish = ["".join(rng.choices(RUBBISH, k=rng.randrange(30))) for _ in range(2_000)]
    told = play(typed="\n".join([*rubbish, "x" * 100_000, "log", "zebra 0", *rubbish, "log"]))
    assert told.code == 0
    assert "Traceback" not in told.out + told.err
    assert "No clue yet." in told.out
    assert told.out.count("You touched") == 0
    assert told.out.count("The bot said") <= 1


def test_the_board_is_told_with_own_colors_only(play):
    told = play(typed="")
    setup = deal(tuple(WORDS), Mission(9, 9), TableRules(), 5)
    side = setup.keys.side(Seat.A)
    names = {Color.GREEN: "agent", Color.TAN: "bystander", Color.BLACK: "assassin"}
    lines = told.out.splitlines()
    for card, word in enumerate(setup.board.words):
        assert f"{card + 1}. {word}: {names[side.color(card)]}" in lines


def test_an_illegal_clue_is_answered_with_reason_and_word(play):
    told = play(typed="anchors 1\nlog\n")
    assert "L3" in told.out
    assert "ANCHOR" in told.out
    assert "No clue yet." in told.out


def test_the_bot_says_nothing_of_what_it_means_before_the_end(words):
    typed = "\n".join(f"zebra 1\n{number % 25 + 1}" for number in range(300))
    told = run("play", "--words", words, "--partner", "embedding", "--first", "bot", "--seed", 1, typed=typed)
    before, _, after = told.out.partition("Both sides of the key")
    assert "The bot said" in before
    assert "meant" not in before
    assert re.search(r"the bot said \w+ \d for \w+", after)
    assert not re.search(r"\d for \w+", before)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--city", "hong-kong"), "tokens left 6: 2 check, 4 bystander"),
        (("--turns", "3"), "tokens left 3: 0 check, 3 bystander"),
        (("--turns", "3", "--mistakes", "1"), "tokens left 3: 2 check, 1 bystander"),
    ],
)
def test_the_tokens_are_those_of_the_table(play, args, told):
    assert told in play(*args, typed="").out


def test_table_rules_reach_the_record(play):
    lines = "\n".join(f"big apple 1\n{number % 25 + 1}" for number in range(300))
    told = play("--relax", "proper-names", "--order", "2-1", "--clue-law", "penalty", "--json", typed=lines)
    rules = json.loads(told.out)["rules"]
    assert rules["order"] == "2-1"
    assert rules["clue_law"] == "penalty"
    assert rules["relax"] == ["proper-names"]
    verify(read_record(told.out))


def test_a_drawn_seed_is_told_and_deals_the_same_board_again(words):
    first = run("play", "--words", words, "--partner", "random", typed="").out
    seed = first.split("--seed ")[1].split()[0]
    assert run("play", "--words", words, "--partner", "random", "--seed", seed, typed="").out == first


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--resume",), 2, "no unfinished game"),
        (("--resume", "--file", "nope.jsonl"), 3, "nope.jsonl"),
        (("--partner", "human:x=1"), 2, "human"),
        (("--watch", "--practice"), 2, "two bots"),
        (("--pace", "1"), 2, "--watch"),
        (("--bots", "human", "random"), 2, "no bot"),
        (("--partner", "nope"), 2, "embedding"),
        (("--partner", "embedding:model=nope"), 3, "glove"),
        (("--partner", "embedding:model=./nope.txt"), 3, "nope.txt"),
        (("--partner", "py:json:nope"), 2, "nope"),
        (("--partner", ""), 2, "no name"),
        (("--city", "Atlantis"), 2, "Prague"),
        (("--city", "Prague", "--turns", "9"), 2, "--turns"),
        (("--mistakes", "9"), 2, "--turns"),
        (("--turns", "12"), 2, "12"),
        (("--turns", "3", "--mistakes", "4"), 2, "4"),
        (("--first", "you"), 2, "me nor bot"),
        (("--order", "any"), 2, "alternate"),
        (("--clue-law", "any"), 2, "penalty"),
        (("--relax", "any"), 2, "acronyms"),
        (("--words", "nope"), 3, "english"),
        (("--words", "./nope.txt"), 3, "nope.txt"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_is_one_line(args, code, told):
    refused = run("play", *args, typed="")
    assert refused.code == code
    assert told in refused.error()


def test_too_few_cards_are_one_line_and_3(tmp_path):
    file = tmp_path / "few.txt"
    file.write_text("one\ntwo\n")
    refused = run("play", "--words", file, typed="")
    assert refused.code == 3
    assert "25" in refused.error()


def test_a_bot_that_fails_is_one_line_and_4(tmp_path, words, monkeypatch):
    (tmp_path / "broken_bot.py").write_text(
        "from brushpass.duet.agent import Player\n"
        "class Broken(Player):\n"
        "    def give_clue(self, view):\n        raise RuntimeError('out of words')\n"
        "    def guess(self, view):\n        raise RuntimeError('out of guesses')\n"
        "class Stillborn(Broken):\n"
        "    def __init__(self):\n        raise RuntimeError('no start')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    failed = run("play", "--words", words, "--partner", "py:broken_bot:Broken", "--first", "me", typed="zebra 1\n")
    assert failed.code == 4
    assert failed.err.splitlines() == ["brushpass: error: the bot failed: RuntimeError: out of guesses"]
    assert run("play", "--words", words, "--partner", "py:broken_bot:Stillborn", typed="").code == 4


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
@pytest.mark.parametrize("args", [(), ("--plain",)], ids=["rich", "plain"])
def test_a_whole_game_in_a_terminal(words, args):
    pexpect = pytest.importorskip("pexpect")
    command = [
        *("-m", "brushpass", "play", "--words", str(words), "--partner", "random", "--first", "me", "--seed", "5"),
        *args,
    ]
    terminal = pexpect.spawn(
        sys.executable,
        command,
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=60,
        env=os.environ | {"TERM": "xterm-256color"},
    )
    touched = 0
    for _ in range(200):
        seen = terminal.expect(["clue> ", "guess> ", "sudden death> ", pexpect.EOF])
        if seen == 3:
            break
        touched += seen > 0
        terminal.sendline("zebra 1" if seen == 0 else str(touched))
    terminal.close()
    assert terminal.exitstatus == 0
    assert "deals this board again" in terminal.before
    assert ("\x1b[" in terminal.before) is (not args)


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_in_a_narrow_terminal_lines_break_between_words(words):
    pexpect = pytest.importorskip("pexpect")
    command = ["-m", "brushpass", "play", "--words", str(words), "--partner", "random", "--first", "me", "--seed", "5"]
    env = {**os.environ}  # without the COLUMNS that pytest's readline puts beside it
    terminal = pexpect.spawn(sys.executable, command, dimensions=(24, 34), encoding="utf-8", timeout=60, env=env)
    terminal.expect("clue> ")
    terminal.sendline("help")
    terminal.expect("clue> ")
    told = terminal.before.replace("\r", "")
    terminal.sendline("quit")
    terminal.expect(pexpect.EOF)
    assert max(map(len, told.splitlines())) <= 34
    assert " ".join(" ".join(HELP).split()) in " ".join(told.split())


def test_no_color_means_none(words):
    pexpect = pytest.importorskip("pexpect")
    command = ["-m", "brushpass", "play", "--words", str(words), "--partner", "random", "--first", "me"]
    env = os.environ | {"NO_COLOR": "1", "TERM": "xterm-256color"}
    terminal = pexpect.spawn(sys.executable, command, dimensions=(24, 80), encoding="utf-8", timeout=60, env=env)
    terminal.expect("clue> ")
    terminal.sendline("quit")
    board = terminal.before
    terminal.expect(pexpect.EOF)
    assert "anchor" in board
    assert "\x1b[3" not in board
    assert "\x1b[4" not in board


def test_a_reader_that_goes_away_ends_the_game(words):
    with subprocess.Popen(
        [sys.executable, "-m", "brushpass", "play", "--words", str(words), "--partner", "random", "--first", "me"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as playing:
        playing.stdout.readline()
        playing.stdout.close()
        playing.stdin.write("board\n" * 100)
        playing.stdin.close()
        assert playing.stderr.read() == ""
    assert playing.returncode == 0


def test_the_bot_says_which_cards_it_does_not_know(tmp_path):
    file = tmp_path / "cards.txt"
    file.write_text("\n".join((*WORDS[:23], "blorptang", "quxxle")))
    told = run("play", "--words", file, "--partner", "embedding:model=glove", "--seed", 1, typed="quit\n").out
    line = next(line for line in told.splitlines() if "does not know" in line)
    assert "blorptang" in line
    assert "quxxle" in line
    known = run("play", "--words", file, "--partner", "random", "--seed", 1, typed="quit\n").out
    assert "does not know" not in known
