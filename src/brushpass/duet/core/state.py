"""A game's set-up and its position (DUET §3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from brushpass.duet.core.actions import Clue
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import ALL_CARDS, BITS, SEATS, A, B, BySeat, Mask, Seat
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Phase, Reason
from brushpass.duet.core.table import TableRules
from brushpass.errors import InvalidSetup


@dataclass(frozen=True, slots=True)
class Setup:
    """What never changes in a game. `first` None: either side may open (DUET R2).

    Raises:
        InvalidSetup: the clue law relaxes something else than the table agreed on.
    """

    board: Board
    keys: KeyCard
    mission: Mission = field(default_factory=Mission)
    first: Seat | None = None
    rules: TableRules = field(default_factory=TableRules)
    law: ClueLaw = field(default_factory=ClueLaw)

    def __post_init__(self) -> None:
        if self.law.relax != self.rules.relax:
            raise InvalidSetup(f"the clue law relaxes {set(self.law.relax)}, the table {set(self.rules.relax)}")


class State(Struct, frozen=True):
    """A position: immutable and hashable, without logs and without names.

    `found` and `marks` are kept by the side whose guess made them; `bank` is `check` + `bystander` tokens.
    """

    setup: Setup
    phase: Phase
    check: int
    bystander: int
    giver: Seat | None = None
    turn: int = 0
    found: BySeat[Mask] = BySeat(0, 0)
    marks: BySeat[Mask] = BySeat(0, 0)
    hits: int = 0
    checks: BySeat[int] = BySeat(0, 0)
    discarded: int = 0
    clue: Clue | None = None
    yielded: tuple[Seat, ...] = ()
    sudden: bool = False
    reason: Reason | None = None

    @property
    def bank(self) -> int:
        """Tokens left."""
        return self.check + self.bystander

    @property
    def covered(self) -> Mask:
        """The found cards."""
        a, b = self.found
        return a | b

    def left(self, seat: Seat) -> Mask:
        """The greens of `seat` still to be found."""
        (a, b), keys = self.found, self.setup.keys
        return (keys.a if seat is A else keys.b).greens & ~(a | b)

    def finished(self, seat: Seat) -> bool:
        """Whether every green of `seat` is found."""
        return not self.left(seat)

    @property
    def finished_sides(self) -> tuple[Seat, ...]:
        """The sides of which every green is found."""
        (a, b), keys = self.found, self.setup.keys
        hidden = ~(a | b)
        if keys.a.greens & hidden:
            return () if keys.b.greens & hidden else (B,)
        return (A,) if keys.b.greens & hidden else SEATS

    @property
    def dead(self) -> Mask:
        """Cards nobody may touch: found, or marked from both sides."""
        (a, b), (marked_a, marked_b) = self.found, self.marks
        return a | b | (marked_a & marked_b)

    def touchable(self, seat: Seat) -> Mask:
        """Cards `seat` may still touch."""
        (a, b), (marked_a, marked_b) = self.found, self.marks
        return ALL_CARDS & ~(a | b | (marked_a if seat is A else marked_b))

    @property
    def visible(self) -> tuple[str, ...]:
        """The words that restrict clues: all but the dead ones (DUET §3)."""
        dead, words = self.dead, self.setup.board.words
        if not dead:
            return words
        return tuple([word for bit, word in zip(BITS, words, strict=True) if not dead & bit])
