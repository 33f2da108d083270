import numpy as np
import pytest

from brushpass.errors import CorruptData
from brushpass.semantics.space import Space

WORDS = ("cat", "dog", "new york", "strasse", "ωμέγα")
VECTORS = np.random.default_rng(1).normal(size=(5, 24)).astype(np.float32)
UNIT = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)


@pytest.fixture
def path(tmp_path):
    return Space.from_vectors(WORDS, VECTORS).save(tmp_path / "deep" / "space.npz")


@pytest.mark.parametrize(("precision", "error"), [("int8", 0.01), ("float16", 0.001), ("float32", 1e-6)])
def test_a_saved_space_opens_as_it_was(tmp_path, precision, error):
    made = Space.from_vectors(WORDS, VECTORS * 7, precision)
    space = Space.open(made.save(tmp_path / "space.npz"))
    assert space.words == WORDS
    assert (len(space), space.dim) == (5, 24)
    matrix = space.matrix(WORDS)
    assert matrix.dtype == np.float32
    np.testing.assert_allclose(matrix, UNIT, atol=error)
    np.testing.assert_allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-6 if precision != "float16" else 1e-4)
    np.testing.assert_array_equal(matrix, made.matrix(WORDS))


def test_equal_spaces_are_equal_files(tmp_path):
    first = Space.from_vectors(WORDS, VECTORS).save(tmp_path / "a.npz")
    second = Space.from_vectors(WORDS, VECTORS).save(tmp_path / "b.npz")
    assert first.read_bytes() == second.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz"]


def test_a_save_that_fails_leaves_the_old_file(path, monkeypatch):
    old = path.read_bytes()
    monkeypatch.setattr(np, "savez", lambda file, **_: file.write(b"half") and file.missing)
    with pytest.raises(AttributeError):
        Space.from_vectors(["a"], [[1, 2]]).save(path)
    assert path.read_bytes() == old
    assert [file.name for file in path.parent.iterdir()] == ["space.npz"]


def test_lookups_fold(path):
    space = Space.open(path)
    assert space.find("  NEW\u00a0York ") == 2
    assert space.find("Ωμέγα") == 4
    assert space.find("mouse") is None
    np.testing.assert_array_equal(space.matrix(["CAT"]), space.matrix(["cat"]))


def test_unknown_words_are_zero_rows(path):
    matrix = Space.open(path).matrix(["dog", "mouse", "cat"])
    assert matrix.shape == (3, 24)
    assert not matrix[1].any()
    assert matrix[0].any()
    assert matrix[2].any()
    assert Space.open(path).matrix([]).shape == (0, 24)


@pytest.mark.parametrize(("precision", "error"), [("int8", 0.02), ("float16", 1e-3), ("float32", 3e-7)])
def test_cosines_do_not_depend_on_the_block(precision, error):
    space = Space.from_vectors(WORDS, VECTORS, precision)
    everything = space.cosines(np.arange(5), np.arange(5))
    assert everything.dtype == np.float32
    np.testing.assert_allclose(everything, UNIT @ UNIT.T, atol=error)
    for row in range(5):
        np.testing.assert_array_equal(space.cosines(np.array([row]), np.arange(5))[0], everything[row])
        np.testing.assert_array_equal(space.cosines(np.arange(5), np.array([row]))[:, 0], everything[row])


def test_head_keeps_the_first_words(path):
    head = Space.open(path).head(2)
    assert head.words == ("cat", "dog")
    assert head.find("new york") is None
    np.testing.assert_array_equal(head.matrix(["dog"]), Space.open(path).matrix(["dog"]))


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        (["a", "b"], [[1, 2], [0, 0]], "'b' has a zero vector"),
        (["a", "b"], [[1, 2], [np.nan, 0]], "'b' has a vector with NaN"),
        (["a", "b"], [[1, np.inf], [1, 0]], "'a' has a vector with NaN or infinity"),
        (["a", "a"], [[1, 2], [1, 0]], "'a' is there twice"),
        (["a", "B"], [[1, 2], [1, 0]], "'B' is not folded"),
        (["a", ""], [[1, 2], [1, 0]], "'' is not folded"),
        (["a"], [[1, 2], [1, 0]], "do not fit 1 words"),
        (["a", "b"], [1, 2], "do not fit 2 words"),
        ([], np.empty((0, 3)), "do not fit 0 words"),
    ],
)
def test_unfit_vectors_are_refused(words, vectors, message):
    with pytest.raises(CorruptData, match=message):
        Space.from_vectors(words, vectors)


def rewritten(path, **changes):
    with np.load(path) as arrays:
        parts = {**arrays, **changes}
    np.savez(path, **{name: part for name, part in parts.items() if part is not None})
    return path


def test_every_truncated_file_is_refused(path, tmp_path):
    whole = path.read_bytes()
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        cut = tmp_path / "cut.npz"
        cut.write_bytes(whole[:length])
        with pytest.raises(CorruptData, match="truncated"):
            Space.open(cut)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": None}, "not a brushpass model: .*rows"),
        ({"words": None}, "not a brushpass model: .*words"),
        ({"scales": np.ones(4, dtype=np.float32)}, "5 rows and 4 scales"),
        ({"scales": np.ones(5)}, "scales float64"),
        ({"scales": np.full(5, np.nan, dtype=np.float32)}, "a scale is NaN"),
        ({"rows": np.ones((5, 24), dtype=np.int32)}, "rows are int32"),
        ({"rows": np.ones(5, dtype=np.int8)}, "rows are int8"),
        ({"rows": np.ones((5, 0), dtype=np.int8)}, "rows are int8"),
        ({"words": np.frombuffer(b"cat\ndog", dtype=np.uint8)}, "2 words, 5 rows"),
        ({"words": np.frombuffer(b"\xff\n\n\n\n", dtype=np.uint8)}, "not a brushpass model"),
        ({"rows": np.array([object()])}, "Python objects"),
    ],
)
def test_files_of_another_shape_are_refused(path, changes, message):
    with pytest.raises(CorruptData, match=message):
        Space.open(rewritten(path, **changes))


def test_compressed_files_open_too(path, tmp_path):
    with np.load(path) as arrays:
        np.savez_compressed(tmp_path / "small.npz", **arrays)
    np.testing.assert_array_equal(Space.open(tmp_path / "small.npz").matrix(WORDS), Space.open(path).matrix(WORDS))


def test_check_reads_every_row(path):
    rows = np.full((5, 24), 0.2, dtype=np.float32)
    rows[3, 3] = np.nan
    space = Space.open(rewritten(path, rows=rows, scales=(1 / np.linalg.norm(rows, axis=1)[:1]).repeat(5)))
    with pytest.raises(CorruptData, match="length nan, not 1"):
        space.check()


def test_a_missing_file_is_said_so(tmp_path):
    with pytest.raises(CorruptData, match=r"cannot read model .*gone\.npz: No such file"):
        Space.open(tmp_path / "gone.npz")
    with pytest.raises(CorruptData, match="cannot read model"):
        Space.open(tmp_path)
