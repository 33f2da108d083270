import json
import multiprocessing
import os
import signal
import subprocess
import sys

import pytest
from arena_toy import Toy, environment, job, jobs
from test_executors import MIXED, Untidy, play

from brushpass.arena import workers
from brushpass.arena.executors import Serial, WorkersLost
from brushpass.arena.runner import run
from brushpass.arena.workers import LocalWorkers
from brushpass.errors import AgentFailure, InvalidSetup

KILLED = "it ended with exit code 9" if sys.platform == "win32" else "it was killed by SIGKILL (out of memory?)"


def failures(lines):
    return {record["id"]: record["failed"] for record in map(json.loads, lines) if "failed" in record}


def test_one_worker_and_two_give_the_records_of_none():
    lines = play(Serial(), MIXED)[0]
    for count in (1, 2):
        assert play(LocalWorkers(count), MIXED)[0] == lines


def test_a_game_that_kills_its_worker_costs_only_itself():
    lines, outcome = play(LocalWorkers(2), [*jobs(200), job(1, "exits"), job(2, "killed"), *jobs(200, group="1")])
    assert outcome.failed == 2
    assert failures(lines) == {
        "0-exits-1": "lost its worker twice; it ended with exit code 3",
        "0-killed-2": f"lost its worker twice; {KILLED}",
    }
    assert len({json.loads(line)["id"] for line in lines}) == 402


def test_workers_killed_from_outside_cost_nothing():
    lines = []
    kills = iter(range(3))

    def watch(*news):
        lines.extend(news[2])
        if news[0] > 50 and next(kills, None) is not None:
            os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)

    outcome = run(jobs(1500), Toy(seconds=0.0005), workers=2, on_progress=watch)
    assert next(kills, None) is None, "nothing was killed"
    assert (outcome.played, outcome.failed) == (1500, 0)
    assert sorted(lines) == play(Serial(), jobs(1500))[0]


def test_a_game_that_hangs_is_ended_at_the_limit():
    lines, outcome = play(LocalWorkers(2, limit=1.0), [*jobs(20), job(1, "hangs"), *jobs(20, group="1")])
    assert outcome.failed == 1
    assert failures(lines) == {"0-hangs-1": "it took longer than 1 seconds"}


def test_a_group_that_kills_every_worker_is_given_up_and_the_other_goes_on(monkeypatch):
    monkeypatch.setattr(workers, "GROUP_DEATHS", 3)
    mixed = [job for pair in zip(jobs(40, "exits", "bad"), jobs(40, group="good"), strict=True) for job in pair]
    lines, outcome = play(LocalWorkers(2), mixed)
    assert outcome.failed == 40
    assert all(name.startswith("bad") for name in failures(lines))
    assert "given up: games of its group lost 3 workers in a row" in failures(lines).values()


def test_an_agent_that_cannot_start_is_told_in_its_own_words():
    with pytest.raises(AgentFailure, match="agent 'left' cannot start: no such model"):
        play(LocalWorkers(2), jobs(3), Toy(cold="refuse"))
    assert not multiprocessing.active_children()


def test_a_bug_in_starting_is_named():
    with pytest.raises(WorkersLost, match="a worker cannot work: KeyError: 'left'") as caught:
        play(LocalWorkers(2), jobs(3), Toy(cold="bug"))
    assert "arena_toy.py" in caught.value.__notes__[0]


def test_workers_that_die_in_starting_end_the_run():
    with pytest.raises(WorkersLost, match=r"3 workers in a row .* exit code 7"):
        play(LocalWorkers(2), jobs(3), Toy(cold="die"))
    assert not multiprocessing.active_children()


def test_a_faulty_game_is_not_hidden():
    with pytest.raises(WorkersLost, match="LookupError: no such record"):
        play(LocalWorkers(1), [job(1, "raises")], Untidy())


def test_no_workers_is_refused():
    with pytest.raises(InvalidSetup, match="0 workers"):
        LocalWorkers(0)


def test_a_worker_is_one_thread_and_the_parent_as_before(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    lines, _ = play(LocalWorkers(1), [job(1, "threads")])
    assert json.loads(lines[0])["note"] == ["1", "1"]
    assert os.environ["OMP_NUM_THREADS"] == "2"
    assert "NUMBA_NUM_THREADS" not in os.environ


def test_what_agents_print_stays_off_our_output():
    script = """
from arena_toy import Toy, jobs
from brushpass.arena.runner import run
if __name__ == "__main__":
    run(jobs(3, "talks"), Toy())
    print("result")
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert done.stdout == "result\n"
    assert done.stderr.count("chatters") == done.stderr.count("library too") == 3
