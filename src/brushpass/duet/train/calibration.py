"""Whether chances come true: expected against happened."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from brushpass.arena.stats import mean
from brushpass.duet.agents.value import Prospects
from brushpass.duet.train.lessons import Ints, Lessons

Doubles = NDArray[np.float64]

GROUPS: Final = 10
LOOSE: Final = 1e6
"""The C of a regression that nothing holds back."""


def calibration(lessons: Lessons, prospects: Prospects) -> dict[str, Any]:
    """How the chances of winning compare with what happened in games that taught nothing.

    `groups` are the places before a clue in ten groups by their chance, each with a tenth of the wins expected, with
    the standard error of what happened, clustered by game (none where a group has one game). `slope` and `intercept`
    are of the logistic regression of what happened on the log-odds of the chances (Platt 1999): 1 and 0 where these are
    right, None where all games were won or all lost.
    """
    places, won, games = lessons.rows()
    chances = np.array([prospects.chance(at) for at in places])
    slope, intercept = _regression(chances, won)
    order = np.argsort(chances, kind="stable")
    shares = np.cumsum(chances[order]) / max(chances.sum(), np.finfo(float).tiny)
    group = np.empty(len(order), np.int64)
    group[order] = np.minimum(shares * GROUPS, GROUPS - 1).astype(np.int64)
    insides = [group == number for number in np.unique(group)]
    rows = [_compared(chances[inside], won[inside], games[inside]) for inside in insides]
    return {"games": lessons.games, "slope": slope, "intercept": intercept, "groups": rows}


def _compared(chances: Doubles, won: Ints, games: Ints) -> dict[str, Any]:
    happened = mean(won, games)
    return {
        "places": len(won),
        "games": len(np.unique(games)),
        "expected": round(float(chances.mean()), 4),
        "happened": round(happened.value, 4),
        "error": None if np.isnan(happened.error) else round(happened.error, 4),
    }


def _regression(chances: Doubles, won: Ints) -> tuple[float | None, float | None]:
    from sklearn.linear_model import LogisticRegression

    doubtful = (chances > 0) & (chances < 1)
    if len(np.unique(won[doubtful])) < 2:
        return None, None
    odds = np.log(chances[doubtful] / (1 - chances[doubtful]))
    fit = LogisticRegression(C=LOOSE, tol=1e-8, max_iter=1000).fit(odds[:, None], won[doubtful])
    return round(float(fit.coef_[0, 0]), 3), round(float(fit.intercept_[0]), 3)
