import json
import math

import pytest
from cli_runner import run
from conftest import F1_A, WORDS

from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.options import DEFAULT_MIND
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Guess, Stop
from brushpass.duet.core.phase import Phase
from brushpass.duet.observe import observe
from brushpass.duet.testing.positions import every_kind
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.choice import probabilities

OCEAN = ("--clue", "ocean", "--number", 2)
CARDS = ("whale", "king", "river", "desk", "ice cream")


@pytest.fixture
def board(tmp_path):
    file = tmp_path / "board.json"
    file.write_text(json.dumps({"words": WORDS, "key": F1_A}))
    return file


@pytest.fixture
def view(tmp_path):
    """Writes changes of the plain board to a file."""

    def write(**changes):
        file = tmp_path / "view.json"
        file.write_text(json.dumps({"words": WORDS, "key": F1_A, **changes}))
        return file

    return write


def test_plain_words_get_the_chances_of_the_next_guess():
    document = run("guess", *OCEAN, "--words", ",".join(CARDS), "--json").document()
    guesses = document["guesses"]
    assert (document["schema"], document["known"], document["probability_of"]) == (1, True, "next_guess")
    assert guesses[0]["word"] == "whale"
    assert {guess["word"] for guess in guesses} == set(CARDS)
    chances = [guess["probability"] for guess in guesses]
    assert chances == sorted(chances, reverse=True)
    assert math.isclose(sum(chances), 1)
    mind = load_mind(DEFAULT_MIND)
    expected = probabilities(mind.scores(["ocean"], CARDS)[0], mind.heat(2))
    assert chances == pytest.approx(sorted(expected, reverse=True))


def test_a_clue_that_means_nothing_is_a_uniform_guess_and_near_spellings_are_offered():
    asked = ("guess", "--clue", "tomorw", "--number", 1, "--words", "whale,king")
    told = run(*asked, "--json")
    document = told.document()
    assert document["known"] is False
    assert [guess["probability"] for guess in document["guesses"]] == [0.5, 0.5]
    assert "did you mean tomorrow?" in told.err
    assert run(*asked, "-q").err == ""


def test_a_slip_of_the_keyboard_is_understood_and_told():
    told = run("guess", "--clue", "volcanno", "--number", 1, "--words", "alp,king", "--json")
    right = run("guess", "--clue", "volcano", "--number", 1, "--words", "alp,king", "--json")
    assert told.document() == right.document()
    assert told.document()["known"] is True
    assert "takes it as volcano" in told.err
    assert right.err == ""


def test_number_0_says_what_to_stay_away_from():
    near = run("guess", "--clue", "ocean", "--number", 1, "--words", ",".join(CARDS), "--json").document()
    far = run("guess", "--clue", "ocean", "--number", 0, "--words", ",".join(CARDS), "--json").document()
    assert [one["word"] for one in far["guesses"]] == [one["word"] for one in reversed(near["guesses"])]


def test_unknown_cards_are_told():
    assert "xqzzyv" in run("guess", *OCEAN, "--words", "whale,xqzzyv").err


def test_a_board_counts_the_own_key_and_what_was_seen(board, view):
    document = run("guess", *OCEAN, "--board", board, "--json").document()
    assert document["probability_of"] == "agent"
    assert document["advice"] == {"guess": document["guesses"][0]["word"]}
    assert len(document["guesses"]) == 25
    risk = {guess["word"]: guess["assassin"] for guess in document["guesses"]}
    own_blacks = {word for word, color in zip(WORDS, F1_A, strict=True) if color == "B"}
    assert set(sorted(risk, key=risk.get)[-3:]) == own_blacks
    # One of the own assassins has been touched and was the partner's green: no other can be (DUET P1).
    black = F1_A.index("B")
    history = [["clue", "B", "storm", 1], ["guess", "A", black, "G"], ["stop", "A"]]
    later = view(found=[black], seen={str(black): "G"}, history=history)
    left = run("guess", *OCEAN, "--board", later, "--json").document()["guesses"]
    others = [guess for guess in left if guess["word"] in own_blacks]
    assert WORDS[black] not in {guess["word"] for guess in left}
    assert [guess["probability"] for guess in others] == [0, 0]


def test_a_view_in_mid_game_brings_its_clue(view):
    said = view(phase="GUESS", giver="B", clue={"word": "ocean", "number": 2}, history=[["clue", "B", "ocean", 2]])
    of_view = run("guess", "--board", said, "--json").document()
    assert run("guess", *OCEAN, "--board", said, "--json").document() == of_view
    without_history = view(phase="GUESS", giver="B", clue={"word": "ocean", "number": 2})
    assert run("guess", "--board", without_history, "--json").document() == of_view
    assert run("guess", *OCEAN, "--board", view(), "--json").document() == of_view


def test_the_advice_is_what_the_embedding_player_does(tmp_path):
    """In every kind of position in which a seat may guess, rare ones and sudden death among them."""
    words = load_wordlist("english").words
    player = Embedding(load_mind(DEFAULT_MIND), load_vocabulary(), words)
    kinds = set()
    for position in every_kind(1, words):
        view = observe(position.state, position.seat, position.history)
        if position.seat not in rules.actors(position.state) or position.state.phase not in {Phase.GUESS, Phase.SUDDEN}:
            continue
        file = tmp_path / "view.json"
        file.write_text(json.dumps(view.to_json()))
        player.new_game(view, 0)
        action = player.guess(view)
        advice = run("guess", "--board", file, "--json").document()["advice"]
        assert advice == (
            {"guess": view.words[action.card]}
            if isinstance(action, Guess)
            else {"stop": True}
            if isinstance(action, Stop)
            else {"yield": True}
        )
        kinds.add((position.state.phase, type(action)))
    assert len(kinds) >= 3


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ((), 2, "no clue"),
        (("--words", "a,b"), 2, "no clue"),
        (OCEAN, 2, "no card"),
        ((*OCEAN, "--words", " , "), 2, "no card"),
        (("--clue", "ocean", "--words", "a,b"), 2, "go together"),
        (("--number", 1, "--words", "a,b"), 2, "go together"),
        (("--clue", " ", "--number", 1, "--words", "a"), 2, "not a word"),
        ((*OCEAN, "--words", "whale,WHALE"), 2, "given twice"),
        ((*OCEAN, "--words", "whale", "--board", "x.json"), 2, "--board"),
        (("--clue", "ocean", "--number", 10, "--words", "whale"), 2, "--number"),
        (("--clue", "ocean", "--number", "2.5", "--words", "whale"), 2, "--number"),
        ((*OCEAN, "--board", "missing.json"), 3, "missing.json"),
        ((*OCEAN, "--words", "whale", "--model", "nope"), 3, "glove"),
    ],
)
def test_what_cannot_be_is_one_line(args, code, told):
    refused = run("guess", *args)
    assert refused.code == code
    assert told in refused.error()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "--clue"),
        ({"phase": "WON"}, "over"),
        ({"finished": ["B"], "phase": "CLUE"}, "nothing to guess"),
        ({"phase": "GUESS", "giver": "A", "clue": {"word": "x", "number": 1}}, "partner who guesses"),
        ({"phase": "GUESS", "giver": "B"}, "partner who guesses"),
    ],
)
def test_a_view_without_a_guess_is_refused(view, changes, told):
    refused = run("guess", "--board", view(**changes))
    assert refused.code == 2
    assert told in refused.error()


def test_a_clue_beside_another_one_is_refused(view):
    said = view(phase="GUESS", giver="B", clue={"word": "storm", "number": 1})
    assert "storm 1" in run("guess", *OCEAN, "--board", said).error()
    sudden = view(phase="SUDDEN", history=[["clue", "B", "storm", 1], ["sudden_death"]], bank={"bystander": 0})
    assert "sudden death" in run("guess", *OCEAN, "--board", sudden).error()
    assert run("guess", "--board", sudden).code == 0
