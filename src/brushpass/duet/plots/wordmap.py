"""Cards and clues as a map: what lies near in a mind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from brushpass.duet.agents.reading import Reading
from brushpass.duet.core.cards import Color
from brushpass.duet.plots.clues import HUES
from brushpass.duet.plots.labels import label
from brushpass.duet.plots.style import COLORS, finish, new_axes, short
from brushpass.duet.render import NAMES
from brushpass.semantics.plane import Plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS: Final = {Color.GREEN: ("D", 34), Color.TAN: ("o", 16), Color.BLACK: ("X", 52)}
CLUE: Final = COLORS[0]


def word_map(plane: Plane, reading: Reading, ax: Axes | None = None) -> Axes:
    """The words of `plane`: cards by what they are to the giver, all others as clues.

    Lines tie the clue of `reading` to its targets.
    """
    ax = ax or new_axes(6.4, 5.2)
    places = dict(zip(plane.words, map(tuple, plane.points.tolist()), strict=True))
    colors = dict(zip(reading.cards, reading.colors, strict=True))
    if reading.word in places:
        for target in reading.targets:
            ends = places[reading.word], places[target]
            x, y = zip(*ends, strict=True)
            ax.plot(x, y, color=CLUE, linewidth=1, alpha=0.45, zorder=1)
    for color, (marker, size) in MARKERS.items():
        here = [places[word] for word in plane.words if colors.get(word) is color]
        if here:
            x, y = zip(*here, strict=True)
            ax.scatter(x, y, size, HUES[color], marker=marker, label=NAMES[color], linewidths=0, zorder=2)
    clues = [word for word in plane.words if word not in colors]
    if clues:
        x, y = zip(*(places[word] for word in clues), strict=True)
        ax.scatter(x, y, 30, CLUE, marker="s", label="clue", linewidths=0, zorder=2)
    ax.margins(0.12)
    ax.set(xticks=[], yticks=[])
    ax.set_xlabel(f"this plane keeps {plane.kept:.0%} of what sets the vectors apart", loc="left")
    finish(ax, f"Cards and clues in the mind {short(plane.mind, 30)}", grid=False, legend=True, across=4)
    ax.spines["bottom"].set_visible(False)
    order = [*clues, *(word for word in plane.words if word in colors)]
    styles = [
        {"color": CLUE if word in clues else HUES[colors[word]], "fontsize": "small"}
        | ({"fontweight": "bold"} if word == reading.word else {})
        for word in order
    ]
    label(ax, [places[word] for word in order], [short(word, 24) for word in order], styles)
    return ax
