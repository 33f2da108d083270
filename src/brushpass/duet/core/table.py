"""What a table agrees on before the game (DUET §8, §11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from reprlib import repr as brief
from typing import Any, Final, Self

from brushpass.duet.core.cluelaw import RELAXATIONS
from brushpass.errors import InvalidSetup

_RELAXATIONS: Final = sorted(RELAXATIONS)


class Order(StrEnum):
    """Who gives the next clue."""

    ALTERNATE = "alternate"
    TWO_ONE = "2-1"
    FREE = "free"


class LawMode(StrEnum):
    """What an illegal clue does: it is refused, or it costs a token and stands."""

    REJECT = "reject"
    PENALTY = "penalty"


@dataclass(frozen=True, slots=True)
class TableRules:
    """The `rules` of a game record."""

    order: Order = Order.ALTERNATE
    clue_law: LawMode = LawMode.REJECT
    relax: frozenset[str] = frozenset()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON form; an absent key is its default.

        Raises:
            InvalidSetup: a value that names no order, law or relaxation.
        """
        relax = data.get("relax", [])
        if not isinstance(relax, list | tuple | frozenset):
            raise InvalidSetup(f"relax {brief(relax)} is not a list of names; known: {', '.join(_RELAXATIONS)}")
        for name in relax:
            if name not in _RELAXATIONS:
                raise InvalidSetup(f"unknown relaxation {brief(name)}; known: {', '.join(_RELAXATIONS)}")
        return cls(
            _member(Order, "order", data.get("order", Order.ALTERNATE)),
            _member(LawMode, "clue law", data.get("clue_law", LawMode.REJECT)),
            frozenset(relax),
        )

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"order": str(self.order), "clue_law": str(self.clue_law), "relax": sorted(self.relax)}


def _member(kind: type[StrEnum], name: str, value: object) -> Any:  # noqa: ANN401 - a member of whichever enum is asked
    if value not in list(kind):
        raise InvalidSetup(f"unknown {name} {brief(value)}; known: {', '.join(kind)}")
    return kind(str(value))
