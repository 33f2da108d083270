"""Figures of a run: win rates, agents found, losses, clues.

They take what `read_run` or `run_bench` gives, or the document of `report --json`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from brushpass.duet.core.cards import AGENTS
from brushpass.duet.plots.report import Report, document_of, name_of, or_else, pairs_of
from brushpass.duet.plots.style import COLORS, color_of, finish, marker_of, new_axes, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WON: Final = ("won", COLORS[5])
LOST: Final = (
    ("assassin", "assassin", COLORS[0]),
    ("sudden_death_losses", "sudden death", COLORS[1]),
    ("cannot_pay", "tokens used up", COLORS[2]),
    ("failures", "failure of an agent", COLORS[3]),
)
"""Causes of a loss: key in a report, name, color."""


def wins_by_city(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """The win rate of each pair in each city, in the map's order, with its 95 % interval.

    `pairs` picks some by their numbers from 1.

    Raises:
        ValueError: no pair is picked, or one that is not there; so in the other figures of pairs.
    """
    return _by_city(report, ax, pairs, _won, 10, 100, ("games won, %", "Win rate by city"))


def found_by_city(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """The agents that each pair found in each city, the mean of a game, of 15; else as `wins_by_city`."""
    return _by_city(report, ax, pairs, _found, AGENTS, AGENTS, ("agents found, of 15", "Agents found by city"))


def heat_map(report: Report, ax: Axes | None = None, *, value: str = "win_rate") -> Axes:
    """A cell for every two agents, as `--cross` has them play; blank where two never met.

    `value` is `win_rate` (of seat A's agent with seat B's, %) or `hits` (a clue, of a giver with a guesser).

    Raises:
        ValueError: another value.
    """
    import numpy as np
    from matplotlib.colors import Normalize

    document = document_of(report)
    if value == "win_rate":
        cells = {(pair["a"], pair["b"]): 100 * pair["win_rate"] for pair in document["pairs"] if pair["games"]}
        title, axes, digits = "Win rate, %", ("seat A", "seat B"), 1
    elif value == "hits":
        cells = {(one["giver"], one["guesser"]): one["hits"] for one in document["matchups"] if one["clues"]}
        title, axes, digits = "Hits a clue", ("giver", "guesser"), 2
    else:
        raise ValueError(f"no heat map of {value!r}: win_rate and hits are there")
    names = list(dict.fromkeys(pair[seat] for pair in document["pairs"] for seat in "ab"))
    ax = ax or new_axes(6.4, 1.6 + 0.55 * len(names))
    grid = np.array([[cells.get((row, column), np.nan) for column in names] for row in names])
    scale = Normalize(0, max(cells.values(), default=1.0) or 1.0)
    ax.pcolormesh(grid, cmap="cividis", norm=scale, edgecolors="none", linewidth=0)
    for (row, column), cell in np.ndenumerate(grid):
        if np.isfinite(cell):
            color = "black" if scale(cell) > 0.55 else "white"
            ax.text(column + 0.5, row + 0.5, f"{cell:.{digits}f}", ha="center", va="center", color=color)
    places = [place + 0.5 for place in range(len(names))]
    labels = [short(name, 30) for name in names]
    ax.set_xticks(places, labels, rotation=25, ha="right", rotation_mode="anchor")
    ax.set_yticks(places, labels)
    ax.set_ylim(len(names), 0)
    ax.set(ylabel=axes[0], xlabel=axes[1], aspect="auto")
    finish(ax, title, grid=False)
    ax.spines["bottom"].set_visible(False)
    return ax


def losses(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """How the games of each pair ended: won, or lost by each cause, as shares that fill a bar."""
    chosen = pairs_of(report, pairs)
    ax = ax or new_axes(6.4, 1.2 + 0.55 * len(chosen))
    ends = [[100 * end / max(1, pair["games"]) for end in _ends(pair)] for _, pair in chosen]
    lefts = [0.0] * len(chosen)
    for place, (name, color) in enumerate([*((name, color) for _, name, color in LOST), WON]):
        widths = [end[place] for end in ends]
        if any(widths):
            bars = ax.barh(range(len(chosen)), widths, 0.5, left=lefts, color=color, label=name)
            texts = [f"{width:.0f}" if width >= 6 else "" for width in widths]
            ax.bar_label(bars, texts, label_type="center", color="white")
        lefts = [left + width for left, width in zip(lefts, widths, strict=True)]
    for place, (number, pair) in enumerate(chosen):
        ax.text(0, place - 0.3, name_of(number, pair), va="bottom")
    ax.set_yticks([])
    ax.set_ylim(len(chosen) - 0.6, -0.7)
    ax.set_xlim(0, 100)
    ax.set_xlabel("games, %")
    finish(ax, "How games ended", legend=True, grid=False, across=3)
    return ax


def turns(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """How many clues games took: the share of a pair's games by their number of clues."""
    return _shares(report, ax, pairs, "turns", "Clues a game", ("clues", "games, %"))


def numbers(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """The number said with a clue: the share of a pair's clues."""
    return _shares(report, ax, pairs, "numbers", "Number said", ("number", "clues, %"))


# ------------------------------------------------------------------ parts


def _by_city(
    report: Report,
    ax: Axes | None,
    pairs: Sequence[int] | None,
    figure: Callable[[Mapping[str, Any]], tuple[float, float, float]],
    least: float,
    most: float,
    texts: tuple[str, str],
) -> Axes:
    """A row a city: the `figure` of its table with its interval, on a scale that ends at `least` to `most`."""
    chosen = pairs_of(report, pairs)
    rows = len(chosen[0][1]["cities"]) + 1
    ax = ax or new_axes(6.4, 1.4 + 0.24 * rows + 0.2 * len(chosen))
    top = least
    for place, (number, pair) in enumerate(chosen):
        figures = [figure(table) for table in (*pair["cities"], pair)]
        shift = (place - (len(chosen) - 1) / 2) * 0.64 / len(chosen)
        ax.errorbar(
            [value for value, _, _ in figures],
            [row + shift for row in range(rows)],
            xerr=[[value - low for value, low, _ in figures], [high - value for value, _, high in figures]],
            linestyle="none",
            marker=marker_of(place),
            markersize=4,
            elinewidth=1.2,
            color=color_of(place),
            label=name_of(number, pair),
            clip_on=False,
        )
        top = max(top, *(high for value, _, high in figures if not math.isnan(value)), least)
    cities = [f"{city['city']}  {city['turns']}-{city['mistakes']}" for city in chosen[0][1]["cities"]]
    ax.set_yticks(range(rows), [*cities, "all"])
    ax.set_ylim(rows - 0.5, -0.5)
    ax.axhline(rows - 1.5, linewidth=0.8, color=ax.spines["bottom"].get_edgecolor())
    right = min(most, 1.05 * top)
    ax.set_xlim(-0.02 * right, right)
    ax.set_xlabel(texts[0])
    finish(ax, texts[1], legend=True)
    return ax


def _won(table: Mapping[str, Any]) -> tuple[float, float, float]:
    """The win rate, %, and its interval."""
    rate = 100 * table["wins"] / table["games"] if table["games"] else math.nan
    return rate, 100 * table["low"], 100 * table["high"]


def _found(table: Mapping[str, Any]) -> tuple[float, float, float]:
    """The agents found, and their interval: none where it is not known."""
    value = or_else(table["mean_found"], math.nan)
    return value, or_else(table["found_low"], value), or_else(table["found_high"], value)


def _shares(
    report: Report, ax: Axes | None, pairs: Sequence[int] | None, key: str, title: str, axes: tuple[str, str]
) -> Axes:
    chosen = pairs_of(report, pairs)
    ax = ax or new_axes(6.4, 3.2 + 0.2 * len(chosen))
    places = sorted({int(number) for _, pair in chosen for number in pair[key]}) or [0]
    for place, (number, pair) in enumerate(chosen):
        total = sum(pair[key].values()) or 1
        shares = [100 * pair[key].get(str(one), 0) / total for one in range(places[0], places[-1] + 1)]
        ax.plot(
            range(places[0], places[-1] + 1),
            shares,
            marker=marker_of(place),
            markersize=4.5,
            linewidth=1.2,
            color=color_of(place),
            label=name_of(number, pair),
        )
    ax.set_xticks(range(places[0], places[-1] + 1))
    ax.set_ylim(bottom=0)
    ax.set(xlabel=axes[0], ylabel=axes[1])
    finish(ax, title, legend=True)
    return ax


def _ends(pair: Mapping[str, Any]) -> Iterator[int]:
    """Losses by cause, then wins."""
    for cause, _, _ in LOST:
        yield sum(city[cause] for city in pair["cities"])
    yield pair["wins"]
