"""The pages that show how to play: their pictures are there, small, whole, and as the program now is."""

import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from cli_runner import run

from brushpass.duet.mapsvg import map_svg

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = sorted((DOCS / "pictures").glob("*.svg"))
LEARNED = ["", "apple", "cherry", "stop", "doctor 2"]


def shown(name):
    """What a picture of a terminal says, without its blanks."""
    root = ET.fromstring((DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8"))  # noqa: S314 - our own
    return "".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")).split()


def test_every_picture_is_shown_and_every_picture_shown_is_there():
    pages = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("play.md", "campaign.md"))
    assert set(re.findall(r"\(pictures/([\w-]+\.svg)\)", pages)) == {path.name for path in PICTURES}


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_pictures_are_small_whole_and_load_nothing_from_elsewhere(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < 60_000
    ET.fromstring(text)  # noqa: S314 - our own
    assert "url(http" not in text
    assert "href" not in text


def test_the_map_is_drawn_as_now():
    pytest.importorskip("pexpect")
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    drawn = (DOCS / "pictures" / "map.svg").read_text(encoding="utf-8")
    assert drawn == map_svg(pictures.tour()), "python docs/pictures.py draws it again"


def test_the_lesson_is_told_as_now():
    told = run("learn", typed="".join(f"{line}\n" for line in LEARNED)).out
    step = told[told.index("STEP 2") : told.index("STEP 4")]
    words = re.sub(r"\(<?\d+ %\)", "", step.replace("touch>", "").replace("clue>", "")).split()
    pictured = set(shown("learn"))
    assert len([word for word in words if word not in pictured]) <= len(words) / 20, "python docs/pictures.py"


def test_what_the_page_says_may_be_typed_is_there():
    page = (DOCS / "play.md").read_text(encoding="utf-8")
    helped = run("play", "--help").out + run("replay", "--help").out + run("campaign", "map", "--help").out
    options = set(re.findall(r"`(--[a-z-]+)", page)) | set(re.findall(r" (--[a-z-]+)", page))
    assert options
    assert not [option for option in options if option not in helped]
