"""What a player is: a clue giver, a guesser, or both (an agent), as Python objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import Card, KeySide
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.observation import Observation


@dataclass(frozen=True, slots=True)
class Advice:
    """A clue with the giver's private thoughts: they go to the record's trace, never to the partner."""

    clue: Clue
    targets: tuple[Card, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)


@runtime_checkable
class ClueGiver(Protocol):
    """Says a word and a number."""

    def give_clue(self, view: Observation) -> Clue | Advice:
        """The clue for the position `view`; asked again, with `view.refused` grown, when the law refuses it."""
        ...


@runtime_checkable
class Guesser(Protocol):
    """Touches cards."""

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """One action for the position `view`: asked until the turn or the game ends.

        `Stop` needs a hit this turn, `Yield` is for sudden death; neither while `view.must_guess`.
        """
        ...


@runtime_checkable
class Agent(ClueGiver, Guesser, Protocol):
    """A whole player."""

    def new_game(self, view: Observation, seed: int) -> None:
        """A game begins. All randomness must come from `seed`, so that games repeat."""
        ...

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        """The game is over and both sides of the key are open."""
        ...


class Player:
    """A base with the parts most agents leave alone."""

    def new_game(self, view: Observation, seed: int) -> None:
        """Nothing to prepare."""

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        """Nothing to keep."""


class LeftTheTable(Exception):
    """A person ended the game before its end; no agent failed."""
