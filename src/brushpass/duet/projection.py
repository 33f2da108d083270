"""Where a place lies on our drawing of the map: as on the globe, but stretched where cities stand close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from brushpass.duet.core.mission import CITIES
from brushpass.duet.missionmap import coordinates, land

Floats = NDArray[np.float64]
Point = tuple[float, float]
"""Right and down, both 0 to 1 over the cities; beyond them less or more."""


@dataclass(frozen=True, slots=True)
class Projection:
    """How far the map follows a city's rank rather than its degrees, to the right and down; 0 is the plain globe."""

    right: float
    down: float

    def cities(self) -> Mapping[str, Point]:
        """Every city's place, by name."""
        places = coordinates()
        return dict(zip(places, self.points(list(places.values())), strict=True))

    def coasts(self) -> list[list[Point]]:
        """The corners of every piece of land."""
        return [self.points(shape) for shape in land()]

    def points(self, degrees: Sequence[tuple[float, float]]) -> list[Point]:
        """The points of places given in degrees (north, east)."""
        known = [coordinates()[city.name] for city in CITIES]
        north, east = (np.array([place[axis] for place in known]) for axis in (0, 1))
        rights = _spread(np.array([one[1] for one in degrees]), east, self.right)
        downs = 1 - _spread(np.array([one[0] for one in degrees]), north, self.down)
        return [(float(x), float(y)) for x, y in zip(rights, downs, strict=True)]


PAGE: Final = Projection(right=0.45, down=0.5)
"""Of the maps on pages: a campaign's and a report's."""


def _spread(values: Floats, known: Floats, evenly: float) -> Floats:
    """`values` on the scale on which the lowest `known` is 0 and the highest 1, drawn towards even steps of these."""
    scale = np.unique(known)
    plain = (values - scale[0]) / (scale[-1] - scale[0])
    inside = np.clip(values, scale[0], scale[-1])
    ranks = np.interp(inside, scale, np.linspace(0, 1, len(scale)))
    beyond = (values - inside) / (scale[-1] - scale[0])
    spread: Floats = evenly * (ranks + beyond) + (1 - evenly) * plain
    return spread
