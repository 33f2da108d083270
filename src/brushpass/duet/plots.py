"""Figures of a run: each function draws one on an Axes and returns it.

They take what `read_run` or `run_bench` gives, or the document of `report --json`. The colors of the series keep their
contrast on white and on black and differ for color-blind readers; lines and letters are as matplotlib is set up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from brushpass.duet.results import AGENTS
from brushpass.registry import cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS: Final = ("#0077bb", "#d55e00", "#009e73", "#c2609a", "#a87b00", "#777777")
MARKERS: Final = "osD^vP"
WON: Final = ("won", COLORS[5])
LOST: Final = (
    ("assassin", "assassin", COLORS[0]),
    ("sudden_death_losses", "sudden death", COLORS[1]),
    ("cannot_pay", "tokens used up", COLORS[2]),
    ("failures", "failure of an agent", COLORS[3]),
)
"""Causes of a loss: key in a report, name, color."""
FEWEST: Final = 10
"""Clues of a bin that is drawn."""
LONGEST: Final = 64
"""Characters of a pair's name in a figure."""


class Told(Protocol):
    """What has the document of a run."""

    def to_json(self) -> dict[str, Any]:
        """The document of `report --json` or `bench --json`."""


Report = Told | Mapping[str, Any]


def wins_by_city(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """The win rate of each pair in each city, in the map's order, with its 95 % interval.

    `pairs` picks some by their numbers from 1.
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

    document = _document(report)
    if value == "win_rate":
        cells = {(pair["a"], pair["b"]): 100 * pair["win_rate"] for pair in document["pairs"] if pair["games"]}
        title, axes, digits = "Win rate, %", ("seat A", "seat B"), 1
    elif value == "hits":
        cells = {(one["giver"], one["guesser"]): one["hits"] for one in document["matchups"] if one["clues"]}
        title, axes, digits = "Hits a clue", ("giver", "guesser"), 2
    else:
        raise ValueError(f"no heat map of {value!r}: win_rate and hits are there")
    names = list(dict.fromkeys(pair[seat] for pair in document["pairs"] for seat in "ab"))
    ax = ax or _axes(6.4, 1.6 + 0.55 * len(names))
    grid = np.array([[cells.get((row, column), np.nan) for column in names] for row in names])
    scale = Normalize(0, max(cells.values(), default=1.0) or 1.0)
    ax.pcolormesh(grid, cmap="cividis", norm=scale, edgecolors="none", linewidth=0)
    for (row, column), cell in np.ndenumerate(grid):
        if np.isfinite(cell):
            color = "black" if scale(cell) > 0.55 else "white"
            ax.text(column + 0.5, row + 0.5, f"{cell:.{digits}f}", ha="center", va="center", color=color)
    places = [place + 0.5 for place in range(len(names))]
    labels = [_short(name, 30) for name in names]
    ax.set_xticks(places, labels, rotation=25, ha="right", rotation_mode="anchor")
    ax.set_yticks(places, labels)
    ax.set_ylim(len(names), 0)
    ax.set(ylabel=axes[0], xlabel=axes[1], aspect="auto")
    _finish(ax, title, grid=False)
    ax.spines["bottom"].set_visible(False)
    return ax


def losses(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """How the games of each pair ended: won, or lost by each cause, as shares that fill a bar."""
    chosen = _pairs(report, pairs)
    ax = ax or _axes(6.4, 1.2 + 0.55 * len(chosen))
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
        ax.text(0, place - 0.3, _name(number, pair), va="bottom")
    ax.set_yticks([])
    ax.set_ylim(len(chosen) - 0.6, -0.7)
    ax.set_xlim(0, 100)
    ax.set_xlabel("games, %")
    _finish(ax, "How games ended", legend=True, grid=False, across=3)
    return ax


def calibration(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """Hits that a giver promised against hits that happened, with 95 % intervals; on the dashed line promises are kept.

    A series is one seat's giver of one pair, without bins of fewer than `FEWEST` clues if it has others; givers that
    promise nothing have none.
    """
    ax = ax or _axes(6.4, 4.6)
    reach = 0.0
    series = [
        (f"{number} {seat}: {_short(giver)}", one)
        for number, pair in _pairs(report, pairs)
        for seat, giver in (("A", pair["a"]), ("B", pair["b"]))
        if (one := pair["calibration"][seat]) is not None
    ]
    for place, (name, one) in enumerate(series):
        bins = [part for part in one["bins"] if part["n"] >= FEWEST] or one["bins"]
        happened = [part["happened"] for part in bins]
        low = [_or(part["happened_low"], part["happened"]) for part in bins]
        high = [_or(part["happened_high"], part["happened"]) for part in bins]
        promised = [part["promised"] for part in bins]
        ax.errorbar(
            promised,
            happened,
            yerr=[
                [middle - end for middle, end in zip(happened, low, strict=True)],
                [end - middle for middle, end in zip(happened, high, strict=True)],
            ],
            marker=_marker(place),
            markersize=4.5,
            linewidth=1.2,
            elinewidth=1.0,
            color=_color(place),
            label=name,
        )
        reach = max(reach, *promised, *happened)
    reach = 1.1 * reach or 1.0
    ax.plot([0, reach], [0, reach], linestyle="--", linewidth=0.8, color=ax.spines["bottom"].get_edgecolor(), zorder=1)
    ax.set(xlim=(0, reach), ylim=(0, reach), xlabel="hits promised, mean of a bin", ylabel="hits that happened, mean")
    if not series:
        ax.text(0.5, 0.5, "no giver of this run promises hits", transform=ax.transAxes, ha="center", va="bottom")
    _finish(ax, "Calibration of promised hits", legend=bool(series))
    return ax


def foreseen(document: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """The chances a mind gave cards against how often they were the first guess, a series a source of guesses.

    Takes the document of `evaluate humans --json`.
    """
    ax = ax or _axes(6.4, 4.6)
    for place, source in enumerate(document["sources"]):
        bins = [part for part in source["calibration"] if part["cards"] >= FEWEST] or source["calibration"]
        ax.plot(
            [part["predicted"] for part in bins],
            [part["observed"] for part in bins],
            marker=_marker(place),
            markersize=4.5,
            linewidth=1.2,
            color=_color(place),
            label=f"{_short(source['source'])}, {source['items']} items",
        )
    ax.plot([0, 1], [0, 1], linestyle="--", linewidth=0.8, color=ax.spines["bottom"].get_edgecolor(), zorder=1)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="chance the mind gave a card", ylabel="share of first guesses it got")
    _finish(ax, f"Calibration of {_short(document['model'])} on people's guesses", legend=True)
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
    chosen = _pairs(report, pairs)
    rows = len(chosen[0][1]["cities"]) + 1
    ax = ax or _axes(6.4, 1.4 + 0.24 * rows + 0.2 * len(chosen))
    top = least
    for place, (number, pair) in enumerate(chosen):
        figures = [figure(table) for table in (*pair["cities"], pair)]
        shift = (place - (len(chosen) - 1) / 2) * 0.64 / len(chosen)
        ax.errorbar(
            [value for value, _, _ in figures],
            [row + shift for row in range(rows)],
            xerr=[[value - low for value, low, _ in figures], [high - value for value, _, high in figures]],
            linestyle="none",
            marker=_marker(place),
            markersize=4,
            elinewidth=1.2,
            color=_color(place),
            label=_name(number, pair),
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
    _finish(ax, texts[1], legend=True)
    return ax


def _won(table: Mapping[str, Any]) -> tuple[float, float, float]:
    """The win rate, %, and its interval."""
    rate = 100 * table["wins"] / table["games"] if table["games"] else math.nan
    return rate, 100 * table["low"], 100 * table["high"]


def _found(table: Mapping[str, Any]) -> tuple[float, float, float]:
    """The agents found, and their interval: none where it is not known."""
    value = _or(table["mean_found"], math.nan)
    return value, _or(table["found_low"], value), _or(table["found_high"], value)


def _shares(
    report: Report, ax: Axes | None, pairs: Sequence[int] | None, key: str, title: str, axes: tuple[str, str]
) -> Axes:
    ax = ax or _axes(6.4, 3.4)
    chosen = _pairs(report, pairs)
    places = sorted({int(number) for _, pair in chosen for number in pair[key]}) or [0]
    for place, (number, pair) in enumerate(chosen):
        total = sum(pair[key].values()) or 1
        shares = [100 * pair[key].get(str(one), 0) / total for one in range(places[0], places[-1] + 1)]
        ax.plot(
            range(places[0], places[-1] + 1),
            shares,
            marker=_marker(place),
            markersize=4.5,
            linewidth=1.2,
            color=_color(place),
            label=_name(number, pair),
        )
    ax.set_xticks(range(places[0], places[-1] + 1))
    ax.set_ylim(bottom=0)
    ax.set(xlabel=axes[0], ylabel=axes[1])
    _finish(ax, title, legend=True)
    return ax


def _document(report: Report) -> Mapping[str, Any]:
    return report if isinstance(report, Mapping) else report.to_json()


def _pairs(report: Report, wanted: Sequence[int] | None) -> list[tuple[int, Mapping[str, Any]]]:
    """Pairs with their numbers from 1."""
    every = list(enumerate(_document(report)["pairs"], 1))
    return every if wanted is None else [every[number - 1] for number in wanted]


def _ends(pair: Mapping[str, Any]) -> Iterator[int]:
    """Losses by cause, then wins."""
    for cause, _, _ in LOST:
        yield sum(city[cause] for city in pair["cities"])
    yield pair["wins"]


def _name(number: int, pair: Mapping[str, Any]) -> str:
    half = (LONGEST - 3) // 2
    return f"{number}: {_short(pair['a'], half)} + {_short(pair['b'], half)}"


def _short(text: str, most: int = LONGEST) -> str:
    """A spec as a label: printable, short, and with no formula in it."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return cut(shown, most).replace("$", r"\$")


def _or(value: float | None, other: float) -> float:
    return other if value is None else value


def _color(place: int) -> str:
    return COLORS[place % len(COLORS)]


def _marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def _axes(width: float, height: float) -> Axes:
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _finish(ax: Axes, title: str, *, legend: bool = False, grid: bool = True, across: int = 1) -> None:
    """Title at the left, quiet lines, and the legend under the axes."""
    from matplotlib.transforms import ScaledTranslation

    ax.set_title(title, loc="left")
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(linewidth=0.5, alpha=0.18)
    if legend and ax.get_legend_handles_labels()[0]:
        below = ax.transAxes + ScaledTranslation(0, -0.5, ax.figure.dpi_scale_trans)
        ax.legend(
            loc="upper left",
            bbox_to_anchor=(0, 0),
            bbox_transform=below,
            ncols=across,
            frameon=False,
            borderaxespad=0,
            handlelength=1.5,
        )
