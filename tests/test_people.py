import json
from itertools import pairwise

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


def test_a_card_touched_again_says_nothing_new(mind, tmp_path):
    for ordered in (True, False):
        plain = figures(mind, tmp_path, ordered=ordered, guesses=[["anchor", "badge"]])
        assert figures(mind, tmp_path, ordered=ordered, guesses=[["anchor", "anchor", "badge", "Anchor"]]) == plain


def test_items_that_nobody_guessed_at_tell_nothing(mind, tmp_path):
    items = read(tmp_path, item(guesses=[]), item(guesses=[[]]))
    for asked in (people.measure, people.fit_heat):
        with pytest.raises(CorruptData, match="nobody guessed anything"):
            asked(mind, items)


def test_later_guesses_and_calibration_are_what_a_plain_count_says(tmp_path):
    rng = np.random.default_rng(8)
    words = [f"w{letter}" for letter in "abcdefghijklmnop"]
    mind = Mind("dice", "dice", Space.from_vectors(words, rng.normal(size=(16, 5)), "float32"), 0.3, sharpness=(2, 0.5))
    given = []
    for game in range(40):
        clue, *board = rng.choice(words, 9, replace=False).tolist()
        guesses = [rng.choice(board, rng.integers(1, 6), replace=False).tolist() for _ in range(rng.integers(1, 4))]
        given.append(item(game=game, board=board, clue=clue, number=1 + game % 3, targets=[], guesses=guesses))
    found = people.summary(people.measure(mind, read(tmp_path, *given)))
    top1, likelihood, cards = [], [], []
    for each in given:
        factor = 2 if each["number"] == 1 else 0.5
        chances = np.exp(mind.scores([each["clue"]], each["board"])[0].astype(float) / 0.3 * factor)
        steps = []
        for guesses in each["guesses"]:
            left = dict(zip(each["board"], chances, strict=True))
            for guess in guesses[:3]:
                steps.append((left[guess] == max(left.values()), np.log(left[guess] / sum(left.values())), len(left)))
                del left[guess]
        steps = [step for step in steps if step[2] < 8]
        if steps:
            top1.append(np.mean([step[0] for step in steps]))
            likelihood.append(np.mean([step[1] for step in steps]))
        firsts = [guesses[0] for guesses in each["guesses"]]
        for word, chance in zip(each["board"], chances / chances.sum(), strict=True):
            cards.append((chance, firsts.count(word) / len(firsts)))
    assert found["later_guess_top1"] == pytest.approx(np.mean(top1))
    assert found["later_log_likelihood"] == pytest.approx(np.mean(likelihood))
    expected = []
    for low, high in pairwise(people.BINS):
        inside = [pair for pair in cards if low <= pair[0] < high or (high == 1 and pair[0] == 1)]
        if inside:
            expected.append((*np.mean(inside, axis=0).tolist(), len(inside)))
    assert [(part["predicted"], part["observed"], part["cards"]) for part in found["calibration"]] == [
        (pytest.approx(predicted), pytest.approx(observed), count) for predicted, observed, count in expected
    ]


def test_heat_fitted_on_sure_people_is_low(mind, tmp_path):
    sure = people.fit_heat(mind, read(tmp_path, *[item() for _ in range(20)]))
    unsure = people.fit_heat(mind, read(tmp_path, *[item(guesses=[[word]]) for word in BOARD for _ in range(5)]))
    assert sure < 0.3
    assert unsure > 5


def test_a_mind_differs_from_itself_by_nothing(mind, tmp_path):
    measured = people.measure(
        mind, read(tmp_path, item(), item(game="g2", board=[*BOARD, "lamp"], guesses=[["desert"]]))
    )
    assert tuple(people.difference(measured, measured, "log_likelihood")) == (0, 0, 0)


def test_one_game_of_people_has_no_interval(mind, tmp_path):
    measured = people.measure(mind, read(tmp_path, item(), item(guesses=[["desert"]])))
    told = people.difference_json(measured, measured, "log_likelihood")
    assert told == {"value": 0, "low": None, "high": None}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 1"),
        (json.dumps({"source": "x"}), "'board' is missing"),
        (json.dumps(item(guesses=[["lamp"]])), "'lamp' is not on its board"),
        ("[]", "line 1"),
        (json.dumps(item(ordered="false")), "ordered true or false"),
        (json.dumps(item(clue=None)), "clue must be a string"),
        (json.dumps(item(number=1.5)), "1.5 is not whole"),
        (json.dumps(item(guesses=["anchor"])), "'anchor' is no list of words"),
        (json.dumps(item(board="anchor")), "'anchor' is no list of words"),
        (json.dumps(item(assassins=None)), "line 1"),
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
