"""How figures look: colors and marks that every eye tells apart, quiet lines, the title at the left.

The colors keep their contrast on white and on black and differ for color-blind readers (after Okabe and Ito 2008 and
Tol 2021); lines and letters are as matplotlib is set up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from brushpass.registry import cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS: Final = ("#0077bb", "#d55e00", "#009e73", "#c2609a", "#806000", "#777777")
MARKERS: Final = "osD^vP"
LONGEST: Final = 64
"""Characters of a name in a figure."""


def short(text: str, most: int = LONGEST) -> str:
    """A spec as a label: printable, short, and with no formula in it."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return cut(shown, most).replace("$", r"\$")


def color_of(place: int) -> str:
    """Of the series at `place`."""
    return COLORS[place % len(COLORS)]


def marker_of(place: int) -> str:
    """Of the series at `place`."""
    return MARKERS[place % len(MARKERS)]


def new_axes(width: float, height: float) -> Axes:
    """The Axes of a new figure of that size in inches."""
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def finish(ax: Axes, title: str, *, legend: bool = False, grid: bool = True, across: int = 1) -> None:
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
