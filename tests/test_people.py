import json

import numpy as np
import pytest

from brushpass.duet import people
from brushpass.errors import CorruptData
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.guesses import read_items
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space

BOARD = ["anchor", "badge", "canyon", "desert"]


def item(**changes):
    data = {
        "source": "made",
        "game": "g1",
        "board": BOARD,
        "clue": "ship",
        "number": 2,
        "targets": ["anchor", "badge"],
        "guesses": [["anchor", "badge"]],
        "ordered": True,
        "assassins": [],
        "bystanders": [],
    }
    return data | changes


def read(tmp_path, *items):
    path = tmp_path / "made.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in items), encoding="utf-8")
    return read_items([path])


@pytest.fixture
def mind():
    """`ship` is nearest to anchor, then badge, canyon, desert."""
    words = ["ship", *BOARD]
    vectors = np.eye(5)
    vectors[0] = [0.0, 0.8, 0.5, 0.3, 0.1]
    return Mind("toy", "toy", Space.from_vectors(words, vectors, "float32"), temperature=0.5)


def figures(mind, tmp_path, **changes):
    return people.summary(people.measure(mind, read(tmp_path, item(**changes))))


def test_figures_of_a_perfect_prediction(mind, tmp_path):
    found = figures(mind, tmp_path)
    assert (found["first_guess_top1"], found["mrr"], found["target_recall"], found["target_precision_at_1"]) == (
        1,
        1,
        1,
        1,
    )
    scores = mind.scores(["ship"], BOARD)[0] / 0.5
    assert found["log_likelihood"] == pytest.approx(scores[0] - np.log(np.exp(scores).sum()), rel=1e-5)
    assert found["items"] == 1
    assert "turn" not in found


def test_an_unknown_clue_is_a_uniform_guess(mind, tmp_path):
    found = figures(mind, tmp_path, clue="zzgrmpf")
    assert found["log_likelihood"] == pytest.approx(-np.log(4))
    assert found["first_guess_top1"] == pytest.approx(1 / 4)
    assert found["clue_coverage"] == 0


def test_unordered_guesses_count_equally(mind, tmp_path):
    found = figures(mind, tmp_path, ordered=False, guesses=[["desert", "anchor"]])
    logs = np.log(np.exp(mind.scores(["ship"], BOARD)[0] / 0.5))
    logs -= np.log(np.exp(logs).sum())
    assert found["log_likelihood"] == pytest.approx((logs[0] + logs[3]) / 2, rel=1e-5)
    assert found["first_guess_top1"] == 1


def test_several_responses_are_averaged(mind, tmp_path):
    found = figures(mind, tmp_path, guesses=[["anchor"], ["badge"], ["badge"], ["desert"]])
    assert found["first_guess_top1"] == 0.25
    assert found["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 2 + 1 / 4) / 4)


def test_whole_turns_end_with_the_first_miss(mind, tmp_path):
    found = figures(
        mind, tmp_path, bystanders=["badge"], assassins=["desert"], number=3, guesses=[["anchor", "desert"]]
    )
    assert found["turn"] == {
        "hits": 1,
        "bystanders": 1,
        "assassins": 0,
        "person_hits": 1,
        "person_bystanders": 0,
        "person_assassins": 1,
    }


def test_heat_fitted_on_sure_people_is_low(mind, tmp_path):
    sure = people.fit_heat(mind, read(tmp_path, *[item() for _ in range(20)]))
    unsure = people.fit_heat(mind, read(tmp_path, *[item(guesses=[[word]]) for word in BOARD for _ in range(5)]))
    assert sure < 0.3
    assert unsure > 5


def test_a_mind_differs_from_itself_by_nothing(mind, tmp_path):
    measured = people.measure(mind, read(tmp_path, item(), item(game="g2", guesses=[["desert"]])))
    assert tuple(people.difference(measured, measured, "log_likelihood")) == (0, 0, 0)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 1"),
        (json.dumps({"source": "x"}), "'board' is missing"),
        (json.dumps(item(guesses=[["lamp"]])), "'lamp' is not on its board"),
        ("[]", "line 1"),
        ("", "no guess item"),
    ],
)
def test_what_is_no_guess_set_is_refused_in_one_line(tmp_path, line, why):
    path = tmp_path / "bad.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(CorruptData, match=r"bad\.jsonl") as refused:
        read_items([path])
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_default_mind_foresees_people_better_than_glove(shared):
    path = shared / "data" / "human" / "cultural_codes_duet.jsonl"
    items = read_items([path])
    default, glove = (people.measure(load_mind(name), items) for name in ("default", "glove"))
    gain = people.difference(glove, default, "log_likelihood")
    assert gain.low > 0.3
