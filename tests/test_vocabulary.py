"""Clue vocabularies: what ships, and reading one's own."""

import pytest

from brushpass.errors import CorruptData, UnknownName
from brushpass.lexicon.build.clues import listed
from brushpass.lexicon.families import known, table
from brushpass.lexicon.vocabulary import DEFAULT, PERSON, list_vocabularies, load_vocabulary, make_vocabulary

FROZEN = "164b2305088d786094d45a7fe0286a2173ec1be2dedb3fd619b84d001952c34b"


@pytest.fixture(scope="module")
def clues():
    return load_vocabulary(DEFAULT)


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
    assert mine != load_vocabulary(DEFAULT)


def test_an_empty_vocabulary_is_refused(tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("# nothing\n\n", encoding="utf-8")
    with pytest.raises(CorruptData, match="holds no word"):
        load_vocabulary(path)
