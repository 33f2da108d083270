"""What a finished game shows of the partner: which cards it touched for a clue, and which clues it gave."""

from __future__ import annotations

from typing import NamedTuple

from brushpass.duet.core.cards import ALL_CARDS, BITS, SEATS, Card, Color, KeySide, Mask, Seat
from brushpass.duet.core.events import CardTouched, ClueGiven, Stopped, SuddenDeathBegan
from brushpass.duet.observation import Observation


class Touch(NamedTuple):
    """A card that the partner touched for the clue `word`; `cards` are those it could choose from."""

    word: str
    cards: Mask
    card: Card


class Said(NamedTuple):
    """A clue of the partner, and what the cards were to it; those in no set could not be touched."""

    word: str
    number: int
    greens: Mask
    tans: Mask
    blacks: Mask


class Habit(NamedTuple):
    """How often the partner, after a hit, stopped or went on: below the number that was said, and at or above it."""

    stopped_early: int = 0
    went_on_early: int = 0
    stopped: int = 0
    went_on: int = 0

    def plus(self, other: Habit) -> Habit:
        """Both together."""
        return Habit(*(one + two for one, two in zip(self, other, strict=True)))


class Evidence(NamedTuple):
    """All that one game shows."""

    touches: tuple[Touch, ...]
    clues: tuple[Said, ...]
    habit: Habit


def read_evidence(view: Observation, partner: KeySide) -> Evidence:
    """The evidence in the last `view` of a game, when the `partner`'s side of the key is open.

    Left out are sudden death, clues of number 0, and touches beyond the number: what those point at is not plain.
    """
    reader = _Reader(view.seat, partner)
    for event in view.history:
        match event:
            case ClueGiven():
                reader.clue_given(event)
            case CardTouched():
                reader.card_touched(event)
            case Stopped():
                reader.turn_ended(stopped=True)
            case SuddenDeathBegan():
                reader.turn_ended()
            case _:
                pass
    return Evidence(tuple(reader.touches), tuple(reader.clues), reader.habit)


class _Reader:
    """What was seen by seat `us`, event by event."""

    def __init__(self, us: Seat, partner: KeySide) -> None:
        self.touches: list[Touch] = []
        self.clues: list[Said] = []
        self.habit = Habit()
        self._us = us
        self._key = partner
        self._found: Mask = 0
        self._missed: dict[Seat, Mask] = dict.fromkeys(SEATS, 0)
        self._ours: ClueGiven | None = None
        """Our clue that the partner is guessing now."""
        self._hits = 0

    def clue_given(self, clue: ClueGiven) -> None:
        self._ours, self._hits = (clue if clue.seat is self._us else None), 0
        if self._ours is None and clue.number:
            key, cards = self._key, self._open(self._us)
            self.clues.append(Said(clue.word, clue.number, key.greens & cards, key.tans & cards, key.blacks & cards))

    def card_touched(self, touch: CardTouched) -> None:
        if self._ours is not None:
            self._decided(went_on=True)
            if self._hits < self._ours.number:
                self.touches.append(Touch(self._ours.word, self._open(touch.seat), touch.card))
        if touch.color is Color.GREEN:
            self._found |= BITS[touch.card]
            self._hits += 1
        else:
            self._missed[touch.seat] |= BITS[touch.card]
            self.turn_ended()

    def turn_ended(self, *, stopped: bool = False) -> None:
        if stopped and self._ours is not None:
            self._decided(went_on=False)
        self._ours = None

    def _open(self, seat: Seat) -> Mask:
        return ALL_CARDS & ~(self._found | self._missed[seat])

    def _decided(self, *, went_on: bool) -> None:
        """After a hit, the partner stopped or went on."""
        if self._ours is not None and self._hits:
            early = self._hits < self._ours.number
            seen = Habit(early and not went_on, early and went_on, not early and not went_on, not early and went_on)
            self.habit = self.habit.plus(seen)
