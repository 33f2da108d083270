"""Figures of clues, maps and comparisons."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from test_reading import TABLE

from brushpass.duet import plots
from brushpass.duet.agents.reading import read_clue
from brushpass.duet.core.cards import Color
from brushpass.duet.core.mission import CITIES
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.plane import plane_of


@pytest.fixture(scope="module", autouse=True)
def _no_window():
    mpl.use("agg")


@pytest.fixture(scope="module")
def readings():
    mind = load_mind("glove")
    return [read_clue(mind, TABLE, word, number) for word, number in (("sailor", 2), ("boat", 3), ("music", 1))]


def axes():
    return Figure(layout="constrained").subplots()


def labels(ticks):
    return [label.get_text() for label in ticks]


def test_touches_has_a_cell_for_each_chance_and_what_they_add_up_to(readings):
    ax = plots.touches(readings, axes())
    assert labels(ax.get_yticklabels()) == ["sailor 2", "boat 3", "music 1"]
    columns = [name.split(" ")[0] for name in labels(ax.get_xticklabels())]
    assert set(columns) == set(TABLE.cards)
    assert [name[-1] for name in labels(ax.get_xticklabels())] == ["◆"] * 5 + ["·"] * 4 + ["✗"] * 2
    cells = {
        (columns[int(x)], int(y)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
        if x < len(columns)
    }
    for row, reading in enumerate(readings):
        for card, chance in zip(reading.cards, reading.chances, strict=True):
            assert cells.get((card, row)) == (f"{100 * chance:.0f}" if chance >= 0.01 else None)
    beside = [text.get_text() for text in ax.texts if text.get_position()[0] > len(columns)]
    assert beside[:4] == ["hits", "risk", f"{readings[0].hits:.2f}", f"{readings[0].risk:.0%}"]


def test_worth_has_a_bar_for_each_card_and_clue(readings):
    ax = plots.worth(readings[:2], axes(), most=20)
    for bars, reading in zip(ax.containers, readings, strict=False):
        assert sum(bar.get_width() for bar in bars) == pytest.approx(reading.value)
    assert labels(ax.get_legend().get_texts()) == [f"{one}: worth {one.value:.2f}" for one in readings[:2]]


def test_pulls_are_the_strongest_first_and_add_up(readings):
    norm = load_mind("glove-norm")
    reading = read_clue(norm, TABLE, "sailor", 2)
    ax = plots.pulls(reading, axes(), most=6)
    cards = [name.split(" ")[0] for name in labels(ax.get_yticklabels())]
    assert cards == [reading.cards[place] for place in reading.order[:6]]
    sums = np.sum([[bar.get_width() for bar in bars] for bars in ax.containers], axis=0)
    assert sums == pytest.approx(reading.pull[reading.order[:6]])
    assert labels(ax.get_legend().get_texts()) == list(reading.pulls)
    assert len(plots.pulls(readings[0], axes()).get_legend().get_texts()) == 1


def test_minds_stand_side_by_side(readings):
    other = read_clue(load_mind("minilm"), TABLE, "sailor", 2)
    ax = plots.minds([readings[0], other], axes())
    cards = [name.split(" ")[0] for name in labels(ax.get_yticklabels())]
    for line, reading in zip(ax.get_lines()[-2:], (readings[0], other), strict=True):
        chances = dict(zip(reading.cards, 100 * reading.chances, strict=True))
        assert list(line.get_xdata()) == pytest.approx([chances[card] for card in cards])
        stray = sum(
            chances[card] for card, color in zip(reading.cards, reading.colors, strict=True) if color is Color.TAN
        )
        assert reading.stray == pytest.approx(stray / 100)
        assert any(f"bystander {reading.stray:.0%}" in text for text in labels(ax.get_legend().get_texts()))
    likeliest = {max(zip(one.chances, one.cards, strict=True))[1] for one in (readings[0], other)}
    few = plots.minds([readings[0], other], axes(), most=2)
    assert likeliest <= {name.split(" ")[0] for name in labels(few.get_yticklabels())}


def test_minds_show_the_bystanders_that_end_the_turn(readings):
    music = readings[2]
    wrong = max(
        (chance, card)
        for chance, card, color in zip(music.chances, music.cards, music.colors, strict=True)
        if color is Color.TAN
    )[1]
    ax = plots.minds([music], axes(), most=6)
    assert f"{wrong} ·" in labels(ax.get_yticklabels())


def test_a_word_map_names_every_word_once_and_ties_the_clue_to_its_targets(readings):
    plane = plane_of(load_mind("glove"), [*TABLE.cards, "sailor", "boat"])
    ax = plots.word_map(plane, readings[0], axes())
    assert sorted(text.get_text() for text in ax.texts) == sorted(plane.words)
    assert len(ax.get_lines()) == 2
    assert labels(ax.get_legend().get_texts()) == ["agent", "bystander", "assassin", "clue"]
    without = plots.word_map(plane_of(load_mind("glove"), TABLE.cards), readings[0], axes())
    assert not without.get_lines()


def test_names_hide_no_other():
    from brushpass.duet.plots.labels import label

    ax = axes()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    points = [(5, 5), (5.2, 5), (5, 5.2)]
    label(ax, points, ["one", "two", "three"], [{}] * 3)
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) == 3
    assert not any(boxes[one].overlaps(boxes[two]) for one, two in ((0, 1), (0, 2), (1, 2)))


def test_names_stand_beside_lines():
    from brushpass.duet.plots.labels import label

    ax = axes()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    ax.plot([5, 9], [5, 5])
    label(ax, [(5, 5)], ["tank"], [{}])
    (name,) = ax.texts
    assert name.get_window_extent().x1 < ax.transData.transform((5, 5))[0]


def test_best_numbers_fill_up():
    ax = plots.best_numbers({0.5: [4, 4, 3, 3], 2.0: [2, 1, 1, 3]}, axes())
    assert labels(ax.get_legend().get_texts()) == [f"{number} is best" for number in (1, 2, 3, 4)]
    tops = [area.get_paths()[0].vertices[:, 1].max() for area in ax.collections]
    assert tops == sorted(tops)
    assert tops[-1] == pytest.approx(100)


# ------------------------------------------------------------------ runs


def played(wins, found):
    cities = [
        {"city": city.name, "games": 4, "wins": wins, "mean_found": found, "turns": 9, "mistakes": 9}
        for city in CITIES[:20]
    ]
    return {"pairs": [{"a": "me", "b": "you", "cities": [*cities, {**cities[0], "city": "custom"}]}]}


@pytest.mark.parametrize(("value", "told"), [("win_rate", "50"), ("found", "7.2")])
def test_a_world_map_tells_each_city_played(value, told):
    ax = plots.world_map(played(2, 7.25), axes(), value=value)
    names = {text.get_text() for text in ax.texts}
    assert {f"{city.name} {told}" for city in CITIES[:20]} <= names
    assert {city.name for city in CITIES[20:]} <= names
    assert len(names) == len(CITIES)
    assert ax.get_xlabel() == "pair 1: me + you"


def test_a_world_map_of_nothing_is_still_one():
    unplayed = played(0, None)
    for city in unplayed["pairs"][0]["cities"]:
        city["games"] = 0
    assert {text.get_text() for text in plots.world_map(unplayed, axes()).texts} == {city.name for city in CITIES}
    assert plots.world_map(unplayed, axes(), value="found").get_title(loc="left")
    with pytest.raises(ValueError, match="no map of 'wins'"):
        plots.world_map(unplayed, axes(), value="wins")


def side(number):
    return {"folder": "run", "pair": number, "a": "one", "b": "two"}


def test_differences_have_their_intervals_and_are_filled_where_clear():
    rows = [
        {"first": side(1), "second": side(2), "wins": {"low": 0.01, "difference": 0.05, "high": 0.09}, "found": None},
        {"first": side(1), "second": side(3), "wins": {"low": -0.1, "difference": 0.0, "high": 0.1}, "found": None},
    ]
    ax = plots.differences(rows, axes())
    points = [container[0] for container in ax.containers]
    assert [point.get_xdata()[0] for point in points] == pytest.approx([5, 0])
    assert [point.get_markerfacecolor() == "none" for point in points] == [False, True]
    assert ax.texts[1].get_text() == "1: one + two\nless 3: one + two"
    assert not plots.differences(rows, axes(), value="found").containers
    with pytest.raises(ValueError, match="no differences of 'losses'"):
        plots.differences(rows, axes(), value="losses")


def test_foresight_has_a_row_a_source_and_a_series_a_mind():
    def told(model, value):
        source = {"source": "mine", "items": 7, "first_guess_top1": value}
        return {"model": model, "sources": [{**source, "standard_errors": {"first_guess_top1": 0.1}}]}

    ax = plots.foresight([told("good", 0.6), told("bad", 0.3)], axes())
    assert labels(ax.get_yticklabels()) == ["mine\n7 items"]
    assert labels(ax.get_legend().get_texts()) == ["good", "bad"]
    assert [container[0].get_xdata()[0] for container in ax.containers] == [0.6, 0.3]
    (segment,) = ax.containers[0][2][0].get_segments()
    assert [x for x, _ in segment] == pytest.approx([0.6 - 0.196, 0.6 + 0.196])
