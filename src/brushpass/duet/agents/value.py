"""How likely the game is won from a position as one seat knows it, and what a touch is worth there.

A game is taken as a row of turns. Each finds some agents and ends with a stop, a bystander or an assassin, as often as
in simulated games with partners of other minds: `models/value.json`, which `brushpass models build value` makes. The
chance of winning follows by dynamic programming over whole turns, with the tokens of both sides, what is left on
either side, and whose clue comes next.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.observation import Observation
from brushpass.errors import CorruptData
from brushpass.paths import find_data

AGENTS: Final = 15
AHEAD: Final = 4
"""How many touches of a turn are weighed."""
PARTS: Final = ("models", "value.json")
SIDE: Final = 9
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
    def of(cls, view: Observation) -> Place:
        """Where `view` stands; a turn under way counts as not yet begun."""
        own = (view.key.greens & ~view.covered).bit_count()
        giver = view.giver or view.seat
        return cls(view.check, view.bystander, own, AGENTS - view.covered.bit_count() - own, giver is view.seat)


class Turns(NamedTuple):
    """What turns come to: for this seat's clues and for the partner's, by the greens the giver has left.

    `ends` holds (hits, end, how often), `sudden` how often a touch in sudden death is right: the partner's, then ours.
    """

    ends: tuple[tuple[tuple[tuple[int, int, float], ...], ...], ...]
    sudden: tuple[float, float]


@cache
def turns() -> Turns:
    """The shipped frequencies.

    Raises:
        CorruptData: they are not there, or not what they should be.
    """
    path = find_data(*PARTS)
    if path is None:
        raise CorruptData("models/value.json is missing; install brushpass again")
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
        table = np.asarray(read["turns"], float)
        ours, partners = (float(right) for right in read["sudden"])
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise CorruptData(f"{path} is damaged ({error}); install brushpass again") from error
    if table.shape != (2, SIDE + 1, 5, 3) or (table < 0).any() or not np.allclose(table.sum(axis=(2, 3)), 1, atol=1e-3):
        raise CorruptData(f"{path} does not hold the frequencies of turns; install brushpass again")
    return Turns(tuple(tuple(_listed(left) for left in role) for role in table), (ours, partners))


def _listed(often: npt.NDArray[Any]) -> tuple[tuple[int, int, float], ...]:
    return tuple((hits, end, float(often[hits, end])) for hits, end in np.argwhere(often > 0).tolist())


@cache
def chance(place: Place) -> float:
    """P(the game is won) from `place`, before the turn; 0 where a token is owed that nobody has (DUET §5)."""
    check, bystander, own, theirs, mine = place
    if own <= 0 and theirs <= 0:
        return 1.0
    if check < 0:
        return 0.0
    known = turns()
    if check + bystander <= 0:
        partner, we = known.sudden
        return float(partner**own * we**theirs)
    mine = theirs <= 0 or (mine and own > 0)
    left = own if mine else theirs
    won = 0.0
    for hits, end, often in known.ends[not mine][min(left, SIDE)]:
        if end != BLACK:
            found = min(hits, left)
            rest = Place(check, bystander, own - found * mine, theirs - found * (not mine), not mine)
            won += often * chance(missed(rest) if end == TAN and found < left else stopped(rest))
    return won


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


def clue_stakes(view: Observation) -> Stakes:
    """What the partner's touches are worth after a clue of this seat."""
    return stakes(Place.of(view)._replace(mine=True))


def guess_stakes(view: Observation) -> Stakes:
    """What this seat's touches are worth after a clue of the partner."""
    return stakes(Place.of(view)._replace(mine=False))


@cache
def stakes(place: Place) -> Stakes:
    """What each touch of the turn that begins at `place` is worth: by how it changes the chance of winning."""
    worth = np.zeros((3, AHEAD))
    for hits in range(AHEAD):
        now, more = _after(place, hits), _after(place, hits + 1)
        stop = chance(stopped(now))
        worth[:, hits] = chance(stopped(more)) - stop, stop - chance(missed(now)), stop
    return np.asarray(worth / max(worth[GREENS, 0], 1e-9), np.float32)


def _after(place: Place, hits: int) -> Place:
    """`place` after so many hits of the turn, with the other side to give next."""
    if place.mine:
        return place._replace(own=max(place.own - hits, 0), mine=False)
    shared = max(hits - place.theirs, 0)  # then they are green on both sides
    return place._replace(theirs=max(place.theirs - hits, 0), own=max(place.own - shared, 0), mine=True)


STANDARD: Final = Place(check=0, bystander=9, own=SIDE, theirs=AGENTS - SIDE, mine=True)
"""The start of a standard game, for when only the cards are known."""
