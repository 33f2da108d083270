"""Space: words and their unit vectors, kept in an `.npz` file that opens in milliseconds.

The file holds three plain arrays and no pickle: `rows` (int8, float16 or float32, one row a word),
`scales` (float32, what a row is multiplied by to become a unit vector) and `words` (the words' UTF-8 text, one
a line, most frequent first). Rows are stored uncompressed and mapped from the file, so that processes share them.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from brushpass.atomic import replacing
from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold

Precision = Literal["int8", "float16", "float32"]
Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int8] | npt.NDArray[np.float16] | npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]

INT8_MAX = 127
WHOLE = 1 << 25
"""Unit vectors of other precisions are counted in such parts of 1 where they are multiplied."""
BLOCK = 1 << 16  # rows converted at a time, so that a file of millions needs no second copy


class Space:
    """`len(space)` folded words, each with a unit vector of `space.dim` numbers."""

    def __init__(self, text: str, rows: Rows, scales: Floats) -> None:
        self._text = text
        self._rows = rows
        self._scales = scales

    @classmethod
    def from_vectors(cls, words: Sequence[str], vectors: npt.ArrayLike, precision: Precision = "int8") -> Space:
        """A space of `words` (folded and distinct, most frequent first) with `vectors` (n, d), made unit length.

        int8 rows use the whole range -127..127, and a row's scale makes the decoded row exactly unit.

        Raises:
            CorruptData: not one row a word, a word that is unfit, or a row that is not finite or is zero.
        """
        given = np.asarray(vectors)
        if given.ndim != 2 or given.shape[0] != len(words) or not given.size:
            raise CorruptData(f"vectors of shape {given.shape} do not fit {len(words)} words: one row a word is needed")
        rows: Rows = np.empty(given.shape, dtype=precision)
        scales = np.empty(len(words), dtype=np.float32)
        for start in range(0, len(words), BLOCK):
            block = slice(start, start + BLOCK)
            wide = given[block].astype(np.float32)
            peaks = np.abs(wide).max(axis=1, keepdims=True)
            _refuse_first(~np.isfinite(peaks), words[block], "has a vector with NaN or infinity")
            _refuse_first(peaks == 0, words[block], "has a zero vector, which points nowhere; leave the word out")
            wide /= peaks
            if precision == "int8":
                rows[block] = np.rint(wide * INT8_MAX)
            else:
                rows[block] = wide / _lengths(wide)[:, None]
            scales[block] = 1 / _lengths(rows[block])
        space = cls("\n".join(words), rows, scales)
        space.check()
        return space

    @classmethod
    def joined(cls, parts: list[Space]) -> Space:
        """One space of `parts`, of equal width and without a common word; the list is emptied, to need no room twice.

        Raises:
            CorruptData: their vectors differ in width.
        """
        dims = sorted({part.dim for part in parts})
        if len(dims) != 1:
            raise CorruptData(f"vectors of {' and '.join(map(str, dims))} numbers are no space")
        texts, first, scales = zip(*(part.kept for part in parts), strict=True)
        rows: Rows = np.empty((sum(map(len, parts)), dims[0]), first[0].dtype)
        del first
        begin = len(rows)
        while parts:
            _, block, _ = parts.pop().kept
            rows[begin - len(block) : begin] = block
            begin -= len(block)
        return cls("\n".join(texts), rows, np.concatenate(scales))

    @classmethod
    def open(cls, path: Path) -> Space:
        """The space kept in the `.npz` file at `path`; rows stay on disk until they are used.

        Raises:
            CorruptData: the file is missing, truncated, or not such an archive.
        """
        try:
            with zipfile.ZipFile(path) as archive:
                rows = _member(path, archive, "rows")
                scales = _member(path, archive, "scales")
                text = _member(path, archive, "words").tobytes().decode("utf-8")
        except OSError as error:
            raise CorruptData(f"cannot read model {path}: {error.strerror or error}") from error
        except KeyError as error:
            raise CorruptData(f"{path} is not a brushpass model: {error.args[0]}") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, MemoryError) as error:
            raise CorruptData(f"{path} is not a brushpass model, or is truncated: {error}") from error
        space = cls(text, rows, scales)
        space._check_shapes(path)
        return space

    def save(self, path: Path) -> Path:
        """Write the `.npz` file, whole or not at all; equal spaces give equal bytes."""
        text = np.frombuffer(self._text.encode(), dtype=np.uint8)
        with replacing(path) as file:
            np.savez(file, rows=self._rows, scales=self._scales, words=text)
        return path

    def head(self, count: int) -> Space:
        """The space of the first `count` (most frequent) words."""
        return Space("\n".join(self.words[:count]), self._rows[:count], self._scales[:count])

    @property
    def kept(self) -> tuple[str, Rows, Floats]:
        """What the file keeps: the words' text, the rows (n, d), and the scales (n,)."""
        return self._text, self._rows, self._scales

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def dim(self) -> int:
        """How many numbers a vector has."""
        return int(self._rows.shape[1])

    @property
    def precision(self) -> str:
        """In what form the rows are kept: int8, float16 or float32."""
        return str(self._rows.dtype)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, folded, most frequent first."""
        return tuple(self._text.split("\n"))

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each word."""
        return dict(zip(self.words, range(len(self)), strict=False))

    def find(self, word: str) -> int | None:
        """The row of `word` in any spelling that folds to it, or None."""
        row = self.index.get(word)
        return row if row is not None else self.index.get(fold(word))

    def matrix(self, words: Sequence[str]) -> Floats:
        """The unit vectors (n, d) of `words`; a zero row for an unknown word."""
        found = [self.find(word) for word in words]
        matrix = np.zeros((len(words), self.dim), dtype=np.float32)
        known = [place for place, row in enumerate(found) if row is not None]
        matrix[known] = self._unit(np.array([row for row in found if row is not None], dtype=np.intp))
        return matrix

    def cosines(self, left: Indices, right: Indices) -> Floats:
        """Cosines (len(left), len(right)) between rows.

        The sums are of whole numbers and exact: for int8 rows, below 2**24, in float32, for others, below 2**51, in
        float64. So they are the same to the last bit on every machine, for any block of rows, either way round and
        with any number of threads.
        """
        return self.towards(right)(left)

    def towards(self, rows: Indices) -> Callable[[Indices], Floats]:
        """`cosines(…, rows)` as a function of the other rows: `rows` are decoded once."""
        right, scales = self._whole(rows)

        def cosines(left: Indices) -> Floats:
            numbers, factors = self._whole(left)
            sums = numbers @ right.T
            sums *= np.outer(factors, scales)
            return np.asarray(sums, np.float32)

        return cosines

    def check(self) -> None:
        """Read every row and word.

        Raises:
            CorruptData: a number that is not finite, a zero row, or a word that is empty, unfolded or there twice.
        """
        lengths = _lengths(self._rows) * self._scales
        if (bad := np.flatnonzero(~(np.abs(lengths - 1) < 0.01))).size:  # NaN compares false
            raise CorruptData(f"the vector of {self.words[bad[0]]!r} has length {lengths[bad[0]]}, not 1")
        if len(self.index) != len(self):
            twice = next(word for row, word in enumerate(self.words) if self.index[word] != row)
            raise CorruptData(f"the word {twice!r} is there twice")
        unfit = [word for word in self.words if not word or word != fold(word)]
        if unfit:
            raise CorruptData(f"the word {unfit[0]!r} is not folded: lower case, NFKC, not empty")

    def _whole(self, rows: Indices) -> tuple[Floats | npt.NDArray[np.float64], Floats]:
        """Rows as whole numbers, and what each is multiplied by to become a unit vector."""
        if self._rows.dtype == np.int8:
            return self._rows[rows].astype(np.float32), self._scales[rows]
        return np.rint(self._unit(rows).astype(np.float64) * WHOLE), np.full(len(rows), 1 / WHOLE, np.float32)

    def _unit(self, rows: Indices) -> Floats:
        return self._rows[rows].astype(np.float32) * self._scales[rows, None]

    def _check_shapes(self, path: Path) -> None:
        count = self._text.count("\n") + 1
        fits = self._rows.ndim == 2 and self._rows.dtype in (np.int8, np.float16, np.float32) and self._rows.size
        if not fits or self._scales.dtype != np.float32:
            raise CorruptData(f"{path}: rows are {self._rows.dtype} {self._rows.shape}, scales {self._scales.dtype}")
        if not len(self) == count == len(self._scales):
            raise CorruptData(f"{path}: {count} words, {len(self)} rows and {len(self._scales)} scales: truncated?")
        if not np.isfinite(self._scales).all():
            raise CorruptData(f"{path}: a scale is NaN or infinite")


def _lengths(rows: Rows) -> npt.NDArray[np.float64]:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64)))


def _refuse_first(bad: npt.NDArray[np.bool_], words: Sequence[str], why: str) -> None:
    if bad.any():
        raise CorruptData(f"the word {words[int(bad.argmax())]!r} {why}")


def _member(path: Path, archive: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    """One array of the archive, mapped from the file if it is stored uncompressed."""
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as file:
        version = np.lib.format.read_magic(file)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = header(file)
        if dtype.hasobject:
            raise ValueError(f"{name} holds Python objects")
        if info.compress_type != zipfile.ZIP_STORED or 0 in shape:
            file.seek(0)
            return np.asarray(np.lib.format.read_array(file, allow_pickle=False))
        offset = file.tell()
    with path.open("rb") as raw:
        raw.seek(info.header_offset + 26)  # the local header ends with the lengths of its two variable fields
        name_size, extra_size = np.frombuffer(raw.read(4), dtype="<u2").tolist()
    start = info.header_offset + 30 + name_size + extra_size + offset
    return np.asarray(np.memmap(path, dtype, mode="r", offset=start, shape=shape, order="F" if fortran else "C"))
