import json
import os
import subprocess
import sys

import numpy as np
import pytest
from cli_runner import run
from conftest import F1_A, WORDS

from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.options import DEFAULT_MIND
from brushpass.duet.core.cards import A
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.deal import deal
from brushpass.duet.viewfile import read_view
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.explain import because

TABLE = ("--green", "ocean,castle,bread", "--black", "king", "--tan", "river, desk")


@pytest.fixture
def board(tmp_path):
    file = tmp_path / "board.json"
    file.write_text(json.dumps({"words": WORDS, "key": F1_A}))
    return file


def test_clues_come_best_first_with_targets_among_the_greens():
    document = run("clue", *TABLE, "--json", "--top", 4).document()
    clues = document["clues"]
    assert document["schema"] == 1
    assert document["unknown"] == []
    assert len(clues) == 4
    assert [clue["score"] for clue in clues] == sorted((clue["score"] for clue in clues), reverse=True)
    for clue in clues:
        assert len(clue["targets"]) == clue["number"]
        assert set(clue["targets"]) <= {"ocean", "castle", "bread"}
        assert 0 < clue["expected_hits"] <= clue["number"]
        assert 0 <= clue["assassin_risk"] < 1
        assert ClueLaw(strict=True).check(clue["word"], ["ocean", "castle", "bread", "king", "river", "desk"]).legal


def test_options_may_be_repeated_and_the_text_has_a_line_a_clue():
    once = run("clue", *TABLE, "--top", 3)
    again = run("clue", "--green", "ocean", "--green", "castle,bread", *TABLE[2:], "--top", 3)
    assert once.code == 0
    assert len(once.out.splitlines()) == 4
    assert again.out == once.out


def test_why_gives_a_reason_for_each_target():
    mind = load_mind(DEFAULT_MIND)
    clue = run("clue", *TABLE, "--json", "--top", 1, "--why").document()["clues"][0]
    assert clue["cosines"] == pytest.approx(mind.scores([clue["word"]], clue["targets"])[0].tolist(), abs=1e-3)
    reasons = [because(mind, clue["word"], target) for target in clue["targets"]]
    assert clue["reasons"] == [reason.told for reason in reasons]
    lines = run("clue", *TABLE, "--top", 1, "--why").out.splitlines()
    assert lines[2:] == [f"  {reason}" for reason in reasons]


def test_a_whole_board_gives_the_clue_of_the_embedding_player(board):
    view = read_view(json.loads(board.read_text()))
    player = Embedding(load_mind(DEFAULT_MIND), load_vocabulary(), WORDS)
    player.new_game(view, 0)
    advice = player.give_clue(view)
    clue = run("clue", "--board", board, "--json", "--top", 1).document()["clues"][0]
    assert (clue["word"], clue["number"]) == (advice.clue.word, advice.clue.number)
    assert clue["expected_hits"] == pytest.approx(advice.scores["expected_hits"], abs=1e-3)


def test_a_view_in_mid_game_counts_what_is_found_said_and_marked(board, tmp_path):
    first = run("clue", "--board", board, "--json", "--top", 1).document()["clues"][0]
    file = tmp_path / "view.json"
    found = [WORDS.index(word) for word in first["targets"]]
    history = [["clue", "A", first["word"], first["number"]], *(["guess", "B", card, "G"] for card in found)]
    view = json.loads(board.read_text()) | {"found": found, "history": history, "marks": {"A": [], "B": [20]}}
    file.write_text(json.dumps(view))
    for clue in run("clue", "--board", file, "--json", "--top", 50).document()["clues"]:
        assert clue["word"] != first["word"]
        assert not set(clue["targets"]) & set(first["targets"])


def test_unknown_cards_are_no_target_and_said_so():
    told = run("clue", "--green", "ocean,xqzzyv", "--black", "qqwxz", "--json")
    document = told.document()
    assert document["unknown"] == ["xqzzyv", "qqwxz"]
    assert all(clue["targets"] == ["ocean"] for clue in document["clues"])
    assert "xqzzyv" in told.err
    assert run("clue", "--green", "ocean,xqzzyv", "-q").err == ""


def test_cards_of_several_words_and_other_scripts_are_understood():
    document = run("clue", "--green", "ice cream,café", "--tan", "дом", "--json", "--top", 1).document()
    assert document["unknown"] == ["дом"]
    assert set(document["clues"][0]["targets"]) <= {"ice cream", "café"}


def test_another_model_and_other_clue_words(tmp_path):
    words = tmp_path / "said.txt"
    words.write_text("sea\nloaf\nfortress\n")
    document = run("clue", *TABLE, "--model", "glove", "--clues", words, "--json", "--top", 10).document()
    assert {clue["word"] for clue in document["clues"]} == {"sea", "loaf", "fortress"}


def test_a_vector_file_is_a_model(tmp_path):
    rng = np.random.default_rng(1)
    vectors = tmp_path / "own.txt"
    vectors.write_text(
        "\n".join(f"{word} {' '.join(map(str, rng.normal(size=4)))}" for word in ("ocean", "sea", "king"))
    )
    document = run("clue", "--green", "ocean", "--black", "king", "--model", vectors, "--json").document()
    assert document["clues"][0]["word"] == "sea"


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ((), 2, "name some with --green"),
        (("--black", "king"), 2, "no green card"),
        (("--green", " , "), 2, "no green card"),
        (("--green", "ocean", "--tan", "OCEAN"), 2, "given twice"),
        (("--green", ",".join(WORDS), "--tan", "mouse"), 2, "at most 25"),
        (("--green", "xqzzyv"), 2, "knows"),
        (("--green", "ocean", "--board", "x.json"), 2, "--board"),
        (("--board", "missing.json"), 3, "missing.json"),
        (("--board", "."), 3, "cannot read"),
        (("--green", "ocean", "--model", "nope"), 3, "glove"),
        (("--green", "ocean", "--model", "./nope.txt"), 3, "nope.txt"),
        (("--green", "ocean", "--clues", "nope"), 3, "nope"),
        (("--green", "ocean", "--clues", "./nope.txt"), 3, "nope.txt"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else None,
)
def test_what_cannot_be_is_one_line(args, code, told):
    refused = run("clue", *args)
    assert refused.code == code
    assert told in refused.error()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[" * 100_000, '{"words": []}', '{"words": 1, "key": 2}', "\x00", "9" * 5000]
)
def test_a_malformed_board_is_one_line_and_3(tmp_path, text):
    file = tmp_path / "board.json"
    file.write_text(text)
    refused = run("clue", "--board", file)
    assert refused.code == 3
    assert str(file) in refused.error()


def test_words_that_are_all_barred_leave_nothing_to_say(tmp_path):
    words = tmp_path / "said.txt"
    words.write_text("oceans\n")
    assert "may be said" in run("clue", "--green", "ocean", "--clues", words).error()


def test_one_clue_starts_no_heavy_library():
    script = (
        "import sys\nfrom brushpass.cli.main import app\n"
        f"app({['clue', *TABLE, '--json']!r}, standalone_mode=False)\n"
        "heavy = ('numba', 'gensim', 'sklearn', 'scipy', 'rich.console', 'simplemma')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ)
    assert told.stdout.splitlines()[-1] == "[]"


def test_a_seed_deals_the_board_that_play_deals(tmp_path):
    dealt = run("clue", "--seed", 3, "--clues", "easy", "--json", "--top", 1).document()
    setup = deal(seed=3)
    key = setup.keys.a if setup.first is A else setup.keys.b
    assert dealt["board"] == {"words": list(setup.board.words), "key": str(key)}
    file = tmp_path / "board.json"
    file.write_text(json.dumps(dealt["board"]))
    assert run("clue", "--board", file, "--clues", "easy", "--json", "--top", 1).document() == dealt
    agents, assassins, bystanders, blank, head, *_ = run(
        "clue", "--seed", 3, "--words", "food", "--clues", "easy", "--top", 1
    ).out.splitlines()
    assert [len(line.split(", ")) for line in (agents, assassins, bystanders)] == [9, 3, 13]
    assert not blank
    assert head.startswith("clue ")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--seed", 1, "--green", "ocean"), "give one of them"),
        (("--seed", 1, "--board", "x.json"), "give one of them"),
        (("--words", "food", "--green", "ocean"), "--seed"),
        (("--seed", 1, "--words", "fodo"), "did you mean food"),
        (("--seed", 1, "--clues", "rihc"), "did you mean rich"),
    ],
)
def test_a_seed_that_does_not_fit_is_one_line(args, told):
    refused = run("clue", *args)
    assert refused.code in {2, 3}
    assert told in refused.error()
