"""The README's first screen: what it links and names exists, and its game can be played again."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TYPED = (
    *("caravan 2", "robe", "drawer", "lace", "stop", "violin 2", "reef", "island", "stop"),
    *("circus 3", "weed", "stop", "carpentry 1", "punch"),
)
"""What the player of the README's game typed."""


def run(*command, typed=""):
    return subprocess.run(
        [sys.executable, "-m", "brushpass", *command],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        cwd=ROOT,
        timeout=120,
    )


def test_the_game_can_be_played_again():
    command = re.search(r"`brushpass (play --seed \d+ [^`]*)`", README)
    assert command is not None
    played = run(*command[1].split(), "--plain", typed="\n".join(TYPED) + "\n")
    assert played.returncode == 0, played.stderr
    excerpt = README.partition("```text\n")[2].partition("```")[0]
    for line in ("The bot touched balloon: an agent.", "The bot said clothes 3.", "You touched lace: an agent."):
        assert line in excerpt
        assert line in played.stdout
    assert "Won: all 15 agents are found. Score 8." in played.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a pseudo-terminal")
def test_the_terminal_shows_what_the_game_s_excerpt_shows():
    pexpect = pytest.importorskip("pexpect")
    arguments = ["-m", "brushpass", "play", "--seed", "3", "--first", "me"]
    plain = {**os.environ, "NO_COLOR": "1", "TERM": "xterm"}
    table = pexpect.spawn(sys.executable, arguments, env=plain, dimensions=(40, 100), encoding="utf-8", timeout=60)
    shown = ""
    for line in TYPED:
        table.expect("(clue|guess)> ")
        shown += table.before
        table.sendline(line)
    table.expect(pexpect.EOF)
    told = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown + table.before)
    lines = {" ".join(line.split()) for line in told.splitlines()}
    excerpt = README.partition("```text\n")[2].partition("```")[0]
    for line in excerpt.splitlines():
        if not line.startswith(("clue>", "guess>", "…")):
            assert " ".join(line.split()) in lines


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_command_named_exists():
    listed = run("--help").stdout
    for name in set(re.findall(r"`brushpass ([a-z]+)", README)):
        assert re.search(rf"^ +{name} ", listed, re.MULTILINE), name


def test_every_make_target_named_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in set(re.findall(r"^\$ make ([a-z]+)", README, re.MULTILINE)):
        assert re.search(rf"^{name}:", makefile, re.MULTILINE), name
