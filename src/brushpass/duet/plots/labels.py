"""Names beside the points of a map, where they hide neither each other nor a point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

SIDES: Final = (
    *((1, 0, "left", "center"), (-1, 0, "right", "center"), (0, 1, "center", "bottom"), (0, -1, "center", "top")),
    *((0.7, 0.7, "left", "bottom"), (-0.7, 0.7, "right", "bottom")),
    *((0.7, -0.7, "left", "top"), (-0.7, -0.7, "right", "top")),
)
"""Where a name may stand: direction from its point, and how the text is aligned."""
NEAR: Final = (6, 12)
"""Points (1/72 inch) between a name and what it names: near if there is room, else farther."""


def label(
    ax: Axes, points: Sequence[tuple[float, float]], names: Sequence[str], styles: Sequence[dict[str, Any]]
) -> None:
    """Write each of `names` beside its point, at the side where it covers least. Earlier names choose first."""
    from matplotlib.transforms import Bbox

    figure = ax.get_figure(root=True)
    if figure is None:
        return
    figure.draw_without_rendering()
    frame = ax.get_window_extent()
    unit = figure.dpi / 72
    taken = [
        Bbox.from_bounds(x - 4 * unit, y - 4 * unit, 8 * unit, 8 * unit) for x, y in ax.transData.transform(points)
    ]
    for point, name, style in zip(points, names, styles, strict=True):
        best: tuple[float, Any, Bbox] | None = None
        for far in NEAR:
            for x, y, ha, va in SIDES:
                text = ax.annotate(
                    name,
                    point,
                    (far * x, far * y),
                    textcoords="offset points",
                    ha=ha,
                    va=va,
                    annotation_clip=False,
                    **style,
                )
                box = text.get_window_extent()
                cost = sum(_overlap(box, other) for other in taken) + _outside(box, frame) + far / 1000
                if best is None or cost < best[0]:
                    if best is not None:
                        best[1].remove()
                    best = cost, text, box
                else:
                    text.remove()
        if best is not None:
            taken.append(best[2])


def _overlap(one: Bbox, other: Bbox) -> float:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return float(max(width, 0) * max(height, 0))


def _outside(box: Bbox, frame: Bbox) -> float:
    return box.width * box.height - _overlap(box, frame)
