"""The mission map with how a pair does in each city."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from brushpass.duet.core.cards import AGENTS
from brushpass.duet.missionmap import coordinates, load_map
from brushpass.duet.plots.labels import label
from brushpass.duet.plots.report import Report, name_of, or_else, pairs_of
from brushpass.duet.plots.style import finish, new_axes
from brushpass.duet.projection import PAGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AROUND: Final = 1.17
"""Once around the globe, in widths of the map."""


def world_map(report: Report, ax: Axes | None = None, *, pair: int = 1, value: str = "win_rate") -> Axes:
    """The cities of the mission map, where they lie: how often the pair wins in each, %, or how many agents it finds.

    `pair` is its number from 1; `value` is `win_rate` or `found`. Cities that the run has not played are small.

    Raises:
        ValueError: another value.
    """
    if value == "win_rate":
        measure, top, title, digits = _won, 100.0, "Win rate, %", 0
    elif value == "found":
        measure, top, title, digits = _found, float(AGENTS), "Agents found, of 15", 1
    else:
        raise ValueError(f"no map of {value!r}: win_rate and found are there")
    ((number, played),) = pairs_of(report, [pair])
    places = PAGE.cities()
    figures = {city["city"]: measure(city) for city in played["cities"] if city["city"] in places}
    known = {city: figure for city, figure in figures.items() if not math.isnan(figure)}
    ax = ax or new_axes(8.6, 5.0)
    ax.set(xlim=(-0.09, 1.09), ylim=(1.12, -0.12), xticks=[], yticks=[])
    _ground(ax)
    blank = [city for city in places if city not in known]
    ink = ax.spines["bottom"].get_edgecolor()
    ax.scatter(
        [places[city][0] for city in blank], [places[city][1] for city in blank], 12, color=ink, alpha=0.4, linewidths=0
    )
    ax.scatter(
        [places[city][0] for city in known],
        [places[city][1] for city in known],
        75,
        list(known.values()),
        cmap="cividis",
        vmin=0,
        vmax=min(top, max(known.values(), default=1.0)) or 1.0,
        edgecolors=[ink],
        linewidths=0.8,
        zorder=3,
    )
    ax.set_xlabel(f"pair {name_of(number, played)}", loc="left")
    finish(ax, f"{title}, by city", grid=False)
    ax.spines["bottom"].set_visible(False)
    names = [f"{city} {known[city]:.{digits}f}" if city in known else city for city in places]
    label(ax, list(places.values()), names, [{"fontsize": "small"}] * len(names))
    return ax


def _ground(ax: Axes) -> None:
    """Land, and the lines between cities."""
    ink = ax.spines["bottom"].get_edgecolor()
    for coast in PAGE.coasts():
        ax.fill([x for x, _ in coast], [y for _, y in coast], color=ink, alpha=0.09, linewidth=0, zorder=1)
    places = PAGE.cities()
    for edge in sorted(load_map().edges):
        west, east = sorted(edge, key=lambda city: coordinates()[city][1])
        (x, y), (to_x, to_y) = places[west], places[east]
        over = coordinates()[east][1] - coordinates()[west][1] > 180
        for shift, back in ((0, AROUND), (AROUND, 0)) if over else ((0, 0),):
            ends = [x + shift, to_x - back if over else to_x]
            ax.plot(ends, [y, to_y], color=ink, linewidth=0.7, alpha=0.3, zorder=2)


def _won(city: Mapping[str, Any]) -> float:
    return 100 * city["wins"] / city["games"] if city["games"] else math.nan


def _found(city: Mapping[str, Any]) -> float:
    return or_else(city["mean_found"], math.nan)
