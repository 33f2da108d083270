import gzip
import logging
import subprocess
import sys

import numpy as np
import pytest
from gensim.models import KeyedVectors

from brushpass.errors import CorruptData
from brushpass.semantics import conversions
from brushpass.semantics.conversions import open_file
from brushpass.semantics.loaders import read_vectors
from brushpass.semantics.space import Space

WORDS = ["the", "Cat", "cat", "New_York", "naïve", "5"]
VECTORS = np.random.default_rng(7).normal(size=(6, 8)).astype(np.float32)


def keyed():
    vectors = KeyedVectors(8)
    vectors.add_vectors(WORDS, VECTORS)
    return vectors


def glove(path):
    path.write_text("".join(f"{w} {' '.join(map(str, v))}\n" for w, v in zip(WORDS, VECTORS, strict=True)), "utf-8")


def fasttext(path):
    lines = [f"{w} {' '.join(f'{x:.5f}' for x in v)} \n" for w, v in zip(WORDS, VECTORS, strict=True)]
    path.write_text("6 8\n" + "".join(lines), encoding="utf-8")


def binary_with_newlines(path):
    rows = [word.encode() + b" " + row.tobytes() + b"\n" for word, row in zip(WORDS, VECTORS, strict=True)]
    path.write_bytes(b"6 8\n" + b"".join(rows))


def zipped(path):
    keyed().save_word2vec_format(str(path.with_suffix("")))
    path.write_bytes(gzip.compress(path.with_suffix("").read_bytes()))


FORMATS = {
    "word2vec.txt": lambda path: keyed().save_word2vec_format(str(path)),
    "word2vec.bin": lambda path: keyed().save_word2vec_format(str(path), binary=True),
    "original.bin": binary_with_newlines,
    "glove.txt": glove,
    "fasttext.vec": fasttext,
    "word2vec.txt.gz": zipped,
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "minds"


@pytest.fixture
def text(tmp_path):
    fasttext(tmp_path / "toy.vec")
    return tmp_path / "toy.vec"


@pytest.mark.parametrize("name", FORMATS)
def test_vectors_are_gensims_made_unit(tmp_path, name):
    FORMATS[name](tmp_path / name)
    space = read_vectors(tmp_path / name)
    assert space.words == ("the", "cat", "new_york", "naïve", "5")
    expected = [keyed().get_vector(word, norm=True) for word in WORDS if word != "cat"]
    np.testing.assert_allclose(space.matrix(space.words), expected, atol=1e-3)


@pytest.mark.parametrize("name", FORMATS)
def test_max_words_reads_the_first(tmp_path, name):
    FORMATS[name](tmp_path / name)
    assert read_vectors(tmp_path / name, max_words=4).words == ("the", "cat", "new_york")


def test_a_pickle_needs_trust(tmp_path):
    path = tmp_path / "toy.kv"
    keyed().save(str(path), separately=["vectors"])
    with pytest.raises(CorruptData, match=r"toy\.kv is a pickle .* --trust-pickle"):
        open_file(path)
    space, sha256 = open_file(path, trust_pickle=True)
    np.testing.assert_allclose(space.matrix(["naïve"])[0], keyed().get_vector("naïve", norm=True), atol=1e-3)
    with pytest.raises(CorruptData, match="--trust-pickle"):
        open_file(path)
    (tmp_path / "toy.kv.vectors.npy").unlink()
    np.save(tmp_path / "toy.kv.vectors.npy", -VECTORS)
    other, other_sha256 = open_file(path, trust_pickle=True)
    assert other_sha256 != sha256
    np.testing.assert_allclose(other.matrix(["5"]), -space.matrix(["5"]), atol=1e-3)


def test_a_pickle_of_something_else_is_refused(tmp_path):
    import pickle

    path = tmp_path / "list.kv"
    path.write_bytes(pickle.dumps(["no", "vectors"]))
    with pytest.raises(CorruptData, match="as gensim vectors"):
        open_file(path, trust_pickle=True)


def row(word, *numbers):
    return word.encode() + b" " + np.array(numbers, dtype=np.float32).tobytes()


MALFORMED = {
    "empty": (b"", "is empty"),
    "blank": (b"\n\n", "is empty, or starts with an empty line"),
    "only a header": (b"2 3\n", "has 0 words, its first line says 2"),
    "header of nothing": (b"0 3\n", "0 words of 3 numbers"),
    "fewer lines than the header says": (b"3 2\na 1 2\nb 1 2\n", "has 2 words, its first line says 3"),
    "more lines than the header says": (b"1 2\na 1 2\nb 1 2\n", "has 2 words, its first line says 1"),
    "cut in a line": (b"2 3\na 1 2 3\nb 1 2", "line 3 has 2 numbers, not 3; is it truncated"),
    "wider than the header says": (b"2 2\na 1 2 3\nb 1 2 3\n", "line 2 has 3 numbers, not 2"),
    "mixed width": (b"a 1 2 3\nb 1 2\n", "line 2 has 2 numbers, not 3"),
    "blank line": (b"a 1 2\n\nb 1 2\n", "line 2 has 0 numbers, not 2"),
    "no numbers": (b"hello\nworld\n", "line 1 has 0 numbers, not some"),
    "prose": (b"It is a truth universally acknowledged\n", "could not convert string to float"),
    "NaN": (b"a 1 2\nb nan 2\n", "'b' has a vector with NaN"),
    "infinity": (b"a 1 2\nb 1 1e999\n", "'b' has a vector with NaN or infinity"),
    "all zero": (b"a 0 0\nb 0 0.0\n", "no word with a vector other than zero"),
    "latin-1": ("caf\u00e9 1 2\n".encode("latin-1"), "line 1 is not UTF-8"),
    "latin-1 after a header": ("1 2\ncaf\u00e9 1 2\n".encode("latin-1"), "line 2 is not UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\n\x00", "line 1 is not UTF-8"),
    "no real gzip": (b"\x1f\x8bnothing", "cannot read"),
    "a damaged gzip": (gzip.compress(b"a 1 2\n" * 9)[:10] + b"\xff" * 30, "cannot read"),
    "binary, cut": (b"2 3\n" + row("a", 1, 2, 3) + row("b", 1, 2), "truncated: 2 words of 3 numbers"),
    "binary, cut in a long word": (b"2 2\n" + row("aaaaaaaaaa", 1, 2) + b"b" * 8, "cannot read"),
    "binary, huge header": (b"99999999999 300\n" + row("a", *range(300)), "truncated"),
    "binary, longer than the header says": (b"1 3\n" + row("a", 1, 2, 3) + row("b", 1, 2, 3), "is longer than"),
    "binary, NaN": (b"1 3\n" + row("a", 1, 0, np.nan), "'a' has a vector with NaN"),
    "binary, not UTF-8": (b"1 3\n\xff" + row("a", 1, 0, 0), "cannot read"),
    "binary, narrower": (b"2 9\n" + row("a", 1, 2, 3) + row("b", 1, 2, 3), "truncated"),
    "another zip": (b"PK\x03\x04" + b"\0" * 60, "not a brushpass model"),
    "torn pickle": (b"\x80\x04\x95", "is a pickle"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_malformed_files_are_named_in_one_line(tmp_path, cache, kind):
    content, message = MALFORMED[kind]
    path = tmp_path / "vectors.any"
    path.write_bytes(content)
    with pytest.raises(CorruptData, match=message) as caught:
        open_file(path)
    assert "vectors.any" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(cache.glob("*.npz"))


def test_a_missing_file_or_folder_is_said_so(tmp_path):
    with pytest.raises(CorruptData, match=r"cannot read model .*gone\.vec: No such file"):
        open_file(tmp_path / "gone.vec")
    with pytest.raises(CorruptData, match=r"cannot read model .*: Is a directory"):
        open_file(tmp_path)


def test_a_file_is_converted_once(text, cache, monkeypatch):
    first, sha256 = open_file(text)
    monkeypatch.setattr(conversions, "read_vectors", None)
    again, same = open_file(text)
    assert same == sha256
    assert again.words == first.words
    copy = text.with_name("copy.txt")
    copy.write_bytes(text.read_bytes())
    assert open_file(copy)[1] == sha256
    (kept,) = cache.glob("*.npz")
    assert np.load(kept)["rows"].dtype == np.float16


def test_another_content_or_cut_is_converted_anew(text):
    _, sha256 = open_file(text)
    assert len(open_file(text, max_words=1)[0]) == 1
    assert len(open_file(text)[0]) == 5
    text.write_text("2 2\nother 1 2\nwords 2 1\n")
    space, other = open_file(text)
    assert other != sha256
    assert space.words == ("other", "words")


def test_a_damaged_conversion_is_made_again(text, cache, caplog):
    first, _ = open_file(text)
    (kept,) = cache.glob("*.npz")
    kept.write_bytes(kept.read_bytes()[:100])
    with caplog.at_level(logging.WARNING):
        again, _ = open_file(text)
    assert "converting" in caplog.text
    np.testing.assert_array_equal(again.matrix(WORDS), first.matrix(WORDS))
    assert Space.open(kept).words == first.words


def test_without_a_cache_the_file_is_read_all_the_same(text, tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "file"))
    with caplog.at_level(logging.WARNING):
        space, _ = open_file(text)
    assert "cannot keep" in caplog.text
    assert len(space) == 5


def test_our_own_file_is_opened_in_place(tmp_path, cache):
    made = Space.from_vectors(["a", "b"], [[1, 2], [2, 1]], "float16")
    space, _ = open_file(made.save(tmp_path / "own.bin"))
    np.testing.assert_array_equal(space.matrix(["a", "b"]), made.matrix(["a", "b"]))
    assert open_file(tmp_path / "own.bin", max_words=1)[0].words == ("a",)
    assert not cache.exists()


def test_our_own_file_is_checked(tmp_path):
    Space("a\nA", np.ones((2, 1), dtype=np.int8), np.ones(2, dtype=np.float32)).save(tmp_path / "own.npz")
    with pytest.raises(CorruptData, match=r"own\.npz: the word 'A' is not folded"):
        open_file(tmp_path / "own.npz")


def test_processes_may_convert_at_once(text, cache):
    code = f"""
from pathlib import Path
from brushpass.semantics.conversions import open_file
space, sha256 = open_file(Path({str(text)!r}))
print(sha256, space.matrix(space.words).tobytes().hex())
"""
    makers = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    printed = {maker.communicate()[0] for maker in makers}
    assert [maker.returncode for maker in makers] == [0, 0]
    assert len(printed) == 1
    assert len(list(cache.iterdir())) == 2  # the conversion and the remembered hash


def test_importing_the_loaders_imports_no_gensim():
    code = "import sys, brushpass.semantics.catalog; print(sorted({'gensim', 'sklearn', 'scipy'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@pytest.mark.parametrize("name", ["text", "headed", "binary"])
def test_the_first_of_equal_words_stays_and_zero_vectors_are_left_out(tmp_path, name):
    table = [("a", 1, 0, 0), ("b", 0, 0, 0), ("a", 0, 1, 0), ("c", 0, 1, 0)]
    text = "".join(f"{word} {x} {y} {z}\n" for word, x, y, z in table).encode()
    forms = {"text": text, "headed": b"4 3\n" + text, "binary": b"4 3\n" + b"".join(row(*entry) for entry in table)}
    path = tmp_path / "vectors"
    path.write_bytes(forms[name])
    space = read_vectors(path)
    assert space.words == ("a", "c")
    assert space.matrix(["a", "b", "c"]).tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
