"""Luce's choice, again and again without replacement, over one board (Luce 1959, Plackett 1975).

Plain loops over plain arrays: Python runs them as they stand, and numba compiles these same texts for batches.
Weights are exp(score / T); a card's probability to be touched next is its weight over the weights in play.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.core.cards import Mask

TINY: Final = 1e-300
"""What rounding must leave of the weights still in play."""
Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Longs = npt.NDArray[np.int64]


def turn_of_four(  # noqa: C901 - three choices nested: one thought
    weights: npt.NDArray[np.float32], greens: Mask, tans: Mask, blacks: Mask, number: int
) -> tuple[float, float]:
    """What a partner does with one clue who touches up to `number` (at most 4) cards: exact.

    Args:
        weights: (cards,).
        greens: the cards that are green to the giver; those in no set the partner cannot touch.
        tans: likewise.
        blacks: likewise.
        number: cards touched at most.

    Returns:
        Expected greens found before the first miss, and P(an assassin is touched). The turn ends with the last
        green (DUET R4).
    """
    total = black = sum_green = 0.0
    count = 0
    green = np.zeros(weights.shape[0])
    for card in range(weights.shape[0]):
        weight = float(weights[card])
        if greens >> card & 1:
            green[count] = weight
            sum_green += weight
            count += 1
        if blacks >> card & 1:
            black += weight
        if (greens | tans | blacks) >> card & 1:
            total += weight
    if number < 1 or not count:
        return 0.0, 0.0
    hits, assassin = sum_green / total, black / total
    for a in range(count if number >= 2 and count >= 2 else 0):
        rest = total - green[a]
        p = green[a] / total / rest
        left = sum_green - green[a]
        hits += p * left
        assassin += p * black
        for b in range(count if number >= 3 and count >= 3 else 0):
            if b == a:
                continue
            rest_b = rest - green[b]
            p_b = p * green[b] / rest_b
            left_b = left - green[b]
            hits += p_b * left_b
            assassin += p_b * black
            for c in range(count if number >= 4 and count >= 4 else 0):
                if c not in (a, b):
                    p_c = p_b * green[c] / (rest_b - green[c])
                    hits += p_c * (left_b - green[c])
                    assassin += p_c * black
    return hits, assassin


def turns_of_three(weights: Floats, greens: int, blacks: int, hits: Floats, risk: Floats) -> None:
    """`turn_of_four` of many words for the numbers 1 to 3, the rows of `hits` and `risk` (3, words).

    Args:
        weights: (cards, words); the first `greens` rows are green, the next `blacks` black, the rest tan.
        greens: at least 1.
        blacks: any.
        hits: filled.
        risk: filled.
    """
    for word in range(weights.shape[1]):
        total = black = green = 0.0
        for card in range(weights.shape[0]):
            total += weights[card, word]
        for card in range(greens):
            green += weights[card, word]
        for card in range(greens, greens + blacks):
            black += weights[card, word]
        hits_2 = risk_2 = hits_3 = risk_3 = 0.0
        for a in range(greens if greens >= 2 else 0):
            w_a = weights[a, word]
            rest = max(total - w_a, TINY)
            p = w_a / total / rest
            left = green - w_a
            hits_2 += p * left
            risk_2 += p * black
            for b in range(greens if greens >= 3 else 0):
                if b != a:
                    w_b = weights[b, word]
                    p_b = p * w_b / max(rest - w_b, TINY)
                    hits_3 += p_b * (left - w_b)
                    risk_3 += p_b * black
        hits[0, word] = green / total
        hits[1, word] = hits[0, word] + hits_2
        hits[2, word] = hits[1, word] + hits_3
        risk[0, word] = black / total
        risk[1, word] = risk[0, word] + risk_2
        risk[2, word] = risk[1, word] + risk_3


def include(rates: Floats, count: float, included: Floats) -> None:
    """P(a card is among the first `count` chosen), into `included`.

    The choices are exponential clocks with these rates; stopped when `count` have rung on average, each has rung
    with probability 1 - exp(-rate·t). Newton's method finds t.

    Args:
        rates: non-negative, (cards,).
        count: from `number of positive rates` on all those are certain.
        included: filled, (cards,).
    """
    total = 0.0
    positive = 0
    for card in range(rates.shape[0]):
        total += rates[card]
        positive += rates[card] > 0
    if count <= 0 or count >= positive:
        for card in range(rates.shape[0]):
            included[card] = 1.0 if count > 0 and rates[card] > 0 else 0.0
        return
    time = count / total
    for _ in range(50):
        excess, slope = -count, 0.0
        for card in range(rates.shape[0]):
            quiet = math.exp(-rates[card] * time)
            included[card] = 1 - quiet
            excess += 1 - quiet
            slope += rates[card] * quiet
        if excess > -1e-6 or slope <= 0:
            return
        time -= excess / slope


def hear(belief: Floats, weights: Floats, clues: Longs, count: int, found: Mask, missed: Mask) -> None:
    """Turn a belief into the one after the partner's clues.

    Each clue means as many greens as its number says (a 0: one, far from it). Those not found in its turn are taken
    to be chosen from what is left by Luce's rule, from the belief so far.

    Args:
        belief: P(green), P(tan), P(black) of every card on the partner's side, (3, cards); changed in place.
        weights: of each clue and card, (clues or more, cards).
        clues: number, the cards it could mean when it was said, the own finds before it; (clues or more, 3).
        count: how many clues there are.
        found: own finds.
        missed: own misses.
    """
    cards = belief.shape[1]
    rates, meant = np.zeros(cards), np.zeros(cards)
    for clue in range(count):
        number, could_mean, before = clues[clue]
        hits = (found if clue + 1 == count else clues[clue + 1, 2]) & ~before
        missing = max(number, 1) - size(hits)
        candidates = could_mean & ~(hits | missed)
        if missing <= 0 or not candidates:
            continue
        for card in range(cards):
            rates[card] = 0.0
            if candidates >> card & 1:
                weight = weights[clue, card]
                rates[card] = belief[0, card] * (weight if number else 1 / weight)
        include(rates, float(missing), meant)
        for card in range(cards):
            for color in range(3):
                belief[color, card] *= 1 - meant[card]
            belief[0, card] += meant[card]


def size(cards: Mask) -> int:
    """How many cards a set has."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


def nearest(weights: npt.NDArray[np.float32], cards: Mask) -> tuple[int, int, int, int]:
    """The four of `cards` with the greatest weights, greatest first, the lowest of equals; -1 for want of more."""
    first = second = third = fourth = -1
    for card in range(weights.shape[0]):
        if not cards >> card & 1:
            continue
        weight = weights[card]
        if first < 0 or weight > weights[first]:
            first, second, third, fourth = card, first, second, third
        elif second < 0 or weight > weights[second]:
            second, third, fourth = card, second, third
        elif third < 0 or weight > weights[third]:
            third, fourth = card, third
        elif fourth < 0 or weight > weights[fourth]:
            fourth = card
    return first, second, third, fourth


def bar(values: npt.NDArray[Any], barred: Any, places: Places, ends: Places, visible: Mask, others: Places) -> None:  # noqa: ANN401 - as `values` are
    """Put `barred` into `values` at the places that the `visible` cards bar, and at `others`: see `lookup.Barred`."""
    start = 0
    for card in range(ends.shape[0]):
        if visible >> card & 1:
            for place in places[start : ends[card]]:
                values[place] = barred
        start = ends[card]
    for place in others:
        values[place] = barred
