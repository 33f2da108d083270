"""Figures that compare: pairs over the deals both have played, minds on people's guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from brushpass.duet.plots.report import Report, document_of
from brushpass.duet.plots.style import COLORS, color_of, finish, marker_of, new_axes, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH: Final = 1.96
"""Standard errors from the middle of a 95 % interval to its ends."""
DIFFERENCES: Final = {
    "wins": ("games won, percentage points", 100),
    "found": ("agents found a game", 1),
    "turns": ("clues a game", 1),
}
FIGURES: Final = {
    "first_guess_top1": "first guesses foreseen",
    "mrr": "mean reciprocal rank of the first guess",
    "target_recall": "targets among the nearest cards",
    "log_likelihood": "log-likelihood of the first guess",
}


def differences(compared: Sequence[Report], ax: Axes | None = None, *, value: str = "wins") -> Axes:
    """What `compare_pairs` or `compare_runs` found: first less second, with its 95 % interval.

    Right of the line the first is higher. What one deal alone tells has no interval and is left out.
    `value` is `wins`, `found` or `turns`.

    Raises:
        ValueError: another value.
    """
    if value not in DIFFERENCES:
        raise ValueError(f"no differences of {value!r}: {', '.join(DIFFERENCES)} are there")
    axis, scale = DIFFERENCES[value]
    rows = [row for row in map(document_of, compared) if row[value] is not None and row[value]["low"] is not None]
    ax = ax or new_axes(6.4, 1.2 + 0.62 * len(rows))
    for place, row in enumerate(rows):
        low, middle, high = (scale * row[value][end] for end in ("low", "difference", "high"))
        clear = low > 0 or high < 0
        ax.errorbar(
            [middle],
            [place],
            xerr=[[middle - low], [high - middle]],
            marker="o" if clear else "s",
            markersize=5,
            markerfacecolor=COLORS[0] if clear else "none",
            elinewidth=1.4,
            color=COLORS[0],
        )
        name = f"{_pair(row['first'])}\nless {_pair(row['second'])}"
        where = ax.get_yaxis_transform()
        ax.text(0, place - 0.2, name, transform=where, va="bottom", fontsize="small", in_layout=False)
    ax.set_yticks([])
    ax.set_ylim(len(rows) - 0.7, -0.85)
    ink = ax.spines["bottom"].get_edgecolor()
    ax.vlines([0] * len(rows), [row - 0.12 for row in range(len(rows))], [row + 0.3 for row in range(len(rows))], ink)
    ax.set_xlabel(f"difference in {axis}; filled: the interval leaves 0 out")
    finish(ax, "Paired differences")
    return ax


def foresight(
    documents: Sequence[Mapping[str, Any]], ax: Axes | None = None, *, value: str = "first_guess_top1"
) -> Axes:
    """How well minds foresee people: a row a source of guesses, a series a document of `evaluate humans --json`.

    `value` is a figure of it, such as `first_guess_top1` or `log_likelihood`; intervals are 95 %.
    """
    sources = list(dict.fromkeys(source["source"] for document in documents for source in document["sources"]))
    ax = ax or new_axes(6.4, 1.5 + 0.55 * len(sources) + 0.2 * len(documents))
    for place, document in enumerate(documents):
        shift = (place - (len(documents) - 1) / 2) * 0.6 / len(documents)
        found = [source for source in document["sources"] if source.get(value) is not None]
        errors = [WIDTH * (source["standard_errors"].get(value) or 0) for source in found]
        ax.errorbar(
            [source[value] for source in found],
            [sources.index(source["source"]) + shift for source in found],
            xerr=errors,
            linestyle="none",
            marker=marker_of(place),
            markersize=5,
            elinewidth=1.2,
            color=color_of(place),
            label=short(document["model"], 30),
        )
    items = {source["source"]: source["items"] for document in documents for source in document["sources"]}
    ax.set_yticks(range(len(sources)), [f"{short(source, 30)}\n{items[source]} items" for source in sources])
    ax.set_ylim(len(sources) - 0.5, -0.5)
    ax.set_xlabel(FIGURES.get(value, value.replace("_", " ")))
    finish(ax, "Minds on people's guesses", legend=True, across=2)
    return ax


def _pair(side: Mapping[str, Any]) -> str:
    return f"{side['pair']}: {short(side['a'], 32)} + {short(side['b'], 32)}"
