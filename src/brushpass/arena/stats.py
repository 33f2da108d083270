"""How sure a figure is: intervals and paired comparisons for games of chance. All intervals are 95 %."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
MANY = 1000
"""Beyond so many values Student's t is the normal distribution to a thousandth."""
RESAMPLES = 2000
DOUBT = 2
"""How many clusters' worth of evidence that results within a deal are all alike is assumed beforehand."""
_DRAWS_AT_ONCE = 2_000_000


class Interval(NamedTuple):
    """An estimate and the ends of its interval."""

    value: float
    low: float
    high: float


class Mean(NamedTuple):
    """A mean, its standard error (NaN where it cannot be known), and of how many independent values it is."""

    value: float
    error: float
    size: int


def known(value: float) -> float | None:
    """A figure as JSON has it: None, which is null there, for NaN."""
    return None if math.isnan(value) else value


def wilson(wins: float, games: float, z: float = Z) -> Interval:
    """A rate with its Wilson interval; of no games nothing is known: (NaN, 0, 1).

    `games` may be an effective number and need not be whole.
    """
    if games <= 0:
        return Interval(math.nan, 0.0, 1.0)
    rate = wins / games
    shrink = z * z / games
    middle = (rate + shrink / 2) / (1 + shrink)
    half = z / (1 + shrink) * math.sqrt(max(0.0, rate * (1 - rate) / games + shrink / (4 * games)))
    low = 0.0 if wins <= 0 else max(0.0, middle - half)
    high = 1.0 if wins >= games else min(1.0, middle + half)
    return Interval(rate, low, high)


def clustered_rate(wins: ArrayLike, clusters: Sequence[Any] | NDArray[Any]) -> Interval:
    """A rate over games that share deals: the Wilson interval with the effective number of games.

    `wins` is 0 or 1 a game, shape (n,); `clusters` names each game's deal, shape (n,).

    The design effect (how many times too small the variance of independent games is) comes from the sandwich
    variance of the ratio of sums over clusters. Near 0 and 1 only the few clusters with the rarer result tell of
    it, so its logarithm is shrunk towards full dependence (a cluster counts as one game) with the weight of
    `DOUBT` clusters; few clusters in all widen the interval by Student's t. With one game a cluster this is
    `wilson`.
    """
    won, games = _sums(np.asarray(wins, dtype=float), clusters)
    total, count = float(games.sum()), len(games)
    if total == count:
        return wilson(float(won.sum()), total)
    rate = float(won.sum()) / total
    if count == 1:
        return wilson(rate, 1)
    effect = 1.0
    if 0 < rate < 1:
        residuals = won - rate * games
        variance = count / (count - 1) * float(residuals @ residuals) / total**2
        effect = max(1.0, variance * total / (rate * (1 - rate)))
    telling = min(np.count_nonzero(won), np.count_nonzero(games - won))
    weight = telling / (telling + DOUBT)
    effective = total / (effect**weight * (total / count) ** (1 - weight))
    return wilson(rate * effective, effective, _student(count - 1))


def mean(values: ArrayLike, clusters: Sequence[Any] | NDArray[Any] | None = None) -> Mean:
    """The mean with its standard error; with `clusters`, of values that share deals (sandwich variance)."""
    data = np.asarray(values, dtype=float)
    if not data.size:
        return Mean(math.nan, math.nan, 0)
    sums, counts = (data, np.ones(data.size)) if clusters is None else _sums(data, clusters)
    value = float(sums.sum() / counts.sum())
    if len(sums) < 2:
        return Mean(value, math.nan, 1)
    residuals = sums - value * counts
    variance = len(sums) / (len(sums) - 1) * float(residuals @ residuals)
    return Mean(value, math.sqrt(variance) / float(counts.sum()), len(sums))


def mean_of_sums(total: int, squares: int, count: int) -> Mean:
    """The same as `mean` of `count` whole numbers of which only the sum and the sum of squares are kept."""
    if not count:
        return Mean(math.nan, math.nan, 0)
    value = total / count
    if count < 2:
        return Mean(value, math.nan, count)
    return Mean(value, math.sqrt((count * squares - total**2) / (count - 1)) / count, count)


def around(mean: Mean, least: float, most: float) -> Interval:
    """Student's interval around a mean of values between `least` and `most`; its ends are NaN where the error is."""
    value, error, size = mean
    if math.isnan(error):
        return Interval(value, math.nan, math.nan)
    half = error * (_student(size - 1) if size <= MANY else Z)
    return Interval(value, max(least, value - half), min(most, value + half))


def design_effect(values: ArrayLike, clusters: Sequence[Any] | NDArray[Any]) -> float:
    """How many times fewer independent values would tell as much of the mean as these, which share deals; at least 1.

    Values that are all alike count as one a deal.
    """
    alone, shared = mean(values).error, mean(values, clusters).error
    if not len(clusters):
        return 1.0
    if alone > 0 and not math.isnan(shared):
        return max(1.0, (shared / alone) ** 2)
    return len(clusters) / len(np.unique(np.asarray(clusters)))


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p-value that two players are equally good.

    The arguments count the deals that only the first and only the second has won; deals that both or neither
    won say nothing.
    """
    games, fewer = only_first + only_second, min(only_first, only_second)
    if 2 * fewer == games:
        return 1.0
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, games + 1)))])
    chances = logs[games] - logs[: fewer + 1] - logs[games - fewer :][::-1] - games * math.log(2)
    return min(1.0, 2 * float(np.exp(chances).sum()))


def paired_rates(only_first: float, only_second: float, games: float) -> Interval:
    """The difference of two win rates over the same deals, with the adjusted Wald interval of Bonett and Price (2012).

    The first two arguments are as in `mcnemar`; all may be effective numbers and need not be whole. Where no deal
    tells the two apart the interval has a width, too.
    """
    if games <= 0:
        return Interval(math.nan, -1.0, 1.0)
    first, second = (only_first + 1) / (games + 2), (only_second + 1) / (games + 2)
    middle = first - second
    half = Z * math.sqrt((first + second - middle**2) / (games + 2))
    return Interval((only_first - only_second) / games, max(-1.0, middle - half), min(1.0, middle + half))


def bootstrap_difference(
    first: ArrayLike,
    second: ArrayLike,
    *,
    seed: int,
    clusters: Sequence[Any] | NDArray[Any] | None = None,
    resamples: int = RESAMPLES,
) -> Interval:
    """The mean of `first - second` over the same deals with its bootstrap interval (percentiles).

    Shapes (n,), element i of both from the same job. `clusters` names the deals where jobs share them: then
    whole deals are drawn. One deal alone tells nothing of the interval: its ends are NaN.

    Raises:
        ValueError: the shapes differ.
    """
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    if np.shape(first) != np.shape(second):
        raise ValueError(f"paired values need equal shapes, not {np.shape(first)} and {np.shape(second)}")
    if not differences.size:
        return Interval(math.nan, math.nan, math.nan)
    sums, counts = (differences, np.ones(differences.size)) if clusters is None else _sums(differences, clusters)
    if len(sums) < 2:
        return Interval(float(differences.mean()), math.nan, math.nan)
    rng = np.random.default_rng(seed)
    kinds, many = np.unique(np.stack([sums, counts]), axis=1, return_counts=True)
    at_once = max(1, _DRAWS_AT_ONCE // len(many))
    means: list[NDArray[np.float64]] = []
    for begin in range(0, resamples, at_once):
        picks = rng.multinomial(len(sums), many / len(sums), min(at_once, resamples - begin))
        means.append((picks @ kinds[0]) / (picks @ kinds[1]))
    low, high = np.quantile(np.concatenate(means), [0.025, 0.975])
    return Interval(float(differences.mean()), float(low), float(high))


def _sums(
    values: NDArray[np.float64], clusters: Sequence[Any] | NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum and the number of the values of each cluster."""
    if len(clusters) != len(values):
        raise ValueError(f"{len(values)} values need as many clusters, not {len(clusters)}")
    _, places = np.unique(np.asarray(clusters), return_inverse=True)
    return np.bincount(places, values).astype(float), np.bincount(places).astype(float)


def _student(freedom: int) -> float:
    """The 97.5 % point of Student's t with so many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))
