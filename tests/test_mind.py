import numpy as np
import pytest

from brushpass.semantics.backoff import near_spellings
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space

VECTORS = {
    "ice": [1, 0, 0, 0],
    "cream": [0, 1, 0, 0],
    "new york": [0, 0, 1, 0],
    "cafe": [0, 0, 0, 1],
    "hot_dog": [0, 0, 1, 1],
    "hot": [1, 1, 0, 0],
    "cold": [-1, -1, 0, 0],
}


@pytest.fixture
def mind():
    return Mind("small", "0" * 64, Space.from_vectors(list(VECTORS), list(VECTORS.values())))


def test_scores_are_cosines(mind):
    scores = mind.scores(["ice", "new york"], ["ice", "hot", "cold"])
    assert scores.dtype == np.float32
    assert scores.flags.c_contiguous
    half = np.sqrt(0.5)
    np.testing.assert_allclose(scores, [[1, half, -half], [0, 0, 0]], atol=1e-6)


def test_unknown_words_score_zero(mind):
    scores = mind.scores(["ice", "qqq"], ["ice", "zzz", "hot"])
    assert scores[:, 1].tolist() == [0, 0]
    assert scores[1].tolist() == [0, 0, 0]
    assert not mind.knows("qqq")
    assert mind.scores(["qqq"], ["zzz", "yyy"]).tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("spelling", "same"),
    [
        ("ICE", "ice"),
        ("New  York", "new york"),
        ("new-york", "new york"),
        ("hot dog", "hot_dog"),
        ("Hot-Dog", "hot_dog"),
        ("café", "cafe"),
        ("ice qqq", "ice"),
    ],
)
def test_other_spellings_mean_the_same(mind, spelling, same):
    assert mind.knows(spelling)
    everything = list(VECTORS)
    np.testing.assert_array_equal(mind.scores([spelling], everything), mind.scores([same], everything))


def test_several_words_are_the_unit_mean_of_their_parts(mind):
    scores = mind.scores(["ice cream", "ice"], ["ice", "Ice-Cream", "new york"])
    half = np.sqrt(0.5)
    np.testing.assert_allclose(scores, [[half, 1, 0], [1, half, 0]], atol=1e-6)


def test_parts_that_cancel_out_score_nothing(mind):
    np.testing.assert_allclose(mind.scores(["hot cold"], ["ice", "cafe"]), 0, atol=1e-3)


def test_no_words_no_scores(mind):
    assert mind.scores([], ["ice"]).shape == (0, 1)
    assert mind.scores(["ice"], []).shape == (1, 0)


def test_scores_do_not_depend_on_company(mind):
    cards = ["ice cream", "hot", "qqq", "new york"]
    together = mind.scores(["ice", "cafe", "cream hot"], cards)
    alone = [mind.scores([clue], [card])[0, 0] for clue in ("ice", "cafe", "cream hot") for card in cards]
    assert together.ravel().tolist() == alone


def test_a_clue_is_backed_off_before_it_counts_as_unknown():
    words = ["strawberry", "fire", "truck", "river", "tooth"]
    mind = Mind("toy", "toy", Space.from_vectors(words, np.eye(5), "float32"))
    meant = {"strawbery": "strawberry", "strawberyr": "strawberry", "rivers": "river", "teeth": "tooth"}
    for clue, word in meant.items():
        assert mind.understands(clue)
        assert not mind.knows(clue)
        assert mind.scores([clue], words)[0].argmax() == words.index(word)
    both = mind.scores(["firetruck"], words)[0]
    assert both[1] == both[2] == pytest.approx(0.5**0.5)
    for stranger in ("xqzzt", "rivr2", "", "42"):
        assert not mind.understands(stranger)
        assert not mind.scores([stranger], words).any()
    assert not mind.scores(["fire"], ["strawbery"]).any(), "a card is taken as it is written"


def test_near_spellings_are_offered_most_frequent_first():
    index = {"stone": 0, "store": 1, "storm": 2, "story": 3}
    assert near_spellings("stor", index) == ["store", "storm", "story"]
    assert near_spellings("stoen", index) == ["stone"]
