import json
import multiprocessing
import platform
import re
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from arena_toy import Toy, job, jobs
from msgspec.structs import replace

from brushpass.arena import blame, executors
from brushpass.arena.executors import Futures, Serial, WorkersLost
from brushpass.arena.runner import run
from brushpass.errors import AgentFailure, BrushpassError, ForbiddenClue, InvalidSetup

MIXED = [*jobs(60), job(1, "raises"), job(2, "leaves"), job(3, "odd"), *jobs(40, group="1")]


def play(engine, mixed, game=None):
    lines = []
    outcome = run(iter(mixed), game or Toy(), engine=engine, on_progress=lambda *news: lines.extend(news[2]))
    assert outcome.played == len(mixed)
    return sorted(lines), outcome


class KilledWorker(Exception):
    """As dask's."""


class Flaky(Executor):
    """An executor that loses every chunk with the deal 7, as a cluster does whose worker dies of it."""

    lost = KilledWorker("four times")

    def submit(self, call, /, *parts):
        future = Future()
        if any(job.index == 7 for job in parts[1]):
            future.set_exception(self.lost)
        else:
            future.set_result(call(*parts))
        return future


class Untidy(Toy):
    def failed(self, job, reason):
        raise LookupError(f"no such record: {job.id}, {reason}")


class Barred(Toy):
    def warm(self):
        raise ForbiddenClue("'tree' is on the table", "L1")


def test_every_engine_gives_the_same_records():
    lines, outcome = play(Serial(), MIXED)
    assert outcome.failed == 2
    assert any("ZeroDivisionError: an agent fell over" in line for line in lines)
    assert any("SystemExit: 2" in line for line in lines)
    with ThreadPoolExecutor(2) as threads:
        assert play(Futures(threads, 2), MIXED)[0] == lines
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        assert play(Futures(processes, 2), MIXED)[0] == lines


def test_a_job_that_a_foreign_executor_loses_is_alone_in_failing():
    lines, outcome = play(Futures(Flaky(), 3), jobs(50))
    assert outcome.failed == 1
    assert [line for line in lines if "its worker was lost: KilledWorker: four times" in line]


def test_groups_that_lose_worker_upon_worker_are_given_up_on_a_foreign_executor_too(monkeypatch):
    monkeypatch.setattr(blame, "GROUP_DEATHS", 3)
    bad = [replace(job(7, group="bad"), id=f"bad-{number}") for number in range(20)]
    lines, outcome = play(Futures(Flaky(), 1), [*bad, *jobs(5)])
    assert outcome.failed == 20
    assert sum("given up: games of its group lost 3 workers in a row" in line for line in lines) > 10


class Company(Flaky):
    """An executor that also loses, once, whatever is under way beside a game that ends its worker."""

    def submit(self, call, /, *parts):
        future = super().submit(call, *parts)
        if any(job.index == 8 for job in parts[1]) and not self.blamed:
            self.blamed = True
            future = Future()
            future.set_exception(self.lost)
        return future

    blamed = False


def test_a_game_lost_beside_another_is_tried_again_by_itself():
    lines, outcome = play(Futures(Company(), 3), jobs(10))
    assert outcome.failed == 1
    assert [json.loads(line)["id"] for line in lines if '"failed"' in line] == ["0-fair-7"]


class Leaving(Flaky):
    """An executor that goes away, as a cluster whose scheduler is restarted: no game is to blame."""

    lost = CancelledError("scheduler-connection-lost")


def test_a_foreign_executor_that_drops_its_work_ends_the_run_and_fails_no_game():
    lines = []
    with pytest.raises(WorkersLost, match=r"connection-lost; go on with --resume"):
        run(jobs(50), Toy(), engine=Futures(Leaving(), 1), on_progress=lambda *news: lines.extend(news[2]))
    assert not [line for line in lines if "failed" in line]


def test_a_foreign_executor_is_looked_after_while_nothing_comes_back(monkeypatch):
    monkeypatch.setattr(executors, "GLANCE_SECONDS", 0.01)

    def watch():
        raise WorkersLost("the cluster is gone")

    with ThreadPoolExecutor(1) as threads, pytest.raises(WorkersLost, match="the cluster is gone"):
        play(Futures(threads, 1, watch=watch), jobs(3), Toy(seconds=0.3))


def test_a_broken_executor_ends_the_run_with_the_remedy():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        with pytest.raises(WorkersLost, match=r"the executor broke: .*go on with --resume") as caught:
            play(Futures(processes, 1), [*jobs(3), job(4, "exits")])
        assert caught.value.exit_code == 4


class Refusing(ThreadPoolExecutor):
    """Takes a few tasks and no more."""

    left = 3

    def submit(self, *task, **named):
        if self.left == 0:
            raise RuntimeError("no more tasks today")
        self.left -= 1
        return super().submit(*task, **named)


def test_an_executor_that_takes_no_work_ends_the_run_with_the_remedy():
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(WorkersLost, match=r"the executor broke: .*after shutdown; go on with --resume"):
        play(Futures(closed, 1), jobs(3))
    with Refusing(1) as refusing, pytest.raises(WorkersLost, match="no more tasks today"):
        play(Futures(refusing, 1), jobs(30))


def test_an_executor_without_workers_is_refused():
    with ThreadPoolExecutor(1) as threads, pytest.raises(InvalidSetup, match="an executor of 0 workers can play"):
        Futures(threads, 0)


@pytest.mark.parametrize("engine", [Serial(), Futures(ThreadPoolExecutor(1), 1)], ids=["serial", "threads"])
def test_an_agent_that_cannot_start_is_told_in_its_own_words(engine):
    with pytest.raises(AgentFailure, match="agent 'left' cannot start: no such model"):
        play(engine, jobs(3), Toy(cold="refuse"))


def test_an_error_of_a_foreign_worker_names_the_worker():
    told = rf"worker {re.escape(platform.node())}, process \d+: agent 'left'"
    with (
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes,
        pytest.raises(AgentFailure, match=told),
    ):
        play(Futures(processes, 1), jobs(3), Toy(cold="refuse"))


def test_an_error_that_cannot_travel_keeps_its_message():
    with ThreadPoolExecutor(1) as threads, pytest.raises(BrushpassError, match="'tree' is on the table"):
        play(Futures(threads, 1), jobs(3), Barred())


def test_a_faulty_game_is_not_hidden():
    with ThreadPoolExecutor(1) as threads, pytest.raises(WorkersLost, match="LookupError: no such record"):
        play(Futures(threads, 1), [job(1, "raises")], Untidy())
    with pytest.raises(LookupError):
        play(Serial(), [job(1, "raises")], Untidy())


def test_a_group_given_up_tells_how_its_own_workers_were_lost(monkeypatch):
    monkeypatch.setattr(blame, "GROUP_DEATHS", 2)
    found = blame.Blame()
    mine, yours = job(0, group="mine"), job(0, group="yours")
    for cause in ("hung", "starved"):
        found.lost(mine, cause)
    found.lost(yours, "fell")
    fair, ((given_up, reason),) = found.sift([mine, yours])
    assert (fair, given_up) == ([yours], mine)
    assert reason.endswith("starved")
    found.played([mine])
    assert found.sift([mine]) == ([mine], [])
