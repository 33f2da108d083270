"""A figure as SVG to stand in a page: in the page's own letters and color of text, with its text as text."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK: Final = "#010203"
"""Stands for the color of the page's text while a figure is drawn."""
STYLE: Final = (
    "<style>svg { background: #fdfcfa; color: #22252a; font-family: system-ui, sans-serif; } "
    "@media (prefers-color-scheme: dark) { svg { background: #16181d; color: #e3e3e0; } }</style>"
)
"""Of a figure that stands alone."""
SVG: Final = "http://www.w3.org/2000/svg"
XLINK: Final = "http://www.w3.org/1999/xlink"
_INKED: Final = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "grid.color")
_FONT: Final = re.compile(r"font-family: [^;]*; ")
_REFERENCE: Final = re.compile(r"url\(#|^#")


def draw(plot: Callable[[Axes], object], *, size: tuple[float, float], name: str, about: str) -> str:
    """What `plot` draws on an Axes of `size` inches, as an `<svg>` element.

    `name` (letters and digits) sets the ids of the element apart from those of others; `about` says what is to be seen
    to those who do not see it. The same figure gives the same text.
    """
    from matplotlib.figure import Figure
    from matplotlib.style import context

    looks = {
        **dict.fromkeys(_INKED, INK),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "svg.fonttype": "none",
        "svg.hashsalt": name,
    }
    file = io.StringIO()
    with context(["default", looks]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the reader's own font will have it
        figure = Figure(figsize=size, layout="constrained")
        plot(figure.subplots())
        figure.savefig(file, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return _inline(file.getvalue(), name, about)


def alone(svg: str, size: tuple[float, float]) -> str:
    """An element that `draw` made at that `size` as a file of its own, with a ground for light and one for dark."""
    width, height = (round(96 * length) for length in size)
    return svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1).replace(">", f">{STYLE}", 1) + "\n"


def _inline(text: str, name: str, about: str) -> str:
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    root = ET.fromstring(text)  # noqa: S314 - matplotlib has just written it
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {f"{{{SVG}}}metadata", f"{{{SVG}}}style"}:
                parent.remove(child)
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id":
                element.set(key, f"{name}-{value}")
            elif key == "style":
                styled = _FONT.sub("", value.replace(INK, "currentColor"))
                element.set(key, styled.replace("url(#", f"url(#{name}-"))
            elif key != "d":
                element.set(key, _REFERENCE.sub(lambda found: f"{found[0]}{name}-", value))
    for size in ("width", "height"):
        del root.attrib[size]
    root.set("role", "img")
    root.set("aria-label", about)
    return ET.tostring(root, encoding="unicode")
