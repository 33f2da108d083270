"""The Python interface: what the root gives, how cheaply, and who may sit down."""

# ruff: noqa: ARG002 - players have the methods they must have
import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from conftest import WORDS

import brushpass
from brushpass import (
    Advice,
    Agent,
    Board,
    Clue,
    ClueGiver,
    Duo,
    Guess,
    Guesser,
    KeyCard,
    Mind,
    Mission,
    Outcome,
    Plan,
    Player,
    Reason,
    Seat,
    Setup,
    Stop,
    TableRules,
    build_agent,
    deal,
    load_wordlist,
    play_game,
    read_records,
    run_bench,
    verify,
)
from brushpass.duet.core.events import ClueGiven
from brushpass.duet.core.rules import new_game
from brushpass.duet.observe import observe
from brushpass.errors import AgentFailure, InvalidSetup, UnknownName

STABLE = {
    *("Observation", "Clue", "Guess", "Stop", "ClueGiver", "Guesser", "play_game", "run_bench", "read_records"),
    *("Mind", "KeyCard", "Mission", "check_agent"),
}
"""INTERFACES §8."""
HEAVY = ("numpy", "numba", "gensim", "sklearn", "typer", "rich", "hypothesis", "dataclasses", "typing")


class Bare:
    """Has the two methods and no more."""

    def give_clue(self, view):
        return Clue(next(str(number) for number in range(10, 99) if view.allows(str(number))), 1)

    def guess(self, view):
        return Guess(view.open_cards()[0]) if view.must_guess or view.clue is None else Stop()


def python(code: str, cwd: Path) -> str:
    """What a fresh interpreter prints that reads `code` from its input."""
    told = subprocess.run([sys.executable, "-"], input=code, cwd=cwd, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    return told.stdout


# ------------------------------------------------------------------ the root


def test_importing_the_root_loads_next_to_nothing(tmp_path):
    loaded = python(f"import sys, brushpass\nprint([name for name in {HEAVY} if name in sys.modules])", tmp_path)
    assert loaded == "[]\n"


def test_the_stable_names_are_there():
    assert set(brushpass.__all__) >= STABLE
    assert brushpass.__all__ == sorted(brushpass.__all__, key=lambda name: (name[0].islower(), name))


@pytest.mark.parametrize("name", brushpass.__all__)
def test_a_name_is_that_of_its_home(name):
    found = getattr(brushpass, name)
    assert found is getattr(import_module(found.__module__), name)
    assert found.__doc__


def test_types_and_names_agree():
    root = ast.parse(Path(brushpass.__file__).read_text(encoding="utf-8"))
    block = next(node for node in root.body if isinstance(node, ast.If))
    typed = {(node.module, name.name) for node in block.body for name in node.names}
    homes = next(
        ast.literal_eval(node.value)
        for node in root.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "_HOMES"
    )
    assert typed == {(f"brushpass.{home}", name) for home, names in homes.items() for name in names}
    assert {name for _, name in typed} == set(brushpass.__all__)


def test_the_root_lists_its_names():
    assert set(brushpass.__all__) <= set(dir(brushpass))
    everything: dict[str, object] = {}
    exec("from brushpass import *", everything)  # noqa: S102 - a star import needs its own names
    assert set(brushpass.__all__) <= set(everything)


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="'brushpass' has no attribute 'play_chess'"):
        _ = brushpass.play_chess
    with pytest.raises(ImportError):
        from brushpass import play_chess  # noqa: F401 - it is the failure that is wanted


# ------------------------------------------------------------------ tables


def test_without_a_setup_the_seed_deals_a_standard_game():
    record = play_game(Bare(), Bare(), seed=4)
    assert record.setup == deal(seed=4)
    assert record.setup.mission == Mission(9, 9)
    assert set(record.setup.board.words) < set(load_wordlist("english").words)
    assert record.setup != play_game(Bare(), Bare(), seed=5).setup
    verify(record)


def test_a_mission_alone_is_enough():
    record = play_game(Bare(), Bare(), mission=Mission(6, 4), seed=4)
    assert record.setup == deal(mission=Mission(6, 4), seed=4)


def test_a_mission_beside_a_setup_of_another_is_refused(board, f1):
    setup = Setup(board, f1, Mission(7, 2))
    assert play_game(Bare(), Bare(), setup, mission=Mission(7, 2)).setup.mission == Mission(7, 2)
    with pytest.raises(InvalidSetup, match="8-0 is given beside a set-up for 7-2"):
        play_game(Bare(), Bare(), setup, mission=Mission(8, 0))


def test_deal_takes_words_and_rules():
    rules = TableRules(relax=frozenset({"acronyms"}))
    setup = deal(WORDS, Mission(8, 1), rules, seed=3)
    assert sorted(setup.board.words) == sorted(WORDS)
    assert (setup.mission, setup.rules, setup.law.relax) == (Mission(8, 1), rules, rules.relax)
    with pytest.raises(InvalidSetup, match="25 words"):
        deal(WORDS[:24])


# ------------------------------------------------------------------ players


def test_two_methods_are_enough():
    record = play_game(Bare(), Bare(), seed=1)
    assert record.reason is not Reason.FORFEIT
    assert record.turns_used > 1
    assert isinstance(Bare(), ClueGiver)
    assert isinstance(Bare(), Guesser)
    assert not isinstance(Bare(), Agent)
    assert isinstance(Duo(Bare(), Bare()), Agent)


class Told(Bare):
    """Writes down what it is told."""

    def __init__(self):
        self.news = []

    def new_game(self, view, seed):
        self.news.append(("new_game", view.seat, seed))

    def end(self, outcome, reason, key_a, key_b):
        self.news.append(("end", outcome))


class OnlyNew(Bare):
    """Hears of the beginning alone."""

    def __init__(self):
        self.seeds = []

    def new_game(self, view, seed):
        self.seeds.append(seed)


def test_a_player_hears_what_it_has_ears_for():
    half, whole = OnlyNew(), Told()
    record = play_game(half, whole, seed=1)
    assert len(half.seeds) == 1
    assert [kind for kind, *_ in whole.news] == ["new_game", "end"]
    assert whole.news[1][1] is record.outcome


def test_a_duo_is_told_twice_with_two_seeds_and_one_player_once():
    giver, guesser, both = Told(), Told(), Told()
    play_game(Duo(giver, guesser), Duo(both, both), seed=1)
    assert [kind for kind, *_ in giver.news] == [kind for kind, *_ in guesser.news] == ["new_game", "end"]
    assert giver.news[0][2] != guesser.news[0][2]
    assert [kind for kind, *_ in both.news] == ["new_game", "end"]


def test_a_duo_takes_clues_from_one_and_guesses_from_the_other():
    class Giver:
        def give_clue(self, view):
            return Advice(Clue("12345", 2), targets=(7,))

    class Toucher:
        def guess(self, view):
            return Guess(view.open_cards()[-1])

    record = play_game(Duo(Giver(), Toucher()), Duo(Giver(), Toucher()), seed=2)
    assert record.moves[0].action == Clue("12345", 2)
    assert record.moves[1].action == Guess(24)
    assert record.trace[0]["targets"] == [7]


@pytest.mark.parametrize(
    ("player", "says"),
    [
        (Bare, "Bare is a class, which cannot play"),
        (object(), "object has no method give_clue"),
        (None, "NoneType has no method give_clue"),
        (type("Mute", (), {"give_clue": Bare.give_clue, "guess": 5})(), "Mute has no method guess"),
    ],
)
def test_what_cannot_play_is_refused_before_the_game(player, says):
    with pytest.raises(AgentFailure, match=says):
        play_game(Bare(), player)


def test_numbers_of_numpy_are_numbers():
    class Numeric(Player):
        def give_clue(self, view):
            return Clue("12345", np.int64(1))

        def guess(self, view):
            return Guess(np.argmax([card in view.open_cards() for card in range(25)]))

    record = play_game(Numeric(), Numeric(), seed=1)
    assert record.reason is not Reason.FORFEIT
    assert {type(move.action.card) for move in record.moves if isinstance(move.action, Guess)} == {int}
    verify(record)
    record.to_line()


@pytest.mark.parametrize("number", [True, np.True_, 1.0, "1", None])
def test_what_is_no_whole_number_is_no_card(number):
    class Odd(Bare):
        def guess(self, view):
            return Guess(number)

    assert play_game(Odd(), Odd(), seed=1).reason is Reason.FORFEIT


# ------------------------------------------------------------------ views and minds


def test_a_view_knows_what_may_be_said(board, f1):
    state = new_game(Setup(board, f1, first=Seat.A))
    view = observe(state, Seat.A, (), refused=(("Ocean", "L6"),))
    assert view.allows("mountain")
    assert not view.allows(WORDS[0])
    assert not view.allows("two words")
    assert not view.allows("ocean")
    relaxed = deal(WORDS, rules=TableRules(relax=frozenset({"compounds"})))
    assert observe(new_game(relaxed), Seat.A, ()).allows("two words")


def test_a_view_knows_what_was_heard(board, f1):
    history = (ClueGiven(Seat.B, "ocean", 2), ClueGiven(Seat.A, "war", 1), ClueGiven(Seat.B, "money", 0))
    state = new_game(Setup(board, f1, first=Seat.A))
    assert observe(state, Seat.A, history).heard() == (Clue("ocean", 2), Clue("money", 0))
    assert observe(state, Seat.B, history).heard() == (Clue("war", 1),)
    assert observe(state, Seat.B, ()).heard() == ()


def test_a_mind_is_loaded_by_name_or_path(tmp_path):
    file = tmp_path / "tiny.txt"
    file.write_text("cat 1 0\ndog 0.8 0.6\n")
    tiny = Mind.load(file)
    assert tiny.words == ("cat", "dog")
    assert tiny.scores(["cat"], ["dog"])[0, 0] == pytest.approx(0.8, abs=0.01)
    assert Mind.load("glove") is Mind.load("glove")
    assert "ocean" in Mind.load("glove").words
    with pytest.raises(LookupError, match="did you mean glove"):
        Mind.load("glvoe")


# ------------------------------------------------------------------ many games


def test_a_bench_runs_where_no_main_module_is_guarded(tmp_path):
    code = """
import brushpass
plan = brushpass.Plan(pairs=[("random", "random")], mission=brushpass.Mission(2, 2), games=3)
print(brushpass.run_bench(plan).tally.pair(0).games)
"""
    assert python(code, tmp_path) == "3\n"


def test_a_bench_here_and_in_a_worker_are_the_same(tmp_path):
    plan = Plan(pairs=[("random", "nearest")], mission=Mission(3, 1), games=4, seed=9)
    run_bench(plan, out=str(tmp_path / "here"))
    run_bench(plan, out=tmp_path / "there", workers=1)
    here, there = (sorted((tmp_path / place / "games.jsonl").read_text().splitlines()) for place in ("here", "there"))
    assert here == there
    records = list(read_records(str(tmp_path / "here")))
    assert len(records) == 4
    assert all(verify(record) for record in records)


# ------------------------------------------------------------------ agents by spec


def test_build_agent_expects_the_english_list():
    record = play_game(build_agent("random"), build_agent("nearest"), seed=3)
    assert record.outcome in set(Outcome)
    assert record.reason is not Reason.FORFEIT


@pytest.fixture
def module_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "made_here.py").write_text(
        "from test_api import Bare\n\ndef twisted():\n    return [].missing\n\ndef bare():\n    return Bare()\n"
    )


@pytest.mark.usefixtures("module_here")
def test_a_module_of_the_working_folder_is_found():
    agent = build_agent("py:made_here:bare")
    assert isinstance(agent, Agent)
    assert sys.path[0] != str(Path.cwd()), "the working folder must not come before installed modules"
    with pytest.raises(UnknownName, match="is not there"):
        build_agent("py:made_here:nothing")
    with pytest.raises(AgentFailure, match=r"cannot start: AttributeError"):
        build_agent("py:made_here:twisted")
    with pytest.raises(InvalidSetup, match="py:module:Class"):
        build_agent("py:made_here")


def test_a_key_and_a_board_of_ones_own():
    keys = KeyCard.parse("GGGGGGGGGTTTTTBBBTTTTTTTT", "GGGTTTTTBGGGGGGBTBTTTTTTT")
    record = play_game(Bare(), Bare(), Setup(Board(WORDS), keys, first=Seat.B))
    assert record.setup.keys == keys
    assert record.first is Seat.B
