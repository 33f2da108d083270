"""`docs/cli.md` shows what the commands print: each is run again, in order, and must give the same shape."""

import os
import platform
import re
import shlex
from pathlib import Path

import pytest
from cli_commands import commands
from cli_runner import run

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LONGEST = 14
"""Lines of an output that the page shows; what follows is told by an ellipsis."""
WHOLE = ("bench", "report", "replay", "words", "models", "evaluate", "play")
"""Commands whose output is shown to its end."""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parts(block):
    """Each line that begins with `$ `, and what stands below it."""
    found = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert found[0] == ""
    return list(zip(found[1::2], found[2::2], strict=True))


def printed(command, shown, place):
    """What should stand below `command`: the file is made, or the command run."""
    if command.startswith("cat "):
        (place / command.removeprefix("cat ")).write_text(shown, encoding="utf-8")
        return shown
    asked, _, typed = command.partition(" < ")
    told = run(*shlex.split(asked)[1:], typed=(place / typed).read_text(encoding="utf-8") if typed else None)
    text = told.out + told.err
    for here, there in ((str(place), "~"), (str(PAGE.parents[1]), "~/brushpass"), (platform.platform(), "Linux")):
        text = text.replace(here, there)
    lines = text.splitlines()
    if len(lines) > LONGEST and not asked.split()[1].startswith(WHOLE):
        lines = [*lines[:LONGEST], "…"]
    return "".join(f"{line}\n" for line in lines)


def shape(text):
    """How many lines there are, and the first without its numbers: models and machines differ, forms do not."""
    lines = text.splitlines()
    return len(lines), re.sub(r"[\d.]+", "#", lines[0]) if lines else ""


def test_every_block_has_the_shape_of_what_is_printed(place):
    answers = []
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        now = [(command, printed(command, shown, place)) for command, shown in parts(block)]
        answers.append("".join(f"$ {command}\n{text}" for command, text in now))
        if os.environ.get("GOLDEN") != "1":
            for (command, shown), (_, text) in zip(parts(block), now, strict=True):
                assert shape(shown) == shape(text), (
                    f"$ {command}: the page is out of date; if that is meant: make golden"
                )
    if os.environ.get("GOLDEN") == "1":
        again = iter(answers)
        text = BLOCK.sub(lambda _: f"```console\n{next(again)}```", PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(text, encoding="utf-8")


def test_every_command_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    for command in commands():
        if command[0] != "campaign":  # has a page of its own
            assert f"brushpass {' '.join(command)}" in text or f"`{command[-1]} NAME`" in text


def test_every_option_on_the_page_exists():
    text = PAGE.read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[3:]:
        words = section.splitlines()[0].split()
        asked = [command for command in commands() if list(command[: len(words)]) == words]
        helped = "".join(run(*command, "--help").out for command in asked)
        for option in re.findall(r"`(--[a-z-]+)", section):
            assert option in helped, f"{' '.join(words)} has no {option}"
