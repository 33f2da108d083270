"""How agents stand in a suite: their figures beside each partner, and the one that counts (docs/benchmark.md)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from brushpass import __version__
from brushpass.arena.stats import Interval, Z, clustered_rate, mean, wilson
from brushpass.duet.results import Pairing, Report, Tally, read_id
from brushpass.duet.suite import Suite
from brushpass.errors import CorruptData


@dataclass(frozen=True, slots=True)
class Figure:
    """What some games of a suite come to. Intervals are 95 %, clustered by deal; NaN where nothing is known.

    Attributes:
        games: how many.
        deals: how many different ones.
        wins: the rate of games won.
        found: agents found, of 15, in the mean.
    """

    games: int
    deals: int
    wins: Interval
    found: Interval

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "games": self.games,
            "deals": self.deals,
            "win_rate": _known(self.wins.value),
            "low": self.wins.low,
            "high": self.wins.high,
            "found": _known(self.found.value),
            "found_low": _known(self.found.low),
            "found_high": _known(self.found.high),
        }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


class SuiteTally(Tally):
    """Counts by pair and city, and how each deal of the suite ended."""

    def __init__(self, suite: Suite) -> None:
        super().__init__()
        self._suite = suite
        self._ends: dict[tuple[int, str], list[tuple[int, bool, int]]] = {}

    def add(self, pair: int, condition: str, record: dict[str, Any]) -> None:
        """Count one record.

        Raises:
            CorruptData: its deal is not the suite's.
        """
        _, _, index = read_id(record["id"])
        if not (0 <= index < len(self._suite.deals) and self._suite.deals[index].matches(record)):
            raise CorruptData(f"game {record['id']} was not played with its deal of suite {self._suite.name}")
        super().add(pair, condition, record)
        end = index, record["outcome"] == "won", found(record)
        self._ends.setdefault((pair, condition), []).append(end)

    def figure(self, pairs: Collection[int], cities: Collection[str]) -> Figure:
        """What the games of these pairs in these cities come to."""
        ends = [end for (pair, city), some in self._ends.items() if pair in pairs and city in cities for end in some]
        deals, won, agents = np.array(sorted(ends), dtype=int).reshape(-1, 3).T
        number = mean(agents, deals)
        reach = Z * number.error
        return Figure(
            games=len(ends),
            deals=len(np.unique(deals)),
            wins=clustered_rate(won, deals) if ends else wilson(0, 0),
            found=Interval(number.value, number.value - reach, number.value + reach),
        )


def found(record: Mapping[str, Any]) -> int:
    """How many of the 15 agents a recorded game found: a guess is judged by the partner's side of the key."""
    keys = {"A": record["key_b"], "B": record["key_a"]}
    guesses = [(action[1], action[2]) for action in record["actions"] if action[0] == "guess"]
    return len({card for seat, card in guesses if keys[seat][card] == "G"})


class SuiteReport(Report):
    """The tables of a suite's run. Seat A has the agents, seat B the suite's partners.

    `ingredients` are what an agent whose mind is not known here was made from.
    """

    tally: SuiteTally

    def __init__(
        self, suite: Suite, pairings: tuple[Pairing, ...], cities: Collection[str], ingredients: Collection[str] = ()
    ) -> None:
        tables = tuple((city.name, city.mission) for city in suite.cities if city.name in cities)
        super().__init__(pairings, tables, suite.seed, SuiteTally(suite))
        self._suite = suite
        self._declared = tuple(ingredients)

    def to_json(self) -> dict[str, Any]:
        """The document of `bench --json`, with the suite's figures."""
        return {**super().to_json(), "suite": self._standings()}

    def _pair(self, number: int, pairing: Pairing) -> dict[str, Any]:
        """The tables of a pair, whose cities share deals."""
        wins = self.tally.figure([number], self._cities).wins
        return {**super()._pair(number, pairing), "low": wins.low, "high": wins.high}

    @property
    def _cities(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.tables)

    def _standings(self) -> dict[str, Any]:
        suite, every = self._suite, range(len(self.pairings))
        deals = self.tally.figure(every, self._cities).deals
        games = sum(self.tally.pair(number).games for number in every)
        return {
            "name": suite.name,
            "sha256": suite.sha256,
            "version": __version__,
            "deals": deals,
            "complete": games == len(suite.deals) * len(suite.cities) * len(self.pairings),
            "headline_city": suite.headline,
            "agents": [self._standing(agent) for agent in dict.fromkeys(one.a for one in self.pairings)],
        }

    def _standing(self, agent: str) -> dict[str, Any]:
        """One agent: the headline over partners that share nothing with it, and each partner."""
        mine = [number for number, pairing in enumerate(self.pairings) if pairing.a == agent]
        honest = [number for number in mine if not self._shared(number)]
        mind = self.pairings[mine[0]].mind_a
        return {
            "agent": agent,
            "mind": mind and {"name": mind.name, "sha256": mind.sha256},
            "ingredients": list(self._declared if mind is None else mind.ingredients),
            "headline": self._figure(honest, [self._suite.headline]) if honest else None,
            "all_cities": self._figure(honest, self._cities) if honest else None,
            "failures": sum(self.tally.pair(number).failures for number in mine),
            "partners": [self._beside(number) for number in mine],
        }

    def _beside(self, number: int) -> dict[str, Any]:
        pairing = self.pairings[number]
        names = {spec: name for name, spec in self._suite.partners.items()}
        return {
            "partner": names[pairing.b],
            "shared_ingredients": self._shared(number),
            "cities": [{"city": city, **self._figure([number], [city])} for city in self._cities],
        }

    def _shared(self, number: int) -> list[str]:
        """What the agent of a pair and the partner's mind were both made from."""
        pairing = self.pairings[number]
        if pairing.mind_a is not None or pairing.mind_b is None:
            return list(pairing.shared_ingredients)
        return sorted({*self._declared} & {*pairing.mind_b.ingredients})

    def _figure(self, pairs: Collection[int], cities: Collection[str]) -> dict[str, Any]:
        return self.tally.figure(pairs, cities).to_json()
