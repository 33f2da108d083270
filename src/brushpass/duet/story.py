"""A game looked back on: what each clue was for, what came of it, how likely the win was, and the turn that decided.

Data in, data out: `tell` takes a record, and what it gives holds no text of its own. `duet.storytext` has the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from brushpass.duet.agents.value import Place, chance
from brushpass.duet.core import rules
from brushpass.duet.core.cards import CARD_COUNT, Card, Color, Seat
from brushpass.duet.core.events import CardTouched, ClueGiven, Stopped, SuddenDeathBegan
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import State
from brushpass.duet.observation import event_to_json
from brushpass.duet.observe import observe
from brushpass.duet.record import GameRecord, replay

CERTAIN: Final = {Phase.WON: 1.0, Phase.LOST: 0.0}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn, or sudden death.

    Attributes:
        number: of the turn, from 1 on.
        clue: that began it; None for sudden death.
        targets: the cards its giver meant; empty where the record does not tell.
        touches: in order, by both sides in sudden death.
        stopped: whether the guesser ended it.
        bank: tokens left after it.
        found: agents found after it, of 15.
        before: the chance of winning before it.
        after: the chance of winning after it; 1 or 0 once the game is over.
    """

    number: int
    clue: ClueGiven | None
    targets: tuple[Card, ...]
    before: float
    after: float
    bank: int
    found: int
    touches: tuple[CardTouched, ...] = ()
    stopped: bool = False

    @property
    def hits(self) -> tuple[Card, ...]:
        """The agents found in it."""
        return tuple(touch.card for touch in self.touches if touch.color is Color.GREEN)

    @property
    def miss(self) -> CardTouched | None:
        """The touch that ended it, if one did."""
        return next((touch for touch in self.touches if touch.color is not Color.GREEN), None)

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "turn": self.number,
            "clue": self.clue and event_to_json(self.clue)[1:],
            "targets": list(self.targets),
            "touches": [event_to_json(touch)[1:] for touch in self.touches],
            "stopped": self.stopped,
            "bank": self.bank,
            "found": self.found,
            "before": round(self.before, 4),
            "after": round(self.after, 4),
        }


@dataclass(frozen=True, slots=True)
class Story:
    """A record with its chapters; `end` is the position after its last action, `scored` whether wins count points."""

    record: GameRecord
    end: State
    chapters: tuple[Chapter, ...]
    scored: bool = True

    @property
    def decisive(self) -> Chapter | None:
        """The chapter that moved the chance most towards how the game ended, the first of equals.

        None where none did, as in a forfeit.
        """
        if self.record.reason is Reason.FORFEIT:
            return None
        sign = 1 if self.record.outcome is Outcome.WON else -1
        moved = max(self.chapters, key=lambda one: sign * (one.after - one.before), default=None)
        return moved if moved and sign * (moved.after - moved.before) > 0 else None

    @property
    def score(self) -> int | None:
        """The score of a won standard game, if it is counted."""
        return rules.score(self.end) if self.scored else None

    def to_json(self) -> dict[str, Any]:
        """The JSON form: the chapters, and the number of the turn that decided."""
        return {
            "turns": [chapter.to_json() for chapter in self.chapters],
            "decisive": self.decisive and self.decisive.number,
        }


def tell(record: GameRecord) -> Story:
    """The story of a game.

    Raises:
        CorruptData: the rules refuse a move of the record.
    """
    meant = meant_by(record)
    state = rules.new_game(record.setup)
    chapters: list[Chapter] = []
    for _, after, events in replay(record):
        for event in events:
            match event:
                case ClueGiven():
                    chapters.append(_begun(chapters, state, event, next(meant, ())))
                case SuddenDeathBegan():
                    chapters.append(_begun(chapters, after, None, ()))
                case CardTouched():
                    chapters[-1] = replace(chapters[-1], touches=(*chapters[-1].touches, event))
                case Stopped():
                    chapters[-1] = replace(chapters[-1], stopped=True)
        state = after
        last = chapters[-1]
        if last.clue is None and not last.touches and len(chapters) > 1:  # sudden death has just begun
            chapters[-2] = _stands(chapters[-2], state)
        chapters[-1] = _stands(last, state)
    return Story(record, state, tuple(chapters))


def meant_by(record: GameRecord) -> Iterator[tuple[Card, ...]]:
    """What each clue was for, in order, as far as the record's trace tells in the form of our own referee."""
    for thought in record.trace if isinstance(record.trace, list) else ():
        if isinstance(thought, dict) and isinstance(thought.get("targets"), list):
            yield tuple(card for card in thought["targets"] if type(card) is int and 0 <= card < CARD_COUNT)


def chance_of(state: State) -> float:
    """The chance of winning from `state`, as the embedding player reckons by what is left."""
    if state.phase in CERTAIN:
        return CERTAIN[state.phase]
    return chance(Place.of(observe(state, Seat.A, ())))


def _begun(chapters: list[Chapter], state: State, clue: ClueGiven | None, targets: tuple[Card, ...]) -> Chapter:
    now = chance_of(state)
    return Chapter(len(chapters) + 1, clue, targets, now, now, state.bank, state.covered.bit_count())


def _stands(chapter: Chapter, state: State) -> Chapter:
    return replace(chapter, after=chance_of(state), bank=state.bank, found=state.covered.bit_count())
