"""With whom the value of a position is learned: partners of other minds, habits and noise than the bot's."""

from __future__ import annotations

from typing import Final

from brushpass.duet.agents.options import mind_of
from brushpass.duet.core.cards import Seat
from brushpass.duet.plan import Plan
from brushpass.errors import InvalidSetup

BOT: Final = Seat.A
"""The bot's seat; who gives the first clue is dealt."""
MINDS: Final = (("glove-use", "minilm"), ("glove-norm", "minilm"), ("glove-norm", "use"), ("minilm", "glove"))
"""The mind of the bot and of its partner: no two that share an ingredient."""
HABITS: Final = ("person", "cautious", "eager")
NOISES: Final = ((0.0, 0.0), (0.3, 0.35), (0.55, 0.65))
"""Of guesses and of clues: sharp, between, and as people are."""
GAMES: Final = 30
"""A pair and city."""


def panel(games: int, seed: int = 0) -> Plan:
    """Every bot beside every partner, `games` deals in each of the 26 cities.

    Raises:
        InvalidSetup: `games` is no whole number of at least 1, or two minds share an ingredient.
    """
    pairs = [
        (f"embedding:model={bot}", f"{habit}:model={partner},guess_noise={guesses:g},clue_noise={clues:g}")
        for bot, partner in MINDS
        for habit in HABITS
        for guesses, clues in NOISES
    ]
    for bot, partner in pairs:
        mine, theirs = mind_of(bot), mind_of(partner)
        if mine and theirs and (shared := {*mine.ingredients} & {*theirs.ingredients}):
            raise InvalidSetup(f"{bot} and {partner} share {', '.join(sorted(shared))}: choose other minds")
    return Plan(pairs=pairs, games=games, seed=seed)
