import pickle

from arena_toy import Toy, job, record

from brushpass.arena.jobs import warm


class Plain:
    def play(self, job):
        return record(id=job.id)

    def failed(self, job, reason):
        return record(id=job.id, failed=reason)


def test_a_job_survives_the_way_to_a_worker():
    there = job(3)
    assert pickle.loads(pickle.dumps(there)) == there  # noqa: S301  # our own bytes


def test_a_game_is_warmed_if_it_can_be():
    toy = Toy()
    warm(toy)
    assert toy.warm_at
    warm(Plain())
