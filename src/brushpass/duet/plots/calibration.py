"""Figures of promises: hits that givers expected, and chances that minds gave, against what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from brushpass.duet.plots.report import Report, or_else, pairs_of
from brushpass.duet.plots.style import color_of, finish, marker_of, new_axes, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST: Final = 10
"""Clues of a bin that is drawn."""


def calibration(report: Report, ax: Axes | None = None, *, pairs: Sequence[int] | None = None) -> Axes:
    """Hits that a giver promised against hits that happened, with 95 % intervals; on the dashed line promises are kept.

    A series is one seat's giver of one pair, without bins of fewer than `FEWEST` clues if it has others; givers that
    promise nothing have none.
    """
    reach = 0.0
    series = [
        (f"{number} {seat}: {short(giver)}", one)
        for number, pair in pairs_of(report, pairs)
        for seat, giver in (("A", pair["a"]), ("B", pair["b"]))
        if (one := pair["calibration"][seat]) is not None
    ]
    ax = ax or new_axes(6.4, 4.2 + 0.2 * len(series))
    for place, (name, one) in enumerate(series):
        bins = [part for part in one["bins"] if part["n"] >= FEWEST] or one["bins"]
        happened = [part["happened"] for part in bins]
        low = [or_else(part["happened_low"], part["happened"]) for part in bins]
        high = [or_else(part["happened_high"], part["happened"]) for part in bins]
        promised = [part["promised"] for part in bins]
        ax.errorbar(
            promised,
            happened,
            yerr=[
                [middle - end for middle, end in zip(happened, low, strict=True)],
                [end - middle for middle, end in zip(happened, high, strict=True)],
            ],
            marker=marker_of(place),
            markersize=4.5,
            linewidth=1.2,
            elinewidth=1.0,
            color=color_of(place),
            label=name,
        )
        reach = max(reach, *promised, *happened)
    reach = 1.1 * reach or 1.0
    ax.plot([0, reach], [0, reach], linestyle="--", linewidth=0.8, color=ax.spines["bottom"].get_edgecolor(), zorder=1)
    ax.set(xlim=(0, reach), ylim=(0, reach), xlabel="hits promised, mean of a bin", ylabel="hits that happened, mean")
    if not series:
        ax.text(0.5, 0.5, "no giver of this run promises hits", transform=ax.transAxes, ha="center", va="bottom")
    finish(ax, "Calibration of promised hits", legend=bool(series))
    return ax


def foreseen(document: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """The chances a mind gave cards against how often they were the first guess, a series a source of guesses.

    Takes the document of `evaluate humans --json`; a source without calibration has no series.
    """
    ax = ax or new_axes(6.4, 4.6)
    sources = [source for source in document["sources"] if source.get("calibration")]
    for place, source in enumerate(sources):
        bins = [part for part in source["calibration"] if part["cards"] >= FEWEST] or source["calibration"]
        ax.plot(
            [part["predicted"] for part in bins],
            [part["observed"] for part in bins],
            marker=marker_of(place),
            markersize=4.5,
            linewidth=1.2,
            color=color_of(place),
            label=f"{short(source['source'])}, {source['items']} items",
        )
    ax.plot([0, 1], [0, 1], linestyle="--", linewidth=0.8, color=ax.spines["bottom"].get_edgecolor(), zorder=1)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="chance the mind gave a card", ylabel="share of first guesses it got")
    if not sources:
        ax.text(0.5, 0.5, "this document has no calibration", transform=ax.transAxes, ha="center", va="bottom")
    finish(ax, f"Calibration of {short(document['model'])} on people's guesses", legend=bool(sources))
    return ax
