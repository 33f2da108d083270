"""The hot loop: every word of the clue vocabulary weighed against one board.

Two searches, each compiled by numba (without the GIL, cached on disk) and each with a numpy reference beside
it, which tests compare and one-off commands use. Words run along the rows of memory, so that one pass over
the 25 card rows, block by block, streams the table once.

`roles` is int8[25]: what each card is to the giver, `OUT` for cards the partner can no longer touch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

OUT: Final = 0
GREEN: Final = 1
TAN: Final = 2
BLACK: Final = 3
BLOCK: Final = 512
"""Words a pass works on at once: the running sums stay in the nearest cache."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int8]
Roles = Ints
Flags = npt.NDArray[np.bool_]


class Best(NamedTuple):
    """A found clue: its place in the vocabulary, its number and its value; place -1 if every word is barred."""

    place: int
    number: int
    value: float


def best_expected(
    weights: Floats,
    roles: Roles,
    barred: Flags,
    tan_cost: float,
    black_cost: float,
    most: int,
    *,
    compiled: bool = True,
) -> Best:
    """The clue of greatest expected value, its word and number together.

    The partner is taken to choose by Luce's rule, P(card) ∝ weight, again and again without replacement until
    a miss or until `number` cards are touched. A found green is worth 1, a bystander costs `tan_cost`, the
    assassin `black_cost`. After a hit the expected weight of the found green is taken off (a mean-field step;
    `expected_turn` below is exact).

    Args:
        weights: exp(score / T), float32 (25, V), V a multiple of 16.
        roles: int8 (25,).
        barred: words not to be said, bool (V,).
        tan_cost: in greens.
        black_cost: in greens.
        most: the highest number considered.
        compiled: numba or the numpy reference.
    """
    search = _compiled()[0] if compiled else _expected_values
    values = np.empty(weights.shape[1], np.float32)
    numbers = np.empty(weights.shape[1], np.int8)
    search(weights, roles, np.float32(tan_cost), np.float32(black_cost), most, values, numbers)
    return _choose(values, numbers, barred)


def best_margin(scores: Floats, roles: Roles, barred: Flags, most: int, *, compiled: bool = True) -> Best:
    """The peers' clue: the highest number up to `most` (at most 3) for which some word is nearer to that many greens
    than to any bad card, and of those words the one with the greatest margin; number 1 if there is none.

    The margin of (word, k) is the k-th greatest score among the greens less the greatest among tan and black.
    """  # noqa: D205 - the summary needs its two lines
    search = _compiled()[1] if compiled else _margins
    margins = np.empty((3, scores.shape[1]), np.float32)
    search(scores, roles, margins)
    margins[:, barred] = -np.inf
    for number in range(min(most, 3), 0, -1):
        place = int(margins[number - 1].argmax())
        value = float(margins[number - 1, place])
        if value > 0 or number == 1:
            return Best(place if np.isfinite(value) else -1, number, value)
    raise ValueError(f"most {most} is not at least 1")


def _choose(values: Floats, numbers: Ints, barred: Flags) -> Best:
    values[barred] = -np.inf
    place = int(values.argmax())
    value = float(values[place])
    return Best(place if np.isfinite(value) else -1, int(numbers[place]), value)


# ------------------------------------------------------------------ numpy reference


def _expected_values(
    weights: Floats,
    roles: Roles,
    tan_cost: np.float32,
    black_cost: np.float32,
    most: int,
    values: Floats,
    numbers: Ints,
) -> None:
    greens = weights[roles == GREEN]
    green, square, cube = (greens.sum(0), (greens**2).sum(0), (greens**3).sum(0))
    tan, black = weights[roles == TAN].sum(0), weights[roles == BLACK].sum(0)
    bad = tan + black
    cost = tan * tan_cost + black * black_cost
    alive, value = np.ones_like(green), np.zeros_like(green)
    values[:] = -np.inf
    numbers[:] = 1
    with np.errstate(all="ignore"):
        for number in range(1, most + 1):
            share = alive / (green + bad)
            value = value + share * (green - cost)
            better = value > values
            values[better] = value[better]
            numbers[better] = number
            alive = share * green
            taken = square / green
            square = np.maximum(square - cube / green, 0)
            green = np.maximum(green - taken, 0)


def _margins(scores: Floats, roles: Roles, margins: Floats) -> None:
    greens = np.sort(scores[roles == GREEN], axis=0)[::-1]
    bad = scores[(roles == TAN) | (roles == BLACK)]
    worst = bad.max(0) if len(bad) else np.full(scores.shape[1], -1, np.float32)
    for place in range(3):
        margins[place] = greens[place] - worst if place < len(greens) else -np.inf


# ------------------------------------------------------------------ numba


@cache
def _compiled() -> tuple[Callable[..., None], Callable[..., None]]:
    """The compiled searches; imported late, since numba costs more to start than one clue."""
    from brushpass.duet.agents import compiled

    return compiled.expected_values, compiled.margins
