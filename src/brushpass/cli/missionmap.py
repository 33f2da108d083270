"""A campaign's map as text for a terminal of 80 by 24."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from brushpass.duet.campaign import Campaign, Travel
from brushpass.duet.core.mission import CITIES, City
from brushpass.duet.missionmap import Edge, coordinates

WIDTH: Final = 79
HEIGHT: Final = 20
WON, OPEN, CLOSED, ROUTE = "*", "o", "-", "."
TAKEN: Final = "\0"
"""A blank in or beside a label: no route crosses it."""
LEGEND: Final = f"{WON} won   {OPEN} open   {CLOSED} closed   {ROUTE}{ROUTE}{ROUTE} lines from won cities"
EVENLY: Final = (0.55, 0.45)
"""How far rows and columns follow a city's rank rather than its degrees: Europe is small and full."""

Place = tuple[int, int]
"""Row and column of a city's mark."""


def map_lines(campaign: Campaign) -> list[str]:
    """The 26 cities about where they lie, each with its mark and tokens, and the lines that are won."""
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]
    places = _write_cities(rows, campaign)
    if campaign.travel is Travel.GRAPH:
        for edge in campaign.map.edges:
            if not campaign.wins.keys().isdisjoint(edge):
                _draw(rows, places, edge)
    return ["".join(row).replace(TAKEN, " ").rstrip() for row in rows]


def mark(campaign: Campaign, city: City) -> str:
    """How the city stands, as one character."""
    return WON if city.name in campaign.wins else OPEN if city in campaign.open else CLOSED


def _write_cities(rows: list[list[str]], campaign: Campaign) -> dict[str, Place]:
    """Each label in the nearest row where it is free, from north to south; what must stay blank is TAKEN."""
    degrees = [coordinates()[city.name] for city in CITIES]
    down = _spread([-north for north, _ in degrees], EVENLY[0])
    right = _spread([east for _, east in degrees], EVENLY[1])
    places: dict[str, Place] = {}
    for y, x, city in sorted(zip(down, right, CITIES, strict=True), key=lambda one: one[:2]):
        label = f"{mark(campaign, city)} {city.name} {city.mission}".replace(" ", TAKEN)
        column = min(round(x * (WIDTH - 1)), WIDTH - len(label))
        around = slice(max(0, column - 1), column + len(label) + 1)
        free = [row for row in range(HEIGHT) if set(rows[row][around]) <= {" ", TAKEN}]
        _, row = min((abs(row - y * (HEIGHT - 1)), row) for row in free)
        rows[row][around] = [TAKEN] * len(rows[row][around])
        rows[row][column : column + len(label)] = label
        places[city.name] = (row, column)
    return places


def _spread(values: Sequence[float], evenly: float) -> list[float]:
    """The values between 0 and 1, drawn towards even steps; their order is kept."""
    ranks = {value: rank / (len(values) - 1) for rank, value in enumerate(sorted(values))}
    low, high = min(values), max(values)
    return [evenly * ranks[value] + (1 - evenly) * (value - low) / (high - low) for value in values]


def _draw(rows: list[list[str]], places: Mapping[str, Place], edge: Edge) -> None:
    """A dotted line, over the border of the map where that way round the globe is shorter."""
    west, east = sorted((places[name] for name in edge), key=lambda place: place[1])
    longitudes = [coordinates()[name][1] for name in edge]
    if abs(longitudes[0] - longitudes[1]) <= 180:
        ways = [(west, east)]
    else:
        ways = [(west, (east[0], east[1] - WIDTH)), ((west[0], west[1] + WIDTH), east)]
    for start, end in ways:
        for row, column in _between(start, end):
            if 0 <= column < WIDTH and rows[row][column] == " ":
                rows[row][column] = ROUTE


def _between(start: Place, end: Place) -> Iterator[Place]:
    """The cells on the straight way."""
    count = max(abs(start[0] - end[0]), abs(start[1] - end[1]))
    for step in range(1, count):
        part = step / count
        yield round(start[0] + part * (end[0] - start[0])), round(start[1] + part * (end[1] - start[1]))
