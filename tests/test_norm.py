import re
from dataclasses import replace

import numpy as np
import pytest

from brushpass.errors import CorruptData
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist
from brushpass.paths import find_data
from brushpass.semantics.blend import BELOW, FEATURES, LEVEL, OPINIONS, Blend, best_mean, level
from brushpass.semantics.catalog import list_minds, load_mind
from brushpass.semantics.choice import probabilities
from brushpass.semantics.graph import graph
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
    blend = Blend(norm, graph(norm, dim=4, least=1), space, weights, np.arange(len(space)), scales)
    return Mind("small", "small", space, temperature=0.1, blend=blend, sharpness=(2.0, 1.0, 0.5))


def weights(**named):
    return tuple(float(named.get(feature, 0)) for feature in FEATURES)


WEIGHTS = weights(own=0.7, bare=0.3, associates=0.6, graph=0.3, back=0.5)


def test_a_clue_near_an_associate_is_near_the_card(norm):
    table = blended(norm, WEIGHTS).scores(["cash", "car"], ["bank", "jam"])
    assert table[0, 0] > table[1, 0]
    assert table[1, 1] > table[0, 1]


def test_a_card_the_clue_makes_one_think_of_counts_by_strength(norm):
    mind = blended(norm, weights(back=2))
    table = mind.scores(["bank", "jam"], ["money", "vault", "blood", "toast"])
    assert table == pytest.approx(np.array([[0.2, 0.16, 0.12, 0], [0, 0, 0, 0.16]]))
    assert mind.scores(["banks"], ["river"])[0, 0] == pytest.approx(0.2)
    assert not mind.scores(["money"], ["bank"]).any()


def test_of_the_forms_of_a_card_the_strongest_counts(tmp_path):
    words = ["dog", "ship", "king", "river", "lamp", "road", "boat", "cloud"]
    plurals = [f"{word}s" for word in words]
    path = tmp_path / "norm.tsv"
    rows = (", ".join(words), ", ".join(plurals)), (", ".join(plurals), ", ".join(words))
    path.write_text(f"# name: x\n\ncar\t{rows[0][0]}\t\t{rows[0][1]}\njam\t{rows[1][0]}\t\t{rows[1][1]}\n", "utf-8")
    space = Space.from_vectors(["car", "jam", *words, *plurals], np.random.default_rng(1).normal(size=(18, 8)))
    norm = Norm(path)
    blend = Blend(norm, graph(norm, dim=4, least=1), space, weights(back=2), np.arange(len(space)))
    table = Mind("small", "small", space, temperature=0.1, blend=blend).scores(["car", "jam"], plurals)
    assert table == pytest.approx(np.full((2, 8), 0.2))


@pytest.mark.parametrize("said", ["Ice Cream", "ice-cream", "ICE\u2010CREAM", "ice  cream"])
def test_spaces_and_hyphens_are_alike(tmp_path, said):
    path = tmp_path / "norm.tsv"
    path.write_text("# name: x\n\nice cream\tcone\t\t\nsummer\tice cream\t\t\n", encoding="utf-8")
    words = ["ice", "cream", "cone", "summer", "lamp", "ice cream"]
    space = Space.from_vectors(words, np.random.default_rng(2).normal(size=(6, 8)))
    norm = Norm(path)
    blend = Blend(norm, graph(norm, dim=4, least=1), space, WEIGHTS, np.arange(len(space)))
    mind = Mind("small", "small", space, blend=blend)
    cards = ["cone", "summer", "lamp"]
    np.testing.assert_array_equal(mind.scores([said], cards), mind.scores(["ice cream"], cards))
    np.testing.assert_array_equal(mind.scores(cards, [said]), mind.scores(cards, ["ice cream"]))


@pytest.mark.parametrize("odd", ["\ud800", "b\udcff", "a" * 3_000_000, "", " ", "\u0301", "🂡", "a b" * 50])
def test_odd_clues_and_cards_are_unknown_words_like_others(norm, odd):
    mind = blended(norm, WEIGHTS)
    assert not mind.scores([odd], ["bank", "jam"]).any()
    assert not mind.scores(["cash"], [odd]).any()


def test_words_that_share_associates_are_near_in_the_graph(tmp_path):
    path = tmp_path / "norm.tsv"
    rows = {"coin": "money, bank", "note": "money, bank, paper", "oak": "tree, leaf", "elm": "leaf, tree, wood"}
    lines = "".join(f"{card}\t{rows[card]}\t\t\n" for card in sorted(rows))
    path.write_text(f"# name: x\n\n{lines}", encoding="utf-8")
    space = graph(Norm(path), dim=2, least=1)
    assert set(space.words) == {*rows, "money", "bank", "paper", "tree", "leaf", "wood"}
    near = space.matrix(["coin"]) @ space.matrix(["note", "oak", "elm"]).T
    assert near[0, 0] > 0.5 > max(near[0, 1:])
    assert set(graph(Norm(path), dim=2, least=2).words) == {*rows, "money", "bank", "tree", "leaf"}
    again = graph(Norm(path), dim=2, least=1)
    assert again.kept[0] == space.kept[0]
    np.testing.assert_array_equal(again.kept[1], space.kept[1])


def test_nearer_is_not_surer_without_end():
    near = level(np.array([-50.0, -1.0, 0.0, 0.1, 1.0, 3.0, 50.0], np.float32))
    assert near[3] == pytest.approx(0.1, rel=1e-3)
    assert (np.diff(near) > 0).all()
    assert near[0] >= -BELOW
    assert near[-1] <= LEVEL


class HalfHidden(Norm):
    """The norm, but for every other of its cards."""

    def of(self, card):
        return super().of(card) if self.kept(card) else None

    def kept(self, card):
        return sum(map(ord, card)) % 2 == 0


def test_on_boards_that_mix_cards_with_and_without_a_norm_neither_kind_is_favoured():
    mind = load_mind("default")
    norm = HalfHidden(find_data("models", "norm", "associations.tsv"))
    mixed = replace(mind, blend=replace(mind.blend, norm=norm, scales=None))
    rng = np.random.default_rng(4)
    words = [word for word in load_wordlist("english").words if word.isalpha() and len(word) > 2]
    kept, share = 0.0, 0.0
    for _ in range(20):
        board = rng.choice(words, 24, replace=False).tolist()
        clues = rng.choice(load_vocabulary("clues-v1").words, 20, replace=False).tolist()
        chances = probabilities(mixed.scores(clues, board), mixed.heat(1))
        normed = np.array([norm.kept(word) for word in board])
        kept, share = kept + chances[:, normed].sum() / 400, share + normed.mean() / 20
    assert kept == pytest.approx(share, abs=0.08)


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


@pytest.fixture
def second():
    """Where lamp is near bank, and bank alike other cards; jam is not there."""
    words = ["bank", "lamp", "car", "river", "toast", "cash", "blood", "vault"]
    vectors = np.random.default_rng(8).normal(size=(len(words), 12))
    vectors[1] = vectors[0] + 0.2 * vectors[1]
    return Space.from_vectors(words, vectors, "float32")


def with_second(mind, second, weight, scales=None):
    blend = replace(mind.blend, weights=(*mind.blend.weights, float(weight)), opinions=(second,), scales=scales)
    return replace(mind, blend=blend)


def test_words_near_in_a_second_space_are_nearer_and_what_is_not_there_stays_as_it_is(norm, second):
    alone = blended(norm, WEIGHTS)
    clues, cards = ["lamp", "lamps", "money", "cash"], ["bank", "jam", "toast"]
    before, after = alone.scores(clues, cards), with_second(alone, second, 0.5).scores(clues, cards)
    assert (after[:2, 0] > before[:2, 0] + 0.01).all(), "lamp, in whatever form, is near bank there"
    np.testing.assert_allclose(after[2], before[2], rtol=1e-5, err_msg="money is not there")
    np.testing.assert_allclose(after[:, 1], before[:, 1], rtol=1e-5, err_msg="nor is jam")
    assert (after[[0, 1, 3], 2] != before[[0, 1, 3], 2]).all()
    np.testing.assert_allclose(with_second(alone, second, 0).scores(clues, cards), before, rtol=1e-5)


def test_kept_scales_of_a_second_space_are_those_computed(norm, second):
    mind = with_second(blended(norm, WEIGHTS), second, 0.5)
    scales = np.array([mind.blend.scales_of(card) for card in norm.cards()], np.float32)
    assert scales.shape == (2, 4, 2)
    kept = with_second(blended(norm, WEIGHTS), second, 0.5, scales)
    np.testing.assert_allclose(kept.scores(["lamp"], ["bank"]), mind.scores(["lamp"], ["bank"]), rtol=1e-5)
    assert mind.features("lamp", ["bank"]).shape == (1, len(FEATURES) + 1)
    assert mind.blend.names == (*FEATURES, OPINIONS[0])


def test_a_default_mind_has_further_opinions_and_a_hash_of_all_its_parts():
    default, other, plain = (load_mind(name) for name in ("default", "glove-use", "glove-norm"))
    assert plain.sha256 == "0a4df5d7838a1e4ca31994d649ddc98a5d135a9ff6a4313cd9f11e6b51cc8bc9"
    assert [len(mind.blend.opinions) for mind in (default, other, plain)] == [2, 1, 0]
    for mind in (default, other):
        assert mind.blend.weights[-1] > 0
        assert "use" in mind.ingredients
    assert not set(other.ingredients) & set(load_mind("minilm").ingredients)
    (info,) = (info for info in list_minds() if info.name == "default")
    use, minilm = info.blend.opinions
    for changed in (
        *({"norm_sha256": "0"}, {"graph_sha256": "0"}, {"weights": (1.0,) * 7}),
        *({"opinions": ((use[0], "0"), minilm)}, {"opinions": (use, (minilm[0], "0"))}),
    ):
        assert replace(info, blend=replace(info.blend, **changed)).mind_sha256 != info.mind_sha256


def test_the_three_best_speak_for_a_card_however_many_clues_are_asked():
    table = np.random.default_rng(0).normal(size=(9, 300)).astype(np.float32)
    expected = np.sort(table, axis=0)[-3:].mean(axis=0)
    np.testing.assert_allclose(best_mean(table), expected, rtol=1e-5)
    np.testing.assert_allclose(best_mean(table[:, :5]), expected[:5], rtol=1e-5)
    np.testing.assert_allclose(best_mean(table[:2]), table[:2].mean(axis=0), rtol=1e-5)


def test_sharpness_goes_by_the_number(norm):
    mind = blended(norm, WEIGHTS)
    assert [mind.heat(number) for number in (0, 1, 2, 3, 9)] == pytest.approx([0.05, 0.05, 0.1, 0.2, 0.2])
