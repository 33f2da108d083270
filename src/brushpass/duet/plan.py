"""What a benchmark plays: pairs, tables, deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from brushpass import seeds
from brushpass.arena.jobs import Job, in_a_row
from brushpass.duet.core.mission import CITIES, City, Mission, find_cities
from brushpass.duet.core.table import TableRules
from brushpass.duet.memory import memory_of
from brushpass.duet.runfolder import read_manifest
from brushpass.duet.suite import load_suite
from brushpass.errors import CorruptData, InvalidSetup
from brushpass.registry import Spec

CUSTOM: Final = "custom"
"""The condition of a table that is no city."""
HONEST: Final = ("embedding:model=glove-use", "person:model=minilm")
"""The default pair: two minds that share no ingredient."""
MIRROR: Final = ("embedding:model=glove-use", "embedding:model=glove-use")


@dataclass(frozen=True)
class Plan:
    """What a run plays: every pair, in every city (or at one custom table), `games` deals each.

    With a `suite` (its name or folder) the deals are the suite's; `of_suite` makes such a plan.
    """

    pairs: Sequence[tuple[str, str]] = (HONEST, MIRROR)
    cities: Sequence[City] = CITIES
    mission: Mission | None = None
    words: str = "english"
    games: int = 10
    seed: int = 0
    rules: TableRules = field(default_factory=TableRules)
    suite: str | None = None
    ingredients: tuple[str, ...] = ()

    @classmethod
    def of_suite(
        cls,
        name: str,
        agents: Sequence[str] = (HONEST[0],),
        games: int | None = None,
        cities: Sequence[City] = CITIES,
        ingredients: Sequence[str] = (),
    ) -> Plan:
        """Each of `agents` beside each partner of the suite: its first `games` deals, in those `cities` that it has.

        `ingredients` are what an agent whose mind is not known here was made from.

        Raises:
            UnknownData, CorruptData: there is no such suite, or it is damaged.
            InvalidSetup: more games than it has deals, or none of the cities is its.
        """
        suite = load_suite(name)
        chosen = tuple(city for city in suite.cities if city in cities)
        if not chosen:
            raise InvalidSetup(f"suite {suite.name} has only {', '.join(city.name for city in suite.cities)}")
        return cls(
            pairs=tuple((agent, partner) for agent in agents for partner in suite.partners.values()),
            cities=chosen,
            words=suite.name,
            games=len(suite.deals) if games is None else games,
            seed=suite.seed,
            rules=suite.rules,
            suite=name,
            ingredients=tuple(ingredients),
        )

    @classmethod
    def of_folder(cls, folder: Path) -> Plan:
        """The plan of the run in `folder`.

        Raises:
            CorruptData: no Duet run lies there.
        """
        manifest = read_manifest(folder)
        try:
            arguments = manifest["arguments"]
            tables = [(name, Mission(turns, mistakes)) for name, turns, mistakes in arguments["tables"]]
            custom = [mission for name, mission in tables if name == CUSTOM]
            suite = arguments.get("suite") or {}
            return cls(
                pairs=tuple((a, b) for a, b in arguments["pairs"]),
                cities=CITIES if custom else find_cities(name for name, _ in tables),
                mission=custom[0] if custom else None,
                words=arguments["words"],
                games=arguments["games"],
                seed=arguments["seed"],
                rules=TableRules.read(arguments["rules"]),
                suite=arguments.get("suite_at", suite.get("name")),
                ingredients=tuple(suite.get("ingredients", ())),
            )
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise CorruptData(f"{folder} holds no Duet run of this version: {error!r}") from error

    def __post_init__(self) -> None:
        if not self.pairs:
            raise InvalidSetup("no pair to play")
        if type(self.games) is not int or self.games < 1:
            raise InvalidSetup(f"games {self.games!r} is not a whole number of at least 1")
        if self.suite is not None and self.games > (count := len(load_suite(self.suite).deals)):
            raise InvalidSetup(f"suite {self.suite} has {count} deals, not {self.games}")
        for pair in self.pairs:
            if memory_of(pair) > 1 and self.suite:
                raise InvalidSetup(f"suite {self.suite} is played without memory: leave it out")
            if self.pairs.count(pair) > 1:
                raise InvalidSetup(f"pair {' '.join(pair)} is asked for twice")
            if "human" in {Spec.parse(spec).name for spec in pair}:
                raise InvalidSetup("a human cannot sit in a benchmark; use brushpass play")

    @property
    def tables(self) -> tuple[tuple[str, Mission], ...]:
        """The conditions: each city's name and mission, or the custom table."""
        if self.mission is not None:
            return ((CUSTOM, self.mission),)
        return tuple((city.name, city.mission) for city in self.cities)

    @property
    def total(self) -> int:
        """Games in all."""
        return len(self.pairs) * len(self.tables) * self.games

    def jobs(self) -> Iterator[Job]:
        """Every game, or row that is remembered, by index: a run cut short has compared like with like."""
        memories = [memory_of(seats) for seats in self.pairs]
        for index in range(self.games):
            for name, _ in self.tables:
                for number, memory in enumerate(memories):
                    if index % memory == 0:
                        row = range(index, min(index + memory, self.games))
                        yield in_a_row([self._game(number, name, one) for one in row])

    def _game(self, pair: int, city: str, index: int) -> Job:
        seed = seeds.child(self.seed, "deal", city, index)
        return Job(f"{pair}-{city}-{index}", str(pair), city, index, seed, self.pairs[pair])
