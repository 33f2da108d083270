"""How many games in a row those at one table remember each other: what `embedding:memory=K` says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from brushpass.errors import InvalidSetup
from brushpass.registry import Spec

REMEMBERING: Final = "embedding"
"""The built-in agent that can."""


def memory_of(specs: Iterable[str]) -> int:
    """The number of games, 1 if nobody remembers.

    Raises:
        InvalidSetup: they do not agree, or it is no whole number of at least 1.
    """
    parsed = [Spec.parse(spec) for spec in specs]
    named = {spec.options["memory"] for spec in parsed if spec.name == REMEMBERING and "memory" in spec.options}
    if len(named) > 1:
        raise InvalidSetup(f"memory={' and memory='.join(sorted(named))} at one table: give both the same")
    return read_memory(*named) if named else 1


def read_memory(text: str) -> int:
    """The value of the option; raises InvalidSetup for what is no whole number of at least 1."""
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise InvalidSetup(f"{REMEMBERING}: memory={text} is not a whole number of at least 1")
    return int(text)
