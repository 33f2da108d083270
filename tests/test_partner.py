"""What the bot keeps of the people it plays with: `play --name`, `brushpass partner` and the file."""

import json

import numpy as np
import pytest
from cli_runner import run

from brushpass.duet.agents.evidence import Habit
from brushpass.duet.agents.profile import HEATS, Profile, mixtures
from brushpass.duet.partnerfile import PartnerFile, partners
from brushpass.errors import CorruptData, InvalidSetup, UnknownName

TYPED = "".join(f"{line}\n" for number in range(1, 26) for line in ("zebra 1", number)) * 3
GAME = ("--words", "english", "--seed", 5, "--first", "me", "--plain")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "partners"


def profile():
    logs = -np.arange(len(mixtures(3)) * len(HEATS), dtype=float).reshape(-1, len(HEATS)) / 7
    return Profile(("default", "glove", "minilm"), logs, 4, 17, 30, Habit(2, 9, 6, 1))


@pytest.fixture
def anna():
    file = PartnerFile("Anna Lee")
    file.update(lambda known: known or profile())
    return file


# ------------------------------------------------------------------ the file


def test_what_is_written_is_read_again(anna):
    read = PartnerFile("anna  LEE").get()
    assert np.allclose(read.logs, profile().logs, atol=1e-4)
    assert (read.panel, read.games, read.clues, read.touches, read.habit) == (
        *(("default", "glove", "minilm"), 4, 17, 30),
        Habit(2, 9, 6, 1),
    )
    anna.path.with_name("anna.old.json").write_text("{}")
    assert [str(one) for one in partners()] == ["anna-lee"]
    anna.forget()
    assert partners() == []
    assert PartnerFile("anna lee").read() is None


def test_nothing_is_left_of_who_is_forgotten(anna, folder):
    (folder / ".anna-lee.json.k1ll3d").write_text("half of a profile")
    PartnerFile("Bo").update(lambda _: profile())
    anna.forget()
    assert sorted(path.name for path in folder.iterdir()) == ["bo.json", "bo.json.lock"]


@pytest.mark.parametrize("name", ["\u0130smail", "\u0939\u093f\u0928\u094d\u0926\u0940", "Zo\u00eb-Mae 2", "x" * 40])
def test_names_of_many_languages_are_listed_as_they_are_kept(name):
    PartnerFile(name).update(lambda _: profile())
    (listed,) = partners()
    assert PartnerFile(str(listed)).path == PartnerFile(name).path == listed.path


@pytest.mark.parametrize("name", ["", "  ", "../x", "a/b", "x" * 41, "\u00df" * 40, "a.b", "\u2488", "-", "--help"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(InvalidSetup, match="no name of a person"):
        PartnerFile(name)


def broken(data, what):
    return {
        "cut": json.dumps(data)[:-30],
        "list": "[]",
        "schema": json.dumps(data | {"schema": 2}),
        "temperatures": json.dumps(data | {"temperatures": [1.0]}),
        "row missing": json.dumps(data | {"log_likelihoods": data["log_likelihoods"][1:]}),
        "short row": json.dumps(data | {"log_likelihoods": [{"minds": ["default"], "values": [1]}]}),
        "infinite": json.dumps(data).replace("0.0,", "Infinity,", 1),
        "count": json.dumps(data | {"games": -1}),
        "vast count": json.dumps(data | {"habit": data["habit"] | {"stopped": 10**400}}),
        "vast number": json.dumps(data).replace("0.0,", f"{10**400},", 1),
        "habit": json.dumps(data | {"habit": {}}),
        "panel": json.dumps(data | {"panel": [1, 2, 3]}),
        "deep": "[" * 100_000,
    }[what]


@pytest.mark.parametrize(
    "what",
    [
        "cut",
        "list",
        "schema",
        "temperatures",
        "row missing",
        "short row",
        "infinite",
        "count",
        "vast count",
        "vast number",
        "habit",
        "panel",
        "deep",
    ],
)
def test_a_damaged_file_is_one_line_and_is_left_alone(anna, what):
    text = broken(json.loads(anna.path.read_text()), what)
    anna.path.write_text(text)
    with pytest.raises(CorruptData, match=r"anna-lee\.json is no profile"):
        anna.update(lambda known: known or profile())
    told = run("play", "--name", "Anna Lee", *GAME, typed="quit\n")
    assert told.code == 3
    assert "partner forget anna-lee" in told.error()
    assert "\n" not in told.error()
    assert anna.path.read_text() == text
    assert run("partner", "show", "anna-lee").code == 3
    listed = run("partner", "list")
    assert (listed.code, "is no profile" in listed.err) == (0, True)
    assert run("partner", "forget", "anna lee").code == 0
    assert not anna.path.exists()


def test_a_vast_panel_is_counted_before_it_is_laid_out(anna):
    """Every two of 3,000 minds would take all memory."""
    data = json.loads(anna.path.read_text())
    anna.path.write_text(json.dumps(data | {"panel": [str(name) for name in range(200)]}))
    with pytest.raises(CorruptData, match="not of each mind and every two"):
        anna.read()


def test_a_file_that_cannot_be_written_keeps_what_it_held(anna, monkeypatch):
    before = anna.path.read_text()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="No space"):
        anna.update(lambda known: known or profile())
    assert anna.path.read_text() == before
    assert sorted(path.name for path in anna.path.parent.iterdir()) == ["anna-lee.json", "anna-lee.json.lock"]


# ------------------------------------------------------------------ the commands


def test_it_is_shown_and_forgotten(anna):
    told = run("partner", "show", "ANNA LEE").out.splitlines()
    assert told[0] == "anna-lee, as the bot sees it after 4 games: 17 clues and 30 guesses"
    assert told[1].startswith("thinks like default ")
    assert "went on 9 times, stopped 2" in told[3]
    assert str(anna.path) in told[-1]
    document = run("partner", "show", "anna-lee", "--json").document()
    assert sum(one["share"] for one in document["minds"]) == pytest.approx(1, abs=1e-3)
    assert run("partner", "list").out.splitlines()[1].split()[:4] == ["anna-lee", "4", "17", "30"]
    assert "is forgotten" in run("partner", "forget", "anna-lee").out
    assert "nobody yet" in run("partner", "list").out
    for command in ("show", "forget"):
        told = run("partner", command, "anna-lee")
        assert told.code == UnknownName.exit_code
        assert "unknown partner 'anna-lee'" in told.error()


def test_a_game_is_remembered_and_the_next_begins_with_it(folder):
    told = run("play", "--name", "Bo", *GAME, typed=TYPED)
    assert "does not know Bo yet" in told.out
    assert "The bot knows Bo from 1 game now; brushpass partner show bo" in told.out
    known = PartnerFile("bo").get()
    assert known.games == 1
    assert known.touches > 0
    again = run("play", "--name", "bo", *GAME, typed="quit\n")
    assert "The bot knows bo from 1 game." in again.out
    assert PartnerFile("bo").get().games == 1
    assert sorted(path.name for path in folder.glob("*.json")) == ["bo.json"]


def test_a_game_left_and_gone_on_with_is_remembered_once():
    run("play", "--name", "Cy", *GAME, typed="zebra 1\n")
    assert PartnerFile("cy").read() is None
    told = run("play", "--resume", "--plain", typed=TYPED)
    assert "The bot knows Cy from 1 game now" in told.out
    assert PartnerFile("cy").get().clues + PartnerFile("cy").get().touches > 0


def test_a_game_whose_end_was_cut_off_teaches_once(monkeypatch):
    """Ended after it has learned and before the game is dropped, it is gone on with at the end."""
    with monkeypatch.context() as killed:
        killed.setattr("brushpass.duet.savedgames.Slot.clear", lambda _: None)
        run("play", "--name", "Flo", *GAME, typed=TYPED)
    known = PartnerFile("flo").path.read_bytes()
    told = run("play", "--resume", "--plain", typed=TYPED)
    assert "The bot knows Flo from 1 game now" in told.out
    assert PartnerFile("flo").path.read_bytes() == known
    assert run("play", "--resume").code == 2
    run("play", "--name", "Flo", *GAME[:3], 6, *GAME[4:], typed=TYPED)
    assert PartnerFile("flo").get().games == 2


def test_practice_is_not_remembered():
    told = run("play", "--name", "Di", "--practice", *GAME, typed=TYPED + "\n")
    assert "from 1 game now" not in told.out
    assert PartnerFile("di").read() is None


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--name", ""), "no name of a person"),
        (("--partner", "nearest"), "goes with the bot embedding"),
        (("--partner", "human"), "goes with the bot embedding"),
        (("--partner", "embedding:memory=3"), "leave out memory"),
        (("--partner", "embedding:temperature=0.2"), "leave out temperature"),
        (("--watch",), "leave out --partner"),
    ],
)
def test_what_does_not_go_with_a_name_is_one_line(args, says):
    told = run("play", "--name", "Eve", *args)
    assert told.code == 2
    assert says in told.error()
