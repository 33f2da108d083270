"""How well a mind foresees people: their guesses one by one, and whole turns (INTERFACES §2, §6)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from brushpass.arena.stats import Interval, bootstrap_difference, mean
from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold
from brushpass.semantics.choice import Doubles, log_probabilities
from brushpass.semantics.mind import Mind

SCHEMA: Final = 1


@dataclass(frozen=True)
class Item:
    """One clue on one board, and every person's clicks."""

    source: str
    game: str
    board: tuple[str, ...]
    clue: str
    number: int
    targets: frozenset[int]
    guesses: tuple[tuple[int, ...], ...]
    ordered: bool
    assassins: frozenset[int]
    bystanders: frozenset[int]

    @property
    def colored(self) -> bool:
        """Whether the colors of the cards are given."""
        return bool(self.assassins or self.bystanders)


def read_items(path: Path) -> list[Item]:
    """The items of a guess set.

    Raises:
        CorruptData: the file is unreadable, or a line is not as INTERFACES §6 says.
    """
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
    board = [fold(word) for word in data["board"]]

    def places(words: Iterable[str]) -> tuple[int, ...]:
        return tuple(board.index(fold(word)) for word in words)

    return Item(
        source=str(data["source"]),
        game=str(data["game"]),
        board=tuple(board),
        clue=str(data["clue"]),
        number=int(data["number"]),
        targets=frozenset(places(data["targets"])),
        guesses=tuple(places(guesses) for guesses in data["guesses"] if guesses),
        ordered=bool(data["ordered"]),
        assassins=frozenset(places(data.get("assassins", ()))),
        bystanders=frozenset(places(data.get("bystanders", ()))),
    )


@dataclass(frozen=True)
class Measured:
    """What a mind made of one item: figures by name, averaged over its responses."""

    item: Item
    figures: Mapping[str, float]


def measure(mind: Mind, items: Iterable[Item], heat: float = 1.0) -> list[Measured]:
    """Put `mind` before every item.

    The mind's own choice model is used, temperature and sharpness by number included; `heat` scales the
    temperature. An unknown clue is a uniform guess; nothing is dropped.
    """
    return [Measured(item, _figures(mind, item, heat)) for item in items if item.guesses]


def _figures(mind: Mind, item: Item, heat: float) -> dict[str, float]:
    scores = mind.scores([item.clue], item.board)[0].astype(np.float64)
    logs = log_probabilities(scores, mind.heat(item.number) * heat)
    best = scores == scores.max()
    order = np.argsort(-scores, kind="stable")
    rank = np.array([1 + (scores > score).sum() + ((scores == score).sum() - 1) / 2 for score in scores])
    count = len(item.targets) or max(item.number, 1)
    hit = [place in item.targets for place in order.tolist()]
    figures = {
        "first_guess_top1": _average(item, lambda places: float(best[places].sum() / best.sum())),
        "mrr": _average(item, lambda places: float((1 / rank[places]).max())),
        "log_likelihood": _average(item, lambda places: float(logs[places].mean())),
        "clue_coverage": float(mind.understands(item.clue)),
        "card_coverage": float(np.mean([mind.knows(word) for word in item.board])),
    }
    if item.targets:
        figures["target_recall"] = sum(hit[:count]) / count
        figures["target_precision_at_1"] = float(sum(best[place] for place in item.targets) / best.sum())
    return figures | (_turns(item, order.tolist()) if item.colored else {})


def _average(item: Item, figure: Any) -> float:  # noqa: ANN401 - a function of places
    """The mean over responses of what `figure` says of the places of the first guess (of all, if unordered)."""
    firsts = [list(guesses[:1] if item.ordered else guesses) for guesses in item.guesses]
    return float(np.mean([figure(places) for places in firsts]))


def _turns(item: Item, order: list[int]) -> dict[str, float]:
    """Whole turns: until `number` touches or the first miss, by the mind and by the people."""
    mine = _turn(item, order[: max(item.number, 1)])
    theirs = np.mean([_turn(item, guesses[: max(item.number, 1)]) for guesses in item.guesses], axis=0).tolist()
    names = ("hits", "bystanders", "assassins")
    return dict(zip(names, mine, strict=True)) | {
        f"person_{name}": value for name, value in zip(names, theirs, strict=True)
    }


def _turn(item: Item, touches: Iterable[int]) -> tuple[float, float, float]:
    hits = 0
    for place in touches:
        if place in item.assassins:
            return float(hits), 0.0, 1.0
        if place in item.bystanders:
            return float(hits), 1.0, 0.0
        hits += 1
    return float(hits), 0.0, 0.0


TURN: Final = ("hits", "bystanders", "assassins", "person_hits", "person_bystanders", "person_assassins")
FIGURES: Final = (
    *("first_guess_top1", "mrr", "target_recall", "target_precision_at_1", "log_likelihood"),
    *("clue_coverage", "card_coverage"),
)


def _clusters(measured: list[Measured]) -> list[str]:
    """What items are clustered by: their game; where games repeat boards (connector), their board."""
    boards = {" ".join(sorted(each.item.board)) for each in measured}
    games = {each.item.game for each in measured}
    if len(boards) < len(games):
        return [" ".join(sorted(each.item.board)) for each in measured]
    return [each.item.game for each in measured]


def summary(measured: list[Measured]) -> dict[str, Any]:
    """The figures of one source, with standard errors clustered by game."""
    clusters = _clusters(measured)

    def figure(name: str) -> tuple[float, float] | None:
        rows = [
            (each.figures[name], cluster)
            for each, cluster in zip(measured, clusters, strict=True)
            if name in each.figures
        ]
        return None if not rows else mean([value for value, _ in rows], [cluster for _, cluster in rows])

    found = {name: figure(name) for name in (*FIGURES, *TURN)}
    document: dict[str, Any] = {"source": measured[0].item.source, "items": len(measured)}
    document |= {name: None if (value := found[name]) is None else value[0] for name in FIGURES}
    document["standard_errors"] = {
        name: value[1] if math.isfinite(value[1]) else None for name, value in found.items() if value is not None
    }
    if found["hits"] is not None:
        document["turn"] = {name: value[0] for name in TURN if (value := found[name]) is not None}
    return document


def by_source(measured: Iterable[Measured]) -> dict[str, list[Measured]]:
    """Items grouped by their source, in order of first appearance."""
    groups: dict[str, list[Measured]] = {}
    for each in measured:
        groups.setdefault(each.item.source, []).append(each)
    return groups


def difference(first: list[Measured], second: list[Measured], name: str, seed: int = 0) -> Interval:
    """`second` less `first` in one figure, the same items: paired bootstrap, clustered as `summary` clusters."""
    rows = [
        (one.figures[name], other.figures[name], cluster)
        for one, other, cluster in zip(first, second, _clusters(first), strict=True)
        if name in one.figures
    ]
    ones, others, clusters = (list(column) for column in zip(*rows, strict=True))
    return bootstrap_difference(others, ones, seed=seed, clusters=clusters)


def fit_heat(mind: Mind, items: list[Item]) -> float:
    """The factor on the mind's temperature that makes the first guesses of `items` likeliest."""
    from scipy.optimize import minimize_scalar

    rows = [
        (mind.scores([item.clue], item.board)[0].astype(np.float64) / mind.heat(item.number), item)
        for item in items
        if item.guesses
    ]

    def loss(heat: float) -> float:
        def value(scores: Doubles, item: Item) -> float:
            logs = log_probabilities(scores, heat)
            return _average(item, lambda places: float(logs[places].mean()))

        return -float(np.mean([value(scores, item) for scores, item in rows]))

    return float(minimize_scalar(loss, bounds=(0.1, 10.0), method="bounded").x)
