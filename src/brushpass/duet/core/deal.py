"""Dealing a table: board, key and first giver, from a seed (DUET R1, R2)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import SEATS
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import TableRules
from brushpass.lexicon.wordlists import DEFAULT, load_wordlist


def deal(
    words: Sequence[str] | None = None, mission: Mission | None = None, rules: TableRules | None = None, seed: int = 0
) -> Setup:
    """The table that `seed` deals from `words`.

    What is left out is the English list, the standard game of nine tokens, and alternating clues.

    Raises:
        InvalidSetup: fewer than 25 words.
        CorruptData: the English list cannot be read.
    """
    rng = random.Random(seed)
    board = Board.deal(load_wordlist(DEFAULT).words if words is None else words, rng)
    keys = KeyCard.deal(rng)
    first = rng.choice(SEATS)
    table = rules or TableRules()
    return Setup(board, keys, mission or Mission(), first, table, ClueLaw(relax=table.relax))
