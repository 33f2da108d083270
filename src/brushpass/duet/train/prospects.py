"""The chance of winning from every position, by how turns go: dynamic programming over whole turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from brushpass.duet.agents.value import AGENTS, BLACK, SIDE, STOP, TAN, Place, missed, stopped
from brushpass.duet.core.mission import MAX_TURNS
from brushpass.duet.train.lessons import HIT, MOST_HITS
from brushpass.duet.train.turnmodel import Doubles

SLACK: Final = 1e-9
"""What rounding may make of two equal chances."""


class Prospects:
    """Chances of winning by what `fit_turns` and `fit_sudden` found; `agents.value` reckons alike."""

    def __init__(self, turns: ArrayLike, sudden: ArrayLike) -> None:
        table = np.asarray(turns, np.float64)
        self._turns = [[_ends(table[role, left], left) for left in range(table.shape[1])] for role in range(2)]
        self._by_partner, self._by_bot = np.asarray(sudden, np.float64).tolist()
        self._known: dict[Place, float] = {}

    def chance(self, at: Place) -> float:
        """P(the game is won) from `at`."""
        if at not in self._known:
            self._known[at] = self._reckoned(at)
        return self._known[at]

    def _reckoned(self, at: Place) -> float:
        if not at.own and not at.theirs:
            return 1.0
        if at.check < 0:
            return 0.0
        if not at.check and not at.bystander:
            return float(self._by_partner**at.own * self._by_bot**at.theirs)
        mine = bool(at.own) and (at.mine or not at.theirs)  # a finished side gives no clue
        total = 0.0
        for hits, end, chance in self._turns[int(not mine)][at.own if mine else at.theirs]:
            after = at._replace(mine=not mine)
            after = after._replace(own=at.own - hits) if mine else after._replace(theirs=at.theirs - hits)
            total += chance * self.chance(missed(after) if end == TAN else stopped(after))
        return total


def _ends(chances: Doubles, left: int) -> list[tuple[int, int, float]]:
    """Hits, end and chance of each way a turn goes on to the next, with no more hits than agents `left`."""
    return [
        (min(hits, left), end if hits < left else STOP, float(chances[hits, end]))
        for hits in range(MOST_HITS + 1)
        for end in range(HIT)
        if end != BLACK and chances[hits, end] > 0
    ]


def places() -> Iterator[Place]:
    """Every place there can be before a clue."""
    for tokens in range(MAX_TURNS + 1):
        for check in range(tokens + 1):
            for own in range(SIDE + 1):
                for theirs in range(AGENTS - SIDE + 1):
                    for mine in (True, False):
                        yield Place(check, tokens - check, own, theirs, mine)


def broken(prospects: Prospects) -> tuple[Place, Place] | None:
    """A place and a better one that has the lesser chance, or None.

    Better is a token more, a token bystander side up instead of check side up, or an agent less to find.
    """
    for at in places():
        better = [at._replace(check=at.check + 1), at._replace(bystander=at.bystander + 1)]
        better += [at._replace(check=at.check - 1, bystander=at.bystander + 1)] if at.check else []
        better += [at._replace(own=at.own - 1)] if at.own else []
        better += [at._replace(theirs=at.theirs - 1)] if at.theirs else []
        for one in better:
            if prospects.chance(one) < prospects.chance(at) - SLACK:
                return at, one
    return None
