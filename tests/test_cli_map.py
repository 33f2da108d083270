"""The campaign's map: as text, in colors, as a picture."""

import os
import sys
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from cli_runner import run

from brushpass.cli.missionmap import map_lines
from brushpass.duet.campaign import Campaign, Result, Travel
from brushpass.duet.campaignfile import CampaignFile
from brushpass.duet.core.mission import CITIES, find_city
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.mapsvg import map_svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """A data folder of the test's own."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))


def campaign(*args):
    return run("campaign", *args)


def win(*cities):
    """Note wins as if they had been played."""
    for city in cities:
        CampaignFile().update(None, lambda one, city=city: one.played(Result(city, Outcome.WON)))


@pytest.mark.parametrize("wins", [0, 1, 5, 26])
@pytest.mark.parametrize("travel", list(Travel))
def test_the_map_fits_80_by_24_and_shows_every_city_once(wins, travel):
    shown = Campaign("test", travel=travel)
    for _ in range(wins):
        shown = shown.played(Result(shown.suggested.name, Outcome.WON))
    drawn = map_lines(shown)
    assert len(drawn) <= 20
    assert max(map(len, drawn)) < 80
    for city in CITIES:
        mark = "*" if city.name in shown.wins else "o" if city in shown.open else "-"
        assert sum(line.count(f"{mark} {city.name} {city.mission}") for line in drawn) == 1
    assert ("..." in "".join(drawn)) is (wins > 0 and travel is Travel.GRAPH)


def test_the_map_keeps_west_left_of_east_and_north_above_south():
    drawn = map_lines(Campaign("test"))

    def place(name):
        label = f"{name} {find_city(name).mission}"
        row = next(row for row, line in enumerate(drawn) if label in line)
        return row, drawn[row].index(label)

    for north, south in (("London", "Madrid"), ("Yakutsk", "Tokyo"), ("Cairo", "Cape Town"), ("Montreal", "Bogota")):
        assert place(north)[0] < place(south)[0]
    for west, east in (("Los Angeles", "Washington"), ("Madrid", "Cairo"), ("Cairo", "Mumbai"), ("Mumbai", "Tokyo")):
        assert place(west)[1] < place(east)[1]


def test_the_map_is_printed_with_its_legend():
    campaign("new")
    ran = campaign("map")
    assert len(ran.out.splitlines()) < 24
    assert max(map(len, ran.out.splitlines())) < 80
    legend, here, bots = ran.out.splitlines()[-3:]
    assert "* won" in legend
    assert here == "you are in Prague   suggested next: Prague 9-9"
    assert bots.startswith("Bots won there, of ")
    assert campaign("map", "--json").document() == campaign("status", "--json").document()


def test_the_map_shows_wins_and_games_once_a_city_was_played():
    campaign("new")
    lost = Result("Prague", Outcome.LOST, Reason.ASSASSIN)
    CampaignFile().update(None, lambda one: one.played(lost))
    win("Prague")
    assert "* Prague 9-9 1/2" in campaign("map").out
    assert "o Berlin 11-2\n" in campaign("map").out


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}], ids=["colors", "NO_COLOR"])
def test_on_a_terminal_the_map_has_colors_unless_they_are_not_wanted(environment):
    pexpect = pytest.importorskip("pexpect")
    campaign("new")
    shown = pexpect.run(
        f"{sys.executable} -m brushpass campaign map",
        env=os.environ | {"TERM": "xterm-256color"} | environment,
        encoding="utf-8",
    )
    assert "o Prague 9-9" in shown
    assert ("\x1b[33" in shown or "\x1b[7;33m" in shown or ";33m" in shown) is (not environment)


def test_the_map_is_a_picture_with_every_city_and_its_standing(tmp_path):
    campaign("new", "a <b> & c")
    win("Prague")
    file = tmp_path / "maps" / "map.svg"
    ran = campaign("map", "--svg", file)
    assert ran.code == 0
    assert str(file) in ran.err
    root = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - our own
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    for city in CITIES:
        assert sum(text.startswith(f"{city.name} {city.mission}") for text in texts) == 1
    assert "Prague 9-9 1/1" in texts
    assert "a <b> & c: 1 of 26 cities won" in texts
    assert "won: Prague 9-9 1/1; open: Vatican 8-0, Monte Carlo 9-0, Paris 11-0, Berlin 11-2;" in root[1].text
    assert file.stat().st_size < 60_000


@pytest.mark.parametrize("wins", [0, 1, 9, 26])
def test_labels_of_the_picture_neither_cover_one_another_nor_leave_it(wins):
    shown = Campaign("test")
    for _ in range(wins):
        shown = shown.played(Result(shown.suggested.name, Outcome.LOST, Reason.ASSASSIN))
        shown = shown.played(Result(shown.suggested.name, Outcome.WON))
    boxes = []
    root = ET.fromstring(map_svg(shown))  # noqa: S314 - our own
    for text in root.iter(f"{SVG}text"):
        if text.get("text-anchor"):
            wide, x, y = 6.5 * len(text.text), float(text.get("x")), float(text.get("y"))
            left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
            boxes.append((left, y - 11, left + wide, y + 2))
    assert len(boxes) == len(CITIES)
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert all(left >= 0 and right <= 1000 for left, _, right, _ in boxes)


def test_a_picture_that_cannot_be_written_is_one_line_and_3(tmp_path):
    campaign("new")
    (tmp_path / "file").write_text("")
    assert campaign("map", "--svg", tmp_path / "file" / "map.svg").code == 3


def test_the_map_of_a_campaign_that_is_over_suggests_nothing():
    campaign("new")
    win("Prague")
    while ahead := CampaignFile().get().ahead:
        win(ahead[0].name)
    assert campaign("map").out.splitlines()[-1].endswith("the whole map is won")
    assert "The whole map is won." in campaign("status").out
