"""Names beside the points of a map, where they hide neither each other nor a point."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

    Points = npt.NDArray[np.float64]

SIDES: Final = (
    *((1, 0, "left", "center"), (-1, 0, "right", "center"), (0, 1, "center", "bottom"), (0, -1, "center", "top")),
    *((0.7, 0.7, "left", "bottom"), (-0.7, 0.7, "right", "bottom")),
    *((0.7, -0.7, "left", "top"), (-0.7, -0.7, "right", "top")),
)
"""Where a name may stand: direction from its point, and how the text is aligned."""
SHARE: Final = {"left": 0.0, "bottom": 0.0, "center": 0.5, "right": 1.0, "top": 1.0}
"""How much of a text, so aligned, lies left of its place, or below."""
NEAR: Final = (6, 12)
"""Points (1/72 inch) between a name and what it names: near if there is room, else farther."""


def label(
    ax: Axes, points: Sequence[tuple[float, float]], names: Sequence[str], styles: Sequence[dict[str, Any]]
) -> None:
    """Write each of `names` beside its point, where it covers least: names, points, lines. The first choose first."""
    from matplotlib.transforms import Bbox

    figure = ax.get_figure(root=True)
    if figure is None:
        return
    figure.draw_without_rendering()
    frame, unit = ax.get_window_extent(), figure.dpi / 72
    places = ax.transData.transform(points)
    lines = _dots(ax)
    taken = [Bbox.from_bounds(x - 4 * unit, y - 4 * unit, 8 * unit, 8 * unit) for x, y in places]
    for point, (x, y), name, style in zip(points, places, names, styles, strict=True):
        text = ax.annotate(name, point, (0, 0), textcoords="offset points", annotation_clip=False, **style)
        size = text.get_window_extent()
        choices: list[tuple[float, Bbox, tuple[float, float], str, str]] = []
        for far in NEAR:
            for right, up, ha, va in SIDES:
                left = x + far * right * unit - SHARE[ha] * size.width
                bottom = y + far * up * unit - SHARE[va] * size.height
                box = Bbox.from_bounds(left, bottom, size.width, size.height)
                cost = sum(_overlap(box, other) for other in taken) + _outside(box, frame) + far / 1000
                cost += unit * _struck(box, lines)
                choices.append((cost, box, (far * right, far * up), ha, va))
        _, box, offset, ha, va = min(choices, key=itemgetter(0))
        text.set(position=offset, ha=ha, va=va)
        taken.append(box)


def _dots(ax: Axes) -> Points:
    """The lines of `ax` as dots, one a pixel."""
    import numpy as np

    dots = [np.empty((0, 2))]
    for line in ax.get_lines():
        start, end = ax.transData.transform(line.get_xydata())
        dots.append(np.linspace(start, end, int(np.hypot(*(end - start))) + 2))
    return np.concatenate(dots)


def _struck(box: Bbox, dots: Points) -> int:
    """How many of the dots `box` covers."""
    return int(((dots > box.min) & (dots < box.max)).all(axis=1).sum())


def _overlap(one: Bbox, other: Bbox) -> float:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return float(max(width, 0) * max(height, 0))


def _outside(box: Bbox, frame: Bbox) -> float:
    return box.width * box.height - _overlap(box, frame)
