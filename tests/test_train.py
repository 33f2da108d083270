"""How a position's worth is learned from games: what is counted, what follows, and the file that ships."""

import json

import numpy as np
import pytest
from cli_runner import run
from conftest import F1_A, F1_B
from test_cli_json import validate

from brushpass import Plan
from brushpass.arena.executors import Serial
from brushpass.duet.agents.value import BLACK, PARTS, STOP, TAN, Place, Prospects, chance
from brushpass.duet.core.actions import Clue, Guess, Stop
from brushpass.duet.core.cards import SEATS
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import CITIES, Mission
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.record import GameRecord, Move
from brushpass.duet.train import value
from brushpass.duet.train.calibration import calibration
from brushpass.duet.train.lessons import HIT, Lessons
from brushpass.duet.train.panel import panel
from brushpass.duet.train.places import broken, places
from brushpass.duet.train.turnmodel import fit_turns
from brushpass.duet.train.value import build_value, play, rounded
from brushpass.errors import InvalidSetup
from brushpass.paths import find_data

A, B = SEATS


def record(board, moves, mission, outcome=Outcome.LOST, reason=None, name="0-Prague-0"):
    keys = KeyCard.parse(F1_A, F1_B)
    moves = tuple(Move(seat, action) for seat, action in moves)
    return GameRecord(name, Setup(board, keys, mission, A), moves, outcome, reason)


def test_a_game_teaches_its_touches_its_positions_and_its_sudden_death(board):
    moves = [(A, Clue("one", 2)), (B, Guess(0)), (B, Guess(3)), (B, Stop())]
    moves += [(B, Clue("two", 1)), (A, Guess(9)), (A, Guess(16))]
    moves += [(A, Guess(10)), (A, Guess(18))]
    lessons = Lessons()
    lessons.learn(record(board, moves, Mission(2, 2), reason=Reason.SUDDEN_DEATH), A)
    role, left, hits, event = np.nonzero(lessons.touches)
    seen = {*zip(role.tolist(), left.tolist(), hits.tolist(), event.tolist(), strict=True)}
    assert seen == {(0, 9, 0, HIT), (0, 9, 1, HIT), (0, 9, 2, STOP), (1, 6, 0, HIT), (1, 6, 1, TAN)}
    assert lessons.stood == {"0-Prague-0": ([Place(0, 2, 9, 6, True), Place(0, 1, 7, 6, False)], False)}
    assert np.argwhere(lessons.sudden).tolist() == [[1, 11, 0], [1, 12, 1]]


def test_the_bot_may_sit_on_the_other_side_and_a_forfeit_teaches_nothing(board):
    moves = [(A, Clue("one", 2)), (B, Guess(14))]
    game = record(board, moves, Mission(9, 9), reason=Reason.ASSASSIN)
    lessons = Lessons()
    lessons.learn(game, B)
    assert np.argwhere(lessons.touches).tolist() == [[1, 6, 0, BLACK]]
    lessons.learn(record(board, moves[:1], Mission(9, 9), reason=Reason.FORFEIT), B)
    assert lessons.games == 1


def drawn(games=20_000, seed=3):
    """Touches of a guesser whose chances are known: the more agents are left, the likelier a hit."""
    rng = np.random.default_rng(seed)
    touches = np.zeros((2, 10, 5, 4), np.int64)
    for role, most in ((0, 9), (1, 6)):
        for left in range(1, most + 1):
            for hits in range(min(left, 5)):
                touches[role, left, hits] = rng.multinomial(games // (1 + hits), truth(left, hits))
    return touches


def truth(left, hits):
    """Of a stop, a bystander, an assassin and a hit."""
    weights = np.array([0.8 * (hits > 0), 1.0, 0.15, 0.9 + 0.25 * left])
    return weights / weights.sum()


def test_the_fit_finds_the_chances_that_the_turns_were_drawn_from():
    turns = fit_turns(drawn())
    np.testing.assert_allclose(turns.sum(axis=(2, 3)), 1)
    for left in (1, 3, 9):
        alive, hits = 1.0, 0.0
        for found in range(left):
            chances = truth(left, min(found, 4))
            for event in (STOP, TAN, BLACK):
                if found < 4:
                    assert turns[0, left, found, event] == pytest.approx(alive * chances[event], abs=0.01)
            alive *= chances[HIT]
            hits += alive
    assert (turns[:, 0, 0, STOP] == 1).all()
    np.testing.assert_array_equal(turns[1, 7, :4], turns[1, 9, :4])  # never seen: as with the most that were


def test_the_chances_of_winning_follow_the_rules_of_tokens():
    turns = np.zeros((2, 10, 5, 3))
    turns[:, :, 0, TAN] = 1  # every turn meets a bystander
    allways = Prospects(turns, (0.5, 0.25))
    assert allways.chance(Place(0, 3, 1, 1, mine=True)) == 0.125  # three turns, then sudden death
    assert allways.chance(Place(0, 3, 0, 0, mine=True)) == 1
    assert Prospects(turns, (0.0, 0.0)).chance(Place(2, 0, 1, 0, mine=True)) == 0
    turns = np.zeros((2, 10, 5, 3))
    turns[:, :, 1, STOP] = 1  # every turn finds one
    steady = Prospects(turns, (0.0, 0.0))
    assert steady.chance(Place(0, 9, 5, 4, mine=True)) == 1
    assert steady.chance(Place(0, 9, 5, 5, mine=True)) == 0
    assert steady.chance(Place(4, 5, 9, 0, mine=False)) == 1, "a finished side gives no clue"


def games_drawn(prospects, count, seed, shift=0.0):
    """Lessons whose games are won as often as `prospects` has it, or with log-odds that much greater."""
    rng = np.random.default_rng(seed)
    lessons, every = Lessons(), [at for at in places() if 0 < prospects.chance(at) < 1]
    for number in range(count):
        at = every[rng.integers(len(every))]
        odds = prospects.chance(at) / (1 - prospects.chance(at)) * np.exp(shift)
        lessons.stood[f"{number}"] = [at], bool(rng.random() < odds / (1 + odds))
    return lessons


def test_calibration_tells_expected_from_happened():
    prospects = Prospects(fit_turns(drawn()), (0.3, 0.4))
    told = calibration(games_drawn(prospects, 6000, seed=1), prospects)
    assert told["slope"] == pytest.approx(1, abs=0.1)
    assert told["intercept"] == pytest.approx(0, abs=0.1)
    assert len(told["groups"]) == 10
    assert sum(row["places"] for row in told["groups"]) == 6000
    assert all(abs(row["happened"] - row["expected"]) < 4 * row["error"] for row in told["groups"])
    luckier = calibration(games_drawn(prospects, 6000, seed=1, shift=0.8), prospects)
    assert luckier["intercept"] == pytest.approx(0.8, abs=0.1)
    assert all(row["happened"] > row["expected"] for row in luckier["groups"])


def test_of_one_lost_game_little_is_told():
    lessons = Lessons()
    lessons.stood["0"] = [Place(0, 9, 9, 6, mine=True)], False
    told = calibration(lessons, Prospects(fit_turns(drawn()), (0.3, 0.4)))
    assert (told["slope"], told["intercept"]) == (None, None)
    assert [(row["places"], row["happened"], row["error"]) for row in told["groups"]] == [(1, 0, None)]


def test_rounded_chances_still_sum_to_one():
    turns = rounded(fit_turns(drawn()))
    assert np.abs(turns.sum(axis=(2, 3)) - 1).max() < 1e-9
    np.testing.assert_array_equal(turns, turns.round(5))


# ------------------------------------------------------------------ the recipe

PLAN = Plan(pairs=[("random", "random")], cities=CITIES[:2], games=10, seed=4)


def test_the_panel_has_three_habits_three_noises_and_no_shared_ingredient():
    plan = panel(games=5)
    partners = [partner for _, partner in plan.pairs]
    assert {spec.partition(":")[0] for spec in partners} == {"person", "cautious", "eager"}
    assert {spec.partition(",")[2] for spec in partners} == {
        "guess_noise=0,clue_noise=0",
        "guess_noise=0.3,clue_noise=0.35",
        "guess_noise=0.55,clue_noise=0.65",
    }
    assert len(plan.pairs) == 36
    assert plan.cities == CITIES


@pytest.fixture
def content(monkeypatch):
    """A recipe that is content with the oddities of a few games of random players."""
    monkeypatch.setattr(value, "broken", lambda _: None)


@pytest.mark.usefixtures("content")
def test_the_same_games_teach_the_same_whoever_plays_them(tmp_path):
    alone = build_value(tmp_path / "a", plan=PLAN)
    two = build_value(tmp_path / "b", plan=PLAN, workers=2)
    assert alone.path.read_bytes() == two.path.read_bytes()
    validate("value", json.loads(alone.path.read_text()))
    taught, held_back = play(PLAN, Serial())
    assert (taught.games, held_back.games) == (16, 4)


def test_games_so_few_that_a_token_seems_to_hurt_are_refused(tmp_path):
    with pytest.raises(InvalidSetup, match=r"16 games are too few: by them \(.*\) is worse than"):
        build_value(tmp_path, plan=PLAN)
    assert not [*tmp_path.iterdir()]


@pytest.mark.usefixtures("content")
def test_ended_early_it_leaves_nothing_and_the_file_of_before(tmp_path):
    lay = []
    built = build_value(tmp_path / "new", plan=PLAN, on_progress=lambda _: lay.append([*(tmp_path / "new").iterdir()]))
    assert lay
    assert not any(lay), "a program that is killed leaves behind what lies there"
    before = built.path.read_bytes()

    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_value(built.path.parent, plan=PLAN, on_progress=interrupted)
    assert [*built.path.parent.iterdir()] == [built.path]
    assert built.path.read_bytes() == before


@pytest.mark.usefixtures("content")
def test_build_value_is_a_command(tmp_path, monkeypatch):
    monkeypatch.setattr(value, "panel", lambda games, seed: Plan(PLAN.pairs, PLAN.cities, games=games, seed=seed))
    told = run("models", "build", "value", "--games", 10, "--seed", 4, "--workers", 1, "--out", tmp_path)
    assert told.code == 0
    assert "1 pairs in 2 cities, 20 games" in told.out
    assert "expected %  happened %" in told.out
    document = run("models", "build", "value", "--games", 10, "--workers", 1, "--out", tmp_path, "--json").document()
    validate("models-build", document)
    few = run("models", "build", "value", "--games", 4, "--out", tmp_path / "few").error()
    assert few == "4 games are too few: every fifth is held back; ask for at least 5"
    assert not (tmp_path / "few").exists()


def test_options_of_the_one_recipe_are_refused_beside_the_other(tmp_path):
    assert "value is made of games" in run("models", "build", "value", "--refit", "--out", tmp_path).error()
    assert "go with value, not with glove" in run("models", "build", "glove", "--seed", 1, "--out", tmp_path).error()


# ------------------------------------------------------------------ the file that ships


@pytest.fixture(scope="module")
def shipped():
    return json.loads(find_data(*PARTS).read_text(encoding="utf-8"))


def test_the_shipped_file_is_as_its_schema_says_and_made_by_the_recipe(shipped):
    validate("value", shipped)
    plan = panel(shipped["games"], shipped["seed"])
    assert [tuple(pair) for pair in shipped["pairs"]] == list(plan.pairs)
    assert shipped["cities"] == [city.name for city in CITIES]
    assert shipped["taught_by"]["games"] + shipped["held_back"]["games"] == plan.total


def test_bots_take_the_shipped_chances_for_what_they_are(shipped):
    learned = Prospects(shipped["turns"], shipped["sudden"])
    assert [chance(at) for at in places()] == pytest.approx([learned.chance(at) for at in places()], abs=1e-9)


def test_more_tokens_and_fewer_agents_to_find_never_hurt(shipped):
    assert broken(Prospects(shipped["turns"], shipped["sudden"])) is None


def test_the_shipped_chances_come_true(shipped):
    """Within four standard errors; of a few wins in many lost games that is less than half a point."""
    held_back = shipped["held_back"]
    for row in held_back["groups"]:
        assert abs(row["happened"] - row["expected"]) <= max(4 * row["error"], 0.005)
    assert held_back["slope"] == pytest.approx(1, abs=0.15)
    assert held_back["intercept"] == pytest.approx(0, abs=0.4)
