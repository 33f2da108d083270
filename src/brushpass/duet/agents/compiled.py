"""The loops of `kernel`, `luce` and `belief` for numba; those say what they compute.

The searches read the 25 rows of a board at once, as tuples whose loops are unrolled: sums stay in registers, and each
row is streamed once. Loops over rows one after another, block by block, take twice as long. Every sum is made in the
order of the reference and without `fastmath`, so that all processors, and both makes, agree to the last bit.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ANN001, ANN002, ANN201, ANN202, ANN401, FURB136 - numba types these; it compiles selects into one instruction, but not max and min

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numba import njit
from numba.extending import register_jitable

from brushpass.duet.agents import belief, luce
from brushpass.duet.agents.kernel import REFERENCE, TOPS, Best, Engine


def _kept(error_model: Literal["python", "numpy"] = "python") -> Any:
    """The compiler; what it has made is kept for the next process, wherever a folder for that can be written."""

    def compiled(loop):
        try:
            return njit(nogil=True, cache=True, error_model=error_model)(loop)
        except RuntimeError:  # numba finds none
            return njit(nogil=True, error_model=error_model)(loop)

    return compiled


_search = _kept("numpy")
loop = _kept()
_inline = njit(inline="always")

MOST_TANS = 13
BLOCK = 256
"""Words looked at together for one that is better than the best."""

for helper in belief.HELPERS:
    register_jitable(helper)
_nearest, _turn_of_four = loop(luce.nearest), loop(luce.turn_of_four)
_bar = loop(luce.bar)
plan_turn = loop(belief.plan_turn)


@_search
def _slots(rows, absent, greens, tans, blacks):
    """`rows` in the order of 9 greens, 13 tans and 3 blacks, `absent` where there is none, (25,)."""
    slots = np.full(25, absent)
    green, tan, black = 0, 9, 22
    for card in range(rows.shape[0]):
        if greens >> card & 1:
            slots[green] = rows[card]
            green += 1
        elif tans >> card & 1:
            slots[tan] = rows[card]
            tan += 1
        elif blacks >> card & 1:
            slots[black] = rows[card]
            black += 1
    return slots


@_search
def _arranged(table, rows, greens, tans, blacks):
    """The rows of the 9 greens, the 13 tans and the 3 blacks; that of no card where there are fewer."""
    s = _slots(rows, table.shape[0] - 1, greens, tans, blacks)
    # fmt: off
    return (
        (table[s[0]], table[s[1]], table[s[2]], table[s[3]], table[s[4]],
         table[s[5]], table[s[6]], table[s[7]], table[s[8]]),
        (table[s[9]], table[s[10]], table[s[11]], table[s[12]], table[s[13]], table[s[14]], table[s[15]],
         table[s[16]], table[s[17]], table[s[18]], table[s[19]], table[s[20]], table[s[21]]),
        (table[s[22]], table[s[23]], table[s[24]]),
    )
    # fmt: on


@_inline
def _insert(tops, x):
    """The three greatest of `tops`, which are in order, and `x`."""
    first, second, third = tops
    below = second if second < x else x
    third = third if third > below else below
    below = first if first < x else x
    second = second if second > below else below
    return first if first > x else x, second, third


@_search
def _worth(green, tops, tan, black, stakes, gates):
    """The greatest value over the numbers 1 to 4, and its number; `gates` adds -inf to numbers not considered."""
    zero = np.float32(0)
    alive, value, best, number = np.float32(1), zero, np.float32(-np.inf), 1
    for said in range(TOPS + 1):
        share = alive / (green + tan + black)
        value += share * (green * stakes[0, said] - tan * stakes[1, said] - black * stakes[2, said])
        gated = value + gates[said]
        number = said + 1 if gated > best else number
        best = gated if gated > best else best
        alive = share * green
        if said < TOPS:
            rest = green - tops[said]
            green = rest if rest > zero else zero
    return best, number


@_search
def _gates(most):
    open_, shut = np.float32(0), np.float32(-np.inf)
    return open_, open_ if most > 1 else shut, open_ if most > 2 else shut, open_ if most > 3 else shut


@_search
def _column(table, rows, word):
    """One word's entries in some rows."""
    column = np.empty(rows.shape[0], np.float32)
    for card in range(rows.shape[0]):
        column[card] = table[rows[card], word]
    return column


@_search
def _first_greatest(values):
    """The place of the greatest value, the first of equals; -1 if all are -inf."""
    best, place = np.float32(-np.inf), -1
    for start in range(0, values.shape[0], BLOCK):
        block = values[start : start + BLOCK]
        better = 0
        for i in range(block.shape[0]):
            better += block[i] > best
        if better:
            for i in range(block.shape[0]):
                if block[i] > best:
                    best, place = block[i], start + i
    return place


@_search
def expected_clue(weights, rows, greens, tans, blacks, places, ends, visible, others, stakes, most):
    """`kernel.expected_clue` of up to `MOST_TANS` bystanders."""
    green_rows, tan_rows, black_rows = _arranged(weights, rows, greens, tans, blacks)
    zero, none = np.float32(0), np.float32(-np.inf)
    gates = _gates(most)
    values = np.empty(weights.shape[1], np.float32)
    for word in range(values.shape[0]):
        green = tan = black = zero
        tops = zero, zero, zero
        for row in green_rows:
            green += row[word]
            tops = _insert(tops, row[word])
        for row in tan_rows:
            tan += row[word]
        for row in black_rows:
            black += row[word]
        values[word] = _worth(green, tops, tan, black, stakes, gates)[0]
    _bar(values, none, places, ends, visible, others)
    place = _first_greatest(values)
    column = _column(weights, rows, place)
    green = tan = black = zero
    tops = zero, zero, zero
    for card in range(rows.shape[0]):
        if greens >> card & 1:
            green += column[card]
            tops = _insert(tops, column[card])
        tan += column[card] if tans >> card & 1 else zero
        black += column[card] if blacks >> card & 1 else zero
    number = _worth(green, tops, tan, black, stakes, gates)[1]
    hits, risk = _turn_of_four(column, greens, tans, blacks, number)
    return place, number, values[place], _nearest(column, greens), hits, risk


@_search
def margin_clue(scores, rows, greens, tans, blacks, places, ends, visible, others, most):
    """`kernel.margin_clue`."""
    green_rows, tan_rows, black_rows = _arranged(scores, rows, greens, tans, blacks)
    none = np.float32(-np.inf)
    margins = np.empty((3, scores.shape[1]), np.float32)
    first, second, third = margins[0], margins[1], margins[2]
    for word in range(first.shape[0]):
        tops = none, none, none
        for row in green_rows:
            tops = _insert(tops, row[word])
        worst = np.float32(-1)
        for row in tan_rows:
            score = row[word]
            worst = score if score > worst else worst
        for row in black_rows:
            score = row[word]
            worst = score if score > worst else worst
        first[word], second[word], third[word] = tops[0] - worst, tops[1] - worst, tops[2] - worst
    place, number, margin = -1, 1, first
    for number in range(most, 0, -1):
        margin = margins[number - 1]
        _bar(margin, none, places, ends, visible, others)
        place = _first_greatest(margin)
        if margin[place] > 0:
            break
    return place, number, margin[place], _nearest(_column(scores, rows, place), greens)


def _any_expected_clue(weights, rows, greens, tans, blacks, *rest) -> Best:
    if tans.bit_count() > MOST_TANS:  # greens that the mind does not know count as tans
        return REFERENCE.expected_clue(weights, rows, greens, tans, blacks, *rest)
    return Best(*expected_clue(weights, rows, greens, tans, blacks, *rest))


def _any_margin_clue(*board) -> Best:
    return Best(*margin_clue(*board))


ENGINE = Engine(
    _any_expected_clue,
    _any_margin_clue,
    loop(luce.turns_of_three),
    _bar,
    loop(belief.best_guess),
    plan_turn,
)
"""Numba's make of `kernel.Engine`."""
