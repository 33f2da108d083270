"""Outside bots at the table, by the samples that adapt them; and docs/agents.md, which shows them."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from cli_runner import run

from brushpass import Mission, Plan, run_bench
from brushpass.duet.agents import llm
from brushpass.duet.testing.report import CHECKS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "agents.md"
ADAPTER = f"cmd:{sys.executable} peer_adapter.py"
BODY = "    return sorted(words, key=lambda word: -difflib.SequenceMatcher(None, word.lower(), clue).ratio())\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    for name in ("peer_adapter.py", "peer_guesser.py"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("spec", [ADAPTER, "py:peer_guesser:make"])
def test_the_samples_pass(spec):
    told = run("agents", "check", spec)
    assert told.code == 0, told.out


def test_a_bot_may_answer_in_capitals_with_strange_words_and_leave_some_out(here):
    file = here / "peer_adapter.py"
    text = file.read_text(encoding="utf-8")
    assert BODY in text
    file.write_text(text.replace(BODY, "    return ['nowhere', *map(str.upper, words[-1:])]\n"), encoding="utf-8")
    told = run("agents", "check", ADAPTER, "--positions", 1)
    assert told.code == 0, told.out


@pytest.mark.usefixtures("here")
def test_a_peer_plays_on_both_seats():
    report = run_bench(Plan([(ADAPTER, "random"), ("random", ADAPTER)], mission=Mission(9, 9), games=2, seed=1))
    assert [pair["failures"] for pair in report.to_json()["pairs"]] == [0, 0]


def test_the_page_shows_the_samples():
    page = PAGE.read_text(encoding="utf-8")
    samples = [
        (ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("peer_adapter.py", "peer_guesser.py")
    ]
    section = page.partition("## A bot of somebody else's")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block, sample in zip(blocks, samples, strict=True):
        assert block in sample


def test_the_page_names_every_check_and_every_variable():
    page = PAGE.read_text(encoding="utf-8")
    for name in (*CHECKS, llm.URL, llm.KEY, llm.RATE, llm.BUDGET, llm.TOKENS, llm.REPLIES):
        assert f"`{name}`" in page


def test_links_of_the_page_lead_somewhere():
    page = PAGE.read_text(encoding="utf-8")
    heads = {
        re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-")
        for head in re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", page):
        file, _, anchor = target.partition("#")
        assert not file or (PAGE.parent / file).exists(), target
        assert file or anchor in heads, target
