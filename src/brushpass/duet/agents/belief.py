"""What a seat believes of its partner's side of the key: the exact prior, and what the clues add (DUET §9)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
import numpy.typing as npt

from brushpass.duet.core.cards import CARD_COUNT, COLOR_COUNTS, PAIR_COUNTS, Color, Mask, cards_of
from brushpass.duet.observation import Observation

GREEN, TAN, BLACK = range(3)
Floats = npt.NDArray[np.float64]


def partner_prior(view: Observation) -> Floats:
    """P(color) of every card on the partner's side, float64 (3, 25), rows green, tan, black: exact, clues apart.

    It conditions on the own side, on every own guess, and on the partner's side being finished or not (DUET §9).
    Cards found by the partner's own guesses stay open: they may be anything here.
    """
    prior = np.zeros((3, CARD_COUNT))
    green, tan = view.found.of(view.seat), view.marks.of(view.seat)
    hidden = COLOR_COUNTS[Color.GREEN] - green.bit_count()
    for own in Color:
        group = view.key.mask(own)
        greens = PAIR_COUNTS[own, Color.GREEN] - (group & green).bit_count()
        tans = PAIR_COUNTS[own, Color.TAN] - (group & tan).bit_count()
        blacks = PAIR_COUNTS[own, Color.BLACK]
        unseen = group & ~(green | tan)
        found, live = unseen & view.covered, unseen & ~view.covered
        on_found: float = greens
        if view.seat.other not in view.finished:
            on_found = _on_found(unseen.bit_count(), found.bit_count(), greens, alone=greens == hidden)
        _fill(prior, found, on_found, found.bit_count() - on_found, tans, blacks)
        _fill(prior, live, greens - on_found, live.bit_count() - (greens - on_found), tans, blacks)
    prior[GREEN, list(cards_of(green))] = 1
    prior[TAN, list(cards_of(tan))] = 1
    return prior


def _on_found(cards: int, found: int, greens: int, *, alone: bool) -> float:
    """How many of `greens` hidden among `cards` lie on the `found` ones, on average.

    An unfinished side has a green on some open card. That tells something only if these greens are its last
    (`alone`): it rules out the ways that put all of them on found cards.
    """
    if not greens:
        return 0
    ways, ruled_out = comb(cards, greens), comb(found, greens) if alone else 0
    return greens * (ways * found / cards - ruled_out) / (ways - ruled_out)


def _fill(prior: Floats, cards: Mask, greens: float, others: float, tans: int, blacks: int) -> None:
    """Spread `greens` and `others` over `cards`, the others being tan or black as `tans` to `blacks`."""
    count = greens + others
    if not cards or not count:
        return
    listed = list(cards_of(cards))
    prior[GREEN, listed] = greens / count
    prior[TAN, listed] = others / count * tans / (tans + blacks)
    prior[BLACK, listed] = others / count * blacks / (tans + blacks)


def inclusion(weights: Floats, count: float) -> Floats:
    """P(card is among the first `count` of Luce's successive choices), for each card of `weights`.

    The choices are exponential clocks with rates `weights` (Plackett 1975); stopped when `count` have rung on
    average, each has rung with probability 1 - exp(-rate·t). Newton's method finds t.

    Args:
        weights: non-negative, float64 (n,).
        count: at least 0; at or above the number of positive weights all are certain.
    """
    positive = weights > 0
    if count <= 0:
        return np.zeros_like(weights)
    if count >= positive.sum():
        return positive.astype(np.float64)
    rates = weights / weights.sum()
    time = count
    for _ in range(30):
        left = np.exp(-rates * time)
        excess = (1 - left).sum() - count
        if excess > -1e-6:
            break
        time -= excess / (rates * left).sum()
    return np.asarray(1 - np.exp(-rates * time), np.float64)


def with_clue(belief: Floats, felt: Floats, number: int, hits: Sequence[int], candidates: Sequence[int]) -> Floats:
    """`belief` after one clue of the partner.

    The partner meant `number` of its greens, nearest in `felt` (score / T); `hits` were found on it in its
    turn, `candidates` are the other cards it could mean that are not known to be bad. Number 0 warns: greens
    are taken to lie far from the word.

    Args:
        belief: P(color), (3, 25).
        felt: (25,).
        number: 0 to 9.
        hits: cards found in the clue's own turn.
        candidates: cards.
    """
    cards = list(candidates)
    missing = max(number, 1) - len(hits)
    if missing <= 0 or not cards:
        return belief
    sign = 1.0 if number else -1.0
    scores = sign * felt[cards]
    meant = inclusion(belief[GREEN, cards] * np.exp(scores - scores.max()), missing)
    after = belief.copy()
    after[:, cards] *= 1 - meant
    after[GREEN, cards] += meant
    return after
