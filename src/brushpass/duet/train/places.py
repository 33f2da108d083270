"""Whether chances of winning are in order: every place there can be, and a better one is never worse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from brushpass.duet.agents.value import SIDE, Place, Prospects
from brushpass.duet.core.cards import AGENTS
from brushpass.duet.core.mission import MAX_TURNS

SLACK: Final = 1e-9
"""What rounding may make of two equal chances."""


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
