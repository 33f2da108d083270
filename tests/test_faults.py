"""Whatever an agent does costs only its own games."""

import json
import multiprocessing
import os
import sys
from pathlib import Path

import pytest
from arena_toy import wait_until
from faulty_agents import BRUTES, FORFEITS, HARMLESS

from brushpass import Mission, Plan, run_bench
from brushpass.arena import workers
from brushpass.duet import bench
from brushpass.duet.record import read_records, verify

if sys.platform != "linux":
    pytest.skip("memory limits and /proc", allow_module_level=True)

FAIR = ("random", "random")


def spec(player):
    return f"py:faulty_agents:{player.__name__}"


def descendants():
    """Processes that came of this test, ours or orphaned: they carry its mark."""
    mark = f"PYTEST_CURRENT_TEST={os.environ['PYTEST_CURRENT_TEST']}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                command = (folder / "cmdline").read_bytes()
                if mark in (folder / "environ").read_bytes() and b"resource_tracker" not in command:
                    found.append(command)
            except OSError:
                continue
    return found


def test_whatever_an_agent_does_costs_only_its_own_games(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "ANSWER_SECONDS", 3.0)
    monkeypatch.setattr(workers, "_share_of_memory", lambda _: 1 << 30)
    monkeypatch.setattr(bench, "compile_kernels", lambda: None)
    faulty = [*FORFEITS, *HARMLESS, *BRUTES]
    pairs = [FAIR, *((spec(player), "random") for player in faulty)]
    plan = Plan(pairs, mission=Mission(9, 9), games=1, seed=4)
    report = run_bench(plan, workers=2, out=tmp_path / "run").to_json()
    expected = run_bench(Plan([FAIR], mission=Mission(9, 9), games=1, seed=4)).to_json()
    assert report["pairs"][0] == expected["pairs"][0]
    records = {}
    for record in read_records(tmp_path / "run" / "games.jsonl"):
        verify(record)
        records.setdefault(record.agents[0], []).append(record)
    for player in HARMLESS:
        assert all(record.reason != "forfeit" for record in records[spec(player)])
    for player, told in (FORFEITS | BRUTES).items():
        assert len(records[spec(player)]) == 1
        for record in records[spec(player)]:
            assert record.reason == "forfeit"
            assert told in record.trace[-1]["why"], json.dumps(record.trace[-1])
            assert len(record.trace[-1]["why"]) < 400
    assert not multiprocessing.active_children()
    wait_until(lambda: not descendants())
