"""Games on their way and what may befall their files: another window, a dropped campaign, a curious player."""

import json

import pytest
import typer
from cli_runner import run

from brushpass.cli.sitting import Sitting
from brushpass.duet.savedgames import Overtaken, Slot, to_resume

BEGIN = ("--partner", "random", "--first", "me", "--seed", 5)
GAME = "\n".join(line for number in range(1, 26) for line in ("zebra 1", str(number)))


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """The data folder."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def saved(words, data):
    """The file of a game that was left."""
    run("play", "--words", words, *BEGIN, typed="zebra 1\n")
    (file,) = (data / "games").iterdir()
    return file


@pytest.mark.parametrize("elsewhere", ["zebra 1\n1\n1\n", GAME])
def test_a_game_that_went_on_in_another_window_is_not_written_over(saved, monkeypatch, elsewhere):
    """While this window waits for a line, another goes on with the same game, or ends it."""
    begun = Sitting.play

    def while_another_plays(sitting):
        monkeypatch.setattr(Sitting, "play", begun)
        run("play", "--resume", typed=elsewhere)
        return begun(sitting)

    monkeypatch.setattr(Sitting, "play", while_another_plays)
    told = run("play", "--resume", typed="25\n24\n23\nzebra 1\n")
    assert told.code == 0
    assert "went on somewhere else" in told.out.splitlines()[-1]
    assert saved.exists() is (elsewhere != GAME)
    if saved.exists():
        assert json.loads(saved.read_text())["actions"][-1] != ["guess", "A", 24]


def test_two_who_begin_one_file_do_not_both_keep_it(saved, tmp_path):
    _, game = to_resume(saved)
    one, two = Slot(tmp_path / "mine.jsonl"), Slot(tmp_path / "mine.jsonl")
    one.keep(game)
    one.keep(game)
    with pytest.raises(Overtaken):
        two.keep(game)


@pytest.mark.parametrize("how", [(), ("--json",), ("--step",)])
def test_replay_shows_the_key_of_a_game_on_its_way_only_to_who_wants_it(saved, how):
    told = run("replay", saved, *how)
    assert told.code == 2
    assert "--reveal shows all" in told.error()
    assert told.out == ""
    assert "B's side of the key" in run("replay", saved, "--reveal").out


def test_a_stranger_s_file_commands_no_terminal(saved):
    game = json.loads(saved.read_text())
    words = ["\x1b[2J", *game["words"][1:]]
    saved.write_text(json.dumps(game | {"words": words}))
    assert "control characters" in run("play", "--resume", "--file", saved, typed="").error()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer, "echo", lambda text, **_: said.append(text))  # which leaves them out, except on a terminal
        for typed in ((), ("--step",)):
            said = []
            run("replay", saved, *typed)
            assert "\N{REPLACEMENT CHARACTER}[2J" in "\n".join(said)
            assert "\x1b" not in "\n".join(said)


# ------------------------------------------------------------------ games of campaigns


def campaign(*args, typed=""):
    return run("campaign", *args, typed=typed)


def test_a_dropped_campaign_takes_its_game_with_it_and_no_other(saved, words):
    for name in ("one", "two"):
        campaign("new", name)
        campaign("play", "--campaign", name, "--words", words, *BEGIN, typed="zebra 1\n")
    campaign("drop", "one", "--yes")
    campaign("new", "one")
    assert "no unfinished game" in campaign("play", "--campaign", "one", "--resume").error()
    assert "goes on" in campaign("play", "--campaign", "two", "--resume").out
    assert saved.exists()


def test_a_game_noted_before_the_program_was_killed_is_not_noted_again(words, data, monkeypatch):
    campaign("new")
    monkeypatch.setattr(Slot, "clear", lambda _: None)  # killed before it
    campaign("play", "--words", words, *BEGIN, typed=GAME)
    monkeypatch.undo()
    monkeypatch.setenv("BRUSHPASS_DATA", str(data))
    assert "Both sides of the key" in campaign("play", "--resume").out
    assert campaign("status", "--json").document()["campaign"]["games"] == 1
    assert [*(data / "games").iterdir()] == []


def test_a_bot_gets_to_know_a_person_in_a_campaign(words):
    campaign("new")
    assert "gets to know nobody" in campaign("play", "--name", "anna", "--partner", "random").error()
    assert "leave out --partner, --name" in campaign("play", "--name", "anna", "--bots", "random", "random").error()
    begin = ("--name", "anna", "--words", words, "--first", "me", "--seed", 5)
    assert "does not know anna yet" in campaign("play", *begin, typed="zebra 1\n").out
    assert "knows anna from 1 game now" in campaign("play", "--resume", typed=GAME).out
    assert "anna" in run("partner", "list").out
