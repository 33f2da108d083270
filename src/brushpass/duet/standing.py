"""How agents stand in a suite: their figures beside each partner, and the one that counts (docs/benchmark.md)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from brushpass import __version__
from brushpass.arena.stats import Interval, clustered_rate, known, mean, wilson
from brushpass.duet.core.mission import Mission
from brushpass.duet.results import Pairing, Report, Tally, found, found_interval, found_json, read_id
from brushpass.duet.suite import Suite, list_suites, load_suite
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
            "win_rate": known(self.wins.value),
            "low": self.wins.low,
            "high": self.wins.high,
            "found": known(self.found.value),
            "found_low": known(self.found.low),
            "found_high": known(self.found.high),
        }


class SharedTally(Tally):
    """Counts by pair and city, and how each deal ended: the cities share them."""

    def __init__(self) -> None:
        super().__init__()
        self._ends: dict[tuple[int, str], list[tuple[int, bool, int]]] = {}

    def add(self, pair: int, condition: str, record: dict[str, Any]) -> None:
        """Count one record."""
        super().add(pair, condition, record)
        _, _, index = read_id(record["id"])
        end = index, record["outcome"] == "won", found(record)
        self._ends.setdefault((pair, condition), []).append(end)

    def figure(self, pairs: Collection[int], cities: Collection[str]) -> Figure:
        """What the games of these pairs in these cities come to."""
        ends = [end for (pair, city), some in self._ends.items() if pair in pairs and city in cities for end in some]
        deals, won, agents = np.array(sorted(ends), dtype=int).reshape(-1, 3).T
        return Figure(
            games=len(ends),
            deals=len(np.unique(deals)),
            wins=clustered_rate(won, deals) if ends else wilson(0, 0),
            found=found_interval(mean(agents, deals)),
        )


class SuiteTally(SharedTally):
    """The same of a suite: every record has to be of its deals."""

    decoder = msgspec.json.Decoder()

    def __init__(self, suite: Suite) -> None:
        super().__init__()
        self._suite = suite

    def add(self, pair: int, condition: str, record: dict[str, Any]) -> None:
        """Count one record.

        Raises:
            CorruptData: its deal is not the suite's.
        """
        _, _, index = read_id(record["id"])
        if not (0 <= index < len(self._suite.deals) and self._suite.deals[index].matches(record)):
            raise CorruptData(f"game {record['id']} was not played with its deal of suite {self._suite.name}")
        super().add(pair, condition, record)


class SharedReport(Report):
    """The tables of a run whose cities share deals."""

    tally: SharedTally

    def _pair(self, number: int, pairing: Pairing) -> dict[str, Any]:
        """The tables of a pair, its intervals over all cities clustered by deal."""
        figure = self.tally.figure([number], self._cities)
        wins = {"low": figure.wins.low, "high": figure.wins.high}
        return {**super()._pair(number, pairing), **wins, **found_json(figure.found)}

    @property
    def _cities(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.tables)


class SuiteReport(SharedReport):
    """The tables of a suite's run. Seat A has the agents, seat B the suite's partners.

    `ingredients` are what an agent whose mind is not known here was made from.
    """

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


def report_of(
    arguments: Mapping[str, Any], pairings: tuple[Pairing, ...], tables: tuple[tuple[str, Mission], ...], seed: int
) -> Report:
    """The empty tables of the run with those arguments, a suite's if it was one.

    Of a suite that does not ship here no more is known than that its cities share deals.
    """
    named = arguments.get("suite")
    if named is None:
        return Report(pairings, tables, seed)
    if named["name"] in list_suites() and (suite := load_suite(named["name"])).sha256 == named["sha256"]:
        return SuiteReport(suite, pairings, [name for name, _ in tables], named["ingredients"])
    return SharedReport(pairings, tables, seed, SharedTally())
