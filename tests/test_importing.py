import gzip
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from gensim.models import KeyedVectors

from brushpass.errors import CorruptData, InvalidSetup
from brushpass.semantics import catalog, importing, vectorfile
from brushpass.semantics.catalog import list_minds, load_mind, read_manifest, verify_mind
from brushpass.semantics.importing import import_mind
from brushpass.semantics.loaders import read_vectors
from brushpass.semantics.space import Space

WORDS = [f"word{number}" for number in range(50)]
VECTORS = np.random.default_rng(3).normal(size=(50, 6)).astype(np.float32)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The user's data folder, and in it that of the models."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "data" / "models"


@pytest.fixture
def vectors(tmp_path):
    file = tmp_path / "some vectors.txt"
    keyed = KeyedVectors(6)
    keyed.add_vectors(WORDS, VECTORS)
    keyed.save_word2vec_format(str(file))
    return file


@pytest.mark.parametrize(("precision", "error"), [("int8", 0.02), ("float16", 0.001)])
def test_an_imported_file_has_a_name_and_is_as_its_manifest_says(folder, vectors, precision, error):
    info = import_mind(vectors, "mine", folder, precision=precision, temperature=0.2, licence="CC0", ingredients=["x"])
    mind = load_mind("mine")
    assert mind.words == tuple(WORDS)
    assert (mind.temperature, mind.licence, mind.ingredients) == (0.2, "CC0", ("x",))
    assert mind.space.precision == precision
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    np.testing.assert_allclose(mind.space.matrix(WORDS), unit, atol=error)
    verify_mind(info)
    assert info.words == 50
    assert info.path.parent == folder


def test_without_ingredients_it_is_made_of_the_file_as_when_named_by_path(folder, vectors):
    assert import_mind(vectors, "mine", folder).ingredients == load_mind(vectors).ingredients
    assert load_mind("mine").temperature == load_mind(vectors).temperature


def test_a_model_of_our_own_keeps_what_its_manifest_says(folder, vectors):
    first = import_mind(vectors, "mine", folder, precision="float16", temperature=0.3, ingredients=["x"])
    again = import_mind(first.path, "again", folder, max_words=7)
    assert (again.words, again.temperature, again.ingredients) == (7, 0.3, ("x",))
    assert load_mind("again").words == tuple(WORDS[:7])


@pytest.mark.parametrize("name", ["", "a b", "a/b", "a,b", "a=b", "a:b", "v.txt", "../up", "-x"])
def test_a_name_that_no_spec_could_say_is_refused(folder, vectors, name):
    with pytest.raises(InvalidSetup, match="cannot name a model"):
        import_mind(vectors, name, folder)
    assert not folder.exists()


def test_a_name_is_taken_until_it_is_replaced(folder, vectors):
    import_mind(vectors, "mine", folder, temperature=0.4)
    with pytest.raises(InvalidSetup, match="--replace"):
        import_mind(vectors, "mine", folder)
    assert import_mind(vectors, "mine", folder, max_words=3, replace=True).words == 3
    assert load_mind("mine").temperature == catalog.DEFAULT_TEMPERATURE
    assert len(list(folder.glob("*.npz"))) == 1


def test_a_shipped_name_is_never_taken(folder, vectors):
    with pytest.raises(InvalidSetup, match="choose another"):
        import_mind(vectors, "glove", folder, replace=True)


@pytest.mark.parametrize("torn", [b"2 6\nword0 1 2\n", b"", b"PK\x03\x04rubbish", b"\x80\x04."])
def test_a_malformed_file_leaves_the_old_model(folder, vectors, torn):
    import_mind(vectors, "mine", folder)
    vectors.write_bytes(torn)
    with pytest.raises(CorruptData):
        import_mind(vectors, "mine", folder, replace=True)
    assert load_mind("mine").words == tuple(WORDS)
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "manifest.json.lock", "mine.npz"]


def test_an_import_cut_short_before_its_entry_leaves_the_old_model(folder, vectors, monkeypatch):
    import_mind(vectors, "mine", folder)

    def crash(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(importing, "enter_mind", crash)
    with pytest.raises(KeyboardInterrupt):
        import_mind(vectors, "mine", folder, max_words=3, replace=True)
    monkeypatch.undo()
    monkeypatch.setenv("BRUSHPASS_DATA", str(folder.parent))
    (info,) = [info for info in list_minds() if info.name == "mine"]
    verify_mind(info)
    assert info.words == 50


@pytest.mark.parametrize(
    "wrong", [{"precision": "int4"}, {"temperature": 0.0}, {"temperature": float("nan")}, {"max_words": 0}]
)
def test_numbers_that_make_no_sense_are_refused(folder, vectors, wrong):
    with pytest.raises(InvalidSetup):
        import_mind(vectors, "mine", folder, **wrong)


def test_a_broken_manifest_is_left_alone(folder, vectors):
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{")
    with pytest.raises(CorruptData, match=r"manifest\.json"):
        import_mind(vectors, "mine", folder)
    assert (folder / "manifest.json").read_text() == "{"


@pytest.mark.parametrize("form", ["text", "glove", "binary", "gzip"])
def test_many_blocks_give_what_one_gives(vectors, monkeypatch, form):
    keyed = KeyedVectors(6)
    keyed.add_vectors(WORDS, VECTORS)
    if form == "glove":
        vectors.write_text(vectors.read_text().partition("\n")[2])
    elif form == "binary":
        keyed.save_word2vec_format(str(vectors), binary=True)
    elif form == "gzip":
        plain, vectors = vectors, vectors.with_suffix(".txt.gz")
        vectors.write_bytes(gzip.compress(plain.read_bytes()))
        plain.write_bytes(vectors.read_bytes())
        with pytest.raises(CorruptData, match=r"is gzipped; call it"):
            read_vectors(plain)
    whole = read_vectors(vectors)
    monkeypatch.setattr(vectorfile, "NUMBERS", 20)
    seen = []
    parts = read_vectors(vectors, on_progress=seen.append)
    assert parts.words == whole.words
    np.testing.assert_array_equal(parts.matrix(WORDS), whole.matrix(WORDS))
    assert len(seen) > 9
    assert seen == sorted(seen)
    assert 0 < seen[-1] <= 1
    assert read_vectors(vectors, max_words=7).words == tuple(WORDS[:7])


def test_a_word_said_again_in_a_later_block_stays_out(vectors, monkeypatch):
    monkeypatch.setattr(vectorfile, "NUMBERS", 4)
    vectors.write_text("a 1 0\nb 0 0\nA 0 1\nc 0 1\nb 1 1\nc 1 0\n")
    space = read_vectors(vectors)
    assert space.words == ("a", "c"), "the first b points nowhere"
    assert space.matrix(["c"]).tolist() == [[0, 1]]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # gensim leaves the file open
def test_a_bad_line_of_a_later_block_is_named(vectors, monkeypatch):
    monkeypatch.setattr(vectorfile, "NUMBERS", 4)
    vectors.write_text("a 1 0\nb 0 1\nc 0 1\nd 1 x\n")
    with pytest.raises(CorruptData, match="could not convert string to float: 'x'"):
        read_vectors(vectors)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a " + b"1 " * (1 << 20), "line 1 has more than"),
        (b"1 1\n" + b"a" * 5000 + b" \0\0\0\0", "no word with a vector other than zero"),
        (b"a 1,5 2\n", "could not convert"),
    ],
)
def test_what_no_program_writes_costs_no_memory(vectors, content, told):
    vectors.write_bytes(content)
    with pytest.raises(CorruptData, match=told):
        read_vectors(vectors)


def test_spaces_of_other_widths_are_not_joined():
    with pytest.raises(CorruptData, match="1 and 2 numbers"):
        Space.joined([Space.from_vectors(["a"], [[1.0]]), Space.from_vectors(["b"], [[1.0, 0.0]])])


def test_the_entry_is_plain_json(folder, vectors):
    import_mind(vectors, "mine", folder)
    entry = json.loads((folder / "manifest.json").read_text())["minds"]["mine"]
    assert entry["source"] == vectors.name
    assert str(vectors.parent) not in json.dumps(entry)


def test_imports_at_the_same_time_lose_nothing(folder, vectors):
    names = [f"mine{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        infos = list(pool.map(lambda name: import_mind(vectors, name, folder), names))
    assert [info.name for info in infos] == names
    assert {info.name for info in read_manifest(folder)} == set(names)


def test_of_two_imports_of_one_name_one_is_refused(folder, vectors):
    def attempt(_):
        try:
            return import_mind(vectors, "mine", folder)
        except InvalidSetup:
            return None

    with ThreadPoolExecutor(4) as pool:
        done = [info for info in pool.map(attempt, range(4)) if info is not None]
    assert len(done) == 1
    verify_mind(done[0])
