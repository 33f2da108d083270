"""The command that deals a board again."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import join, quote
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from brushpass.duet.record import GameRecord

USUAL: Final = {"partner": "embedding", "words": "english", "order": "alternate", "clue_law": "reject"}
"""What need not be said."""


def again(options: Mapping[str, str], seed: int, bots: tuple[str, str] | None = None) -> str:
    """`brushpass play` with `options`, by their names in Python, as far as they are not the usual ones.

    With `bots` it is they who play.
    """
    words = ["brushpass play", *(["--bots", join(bots)] if bots else [])]
    for name, value in options.items():
        if name == "practice":
            words.append("--practice")
        elif name not in {"seed", "bots"} and value != USUAL.get(name):
            words += [f"--{name.replace('_', '-')}", quote(value)]
    return " ".join([*words, "--seed", str(seed)])


def again_of(record: GameRecord, words: str) -> str:
    """The same for a game of a person at seat A in a city, dealt from the word list `words`."""
    rules = record.setup.rules
    options = {"city": record.city, "partner": record.agents and record.agents[1], "words": words}
    options |= {"first": "me" if record.first == "A" else "bot", "order": rules.order, "clue_law": rules.clue_law}
    options |= {"relax": ",".join(sorted(rules.relax))}
    return again({name: str(value) for name, value in options.items() if value}, record.seed or 0)
