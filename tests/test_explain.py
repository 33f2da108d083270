"""Why a clue and a card go together."""

import numpy as np
import pytest
from cli_runner import run

from brushpass.lexicon.families import is_form
from brushpass.lexicon.normalize import tokens
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.explain import NONE, because
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space


@pytest.fixture(scope="module")
def mind():
    return load_mind("default")


def words_of(reason):
    return [word for word, _ in reason.shared]


@pytest.mark.parametrize(
    ("clue", "card", "accepted"),
    [
        ("orchestra", "piano", {"music", "mozart", "beethoven", "concert", "instrument"}),
        ("beach", "ocean", {"sea", "coast", "sand", "water", "surf"}),
        ("doctor", "needle", {"medicine", "nurse", "syringe", "drug", "injection"}),
        ("egypt", "temple", {"ancient", "pyramid", "luxor", "pharaoh"}),
    ],
)
def test_a_reason_is_what_both_make_people_think_of(mind, clue, card, accepted):
    reason = because(mind, clue, card)
    assert len(reason.shared) == 3
    assert len(accepted.intersection(words_of(reason))) >= 2
    assert str(reason) == f"{card}: {reason.told}"


def test_a_direct_link_is_told_first_whichever_makes_think_of_which(mind):
    assert str(because(mind, "sewing", "needle")).startswith("needle: at first thought; ")
    assert because(mind, "piano", "ivory").link == because(mind, "ivory", "piano").link > 0


def test_no_reason_is_a_form_of_what_was_said_or_of_another_reason(mind):
    reason = because(mind, "singer", "band", most=12)
    said = [part for word in ("singer", "band", *words_of(reason)) for part in tokens(word)]
    assert len(reason.shared) > 5
    assert not [
        (one, other) for place, one in enumerate(said) for other in said[:place] if one != other and is_form(one, other)
    ]


def test_what_is_not_related_is_not_explained(mind):
    for clue, card in (("tax", "coral"), ("qqzzx", "piano"), ("ocean", "qqzzx"), ("", "piano"), ("x" * 300, "...")):
        reason = because(mind, clue, card)
        assert not reason.found
        assert reason.told == NONE


def test_a_misspelt_clue_is_explained_as_it_is_understood(mind):
    meant = because(mind, "mountain", "canyon")
    slip = because(mind, "mountian", "canyon")
    assert (slip.link, slip.shared) == (meant.link, meant.shared)
    assert slip.clue == "mountian"


def test_another_spelling_of_the_clue_is_no_reason(mind):
    assert "tshirt" not in words_of(because(mind, "T-shirt", "cotton", most=12))


def test_cards_of_several_words_in_any_case(mind):
    assert because(mind, "CITY", "New York").link == 1.0
    assert "vanilla" in words_of(because(mind, "cone", "Ice-Cream", most=6))


def test_a_mind_without_a_norm_explains_by_neighbours():
    assert {"violin", "symphony", "concerto"} & set(words_of(because(load_mind("glove"), "orchestra", "piano")))
    tiny = Mind("tiny", "", Space.from_vectors(["piano", "loud", "music"], np.array([[1, 0], [0, 1], [1, 1]])))
    assert words_of(because(tiny, "loud", "piano")) == ["music"]


def test_guess_why_explains_the_cards_and_leaves_the_others_blank():
    asked = ("guess", "--clue", "sewing", "--number", 1, "--words", "needle,canyon", "--why")
    needle, canyon = run(*asked).out.splitlines()[1:]
    assert "at first thought; stitch" in needle
    assert canyon.endswith("%")
    why = [one["why"] for one in run(*asked, "--json").document()["guesses"]]
    assert why[0].startswith("at first thought")
    assert why[1] == NONE
    assert "why" not in run(*asked[:-1], "--json").document()["guesses"][0]
