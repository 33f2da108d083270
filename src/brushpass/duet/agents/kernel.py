"""The hot loop: every word of the clue vocabulary weighed against one board.

Words run along the rows of memory, so that one pass over the 25 card rows, block by block, streams the table once.
The numpy searches here are the reference and serve one-off commands; `compile_kernels` puts numba's in their
place for a whole process, as batches do: its start-up costs more than one clue.

`roles` is int8 (cards,), in the sense of `luce`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents import luce
from brushpass.duet.agents.luce import BLACK, GREEN, TAN

BLOCK: Final = 512
"""Words a compiled pass works on at once: its running sums stay in the nearest cache."""

TOPS: Final = 3
"""How many of a word's nearest greens it follows one by one."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]


class Best(NamedTuple):
    """A found clue: its place in the vocabulary, its number and its value; place -1 if every word is barred."""

    place: int
    number: int
    value: float


def best_expected(
    weights: Floats, roles: Ints, barred: Flags, *, tan_cost: float, black_cost: float, most: int
) -> Best:
    """The clue of greatest expected value, its word and number together: `expected_values` says of what.

    Args:
        weights: exp(score / T), (cards, V).
        roles: (cards,), at least one green.
        barred: words not to be said, (V,).
        tan_cost: in greens.
        black_cost: in greens.
        most: the highest number considered.
    """
    values = np.empty(weights.shape[1], np.float32)
    numbers = np.empty(weights.shape[1], np.int8)
    engine().expected_values(weights, roles, np.float32(tan_cost), np.float32(black_cost), most, values, numbers)
    values[barred] = -np.inf
    place = int(values.argmax())
    return Best(place if values[place] > -np.inf else -1, int(numbers[place]), float(values[place]))


def best_margin(scores: Floats, roles: Ints, barred: Flags, *, most: int) -> Best:
    """The peers' clue: the highest number for which some word sets that many greens above every bad card.

    Of those words it is the one with the greatest margin; the number is 1 if there is none.

    Args:
        scores: (cards, V).
        roles: (cards,), at least one green.
        barred: words not to be said, (V,).
        most: the highest number considered, 1 to 3.
    """
    margins = np.empty((3, scores.shape[1]), np.float32)
    engine().margins(scores, roles, margins)
    margins[:, barred] = -np.inf
    for number in range(most, 1, -1):
        place = int(margins[number - 1].argmax())
        if margins[number - 1, place] > 0:
            return Best(place, number, float(margins[number - 1, place]))
    place = int(margins[0].argmax())
    return Best(place if margins[0, place] > -np.inf else -1, 1, float(margins[0, place]))


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
        weights: as in `best_expected`.
        roles: as there.
        tan_cost: as there.
        black_cost: as there.
        most: at most `TOPS` + 1.
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


def margins(scores: Floats, roles: Ints, out: Floats) -> None:
    """The first, second and third greatest score among the greens less the greatest bad one, into `out` (3, V)."""
    greens = np.sort(scores[roles == GREEN], axis=0)[::-1]
    bad = scores[(roles == TAN) | (roles == BLACK)]
    worst = bad.max(0) if len(bad) else np.full(scores.shape[1], -1, np.float32)
    for place in range(3):
        out[place] = greens[place] - worst if place < len(greens) else -np.inf


# ------------------------------------------------------------------ engines


class Engine(NamedTuple):
    """The loops that cost time, in one of two makes."""

    expected_values: Callable[..., None]
    margins: Callable[..., None]
    turn_of_four: Callable[..., tuple[float, float]]
    turns_of_three: Callable[..., None]
    hear: Callable[..., None]


REFERENCE: Final = Engine(expected_values, margins, luce.turn_of_four, luce.turns_of_three, luce.hear)
_engine = REFERENCE


def engine() -> Engine:
    """The engine this process uses."""
    return _engine


def compile_kernels() -> None:
    """Use numba's loops in this process from now on."""
    from brushpass.duet.agents import compiled

    use_engine(Engine(compiled.expected_values, compiled.margins, *compiled.LUCE))


def use_engine(chosen: Engine) -> None:
    """Use `chosen` in this process from now on."""
    global _engine  # noqa: PLW0603 - an engine is a matter of the process
    _engine = chosen
