"""How a turn goes, as a chain of touches: each hits, or ends the turn by a stop, a bystander or an assassin."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from brushpass.duet.agents.value import SIDE, STOP
from brushpass.duet.train.lessons import HIT, MOST_HITS

Doubles = NDArray[np.float64]

DOUBT: Final = 0.5
"""So many touches of each event are added for each number of agents left: what was rarely seen stays possible."""
HOLD: Final = 10.0
"""The C of the regressions: the smaller, the more alike are turns with few and with many agents left."""
FEW: Final = 4
"""Agents left up to which guesses in sudden death are counted: with more the game is as good as lost."""


def fit_turns(touches: NDArray[np.int64]) -> Doubles:
    """The chances of how a turn ends: [role][agents left][hits][stop, tan, black].

    Each [role][agents left] sums to 1. For each role and number of hits before, what becomes of a touch is a
    multinomial logistic regression on the agents left and their square; `touches` is counted by `Lessons`.
    """
    turns = np.zeros((2, SIDE + 1, MOST_HITS + 1, HIT))
    turns[:, 0, 0, STOP] = 1
    for role in range(2):
        events = np.stack([_events(touches[role, :, hits], hits) for hits in range(MOST_HITS + 1)], axis=1)
        for left in range(1, SIDE + 1):
            turns[role, left] = _chain(events[left], left)
    return turns


def _events(counts: NDArray[np.int64], hits: int) -> Doubles:
    """The chance of each event by agents left, (10, 4), from their counts after so many hits.

    The first touch of a turn cannot be a stop. With more agents than were ever left it goes as with the most.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    seen = np.flatnonzero(counts.sum(axis=1))
    places = range(hits + 1, max(seen.max(initial=0), hits + 1) + 1)
    events = range(HIT + 1) if hits else range(STOP + 1, HIT + 1)
    left = np.clip(np.arange(SIDE + 1), places[0], places[-1])
    features = StandardScaler().fit_transform(np.stack([left, left**2], axis=1))
    rows = [(place, event) for place in places for event in events]
    fit = LogisticRegression(C=HOLD, max_iter=1000, tol=1e-8).fit(
        features[[place for place, _ in rows]],
        [event for _, event in rows],
        sample_weight=[counts[row] + DOUBT for row in rows],
    )
    chances = np.zeros((SIDE + 1, HIT + 1))
    chances[:, list(events)] = fit.predict_proba(features)
    return chances


def _chain(events: Doubles, left: int) -> Doubles:
    """How a turn with so many agents left ends, (5, 3); finding the last one ends it as a stop does."""
    ends = np.zeros((MOST_HITS + 1, HIT))
    alive = 1.0
    for hits in range(left):
        place = min(hits, MOST_HITS)
        ends[place] += alive * events[place, :HIT]
        alive *= events[place, HIT]
    ends[min(left, MOST_HITS), STOP] += alive
    return ends


def fit_sudden(sudden: NDArray[np.int64]) -> Doubles:
    """The chance that a guess in sudden death is right: of the partner, and of the bot, (2,)."""
    wrong, right = sudden[:, : FEW + 1].sum(axis=1).T + 1.0
    return np.asarray(right / (wrong + right))
