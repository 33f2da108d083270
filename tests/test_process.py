"""Programs as agents: whatever one does costs only its own games, and nothing of it is left behind."""

import sys
import tempfile
from pathlib import Path

import pytest
from arena_toy import wait_until
from faulty_program import FAULTS, HARMLESS

from brushpass import Mission, Plan, read_records, run_bench, verify
from brushpass.duet import bench

if sys.platform != "linux":
    pytest.skip("memory limits and /proc", allow_module_level=True)

PROGRAM = Path(__file__).parent / "faulty_program.py"
FAIR = ("random", "random")


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Where the programs' working folders are made: nothing may be left there."""
    made = tmp_path / "folders"
    made.mkdir()
    monkeypatch.setenv("TMPDIR", str(made))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return made


def spec(kind, mark="", *, settings="answer=0.7"):
    return f"cmd:{settings} {sys.executable} -I -S {PROGRAM} '{kind}' {mark}".strip()


def running(mark):
    """The command lines that hold `mark`."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in command:
                found.append(command)
    return found


def test_a_batch_with_every_fault_ends_with_every_other_game_as_it_was(tmp_path, folders, monkeypatch):
    monkeypatch.setattr(bench, "compile_kernels", lambda: None)
    mark = str(tmp_path / "mark")
    settings = {"slow start": "start=0.8", "glutton": "memory=64"}
    specs = {kind: spec(kind, mark, settings=settings.get(kind, "answer=0.7")) for kind in (*FAULTS, *HARMLESS)}
    pairs = [FAIR, *((told, "random") for told in specs.values())]
    table = Mission(9, 9)
    report = run_bench(Plan(pairs, mission=table, games=1, seed=4), workers=2, out=tmp_path / "run").to_json()
    assert report["pairs"][0] == run_bench(Plan([FAIR], mission=table, games=1, seed=4)).to_json()["pairs"][0]
    records = {}
    for record in read_records(tmp_path / "run" / "games.jsonl"):
        verify(record)
        records[record.agents[0]] = record
    assert len(records) == 1 + len(specs)
    for kind in HARMLESS:
        assert records[specs[kind]].reason != "forfeit", records[specs[kind]].trace[-1]
    for kind, told in FAULTS.items():
        record = records[specs[kind]]
        assert record.reason == "forfeit", kind
        assert record.trace[-1]["forfeit"] == "A"
        assert told in record.trace[-1]["why"], (kind, record.trace[-1]["why"])
    wait_until(lambda: not running(mark) and not list(folders.iterdir()))
