"""What a miss costs here and now, in found greens: from how likely the game is still won.

The chance of winning follows from a plain picture of the turns to come: each finds none to four agents, with these
frequencies, unless it touches an assassin. It was drawn from simulated games with partners of another mind.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.observation import Observation

AGENTS: Final = 15
HITS: Final = (0.22, 0.33, 0.27, 0.13, 0.05)
"""How often a turn finds 0, 1, … agents."""
ASSASSIN: Final = 0.10
"""How often a turn touches an assassin."""
SUDDEN: Final = 0.45
"""How often a guess in sudden death is right."""
MISS: Final = 0.2
"""What a giver counts a bystander at least, in greens: a number is a promise, also where a miss costs no token more."""

AHEAD: Final = 4
"""How many guesses of a turn are thought out at once."""


class Stakes(NamedTuple):
    """The cost of touching a bystander, and of touching an assassin, against stopping; a found green is worth 1."""

    tan: float
    black: float


@cache
def chance(tokens: int, left: int) -> float:
    """P(the game is won) with `tokens` in the bank and `left` agents to find, before a turn."""
    if left <= 0:
        return 1.0
    if tokens <= 0:
        return SUDDEN**left
    return (1 - ASSASSIN) * sum(often * chance(tokens - 1, left - hits) for hits, often in enumerate(HITS))


def stakes(view: Observation) -> Stakes:
    """The stakes of `view` (DUET §5).

    A stop costs a token too, so a bystander token costs nothing more; but where mistakes are rationed each makes a
    later one dearer, and with none left a mistake costs a second token, or the game. The fewer tokens there are for
    the agents left, the less is lost with the game, and the more may be risked for a green.
    """
    return _stakes(view.check, view.bystander, AGENTS - view.covered.bit_count())


def stakes_ahead(view: Observation) -> npt.NDArray[np.float64]:
    """The stakes of `view` and of what follows its next hits, tan and black, (up to `AHEAD`, 2)."""
    return _stakes_ahead(view.check, view.bystander, AGENTS - view.covered.bit_count())


@cache
def _stakes_ahead(check: int, bystander: int, left: int) -> npt.NDArray[np.float64]:
    return np.array([_stakes(check, bystander, left - hits) for hits in range(min(AHEAD, left))])


@cache
def _stakes(check: int, bystander: int, left: int) -> Stakes:
    bank = check + bystander
    game = chance(bank - 1, left)
    green = chance(bank - 1, left - 1) - game
    black = max(game / green, 1.0)
    token = (game - chance(bank - 2, left)) / green if bank > 1 else black
    if bystander:
        return Stakes(token * check / bank, black)
    return Stakes(token if check >= 2 else black, black)


def clue_stakes(view: Observation) -> Stakes:
    """The stakes a clue is weighed by."""
    return _clue_stakes(view.check, view.bystander, AGENTS - view.covered.bit_count())


@cache
def _clue_stakes(check: int, bystander: int, left: int) -> Stakes:
    tan, black = _stakes(check, bystander, left)
    return Stakes(max(tan, MISS), black)


STANDARD: Final = Stakes(MISS, _stakes(0, 9, AGENTS).black)
"""The stakes of a clue at the start of a standard game, for when only the cards are known."""
NOTHING: Final = Stakes(0.0, 0.0)
"""The stakes of sudden death, where any miss is the end: only the chance of a hit counts."""
