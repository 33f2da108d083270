"""A campaign over the mission map: which cities are open, what was won, what was noted (DUET §10)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, Self

from brushpass.duet.core.mission import CITIES, START, City, find_city
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.missionmap import MissionMap, load_map
from brushpass.duet.record import GameRecord
from brushpass.errors import InvalidSetup

LONGEST_NAME: Final = 40
LONGEST_NOTE: Final = 500
"""Characters."""


class CityNotConnected(InvalidSetup):
    """A city joined to no won city; the message lists the open ones. `code` is the rules page's."""

    code: ClassVar[str] = "E_CITY_NOT_CONNECTED"


class Travel(StrEnum):
    """Where a team may go after a win: along the lines of the map, or anywhere."""

    GRAPH = "graph"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Result:
    """One game in a city. `agents` are the specs at seats A and B, `turns_used` the clues given.

    Raises:
        InvalidSetup: lost without a reason, won with one, or a forfeit, by which no city is won or lost.
    """

    city: str
    outcome: Outcome
    reason: Reason | None = None
    sudden_death: bool = False
    turns_used: int = 0
    agents: tuple[str, str] | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.reason is Reason.FORFEIT:
            raise InvalidSetup(f"a forfeited game leaves {self.city} neither won nor lost")
        if self.won is not (self.reason is None):
            raise InvalidSetup(f"a game in {self.city} is {self.outcome} with reason {self.reason}")

    @classmethod
    def of(cls, record: GameRecord) -> Result:
        """What the sheet keeps of a game.

        Raises:
            InvalidSetup: a game at no city's table, or a forfeit.
            UnknownName: its city is not on the map.
        """
        if record.city is None or find_city(record.city).mission != record.setup.mission:
            raise InvalidSetup(f"game {record.id!r} was not played at a city's table, so no city is won or lost")
        return cls(
            city=find_city(record.city).name,
            outcome=record.outcome,
            reason=record.reason,
            sudden_death=record.sudden_death,
            turns_used=record.turns_used,
            agents=record.agents,
            seed=record.seed,
        )

    @property
    def won(self) -> bool:
        """Whether the city was won: in sudden death counts as well (DUET M5)."""
        return self.outcome is Outcome.WON

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "city": self.city,
            "outcome": str(self.outcome),
            "reason": self.reason and str(self.reason),
            "sudden_death": self.sudden_death,
            "turns_used": self.turns_used,
            "agents": self.agents and list(self.agents),
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True)
class Note:
    """A line about a city."""

    city: str
    text: str


@dataclass(frozen=True)
class Campaign:
    """One team's way over the map: a value; what happens to it gives a new one.

    Raises:
        InvalidSetup: a name that is empty, too long or has control characters.
    """

    name: str
    map: MissionMap = field(default_factory=load_map)
    travel: Travel = Travel.GRAPH
    current: str = START
    log: tuple[Result, ...] = ()
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if not self.name or self.name != one_line(self.name) or len(self.name) > LONGEST_NAME:
            raise InvalidSetup(
                f"campaign name {self.name[:LONGEST_NAME]!r} is not one line of 1 to {LONGEST_NAME} characters"
            )

    @cached_property
    def attempts(self) -> Counter[str]:
        """Games by city."""
        return Counter(result.city for result in self.log)

    @cached_property
    def wins(self) -> Counter[str]:
        """Won games by city."""
        return Counter(result.city for result in self.log if result.won)

    @cached_property
    def open(self) -> tuple[City, ...]:
        """The cities that may be played now, in the map's order.

        Prague alone until it is won; then the won cities and all that are joined to one (DUET R10), or with free
        travel the whole map.
        """
        if START not in self.wins:
            return (find_city(START),)
        if self.travel is Travel.FREE:
            return CITIES
        names = {*self.wins, *(city.name for won in self.wins for city in self.map.joined(won))}
        return tuple(city for city in CITIES if city.name in names)

    @property
    def ahead(self) -> tuple[City, ...]:
        """The open cities that are not won yet, in the map's order; none once the whole map is won."""
        return tuple(city for city in self.open if city.name not in self.wins)

    @property
    def suggested(self) -> City | None:
        """The gentlest city ahead by its tokens: a turn counts two and a mistake one, as they cost at the worst."""
        return max(self.ahead, key=lambda city: 2 * city.mission.turns + city.mission.mistakes, default=None)

    @property
    def next(self) -> City:
        """Where a game is played if no city is named: where the team is, or after a win there the suggested one."""
        last = self.log[-1] if self.log else None
        moves_on = last is not None and last.won and last.city == self.current
        return (self.suggested if moves_on else None) or find_city(self.current)

    @property
    def finished(self) -> bool:
        """Whether the whole map is won."""
        return not self.ahead

    def standing(self, city: City) -> Literal["won", "open", "closed"]:
        """How a city stands."""
        return "won" if city.name in self.wins else "open" if city in self.open else "closed"

    def enter(self, name: str) -> City:
        """The open city called `name`.

        Raises:
            UnknownName: no such city (E_CITY_UNKNOWN).
            CityNotConnected: it is not open (E_CITY_NOT_CONNECTED).
        """
        city = find_city(name)
        if city not in self.open:
            why = f"{START} is not won yet" if START not in self.wins else "it is joined to no city you have won"
            there = ", ".join(other.name for other in self.open)
            raise CityNotConnected(f"{city.name} is not open: {why}; open now: {there}")
        return city

    def travelled(self, name: str) -> Self:
        """The campaign with the team in the city called `name`; raises as `enter` does."""
        return replace(self, current=self.enter(name).name)

    def played(self, result: Result) -> Self:
        """The campaign with one more game, the team in its city; raises as `enter` does."""
        return replace(self, current=self.enter(result.city).name, log=(*self.log, result))

    def noted(self, name: str, text: str) -> Self:
        """The campaign with a note on the city called `name`, which need not be open.

        Raises:
            UnknownName: no such city.
            InvalidSetup: a note that is empty or too long.
        """
        text = one_line(text)
        if not 1 <= len(text) <= LONGEST_NOTE:
            raise InvalidSetup(f"a note has 1 to {LONGEST_NOTE} characters, not {len(text)}")
        return replace(self, notes=(*self.notes, Note(find_city(name).name, text)))

    def notes_on(self, name: str) -> tuple[str, ...]:
        """The notes on the city of exactly that name, oldest first."""
        return tuple(note.text for note in self.notes if note.city == name)


def one_line(text: str) -> str:
    """`text` as one line without control characters or broken Unicode."""
    plain = (" " if unicodedata.category(ch) in {"Cc", "Cs"} else ch for ch in text)
    return " ".join("".join(plain).split())
