"""A clue taken apart: chances, worth, pulls; a plane of words; knobs."""

import re
from dataclasses import replace

import numpy as np
import pytest

from brushpass.duet.agents.luce import turn_of_four
from brushpass.duet.agents.reading import GROUPS, read_clue
from brushpass.duet.agents.suggest import Table, suggest
from brushpass.duet.core.cards import Color
from brushpass.duet.explorer import consider, explore
from brushpass.errors import InvalidSetup
from brushpass.lexicon.vocabulary import load_vocabulary, make_vocabulary
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.plane import plane_of

GREEN = ("ocean", "ship", "whale", "harbor", "river")
TAN = ("desk", "piano", "lemon", "crown")
BLACK = ("knife", "storm")
CARDS = [
    (word, color) for words, color in ((GREEN, Color.GREEN), (TAN, Color.TAN), (BLACK, Color.BLACK)) for word in words
]
TABLE = Table.of_cards(CARDS)


@pytest.fixture(scope="module")
def mind():
    return load_mind("glove")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_chances_are_those_the_giver_reckons_with(mind, number):
    read = read_clue(mind, TABLE, "sailor", number)
    weights = np.exp(mind.scores(["sailor"], TABLE.cards)[0] / mind.temperature)
    hits, risk = turn_of_four(weights, *TABLE.roles, number)
    assert (read.hits, read.risk) == pytest.approx((hits, risk), rel=1e-4)
    misses = sum(read.chances[place] for place, color in enumerate(read.colors) if color is not Color.GREEN)
    assert misses <= 1


def test_a_suggestion_and_its_reading_agree(mind):
    best = suggest(mind, load_vocabulary(), TABLE, 1)[0]
    read = read_clue(mind, TABLE, best.word, best.number)
    assert read.targets == best.targets
    assert (read.hits, read.risk) == pytest.approx((best.expected_hits, best.assassin_risk), abs=1e-5)
    assert read.value == pytest.approx(best.score, rel=0.15)
    assert str(read) == f"{best.word} {best.number}"


def test_worth_is_chance_times_stakes(mind):
    table = replace(TABLE, stakes=np.repeat(np.array([[1], [0.5], [9]], np.float32), 4, axis=1))
    read = read_clue(mind, table, "sailor", 2)
    costs = {Color.GREEN: 1, Color.TAN: -0.5, Color.BLACK: -9}
    for place, color in enumerate(read.colors):
        assert read.worth[place] == pytest.approx(read.chances[place] * costs[color])
    assert read.value == pytest.approx(sum(read.worth))


def test_the_turn_ends_with_the_last_green(mind):
    table = Table.of_cards([("ocean", Color.GREEN), ("desk", Color.TAN)])
    read = read_clue(mind, table, "sailor", 3)
    assert read.chances.sum() == pytest.approx(1)
    assert read.targets == ("ocean",)


def test_the_margin_is_how_many_times_likelier_the_weakest_target_is(mind):
    read = read_clue(mind, TABLE, "sailor", 2)
    pull = dict(zip(read.cards, read.pull, strict=True))
    wrong = max((*TAN, *BLACK), key=pull.get)
    assert read.danger == wrong
    assert read.margin == pytest.approx(np.exp(pull[read.targets[1]] - pull[wrong]))
    alone = read_clue(mind, Table.of_cards([("ocean", Color.GREEN), ("ship", Color.GREEN)]), "sailor", 1)
    assert (alone.danger, alone.margin) == (None, np.inf)


def test_the_pulls_of_a_mind_with_a_norm_add_up_to_its_scores():
    norm = load_mind("glove-norm")
    read = read_clue(norm, TABLE, "sailor", 2, temperature=2 * norm.temperature)
    assert list(read.pulls) == list(GROUPS)
    assert read.pull == pytest.approx(norm.scores(["sailor"], TABLE.cards)[0] / (2 * norm.temperature), abs=1e-4)


def test_a_less_sure_partner_spreads_its_chances(mind):
    sure, unsure = (read_clue(mind, TABLE, "sailor", 1, temperature=heat).chances for heat in (0.03, 0.5))
    assert sure.max() > unsure.max()
    assert sure.sum() == pytest.approx(unsure.sum()) == pytest.approx(1)


def test_what_cannot_be_taken_apart_is_refused(mind):
    with pytest.raises(InvalidSetup, match="number 5 is not 1 to 4"):
        read_clue(mind, TABLE, "sailor", 5)
    with pytest.raises(InvalidSetup, match="no green card"):
        read_clue(mind, Table.of_cards([("desk", Color.TAN)]), "sailor", 1)


def test_a_temperature_of_nothing_is_refused(mind):
    with pytest.raises(InvalidSetup, match="temperature 0 is not above 0"):
        read_clue(mind, TABLE, "sailor", 2, temperature=0)


def test_an_unknown_clue_leaves_all_alike(mind):
    assert read_clue(mind, TABLE, "sailor", 2).understood
    assert not read_clue(mind, TABLE, "qqzzx", 2).understood
    assert np.ptp(read_clue(mind, TABLE, "xqzzy", 1).chances) == 0


def test_a_suggestion_keeps_to_the_highest_number_and_to_the_temperature(mind):
    words = make_vocabulary(("sailor", "boat", "sea", "music"))
    assert {one.number for one in suggest(mind, words, TABLE, 4, most=1)} == {1}
    sure, unsure = (suggest(mind, words, TABLE, 1, temperature=heat)[0].expected_hits for heat in (0.03, 0.5))
    assert sure > unsure


# ------------------------------------------------------------------ plane


def test_a_plane_keeps_what_sets_words_apart(mind):
    plane = plane_of(mind, ["ocean", "sea", "piano", "violin", "xqzzy"])
    assert plane.words == ("ocean", "sea", "piano", "violin")
    assert plane.points.shape == (4, 2)
    assert 0 < plane.kept <= 1
    places = dict(zip(plane.words, plane.points, strict=True))
    apart = lambda a, b: np.linalg.norm(places[a] - places[b])  # noqa: E731 - said once
    assert apart("ocean", "sea") < apart("ocean", "piano")
    vectors = mind.cosines(plane.words, plane.words)
    assert plane.points.var(axis=0).sum() * 4 / plane.kept == pytest.approx(
        np.trace(vectors) - vectors.sum() / 4, rel=1e-4
    )
    with pytest.raises(InvalidSetup, match="needs three"):
        plane_of(mind, ["ocean", "sea"])


# ------------------------------------------------------------------ knobs


def test_knobs_change_what_is_said():
    bold = consider(TABLE, "glove", 0.2, 0.0, 4)
    shy = consider(TABLE, "glove", 3.0, 3.0, 4)
    assert bold[0].number > shy[0].number
    assert {one.number for one in consider(TABLE, "glove", number=1)} == {1}


@pytest.mark.parametrize(
    ("knobs", "told"),
    [
        ({"temperature": 0.0}, "temperature 0.0 is not above 0"),
        ({"temperature": -1.0}, "temperature -1.0 is not above 0"),
        ({"risk": -1.0}, "risk -1.0 is below 0"),
        ({"number": 0}, "number 0 is not 1 to 4"),
        ({"number": 9}, "number 9 is not 1 to 4"),
    ],
)
def test_a_knob_beyond_its_range_is_refused(knobs, told):
    with pytest.raises(InvalidSetup, match=told):
        consider(TABLE, "glove", **knobs)


def test_sliders_draw_what_they_say():
    pytest.importorskip("ipywidgets")
    model, temperature, risk, number, picture = explore(TABLE, ["glove", "minilm"]).children
    assert "partner of mind glove" in picture.value
    assert re.search(r"\w+ [234]</text>", picture.value)
    number.value = 1
    assert not re.search(r"\w+ [234]</text>", picture.value)
    model.value, temperature.value, risk.value = "minilm", 2.0, 0.0
    best = ", ".join(map(str, consider(TABLE, "minilm", 2.0, 0.0, 1)))
    assert best in picture.value
