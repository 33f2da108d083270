"""How well a mind foresees people: their guesses one by one, and whole turns (INTERFACES §2, §6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from brushpass.arena.stats import Interval, Mean, bootstrap_difference, known, mean
from brushpass.errors import CorruptData
from brushpass.semantics.choice import Doubles, log_probabilities
from brushpass.semantics.guesses import Item, clusters
from brushpass.semantics.mind import Mind

SCHEMA: Final = 1


@dataclass(frozen=True)
class Measured:
    """What a mind made of one item: figures by name, averaged over its responses, and its chances (cards,)."""

    item: Item
    figures: Mapping[str, float]
    chances: Doubles
    how: str
    """How the clue was made out (`semantics.backoff.HOW`)."""


def measure(mind: Mind, items: Iterable[Item], heat: float = 1.0) -> list[Measured]:
    """Put `mind` before every item.

    The mind's own choice model is used, temperature and sharpness by number included; `heat` scales the
    temperature. An unknown clue is a uniform guess; no item is dropped but those that nobody guessed at.

    Raises:
        CorruptData: nobody guessed at all.
    """
    return [_measured(mind, item, heat) for item in _guessed(items)]


def _guessed(items: Iterable[Item]) -> list[Item]:
    found = [item for item in items if item.guesses]
    if not found:
        raise CorruptData("nobody guessed anything: these items tell nothing of people")
    return found


def _measured(mind: Mind, item: Item, heat: float) -> Measured:
    logits = mind.scores([item.clue], item.board)[0].astype(np.float64) / (mind.heat(item.number) * heat)
    chances = np.exp(log_probabilities(logits, 1.0))
    return Measured(item, _figures(mind, item, logits) | _later(item, logits), chances, mind.reads(item.clue).how)


def _figures(mind: Mind, item: Item, scores: Doubles) -> dict[str, float]:
    logs = log_probabilities(scores, 1.0)
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
    return float(np.mean([figure(list(places)) for places in item.firsts]))


def _later(item: Item, logits: Doubles) -> dict[str, float]:
    """The second and third guesses, each among the cards then left (Plackett-Luce); none if nobody made any."""
    found = []
    for guesses in item.guesses if item.ordered else ():
        left = logits.copy()
        for before, guess in pairwise(guesses[:LATER]):
            left[before] = -np.inf
            best = left == left.max()
            found.append((float(best[guess] / best.sum()), float(log_probabilities(left, 1.0)[guess])))
    if not found:
        return {}
    return dict(zip(("later_guess_top1", "later_log_likelihood"), np.mean(found, axis=0).tolist(), strict=True))


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
    *("later_guess_top1", "later_log_likelihood", "clue_coverage", "card_coverage"),
)
LATER: Final = 3
"""How many of a person's guesses are foreseen."""
BINS: Final = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Of chances, for calibration."""


def summary(measured: list[Measured]) -> dict[str, Any]:
    """The figures of one source, with standard errors clustered by game."""
    games = clusters([each.item for each in measured])

    def figure(name: str) -> Mean | None:
        rows = [
            (each.figures[name], cluster) for each, cluster in zip(measured, games, strict=True) if name in each.figures
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
    document["calibration"] = calibration(measured)
    if told := backed_off(measured):
        document["backed_off"] = told
    return document


def backed_off(measured: Iterable[Measured]) -> dict[str, Any] | None:
    """What became of the clues without a vector: how many, by how they were made out, and their log-likelihood.

    `uniform` is what the log-likelihood would be if they counted as unknown. None if all clues are known.
    """
    strange = [each for each in measured if each.how != "known"]
    if not strange:
        return None
    return {
        "clues": len(strange),
        "how": dict(Counter(each.how for each in strange).most_common()),
        "log_likelihood": float(np.mean([each.figures["log_likelihood"] for each in strange])),
        "uniform": -float(np.mean([math.log(len(each.item.board)) for each in strange])),
    }


def calibration(measured: Iterable[Measured]) -> list[dict[str, float]]:
    """How often cards of about the same chance were the first guess, a bin of chances (`BINS`) each.

    `predicted` and `observed` are means over the cards of all boards, `cards` is how many.
    """
    pairs = [pair for each in measured for pair in zip(each.chances.tolist(), each.item.shares.tolist(), strict=True)]
    chances, shares = np.array(pairs).T
    bins = np.digitize(chances, BINS[1:-1])
    return [
        {
            "predicted": float(chances[bins == place].mean()),
            "observed": float(shares[bins == place].mean()),
            "cards": int((bins == place).sum()),
        }
        for place in range(len(BINS) - 1)
        if (bins == place).any()
    ]


def by_source(measured: Iterable[Measured]) -> dict[str, list[Measured]]:
    """Items grouped by their source, in order of first appearance."""
    groups: dict[str, list[Measured]] = {}
    for each in measured:
        groups.setdefault(each.item.source, []).append(each)
    return groups


def difference(first: list[Measured], second: list[Measured], name: str) -> Interval:
    """`second` less `first` in one figure, the same items: paired bootstrap, clustered as `summary` clusters."""
    rows = [
        (one.figures[name], other.figures[name], cluster)
        for one, other, cluster in zip(first, second, clusters([each.item for each in first]), strict=True)
        if name in one.figures
    ]
    ones, others, games = (list(column) for column in zip(*rows, strict=True))
    return bootstrap_difference(others, ones, seed=0, clusters=games)


def difference_json(first: list[Measured], second: list[Measured], name: str) -> dict[str, float | None]:
    """The same as JSON; null for the ends of an interval that is not known, of one game."""
    return {end: known(value) for end, value in difference(first, second, name)._asdict().items()}


def fit_heat(mind: Mind, items: list[Item]) -> float:
    """The factor on the mind's temperature that makes the first guesses of `items` likeliest.

    Raises:
        CorruptData: nobody guessed at all.
    """
    from scipy.optimize import minimize_scalar

    rows = [
        (mind.scores([item.clue], item.board)[0].astype(np.float64) / mind.heat(item.number), item)
        for item in _guessed(items)
    ]

    def loss(heat: float) -> float:
        def value(scores: Doubles, item: Item) -> float:
            logs = log_probabilities(scores, heat)
            return _average(item, lambda places: float(logs[places].mean()))

        return -float(np.mean([value(scores, item) for scores, item in rows]))

    return float(minimize_scalar(loss, bounds=(0.1, 10.0), method="bounded").x)
