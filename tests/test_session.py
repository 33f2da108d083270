import json
import os
import random
from dataclasses import replace

import pytest
from conftest import WORDS

from brushpass.duet.agent import LeftTheTable
from brushpass.duet.agents.human import Human
from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.core.actions import Clue, Guess
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import BySeat, Seat
from brushpass.duet.core.mission import standard
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import Order, TableRules
from brushpass.duet.record import read_record, verify
from brushpass.duet.referee import play_game
from brushpass.duet.savedgame import SavedGame
from brushpass.duet.savedgames import Slot, to_resume, unfinished
from brushpass.duet.session import Session
from brushpass.errors import CorruptData, InvalidSetup

CLUES = ("zebra", "quantum", "velvet", "marble", "tundra", "oxygen", "piano", "lantern", "cotton", "meteor", "glacier")


@pytest.fixture
def games(tmp_path, monkeypatch):
    """The folder of games."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    return tmp_path / "games"


@pytest.fixture
def game(f1):
    return SavedGame("play-Prague-4", Setup(Board(WORDS), f1, standard(), Seat.A), 4, ("human", "random"), "Prague")


class Lines:
    """A console that types `lines` and then leaves."""

    def __init__(self, lines):
        self.lines = list(lines)
        self.told = []
        self.views = []

    def show(self, view):
        self.views.append(view)

    def ask(self, view):
        del view
        if not self.lines:
            raise LeftTheTable
        return self.lines.pop(0)

    def tell(self, line):
        self.told.append(line)

    def page(self, page, view):
        pass


class Plain:
    """Says the clue words in turn and touches the last open card: without chance or memory."""

    def give_clue(self, view):
        return Clue(CLUES[len(view.said())], 1)

    def guess(self, view):
        return Guess(view.open_cards()[-1])

    def new_game(self, view, seed):
        pass

    def end(self, *told):
        pass


class Metered(Plain):
    """A plain player that tells how often it was asked in this sitting, and in all."""

    asked = 0

    def new_game(self, view, seed):
        super().new_game(view, seed)
        self.usage = {"requests": 0, "cost": 0.0}

    def guess(self, view):
        type(self).asked += 1
        self.usage = {"requests": self.usage["requests"] + 1, "cost": self.usage["cost"] + 0.1}
        return super().guess(view)


def at_table(game, *, typed=None, after=lambda _: None, practice=False):
    console = Lines(typed or ())
    seat_a = Plain() if typed is None else Human(console, practice=practice)
    return Session(game, BySeat(seat_a, Plain()), after), console


def test_a_game_is_the_same_whether_watched_or_not(game):
    watched = Session(game, BySeat(RandomAgent(CLUES), RandomAgent(CLUES)), lambda _: None).play()
    plain = play_game(
        *(RandomAgent(CLUES), RandomAgent(CLUES)),
        game.setup,
        seed=4,
        id=game.id,
        city="Prague",
        names=("human", "random"),
    )
    assert watched.to_line() == plain.to_line()


def test_every_action_is_seen_before_the_next(game):
    seen = []
    record = at_table(game, after=lambda session: seen.append(session.game.moves))[0].play()
    assert seen == [record.moves[: number + 1] for number in range(len(record.moves))]


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("first", [Seat.A, None])
def test_a_game_left_after_any_action_goes_on_as_if_it_had_not_been(game, order, first):
    game = replace(game, setup=replace(game.setup, first=first, rules=TableRules(order)))
    whole = at_table(game)[0].play()
    assert (
        whole.to_line()
        == play_game(Plain(), Plain(), game.setup, seed=4, id=game.id, city="Prague", names=game.names).to_line()
    )
    kept = []
    at_table(game, after=lambda session: kept.append(session.game.to_line()))[0].play()
    assert len(kept) == len(whole.moves) > 5
    for line in kept[::3]:
        assert at_table(SavedGame.read(line))[0].play().to_line() == whole.to_line()


def test_what_is_kept_is_a_game_record_too(game):
    kept = []
    at_table(game, after=lambda session: kept.append(session.game.to_line()))[0].play()
    for line in kept[:-1]:
        record = read_record(line)
        verify(record)
        assert (record.outcome, record.reason) == (Outcome.LOST, Reason.FORFEIT)


def test_half_a_surrogate_is_kept(game):
    trace = ({"why": "\ud800"},)
    slot = Slot()
    slot.keep(replace(game, trace=trace))
    assert slot.read().trace == trace


def test_a_broken_file_keeps_nobody_from_another_game(game):
    Slot().keep(game)
    broken = unfinished()[0].with_name("broken.jsonl")
    broken.write_text("{")
    os.utime(broken, (2**31, 2**31))
    with pytest.raises(CorruptData, match=r"broken.jsonl is no saved game.*move it away"):
        to_resume()
    assert to_resume(seed=game.seed)[1] == game


def test_what_a_player_costs_is_told_of_all_sittings_and_of_what_was_taken_back(game, monkeypatch):
    monkeypatch.setattr(Metered, "asked", 0)
    game = replace(game, practice=True)
    for typed in (["zebra 1", "undo", "quantum 1"], ["undo", "velvet 1", "last"]):
        session = Session(game, BySeat(Human(Lines(typed), practice=True), Metered()), lambda _: None)
        with pytest.raises(LeftTheTable):
            session.play()
        game = SavedGame.read(session.game.to_line())
        assert game.usage == {"B": {"requests": Metered.asked, "cost": pytest.approx(0.1 * Metered.asked)}}
    assert Metered.asked > 2
    assert read_record(game.to_line()).usage == game.usage


def test_what_is_taken_back_has_not_been(game):
    session, console = at_table(game, typed=["zebra 1", "undo", "tundra 1"], practice=True)
    with pytest.raises(LeftTheTable):
        session.play()
    assert session.game.moves[0].action == Clue("tundra", 1)
    assert console.told == ["Taken back."]
    assert console.views[0].history == console.views[2].history == ()
    assert len(session.game.trace) == sum(isinstance(move.action, Clue) for move in session.game.moves)


def test_nothing_is_taken_back_outside_practice_or_before_anything_was_done(game):
    for practice, why in ((False, "--practice"), (True, "nothing yet")):
        session, console = at_table(game, typed=["undo"], practice=practice)
        with pytest.raises(LeftTheTable):
            session.play()
        assert why in console.told[0]
        assert session.game.moves == ()


def test_a_lost_game_of_practice_may_be_taken_back(game):
    session, _ = at_table(game)
    assert session.play().outcome is Outcome.LOST
    last = max(place for place, move in enumerate(session.game.moves) if move.seat is Seat.B)
    session.take_back(Seat.B)
    assert len(session.game.moves) == last
    assert session.state.phase not in {"WON", "LOST"}


@pytest.mark.parametrize(
    "change",
    [
        {"saved": None},
        {"saved": {"schema": 2}},
        {"saved": {"schema": 1, "practice": "yes", "options": {}}},
        {"saved": {"schema": 1, "practice": False, "options": []}},
        {"id": 3},
        {"seed": None},
        {"agents": None},
        {"trace": None},
        {"actions": [["guess", "A", 3]]},
        {"actions": [["clue", "A", "anchors", 1]]},
        {"words": ["a"]},
        {"schema": 9},
    ],
    ids=str,
)
def test_what_is_no_saved_game_is_refused(game, change):
    data = json.loads(game.to_line()) | change
    with pytest.raises(CorruptData):
        SavedGame.read(json.dumps(data))


def test_a_damaged_file_is_refused_and_left_alone(games, game):
    slot = Slot()
    slot.keep(game)
    whole = slot.path.read_bytes()
    rng = random.Random(3)
    for _ in range(150):
        broken = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        slot.path.write_bytes(broken[: rng.choice([len(broken), rng.randrange(len(broken))])])
        try:
            SavedGame.read(slot.read().to_line())
        except CorruptData as error:
            assert str(slot.path) in str(error)  # noqa: PT017 - what is still a saved game is no error
    assert unfinished() in ([slot.path], [])
    assert games == slot.path.parent


def test_no_game_takes_the_place_of_another(games, game):
    first, second = Slot(), Slot()
    first.keep(game)
    second.keep(game)
    second.keep(game)
    assert first.path != second.path
    assert to_resume()[0].path == second.path
    second.clear()
    assert [*games.iterdir()] == [first.path]


def test_an_empty_file_of_a_killed_program_is_no_game(games, game):
    games.mkdir(parents=True)
    (games / "play-Prague-1.jsonl").touch()
    with pytest.raises(InvalidSetup, match="no unfinished game"):
        to_resume()
    Slot().keep(game)
    assert to_resume(seed=4)[1] == game
    with pytest.raises(InvalidSetup, match="play-Prague-4"):
        to_resume(seed=5)


def test_the_games_of_a_campaign_are_gone_on_with_only_there(games, game):
    Slot().keep(replace(game, options={"campaign": "main"}))
    with pytest.raises(InvalidSetup, match="no unfinished game"):
        to_resume()
    with pytest.raises(InvalidSetup, match="no unfinished game"):
        to_resume(campaign="other")
    assert to_resume(campaign="main", folder=games)[1].id == game.id
