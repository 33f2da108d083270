"""The hot loop: every word of the clue vocabulary weighed against one board.

A table has a row a card, its words side by side in memory, and as its last row that of no card: score -inf, weight 0.
A search streams the rows of one board once. The numpy searches here are the reference and serve one-off commands;
`compile_kernels` puts numba's in their place for a whole process, as batches do: its start-up costs more than one clue.

`rows` are the board's places in the table, (cards,); `roles` is int8 (cards,), in the sense of `luce`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents import belief, luce
from brushpass.duet.agents.luce import BLACK, GREEN, TAN

TOPS: Final = 3
"""How many of a word's nearest greens it follows one by one."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int8]
Places = npt.NDArray[np.intp]


class Best(NamedTuple):
    """A found clue: its place in the vocabulary, its number and its value; place -1 if every word is barred."""

    place: int
    number: int
    value: float


NONE: Final = Best(-1, 1, -np.inf)


def best_expected(
    weights: Floats, rows: Places, roles: Ints, barred: Places, *, tan_cost: float, black_cost: float, most: int
) -> Best:
    """The clue of greatest expected value, its word and number together: `expected_values` says of what.

    Args:
        weights: the table of exp(score / T), (words + 1, V).
        rows: (cards,).
        roles: (cards,), at least one green.
        barred: places of words not to be said.
        tan_cost: in greens.
        black_cost: in greens.
        most: the highest number considered, 1 to `TOPS` + 1.
    """
    values = np.empty(weights.shape[1], np.float32)
    costs = np.float32(tan_cost), np.float32(black_cost)
    _engine.expected_values(weights, rows, roles, *costs, most, values)
    values[barred] = -np.inf
    place = int(values.argmax())
    if values[place] == -np.inf:
        return NONE
    number = _engine.best_number(weights[rows, place], roles, *costs, most)
    return Best(place, number, float(values[place]))


def best_margin(scores: Floats, rows: Places, roles: Ints, barred: Places, *, most: int) -> Best:
    """The peers' clue: the highest number for which some word sets that many greens above every bad card.

    Of those words it is the one with the greatest margin; the number is 1 if there is none.

    Args:
        scores: the table, (words + 1, V).
        rows: (cards,).
        roles: (cards,), at least one green.
        barred: places of words not to be said.
        most: the highest number considered, 1 to 3.
    """
    margins = np.empty((3, scores.shape[1]), np.float32)
    _engine.margins(scores, rows, roles, margins)
    for number in range(most, 0, -1):
        margin = margins[number - 1]
        margin[barred] = -np.inf
        place = int(margin.argmax())
        if margin[place] > (0 if number > 1 else -np.inf):
            return Best(place, number, float(margin[place]))
    return NONE


# ------------------------------------------------------------------ reference


def expected_values(
    weights: Floats, roles: Ints, tan_cost: np.float32, black_cost: np.float32, most: int, values: Floats, numbers: Ints
) -> None:
    """The best number of every word and its value, into `values` and `numbers` (V,).

    The partner is taken to choose by Luce's rule, again and again without replacement, until a miss or until
    `number` cards are touched. A found green is worth 1, a bystander costs `tan_cost`, an assassin `black_cost`.
    The greens are taken to be found nearest first, which is exact where they are equally near and close to it
    elsewhere; `luce.turn_of_four` is exact.

    Args:
        weights: exp(score / T), (cards, V).
        roles: (cards,), at least one green.
        tan_cost: in greens.
        black_cost: in greens.
        most: the highest number considered, at most `TOPS` + 1.
        values: filled.
        numbers: filled.
    """
    greens = -np.sort(-weights[roles == GREEN], axis=0)
    green = greens.sum(0)
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
            green = np.maximum(green - greens[min(number, len(greens)) - 1], 0)


def _expected_values(
    weights: Floats,
    rows: Places,
    roles: Ints,
    tan_cost: np.float32,
    black_cost: np.float32,
    most: int,
    values: Floats,
) -> None:
    expected_values(weights[rows], roles, tan_cost, black_cost, most, values, np.empty(len(values), np.int8))


def _best_number(weights: Floats, roles: Ints, tan_cost: np.float32, black_cost: np.float32, most: int) -> int:
    number = np.empty(1, np.int8)
    expected_values(weights[:, None], roles, tan_cost, black_cost, most, np.empty(1, np.float32), number)
    return int(number[0])


def _margins(scores: Floats, rows: Places, roles: Ints, out: Floats) -> None:
    """The first, second and third greatest score among the greens less the greatest bad one, into `out` (3, V)."""
    greens = np.sort(scores[rows[roles == GREEN]], axis=0)[::-1]
    bad = scores[rows[(roles == TAN) | (roles == BLACK)]]
    worst = bad.max(0) if len(bad) else np.full(scores.shape[1], -1, np.float32)
    for place in range(3):
        out[place] = greens[place] - worst if place < len(greens) else -np.inf


# ------------------------------------------------------------------ engines


class Engine(NamedTuple):
    """The loops that cost time, in one of two makes."""

    expected_values: Callable[..., None]
    """Of a table, rows, roles, the two costs and `most`: the value of every word."""
    best_number: Callable[..., int]
    """Of one word's weights (cards,), roles, the two costs and `most`."""
    margins: Callable[..., None]
    turn_of_four: Callable[..., tuple[float, float]]
    turns_of_three: Callable[..., None]
    fill_belief: Callable[..., None]
    best_card: Callable[..., tuple[int, float]]


REFERENCE: Final = Engine(
    _expected_values,
    _best_number,
    _margins,
    luce.turn_of_four,
    luce.turns_of_three,
    belief.fill_belief,
    luce.best_card,
)
_engine = REFERENCE


def engine() -> Engine:
    """The engine this process uses."""
    return _engine


def compile_kernels() -> None:
    """Use numba's loops in this process from now on."""
    from brushpass.duet.agents import compiled

    use_engine(compiled.ENGINE)


def use_engine(chosen: Engine) -> None:
    """Use `chosen` in this process from now on."""
    global _engine  # noqa: PLW0603 - an engine is a matter of the process
    _engine = chosen
