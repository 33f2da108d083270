"""A campaign's map as text for a terminal of 80 by 24."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from brushpass.cli.campaigntext import rate_line
from brushpass.duet.campaign import Campaign, Travel
from brushpass.duet.core.mission import CITIES
from brushpass.duet.mapsvg import label_of
from brushpass.duet.missionmap import Edge, coordinates
from brushpass.duet.projection import Projection

if TYPE_CHECKING:
    from rich.text import Text

WIDTH: Final = 79
HEIGHT: Final = 20
MARKS: Final = {"won": "*", "open": "o", "closed": "-"}
STYLES: Final = {"won": "bold cyan", "open": "yellow", "closed": "dim"}
HERE: Final = "reverse"
ROUTE: Final = "."
TAKEN: Final = "\0"
"""A blank in or beside a label: no route crosses it."""
SHAPE: Final = Projection(right=0.45, down=0.55)
"""Every name needs a row of its own: more than on a drawing, Europe is small and full."""

Place = tuple[int, int]
"""Row and column of a city's mark."""


def map_lines(campaign: Campaign) -> list[str]:
    """The 26 cities about where they lie, each with its mark, tokens, wins and games, and the lines that are won."""
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]
    places = _write_cities(rows, campaign)
    if campaign.travel is Travel.GRAPH:
        for edge in campaign.map.edges:
            if not campaign.wins.keys().isdisjoint(edge):
                _draw(rows, places, edge)
    return ["".join(row).replace(TAKEN, " ").rstrip() for row in rows]


def legend_lines(campaign: Campaign) -> list[str]:
    """What the marks mean, where the team is and might go next, and how often bots won there."""
    parts = [f"{mark} {kind}" for kind, mark in MARKS.items()]
    if campaign.travel is Travel.GRAPH:
        parts.append(f"{3 * ROUTE} lines from won cities")
    lines = [f"{'   '.join(parts)}   1/3 won of played"]
    if campaign.suggested is None:
        return [*lines, f"you are in {campaign.current}   the whole map is won"]
    ahead = f"{campaign.suggested.name} {campaign.suggested.mission}"
    return [*lines, f"you are in {campaign.current}   suggested next: {ahead}", rate_line(campaign.suggested)]


def colored(campaign: Campaign, lines: Sequence[str]) -> list[Text]:
    """The lines of the map with each city in the color of how it stands, and the team's own reversed."""
    from rich.text import Text

    texts = [Text(line, style="dim") for line in lines]
    for city in CITIES:
        kind = campaign.standing(city)
        text, style = f"{MARKS[kind]} {label_of(campaign, city)}", STYLES[kind]
        for line in texts:
            start = line.plain.find(text)
            if start >= 0:
                line.stylize("not dim", start, start + len(text))
                line.stylize(style, start, start + len(text))
                if city.name == campaign.current:
                    line.stylize(HERE, start, start + len(text))
    return texts


def _write_cities(rows: list[list[str]], campaign: Campaign) -> dict[str, Place]:
    """Each label in the nearest row where it is free, from north to south; what must stay blank is TAKEN."""
    points = SHAPE.cities()
    places: dict[str, Place] = {}
    for city in sorted(CITIES, key=lambda one: points[one.name][::-1]):
        x, y = points[city.name]
        label = f"{MARKS[campaign.standing(city)]} {label_of(campaign, city)}".replace(" ", TAKEN)
        column = min(round(x * (WIDTH - 1)), WIDTH - len(label))
        around = slice(max(0, column - 1), column + len(label) + 1)
        free = [row for row in range(HEIGHT) if set(rows[row][around]) <= {" ", TAKEN}]
        _, row = min((abs(row - y * (HEIGHT - 1)), row) for row in free)
        rows[row][around] = [TAKEN] * len(rows[row][around])
        rows[row][column : column + len(label)] = label
        places[city.name] = (row, column)
    return places


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
