"""A campaign's map as SVG: our own drawing, told apart by shape as well as color, for light and for dark pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from brushpass.duet.campaign import Campaign, Travel
from brushpass.duet.core.mission import CITIES, City
from brushpass.duet.missionmap import coordinates
from brushpass.duet.projection import PAGE, Point

WIDTH: Final = 1000
HEIGHT: Final = 620
SHEET: Final = (46.0, 76.0, 856.0, 448.0)
"""Where the cities lie: left, top, width, height. Labels and coasts go beyond."""
LETTER: Final = 7.0
LINE: Final = 15.0
"""How wide a letter of a label is, and how high a line."""
STYLE: Final = """
svg { --sea:#eef3f7; --land:#dfe3dc; --ink:#1b2226; --quiet:#5d666c; --way:#9aa5ac; --won:#0072b2; --open:#a34700;
  --paper:#fff; font:13px system-ui,sans-serif }
@media (prefers-color-scheme:dark) { svg { --sea:#141a1f; --land:#262e33; --ink:#eef2f4; --quiet:#a2acb3;
  --way:#56626a; --won:#56b4e9; --open:#e69f00; --paper:#0d1114 } }
.sea { fill:var(--sea) } .land { fill:var(--land) } .way { stroke:var(--way); stroke-width:1; stroke-dasharray:2 4 }
.led { stroke:var(--won); stroke-width:2; stroke-dasharray:none }
.won { fill:var(--won); stroke:var(--won); stroke-width:2 }
.tick { fill:none; stroke:var(--paper); stroke-width:2 } .open { fill:var(--paper); stroke:var(--open); stroke-width:3 }
.closed { fill:var(--quiet) } .here { fill:none; stroke:var(--ink); stroke-width:2 }
.next { fill:none; stroke:var(--open); stroke-width:2; stroke-dasharray:3 3 }
text { fill:var(--ink); paint-order:stroke; stroke:var(--sea); stroke-width:3; stroke-linejoin:round }
.far { fill:var(--quiet) } .head { font-size:18px; font-weight:600 } .near { font-weight:600 }
""".strip()
LEGEND: Final = (
    ("won", "won"),
    ("open", "open"),
    ("closed", "closed"),
    ("here", "you are here"),
    ("next", "suggested next"),
)


class Box(NamedTuple):
    """A rectangle that a label or a mark takes."""

    left: float
    top: float
    right: float
    bottom: float

    def over(self, other: Box) -> float:
        """How much of the two lies over each other."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)


class Label(NamedTuple):
    """A text beside a city: where it begins, or ends or has its middle, and the room it takes."""

    x: float
    y: float
    anchor: str
    box: Box


def map_svg(campaign: Campaign) -> str:
    """The map as an SVG document: cities as won, open or closed, wins and games, the lines, the suggested city."""
    places = {name: _on_sheet(point) for name, point in PAGE.cities().items()}
    shown = "\n".join(
        [
            *_coasts(),
            *_ways(campaign, places),
            *(_mark(campaign, city, places[city.name]) for city in CITIES),
            *_labels(campaign, places),
            *_legend(campaign),
        ]
    )
    about = f"The mission map of campaign {campaign.name}: {len(campaign.wins)} of {len(CITIES)} cities won"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>{escape(about)}</title>\n<desc>{escape(_told(campaign))}</desc>\n<style>{STYLE}</style>\n"
        f'<rect class="sea" width="{WIDTH}" height="{HEIGHT}"/>\n{shown}\n</svg>\n'
    )


def label_of(campaign: Campaign, city: City) -> str:
    """A city's name and tokens, and once it was played its wins and games."""
    games = campaign.attempts[city.name]
    return f"{city.name} {city.mission}" + (f" {campaign.wins[city.name]}/{games}" if games else "")


def _told(campaign: Campaign) -> str:
    """The map for those who do not see it."""
    parts = []
    for kind in ("won", "open", "closed"):
        names = [label_of(campaign, city) for city in CITIES if campaign.standing(city) == kind]
        parts.append(f"{kind}: {', '.join(names) or 'none'}")
    return f"{'; '.join(parts)}. Lines are {campaign.map.source}."


def _on_sheet(point: Point) -> Point:
    left, top, wide, high = SHEET
    return left + wide * point[0], top + high * point[1]


def _coasts() -> Iterator[str]:
    for shape in PAGE.coasts():
        corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in map(_on_sheet, shape))
        yield f'<polygon class="land" points="{corners}"/>'


def _ways(campaign: Campaign, places: Mapping[str, Point]) -> Iterator[str]:
    """The lines of the map, those from won cities drawn through; over the border where that is the shorter way."""
    if campaign.travel is Travel.FREE:
        return
    for edge in sorted(campaign.map.edges):
        kind = "way led" if not campaign.wins.keys().isdisjoint(edge) else "way"
        for (x1, y1), (x2, y2) in _segments(edge, places):
            yield f'<line class="{kind}" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"/>'


def _segments(edge: tuple[str, str], places: Mapping[str, Point]) -> list[tuple[Point, Point]]:
    (west, first), (east, second) = sorted((coordinates()[name][1], name) for name in edge)
    a, b = places[first], places[second]
    if east - west <= 180:
        return [(a, b)]
    return [(a, (b[0] - WIDTH, b[1])), ((a[0] + WIDTH, a[1]), b)]


def _mark(campaign: Campaign, city: City, place: Point) -> str:
    rings = [
        *(["here"] if city.name == campaign.current else []),
        *(["next"] if city == campaign.suggested else []),
    ]
    return "".join(_symbol(kind, place) for kind in (campaign.standing(city), *rings))


def _symbol(kind: str, place: Point) -> str:
    x, y = place
    radius = {"won": 8, "open": 7, "closed": 4, "here": 12, "next": 15}[kind]
    drawn = f'<circle class="{kind}" cx="{x:.0f}" cy="{y:.0f}" r="{radius}"/>'
    if kind == "won":
        drawn += f'<path class="tick" d="M{x - 4:.0f} {y:.0f}l3 4l5 -8"/>'
    return drawn


def _labels(campaign: Campaign, places: Mapping[str, Point]) -> Iterator[str]:
    """A label beside each city, those with the nearest neighbours first: they have the fewest places left."""
    taken = [Box(x - 12, y - 12, x + 12, y + 12) for x, y in places.values()]
    for city in sorted(CITIES, key=lambda one: _room(places[one.name], places.values())):
        text = label_of(campaign, city)
        best = min(_around(places[city.name], LETTER * len(text)), key=lambda label: _cost(label.box, taken))
        taken.append(best.box)
        kind = "far" if campaign.standing(city) == "closed" else "near"
        where = f'x="{best.x:.0f}" y="{best.y:.0f}" text-anchor="{best.anchor}"'
        yield f'<text class="{kind}" {where}>{escape(text)}</text>'


def _room(place: Point, others: Iterable[Point]) -> float:
    return sorted((place[0] - x) ** 2 + (place[1] - y) ** 2 for x, y in others)[1]


def _around(place: Point, wide: float) -> Iterator[Label]:
    """Where a label that wide may stand, the places one likes best first."""
    x, y = place
    for side, anchor in ((1, "start"), (-1, "end")):
        for drop in (4, -8, 16):
            left = x + 16 if side > 0 else x - 16 - wide
            yield Label(x + 16 * side, y + drop, anchor, Box(left, y + drop - 12, left + wide, y + drop - 12 + LINE))
    for drop in (-16, 28):
        yield Label(x, y + drop, "middle", Box(x - wide / 2, y + drop - 12, x + wide / 2, y + drop - 12 + LINE))


def _cost(box: Box, taken: Sequence[Box]) -> float:
    """What lies under a label, and what of it lies off the page."""
    off = max(0.0, 4 - box.left) + max(0.0, box.right - WIDTH + 4)
    return sum(box.over(other) for other in taken) + 100 * off


def _legend(campaign: Campaign) -> Iterator[str]:
    name = escape(campaign.name)
    yield f'<text class="head" x="20" y="32">{name}: {len(campaign.wins)} of {len(CITIES)} cities won</text>'
    y = HEIGHT - 44.0
    yield f'<rect class="sea" y="{y - 26:.0f}" width="{WIDTH}" height="{HEIGHT - y + 26:.0f}"/>'
    for place, (kind, text) in enumerate(LEGEND):
        x = 30.0 + 190 * place
        yield _symbol(kind, (x, y))
        yield f'<text x="{x + 22:.0f}" y="{y + 5:.0f}">{text}</text>'
    about = f"9-2: 9 turns, of which 2 may be mistakes; 1/3: one win in three games. Lines: {campaign.map.source}."
    yield f'<text class="far" x="20" y="{HEIGHT - 14}">{escape(about)}</text>'
