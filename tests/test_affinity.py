import subprocess
import sys

import numpy as np
import pytest

from brushpass.lexicon.vocabulary import make_vocabulary
from brushpass.semantics import affinity
from brushpass.semantics.affinity import make_table, score_table
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space

VOCABULARY = make_vocabulary(tuple(f"word{number}" for number in range(50)))
CARDS = ("word3", "word5 word6", "stranger")


def make_mind(seed=1, sha256="a"):
    vectors = np.random.default_rng(seed).normal(size=(45, 12))
    return Mind("toy", sha256, Space.from_vectors(VOCABULARY.words[:45], vectors))


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "affinity"


def test_a_table_holds_the_scores_padded(cache):
    table = score_table(make_mind(), VOCABULARY, CARDS)
    assert table.shape == (3, 64)
    assert table.dtype == np.float32
    assert table.flags.c_contiguous
    np.testing.assert_array_equal(table[:, :50], make_mind().scores(CARDS, VOCABULARY.words))
    assert not table[:, 50:].any()
    assert not table[2].any()
    assert len(list(cache.iterdir())) == 1


@pytest.mark.usefixtures("cache")
def test_a_table_is_read_only():
    for _ in range(2):
        table = score_table(make_mind(), VOCABULARY, CARDS)
        with pytest.raises(ValueError, match="read-only"):
            table[0, 0] = 1


@pytest.mark.usefixtures("cache")
def test_a_kept_table_is_not_made_again(monkeypatch):
    first = score_table(make_mind(), VOCABULARY, CARDS)
    monkeypatch.setattr(affinity, "make_table", None)
    np.testing.assert_array_equal(score_table(make_mind(), VOCABULARY, CARDS), first)


@pytest.mark.parametrize(
    ("mind", "vocabulary", "cards"),
    [
        (make_mind(2, "b"), VOCABULARY, CARDS),
        (make_mind(), make_vocabulary(VOCABULARY.words[::-1]), CARDS),
        (make_mind(), VOCABULARY, CARDS[::-1]),
    ],
)
@pytest.mark.usefixtures("cache")
def test_another_mind_vocabulary_or_order_is_another_table(mind, vocabulary, cards):
    score_table(make_mind(), VOCABULARY, CARDS)
    np.testing.assert_array_equal(score_table(mind, vocabulary, cards), make_table(mind, vocabulary, cards))


@pytest.mark.parametrize("damage", [lambda whole: whole[:0], lambda whole: whole[:-9], lambda whole: b"x" * len(whole)])
def test_a_damaged_table_is_made_again(cache, damage):
    expected = np.array(score_table(make_mind(), VOCABULARY, CARDS))
    (path,) = cache.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    np.testing.assert_array_equal(score_table(make_mind(), VOCABULARY, CARDS), expected)
    np.testing.assert_array_equal(np.load(path), expected)


def test_without_a_cache_the_table_is_made_in_memory(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "file"))
    table = score_table(make_mind(), VOCABULARY, CARDS)
    np.testing.assert_array_equal(table, make_table(make_mind(), VOCABULARY, CARDS))
    assert not table.flags.writeable


def test_old_tables_make_room(cache, monkeypatch):
    size = score_table(make_mind(sha256="0"), VOCABULARY, CARDS).nbytes
    monkeypatch.setattr(affinity, "KEPT_BYTES", 3 * size)
    for number in range(1, 6):
        score_table(make_mind(sha256=str(number)), VOCABULARY, CARDS)
    assert len(list(cache.iterdir())) == 2
    monkeypatch.setattr(affinity, "make_table", None)
    score_table(make_mind(sha256="5"), VOCABULARY, CARDS)


MAKER = """
import sys
sys.path.insert(0, {tests!r})
from test_affinity import CARDS, VOCABULARY, make_mind, score_table
for number in range(20):
    print(float(score_table(make_mind(number, str(number)), VOCABULARY, CARDS).sum()))
"""


def test_processes_may_make_tables_at_once(cache, request):
    command = [sys.executable, "-c", MAKER.format(tests=str(request.path.parent))]
    makers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = [maker.communicate()[0] for maker in makers]
    assert [maker.returncode for maker in makers] == [0, 0, 0]
    assert len(printed[0].split()) == 20
    assert printed[0] == printed[1] == printed[2]
    assert sorted(path.suffix for path in cache.iterdir()) == [".npy"] * 20
