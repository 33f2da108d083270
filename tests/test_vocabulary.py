"""Clue vocabularies: what ships, and reading one's own."""

import dataclasses

import pytest
import simplemma

from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.lookup import CardScores
from brushpass.duet.core.deal import deal
from brushpass.duet.core.rules import new_game
from brushpass.duet.observe import observe
from brushpass.errors import CorruptData, UnknownName
from brushpass.lexicon.build.clues import listed
from brushpass.lexicon.families import known, table
from brushpass.lexicon.vocabulary import DEFAULT, LEVELS, PERSON, list_vocabularies, load_vocabulary, make_vocabulary
from brushpass.semantics.affinity import TRUST, make_table
from brushpass.semantics.catalog import list_minds, load_mind

S_OF_THEIR_OWN = {
    *("means", "news", "blues", "economics", "electronics", "ethics", "mechanics", "dynamics", "genetics", "athletics"),
    "optics",
}
FROZEN = "164b2305088d786094d45a7fe0286a2173ec1be2dedb3fd619b84d001952c34b"


@pytest.fixture(scope="module")
def clues():
    return load_vocabulary("clues-v1")


def test_clue_words_are_fit_to_say(clues):
    assert 9_000 <= len(clues) <= 11_000
    assert all(word.isascii() and word.isalpha() and word.islower() and len(word) >= 3 for word in clues.words)
    assert not listed("unfit").intersection(clues.words)
    assert not {"the", "and", "gotta", "www", "john", "london", "google"}.intersection(clues.words)


def test_clue_words_are_mostly_base_forms(clues):
    plurals = {word for word in clues.words if word.endswith("s") and word[:-1] in clues.index}
    assert len(plurals) < len(clues) / 100
    assert {"horse", "run", "bright", "glasses", "wedding"} <= set(clues.words)
    assert not {"horses", "ran", "running"}.difference(listed("kept")).intersection(clues.words)


def test_clue_words_are_known_to_the_law(clues):
    assert all(map(known, clues.words))
    assert clues.sha256 in table().header
    assert load_vocabulary(PERSON).sha256 in table().header


def test_the_list_of_the_simulated_person_never_changes():
    assert load_vocabulary(PERSON).sha256 == FROZEN  # figures rest on it: add a v2, never edit v1


def test_index_gives_each_words_place(clues):
    assert all(clues.words[place] == word for word, place in clues.index.items())
    assert len(clues.index) == len(clues.words)


def test_names():
    assert {DEFAULT, PERSON} <= set(list_vocabularies())
    with pytest.raises(UnknownName, match="unknown clue vocabulary 'clues-v7'; did you mean clues-v1"):
        load_vocabulary("clues-v7")


def test_ones_own_vocabulary_is_folded_and_distinct(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("# name: x\nHorse\nhorse\nÉclair\nice cream\n", encoding="utf-8")
    mine = load_vocabulary(path)
    assert mine.words == ("horse", "éclair", "ice cream")
    assert mine == make_vocabulary(("HORSE", "Éclair", "Ice  Cream"))
    assert mine != load_vocabulary()


def test_an_empty_vocabulary_is_refused(tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("# nothing\n\n", encoding="utf-8")
    with pytest.raises(CorruptData, match="holds no word"):
        load_vocabulary(path)


@pytest.fixture(scope="module", params=LEVELS)
def level(request):
    return load_vocabulary(request.param)


def test_each_level_holds_the_one_below(level):
    assert len(level) == {"easy": 2_000, "normal": 5_000, "rich": 10_000}[level.name]
    for below in LEVELS[: LEVELS.index(level.name)]:
        assert set(load_vocabulary(below).words) <= set(level.words)


def test_words_of_the_levels_are_fit_to_say(level):
    assert all(word.isascii() and word.isalpha() and word.islower() and len(word) >= 3 for word in level.words)
    assert not (listed("unfit") | listed("unsaid")).intersection(level.words)
    assert not {"the", "and", "gotta", "wanna", "www", "john", "london", "google", "issuance"}.intersection(level.words)
    assert {"dog", "piano", "freedom", "run", "red"} <= set(level.words)


def test_no_word_of_the_levels_is_an_inflection_of_another(level):
    lemmas = {word: simplemma.lemmatize(word, "en").casefold() for word in level.words}
    assert not [word for word, lemma in lemmas.items() if lemma != word and lemma in level.index]
    plurals = {word for word in level.words if word[-1] == "s" != word[-2] and word[:-1] in level.index}
    assert plurals <= S_OF_THEIR_OWN


def test_every_mind_that_ships_and_the_clue_law_know_the_words_of_the_levels(level):
    assert all(map(known, level.words))
    for info in list_minds():
        assert all(map(load_mind(info.name).knows, level.words))


def test_the_rarest_tenth_is_not_said_and_the_law_is_kept():
    """On 4 boards; `python benchmarks/sayable.py` looks at 1,000 with each level."""
    level = load_vocabulary("easy")
    player = Embedding(load_mind("default"), level)
    for seed in range(4):
        setup = deal(seed=seed)
        view = observe(new_game(setup), setup.first, ())
        player.new_game(view, 0)
        clue = player.give_clue(view).clue
        assert level.index[clue.word] < len(level) * 9 // 10
        assert setup.law.check(clue.word, setup.board.words).legal


def test_how_many_words_are_rare_is_part_of_a_vocabulary(tmp_path):
    plain, some = tmp_path / "plain.txt", tmp_path / "some.txt"
    plain.write_text("horse\nzebra\n")
    some.write_text("# rare: 1\nhorse\nzebra\n")
    assert load_vocabulary(some).rare == 1
    assert load_vocabulary(some) != load_vocabulary(plain) == make_vocabulary(("horse", "zebra"))
    for wrong in ("3", "-1", "many", "²", ""):
        some.write_text(f"# rare: {wrong}\nhorse\nzebra\n", encoding="utf-8")
        with pytest.raises(CorruptData, match="# rare: "):
            load_vocabulary(some)


def test_a_rare_word_is_held_back_when_looking_for_a_clue_and_taken_at_its_word_when_heard():
    mind, words = load_mind("glove"), ("donkey", "castle")
    plain = make_vocabulary(("horse", "zebra"))
    rare = dataclasses.replace(plain, rare=1, sha256="rare")
    table = make_table(mind, rare, words)[:, :2] / make_table(mind, plain, words)[:, :2]
    assert table[:, 0] == pytest.approx(1)
    assert table[:, 1] == pytest.approx(TRUST)
    heard = CardScores(mind, rare, words).of_clue("zebra", words)
    assert heard == pytest.approx(CardScores(mind, plain, words).of_clue("zebra", words), abs=1e-6)
