"""A bot that gets to know its partner: what it reads from a game, what it believes, and that runs stay repeatable."""

import json

import numpy as np
import pytest
from msgspec.structs import replace
from test_agents import CARDS, CLUES, F1, STANDARD, mind_of

from brushpass import Plan, run_bench
from brushpass.arena.jobs import Job
from brushpass.arena.runner import run
from brushpass.arena.stats import around, mean
from brushpass.duet.agents.embedding import Acquainted, Embedding
from brushpass.duet.agents.evidence import Evidence, Habit, Said, Touch, read_evidence
from brushpass.duet.agents.panel import Panel, Pooled
from brushpass.duet.agents.person import Person
from brushpass.duet.agents.profile import HEATS, Profile
from brushpass.duet.core.cards import ALL_CARDS, Seat, mask_of
from brushpass.duet.core.events import CardTouched, ClueGiven, Stopped, SuddenDeathBegan
from brushpass.duet.core.mission import find_cities
from brushpass.duet.memory import memory_of
from brushpass.duet.observe import observe
from brushpass.duet.referee import play_game
from brushpass.duet.results import found, read_id
from brushpass.duet.runfolder import read_run
from brushpass.errors import InvalidSetup
from brushpass.lexicon.vocabulary import make_vocabulary

GREEN, TAN = F1.a.color(0), F1.a.color(9)
MINDS = {"one": mind_of(CARDS, CLUES, 1), "two": mind_of(CARDS, CLUES, 2), "three": mind_of(CARDS, CLUES, 3)}
VOCABULARY = make_vocabulary(CLUES)


@pytest.fixture(scope="module")
def panel():
    return Panel(MINDS, VOCABULARY, CARDS)


@pytest.fixture
def last_view(view):
    """The last view of a game with that history, of seat A."""

    def made(*history):
        return replace(view, history=history)

    return made


@pytest.fixture
def view():
    from brushpass.duet.core import rules
    from brushpass.duet.core.board import Board
    from brushpass.duet.core.state import Setup

    state = rules.new_game(Setup(Board(CARDS), F1, STANDARD, first=Seat.A))
    return observe(state, Seat.A, ())


# ------------------------------------------------------------------ evidence


def test_touches_within_the_number_are_choices_among_the_cards_then_open(last_view):
    a, b = Seat.A, Seat.B
    seen = read_evidence(
        last_view(
            ClueGiven(a, "ocean", 2), CardTouched(b, 0, GREEN), CardTouched(b, 1, GREEN), CardTouched(b, 9, TAN),
            ClueGiven(b, "metal", 1), CardTouched(a, 3, TAN),
            ClueGiven(a, "music", 1), CardTouched(b, 2, GREEN), Stopped(b),
            SuddenDeathBegan(), CardTouched(b, 4, GREEN),
        ),
        F1.b,
    )  # fmt: skip
    assert seen.touches == (
        Touch("ocean", ALL_CARDS, 0),
        Touch("ocean", ALL_CARDS & ~mask_of([0]), 1),
        Touch("music", ALL_CARDS & ~mask_of([0, 1, 9]), 2),
    )
    left = ALL_CARDS & ~mask_of([0, 1])
    assert seen.clues == (Said("metal", 1, F1.b.greens & left, F1.b.tans & left, F1.b.blacks & left),)
    assert seen.habit == Habit(stopped_early=0, went_on_early=1, stopped=1, went_on=1)


def test_a_clue_of_number_0_and_a_stop_below_the_number_are_told_apart(last_view):
    a, b = Seat.A, Seat.B
    seen = read_evidence(
        last_view(
            ClueGiven(b, "metal", 0),
            CardTouched(a, 3, TAN),
            ClueGiven(a, "ocean", 3),
            CardTouched(b, 0, GREEN),
            Stopped(b),
        ),
        F1.b,
    )
    assert seen.clues == ()
    assert seen.habit == Habit(stopped_early=1)


# ------------------------------------------------------------------ belief


def played(bot, partner, games, seed=0):
    for game in range(games):
        play_game(bot, partner, mission=STANDARD, seed=seed + game)


@pytest.fixture
def words(monkeypatch):
    """Games are dealt from the toy's 25 cards."""
    monkeypatch.setattr("brushpass.duet.referee.deal", dealt)


def dealt(mission, seed):
    from brushpass.duet.core.deal import deal
    from brushpass.duet.core.table import TableRules

    return deal(CARDS, mission, TableRules(), seed)


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize("name", MINDS)
def test_it_finds_out_whose_mind_the_partner_has_and_how_surely_it_chooses(name):
    bot = Acquainted(MINDS, VOCABULARY, CARDS)
    assert max(bot.profile.minds(), key=bot.profile.minds().get) == "one"
    sharp = Person(MINDS[name], VOCABULARY, CARDS, guess_noise=0, clue_noise=0)
    played(bot, sharp, 6)
    assert bot.profile.minds()[name] > 0.9
    assert bot.profile.games == 6
    surely = bot.profile.heat()
    bot.forget()
    assert bot.profile.games == 0
    played(bot, Person(MINDS[name], VOCABULARY, CARDS, guess_noise=1.4, clue_noise=0), 6)
    assert bot.profile.heat() > surely


def test_how_a_partner_takes_a_number_is_seen():
    before = Profile.blank(["one"])
    seen = Evidence((), (), Habit(stopped_early=30, went_on_early=2, stopped=5))
    after = Panel({"one": MINDS["one"]}, VOCABULARY, CARDS).learned(before, seen, CARDS)
    assert before.goes_on_early() > 0.9
    assert before.goes_on_late() < 0.1
    assert after.goes_on_early() < 0.5
    assert after.goes_on_late() < before.goes_on_late()


def test_one_strange_choice_decides_little(panel):
    profile = Profile.blank(panel.names)
    scores = panel.of_clue("ocean", CARDS)
    worst = int(scores[0].argmin())
    after = panel.learned(profile, Evidence((Touch("ocean", ALL_CARDS, worst),), (), Habit()), CARDS)
    assert np.ptp(after.logs) < 7


def test_a_belief_beside_another_panel_keeps_what_it_has(panel):
    touch = Touch("ocean", ALL_CARDS, int(panel.of_clue("ocean", CARDS)[1].argmax()))
    known = panel.learned(Profile.blank(panel.names), Evidence((touch,) * 5, (), Habit()), CARDS)
    more = known.beside(["new", *panel.names])
    assert more.panel == ("new", *panel.names)
    back = more.beside(panel.names)
    assert np.allclose(back.logs, known.logs)
    rows = dict(zip(more.mixtures(), more.logs, strict=True))
    assert known.logs.min() <= rows[frozenset({"new"})].max() <= known.logs.max()
    assert known.beside(known.panel) is known


def test_a_mixture_of_one_mind_is_that_mind(panel):
    profile = Profile.blank(panel.names)
    sure = Profile(
        profile.panel, np.where(np.arange(len(profile.logs))[:, None] == 1, 0.0, -500.0) + np.zeros(len(HEATS))
    )
    pooled = Pooled(panel)
    pooled.follow(sure, 1.0)
    rows = pooled.rows(CARDS)
    mind = MINDS["two"]
    expected = np.exp(mind.scores(CLUES, CARDS).T / mind.temperature)
    assert np.allclose(pooled.table[rows][:, : len(CLUES)], expected, rtol=1e-4)
    assert np.allclose(pooled.of_clue(CLUES[3], CARDS), expected[:, 3], rtol=1e-4)
    assert (pooled.table[-1] == 0).all()


# ------------------------------------------------------------------ options and runs

BOT = "embedding:model=glove,memory=3,panel=minilm"
PRAGUE = find_cities("Prague")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"panel": "glove"}, "panel goes with memory"),
        ({"memory": "20", "temperature": "0.1"}, "leave out temperature or memory"),
        ({"memory": "0"}, "not a whole number of at least 1"),
        ({"memory": "many"}, "not a whole number of at least 1"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, says):
    with pytest.raises(InvalidSetup, match=says):
        Embedding.from_options({"model": "glove", **options}, CARDS)


def test_a_table_has_one_memory():
    assert memory_of(["random", "person:model=glove"]) == 1
    assert memory_of([BOT, "person:model=glove"]) == 3
    with pytest.raises(InvalidSetup, match="give both the same"):
        Plan([(BOT, "embedding:memory=4")])
    with pytest.raises(InvalidSetup, match="without memory"):
        Plan.of_suite("duet-1", [BOT])


def test_games_in_a_row_are_one_job_and_no_game_is_left_out():
    plan = Plan([(BOT, "random"), ("random", "random")], cities=PRAGUE, games=7)
    jobs = list(plan.jobs())
    assert [len(job.games) for job in jobs if job.group == "0"] == [3, 3, 1]
    assert sorted(game.id for job in jobs for game in job.games) == sorted(
        f"{pair}-Prague-{index}" for pair in range(2) for index in range(7)
    )


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A run of 7 games of a bot that remembers 3, in this process."""
    folder = tmp_path_factory.mktemp("memory") / "alone"
    run_bench(Plan([(BOT, "random")], cities=PRAGUE, games=7, seed=5), out=folder)
    return folder


def lines(folder):
    return sorted((folder / "games.jsonl").read_text(encoding="utf-8").splitlines())


def test_workers_change_nothing(alone, tmp_path):
    run_bench(Plan([(BOT, "random")], cities=PRAGUE, games=7, seed=5), out=tmp_path / "two", workers=2)
    assert lines(tmp_path / "two") == lines(alone)


def test_an_interrupted_row_is_played_from_its_start_and_nothing_is_written_twice(alone, tmp_path):
    folder = tmp_path / "cut"
    run_bench(Plan([(BOT, "random")], cities=PRAGUE, games=5, seed=5), out=folder)
    games = (folder / "games.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "games.jsonl").write_text("".join(games[:4]) + games[4][:50], encoding="utf-8")
    run_bench(Plan([(BOT, "random")], cities=PRAGUE, games=7, seed=5), out=folder, resume=True)
    assert lines(folder) == lines(alone)


def test_a_row_begins_as_if_nobody_had_been_met(alone, tmp_path):
    fresh = BOT.replace("memory=3", "memory=1")
    run_bench(Plan([(fresh, "random")], cities=PRAGUE, games=7, seed=5), out=tmp_path / "fresh")
    games = [line.replace(fresh, BOT) for line in lines(tmp_path / "fresh")]
    same = [index for index, (one, other) in enumerate(zip(games, lines(alone), strict=True)) if one == other]
    assert {0, 3, 6} <= {*same}
    assert len(same) < 7


def test_a_report_shows_whether_it_plays_better_the_longer_it_knows_the_partner(alone):
    report = read_run(alone).to_json()
    pair = report["pairs"][0]
    assert pair["memory"] == 3
    assert [(stage["from"], stage["to"], stage["games"]) for stage in pair["learning"]["stages"]] == [
        (1, 1, 3),
        (2, 2, 2),
        (3, 3, 2),
    ]
    assert pair["learning"]["rows"] == 3
    assert sum(stage["wins"] for stage in pair["learning"]["stages"]) == pair["wins"]
    assert "minilm" in pair["models"][0]["name"]


def test_agents_found_are_as_sure_as_the_rows_that_were_played(alone):
    figures = read_run(alone).to_json()["pairs"][0]
    records = [json.loads(line) for line in lines(alone)]
    counts, rows = [*map(found, records)], [read_id(record["id"])[2] // 3 for record in records]
    _, low, high = around(mean(counts, rows), 0, 15)
    assert (figures["found_low"], figures["found_high"]) == pytest.approx((low, high))
    assert low != pytest.approx(around(mean(counts), 0, 15).low)
    assert figures["cities"][0]["found_low"] == figures["found_low"]


class _Echo:
    """Plays a line a game; `failed` likewise."""

    def play(self, job):
        return "\n".join(f'{{"schema":1,"id":"{game.id}"}}' for game in job.games)

    def failed(self, job, reason):
        raise AssertionError(job.id, reason)


def test_games_of_a_job_are_counted_one_by_one():
    first, *more = (Job(f"0-x-{index}", "0", "x", index, index, ()) for index in range(3))
    told = []
    job = Job(first.id, "0", "x", 0, 0, (), tuple(more))
    outcome = run(
        [job], _Echo(), workers=1, total=3, on_progress=lambda done, total, new: told.append((done, total, len(new)))
    )
    assert (outcome.played, told) == (3, [(3, 3, 3)])
