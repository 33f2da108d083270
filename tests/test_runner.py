import os
import random
import signal
import subprocess
import sys
import time

import pytest
from arena_toy import Toy, environment, job, jobs, no_worker_left, posix, running, wait_until

from brushpass.arena.executors import Serial
from brushpass.arena.journal import Journal
from brushpass.arena.runner import Outcome, run

COUNT = 6000
SCRIPT = f"""
import sys
from arena_toy import Toy, job, jobs
from brushpass.arena.journal import Journal
from brushpass.arena.runner import run

if __name__ == "__main__":
    folder, pids, *odd = sys.argv[1:]
    todo = [job(1, kind) for kind in odd] or jobs({COUNT})
    try:
        with Journal.open(folder, equal={{"seed": 1}}, resume=True) as journal:
            print(run(todo, Toy(seconds=0.001, pids=pids), workers=2, journal=journal), flush=True)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.fixture
def start(tmp_path):
    """Start the batch in a process of its own; whatever is left of it is killed in the end."""
    started = []
    (tmp_path / "pids").mkdir()

    def begin(*odd):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, tmp_path / "run", tmp_path / "pids", *odd],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def lines_in(folder):
    path = folder / "games.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def finish(folder):
    """Resume in this process, and the records that then lie there."""
    with Journal.open(folder, equal={"seed": 1}, resume=True) as journal:
        before = len(journal.done)
        outcome = run(jobs(COUNT), Toy(), engine=Serial(), journal=journal)
    assert (outcome.played, outcome.skipped, outcome.failed) == (COUNT - before, before, 0)
    return sorted((folder / "games.jsonl").read_text().splitlines())


@pytest.fixture(scope="module")
def expected():
    lines = []
    run(jobs(COUNT), Toy(), engine=Serial(), on_progress=lambda *news: lines.extend(news[2]))
    return sorted(lines)


def test_progress_tells_done_total_and_the_new_records(tmp_path):
    seen = []
    with Journal.open(tmp_path, equal={}) as journal:
        run(jobs(30), Toy(), engine=Serial(), journal=journal)
    with Journal.open(tmp_path, equal={}, resume=True) as journal:
        outcome = run(jobs(90), Toy(), engine=Serial(), journal=journal, on_progress=lambda *news: seen.append(news))
    assert seen[-1][:2] == (90, 90)
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert sum(len(lines) for _, _, lines in seen) == outcome.played == 60
    assert outcome.skipped == 30
    assert outcome.games_per_second > 0


def test_a_record_may_hold_any_line_separator_but_a_newline():
    seen = []
    run([job(1, "odd")], Toy(), engine=Serial(), on_progress=lambda *news: seen.extend(news[2]))
    assert len(seen) == 1


def test_a_finished_run_starts_no_worker(tmp_path):
    with Journal.open(tmp_path, equal={}) as journal:
        run(jobs(3), Toy(), engine=Serial(), journal=journal)
    with Journal.open(tmp_path, equal={}, resume=True) as journal:
        assert run(jobs(3), Toy(cold="refuse"), journal=journal) == Outcome(0, 3, 0, 0.0)
    assert run([], Toy(cold="refuse")).games_per_second == 0


def test_jobs_are_read_as_they_are_needed():
    handed = 0

    def endless():
        nonlocal handed
        for index in range(10**9):
            handed += 1
            yield job(index)

    def stop(*news):
        assert news[1] is None
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(endless(), Toy(), on_progress=stop)
    assert handed < 100


@posix
def test_killed_twenty_times_a_run_loses_nothing_and_repeats_nothing(tmp_path, start, expected):
    """At random moments, starting up or playing: the parent, a worker, or all at once."""
    folder, pids = tmp_path / "run", tmp_path / "pids"
    draw = random.Random(5)
    parent = None
    for victim in ["parent", "worker", "all", "worker"] * 5:
        if parent is None or parent.poll() is not None:
            parent = start()
            for path in pids.iterdir():
                path.unlink()
        if victim == "worker" or draw.random() < 0.7:
            target = lines_in(folder) + draw.randrange(1, 80)
            wait_until(lambda target=target: lines_in(folder) >= target)
        else:
            time.sleep(draw.uniform(0, 0.6))
        assert parent.poll() is None, "it should have more to play"
        workers = [int(path.name) for path in pids.iterdir() if running(int(path.name))]
        doomed = {
            "parent": [parent.pid],
            "worker": draw.sample(workers, 1) if workers else [],
            "all": [*workers, parent.pid],
        }
        for pid in doomed[victim]:
            os.kill(pid, signal.SIGKILL)
        if victim != "worker":
            parent.wait()
            wait_until(lambda: no_worker_left(pids))
    parent.kill()
    parent.wait()
    assert 0 < lines_in(folder) < COUNT
    assert finish(folder) == expected


@posix
def test_no_worker_outlives_its_parent_whatever_its_game_does(start, tmp_path):
    pids = tmp_path / "pids"
    parent = start("clings")
    wait_until(lambda: len(list(pids.iterdir())) == 3)
    parent.kill()
    parent.wait()
    wait_until(lambda: no_worker_left(pids))


@posix
def test_ctrl_c_ends_at_once_and_the_run_can_go_on(tmp_path, start, expected):
    folder, pids = tmp_path / "run", tmp_path / "pids"
    process = start()
    wait_until(lambda: lines_in(folder) > 0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors == ""
    assert no_worker_left(pids)
    assert 0 < lines_in(folder) < COUNT
    assert finish(folder) == expected


@posix
@pytest.mark.parametrize("moment", ["starting", "hanging"])
def test_ctrl_c_ends_at_any_moment(tmp_path, start, moment):
    pids = tmp_path / "pids"
    process = start("clings") if moment == "hanging" else start()
    begun = {"hanging": lambda: len(list(pids.iterdir())) == 3, "starting": (tmp_path / "run/games.jsonl").exists}
    wait_until(begun[moment])
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")
    wait_until(lambda: no_worker_left(pids))


@posix
def test_ctrl_c_from_a_terminal_does_not_end_a_worker_first(tmp_path, start, expected):
    process, pids = start(), tmp_path / "pids"
    wait_until(lambda: len(list(pids.iterdir())) == 2)
    for pid in pids.iterdir():
        os.kill(int(pid.name), signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert f"played={COUNT}, skipped=0, failed=0" in output
    assert finish(tmp_path / "run") == expected
