"""The themed lists, and cards of several words, which are cards like any other."""

from itertools import combinations

import pytest

from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.human import Unclear, find_card
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.deal import deal
from brushpass.duet.core.rules import new_game
from brushpass.duet.observe import observe
from brushpass.lexicon.families import is_form, units
from brushpass.lexicon.normalize import fold
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist
from brushpass.semantics.catalog import list_minds, load_mind
from brushpass.semantics.norm import Norm

THEMES = ("animals", "beginners", "food", "places", "science")
PHRASES = {"Hong Kong", "New York", "ice cream", "polar bear", "guinea pig", "black hole", "test tube", "swimming pool"}


@pytest.fixture(scope="module")
def mind():
    return load_mind("default")


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_is_a_list_of_known_words_each_with_associates(name, mind):
    listed = load_wordlist(name)
    assert len(listed.words) >= 60
    assert (listed.name, listed.lang, listed.licence) == (name, "en", "CC0-1.0")
    assert mind.blend is not None
    assert not [word for word in listed.words if mind.blend.norm.of(word) is None]
    assert all(load_mind(info.name).knows(word) for info in list_minds() for word in listed.words)


@pytest.mark.parametrize("name", THEMES)
def test_no_two_cards_of_a_theme_are_forms_of_one_word(name):
    cards = [(word, units(word)) for word in load_wordlist(name).words]
    clashes = {
        (one, other)
        for (one, parts), (other, others) in combinations(cards, 2)
        if any(is_form(part, against) for part in parts for against in others)
    }
    assert clashes <= {("New York", "New Zealand")}


def test_the_themes_have_cards_of_several_words():
    assert {word for name in THEMES for word in load_wordlist(name).words if " " in word} >= PHRASES


def test_a_phrase_has_the_cards_that_list_it_for_associates(mind, tmp_path):
    strong, middling, weak = mind.blend.norm.of("Ice Cream")
    assert {"dessert", "caramel"} <= {*strong, *middling, *weak}
    rows = {card: f"{'ice cream' if card < 'f' else 'ice'}\tice cream scoop, cold\tsnow" for card in "abcdefgh"}
    file = tmp_path / "norm.tsv"
    file.write_text("# head\n\n" + "".join(f"{card}\t{row}\n" for card, row in rows.items()))
    assert Norm(file).of("ice cream") == (("a", "b", "c", "d", "e"), (), ())
    file.write_text("# head\n\n" + "".join(f"{card}\t{rows[card]}\n" for card in "bcdefgh"))
    assert Norm(file).of("ice cream") is None
    assert Norm(file).of("ice") is None


def test_a_clue_for_a_phrase_is_understood_as_a_person_would(mind):
    cards = ("New York", "ice cream", "black hole", "polar bear", "piano")
    for clue, card in (
        ("city", "New York"),
        ("dessert", "ice cream"),
        ("galaxy", "black hole"),
        ("arctic", "polar bear"),
    ):
        scores = mind.scores([clue], cards)[0]
        assert cards[int(scores.argmax())] == card


def test_a_board_of_phrases_is_clued_and_its_words_are_barred(mind):
    words = [*sorted(PHRASES), *load_wordlist("beginners").words[:17]]
    setup = deal(words, seed=1)
    view = observe(new_game(setup), setup.first, ())
    player = Embedding(mind, load_vocabulary("easy"))
    player.new_game(view, 0)
    advice = player.give_clue(view)
    assert ClueLaw(strict=True).check(advice.clue.word, words).legal
    for barred in ("cream", "pigs", "York", "holes", "black", "swimmer", "icecream"):
        assert not ClueLaw().check(barred, words).legal


def test_a_phrase_is_typed_whole_or_begun_or_by_one_of_its_words_or_its_number():
    words = ("New York", "ice cream", "black hole", "Hong Kong", "black", "piano")
    typed = {
        "new york": 0,
        "NEW Y": 0,
        "new": 0,
        "York": 0,
        "1": 0,
        "ice  CREAM": 1,
        "black h": 2,
        "Hole": 2,
        "black": 4,
    }
    assert {text: find_card(fold(text), words) for text in typed} == typed
    with pytest.raises(Unclear, match="did you mean ice cream"):
        find_card("icecreem", words)
