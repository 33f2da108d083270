import json

import pytest
from cli_runner import run
from conftest import WORDS

from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.mission import standard
from brushpass.duet.core.state import Setup
from brushpass.duet.referee import play_game

CLUES = ("zebra", "quantum", "velvet", "marble", "tundra", "oxygen", "piano", "lantern", "cotton", "meteor", "glacier")


@pytest.fixture
def line(f1):
    """A record of a whole game."""
    setup = Setup(Board(WORDS), f1, standard(), first=Seat.A)
    return play_game(RandomAgent(CLUES), RandomAgent(CLUES), setup, seed=3, id="0-Prague-3").to_line()


def changed(line, **values):
    return json.dumps(json.loads(line) | values)


def test_valid_records_leave_with_0(tmp_path, line):
    file = tmp_path / "games.jsonl"
    file.write_text(line + "\n" + line + "\n")
    assert run("verify", file).code == 0
    assert run("verify", file, "--json").document() == {
        "schema": 1,
        "file": str(file),
        "games": 2,
        "valid": 2,
        "errors": [],
    }


def test_a_run_folder_is_accepted(tmp_path, line):
    (tmp_path / "games.jsonl").write_text(line + "\n")
    assert run("verify", tmp_path, "--json").document()["valid"] == 1


def test_each_bad_line_is_listed_and_leaves_with_1(tmp_path, line):
    moves = json.loads(line)["actions"]
    other = {"won": "lost", "lost": "won"}[json.loads(line)["outcome"]]
    file = tmp_path / "games.jsonl"
    lines = [
        line,
        changed(line, id="flipped", outcome=other, reason=None),
        changed(line, id="illegal", actions=[moves[0], moves[0], *moves[1:]]),
        changed(line, id=7, actions=moves[:-1]),
        "not JSON",
        "[" * 100_000,
        line[: len(line) // 2],
    ]
    file.write_text("\n".join(lines))
    told = run("verify", file, "--json")
    assert told.code == 1
    document = told.document()
    assert (document["games"], document["valid"]) == (7, 1)
    assert [(error["line"], error["id"]) for error in document["errors"]] == [
        *((2, "flipped"), (3, "illegal"), (4, 7)),
        *((5, None), (6, None), (7, None)),
    ]
    assert all(error["error"] for error in document["errors"])
    text = run("verify", file)
    assert text.code == 1
    assert len(text.out.splitlines()) == 7


def test_an_empty_file_holds_no_wrong_game(tmp_path):
    file = tmp_path / "games.jsonl"
    file.touch()
    told = run("verify", file, "--json")
    assert told.code == 0
    assert told.document()["games"] == 0


def test_bytes_that_are_no_text_are_one_bad_line(tmp_path, line):
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\xff\xfe\x00\n" + line.encode() + b"\n")
    assert [error["line"] for error in run("verify", file, "--json").document()["errors"]] == [1]


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_missing_file_is_one_line_and_3(tmp_path, name):
    refused = run("verify", tmp_path / name)
    assert refused.code == 3
    assert "cannot read" in refused.error()
