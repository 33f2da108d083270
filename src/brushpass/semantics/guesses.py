"""People's guesses: one clue on one board, and what every person touched (INTERFACES §6).

Guess sets belong to whoever holds them; none is part of this package.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold
from brushpass.semantics.choice import Doubles


@dataclass(frozen=True)
class Item:
    """One clue on one board, and every person's clicks; cards are places on the board."""

    source: str
    game: str
    board: tuple[str, ...]
    clue: str
    number: int
    targets: frozenset[int]
    guesses: tuple[tuple[int, ...], ...]
    """A tuple a person who guessed at all."""
    ordered: bool
    """Whether clicks come in the order they were made; else each counts equally as the first."""
    assassins: frozenset[int]
    bystanders: frozenset[int]

    @property
    def colored(self) -> bool:
        """Whether the colors of the cards are given."""
        return bool(self.assassins or self.bystanders)

    @cached_property
    def firsts(self) -> tuple[tuple[int, ...], ...]:
        """What each person may have touched first: one card, or several that count alike."""
        return tuple(guesses[:1] if self.ordered else guesses for guesses in self.guesses)

    @cached_property
    def shares(self) -> Doubles:
        """The share of first guesses each card got, (cards,); sums to 1 if anybody guessed."""
        return self._spread(lambda first: 1 / len(first))

    @cached_property
    def hits(self) -> Doubles:
        """The share of people for whom each card would have been right as the first guess, (cards,)."""
        return self._spread(lambda _: 1.0)

    def _spread(self, part: Any) -> Doubles:  # noqa: ANN401 - a function of a person's firsts
        table = np.zeros(len(self.board))
        for first in self.firsts:
            table[list(first)] += part(first) / len(self.firsts)
        return table


def read_items(files: Iterable[Path]) -> list[Item]:
    """The items of guess sets, in order.

    Raises:
        CorruptData: a file is unreadable or holds none, or a line is not as INTERFACES §6 says.
    """
    return [item for path in files for item in _read(path)]


def clusters(items: Sequence[Item]) -> list[str]:
    """What the items of one source are clustered by: their game; where games repeat boards, their board."""
    boards = [" ".join(sorted(item.board)) for item in items]
    games = [item.game for item in items]
    return boards if len(set(boards)) < len(set(games)) else games


def by_cluster(items: Sequence[Item]) -> list[str]:
    """The cluster of each item, whatever its source."""
    found: dict[int, str] = {}
    for source in dict.fromkeys(item.source for item in items):
        rows = [row for row, item in enumerate(items) if item.source == source]
        names = clusters([items[row] for row in rows])
        found |= {row: f"{source} {name}" for row, name in zip(rows, names, strict=True)}
    return [found[row] for row in range(len(items))]


def cluster_sums(values: Doubles, clusters: Sequence[Hashable]) -> Doubles:
    """The sums (clusters, …) of `values` (items, …) over the items of each cluster, as clustered errors need them."""
    places: dict[Hashable, int] = {}
    rows = [places.setdefault(cluster, len(places)) for cluster in clusters]
    sums = np.zeros((len(places), *values.shape[1:]))
    np.add.at(sums, rows, values)
    return sums


def _read(path: Path) -> list[Item]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CorruptData(f"cannot read {path}: {error}") from None
    items = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                items.append(_item(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
                raise CorruptData(f"{path}, line {number} is no guess item: {_reason(error)}") from None
    if not items:
        raise CorruptData(f"{path} holds no guess item")
    return items


def _reason(error: Exception) -> str:
    return f"key {error} is missing" if isinstance(error, KeyError) else str(error)


def _item(data: Mapping[str, Any]) -> Item:
    board = [fold(word) for word in _listed(data["board"])]

    def places(words: Iterable[str]) -> tuple[int, ...]:
        """Of distinct cards: a card that is touched cannot be touched again."""
        return tuple(dict.fromkeys(place(word) for word in _listed(words)))

    def place(word: str) -> int:
        if fold(word) not in board:
            raise ValueError(f"{word!r} is not on its board")
        return board.index(fold(word))

    if not isinstance(data["clue"], str) or not isinstance(data["ordered"], bool):
        raise TypeError("clue must be a string, ordered true or false")
    if int(data["number"]) != float(data["number"]):
        raise ValueError(f"number {data['number']} is not whole")
    return Item(
        source=str(data["source"]),
        game=str(data["game"]),
        board=tuple(board),
        clue=data["clue"],
        number=int(data["number"]),
        targets=frozenset(places(data["targets"])),
        guesses=tuple(places(guesses) for guesses in data["guesses"] if guesses),
        ordered=data["ordered"],
        assassins=frozenset(places(data.get("assassins", ()))),
        bystanders=frozenset(places(data.get("bystanders", ()))),
    )


def _listed(words: Iterable[str]) -> Iterable[str]:
    if isinstance(words, str):
        raise TypeError(f"{words[:20]!r} is no list of words")
    return words
