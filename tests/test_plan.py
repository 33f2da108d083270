"""Which deals a run plays: what its intervals and comparisons rest on."""

from collections import defaultdict

from brushpass import Plan
from brushpass.duet.core.mission import CITIES

PAIRS = (("random", "random"), ("nearest", "random"))


def deals(plan):
    """Each game's deal, by city and index."""
    found = defaultdict(set)
    for job in plan.jobs():
        found[job.condition, job.index].add(job.seed)
    return found


def test_every_pair_plays_the_same_deals_and_no_two_cities_share_one():
    found = deals(Plan(PAIRS, games=20, seed=3))
    assert len(found) == 20 * len(CITIES)
    assert all(len(seeds) == 1 for seeds in found.values())
    assert len(set.union(*found.values())) == len(found)


def test_deals_depend_on_seed_city_and_index_alone():
    found = deals(Plan(PAIRS, games=20, seed=3))
    assert deals(Plan(PAIRS[1:], cities=CITIES[4:6], games=5, seed=3)).items() <= found.items()
    assert not set.union(*found.values()) & set.union(*deals(Plan(PAIRS, games=20, seed=4)).values())
