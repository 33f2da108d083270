"""The rules of Duet: the one file that decides (DUET §4 to §7).

`step` is pure and always validates: it returns a new state and the public events, or raises an
`IllegalAction` that depends on nothing hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from reprlib import repr as brief
from typing import Any

from msgspec.structs import replace

from brushpass.duet.core.actions import Action, Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import BITS, BLACK, CARD_COUNT, GREEN, SEATS, TAN, A, B, BySeat, Mask, Seat
from brushpass.duet.core.cluelaw import explain
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
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import Setup, State
from brushpass.duet.core.table import LawMode, Order
from brushpass.errors import (
    AlreadyMarked,
    BadClueNumber,
    CardUnavailable,
    FinishedSide,
    ForbiddenClue,
    GameOver,
    MustGuess,
    NoSuchCard,
    NothingToGuess,
    NotYourTurn,
    WrongPhase,
)

MAX_NUMBER = 9
CLUE_ANY, CLUE, GUESS, SUDDEN, WON, LOST = Phase
OVER = (WON, LOST)
CLUING = (CLUE_ANY, CLUE)
GUESSING = (GUESS, SUDDEN)

Step = tuple[State, tuple[Event, ...]]
Changes = dict[str, Any]
"""Fields of a state and what becomes of them."""


def new_game(setup: Setup) -> State:
    """The state before the first clue (DUET §3)."""
    mission = setup.mission
    return State(
        setup=setup,
        phase=CLUE_ANY if setup.first is None else CLUE,
        check=mission.turns - mission.mistakes,
        bystander=mission.mistakes,
        giver=setup.first,
    )


@dataclass(frozen=True, slots=True)
class Options:
    """What one seat may do now; any clue word the law allows counts as the one `clue`."""

    clue: bool = False
    guesses: Mask = 0
    stop: bool = False
    yield_: bool = False


def options(state: State, seat: Seat) -> Options:
    """The legal actions of `seat`: `step` accepts these and refuses all others."""
    if seat not in actors(state):
        return Options()
    if state.phase is GUESS:
        return Options(guesses=state.touchable(seat), stop=state.hits > 0)
    if state.phase is SUDDEN:
        return Options(guesses=state.touchable(seat), yield_=not bound_to_guess(state, seat))
    return Options(clue=True)


def actors(state: State) -> tuple[Seat, ...]:
    """The seats that may act now."""
    phase, giver = state.phase, state.giver
    if giver is not None:
        return (giver,) if phase is CLUE else (giver.other,)
    if phase in OVER:
        return ()
    return tuple([seat for seat in SEATS if not state.finished(seat if phase is CLUE_ANY else seat.other)])


def bound_to_guess(state: State, seat: Seat) -> bool:
    """Whether `seat` may not yield in sudden death (DUET §4, row 6b)."""
    alone = state.finished(A) or state.finished(B)
    return alone or (len(state.yielded) == len(SEATS) and state.yielded[0] is seat)


def step(state: State, seat: Seat, action: Action) -> Step:
    """The state after `action` of `seat`, and what both sides saw of it.

    Raises:
        IllegalAction: its subclass for the first failing check, in the order of DUET §4.
        TypeError: not an action at all.
    """
    if state.phase in OVER:
        raise GameOver(f"the game is over ({state.phase}): nothing can be played any more")
    if isinstance(action, Guess):
        return _guess(state, seat, action)
    if isinstance(action, Clue):
        return _clue(state, seat, action)
    if isinstance(action, Stop):
        return _stop(state, seat)
    if isinstance(action, Yield):
        return _yield(state, seat)
    raise TypeError(f"{action!r} is not an action")


def score(state: State) -> int | None:
    """The score of a won standard game, else None (DUET §5, R5)."""
    if state.phase is not WON or not state.setup.mission.scored:
        return None
    return 3 * state.bank + sum(state.checks) - state.sudden


# ------------------------------------------------------------------ actions


def _clue(state: State, seat: Seat, clue: Clue) -> Step:
    if state.phase not in CLUING:
        raise _wrong_phase(state, Clue)
    if state.giver is not None and state.giver is not seat:
        raise NotYourTurn(f"it is {state.giver}'s turn to give a clue, not {seat}'s")
    if state.finished(seat):
        raise FinishedSide(f"all words of {seat} are found: {seat.other} gives the clues")
    if type(clue.number) is not int or not 0 <= clue.number <= MAX_NUMBER:
        raise BadClueNumber(f"clue number {brief(clue.number)} is not a whole number from 0 to {MAX_NUMBER}")
    ruling = state.setup.law.check(clue.word, state.visible)
    if not ruling.legal and state.setup.rules.clue_law is LawMode.REJECT:
        raise ForbiddenClue(explain(ruling, clue.word), ruling.code or "", ruling.clash)
    said = ClueGiven(seat, clue.word, clue.number, penalised=not ruling.legal)
    state = replace(state, phase=GUESS, giver=seat, turn=state.turn + 1, clue=clue)
    if ruling.legal:
        return state, (said,)
    state = replace(state, discarded=state.discarded + 1, **_spend(state))
    if state.bank:
        return state, (said,)
    return _sudden_death(state, (said,))


def _guess(state: State, seat: Seat, guess: Guess) -> Step:
    if state.phase not in GUESSING:
        raise _wrong_phase(state, Guess)
    card, keys = guess.card, state.setup.keys
    (found_a, found_b), (marked_a, marked_b) = state.found, state.marks
    side, out = (keys.b, found_a | found_b | marked_a) if seat is A else (keys.a, found_a | found_b | marked_b)
    if state.giver is seat:
        raise NotYourTurn(f"{seat} gave the clue: {seat.other} guesses")
    if not side.greens & ~(found_a | found_b):
        raise NothingToGuess(f"all words of {seat.other} are found: only {seat.other} guesses now")
    if type(card) is not int or not 0 <= card < CARD_COUNT:
        raise NoSuchCard(f"card {brief(card)} is not a whole number from 0 to {CARD_COUNT - 1}")
    bit = BITS[card]
    if out & bit:
        name = f"card {card} ({state.setup.board.words[card]})"
        if state.dead & bit:
            raise CardUnavailable(f"{name} is out of play: touch another")
        raise AlreadyMarked(f"{seat} already missed on {name}: touch another")
    if side.greens & bit:
        return _agent(state, seat, bit, (CardTouched(seat, card, GREEN),))
    if side.blacks & bit:
        return _lost(state, Reason.ASSASSIN, (CardTouched(seat, card, BLACK),))
    return _bystander(state, seat, bit, (CardTouched(seat, card, TAN),))


def _agent(state: State, seat: Seat, bit: Mask, events: tuple[Event, ...]) -> Step:
    (found_a, found_b), keys = state.found, state.setup.keys
    left_a, left_b = keys.a.greens & ~(found_a | found_b), keys.b.greens & ~(found_a | found_b)
    if left_a == bit:
        events += (SideFinished(A),)
    if left_b == bit:
        events += (SideFinished(B),)
    won = left_a | left_b == bit
    found = BySeat(found_a | bit, found_b) if seat is A else BySeat(found_a, found_b | bit)
    if state.phase is SUDDEN:
        state = replace(state, found=found, yielded=())
        return _won(state, events) if won else (state, events)
    state = replace(state, found=found, hits=state.hits + 1)
    if won:
        return _won(replace(state, **_check(state, seat)), events)
    if (left_b if seat is A else left_a) == bit:
        return _end_turn(state, seat, events, _check(state, seat))
    return state, events


def _bystander(state: State, seat: Seat, bit: Mask, events: tuple[Event, ...]) -> Step:
    if state.phase is SUDDEN:
        return _lost(state, Reason.SUDDEN_DEATH, events)
    marks = state.marks.put(seat, state.marks.of(seat) | bit)
    if state.bystander:
        return _end_turn(state, seat, events, {"marks": marks, "bystander": state.bystander - 1})
    if state.check >= 2:
        return _end_turn(state, seat, events, {"marks": marks, "check": state.check - 2})
    return _lost(state, Reason.CANNOT_PAY, events)


def _stop(state: State, seat: Seat) -> Step:
    if state.phase is not GUESS:
        raise _wrong_phase(state, Stop)
    if state.giver is seat:
        raise NotYourTurn(f"{seat} gave the clue: only {seat.other} may stop")
    if not state.hits:
        raise MustGuess("every turn needs at least one guess: touch a card before stopping")
    return _end_turn(state, seat, (Stopped(seat),), _check(state, seat))


def _yield(state: State, seat: Seat) -> Step:
    if state.phase is not SUDDEN:
        raise _wrong_phase(state, Yield)
    if bound_to_guess(state, seat):
        raise MustGuess(f"{seat} may not yield here: touch a card")
    if seat not in state.yielded:
        state = replace(state, yielded=(*state.yielded, seat))
    return state, (Yielded(seat),)


# ------------------------------------------------------------------ tokens and turns


def _wrong_phase(state: State, action: type[Action]) -> WrongPhase:
    return WrongPhase(f"no {action.__name__.lower()} in phase {state.phase}")


def _spend(state: State) -> Changes:
    """Take one token from the bank, check side first (DUET §5)."""
    return {"check": state.check - 1} if state.check else {"bystander": state.bystander - 1}


def _check(state: State, guesser: Seat) -> Changes:
    """Pay a turn: one token, check side up, before the guesser."""
    return {**_spend(state), "checks": state.checks.put(guesser, state.checks.of(guesser) + 1)}


def _end_turn(state: State, guesser: Seat, events: tuple[Event, ...], paid: Changes) -> Step:
    giver = _next_giver(state, guesser)
    phase = CLUE_ANY if giver is None else CLUE
    after = replace(state, phase=phase, giver=giver, hits=0, clue=None, **paid)
    return (after, events) if after.bank else _sudden_death(after, events)


def _next_giver(state: State, guesser: Seat) -> Seat | None:
    """Who gives the clue after this turn; None: either side. A finished side is passed over (DUET §4, §11)."""
    order = state.setup.rules.order
    if order is Order.FREE:
        return None
    again = order is Order.TWO_ONE and state.turn % 3 == 1
    giver = guesser.other if again else guesser
    return giver.other if state.finished(giver) else giver


def _sudden_death(state: State, events: tuple[Event, ...]) -> Step:
    state = replace(state, phase=SUDDEN, giver=None, hits=0, clue=None, sudden=True)
    return state, (*events, SuddenDeathBegan())


def _won(state: State, events: tuple[Event, ...]) -> Step:
    return replace(state, phase=WON, giver=None), (*events, GameEnded(Outcome.WON, None))


def _lost(state: State, reason: Reason, events: tuple[Event, ...]) -> Step:
    state = replace(state, phase=LOST, giver=None, reason=reason)
    return state, (*events, GameEnded(Outcome.LOST, reason))
