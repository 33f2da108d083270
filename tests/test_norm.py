import re

import numpy as np
import pytest

from brushpass.errors import CorruptData
from brushpass.semantics.blend import FEATURES, Blend, best_mean
from brushpass.semantics.mind import Mind
from brushpass.semantics.norm import Norm
from brushpass.semantics.space import Space

TEXT = """# name: small

bank\tmoney, river\tvault\tblood
jam\ttraffic\tstrawberry, toast\t
"""


@pytest.fixture
def norm(tmp_path):
    path = tmp_path / "norm.tsv"
    path.write_text(TEXT, encoding="utf-8")
    return Norm(path)


def test_associates_come_by_strength(norm):
    assert norm.of("Bank") == (("money", "river"), ("vault",), ("blood",))
    assert norm.of("jam") == (("traffic",), ("strawberry", "toast"), ())
    assert norm.of("lamp") is None
    assert norm.cards() == ["bank", "jam"]


@pytest.mark.parametrize("text", ["", "no empty line\n", "# name: x\n\nbank\tmoney\n"])
def test_damaged_norms_are_one_clear_line(tmp_path, text):
    path = tmp_path / "norm.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorruptData, match=re.escape(str(path))) as refused:
        Norm(path).of("bank")
    assert "\n" not in str(refused.value)


def small_space():
    words = ["bank", "jam", "lamp", "money", "river", "vault", "blood", "traffic", "strawberry", "toast", "cash", "car"]
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(len(words), 16))
    vectors[words.index("cash")] = vectors[words.index("money")] + 0.1 * rng.normal(size=16)
    vectors[words.index("car")] = vectors[words.index("traffic")] + 0.1 * rng.normal(size=16)
    return Space.from_vectors(words, vectors, "float32")


def blended(norm, weights, scales=None):
    space = small_space()
    blend = Blend(norm, space, weights, np.arange(len(space)), scales)
    return Mind("small", "small", space, temperature=0.1, blend=blend, sharpness=(2.0, 1.0, 0.5))


WEIGHTS = (1.5, 0.3, 0.6, 0.8, 0.5, 0.4, 0.3, -0.1)


def test_a_clue_near_an_associate_is_near_the_card(norm):
    table = blended(norm, WEIGHTS).scores(["cash", "car"], ["bank", "jam"])
    assert table[0, 0] > table[1, 0]
    assert table[1, 1] > table[0, 1]


def test_an_associate_itself_counts_by_strength_and_so_does_its_inflection(norm):
    matched = np.zeros(len(FEATURES))
    matched[FEATURES.index("strong")], matched[FEATURES.index("weak")] = 2, 1
    mind = blended(norm, tuple(matched.tolist()))
    assert mind.scores(["money", "blood", "vault", "car"], ["bank"])[:, 0] == pytest.approx([0.2, 0.1, 0, 0])
    assert mind.scores(["rivers"], ["bank"])[0, 0] == pytest.approx(0.2)


def test_unknown_words_score_nothing(norm):
    mind = blended(norm, WEIGHTS)
    assert not mind.scores(["quux"], ["bank", "jam"]).any()
    assert not mind.scores(["cash"], ["quux"]).any()


def test_scores_do_not_depend_on_what_else_is_asked_nor_on_kept_scales(norm):
    mind = blended(norm, WEIGHTS)
    together = mind.scores(["cash", "car", "toast"], ["bank", "jam", "lamp"])
    for row, clue in enumerate(["cash", "car", "toast"]):
        for column, card in enumerate(["bank", "jam", "lamp"]):
            assert mind.scores([clue], [card])[0, 0] == pytest.approx(together[row, column], abs=1e-6)
    assert mind.blend is not None
    scales = np.array([mind.blend.scales_of(card) for card in norm.cards()], np.float32)
    kept = blended(norm, WEIGHTS, scales)
    np.testing.assert_allclose(
        kept.scores(["cash"], ["bank", "jam"]), mind.scores(["cash"], ["bank", "jam"]), rtol=1e-5
    )


def test_the_three_best_speak_for_a_card_however_many_clues_are_asked():
    table = np.random.default_rng(0).normal(size=(9, 300)).astype(np.float32)
    expected = np.sort(table, axis=0)[-3:].mean(axis=0)
    np.testing.assert_allclose(best_mean(table), expected, rtol=1e-5)
    np.testing.assert_allclose(best_mean(table[:, :5]), expected[:5], rtol=1e-5)
    np.testing.assert_allclose(best_mean(table[:2]), table[:2].mean(axis=0), rtol=1e-5)


def test_sharpness_goes_by_the_number(norm):
    mind = blended(norm, WEIGHTS)
    assert [mind.heat(number) for number in (0, 1, 2, 3, 9)] == pytest.approx([0.05, 0.05, 0.1, 0.2, 0.2])
