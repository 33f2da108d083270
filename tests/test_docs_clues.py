"""`docs/clues.md` shows what the commands print; `GOLDEN=1` writes it anew."""

import os
import re
import shlex
from pathlib import Path

from cli_runner import run

PAGE = Path(__file__).parents[1] / "docs" / "clues.md"
BLOCK = re.compile(r"^```console\n\$ brushpass ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHECKED = 4
"""Blocks that are run each time; the others only when the page is written."""


def printed(command):
    told = run(*shlex.split(command))
    assert told.code == 0, told.err
    return told.out + told.err


def test_the_page_shows_what_is_printed():
    page = PAGE.read_text(encoding="utf-8")
    if os.environ.get("GOLDEN") == "1":
        page = BLOCK.sub(lambda block: f"```console\n$ brushpass {block[1]}\n{printed(block[1])}```", page)
        PAGE.write_text(page, encoding="utf-8")
    blocks = BLOCK.findall(page)
    assert len([command for command, _ in blocks if command.startswith("clue --seed")]) == 11
    for command, shown in blocks[:CHECKED]:
        lines, real = shown.splitlines(), printed(command).splitlines()
        assert (len(lines), lines[0]) == (len(real), real[0])
