"""What a seat believes of its partner's side of the key: the exact prior, and what the clues add (DUET §9)."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.core.cards import ALL_CARDS, CARD_COUNT, COLOR_COUNTS, PAIR_COUNTS, Color, Mask, cards_of
from brushpass.duet.core.events import CardTouched, ClueGiven
from brushpass.duet.observation import Observation

GREEN, TAN, BLACK = range(3)
Floats = npt.NDArray[np.float64]

_COUNTS: Final = {own: tuple(PAIR_COUNTS[own, color] for color in Color) for own in Color}


def partner_prior(view: Observation) -> Floats:
    """P(color) of every card on the partner's side, float64 (3, 25), rows green, tan, black: exact, clues apart.

    It conditions on the own side, on every own guess, and on the partner's side being finished or not (DUET §9).
    Cards found by the partner's own guesses stay open: they may be anything here.
    """
    prior = np.zeros((3, CARD_COUNT))
    found, missed = view.found.of(view.seat), view.marks.of(view.seat)
    finished = view.seat.other in view.finished
    hidden = COLOR_COUNTS[Color.GREEN] - found.bit_count()
    for own, (greens, tans, blacks) in _COUNTS.items():
        group = view.key.mask(own)
        greens -= (group & found).bit_count()  # noqa: PLW2901 - what the own guesses leave of it
        tans -= (group & missed).bit_count()  # noqa: PLW2901 - likewise
        unseen = group & ~(found | missed)
        covered = unseen & view.covered
        sunk: float = greens
        if not finished:
            sunk = _on_covered(unseen.bit_count(), covered.bit_count(), greens, last=greens == hidden)
        _fill(prior, covered, sunk, tans, blacks)
        _fill(prior, unseen & ~covered, greens - sunk, tans, blacks)
    for card in cards_of(found):
        prior[GREEN, card] = 1
    for card in cards_of(missed):
        prior[TAN, card] = 1
    return prior


def _on_covered(cards: int, covered: int, greens: int, *, last: bool) -> float:
    """How many of `greens` hidden among `cards` lie on the `covered` ones, on average, if the side is unfinished.

    Some green then lies open. That tells something only if these greens are the side's `last`: it rules out the
    ways that put all of them on covered cards.
    """
    if not greens:
        return 0.0
    ways, ruled_out = comb(cards, greens), comb(covered, greens) if last else 0
    return greens * (ways * covered / cards - ruled_out) / (ways - ruled_out)


def _fill(prior: Floats, cards: Mask, greens: float, tans: int, blacks: int) -> None:
    """Say that `greens` of `cards` are green and that the others are tan or black as `tans` to `blacks`."""
    if not cards:
        return
    green = greens / cards.bit_count()
    tan = (1 - green) * tans / (tans + blacks)
    for card in cards_of(cards):
        prior[:, card] = green, tan, 1 - green - tan


@dataclass(slots=True)
class Heard:
    """A clue of the partner, the cards it could mean when it was said, and the greens found in its turn."""

    word: str
    number: int
    open: Mask
    found: Mask = 0

    @property
    def missing(self) -> int:
        """Greens it means that were not found in its turn; a 0 is taken to mean one."""
        return max(self.number, 1) - self.found.bit_count()


def clues_heard(view: Observation) -> list[Heard]:
    """The partner's clues, in order."""
    heard: list[Heard] = []
    out: Mask = 0
    for event in view.history:
        if isinstance(event, ClueGiven):
            if event.seat is not view.seat:
                heard.append(Heard(event.word, event.number, ALL_CARDS & ~out))
        elif isinstance(event, CardTouched):
            mine = event.seat is view.seat
            if event.color is Color.GREEN and mine and heard:
                heard[-1].found |= 1 << event.card
            if event.color is Color.GREEN or mine:
                out |= 1 << event.card
    return heard
