"""One game between two agents: who is asked, refusals, forfeits, and the record of it all (INTERFACES §5)."""

from __future__ import annotations

import random
from typing import Any, Final

from brushpass import seeds
from brushpass.duet.agent import Advice, Agent, LeftTheTable
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Action, Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import BySeat, Seat
from brushpass.duet.core.events import CardTouched, ClueGiven, Event
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import Setup, State
from brushpass.duet.observe import observe
from brushpass.duet.record import GameRecord, Move
from brushpass.errors import BadClueNumber, ForbiddenClue, IllegalAction

MAX_REFUSALS: Final = 3
"""Refused clues a turn; one more forfeits."""


class _Forfeit(Exception):
    def __init__(self, seat: Seat, why: str) -> None:
        super().__init__(why)
        self.seat = seat


def play_game(
    agent_a: Agent,
    agent_b: Agent,
    setup: Setup,
    *,
    seed: int = 0,
    salt: int | None = None,
    id: str | int = "game",  # noqa: A002 - the record's own word
    city: str | None = None,
    names: tuple[str, str] | None = None,
) -> GameRecord:
    """Play one game and return its record.

    The agents get seeds of their own, one-way children of `salt` (by default of `seed`), the game's `seed` and
    the seat. `names` are the agents' specs, for the record.

    Raises:
        LeftTheTable: a person ended the game.
    """
    table = Table(setup, BySeat(agent_a, agent_b), seed=seed, salt=seeds.salt(seed) if salt is None else salt)
    outcome, reason = table.play()
    return GameRecord(
        id=id,
        setup=setup,
        moves=tuple(table.moves),
        outcome=outcome,
        reason=reason,
        seed=seed,
        city=city,
        agents=names,
        score=rules.score(table.state),
        sudden_death=table.state.sudden,
        trace=table.trace,
    )


class Table:
    """A game in progress: the position, its public history and its record so far.

    `seed` decides who is asked first where the rules leave it open; `salt` is the secret from which the
    agents' own seeds come.
    """

    def __init__(self, setup: Setup, agents: BySeat[Agent], *, seed: int, salt: int) -> None:
        self.state: State = rules.new_game(setup)
        self.history: tuple[Event, ...] = ()
        self.moves: list[Move] = []
        self.trace: list[dict[str, Any]] = []
        self._agents = agents
        self._seed = seed
        self._salt = salt
        self._asks = random.Random(seeds.child(seed, "asks"))
        self._refused: tuple[tuple[str, str], ...] = ()

    def play(self) -> tuple[Outcome, Reason | None]:
        """Play to the end; an agent that raises or answers rubbish forfeits.

        Raises:
            LeftTheTable: a person ended the game.
        """
        try:
            for seat in Seat:
                self._begin(seat)
            while self.state.phase not in rules.OVER:
                self._turn(self._next_to_ask())
            outcome = Outcome.WON if self.state.phase is Phase.WON else Outcome.LOST
            reason = self.state.reason
        except _Forfeit as forfeit:
            self.trace.append({"forfeit": str(forfeit.seat), "why": str(forfeit)})
            outcome, reason = Outcome.LOST, Reason.FORFEIT
        self._end(outcome, reason)
        return outcome, reason

    def _begin(self, seat: Seat) -> None:
        agent_seed = seeds.child(self._salt, "agent", self._seed, seat)
        self._ask(seat, lambda agent: agent.new_game(observe(self.state, seat, ()), agent_seed))

    def _end(self, outcome: Outcome, reason: Reason | None) -> None:
        keys = self.state.setup.keys
        for seat in Seat:
            try:
                self._ask(seat, lambda agent: agent.end(outcome, reason, keys.a, keys.b))
            except _Forfeit as late:
                self.trace.append({"after_the_end": str(seat), "why": str(late)})

    def _next_to_ask(self) -> Seat:
        actors = rules.actors(self.state)
        if len(actors) == 1:
            return actors[0]
        if self.state.phase is Phase.SUDDEN:
            return self._sudden_guesser()
        return self._asks.choice(actors)

    def _sudden_guesser(self) -> Seat:
        """Ask the last guesser first, then the other; after two yields the first to yield (DUET R7)."""
        yielded = self.state.yielded
        if len(yielded) == 1:
            return yielded[0].other
        if yielded:
            return yielded[0]
        for event in reversed(self.history):
            if isinstance(event, CardTouched):
                return event.seat
            if isinstance(event, ClueGiven):
                return event.seat.other
        raise AssertionError("sudden death begins after a clue")

    def _turn(self, seat: Seat) -> None:
        view = observe(self.state, seat, self.history, self._refused)
        if self.state.phase in rules.CLUING:
            said = self._ask(seat, lambda agent: agent.give_clue(view))
            advice = said if isinstance(said, Advice) else Advice(said)
            if not isinstance(advice.clue, Clue):
                raise _Forfeit(seat, f"{advice.clue!r} is not a clue")
            self._say(seat, advice)
        else:
            action = self._ask(seat, lambda agent: agent.guess(view))
            if not isinstance(action, Guess | Stop | Yield):
                raise _Forfeit(seat, f"{action!r} is not a guess, a stop or a yield")
            try:
                self._step(seat, action)
            except IllegalAction as error:
                raise _Forfeit(seat, f"illegal {action!r}: {error}") from None

    def _say(self, seat: Seat, advice: Advice) -> None:
        try:
            self._step(seat, advice.clue)
        except (ForbiddenClue, BadClueNumber) as error:
            self._refused = (*self._refused, (str(advice.clue.word), str(error)))
            if len(self._refused) > MAX_REFUSALS:
                raise _Forfeit(seat, f"refused clue number {len(self._refused)} in one turn: {error}") from None
            return
        self._refused = ()
        thought = {"targets": list(advice.targets), **{key: round(float(x), 4) for key, x in advice.scores.items()}}
        self.trace.append(thought)

    def _step(self, seat: Seat, action: Action) -> None:
        self.state, events = rules.step(self.state, seat, action)
        self.history += events
        penalised = isinstance(events[0], ClueGiven) and events[0].penalised
        self.moves.append(Move(seat, action, penalised))

    def _ask(self, seat: Seat, question: Any) -> Any:  # noqa: ANN401 - each question has its own answer
        try:
            return question(self._agents.of(seat))
        except (LeftTheTable, _Forfeit):
            raise
        except Exception as error:  # noqa: BLE001 - whatever a player raises costs it the game, not the batch
            raise _Forfeit(seat, f"{type(error).__name__}: {error}") from None
