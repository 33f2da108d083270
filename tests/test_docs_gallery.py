"""docs/gallery.md shows every figure there is, and its files are there."""

import re
from pathlib import Path
from types import FunctionType
from xml.etree import ElementTree as ET

import pytest

from brushpass.duet import plots

PAGE = Path(__file__).parents[1] / "docs" / "gallery.md"
SHOWN = re.findall(r"!\[(\w+)\]\((gallery/\w+\.svg)\)", PAGE.read_text(encoding="utf-8"))


def test_every_figure_is_shown():
    figures = {name for name in plots.__all__ if isinstance(getattr(plots, name), FunctionType)}
    assert figures <= {name for name, _ in SHOWN}


@pytest.mark.parametrize("name", [path for _, path in SHOWN])
def test_a_picture_stands_alone_and_suits_light_and_dark(name):
    text = (PAGE.parent / name).read_text(encoding="utf-8")
    root = ET.fromstring(text)  # noqa: S314 - our own file
    assert {"width", "height"} <= root.attrib.keys()
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"(href|src)=\"(?!#)|url\((?!#)", text)


def test_no_picture_is_left_over():
    assert {path.name for path in (PAGE.parent / "gallery").iterdir()} == {Path(path).name for _, path in SHOWN}
