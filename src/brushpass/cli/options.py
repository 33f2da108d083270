"""The options of a table, which `play` and `bench` share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from brushpass.duet.core.mission import Mission
    from brushpass.duet.core.table import TableRules

Turns = Annotated[int | None, typer.Option(metavar="T", help="Timer tokens, 1 to 11, instead of a city.")]
Mistakes = Annotated[int | None, typer.Option(metavar="M", help="Of them bystander side up; all if not given.")]
Words = Annotated[str, typer.Option(metavar="LIST", help="The card words: a name or a file.")]
OrderOption = Annotated[str, typer.Option("--order", metavar="ORDER", help="alternate, 2-1 or free.")]
LawOption = Annotated[str, typer.Option("--clue-law", metavar="LAW", help="reject or penalty.")]
Relax = Annotated[
    list[str] | None, typer.Option(metavar="NAME,…", help="Allowed in clues: proper-names, acronyms, compounds.")
]

DealtBy = Annotated[int | None, typer.Option(metavar="N", help="Deals the same board again.")]
First = Annotated[str | None, typer.Option(metavar="me|bot", help="Who gives the first clue; drawn if none.")]
Plain = Annotated[bool, typer.Option("--plain", help="Plain lines, for screen readers and pipes.")]


def mission_of(city: str | None, turns: int | None, mistakes: int | None) -> Mission | None:
    """The mission of `--turns` and `--mistakes`; None where a city is to say it.

    Raises:
        InvalidSetup: a city beside them, mistakes without turns, or numbers that cannot be.
    """
    from brushpass.duet.core.mission import Mission
    from brushpass.errors import InvalidSetup

    if turns is None and mistakes is None:
        return None
    if city is not None:
        raise InvalidSetup("--city is given beside --turns or --mistakes; give one or the other")
    if turns is None:
        raise InvalidSetup("--mistakes needs --turns")
    return Mission(turns, turns if mistakes is None else mistakes)


def table_rules(order: str, clue_law: str, relax: list[str] | None) -> TableRules:
    """The rules of a table; raises InvalidSetup for a name that does not exist."""
    from brushpass.duet.core.table import TableRules

    names = [name.strip() for text in relax or () for name in text.split(",") if name.strip()]
    return TableRules.read({"order": order, "clue_law": clue_law, "relax": names})


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
