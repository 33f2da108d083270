"""The loops of `kernel` and `luce` for numba; those two say what they compute."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from brushpass.duet.agents import luce
from brushpass.duet.agents.kernel import BLOCK, TOPS
from brushpass.duet.agents.luce import GREEN, OUT, TAN

_search = njit(nogil=True, cache=True, fastmath={"contract", "arcp", "nsz"}, error_model="numpy")


@_search
def expected_values(weights, roles, tan_cost, black_cost, most, values, numbers):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201, C901 - numba types it; one pass
    """Fill `values` and `numbers`, block by block."""
    zero, one = np.float32(0), np.float32(1)
    green, tops = np.empty(BLOCK, np.float32), np.empty((TOPS, BLOCK), np.float32)
    bad, cost = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32)
    alive, value, best = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32)
    said = np.empty(BLOCK, np.int8)
    for start in range(0, weights.shape[1], BLOCK):
        size = min(BLOCK, weights.shape[1] - start)
        green[:] = zero
        tops[:] = zero
        bad[:] = zero
        cost[:] = zero
        for card in range(roles.shape[0]):
            role = roles[card]
            if role == OUT:
                continue
            row = weights[card, start : start + size]
            if role == GREEN:
                for i in range(row.shape[0]):
                    w = row[i]
                    green[i] += w
                    tops[2, i] = max(tops[2, i], min(tops[1, i], w))
                    tops[1, i] = max(tops[1, i], min(tops[0, i], w))
                    tops[0, i] = max(tops[0, i], w)
            else:
                price = tan_cost if role == TAN else black_cost
                for i in range(row.shape[0]):
                    w = row[i]
                    bad[i] += w
                    cost[i] += w * price
        alive[:] = one
        value[:] = zero
        best[:] = np.float32(-np.inf)
        said[:] = 1
        for number in range(1, most + 1):
            tag = np.int8(number)
            for i in range(alive.shape[0]):
                share = alive[i] / (green[i] + bad[i])
                value[i] += share * (green[i] - cost[i])
                better = value[i] > best[i]
                best[i] = value[i] if better else best[i]
                said[i] = tag if better else said[i]
                alive[i] = share * green[i]
            if number <= TOPS:
                for i in range(alive.shape[0]):
                    green[i] = max(green[i] - tops[number - 1, i], zero)
        values[start : start + size] = best[:size]
        numbers[start : start + size] = said[:size]


@_search
def margins(scores, roles, out):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - numba types it
    """Fill `out`, block by block."""
    low = np.float32(-1)
    none = np.float32(-np.inf)
    first, second, third = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32)
    worst = np.empty(BLOCK, np.float32)
    for start in range(0, scores.shape[1], BLOCK):
        size = min(BLOCK, scores.shape[1] - start)
        first[:] = none
        second[:] = none
        third[:] = none
        worst[:] = low
        for card in range(roles.shape[0]):
            role = roles[card]
            if role == OUT:
                continue
            row = scores[card, start : start + size]
            if role == GREEN:
                for i in range(row.shape[0]):
                    x = row[i]
                    third[i] = max(third[i], min(second[i], x))
                    second[i] = max(second[i], min(first[i], x))
                    first[i] = max(first[i], x)
            else:
                for i in range(row.shape[0]):
                    worst[i] = max(worst[i], row[i])
        for i in range(size):
            out[0, start + i] = first[i] - worst[i]
            out[1, start + i] = second[i] - worst[i]
            out[2, start + i] = third[i] - worst[i]


register_jitable(luce.include)  # called by luce.hear
_loop = njit(nogil=True, cache=True)
LUCE = (_loop(luce.turn_of_four), _loop(luce.turns_of_three), _loop(luce.hear))
"""The loops of `luce`, in the order of `kernel.Engine`."""
