import hashlib
import json
import os

import numpy as np
import pytest

from brushpass.errors import CorruptData, InvalidSetup, UnknownName
from brushpass.lexicon.vocabulary import list_vocabularies, load_vocabulary
from brushpass.lexicon.wordlists import list_wordlists, load_wordlist
from brushpass.semantics.catalog import list_minds, load_mind, read_manifest, record_mind, verify_mind
from brushpass.semantics.space import Space

SHIPPED = ("glove", "minilm")


@pytest.fixture(autouse=True)
def models(tmp_path, monkeypatch):
    """A data folder with one mind, `toy`, before all others; and an empty cache."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "data" / "models"
    put(folder, "toy", ["cat", "dog", "sky"], temperature=0.25)
    return folder


def put(folder, name, words, **entry):
    vectors = np.random.default_rng(len(words)).normal(size=(len(words), 8))
    path = Space.from_vectors(words, vectors).save(folder / f"{name}.npz")
    known = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "bytes": path.stat().st_size,
        "dim": 8,
        "words": len(words),
        "licence": "CC0-1.0",
        "source": "made up",
        "ingredients": ["dice"],
    }
    record_mind(folder, name, **{**known, **entry})
    return path


def test_a_mind_is_loaded_by_name(models):
    mind = load_mind("toy")
    assert (mind.name, mind.temperature, mind.ingredients) == ("toy", 0.25, ("dice",))
    assert (mind.licence, mind.source) == ("CC0-1.0", "made up")
    assert mind.sha256 == hashlib.sha256((models / "toy.npz").read_bytes()).hexdigest()
    assert mind.knows("Dog")
    assert load_mind("toy") is mind


def test_minds_of_all_folders_are_listed(models):
    put(models, "glove", ["cat", "dog"])
    minds = {info.name: info for info in list_minds()}
    assert sorted(minds) == ["default", "glove", "glove-norm", "glove-use", "minilm", "toy", "use"]
    assert minds["glove"].words == 2
    assert minds["minilm"].words >= 30_000


def test_a_shipped_file_by_path_is_the_mind_itself(models):
    named, mind = load_mind("toy"), load_mind(models / "toy.npz")
    assert (mind.name, mind.sha256, mind.temperature, mind.ingredients) == ("toy", named.sha256, 0.25, ("dice",))


def test_a_file_that_states_nothing_has_the_default_temperature(tmp_path, models):
    path = tmp_path / "mine.npz"
    path.write_bytes((models / "toy.npz").read_bytes() + b" ")
    path.write_bytes((models / "toy.npz").read_bytes())
    mind = load_mind(str(path))
    assert (mind.name, mind.temperature, mind.licence, mind.source) == ("mine", 0.1, "unknown", "mine.npz")
    assert mind.sha256 == load_mind("toy").sha256
    assert mind.ingredients == (f"file {mind.sha256[:12]}",)


def test_an_outside_file_is_loaded_by_path(tmp_path, monkeypatch):
    (tmp_path / "vectors.vec").write_text("2 2\ncat 3 4\ndog 4 3\n")
    monkeypatch.chdir(tmp_path)
    mind = load_mind("vectors.vec")
    assert mind.scores(["cat"], ["dog"])[0, 0] == pytest.approx(0.96, abs=1e-3)
    assert mind.temperature == 0.1
    (tmp_path / "vectors").write_text("cat 3 4\n")
    assert load_mind("vectors").sha256 != mind.sha256
    assert load_mind("vectors").knows("cat")


def test_a_name_wins_over_a_file(tmp_path, monkeypatch):
    (tmp_path / "toy").write_text("cat 3 4\n")
    monkeypatch.chdir(tmp_path)
    assert load_mind("toy").knows("sky")
    assert not load_mind("./toy").knows("sky")


def test_a_changed_file_is_another_mind(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("cat 3 4\n")
    first = load_mind(path)
    path.write_text("dog 3 4\n")
    os.utime(path, (1, 1))
    assert load_mind(path).knows("dog")
    assert load_mind(path).sha256 != first.sha256


@pytest.mark.parametrize("where", ["name", "own file", "outside file"])
def test_max_words_keeps_the_first_and_is_another_mind(tmp_path, models, where):
    (tmp_path / "vectors.txt").write_text("cat 3 4\ndog 4 3\nsky 1 1\n")
    model = {"name": "toy", "own file": models / "toy.npz", "outside file": tmp_path / "vectors.txt"}[where]
    mind = load_mind(model, max_words=2)
    assert mind.space.words == ("cat", "dog")
    assert mind.sha256 != load_mind(model).sha256
    with pytest.raises(InvalidSetup, match="max words is 0"):
        load_mind(model, max_words=0)


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(
        UnknownName,
        match=r"unknown model 'glowe'; did you mean glove\? known: default, glove, glove-norm, glove-use, minilm, toy",
    ):
        load_mind("glowe")


@pytest.mark.parametrize("name", ["gone.vec", "./gone", "no/such/file", "gone.npz"])
def test_a_missing_file_is_said_so(name):
    with pytest.raises(CorruptData, match=r"cannot read model .*: No such file"):
        load_mind(name)


def test_a_folder_is_no_model(tmp_path):
    with pytest.raises(CorruptData, match="not a file"):
        load_mind(tmp_path)


def test_a_torn_shipped_file_is_noticed(models):
    path = models / "toy.npz"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CorruptData, match="bytes; its manifest says"):
        load_mind("toy")
    path.unlink()
    with pytest.raises(CorruptData, match=r"cannot read model toy: .*No such file"):
        load_mind("toy")


def test_verify_reads_every_byte(models):
    (info,) = read_manifest(models)
    verify_mind(info)
    whole = bytearray(sound := (models / "toy.npz").read_bytes())
    whole[whole.index(b"\n", whole.index(b"NUMPY")) + 1] ^= 1  # the first number of the first row
    (models / "toy.npz").write_bytes(whole)
    with pytest.raises(CorruptData, match="manifest says"):
        verify_mind(info)
    (models / "toy.npz").write_bytes(sound)
    record_mind(models, "toy", words=4)
    (info,) = read_manifest(models)
    with pytest.raises(CorruptData, match="holds 3 words of 8 numbers"):
        verify_mind(info)


@pytest.mark.parametrize("text", ["", "[]", '{"minds": 3}', '{"minds": {"toy": 1}}', "\xff", '{"minds": {"toy": {}}}'])
def test_a_broken_manifest_is_said_so(models, text):
    (models / "manifest.json").write_text(text, encoding="latin-1")
    with pytest.raises(CorruptData, match=r"manifest\.json"):
        load_mind("glove")


def test_recording_keeps_the_other_entries(models):
    put(models, "other", ["a", "b"])
    record_mind(models, "toy", temperature=0.5)
    manifest = json.loads((models / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["schema"] == 1
    assert {name: entry.get("temperature") for name, entry in manifest["minds"].items()} == {"toy": 0.5, "other": None}
    assert manifest["minds"]["toy"]["ingredients"] == ["dice"]


@pytest.mark.parametrize(("name", "words", "size"), [("glove", 45_000, 6_000_000), ("minilm", 30_000, 9_000_000)])
def test_the_shipped_minds_are_what_the_manifest_says(name, words, size):
    info = next(info for info in list_minds() if info.name == name)
    verify_mind(info)
    assert info.words >= words
    assert info.path.stat().st_size == info.size <= size
    assert info.ingredients == (name,)
    assert 0.05 < info.temperature < 0.2
    assert 0 < info.fit["standard_error"] < 0.02


def test_the_shipped_minds_are_independent():
    first, second = (load_mind(name) for name in SHIPPED)
    assert not set(first.ingredients) & set(second.ingredients)
    assert first.sha256 != second.sha256


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_minds_know_every_board_word(name):
    mind = load_mind(name)
    words = [word for listed in list_wordlists() for word in load_wordlist(listed).words]
    assert len(words) >= 400
    assert [word for word in words if not mind.knows(word)] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_minds_know_the_clue_words(name):
    mind = load_mind(name)
    for vocabulary in list_vocabularies():
        words = load_vocabulary(vocabulary).words
        assert sum(mind.knows(word) for word in words) >= 0.999 * len(words)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_minds_understand_names(name):
    mind = load_mind(name)
    for word in ("Einstein", "Paris", "Mozart", "Google", "Shakespeare", "New York", "café"):
        assert mind.knows(word), word


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize(
    ("clue", "card", "others"),
    [
        ("ocean", "whale", ("king", "bread", "train")),
        ("royal", "king", ("whale", "bread", "bicycle")),
        ("bake", "bread", ("whale", "king", "train")),
        ("rail", "train", ("whale", "king", "bread")),
        ("einstein", "physics", ("whale", "bread", "bicycle")),
        ("chess", "knight", ("bread", "whale", "train")),
        ("guitar", "music", ("whale", "king", "bread")),
        ("dentist", "tooth", ("king", "train", "music")),
    ],
)
def test_the_shipped_minds_associate_as_people_do(name, clue, card, others):
    mind = load_mind(name)
    scores = mind.scores([clue], [card, *others])[0]
    assert scores.argmax() == 0
