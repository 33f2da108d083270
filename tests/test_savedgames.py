"""Games on their way and what may befall their files: another window, a dropped campaign, a curious player."""

import json

import pytest
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
