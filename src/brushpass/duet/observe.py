"""The one place where hiding happens: a game seen from one seat (DUET §9)."""

from __future__ import annotations

from brushpass.duet.core import rules
from brushpass.duet.core.cards import A, Seat
from brushpass.duet.core.events import Event
from brushpass.duet.core.state import Setup, State
from brushpass.duet.observation import Observation


def observe(
    state: State, seat: Seat, history: tuple[Event, ...], refused: tuple[tuple[str, str], ...] = ()
) -> Observation:
    """What `seat` may know of `state`.

    It is built from the own side of the key, the public position and the public `history` (the events of
    `rules.step` so far) alone: two keys that agree on these give equal observations (DUET I4).
    """
    setup, keys = state.setup, state.setup.keys
    return Observation(
        seat,
        state.giver,
        state.phase,
        setup.board.words,
        keys.a if seat is A else keys.b,
        state.found,
        state.marks,
        setup.mission,
        setup.rules,
        state.check,
        state.bystander,
        state.checks,
        state.clue,
        state.finished_sides,
        state.hits,
        history,
        not state.hits and state.giver is not seat if state.phase is rules.GUESS else _bound(state, seat),
        refused,
    )


def opening(setup: Setup, seat: Seat) -> Observation:
    """What `seat` sees before the first clue of a game."""
    return observe(rules.new_game(setup), seat, ())


def _bound(state: State, seat: Seat) -> bool:
    return state.phase is rules.SUDDEN and rules.bound_to_guess(state, seat)
