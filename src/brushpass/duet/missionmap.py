"""The mission map: which of the 26 cities are joined, and where they lie (DUET §10).

The lines of the printed map are not ours to ship. The file here joins geographic neighbours instead, and a user can
replace it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from reprlib import repr as brief
from typing import Final

from brushpass import paths
from brushpass.duet.core.mission import CITIES, START, City, find_city
from brushpass.errors import BrushpassError, CorruptData

NEIGHBOURS: Final = "geographic neighbours, not the printed map"
"""The source of the map that ships."""
HEAD: Final = ("city_a", "city_b")

Edge = tuple[str, str]
"""Two joined cities by name, in alphabetical order."""


@dataclass(frozen=True)
class MissionMap:
    """The lines between the cities; `source` says whose they are."""

    edges: frozenset[Edge]
    source: str = NEIGHBOURS

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]], source: str) -> MissionMap:
        """The map with a line for each of `pairs`, in whatever order the two are named.

        Raises:
            UnknownName: a city that is not on the map.
            CorruptData: a city joined to itself, or one that no way from Prague leads to.
        """
        edges = set()
        for pair in pairs:
            first, second = sorted(find_city(name).name for name in pair)
            if first == second:
                raise CorruptData(f"{first} is joined to itself")
            edges.add((first, second))
        made = cls(frozenset(edges), source)
        if away := [city.name for city in CITIES if city.name not in made.steps]:
            raise CorruptData(f"no way leads from {START} to {', '.join(away)}: lines are missing")
        return made

    def joined(self, name: str) -> tuple[City, ...]:
        """The cities joined to the city called `name`, in the map's order."""
        others = {a if b == name else b for a, b in self.edges if name in {a, b}}
        return tuple(city for city in CITIES if city.name in others)

    @cached_property
    def steps(self) -> Mapping[str, int]:
        """How many lines lie between Prague and each city that can be reached."""
        steps: dict[str, int] = {}
        ring = {START}
        while ring:
            steps |= dict.fromkeys(ring, max(steps.values(), default=-1) + 1)
            ring = {city.name for name in ring for city in self.joined(name)} - steps.keys()
        return steps


def load_map(path: Path | None = None) -> MissionMap:
    """The map of an edges file; without one that of `maps/edges.csv` in the user's data folder, or the shipped one.

    Raises:
        CorruptData: the file cannot be read or is no such file (the message names file and line).
    """
    if path is None:
        path = paths.find_data("maps", "edges.csv")
    if path is None:
        return MissionMap.of(_edges(_shipped("edges.csv")), NEIGHBOURS)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CorruptData(f"cannot read map {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CorruptData(f"map {path} is not UTF-8 text") from None
    try:
        return MissionMap.of(_edges(text), str(path))
    except BrushpassError as error:
        raise CorruptData(f"map {path}: {error}") from None


@cache
def coordinates() -> Mapping[str, tuple[float, float]]:
    """Where each city lies: degrees north and degrees east, by name."""
    return {name: (float(lat), float(lon)) for _, (name, lat, lon) in _rows(_shipped("cities.csv")) if name != "city"}


@cache
def land() -> tuple[tuple[tuple[float, float], ...], ...]:
    """The coasts of our own drawing: the corners of each piece of land, degrees north and east."""
    shapes = (corners for _, (_, *corners) in _rows(_shipped("land.csv")))
    return tuple(tuple(_corner(corner) for corner in corners) for corners in shapes)


def _corner(text: str) -> tuple[float, float]:
    north, east = map(float, text.split())
    return north, east


def _edges(text: str) -> Iterator[tuple[str, str]]:
    for number, row in _rows(text):
        if tuple(row[:2]) == HEAD:
            continue
        if len(row) < 2:
            raise CorruptData(f"line {number} is {brief(','.join(row))}, not city_a,city_b")
        try:
            yield find_city(row[0]).name, find_city(row[1]).name
        except BrushpassError as error:
            raise CorruptData(f"line {number}: {error}") from None


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The numbered rows of a CSV text, comments and blank lines left out."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, [cell.strip() for cell in next(csv.reader([line]))]


def _shipped(name: str) -> str:
    return resources.files("brushpass.duet").joinpath("mapdata", name).read_text(encoding="utf-8")
