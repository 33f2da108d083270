"""What a player is: a clue giver, a guesser, or both, as Python objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeGuard, runtime_checkable

from msgspec import Struct, field

from brushpass import seeds
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import Card, KeySide
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure


class Advice(Struct, frozen=True):
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


class Teammate(ClueGiver, Guesser, Protocol):
    """The least that can sit down at a table: it says clues and touches cards.

    One that also has `new_game` or `end` is told of the beginning and the end (see `Agent`).
    """


@runtime_checkable
class Agent(Teammate, Protocol):
    """A whole player."""

    def new_game(self, view: Observation, seed: int) -> None:
        """A game begins, perhaps in its middle. All randomness must come from `seed`, so that games repeat."""
        ...

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        """The game is over and both sides of the key are open."""
        ...


@runtime_checkable
class Acquaintance(Protocol):
    """A player that gets to know its partner from game to game."""

    def remember(self, view: Observation, partner: KeySide) -> None:
        """Learn from a game that is over: its last `view`, and the partner's side of the key."""
        ...

    def forget(self) -> None:
        """Another partner sits down."""
        ...


class Player:
    """A base with the parts most agents leave alone."""

    def new_game(self, view: Observation, seed: int) -> None:
        """Nothing to prepare."""

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        """Nothing to keep."""


class Duo(Player):
    """One agent of two: a clue giver and a guesser, perhaps the same object.

    `new_game` and `end` reach each of them that has such a method.
    """

    def __init__(self, giver: ClueGiver, guesser: Guesser) -> None:
        self.giver = giver
        self.guesser = guesser
        both: tuple[object, object] = (giver, guesser)
        self._parts = both[:1] if both[0] is both[1] else both

    def give_clue(self, view: Observation) -> Clue | Advice:
        """The giver's clue."""
        return self.giver.give_clue(view)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The guesser's action."""
        return self.guesser.guess(view)

    def new_game(self, view: Observation, seed: int) -> None:
        """A game begins; the two draw from different seeds."""
        for place, part in enumerate(self._parts):
            if hear := getattr(part, "new_game", None):
                hear(view, seeds.child(seed, place) if place else seed)

    def end(self, outcome: Outcome, reason: Reason | None, key_a: KeySide, key_b: KeySide) -> None:
        """The game is over."""
        for part in self._parts:
            if hear := getattr(part, "end", None):
                hear(outcome, reason, key_a, key_b)


def as_agent(player: Teammate) -> Agent:
    """`player` as a whole agent: itself, or a `Duo` that stands in where it has no `new_game` or `end`.

    Raises:
        AgentFailure: it does not give clues or guess, or is a class and no object.
    """
    if isinstance(player, type):
        raise AgentFailure(f"{player.__name__} is a class, which cannot play: make a player of it, {player.__name__}()")
    for method in ("give_clue", "guess"):
        if not callable(getattr(player, method, None)):
            raise AgentFailure(f"{type(player).__name__} has no method {method}: a player has give_clue and guess")
    return player if _is_whole(player) else Duo(player, player)


def gets_acquainted(player: object) -> TypeGuard[Acquaintance]:
    """Whether `player` is an `Acquaintance`: asked every game, and `isinstance` of a protocol takes 20 µs."""
    return hasattr(player, "remember") and hasattr(player, "forget")


def _is_whole(player: Teammate) -> TypeGuard[Agent]:
    return hasattr(player, "new_game") and hasattr(player, "end")


class LeftTheTable(Exception):
    """A person ended the game before its end; no agent failed."""
