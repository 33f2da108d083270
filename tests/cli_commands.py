"""The commands there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from brushpass.cli.main import app


def commands() -> list[tuple[str, ...]]:
    """Every command that does something, as its words."""
    return list(_below((), get_command(app)))


def _below(words: tuple[str, ...], command: Any) -> Iterator[tuple[str, ...]]:
    if not hasattr(command, "list_commands"):
        yield words
        return
    context = command.context_class(command)
    for name in command.list_commands(context):
        yield from _below((*words, name), command.get_command(context, name))
