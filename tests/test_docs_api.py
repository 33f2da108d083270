"""`docs/api.md` runs, says what it prints, and holds the agent that lies in `examples/`."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import run

import brushpass

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
EXAMPLES = Path(__file__).parents[1] / "examples"
FENCE = re.compile(r"^```(python|text|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (\w+\.py)\n")
TIMES = re.compile(r"[\d.]+ (?=ms|s;|s in all;|games/s)")
STABLE = {
    *("Observation", "Clue", "Guess", "Stop", "ClueGiver", "Guesser", "play_game", "run_bench", "read_records"),
    *("Mind", "KeyCard", "Mission", "check_agent"),
}
"""INTERFACES §8."""


def blocks() -> list[tuple[str, str]]:
    return FENCE.findall(PAGE.read_text(encoding="utf-8"))


def margin() -> str:
    return next(body for kind, body in blocks() if kind == "python" and body.startswith("# margin.py\n"))


def printed(kind: str, body: str, before: str) -> str:
    """What a block should hold: the output of the code before, or of the command on its own first line."""
    if kind == "text":
        return before
    command = body.splitlines()[0]
    told = run(*shlex.split(command.removeprefix("$ brushpass ")))
    assert told.code == 0, told.err
    return f"{command}\n{told.out}"


def test_every_block_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    output, shown, real = "", [], []
    for kind, body in blocks():
        if kind != "python":
            shown.append(body)
            real.append(printed(kind, body, output))
        elif named := NAMED.match(body):
            Path(named[1]).write_text(body, encoding="utf-8")
        else:
            with contextlib.redirect_stdout(io.StringIO()) as said:
                exec(compile(body, str(PAGE), "exec"), names)  # noqa: S102 - running the page is the test
            output = said.getvalue()
    if os.environ.get("GOLDEN") == "1":
        answers = iter(real)
        text = FENCE.sub(
            lambda m: m[0] if m[1] == "python" else f"```{m[1]}\n{next(answers)}```", PAGE.read_text(encoding="utf-8")
        )
        PAGE.write_text(text, encoding="utf-8")
        return
    for page, now in zip(shown, real, strict=True):
        assert TIMES.sub("# ", now) == TIMES.sub("# ", page), "the page is out of date; if that is meant: make golden"


def test_write_an_agent_uses_only_the_stable_names():
    imported = {
        name.name
        for node in ast.walk(ast.parse(margin()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= STABLE
    code = [line for line in margin().splitlines() if line.strip() and not line.startswith(("#", "from"))]
    assert len(code) <= 20


def test_the_example_is_the_one_of_the_page():
    assert (EXAMPLES / "margin.py").read_text(encoding="utf-8") == margin().removeprefix("# margin.py\n")


def test_the_names_of_the_page_exist():
    table = PAGE.read_text(encoding="utf-8").partition("\n## ")[0]
    named = set(re.findall(r"`([A-Za-z_]+)`", table)) - {"brushpass"}
    assert STABLE <= named <= set(brushpass.__all__)
    assert set(brushpass.__all__) <= named


@pytest.mark.slow
def test_the_page_is_typed(tmp_path):
    pytest.importorskip("mypy")
    code = [body for kind, body in blocks() if kind == "python"]
    (tmp_path / "margin.py").write_text(margin(), encoding="utf-8")
    (tmp_path / "page.py").write_text("\n".join(b for b in code if b != margin()), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "page.py", "margin.py"]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.fixture
def among_the_examples(tmp_path, monkeypatch):
    """A working folder that holds the samples."""
    for file in EXAMPLES.glob("*.py"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.mark.usefixtures("among_the_examples")
@pytest.mark.parametrize("spec", ["py:margin:Margin", "py:two_heads:make"])
def test_the_agents_among_the_examples_pass(spec):
    assert run("agents", "check", spec).code == 0


@pytest.mark.usefixtures("among_the_examples")
def test_three_partners_are_compared():
    told = subprocess.run(
        [sys.executable, "three_partners.py", "records"], capture_output=True, text=True, check=False, timeout=300
    )
    assert told.returncode == 0, told.stderr
    *rows, last = told.stdout.splitlines()
    assert [row.split()[0] for row in rows] == ["nearest:model=glove", "nearest:model=minilm", "person:model=minilm"]
    assert last == "0 forfeits; the records are in records"
    assert run("verify", "records").code == 0
