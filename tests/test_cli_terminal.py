"""Whole games in a pseudo-terminal, as people sit before one."""

import io
import json
import os
import re
import signal
import sys

import pytest
from conftest import WORDS

from brushpass.cli.output import in_width
from brushpass.cli.screen import WIPE
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.deal import deal
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.table import TableRules

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")

ASKED = re.compile(r"(clue|guess|sudden death|Player . press Enter when nobody else looks)> ".replace(" . ", " [AB], "))
SETUP = deal(tuple(WORDS), Mission(9, 9), TableRules(), 5)


@pytest.fixture
def sit(tmp_path):
    """Start `brushpass play` in a terminal."""
    words = tmp_path / "cards.txt"
    words.write_text("\n".join(WORDS))
    env = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "LINES"}}
    env |= {"BRUSHPASS_DATA": str(tmp_path / "data"), "TERM": "xterm-256color"}

    def started(*args, resume=False):
        begin = ["--resume"] if resume else ["--words", str(words), "--seed", "5", "--first", "me"]
        command = ["-m", "brushpass", "play", *begin, *args]
        return pexpect.spawn(sys.executable, command, dimensions=(24, 80), encoding="utf-8", timeout=60, env=env)

    return started


def play_on(terminal, touched=0):
    """Answer whatever is asked until the game ends; returns all that was shown, between the answers."""
    shown = []
    while terminal.expect([ASKED, pexpect.EOF]) == 0:
        shown.append(terminal.before + terminal.after)
        asked = terminal.match[1]
        touched += asked in {"guess", "sudden death"}
        answer = (
            "zebra 1" if asked == "clue" else str((touched - 1) % 25 + 1) if asked in {"guess", "sudden death"} else ""
        )
        terminal.sendline(answer)
    shown.append(terminal.before)
    terminal.close()
    return shown


@pytest.mark.parametrize("args", [(), ("--plain",)], ids=["rich", "plain"])
def test_two_people_play_a_whole_game_and_the_screen_is_wiped_between_them(sit, args):
    shown = play_on(sit("--partner", "human", *args))
    assert "Both sides of the key" in shown[-1]
    seat, passed = None, 0
    for text in shown[:-1]:
        for part in text.split(WIPE)[:-1]:
            assert "looks> " not in part.partition("Player")[0]
        last = text.split(WIPE)[-1]
        if sitting := re.search(r"Player ([AB]), press", last):
            assert not re.search(r"\banchor\b", last)  # nothing of a board beside it
            assert WIPE in text or seat is None
            seat, passed = Seat(sitting[1]), passed + 1
        elif "anchor" in last and "tokens left" in last:
            assert shows_only(last, seat)
            assert args or last.count("\n") < 24  # from one prompt to the next, all is on the screen
    assert passed >= 3


def shows_only(text, seat):
    """Whether the boards in `text` are the key of `seat`, as far as their own colors are told at all."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")
    names = {"agent": "G", "bystander": "T", "assassin": "B", "◆": "G", "·": "T", "✗": "B"}
    told = [
        (word, names[name])
        for word, name in re.findall(r"(\w+): (agent|bystander|assassin)(?:,|$)", plain, re.MULTILINE)
    ]
    told += [(word, names[symbol]) for symbol, word in re.findall(r"\d ([◆·✗]) (\w+)", plain)]
    place = {word: card for card, word in enumerate(SETUP.board.words)}
    side = SETUP.keys.side(seat)
    return len(told) > 5 and all(side.color(place[word]) == color for word, color in told)


def test_a_game_survives_kill_9_at_any_moment(sit, tmp_path):
    games = tmp_path / "data" / "games"
    side = SETUP.keys.b
    cards = iter(sorted(range(25), key=lambda card: "GTB".index(side.color(card))))
    terminal, resumed, moves = sit("--partner", "embedding:model=glove"), 0, []
    while terminal.expect([ASKED, pexpect.EOF]) == 0:
        if (file := games / "play-Prague-5.jsonl").exists():
            now = json.loads(file.read_text())["actions"]
            assert now[: len(moves)] == moves  # nothing that was shown is lost
            moves = now
        terminal.sendline("zebra 1" if terminal.match[1] == "clue" else str(next(cards) + 1))
        if moves and resumed < 3:
            if resumed:
                terminal.expect_exact("\n")  # else before the line is read
            if resumed == 2:
                terminal.expect_exact("tokens left")  # when the answer is on its way
            terminal.kill(signal.SIGKILL)
            terminal.expect(pexpect.EOF)
            terminal.close()
            terminal, resumed = sit(resume=True), resumed + 1
    assert "Both sides of the key" in terminal.before
    terminal.close()
    assert terminal.exitstatus == 0
    assert resumed == 3
    assert len(moves) > 10
    assert not list(games.iterdir())


def test_ctrl_c_leaves_and_the_game_is_kept(sit):
    terminal = sit("--partner", "random")
    terminal.expect("clue> ")
    terminal.sendline("zebra 1")
    terminal.expect(ASKED)
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    assert "--resume goes on with it" in terminal.before
    terminal.close()
    assert terminal.exitstatus == 130


def test_a_line_may_be_edited_and_tab_completes_a_card(sit):
    terminal = sit("--partner", "random")
    terminal.expect("clue> ")
    terminal.send("zebrq\x7fa 1\r")
    terminal.expect("You said zebra 1")
    terminal.expect(ASKED)
    terminal.send("walnu\t")
    terminal.expect("walnut")
    terminal.send("\x15quit\r")
    terminal.expect(pexpect.EOF)


def test_a_long_line_breaks_between_words_in_a_terminal_only(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    line = "Open and not yet won: Vatican 8-0, Monte Carlo 9-0, Paris 11-0."
    terminal, pipe = io.StringIO(), io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    assert in_width(line, terminal) == "Open and not yet won: Vatican 8-0, Monte\n  Carlo 9-0, Paris 11-0."
    assert in_width(line[:40], terminal) == line[:40]
    assert in_width(line, pipe) == line
