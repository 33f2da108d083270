"""Timing on a machine that others use too: contenders take turns, and the best of many rounds counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter


def race(contenders: Mapping[str, Callable[[], object]], *, calls: int, seconds: float) -> dict[str, float]:
    """The best seconds a call of each contender, over rounds in which each makes some `calls`, one after another.

    Every contender is called once before the clock starts; there are three rounds at least.
    """
    for contender in contenders.values():
        contender()
    best = dict.fromkeys(contenders, float("inf"))
    began, rounds = perf_counter(), 0
    while rounds < 3 or perf_counter() - began < seconds:
        rounds += 1
        for name, contender in contenders.items():
            start = perf_counter()
            for _ in range(calls):
                contender()
            best[name] = min(best[name], (perf_counter() - start) / calls)
    return best
