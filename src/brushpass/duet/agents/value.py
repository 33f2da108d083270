"""What a miss costs here and now, in found greens."""

from __future__ import annotations

from typing import Final, NamedTuple

from brushpass.duet.observation import Observation

AGENTS: Final = 15
GAME: Final = 4.0
"""The rest of a game, in greens: what an assassin costs. Chosen by simulation against partners of another mind."""

MISS: Final = 0.5
"""What a giver counts a bystander at least, in greens: a number is a promise, also where a miss costs no token more."""


class Stakes(NamedTuple):
    """The cost of touching a bystander, and of touching an assassin, against stopping; a found green is worth 1."""

    tan: float
    black: float


def stakes(view: Observation) -> Stakes:
    """The stakes of `view` (DUET §5).

    A stop costs a token too, so a bystander token costs nothing more; but where mistakes are rationed each makes
    a later one dearer, and with none left a mistake costs a second token, or the game. A token is worth the greens
    that must be found with each.
    """
    check, bank = view.check, view.bank
    pace = (AGENTS - view.covered.bit_count()) / max(bank, 1)
    if bank > check:
        return Stakes(pace * check / bank, GAME)
    return Stakes(pace if check >= 2 else GAME, GAME)


def clue_stakes(view: Observation) -> Stakes:
    """The stakes a clue is weighed by."""
    tan, black = stakes(view)
    return Stakes(max(tan, MISS), black)


NOTHING: Final = Stakes(0.0, 0.0)
"""Where a miss is as bad as a stop."""
STANDARD: Final = Stakes(MISS, GAME)
"""The stakes of a clue where only the cards are known."""
