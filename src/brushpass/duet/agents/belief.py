"""What a seat believes of its partner's side of the key: the exact prior, and what the clues add (DUET §9).

The loops over plain numbers are Python's as they stand, and compiled by numba for batches, as those of `luce` are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents import luce
from brushpass.duet.core.cards import ALL_CARDS, BITS, CARD_COUNT, COLOR_COUNTS, PAIR_COUNTS, A, Color, Mask, Seat
from brushpass.duet.core.events import CardTouched, ClueGiven, Event
from brushpass.duet.core.mission import MAX_TURNS
from brushpass.duet.observation import Observation

GREEN, TAN, BLACK = range(3)
STOP: Final = -1
"""In a plan, no card."""
Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]

_COUNTS: Final = tuple(tuple(PAIR_COUNTS[own, color] for color in Color) for own in Color)
_GREENS: Final = COLOR_COUNTS[Color.GREEN]


def partner_prior(view: Observation) -> Floats:
    """P(color) of every card on the partner's side, float64 (3, 25), rows green, tan, black: exact, clues apart.

    It conditions on the own side, on every own guess, and on the partner's side being finished or not (DUET §9).
    Cards found by the partner's own guesses stay open: they may be anything here.
    """
    prior = np.empty((3, CARD_COUNT))
    fill_prior(*known(view), prior)
    return prior


def known(view: Observation) -> tuple[Mask, Mask, Mask, Mask, Mask, bool]:
    """What the prior rests on: own greens, own blacks, own finds, own misses, all found cards, partner finished."""
    seat, key, (found_a, found_b), (missed_a, missed_b) = view.seat, view.key, view.found, view.marks
    found, missed = (found_a, missed_a) if seat is A else (found_b, missed_b)
    return key.greens, key.blacks, found, missed, found_a | found_b, seat.other in view.finished


def fill_prior(
    own_greens: Mask, own_blacks: Mask, found: Mask, missed: Mask, covered: Mask, finished: bool, prior: Floats
) -> None:
    """Fill `prior` (3, cards) from what `known` gives."""
    hidden = _GREENS - luce.size(found)
    own_tans = ALL_CARDS & ~(own_greens | own_blacks)
    for own in range(3):
        group = own_greens if own == GREEN else own_tans if own == TAN else own_blacks
        greens, tans, blacks = _COUNTS[own]
        greens -= luce.size(group & found)  # what the own guesses leave of it
        tans -= luce.size(group & missed)
        unseen = group & ~(found | missed)
        sunk = float(greens)
        if not finished:
            sunk = _on_covered(luce.size(unseen), luce.size(unseen & covered), greens, greens == hidden)
        _spread(prior, unseen & covered, sunk, tans, blacks)
        _spread(prior, unseen & ~covered, greens - sunk, tans, blacks)
    for card in range(CARD_COUNT):
        if (found | missed) >> card & 1:
            hit = found >> card & 1
            prior[GREEN, card], prior[TAN, card], prior[BLACK, card] = hit, 1 - hit, 0.0


def _on_covered(cards: int, covered: int, greens: int, last: bool) -> float:
    """How many of `greens` hidden among `cards` lie on the `covered` ones, on average, if the side is unfinished.

    Some green then lies open. That tells something only if these greens are the side's `last`: it rules out the
    ways that put all of them on covered cards.
    """
    ways, ruled_out = _ways(cards, greens), _ways(covered, greens) if last else 0
    if not greens or ways == ruled_out:  # none is hidden, or none is open: then the side is finished
        return float(greens)
    return greens * (ways * covered / cards - ruled_out) / (ways - ruled_out)


def _ways(cards: int, chosen: int) -> int:
    """How many ways there are to choose so many of so many."""
    ways = 1
    for one in range(chosen):
        ways = ways * (cards - one) // (one + 1)
    return ways


def _spread(prior: Floats, cards: Mask, greens: float, tans: int, blacks: int) -> None:
    """Say that `greens` of `cards` are green and that the others are tan or black as `tans` to `blacks`."""
    if not cards:
        return
    green = greens / luce.size(cards)
    tan = (1 - green) * tans / (tans + blacks)
    for card in range(CARD_COUNT):
        if cards >> card & 1:
            prior[GREEN, card], prior[TAN, card], prior[BLACK, card] = green, tan, 1 - green - tan


def best_guess(
    own_greens: Mask,
    own_blacks: Mask,
    found: Mask,
    missed: Mask,
    covered: Mask,
    finished: bool,
    weights: Floats,
    clues: luce.Longs,
    count: int,
    cards: Mask,
    stakes: Floats32,
) -> tuple[int, float]:
    """The card of greatest expected worth among `cards`, the lowest of equals, and its worth.

    It rests on the prior from what `known` gives, and on what the clues add: `luce.hear`. `stakes` are what a green is
    worth, a tan costs, a black costs, (3,).
    """
    belief = np.empty((3, CARD_COUNT))
    fill_prior(own_greens, own_blacks, found, missed, covered, finished, belief)
    if not finished:
        luce.hear(belief, weights, clues, count, found, missed)
    best, most = 0, -np.inf
    for card in range(CARD_COUNT):
        worth = (
            stakes[GREEN] * belief[GREEN, card] - stakes[TAN] * belief[TAN, card] - stakes[BLACK] * belief[BLACK, card]
        )
        if cards >> card & 1 and worth > most:
            best, most = card, worth
    return best, most


def plan_turn(
    own_greens: Mask,
    own_blacks: Mask,
    found: Mask,
    missed: Mask,
    covered: Mask,
    finished: bool,
    weights: Floats,
    clues: luce.Longs,
    count: int,
    cards: Mask,
    stakes: Floats32,
    must_guess: bool,
    plan: luce.Longs,
) -> int:
    """Fill `plan` with the cards to touch while each is a hit, then `STOP`; returns how many entries hold.

    Each is the `best_guess` after those before it. One of no positive worth ends the turn, but for the first where a
    seat `must_guess`. `stakes` are those after each hit, (3, hits): no more guesses are planned.
    """
    for hits in range(stakes.shape[1]):
        card, worth = best_guess(
            own_greens, own_blacks, found, missed, covered, finished, weights, clues, count, cards, stakes[:, hits]
        )
        if worth <= 0 and (hits or not must_guess):
            plan[hits] = STOP
            return hits + 1
        plan[hits] = card
        found, covered, cards = found | 1 << card, covered | 1 << card, cards & ~(1 << card)
    return int(stakes.shape[1])


HELPERS: Final = (luce.size, luce.include, luce.hear, _ways, _on_covered, _spread, fill_prior, best_guess)
"""What `plan_turn` calls, for numba."""


class CluesHeard:
    """The partner's clues of a game as `luce.hear` takes them: `weights`, `clues` and their `count`.

    `weigh` gives the weight of every card for a clue.
    """

    def __init__(self, weigh: Callable[[str, tuple[str, ...]], npt.NDArray[np.float32]]) -> None:
        self._weigh = weigh
        self._begin((), Seat.A)

    def _begin(self, words: tuple[str, ...], seat: Seat) -> None:
        self._words = words
        self._seat = seat
        self._events = 0
        self._last: Event | None = None
        self.count = 0
        self.weights = np.empty((MAX_TURNS, CARD_COUNT))
        self.clues = np.empty((MAX_TURNS, 3), np.int64)

    def hear(self, view: Observation) -> None:
        """Take in what is new in `view`, which may also be of another game."""
        seat, history, before = view.seat, view.history, self._events
        follows = view.words is self._words and seat is self._seat and before <= len(history)
        if not follows or (before and history[before - 1] is not self._last):
            self._begin(view.words, seat)
            before = 0
        new = [event for event in history[before:] if isinstance(event, ClueGiven) and event.seat is not seat]
        if len(new) == 1 and new[0] is history[-1]:  # the clue to guess now
            self._add(new[0], view.touchable(), view.found.of(seat))
        elif new:
            self._read(history)
        if history:
            self._events, self._last = len(history), history[-1]

    def _read(self, history: Sequence[Event]) -> None:
        """Add the clues of a whole history that are not yet heard."""
        seat, out, found, heard = self._seat, 0, 0, 0
        for event in history:
            if isinstance(event, CardTouched):
                mine, green, bit = event.seat is seat, event.color is Color.GREEN, BITS[event.card]
                out |= bit if mine or green else 0
                found |= bit if mine and green else 0
            elif isinstance(event, ClueGiven) and event.seat is not seat:
                heard += 1
                if heard > self.count:
                    self._add(event, ALL_CARDS & ~out, found)

    def _add(self, clue: ClueGiven, could_mean: Mask, found: Mask) -> None:
        if self.count == len(self.clues):  # no real game has so many
            self.weights, self.clues = np.concatenate([self.weights] * 2), np.concatenate([self.clues] * 2)
        self.weights[self.count] = self._weigh(clue.word, self._words)
        self.clues[self.count] = clue.number, could_mean, found
        self.count += 1
