import math

import numpy as np
import pytest
from scipy.stats import binomtest

from brushpass.arena.stats import around, bootstrap_difference, clustered_rate, mcnemar, mean, mean_of_sums, wilson


def deals(rng, rate, likeness, count, games):
    """Wins of `games` games on each of `count` deals whose chances are Beta with that rate and correlation."""
    if likeness == 0:
        chances = np.full(count, rate)
    else:
        size = 1 / likeness - 1
        chances = rng.beta(rate * size, (1 - rate) * size, count)
    return (rng.random((count, games)) < chances[:, None]).ravel(), np.repeat(np.arange(count), games)


def coverage(draw, truth, times=600):
    return np.mean([interval.low <= truth <= interval.high for interval in (draw() for _ in range(times))])


def test_wilson_is_the_known_interval():
    known = binomtest(8, 10).proportion_ci(method="wilson")
    assert wilson(8, 10) == pytest.approx((0.8, known.low, known.high))
    assert wilson(0, 50)[:2] == (0.0, 0.0)
    assert wilson(50, 50).high == 1.0
    assert wilson(0, 50).high == pytest.approx(1 - wilson(50, 50).low)


def test_of_no_games_nothing_is_known():
    for interval in (wilson(0, 0), clustered_rate([], [])):
        assert math.isnan(interval.value)
        assert interval[1:] == (0, 1)
    assert math.isnan(mean([]).value)
    assert math.isnan(bootstrap_difference([], [], seed=1).low)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5, 0.97])
def test_wilson_covers(rate):
    rng = np.random.default_rng(1)
    assert 0.93 < coverage(lambda: wilson(rng.binomial(300, rate), 300), rate, 4000) < 0.975


def test_wilson_over_cities_of_unlike_rates_covers():
    rng = np.random.default_rng(12)
    rates = np.linspace(0.01, 0.9, 26)
    assert coverage(lambda: wilson(rng.binomial(20, rates).sum(), 26 * 20), rates.mean(), 2000) > 0.95


@pytest.mark.parametrize("likeness", [0, 0.3, 0.8])
@pytest.mark.parametrize("rate", [0.03, 0.4, 0.9])
def test_rates_over_shared_deals_cover(rate, likeness):
    rng = np.random.default_rng(2)
    assert 0.92 < coverage(lambda: clustered_rate(*deals(rng, rate, likeness, 80, 13)), rate) < 0.995


def test_ignoring_shared_deals_would_not_cover():
    rng = np.random.default_rng(3)
    assert coverage(lambda: wilson(deals(rng, 0.4, 0.5, 80, 13)[0].sum(), 80 * 13), 0.4) < 0.7


def test_games_on_deals_of_their_own_are_plain_wilson():
    wins = np.arange(40) % 3 == 0
    assert clustered_rate(wins, np.arange(40)) == pytest.approx(wilson(14, 40))


def test_independent_games_in_many_deals_are_nearly_wilson():
    wins, names = deals(np.random.default_rng(4), 0.4, 0, 2000, 5)
    assert clustered_rate(wins, names) == pytest.approx(wilson(wins.sum(), wins.size), abs=0.002)


def test_no_win_at_all_still_leaves_room():
    for won in (0, 1):
        interval = clustered_rate([won] * 100, [f"deal {index % 10}" for index in range(100)])
        assert interval.value == won
        assert 0.2 < interval.high - interval.low < 0.5
    assert clustered_rate([1, 1, 0], ["same"] * 3).high - clustered_rate([1, 1, 0], ["same"] * 3).low > 0.7


@pytest.mark.parametrize(("first", "second"), [(0, 0), (5, 5), (0, 6), (10, 3), (3, 10), (700, 620), (1, 2)])
def test_mcnemar_is_the_exact_sign_test(first, second):
    exact = binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(exact)


def test_mcnemar_bears_large_counts():
    assert 0 <= mcnemar(130_000, 100_000) < 1e-12


def test_mcnemar_raises_few_false_alarms():
    rng = np.random.default_rng(5)
    alarms = [mcnemar(wins, 60 - wins) < 0.05 for wins in rng.binomial(60, 0.5, 2000)]
    assert 0.01 < np.mean(alarms) <= 0.05


def test_bootstrap_covers_and_is_the_same_for_a_seed():
    rng = np.random.default_rng(6)

    def draw():
        deal = rng.normal(size=120)
        return bootstrap_difference(
            deal + rng.normal(0.5, 1, 120), deal + rng.exponential(1, 120), seed=7, resamples=400
        )

    assert 0.91 < coverage(draw, -0.5, 400) < 0.98
    first, second = rng.random((2, 50))
    assert bootstrap_difference(first, second, seed=1) == bootstrap_difference(first, second, seed=1)
    assert bootstrap_difference(first, second, seed=1) != bootstrap_difference(first, second, seed=2)


def test_bootstrap_over_shared_deals_covers():
    rng = np.random.default_rng(8)

    def draw():
        deal = np.repeat(rng.normal(0.2, 1, 60), 5)
        return bootstrap_difference(
            deal + rng.normal(size=300), np.zeros(300), seed=9, clusters=np.repeat(np.arange(60), 5), resamples=300
        )

    assert 0.9 < coverage(draw, 0.2, 300) < 0.98


@pytest.mark.parametrize("clusters", [None, ["one deal"] * 3])
def test_one_deal_tells_nothing_of_an_interval(clusters):
    first = [3.0, 5.0, 4.0] if clusters else [4.0]
    difference = bootstrap_difference(first, [1.0] * len(first), seed=1, clusters=clusters)
    assert difference.value == 3
    assert np.isnan([difference.low, difference.high]).all()


def test_pairs_must_match():
    with pytest.raises(ValueError, match="equal shapes"):
        bootstrap_difference([1, 2], [1], seed=1)
    with pytest.raises(ValueError, match="as many clusters"):
        clustered_rate([1, 0], [1])


def test_mean_has_the_textbook_error():
    values = np.array([1.0, 4.0, 4.0, 7.0])
    assert mean(values) == pytest.approx((4.0, values.std(ddof=1) / 2, 4))
    assert math.isnan(mean([3.0]).error)


def test_the_error_of_a_mean_over_shared_deals_is_that_of_the_deals():
    values = np.random.default_rng(10).normal(size=40)
    assert mean(np.repeat(values, 6), np.repeat(np.arange(40), 6)) == pytest.approx(mean(values))


@pytest.mark.parametrize("values", [[], [7], [0, 0, 0], [3, 9, 15, 4]])
def test_a_mean_needs_only_sums(values):
    sums = mean_of_sums(sum(values), sum(value**2 for value in values), len(values))
    assert sums == pytest.approx(mean(values), nan_ok=True)


def test_an_interval_of_a_mean_ends_where_its_values_do():
    assert around(mean([0, 0, 0, 1, 15]), 0, 15).low == 0
    assert around(mean([15, 15, 15, 14, 0]), 0, 15).high == 15
    value, low, high = around(mean([5, 6, 7, 6]), 0, 15)
    assert (low + high) / 2 == pytest.approx(value) == 6
    assert high - low == pytest.approx(2 * 3.1824 * mean([5, 6, 7, 6]).error, rel=1e-4)  # t of three degrees
    assert math.isnan(around(mean([3]), 0, 15).low)


@pytest.mark.parametrize("games", [4, 10, 60])
def test_intervals_of_means_of_few_games_cover_as_they_say(games):
    rng = np.random.default_rng(games)
    chance = 0.4  # of each of 15 agents
    draws = rng.binomial(15, chance, (4000, games))
    assert coverage(iter([around(mean(draw), 0, 15) for draw in draws]).__next__, 15 * chance, 4000) > 0.94


def test_many_games_need_no_students_t():
    values = np.arange(2000) % 7
    value, low, high = around(mean(values), 0, 15)
    assert (low, high) == pytest.approx((value - 1.95996 * mean(values).error, value + 1.95996 * mean(values).error))
