"""Whether chances come true: expected against happened, and the correction where they do not."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from brushpass.arena.stats import mean
from brushpass.duet.agents.value import Place
from brushpass.duet.train.lessons import Lessons
from brushpass.duet.train.prospects import Prospects, logit

BINS: Final = 10
LOOSE: Final = 1e6
"""The C of a regression that nothing holds back."""


def calibration(lessons: Lessons, prospects: Prospects) -> list[dict[str, Any]]:
    """Expected and happened chance of winning, in ten groups of places, each with a tenth of the wins expected.

    Errors are standard errors, clustered by game; none where a group has one game.
    """
    places, won, games = lessons.rows()
    chances = np.array([prospects.chance(at) for at in places])
    order = np.argsort(chances, kind="stable")
    shares = np.cumsum(chances[order]) / max(chances.sum(), np.finfo(float).tiny)
    group = np.empty(len(order), np.int64)
    group[order] = np.minimum(shares * BINS, BINS - 1).astype(np.int64)
    rows = []
    for number in np.unique(group):
        inside = group == number
        happened = mean(won[inside], games[inside])
        rows.append(
            {
                "places": int(inside.sum()),
                "games": len(np.unique(games[inside])),
                "expected": round(float(chances[inside].mean()), 4),
                "happened": round(happened.value, 4),
                "error": None if np.isnan(happened.error) else round(happened.error, 4),
            }
        )
    return rows


def correct(lessons: Lessons, plain: Prospects) -> tuple[float, float]:
    """Slope and intercept of a logistic regression of what happened on the log-odds of the plain chances (Platt 1999).

    1 and 0 where games were only lost or only won, or where the regression would turn the chances round.
    """
    from sklearn.linear_model import LogisticRegression

    places, won, _ = lessons.rows()
    odds = np.array([_odds(plain, at) for at in places])
    known = np.isfinite(odds)
    if len(np.unique(won[known])) < 2:
        return 1.0, 0.0
    fit = LogisticRegression(C=LOOSE, tol=1e-8, max_iter=1000).fit(odds[known, None], won[known])
    slope = round(float(fit.coef_[0, 0]), 4)
    return (slope, round(float(fit.intercept_[0]), 4)) if slope > 0 else (1.0, 0.0)


def _odds(plain: Prospects, at: Place) -> float:
    chance = plain.plain(at)
    return logit(chance) if 0 < chance < 1 else np.inf
