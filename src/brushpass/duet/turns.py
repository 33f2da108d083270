"""What became of each clue: the hits it was promised, the hits it got, and the miss that ended its turn."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from brushpass.arena.stats import around, known, mean
from brushpass.duet.core.cards import Color
from brushpass.duet.core.phase import Reason

STEP: Final = 0.5
"""The width of a bin of promised hits."""


class Turn(NamedTuple):
    """One clue and the guesses that followed it.

    Attributes:
        seat: of the giver, `A` or `B`.
        number: said with the clue.
        hits: agents found.
        miss: letter of the card that ended the turn, bystander or assassin; empty if none did.
        promised: hits that the giver expected, NaN if it did not say.
    """

    seat: str
    number: int
    hits: int = 0
    miss: str = ""
    promised: float = math.nan


def read_turns(record: Mapping[str, Any]) -> Iterator[Turn]:
    """The turns of a record's JSON (INTERFACES §4), in order.

    Left out are a clue that cost a token, which may get no guess, and a last turn that a forfeit cut off. What is
    no record raises KeyError, TypeError, ValueError, IndexError or AttributeError.
    """
    keys = {"A": record["key_a"], "B": record["key_b"]}
    trace = record.get("trace")
    advice = iter(trace if isinstance(trace, list) else ())
    turn: Turn | None = None
    over = True
    for kind, seat, *values in record["actions"]:
        if kind == "clue":
            if turn is not None:
                yield turn
            turn = Turn(seat, int(values[1]), promised=_promised(next(advice, None)))
            over = False
            if len(values) > 2:
                turn, over = None, True
        elif kind == "stop":
            over = True
        elif kind == "guess" and turn is not None and not over and seat != turn.seat:
            color = keys[turn.seat][values[0]]
            over = color != Color.GREEN
            turn = turn._replace(miss=color) if over else turn._replace(hits=turn.hits + 1)
    if turn is not None and (over or record["reason"] != Reason.FORFEIT):
        yield turn


def _promised(advice: object) -> float:
    hits = advice.get("expected_hits") if isinstance(advice, Mapping) else None
    return float(hits) if isinstance(hits, int | float) and math.isfinite(hits) else math.nan


class Turns:
    """The turns of one giver with one guesser: a column a fact, a row a turn."""

    def __init__(self) -> None:
        self._deals = array("q")
        self._numbers = array("q")
        self._hits = array("q")
        self._promised = array("d")
        self._misses = {Color.TAN: 0, Color.BLACK: 0}

    def add(self, deal: int, turn: Turn) -> None:
        """Count a turn of a game with that deal, which is known by a number of 64 bits."""
        self._deals.append(deal)
        self._numbers.append(turn.number)
        self._hits.append(turn.hits)
        self._promised.append(turn.promised)
        if turn.miss:
            self._misses[Color(turn.miss)] += 1

    def __add__(self, other: Turns) -> Self:
        both = type(self)()
        for part in (self, other):
            both._deals += part._deals
            both._numbers += part._numbers
            both._hits += part._hits
            both._promised += part._promised
            for color, count in part._misses.items():
                both._misses[color] += count
        return both

    def __len__(self) -> int:
        return len(self._deals)

    def to_json(self) -> dict[str, Any]:
        """How many clues, their mean number and hits, and the share that a miss ended; null where there is none."""
        count = len(self)
        return {
            "clues": count,
            "mean_number": sum(self._numbers) / count if count else None,
            **_mean("hits", np.array(self._hits), np.array(self._deals)),
            "bystander": self._misses[Color.TAN] / count if count else None,
            "assassin": self._misses[Color.BLACK] / count if count else None,
        }

    def calibration(self) -> dict[str, Any] | None:
        """Promised hits against hits that happened: over all clues, and by bins of the promise.

        A hit beyond the number said is not counted, for the promise speaks of no more (number 0 sets no limit).
        Intervals are clustered by deal. None if no clue came with a promise.
        """
        promised = np.array(self._promised)
        told = np.isfinite(promised)
        if not told.any():
            return None
        numbers, hits = np.array(self._numbers), np.array(self._hits)
        kept = np.where(numbers > 0, np.minimum(hits, numbers), hits)
        columns = promised[told], kept[told], np.array(self._deals)[told]
        places = np.floor(columns[0] / STEP)
        bins = [
            {"from": float(place * STEP), "to": float((place + 1) * STEP)} | _calibrated(*columns, places == place)
            for place in np.unique(places)
        ]
        return {**_calibrated(*columns, np.ones(len(places), bool)), "bins": bins}


def _calibrated(
    promised: NDArray[np.float64], kept: NDArray[np.int64], deals: NDArray[np.int64], rows: NDArray[np.bool_]
) -> dict[str, Any]:
    return {
        "n": int(rows.sum()),
        "promised": math.fsum(promised[rows]) / int(rows.sum()),
        **_mean("happened", kept[rows], deals[rows]),
    }


def _mean(name: str, values: NDArray[np.int64], deals: NDArray[np.int64]) -> dict[str, Any]:
    """A mean of counts under `name`, and its interval, clustered by deal; null where they cannot be known."""
    value, low, high = around(mean(values, deals), 0, math.inf)
    return {name: known(value), f"{name}_low": known(low), f"{name}_high": known(high)}
