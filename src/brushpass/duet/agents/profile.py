"""What is believed of one partner: whose mind its own is like, how surely it chooses, and how it takes a number.

A partner may think like any mind of a panel, or like two of them in equal parts, and choose more or less surely than
people do on average. Every card it touches and every clue it gives makes some of that more likely (Bayes, with
Luce's choice model as the likelihood).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations, compress
from typing import Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents.evidence import Habit

HEATS: Final = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0)
"""Temperatures a partner may have, as shares of the one that its mind has for people in general."""
USUAL: Final = 0.7
"""The one expected beforehand."""
SPREAD: Final = 0.7
"""How far from that it may be, as a standard deviation of the logarithm."""
OWN: Final = 0.5
"""The chance beforehand that the partner thinks as the bot itself does; what is like other minds shares the rest."""
EARLY: Final = (1.0, 19.0)
"""Stops and goings-on below the number that are taken to have been seen beforehand."""
LATE: Final = (19.0, 1.0)
"""Likewise at or above it."""

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Profile:
    """A belief about one partner.

    Attributes:
        panel: names of the minds that its own may be like; the first is the bot's.
        logs: log-likelihood of all that it was seen to do, a row a mixture of the panel (see `mixtures`), a column a
            temperature of `HEATS`; float64.
        games: how many games that was.
        clues: clues it gave in them.
        touches: cards it touched for a clue.
        habit: how it takes a number. It is seen and told; to play by it won nothing.
        last: the hash of the game learned from last, so that none teaches twice.
    """

    panel: tuple[str, ...]
    logs: Doubles
    games: int = 0
    clues: int = 0
    touches: int = 0
    habit: Habit = field(default_factory=Habit)
    last: str = ""

    @classmethod
    def blank(cls, panel: Sequence[str]) -> Profile:
        """Of a partner not yet seen."""
        names = tuple(dict.fromkeys(panel))
        return cls(names, np.zeros((len(mixtures(len(names))), len(HEATS))))

    def beside(self, panel: Sequence[str]) -> Profile:
        """The same belief with another panel: a mixture that is new there starts at the average of those known."""
        names = tuple(dict.fromkeys(panel))
        if names == self.panel:
            return self
        known = dict(zip(self.mixtures(), self.logs, strict=True))
        logs = self.logs + _prior(len(self.panel))
        average = np.logaddexp.reduce(logs, axis=0) - np.logaddexp.reduce(_prior(len(self.panel)), axis=0)
        new = Profile.blank(names)
        return replace(self, panel=names, logs=np.array([known.get(parts, average) for parts in new.mixtures()]))

    def mixtures(self) -> tuple[frozenset[str], ...]:
        """The minds in each row of `logs`, in equal parts."""
        rows = mixtures(len(self.panel))
        return tuple(frozenset(compress(self.panel, row > 0)) for row in rows)

    def chances(self) -> Doubles:
        """The posterior, shape as `logs`."""
        logs = self.logs + _prior(len(self.panel))
        chances = np.exp(logs - logs.max())
        return np.asarray(chances / chances.sum())

    def minds(self) -> Mapping[str, float]:
        """How much each mind of the panel is expected to have a part in the partner's; the parts add up to 1."""
        parts = self.chances().sum(axis=1) @ mixtures(len(self.panel))
        return dict(zip(self.panel, parts.tolist(), strict=True))

    def heat(self) -> float:
        """Its temperature as a share of people's: the geometric mean of the posterior."""
        return float(np.exp(self.chances().sum(axis=0) @ np.log(HEATS)))

    def goes_on_early(self) -> float:
        """The chance that it goes on after a hit while the number is not yet reached."""
        return _share(self.habit.went_on_early, self.habit.stopped_early, EARLY)

    def goes_on_late(self) -> float:
        """The chance that it goes on after a hit when the number is reached."""
        return _share(self.habit.went_on, self.habit.stopped, LATE)


def _share(on: int, off: int, before: tuple[float, float]) -> float:
    return (on + before[1]) / (on + off + sum(before))


@lru_cache
def mixtures(minds: int) -> Doubles:
    """What a mind may be like: each of so many alone, then every two in equal parts; weights (mixtures, minds)."""
    alone = np.eye(minds)
    return np.array([*alone, *((alone[a] + alone[b]) / 2 for a, b in combinations(range(minds), 2))])


@lru_cache
def _prior(minds: int) -> Doubles:
    """Log-chances beforehand, (mixtures, temperatures)."""
    others = len(mixtures(minds)) - 1
    mixed = np.full(others + 1, (1 - OWN) / others if others else 0.0)
    mixed[0] = OWN if others else 1.0
    heats = np.exp(-0.5 * (np.log(np.array(HEATS) / USUAL) / SPREAD) ** 2)
    return np.asarray(np.log(mixed)[:, None] + np.log(heats / heats.sum()))
