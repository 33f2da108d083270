"""The one place where hiding happens: a game seen from one seat (DUET §9)."""

from __future__ import annotations

from brushpass.duet.core import rules
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.events import Event
from brushpass.duet.core.state import State
from brushpass.duet.observation import Observation


def observe(
    state: State, seat: Seat, history: tuple[Event, ...], refused: tuple[tuple[str, str], ...] = ()
) -> Observation:
    """What `seat` may know of `state`.

    It is built from the own side of the key, the public position and the public `history` (the events of
    `rules.step` so far) alone: two keys that agree on these give equal observations (DUET I4).
    """
    setup = state.setup
    return Observation(
        seat=seat,
        giver=state.giver,
        phase=state.phase,
        words=setup.board.words,
        key=setup.keys.side(seat),
        found=state.found,
        marks=state.marks,
        mission=setup.mission,
        rules=setup.rules,
        check=state.check,
        bystander=state.bystander,
        checks=state.checks,
        clue=state.clue,
        finished=state.finished_sides,
        hits=state.hits,
        history=history,
        must_guess=_must_guess(state, seat),
        refused=refused,
    )


def _must_guess(state: State, seat: Seat) -> bool:
    if state.phase is rules.GUESS:
        return state.giver is not seat and not state.hits
    return state.phase is rules.SUDDEN and rules.bound_to_guess(state, seat)
