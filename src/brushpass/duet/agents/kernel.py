"""The hot loops: every word of the clue vocabulary weighed against one board, and every card against what was heard.

A table has a row a card, its words side by side in memory, and as its last row that of no card: score -inf, weight 0.
A search streams the rows of one board once. The numpy searches here are the reference and serve one-off commands;
`compile_kernels` puts numba's in their place for a whole process, as batches do: its start-up costs more than one clue.

`rows` are the places of the board's cards in the table, (cards,). Greens, tans and blacks are what the cards are to
the giver, as sets; a card in none of them is out of play. `lookup.Barred` says which words are barred.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents import belief, luce
from brushpass.duet.core.cards import Mask, cards_of

TOPS: Final = 3
"""How many of a word's nearest greens `expected_values` follows one by one."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int8]
Places = luce.Places


class Best(NamedTuple):
    """A found clue: its place in the vocabulary, -1 if every word is barred, its number and its value.

    `near` are the four greens nearest to it, -1 where there are fewer.
    """

    place: int
    number: int
    value: float
    near: tuple[int, ...]
    hits: float = 0.0
    """Greens found on average, where that is reckoned: `luce.turn_of_four`."""
    risk: float = 0.0
    """P(an assassin is touched), likewise."""


def expected_clue(
    weights: Floats,
    rows: Places,
    greens: Mask,
    tans: Mask,
    blacks: Mask,
    places: Places,
    ends: Places,
    visible: Mask,
    others: Places,
    stakes: Floats,
    most: int,
) -> Best:
    """The clue of greatest expected value, its word and number together: `expected_values` says of what.

    Args:
        weights: the table of exp(score / T), (words + 1, V).
        rows: (cards,).
        greens: at least one.
        tans: any.
        blacks: any.
        places: barred by the cards, one card after another.
        ends: where those of each card end.
        visible: the cards that bar words.
        others: barred anyway.
        stakes: what the touches of a turn are worth, (3, touches): see `value.Stakes`.
        most: the highest number considered, at most `TOPS` + 1.
    """
    board = weights[rows]
    values, numbers = expected_values(board, greens, tans, blacks, stakes, most)
    luce.bar(values, -np.inf, places, ends, visible, others)
    place = int(values.argmax())
    if values[place] == -np.inf:
        place = -1
    number, column = int(numbers[place]), board[:, place]
    turn = luce.turn_of_four(column, greens, tans, blacks, number)
    return Best(place, number, float(values[place]), luce.nearest(column, greens), *turn)


def margin_clue(
    scores: Floats,
    rows: Places,
    greens: Mask,
    tans: Mask,
    blacks: Mask,
    places: Places,
    ends: Places,
    visible: Mask,
    others: Places,
    most: int,
) -> Best:
    """The peers' clue: the highest number for which some word sets that many greens above every bad card.

    Of those words it is the one with the greatest margin; the number is 1 if there is none.

    Args:
        scores: the table, (words + 1, V).
        rows: (cards,).
        greens: at least one.
        tans: any.
        blacks: any.
        places: barred by the cards, one card after another.
        ends: where those of each card end.
        visible: the cards that bar words.
        others: barred anyway.
        most: the highest number considered, 1 to 3.
    """
    board = scores[rows]
    nearest_first = -np.sort(-board[[*cards_of(greens)]], axis=0)
    bad = board[[*cards_of(tans | blacks)]]
    worst = bad.max(axis=0) if len(bad) else np.full(board.shape[1], -1, np.float32)
    place, number, margin = -1, 1, worst
    for number in range(min(most, len(nearest_first)), 0, -1):
        margin = nearest_first[number - 1] - worst
        luce.bar(margin, -np.inf, places, ends, visible, others)
        place = int(margin.argmax())
        if margin[place] > 0:
            break
    if margin[place] == -np.inf:
        place = -1
    return Best(place, number, float(margin[place]), luce.nearest(board[:, place], greens))


def expected_values(
    weights: Floats, greens: Mask, tans: Mask, blacks: Mask, stakes: Floats, most: int
) -> tuple[Floats, Ints]:
    """The value of every word with its best number, and that number, (V,), for the cards of `weights` (cards, V).

    The partner is taken to choose by Luce's rule, again and again without replacement, until a miss or until
    `number` cards are touched. What each touch is worth after so many hits, `stakes` says, (3, touches).
    The greens are taken to be found nearest first, which is exact where they are equally near and close to it
    elsewhere; `luce.turn_of_four` is exact.
    """
    nearest_first = -np.sort(-weights[[*cards_of(greens)]], axis=0)
    green = weights[[*cards_of(greens)]].sum(axis=0)
    tan, black = weights[[*cards_of(tans)]].sum(axis=0), weights[[*cards_of(blacks)]].sum(axis=0)
    alive, value = np.ones_like(green), np.zeros_like(green)
    values, numbers = np.full_like(green, -np.inf), np.ones(len(green), np.int8)
    with np.errstate(all="ignore"):
        for number in range(1, most + 1):
            share = alive / (green + tan + black)
            gain, miss, death = stakes[:, number - 1]
            value = value + share * (green * gain - tan * miss - black * death)
            better = value > values
            values[better] = value[better]
            numbers[better] = number
            alive = share * green
            green = np.maximum(green - nearest_first[min(number, len(nearest_first)) - 1], 0)
    return values, numbers


class Engine(NamedTuple):
    """The loops that cost time, in one of two makes."""

    expected_clue: Callable[..., Best]
    margin_clue: Callable[..., Best]
    turns_of_three: Callable[..., None]
    bar: Callable[..., None]
    best_guess: Callable[..., tuple[int, float]]
    plan_turn: Callable[..., int]


REFERENCE: Final = Engine(
    expected_clue, margin_clue, luce.turns_of_three, luce.bar, belief.best_guess, belief.plan_turn
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
