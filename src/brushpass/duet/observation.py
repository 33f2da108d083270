"""What one seat may know of a game: plain data, and its JSON form, the `view` of the agent protocol.

Which fields a seat may see is DUET §9; `duet.observe` is the one place that fills them from a game.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from brushpass.duet.core.actions import Clue
from brushpass.duet.core.cards import ALL_CARDS, BITS, A, BySeat, Card, Color, KeySide, Mask, Seat, cards_of
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.events import (
    CardTouched,
    ClueGiven,
    Event,
    GameEnded,
    SideFinished,
    Stopped,
    SuddenDeathBegan,
    Yielded,
)
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.table import TableRules
from brushpass.lexicon.normalize import fold


class Observation(Struct, frozen=True):
    """One seat's view.

    `key` is the own side, by which the *partner's* guesses are judged. `found` and `marks` are kept by the
    side whose guess made them, so the partner's side is known exactly where this seat guessed: green on
    `found.of(seat)`, tan on `marks.of(seat)`. `history` holds everything said and touched so far, by both.
    `must_guess` tells that neither stop nor yield is allowed now; `refused` lists (word, reason) of clues
    refused this turn.
    """

    seat: Seat
    giver: Seat | None
    phase: Phase
    words: tuple[str, ...]
    key: KeySide
    found: BySeat[Mask]
    marks: BySeat[Mask]
    mission: Mission
    rules: TableRules
    check: int
    bystander: int
    checks: BySeat[int]
    clue: Clue | None
    finished: tuple[Seat, ...]
    hits: int
    history: tuple[Event, ...]
    must_guess: bool = False
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def bank(self) -> int:
        """Tokens left."""
        return self.check + self.bystander

    @property
    def covered(self) -> Mask:
        """The found cards."""
        a, b = self.found
        return a | b

    @property
    def dead(self) -> Mask:
        """Cards nobody may touch any more: found, or marked from both sides."""
        (a, b), (marked_a, marked_b) = self.found, self.marks
        return a | b | (marked_a & marked_b)

    def touchable(self, seat: Seat | None = None) -> Mask:
        """Cards this seat (or `seat`) may still touch."""
        (a, b), (marked_a, marked_b) = self.found, self.marks
        return ALL_CARDS & ~(a | b | (marked_a if (seat or self.seat) is A else marked_b))

    def open_cards(self) -> tuple[Card, ...]:
        """Cards this seat may touch."""
        return cards_of(self.touchable())

    def greens_left(self) -> tuple[Card, ...]:
        """Own greens still to be found: what this seat's clues should point at."""
        return cards_of(self.key.greens & ~self.covered)

    def visible(self) -> tuple[str, ...]:
        """The words that restrict clues: all but the dead ones (DUET §3)."""
        dead = self.dead
        return tuple([word for bit, word in zip(BITS, self.words, strict=True) if not dead & bit])

    def allows(self, word: str) -> bool:
        """Whether the clue law lets this seat say `word` now (DUET §8); a word just refused it does not."""
        refused = {fold(said) for said, _ in self.refused}
        return ClueLaw(self.rules.relax).check(word, self.visible()).legal and fold(word) not in refused

    def heard(self) -> tuple[Clue, ...]:
        """The partner's clues so far, in order."""
        return tuple(
            Clue(event.word, event.number)
            for event in self.history
            if isinstance(event, ClueGiven) and event.seat is not self.seat
        )

    def said(self) -> tuple[str, ...]:
        """Every clue word of the game so far, by either side, folded: Ocean and ocean are one word."""
        return tuple([fold(event.word) for event in self.history if isinstance(event, ClueGiven)])

    def seen(self) -> dict[Card, Color]:
        """The partner's colors known from own guesses."""
        return {
            event.card: event.color
            for event in self.history
            if isinstance(event, CardTouched) and event.seat is self.seat
        }

    def to_json(self) -> dict[str, Any]:
        """The `view` of INTERFACES §5."""
        return {
            "seat": str(self.seat),
            "giver": None if self.giver is None else str(self.giver),
            "phase": str(self.phase),
            "words": list(self.words),
            "key": str(self.key),
            "found": list(cards_of(self.covered)),
            "marks": {str(seat): list(cards_of(self.marks.of(seat))) for seat in Seat},
            "seen": {str(card): str(color) for card, color in self.seen().items()},
            "turns": self.mission.turns,
            "mistakes": self.mission.mistakes,
            "order": str(self.rules.order),
            "law": str(self.rules.clue_law),
            "relax": sorted(self.rules.relax),
            "bank": {"check": self.check, "bystander": self.bystander},
            "checks": {str(seat): self.checks.of(seat) for seat in Seat},
            "clue": None if self.clue is None else {"word": self.clue.word, "number": self.clue.number},
            "finished": [str(seat) for seat in self.finished],
            "hits": self.hits,
            "must_guess": self.must_guess,
            "history": [event_to_json(event) for event in self.history if not isinstance(event, GameEnded)],
        }


def event_to_json(event: Event) -> list[Any]:
    """One line of a view's history (INTERFACES §5)."""
    match event:
        case ClueGiven(seat, word, number):
            return ["clue", str(seat), word, number]
        case CardTouched(seat, card, color):
            return ["guess", str(seat), card, str(color)]
        case Stopped(seat):
            return ["stop", str(seat)]
        case Yielded(seat):
            return ["yield", str(seat)]
        case SideFinished(seat):
            return ["finished", str(seat)]
        case SuddenDeathBegan():
            return ["sudden_death"]
        case GameEnded(outcome, reason):
            return ["end", str(outcome), None if reason is None else str(reason)]
