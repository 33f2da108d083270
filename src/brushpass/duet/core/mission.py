"""Missions: how many turns and mistakes a game allows, and the 26 cities of the map (DUET §3, §10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from reprlib import repr as brief
from typing import Final

from brushpass.errors import InvalidSetup
from brushpass.registry import unknown

MAX_TURNS: Final = 11


@dataclass(frozen=True, slots=True)
class Mission:
    """`turns` timer tokens, of which `mistakes` start bystander side up.

    Raises:
        InvalidSetup: turns outside 1 to 11, or mistakes outside 0 to turns.
    """

    turns: int = 9
    mistakes: int = 9

    def __post_init__(self) -> None:
        if type(self.turns) is not int or not 1 <= self.turns <= MAX_TURNS:
            raise InvalidSetup(f"turns {brief(self.turns)} is not a whole number from 1 to {MAX_TURNS}")
        if type(self.mistakes) is not int or not 0 <= self.mistakes <= self.turns:
            raise InvalidSetup(f"mistakes {brief(self.mistakes)} is not a whole number from 0 to {self.turns}")

    @property
    def scored(self) -> bool:
        """Whether a win is scored: the standard game only (DUET §5)."""
        return self.turns == self.mistakes == 9

    def __str__(self) -> str:
        return f"{self.turns}-{self.mistakes}"


def standard() -> Mission:
    """The standard game: nine tokens."""
    return Mission(9, 9)


def beginner(turns: int = 11) -> Mission:
    """The beginner's game: ten or eleven tokens, no score (DUET V5)."""
    return Mission(turns, turns)


@dataclass(frozen=True, slots=True)
class City:
    """A city of the mission map."""

    name: str
    mission: Mission


CITIES: Final = tuple(
    City(name, Mission(turns, mistakes))
    for name, turns, mistakes in (
        ("Hong Kong", 6, 4),
        ("Mumbai", 6, 5),
        ("Singapore", 6, 6),
        ("Washington", 7, 2),
        ("Rio de Janeiro", 7, 3),
        ("Shanghai", 7, 4),
        ("Dubai", 7, 5),
        ("Bangkok", 7, 7),
        ("Vatican", 8, 0),
        ("Tokyo", 8, 1),
        ("Los Angeles", 8, 2),
        ("Bogota", 8, 3),
        ("Yakutsk", 8, 4),
        ("Baghdad", 8, 5),
        ("Moscow", 8, 8),
        ("Monte Carlo", 9, 0),
        ("Sydney", 9, 1),
        ("Montreal", 9, 2),
        ("Casablanca", 9, 3),
        ("Cairo", 9, 5),
        ("Prague", 9, 9),
        ("Madrid", 10, 0),
        ("Cape Town", 10, 1),
        ("London", 10, 2),
        ("Paris", 11, 0),
        ("Berlin", 11, 2),
    )
)
"""The map's 26 cities in its order; the campaign starts in Prague."""

START: Final = "Prague"
_BY_NAME: Final = {city.name.casefold(): city for city in CITIES}


def find_city(name: str) -> City:
    """The city called `name`; case, and space or hyphen, make no difference.

    Raises:
        UnknownName: no such city (E_CITY_UNKNOWN).
    """
    city = _BY_NAME.get(" ".join(name.casefold().replace("-", " ").split()))
    if city is None:
        raise unknown("city", name, (city.name for city in CITIES))
    return city


def find_cities(names: str | Iterable[str]) -> tuple[City, ...]:
    """The cities of a comma-separated text or of several names; `all` stands for the whole map.

    Raises:
        UnknownName: no such city.
        InvalidSetup: no city is named, or one twice.
    """
    listed = names.split(",") if isinstance(names, str) else list(names)
    if [name.strip().casefold() for name in listed] == ["all"]:
        return CITIES
    cities = tuple(find_city(name) for name in listed)
    if not cities:
        raise InvalidSetup("no city is named; write cities with commas between them, or all")
    for city in cities:
        if cities.count(city) > 1:
            raise InvalidSetup(f"city {city.name!r} is named twice")
    return cities
