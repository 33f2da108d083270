"""The loops of `kernel`, `luce` and `belief` for numba; those say what they compute.

The searches read the 25 rows of a board at once, as tuples whose loops are unrolled: sums stay in registers, and each
row is streamed once. Loops over rows one after another, block by block, take twice as long.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ANN001, ANN202, FURB136 - numba types these; it compiles selects into one instruction, but not max and min

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from brushpass.duet.agents import belief, luce
from brushpass.duet.agents.kernel import REFERENCE, TOPS, Engine
from brushpass.duet.agents.luce import BLACK, GREEN, TAN

_search = njit(nogil=True, cache=True, fastmath={"contract", "arcp", "nsz"}, error_model="numpy")
_loop = njit(nogil=True, cache=True)

TANS, BLACKS, SLOTS = 9, 22, 25
"""Where the tan and the black rows of an arranged board begin, and where they end: a side has 9, 13 and 3."""


@_search
def _arrange(rows, roles, absent, slots):
    """Put `rows` into `slots` (25,) by role, `absent` where there is none; False if they do not fit."""
    slots[:] = absent
    green, tan, black = 0, TANS, BLACKS
    for card in range(roles.shape[0]):
        role = roles[card]
        if role == GREEN:
            if green == TANS:
                return False
            slots[green] = rows[card]
            green += 1
        elif role == TAN:
            if tan == BLACKS:
                return False
            slots[tan] = rows[card]
            tan += 1
        elif role == BLACK:
            if black == SLOTS:
                return False
            slots[black] = rows[card]
            black += 1
    return True


@_search
def _rows(table, s):
    """The arranged rows: 9 greens, 13 tans and 3 blacks."""
    # fmt: off
    return (
        (table[s[0]], table[s[1]], table[s[2]], table[s[3]], table[s[4]],
         table[s[5]], table[s[6]], table[s[7]], table[s[8]]),
        (table[s[9]], table[s[10]], table[s[11]], table[s[12]], table[s[13]], table[s[14]], table[s[15]],
         table[s[16]], table[s[17]], table[s[18]], table[s[19]], table[s[20]], table[s[21]]),
        (table[s[22]], table[s[23]], table[s[24]]),
    )
    # fmt: on


@_search
def _worth(green, tops, bad, cost, gates):
    """The greatest value over the numbers 1 to 4, and its number; `gates` adds -inf to numbers not considered."""
    zero = np.float32(0)
    alive, value, best, number = np.float32(1), zero, np.float32(-np.inf), 1
    for said in range(TOPS + 1):
        share = alive / (green + bad)
        value += share * (green - cost)
        gated = value + gates[said]
        number = said + 1 if gated > best else number
        best = gated if gated > best else best
        alive = share * green
        if said < TOPS:
            rest = green - tops[said]
            green = rest if rest > zero else zero
    return best, number


@njit(inline="always")
def _insert(tops, x):
    """The three greatest of `tops`, in order, and `x`."""
    first, second, third = tops
    below = second if second < x else x
    third = third if third > below else below
    below = first if first < x else x
    second = second if second > below else below
    return first if first > x else x, second, third


@_search
def _gates(most):
    open_, shut = np.float32(0), np.float32(-np.inf)
    return open_, open_ if most > 1 else shut, open_ if most > 2 else shut, open_ if most > 3 else shut


@_search
def _fill_values(weights, rows, roles, tan_cost, black_cost, most, values):
    slots = np.empty(SLOTS, np.int64)
    if not _arrange(rows, roles, weights.shape[0] - 1, slots):
        return False
    greens, tans, blacks = _rows(weights, slots)
    gates = _gates(most)
    zero = np.float32(0)
    for word in range(values.shape[0]):
        green = tan = black = zero
        tops = zero, zero, zero
        for row in greens:
            green += row[word]
            tops = _insert(tops, row[word])
        for row in tans:
            tan += row[word]
        for row in blacks:
            black += row[word]
        values[word] = _worth(green, tops, tan + black, tan * tan_cost + black * black_cost, gates)[0]
    return True


def _expected_values(*arguments: object) -> None:
    if not _fill_values(*arguments):  # more than 13 tans: greens unknown to the mind count as such
        REFERENCE.expected_values(*arguments)


@_search
def _best_number(weights, roles, tan_cost, black_cost, most):
    zero = np.float32(0)
    green = tan = black = zero
    tops = zero, zero, zero
    for card in range(roles.shape[0]):
        weight = weights[card]
        if roles[card] == GREEN:
            green += weight
            tops = _insert(tops, weight)
        elif roles[card] == TAN:
            tan += weight
        elif roles[card] == BLACK:
            black += weight
    return _worth(green, tops, tan + black, tan * tan_cost + black * black_cost, _gates(most))[1]


@_search
def _margins(scores, rows, roles, out):
    slots = np.empty(SLOTS, np.int64)
    _arrange(rows, roles, scores.shape[0] - 1, slots)
    greens, tans, blacks = _rows(scores, slots)
    none = np.float32(-np.inf)
    out_1, out_2, out_3 = out[0], out[1], out[2]
    for word in range(out_1.shape[0]):
        tops = none, none, none
        for row in greens:
            tops = _insert(tops, row[word])
        worst = np.float32(-1)
        for row in tans:
            score = row[word]
            worst = score if score > worst else worst
        for row in blacks:
            score = row[word]
            worst = score if score > worst else worst
        out_1[word], out_2[word], out_3[word] = tops[0] - worst, tops[1] - worst, tops[2] - worst


for helper in (luce.include, luce.hear, *belief.HELPERS):
    register_jitable(helper)
ENGINE = Engine(
    _expected_values,
    _best_number,
    _margins,
    _loop(luce.turn_of_four),
    _loop(luce.turns_of_three),
    _loop(belief.fill_belief),
    _loop(luce.best_card),
)
"""Numba's make of `kernel.Engine`."""
