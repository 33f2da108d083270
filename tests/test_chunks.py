import time

import pytest
from arena_toy import jobs

from brushpass.arena import chunks
from brushpass.arena.chunks import Backlog, Batch, encode, play_chunk
from brushpass.errors import Suspended


class Sleeper:
    def __init__(self, seconds):
        self.seconds = seconds

    def play(self, job):
        time.sleep(self.seconds)
        return job.id

    def failed(self, job, reason):
        return f"{job.id} {reason}"


def drain(backlog, seconds_a_job):
    sizes = []
    while chunk := backlog.take():
        sizes.append(len(chunk))
        backlog.learn(Batch(b"", len(chunk), 0, len(chunk) * seconds_a_job))
    return sizes


def test_chunks_of_quick_games_grow_to_the_aim_and_shrink_before_the_end():
    sizes = drain(Backlog(iter(jobs(5000)), 2, 5000), 0.0005)
    assert sizes[0] == 1
    assert max(sizes) == pytest.approx(chunks.AIM_SECONDS / 0.0005, abs=1)
    assert sizes[-1] == 1
    assert sum(sizes) == 5000


def test_slow_games_are_handed_out_one_by_one():
    assert set(drain(Backlog(iter(jobs(20)), 2), 5.0)) == {1}


def test_what_is_given_back_comes_first_and_in_order():
    backlog = Backlog(iter(jobs(6)), 1)
    assert [job.index for job in backlog.take()] == [0]
    backlog.learn(Batch(b"", 1, 0, 1e-6))
    chunk = backlog.take()
    assert [job.index for job in chunk] == [1, 2, 3, 4]
    backlog.give_back(chunk[2:])
    assert [job.index for job in backlog.take()] == [3, 4, 5]
    assert not backlog
    assert backlog.take() == []


def test_what_is_postponed_comes_last_and_by_itself():
    backlog = Backlog(iter(jobs(5)), 1)
    first, *_ = backlog.take()
    backlog.postpone(first)
    chunks = []
    while backlog:
        chunks.append(backlog.take())
        backlog.learn(Batch(b"", 1, 0, 1e-6))
    assert chunks[-1] == [first]
    assert [job for chunk in chunks for job in chunk] == [*jobs(5)[1:], first]


def test_a_chunk_of_games_slower_than_thought_is_cut_short(monkeypatch):
    monkeypatch.setattr(chunks, "LIMIT_SECONDS", 0.0)
    assert play_chunk(Sleeper(0.001), jobs(5)).played == 1


class Planner(Sleeper):
    """One that wants to know what comes."""

    def __init__(self):
        super().__init__(0)
        self.told = []

    def prepare(self, jobs):
        self.told.append([job.index for job in jobs])
        if 40 in self.told[-1]:
            raise ValueError("too far")


def test_a_game_that_wants_to_is_told_what_comes(monkeypatch):
    monkeypatch.setattr(chunks, "AHEAD", 4)
    game = Planner()
    assert play_chunk(game, jobs(10)).text.decode().split() == [job.id for job in jobs(10)]
    assert game.told == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_what_goes_wrong_in_preparing_costs_one_game(monkeypatch):
    monkeypatch.setattr(chunks, "AHEAD", 4)
    batch = play_chunk(Planner(), jobs(50)[38:46])
    assert (batch.played, batch.failed) == (8, 1)
    assert batch.text.splitlines()[0].endswith(b"ValueError: too far")


def test_a_record_of_two_lines_is_refused():
    with pytest.raises(ValueError, match="2 lines"):
        encode("one\ntwo")
    assert encode("sep\u2028arated").endswith(b"\n")


def test_a_game_that_cannot_go_on_ends_the_chunk_and_is_handed_back():
    class Shut(Sleeper):
        def play(self, job):
            if job.index >= 2:
                raise Suspended("no server")
            return super().play(job)

    chunk = jobs(4)
    assert play_chunk(Shut(0), chunk, faults=BaseException).played == 2
    with pytest.raises(Suspended):
        play_chunk(Shut(0), chunk[2:], faults=BaseException)
