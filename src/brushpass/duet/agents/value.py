"""How likely the game is won from a position as one seat knows it, and what a touch is worth there.

A game is taken as a row of turns. Each finds some agents and ends with a stop, a bystander or an assassin, as often as
in simulated games with partners of other minds: `models/value.json`, which `brushpass models build value` makes. The
chance of winning follows by dynamic programming over whole turns, with the tokens of both sides, what is left on
either side, and whose clue comes next.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.core.cards import AGENTS, COLOR_COUNTS, Color
from brushpass.duet.observation import Observation
from brushpass.errors import CorruptData
from brushpass.paths import find_data

AHEAD: Final = 4
"""How many touches of a turn are weighed."""
PARTS: Final = ("models", "value.json")
SIDE: Final = COLOR_COUNTS[Color.GREEN]
"""Greens on one side of a key."""
STOP, TAN, BLACK = range(3)
"""How a turn ends."""
GREENS, TANS, BLACKS = range(3)
"""The rows of stakes."""

Stakes = npt.NDArray[np.float32]
"""What a touch is worth: what a green adds, a bystander costs, an assassin costs, after 0, 1, … hits; (3, `AHEAD`).

In agents: the first green is worth 1.
"""


class Place(NamedTuple):
    """Where a game stands, as one seat knows it.

    `check` and `bystander` are the tokens left, `own` the own greens still to be found, `theirs` the other agents, and
    `mine` tells whether the next clue is this seat's.
    """

    check: int
    bystander: int
    own: int
    theirs: int
    mine: bool

    @classmethod
    def of(cls, view: Observation, mine: bool | None = None) -> Place:
        """Where `view` stands; a turn under way counts as not yet begun. None: it is the turn of who gives now."""
        covered = view.covered
        own = (view.key.greens & ~covered).bit_count()
        if mine is None:
            mine = view.giver in (None, view.seat)
        return cls(view.check, view.bystander, own, AGENTS - covered.bit_count() - own, mine)


class Prospects:
    """Chances of winning by how turns go: dynamic programming over whole turns.

    Args:
        turns: how often a turn ends how, by who gives the clue (this seat, the partner), the agents that the giver has
            left, hits, and end; (2, `SIDE` + 1, 5, 3).
        sudden: how often a touch in sudden death is right: the partner's, then ours.
    """

    def __init__(self, turns: npt.ArrayLike, sudden: npt.ArrayLike) -> None:
        table = np.asarray(turns, np.float64)
        self._turns = [[_ends(table[role, left], left) for left in range(table.shape[1])] for role in range(2)]
        self._by_partner, self._by_us = np.asarray(sudden, np.float64).tolist()
        self._known: dict[Place, float] = {}

    def chance(self, place: Place) -> float:
        """P(the game is won) from `place`, before the turn; 0 where a token is owed that nobody has (DUET §5)."""
        if place not in self._known:
            self._known[place] = self._reckoned(place)
        return self._known[place]

    def _reckoned(self, place: Place) -> float:
        check, bystander, own, theirs, mine = place
        if own <= 0 and theirs <= 0:
            return 1.0
        if check < 0:
            return 0.0
        if check + bystander <= 0:
            return float(self._by_partner**own * self._by_us**theirs)
        mine = theirs <= 0 or (mine and own > 0)  # a finished side gives no clue
        won = 0.0
        for hits, end, often in self._turns[not mine][own if mine else theirs]:
            rest = Place(check, bystander, own - hits * mine, theirs - hits * (not mine), not mine)
            won += often * self.chance(missed(rest) if end == TAN else stopped(rest))
        return won


def _ends(often: npt.NDArray[np.float64], left: int) -> list[tuple[int, int, float]]:
    """Hits, end and frequency of each way a turn goes on to the next, with no more hits than agents `left`."""
    return [
        (min(hits, left), end if hits < left else STOP, float(often[hits, end]))
        for hits, end in np.argwhere(often > 0).tolist()
        if end != BLACK
    ]


@cache
def shipped() -> Prospects:
    """The chances by `models/value.json`.

    Raises:
        CorruptData: it is not there, or not what it should be.
    """
    path = find_data(*PARTS)
    if path is None:
        raise CorruptData("models/value.json is missing; install brushpass again")
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
        table = np.asarray(read["turns"], float)
        partners, ours = (float(right) for right in read["sudden"])
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise CorruptData(f"{path} is damaged ({error}); install brushpass again") from error
    if table.shape != (2, SIDE + 1, 5, 3) or (table < 0).any() or not np.allclose(table.sum(axis=(2, 3)), 1, atol=1e-3):
        raise CorruptData(f"{path} does not hold the frequencies of turns; install brushpass again")
    return Prospects(table, (partners, ours))


def chance(place: Place) -> float:
    """P(the game is won) from `place`, by the shipped frequencies."""
    return shipped().chance(place)


def stopped(place: Place) -> Place:
    """`place` once a token is paid for a turn without a miss."""
    if place.check:
        return place._replace(check=place.check - 1)
    return place._replace(bystander=place.bystander - 1)


def missed(place: Place) -> Place:
    """`place` once a bystander is paid for: where mistakes are used up, with two tokens."""
    if place.bystander:
        return place._replace(bystander=place.bystander - 1)
    return place._replace(check=place.check - 2)


@cache
def stakes(place: Place) -> Stakes:
    """What each touch of the turn that begins at `place` is worth: by how it changes the chance of winning."""
    worth = np.zeros((3, AHEAD))
    for hits in range(AHEAD):
        now, more = _after(place, hits), _after(place, hits + 1)
        stop = chance(stopped(now))
        worth[:, hits] = chance(stopped(more)) - stop, stop - chance(missed(now)), stop
    return np.asarray(worth / max(worth[GREENS, 0], 1e-9), np.float32)


def fixed(place: Place) -> Stakes:
    """Stakes that are the same anywhere: a bystander costs a fifth of an agent, an assassin four."""
    del place
    return _FIXED


WEIGHS: Final[Mapping[str, Weigh]] = {"value": stakes, "fixed": fixed}
"""By name, the default first."""


def _after(place: Place, hits: int) -> Place:
    """`place` after so many hits of the turn, with the other side to give next."""
    if place.mine:
        return place._replace(own=max(place.own - hits, 0), mine=False)
    shared = max(hits - place.theirs, 0)  # then they are green on both sides
    return place._replace(theirs=max(place.theirs - hits, 0), own=max(place.own - shared, 0), mine=True)


Weigh = Callable[[Place], Stakes]
"""What tells the stakes of a turn by where the game stands, and by nothing else: `stakes`, or a player's own."""
_FIXED: Final[Stakes] = np.repeat(np.array([[1], [0.2], [4]], np.float32), AHEAD, axis=1)
STANDARD: Final = Place(check=0, bystander=9, own=SIDE, theirs=AGENTS - SIDE, mine=True)
"""The start of a standard game, for when only the cards are known."""
