"""The figures of a run, and the page that holds them."""

import json
import re
from html.parser import HTMLParser
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from brushpass.duet import plots
from brushpass.duet.bench import run_bench
from brushpass.duet.core.mission import CITIES, find_cities
from brushpass.duet.page import page
from brushpass.duet.plan import Plan
from brushpass.duet.runfolder import compare_pairs, compare_runs, read_run

AGENTS = ("embedding:model=glove", "person:model=minilm", "random")
PAIRS = (*((a, b) for a in AGENTS[:2] for b in AGENTS[:2]), (AGENTS[2], AGENTS[2]))
EVERY = (
    plots.wins_by_city,
    plots.found_by_city,
    plots.heat_map,
    plots.losses,
    plots.calibration,
    plots.turns,
    plots.numbers,
)
EVIL = "cmd:<script>alert('x')</script> & \"$a$ $b_\u65e5\u672c\ud800\x07\x0b" + "y" * 90


@pytest.fixture(scope="module", autouse=True)
def _no_window():
    mpl.use("agg")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("plots") / "run"
    run_bench(Plan(pairs=PAIRS, cities=find_cities("berlin,tokyo"), games=3, seed=1), out=made)
    return made


@pytest.fixture(scope="module")
def run(folder):
    return read_run(folder)


@pytest.fixture(scope="module")
def document(run):
    return told(run)


def told(run, other=None):
    compared = compare_pairs(run) if other is None else compare_runs(run, other)
    elsewhere = None if other is None else str(other.folder)
    return {**run.to_json(), "compared_with": elsewhere, "differences": [one.to_json() for one in compared]}


@pytest.fixture
def spoilt(folder, tmp_path):
    """A run folder after `change`, which gets its manifest and its records."""

    def spoil(change):
        manifest = json.loads((folder / "manifest.json").read_text())
        records = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
        records = change(manifest, records) or records
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        (tmp_path / "games.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        return read_run(tmp_path)

    return spoil


def empty(_, records):
    records.clear()


def evil(manifest, _):
    manifest["arguments"]["pairs"][0] = [EVIL, EVIL]
    for mind in (manifest["minds"][1][0], manifest["minds"][2][0]):
        mind["name"] = "<b>&"


# ------------------------------------------------------------------ figures


@pytest.mark.parametrize("plot", EVERY)
def test_a_figure_is_drawn_on_the_axes_given_and_says_what_it_shows(plot, document):
    given = Figure().subplots()
    assert plot(document, given) is given
    assert given.get_title(loc="left")
    assert given.get_xlabel()
    given.figure.savefig("/dev/null", format="svg")


@pytest.mark.parametrize("plot", EVERY)
def test_a_figure_makes_its_own_axes_of_a_run(plot, run):
    from matplotlib import pyplot as plt

    ax = plot(run)
    ax.figure.canvas.draw()
    plt.close(ax.figure)


@pytest.mark.parametrize("plot", [plots.turns, plots.numbers, plots.calibration])
def test_the_pairs_of_a_cross_leave_room_for_the_figure(plot, document):
    many = {**document, "pairs": [document["pairs"][0]] * 36}
    ax = plot(many)
    ax.figure.canvas.draw()  # warns if there is none
    assert ax.get_window_extent().height > 100
    plt.close(ax.figure)


@pytest.mark.parametrize("plot", [plots.wins_by_city, plots.losses, plots.turns, plots.calibration])
@pytest.mark.parametrize("pairs", [[], [0], [1, 99]])
def test_pairs_that_are_not_there_are_told(plot, pairs, document):
    with pytest.raises(ValueError, match=rf"no pairs \[.*: the run has 1 to {len(PAIRS)}"):
        plot(document, pairs=pairs)


def test_the_tables_of_bench_have_figures_too():
    report = run_bench(Plan(pairs=(("random", "random"),), cities=find_cities("tokyo"), games=2))
    assert plots.wins_by_city(report, Figure().subplots()).get_title(loc="left") == "Win rate by city"


def test_win_rates_come_city_by_city_with_their_intervals(document):
    ax = plots.wins_by_city(document, Figure().subplots(), pairs=[1, 4])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Tokyo  8-1", "Berlin  11-2", "all"]
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["1: embedding:model=glove + embedding:model=glove", "4: person:model=minilm + person:model=minilm"]
    for container, number in zip(ax.containers, (1, 4), strict=True):
        pair = document["pairs"][number - 1]
        points, _, (reach,) = container
        tables = [*pair["cities"], pair]
        assert list(points.get_xdata()) == pytest.approx([100 * one["wins"] / one["games"] for one in tables])
        for (left, right), one in zip(reach.get_segments(), tables, strict=True):
            assert (left[0], right[0]) == pytest.approx((100 * one["low"], 100 * one["high"]))
            assert left[1] == right[1]
    top = ax.get_ylim()
    assert top[0] > top[1], "the first city stands above"
    assert ax.get_xlim()[0] < 0, "a marker at 0 % keeps off the names of the cities"


def test_agents_found_come_city_by_city_with_their_intervals(document):
    ax = plots.found_by_city(document, Figure().subplots(), pairs=[4])
    pair = document["pairs"][3]
    points, _, (reach,) = ax.containers[0]
    tables = [*pair["cities"], pair]
    assert list(points.get_xdata()) == pytest.approx([one["mean_found"] for one in tables])
    for (left, right), one in zip(reach.get_segments(), tables, strict=True):
        assert (left[0], right[0]) == pytest.approx((one["found_low"], one["found_high"]))
    assert ax.get_xlim()[1] == 15


@pytest.mark.parametrize("value", ["win_rate", "hits"])
def test_a_heat_map_has_the_first_agent_in_its_rows(value, document):
    ax = plots.heat_map(document, Figure().subplots(), value=value)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(AGENTS)
    if value == "win_rate":
        cells = {(pair["a"], pair["b"]): f"{100 * pair['win_rate']:.1f}" for pair in document["pairs"]}
    else:
        cells = {(one["giver"], one["guesser"]): f"{one['hits']:.2f}" for one in document["matchups"]}
    shown = {}
    for text in ax.texts:
        column, row = (int(place) for place in text.get_position())
        shown[AGENTS[row], AGENTS[column]] = text.get_text()
    assert shown == cells


def test_another_heat_map_is_refused(document):
    with pytest.raises(ValueError, match="no heat map of 'wins'"):
        plots.heat_map(document, Figure().subplots(), value="wins")


def test_every_game_is_in_the_bar_of_its_pair(document):
    ax = plots.losses(document, Figure().subplots())
    widths = [sum(bars[place].get_width() for bars in ax.containers) for place in range(5)]
    assert widths == pytest.approx([100] * 5)


def test_calibration_has_a_series_a_giver_that_promises(document):
    ax = plots.calibration(document, Figure().subplots(), pairs=[2, 5])
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["2 A: embedding:model=glove", "2 B: person:model=minilm"]
    ax = plots.calibration(document, Figure().subplots(), pairs=[5])
    assert [text.get_text() for text in ax.texts] == ["no giver of this run promises hits"]


def test_what_a_mind_foresaw_has_a_series_a_source_that_tells_of_it():
    bins = [{"predicted": 0.1, "observed": 0.2, "cards": 40}, {"predicted": 0.6, "observed": 0.5, "cards": 30}]
    told = {"source": "mine", "items": 9, "calibration": bins}
    document = {"model": "m", "sources": [told, {"source": "other", "items": 3}]}
    ax = plots.foreseen(document, Figure().subplots())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["mine, 9 items"]
    document["sources"].pop(0)
    assert [text.get_text() for text in plots.foreseen(document, Figure().subplots()).texts] == [
        "this document has no calibration"
    ]


def test_shares_of_clues_and_numbers_fill_up(document):
    for plot in (plots.turns, plots.numbers):
        for line in plot(document, Figure().subplots()).get_lines():
            assert sum(line.get_ydata()) == pytest.approx(100)


@pytest.mark.parametrize("plot", EVERY)
@pytest.mark.parametrize("change", [empty, evil])
def test_no_run_is_too_odd_for_a_figure(plot, change, spoilt):
    figure = Figure()
    plot(spoilt(change), figure.subplots())
    figure.canvas.draw() if change is empty else None


def test_colors_stand_out_on_white_and_on_black():
    def light(color):
        parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    for color in plots.COLORS:
        assert 1.05 / (light(color) + 0.05) >= 3, color
        assert (light(color) + 0.05) / (light("#16181d") + 0.05) >= 3, color


BLIND = {
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What is left of a linear color (Machado, Oliveira and Fernandes 2009)."""


@pytest.mark.parametrize("sight", BLIND)
def test_colors_differ_to_the_color_blind(sight):
    def seen(color):
        shown = np.array([int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)])
        linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
        linear = np.clip(np.array(BLIND[sight]) @ linear, 0, 1)
        to_xyz = np.array([(0.434, 0.376, 0.190), (0.213, 0.715, 0.072), (0.018, 0.109, 0.873)])  # of the white point
        x, y, z = np.cbrt(to_xyz @ linear)
        return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])

    for one, other in combinations(plots.COLORS, 2):
        assert np.linalg.norm(seen(one) - seen(other)) > 8, (one, other)


# ------------------------------------------------------------------ page


class Reader(HTMLParser):
    """What a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    def all(self, *names):
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.fixture(scope="module")
def text(document):
    return page(document)


def test_a_page_needs_nothing_else(text):
    read = Reader(text)
    assert not read.all("script", "link", "iframe", "object", "embed")
    for _, attributes in read.tags:
        for name in ("src", "href", "xlink:href", "srcset", "data", "poster"):
            assert attributes.get(name, "#").startswith("#"), attributes
    assert "url(http" not in text
    assert "@import" not in text
    assert len(text.encode()) < 500_000


def test_a_page_can_be_read_without_seeing_it(text):
    read = Reader(text)
    assert read.all("html")[0]["lang"] == "en"
    pictures = read.all("svg")
    assert len(pictures) == 2 * 2 + 2 + 1 + 4 + 2
    assert all(picture["role"] == "img" and len(picture["aria-label"]) > 20 for picture in pictures)
    assert len(read.all("figcaption")) == len(pictures)
    assert len(read.all("caption")) == len(read.all("table")) >= 8
    assert all(head["scope"] in {"row", "col"} for head in read.all("th"))
    assert len(read.all("h1")) == 1
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in read.all("a"):
        assert link["href"].removeprefix("#") in ids


def test_a_page_is_light_or_dark_as_the_reader_wants_it(text):
    assert "prefers-color-scheme: dark" in text
    assert "#010203" not in text
    drawn = [svg for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL) if not re.search("(heatmap|hits)-", svg)]
    assert len(drawn) >= 9
    for svg in drawn:
        letters = re.findall(r"<text style=\"([^\"]*)", svg)
        assert letters
        assert all("fill: currentColor" in style or "fill: #ffffff" in style for style in letters)


def test_every_win_rate_has_its_interval_seed_and_models(text, document):
    words = " ".join(Reader(text).words)
    assert "seed 1" in words
    for pair in document["pairs"]:
        assert f"{100 * pair['low']:.1f} \N{EN DASH} {100 * pair['high']:.1f}" in words
        for model in pair["models"]:
            assert model is None or model["sha256"] in words


def test_what_agents_are_called_is_only_text(spoilt):
    written = page(told(spoilt(evil)))
    assert "<script" not in written
    assert "<b>" not in written
    assert "\ud800" not in written
    read = "".join(Reader(written).words)
    assert "cmd:<script>alert('x')</script> & \"$a$ $b_\u65e5\u672c\N{REPLACEMENT CHARACTER}" in read


def test_the_same_run_gives_the_same_page(text, document):
    assert page(json.loads(json.dumps(document))) == text


def test_a_run_without_games_or_traces_has_a_page(spoilt):
    assert "0 games" in page(told(spoilt(empty)))

    def untraced(_, records):
        for record in records:
            record["trace"] = None

    assert "promises hits" in page(told(spoilt(untraced)))


def test_a_page_compares_runs(run, spoilt):
    written = page(told(run, spoilt(lambda *_: None)))
    assert "First less second" in written
    assert written.count("deals") >= 1


def test_a_page_of_many_cities_has_a_map(document):
    pair = document["pairs"][0]
    cities = [{**pair["cities"][0], "city": city.name} for city in CITIES[:9]]
    written = page({**document, "pairs": [{**pair, "cities": cities}], "matchups": [], "differences": []})
    assert "Agents found, of 15, by city" in written
    assert "Agents found by pair 1 in each city" in written
