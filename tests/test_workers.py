import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest
from arena_toy import Toy, environment, job, jobs, no_worker_left, posix, wait_until
from test_executors import MIXED, Untidy, play

from brushpass.arena import blame, workers
from brushpass.arena.executors import Serial, WorkersLost
from brushpass.arena.runner import run
from brushpass.arena.workers import LocalWorkers
from brushpass.errors import AgentFailure, InvalidSetup

KILLED = "it ended with exit code 9" if sys.platform == "win32" else "it was killed by SIGKILL (out of memory?)"


def failures(lines):
    return {record["id"]: record["failed"] for record in map(json.loads, lines) if "failed" in record}


def test_any_number_of_workers_gives_the_records_of_none():
    lines = play(Serial(), MIXED)[0]
    for count in (1, 2, 4):
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
        if news[0] > 50 and (alive := multiprocessing.active_children()) and next(kills, None) is not None:
            os.kill(alive[0].pid, signal.SIGKILL)

    outcome = run(jobs(1500), Toy(seconds=0.0005), workers=2, on_progress=watch)
    assert next(kills, None) is None, "nothing was killed"
    assert (outcome.played, outcome.failed) == (1500, 0)
    assert sorted(lines) == play(Serial(), jobs(1500))[0]


def test_a_game_that_hangs_is_ended_at_the_limit():
    lines, outcome = play(LocalWorkers(2, limit=1.0), [*jobs(20), job(1, "hangs"), *jobs(20, group="1")])
    assert outcome.failed == 1
    assert failures(lines) == {"0-hangs-1": "it gave no sign of life for 1 seconds"}


@posix
def test_a_game_that_holds_everything_up_in_c_is_ended_and_one_that_shows_life_is_not():
    lines, _ = play(LocalWorkers(2, limit=1.0), [job(1, "holds"), job(2, "plods")])
    assert failures(lines) == {"0-holds-1": "it gave no sign of life for 1 seconds"}


def test_a_worker_that_is_never_ready_ends_the_run(monkeypatch):
    monkeypatch.setattr(workers, "START_SECONDS", 0.5)
    with pytest.raises(WorkersLost, match=r"not ready to play within 0\.5 seconds"):
        play(LocalWorkers(1), jobs(3), Toy(cold="hang"))
    assert not multiprocessing.active_children()


def test_time_in_which_the_parent_stood_still_does_not_count():
    def doze(*news):
        if news[0] == 1:
            time.sleep(2)

    slow = [job(1), job(2, "naps"), job(3, "naps")]
    outcome = run(slow, Toy(), engine=LocalWorkers(1, limit=1.0), on_progress=doze)
    assert outcome.failed == 0


def test_an_interrupt_an_agent_raises_is_its_own_affair():
    lines, _ = play(LocalWorkers(1), [*jobs(5), job(1, "interrupts"), *jobs(5, group="1")])
    assert failures(lines) == {"0-interrupts-1": "KeyboardInterrupt"}


@pytest.mark.skipif(sys.platform != "linux", reason="memory limits of Linux")
def test_a_game_that_takes_all_memory_leaves_none_of_its_mark_on_others():
    lines, _ = play(LocalWorkers(1, memory=1 << 29), [*jobs(5), job(1, "hoards"), *jobs(9, "needs")])
    assert failures(lines).keys() == {"0-hoards-1"}
    assert "MemoryError" in failures(lines)["0-hoards-1"]


@pytest.mark.skipif(sys.platform != "linux", reason="memory limits of Linux")
def test_agents_that_need_more_memory_than_there_is_are_told_to_have_fewer_workers():
    with pytest.raises(WorkersLost, match="more memory than its share, 512 MB: use fewer --workers"):
        play(LocalWorkers(1, memory=1 << 29), jobs(3), Toy(cold="hoard"))


@posix
def test_games_that_close_our_streams_or_fork_harm_no_other(tmp_path):
    mixed = [job(1, "silences"), job(2, "prints"), job(3, "forks"), job(4, "doubles"), *jobs(30)]
    lines, outcome = play(LocalWorkers(1), mixed, Toy(pids=str(tmp_path)))
    assert outcome.failed == 0
    assert len({json.loads(line)["id"] for line in lines}) == len(lines) == len(mixed)
    wait_until(lambda: no_worker_left(tmp_path))


@posix
def test_games_that_leave_us_unable_to_answer_cost_only_themselves():
    faults = ["closes", "reopens", "forgets"]
    mixed = [*jobs(30), *(job(1, fault, fault) for fault in faults), *jobs(30, group="1")]
    lines, outcome = play(LocalWorkers(2), mixed)
    assert {*failures(lines).values()} == {"lost its worker twice; it ended with exit code 1"}
    assert {*failures(lines)} == {f"{fault}-{fault}-1" for fault in faults}
    assert outcome.played == len(mixed)


@posix
def test_a_game_that_another_ends_later_is_not_recorded_as_failed():
    mixed = [game for pair in zip(jobs(3, "mines", "bad"), jobs(3, "traps", "good"), strict=True) for game in pair]
    lines, outcome = play(LocalWorkers(1), mixed)
    assert not failures(lines)
    assert outcome.played == len(mixed)


@posix
def test_workers_that_end_when_they_have_nothing_to_do_do_not_end_the_run():
    waits = [job(1, "naps"), *jobs(4, "mines", "bad")]
    lines, outcome = play(LocalWorkers(5), waits, Toy())
    assert not failures(lines)
    assert outcome.played == 5


def test_a_group_that_kills_every_worker_is_given_up_and_the_other_goes_on(monkeypatch):
    monkeypatch.setattr(blame, "GROUP_DEATHS", 3)
    mixed = [job for pair in zip(jobs(40, "exits", "bad"), jobs(40, group="good"), strict=True) for job in pair]
    lines, outcome = play(LocalWorkers(2), mixed)
    assert outcome.failed == 40
    assert all(name.startswith("bad") for name in failures(lines))
    told = "given up: games of its group lost 3 workers in a row; of the last, it ended with exit code 3"
    assert told in failures(lines).values()


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
