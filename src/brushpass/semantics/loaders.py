"""Vector files of other programs, checked here and read by gensim.

word2vec's text and binary forms, GloVe's text (no header) and fastText's `.vec`, each also gzipped; gensim's own
pickles only for a caller that trusts them. Vectors are made unit length and otherwise taken as they are; of
words that are equal or fold alike the first, most frequent one stays, and zero vectors, which point nowhere, are
left out.
"""

from __future__ import annotations

import gzip
import warnings
import zlib
from pathlib import Path
from typing import IO, cast

import numpy as np

from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold
from brushpass.semantics.space import Floats, Precision, Space

PRECISION: Precision = "float16"

_GZIP, _PICKLE = b"\x1f\x8b", b"\x80"
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r")
_SAMPLE = 1 << 16  # bytes looked at to tell text from binary

Keyed = tuple[list[str], Floats]
Header = tuple[int, int]  # how many words, how many numbers each


def sources(path: Path, *, trust_pickle: bool = False) -> list[Path]:
    """The files a vector file consists of: gensim keeps the large arrays of a pickle beside it.

    Raises:
        CorruptData: the file is a pickle that is not trusted.
        OSError: the file cannot be read.
    """
    if not _starts_with(path, _PICKLE):
        return [path]
    if not trust_pickle:
        raise CorruptData(
            f"{path} is a pickle (gensim's .kv), which can run code when it is opened; "
            "pass --trust-pickle if you trust its maker, or save it in word2vec format"
        )
    return [path, *sorted(part for part in path.parent.iterdir() if part.name.startswith(f"{path.name}."))]


def read_vectors(path: Path, *, max_words: int | None = None, trust_pickle: bool = False) -> Space:
    """The space in a vector file, or in its first `max_words` words.

    Raises:
        CorruptData: the file is malformed, is no vector file, or is a pickle that is not trusted.
    """
    sources(path, trust_pickle=trust_pickle)  # which refuses what is not trusted
    words, vectors = _read_pickle(path) if _starts_with(path, _PICKLE) else _read_format(path, max_words)
    rows: dict[str, int] = {}
    for row, word in enumerate(words[:max_words]):
        if vectors[row].any():
            rows.setdefault(fold(word), row)
    rows.pop("", None)
    if not rows:
        raise CorruptData(f"{path} has no word with a vector other than zero")
    try:
        return Space.from_vectors(list(rows), vectors[list(rows.values())], PRECISION)
    except CorruptData as error:
        raise CorruptData(f"{path}: {error}") from error


def _starts_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def _read_pickle(path: Path) -> Keyed:
    from gensim.models import KeyedVectors

    try:
        loaded = KeyedVectors.load(str(path))
        keyed = getattr(loaded, "wv", loaded)
        words, vectors = [str(word) for word in keyed.index_to_key], np.asarray(keyed.vectors, dtype=np.float32)
    except Exception as error:
        raise CorruptData(f"cannot read {path} as gensim vectors: {error}") from error
    if vectors.ndim != 2 or len(words) != len(vectors):
        raise CorruptData(f"{path} has {len(words)} words and vectors of shape {vectors.shape}")
    return words, vectors


def _read_format(path: Path, max_words: int | None) -> Keyed:
    """What gensim reads from a file in one of the open formats, checked before and after."""
    try:
        with _stream(path) as file:
            first = file.readline()
            header = _header(path, first)
            binary = header is not None and _is_binary(file.read(_SAMPLE), header[1])
        if header and binary:
            _check_room(path, len(first), header)
        else:
            _check_lines(path, header, max_words)
        from gensim.models import KeyedVectors

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # gensim leaves a file without header open
            keyed = KeyedVectors.load_word2vec_format(str(path), binary=binary, no_header=not header, limit=max_words)
    except CorruptData:
        raise
    except (
        OSError,
        EOFError,
        ValueError,
        AssertionError,
        MemoryError,
        zlib.error,
    ) as error:  # bad UTF-8 is a ValueError
        raise CorruptData(f"cannot read {path} as word vectors: {error}") from error
    words = list(keyed.key_to_index)  # index_to_key has gaps where a word came twice
    if header and binary and max_words is None:
        _check_whole(path, len(first), header, words)
    return words, keyed.vectors


def _stream(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if _starts_with(path, _GZIP) else path.open("rb")


def _header(path: Path, first: bytes) -> Header | None:
    """What the first line says, if it is just two whole numbers, as GloVe's is not."""
    fields = first.split()
    if not fields:
        raise CorruptData(f"{path} is empty, or starts with an empty line")
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    count, dim = int(fields[0]), int(fields[1])
    if not (count and dim):
        raise CorruptData(f"{path}: its first line says {count} words of {dim} numbers")
    return count, dim


def _is_binary(sample: bytes, dim: int) -> bool:
    """Whether what follows the header has control characters and is no line of a word and `dim` numbers."""
    if not any(code in _CONTROL for code in sample):
        return False
    try:
        return len([float(field) for field in sample.split(b"\n", 1)[0].split()[1:]]) != dim
    except ValueError:
        return True


def _check_lines(path: Path, header: Header | None, max_words: int | None) -> None:
    """Text: each line a word and equally many numbers; as many lines as the header says."""
    width = header[1] if header else 0
    count = 0
    with _stream(path) as file:
        lines = enumerate(file, start=1)
        if header:
            next(lines)
        for number, line in lines:
            if count == max_words:
                return
            word, _, rest = line.rstrip().partition(b" ")
            numbers = rest.count(b" ") + 1 if rest else 0
            width = width or numbers
            try:
                word.decode()
            except UnicodeDecodeError:
                raise CorruptData(f"{path} line {number} is not UTF-8 text; save the file as UTF-8") from None
            if not numbers or numbers != width:
                raise CorruptData(
                    f"{path} line {number} has {numbers} numbers, not {width or 'some'}; is it truncated?"
                )
            count += 1
    if header and max_words is None and count != header[0]:
        raise CorruptData(f"{path} has {count} words, its first line says {header[0]}; is it truncated?")


def _check_room(path: Path, start: int, header: Header) -> None:
    """Binary: large enough for what the header says, so that a damaged header costs no memory."""
    count, dim = header
    least = start + count * (4 * dim + 2)  # a letter, a space, and the numbers
    if not _starts_with(path, _GZIP) and path.stat().st_size < least:
        raise CorruptData(f"{path} is truncated: {count} words of {dim} numbers need more than {least} bytes")


def _check_whole(path: Path, start: int, header: Header, words: list[str]) -> None:
    """Binary: nothing left over but the newline some programs put after each word."""
    count, dim = header
    if len(words) != count:
        return  # some came twice, so their lengths are not known
    used = start + count * (4 * dim + 1) + sum(len(word.encode()) for word in words)
    if not _starts_with(path, _GZIP) and path.stat().st_size > used + count:
        raise CorruptData(f"{path} is longer than the {count} words of {dim} numbers that its first line says")
