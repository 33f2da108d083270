"""One game between two agents: who is asked, refusals, forfeits, and the record of it all (INTERFACES §5)."""

from __future__ import annotations

import math
import operator
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from reprlib import repr as brief
from typing import Any, Final, NamedTuple

from brushpass import seeds
from brushpass.arena.chunks import describe
from brushpass.arena.pulse import pulse
from brushpass.duet.agent import Advice, Agent, LeftTheTable, Teammate, as_agent, gets_acquainted
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import CARD_COUNT, SEATS, BySeat, Card, Seat
from brushpass.duet.core.deal import deal
from brushpass.duet.core.events import CardTouched, ClueGiven, Event
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import Setup, State
from brushpass.duet.observe import observe
from brushpass.duet.record import GameRecord, Move
from brushpass.duet.usage import usage_of
from brushpass.errors import BadClueNumber, ForbiddenClue, IllegalAction, InvalidSetup, Suspended

MAX_REFUSALS: Final = 3
"""Refused clues a turn; one more forfeits."""
_LONGEST_WHY: Final = 300
_ADDRESS: Final = re.compile("(?<![1-9a-z])x[0-9a-f]{6,16}")
"""Where an object lies in memory, as its repr tells, if cut then without the 0; it would be another in each run."""
_ENDS: Final = (Stop, Yield)


class _Forfeit(Exception):
    def __init__(self, seat: Seat, why: str) -> None:
        super().__init__(" ".join(_ADDRESS.sub("x…", why)[:_LONGEST_WHY].split()))
        self.seat = seat


def play_game(
    agent_a: Teammate,
    agent_b: Teammate,
    setup: Setup | None = None,
    *,
    mission: Mission | None = None,
    seed: int = 0,
    salt: int | None = None,
    id: str | int = "game",  # noqa: A002 - the record's own word
    city: str | None = None,
    names: tuple[str, str] | None = None,
    prelude: Prelude | None = None,
) -> GameRecord:
    """Play one game and return its record.

    Without a `setup`, `seed` deals a board of the English list and a key, for `mission` (the standard game if that
    is left out too). The agents get seeds of their own, one-way children of `salt` (by default of `seed`), the
    game's `seed` and the seat. `names` are the agents' specs, for the record. The agents go on after the `prelude`.

    Raises:
        AgentFailure: one of the two has no `give_clue` or no `guess`. What an agent does wrong later is a forfeit.
        IllegalAction: the rules refuse a move of the `prelude`.
        InvalidSetup: a `mission` beside a `setup` of another one.
        LeftTheTable: a person ended the game.
        Suspended: the server of a language model is out of reach, or its budget is spent.
    """
    if setup is None:
        setup = deal(mission=mission, seed=seed)
    elif mission not in (None, setup.mission):
        raise InvalidSetup(f"mission {mission} is given beside a set-up for {setup.mission}: give one of them")
    agents = BySeat(as_agent(agent_a), as_agent(agent_b))
    table = Table(setup, agents, seed=seed, salt=seeds.salt(seed) if salt is None else salt)
    outcome, reason = table.play(prelude)
    return GameRecord(
        id=id,
        setup=table.state.setup,
        moves=tuple(table.moves),
        outcome=outcome,
        reason=reason,
        seed=seed,
        city=city,
        agents=names,
        score=rules.score(table.state),
        sudden_death=table.state.sudden,
        trace=table.trace,
        usage=usage_of(agents),
    )


class Prelude(NamedTuple):
    """The first moves of a game, if they are settled before it, and the trace of each clue among them."""

    moves: Sequence[Move]
    trace: Sequence[dict[str, Any]]


class Table:
    """A game in progress: the position, its public history and its record so far.

    To begin in the middle of a game, put another `state` and its `history` before `play`.

    `seed` decides who gives a clue where the rules leave it open (DUET R2); `salt` is the secret from which
    the agents' own seeds come.
    """

    def __init__(self, setup: Setup, agents: BySeat[Agent], *, seed: int, salt: int) -> None:
        self._seed = seed
        if setup.first is None:
            setup = replace(setup, first=self._drawn(SEATS, 0))
        self.state: State = rules.new_game(setup)
        self.history: tuple[Event, ...] = ()
        self.moves: list[Move] = []
        self.trace: list[dict[str, Any]] = []
        self._agents = agents
        self._salt = salt

    def _drawn(self, seats: tuple[Seat, ...], turn: int) -> Seat:
        """Who is asked to begin `turn`, from 0; whether the game was left in between makes no difference."""
        return random.Random(seeds.child(self._seed, "asks", turn)).choice(seats)

    def play(self, prelude: Prelude | None = None) -> tuple[Outcome, Reason | None]:
        """Play to the end, from the `prelude` on; an agent that raises or answers rubbish forfeits.

        Raises:
            IllegalAction: the rules refuse a move of the `prelude`.
            LeftTheTable: a person ended the game.
        """
        try:
            for seat in SEATS:
                self._begin(seat)
            if prelude is not None:
                self._follow(prelude)
            while actors := rules.actors(self.state):
                seat = actors[0] if len(actors) == 1 else self._first_of(actors)
                if self.state.phase in rules.CLUING:
                    self._clue(seat)
                else:
                    self._guess(seat)
            outcome = Outcome.WON if self.state.phase is Phase.WON else Outcome.LOST
            reason = self.state.reason
        except _Forfeit as forfeit:
            self.trace.append({"forfeit": str(forfeit.seat), "why": str(forfeit)})
            outcome, reason = Outcome.LOST, Reason.FORFEIT
        self._end(outcome, reason)
        return outcome, reason

    def _begin(self, seat: Seat) -> None:
        view = observe(self.state, seat, self.history)
        agent_seed = seeds.child(self._salt, "agent", self._seed, seat)
        self._ask(seat, "new_game", view, agent_seed)

    def _follow(self, prelude: Prelude) -> None:
        happened = [*self.history]
        for move in prelude.moves:
            self.state, events = rules.step(self.state, move.seat, move.action)
            happened += events
        self.history = tuple(happened)
        self.moves.extend(prelude.moves)
        self.trace.extend(prelude.trace)

    def _end(self, outcome: Outcome, reason: Reason | None) -> None:
        keys = self.state.setup.keys
        for seat in SEATS:
            try:
                if gets_acquainted(self._agents.of(seat)):
                    self._ask(seat, "remember", observe(self.state, seat, self.history), keys.side(seat.other))
                self._ask(seat, "end", outcome, reason, keys.a, keys.b)
            except _Forfeit as late:
                self.trace.append({"after_the_end": str(seat), "why": str(late)})

    def _first_of(self, actors: tuple[Seat, ...]) -> Seat:
        """Whom to ask first where both may act."""
        if self.state.phase is Phase.SUDDEN:
            return self._sudden_guesser()
        return self._drawn(actors, self.state.turn)

    def _sudden_guesser(self) -> Seat:
        """Ask the last guesser first, then the other; after two yields the first to yield (DUET R7)."""
        yielded = self.state.yielded
        if len(yielded) == 1:
            return yielded[0].other
        if yielded:
            return yielded[0]
        last = next(event for event in reversed(self.history) if isinstance(event, CardTouched | ClueGiven))
        return last.seat if isinstance(last, CardTouched) else last.seat.other

    def _clue(self, seat: Seat) -> None:
        """Ask `seat` for a clue until the rules accept one; nobody else hears of refused ones."""
        refused: tuple[tuple[str, str], ...] = ()
        while True:
            view = observe(self.state, seat, self.history, refused)
            clue, trace = _read_advice(seat, self._ask(seat, "give_clue", view))
            try:
                self.state, events = rules.step(self.state, seat, clue)
            except (ForbiddenClue, BadClueNumber) as error:
                refused = (*refused, (clue.word, str(error)))
                if len(refused) > MAX_REFUSALS:
                    raise _Forfeit(seat, f"refused clue number {len(refused)} in one turn: {error}") from None
            else:
                said = events[0]
                self.history += events
                self.moves.append(Move(seat, clue, isinstance(said, ClueGiven) and said.penalised))
                self.trace.append(trace)
                return

    def _guess(self, seat: Seat) -> None:
        action = self._ask(seat, "guess", observe(self.state, seat, self.history))
        if isinstance(action, Guess):
            if type(action.card) is not int:
                action = Guess(_whole(action.card))
        elif not isinstance(action, _ENDS):
            raise _Forfeit(seat, f"{brief(action)} is not a guess, a stop or a yield")
        try:
            self.state, events = rules.step(self.state, seat, action)
        except IllegalAction as error:
            raise _Forfeit(seat, f"illegal {brief(action)}: {error}") from None
        self.history += events
        self.moves.append(Move(seat, action))

    def _ask(self, seat: Seat, question: str, *told: object) -> Any:  # noqa: ANN401 - each question has its own answer
        pulse.beat()
        try:
            return getattr(self._agents.of(seat), question)(*told)
        except (LeftTheTable, Suspended, _Forfeit):
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a player raises costs it the game, not the batch
            raise _Forfeit(seat, describe(error)) from None


def _read_advice(seat: Seat, said: object) -> tuple[Clue, dict[str, Any]]:
    """An answer to `give_clue`, as a clue and what a trace keeps of the advice, or the forfeit of `seat`.

    Whether the number makes sense is for the rules to say.
    """
    advice = said if isinstance(said, Advice) else Advice(said) if isinstance(said, Clue) else None
    if advice is None or not isinstance(advice.clue, Clue) or not isinstance(advice.clue.word, str):
        raise _Forfeit(seat, f"{brief(said)} is not a clue")
    clue = advice.clue
    try:
        targets = [*map(operator.index, advice.targets)]
        trace = trace_of(advice.scores, targets)
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        raise _Forfeit(seat, f"the advice with clue {brief(clue.word)} makes no sense: {error}") from None
    if targets and not 0 <= min(targets) <= max(targets) < CARD_COUNT:
        raise _Forfeit(seat, f"targets {brief(targets)} are not cards 0 to {CARD_COUNT - 1}")
    if type(clue) is not Clue or type(clue.number) is not int or type(clue.word) is not str:
        clue = Clue(str.__str__(clue.word), _whole(clue.number))
    return clue, trace


def trace_of(scores: Mapping[str, float], targets: list[Card]) -> dict[str, Any]:
    """What a record keeps of an advice.

    Raises:
        AttributeError, OverflowError, TypeError, ValueError: scores that are no numbers by name.
    """
    trace: dict[str, Any] = {
        str(name): round(score, 4) for name, value in scores.items() if math.isfinite(score := float(value))
    }
    trace["targets"] = targets
    return trace


def _whole(number: Any) -> Any:  # noqa: ANN401 - what a player said; what is no whole number is for the rules to refuse
    """A whole number of any library as an int; anything else, a bool too, as it is."""
    if isinstance(number, bool):
        return number
    try:
        return operator.index(number)
    except TypeError:
        return number
