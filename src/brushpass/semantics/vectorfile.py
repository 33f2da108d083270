"""Vector files in the open formats: checked here, read by gensim, handed on block by block.

word2vec's text and binary forms, GloVe's text (no header) and fastText's `.vec`, each also gzipped.
"""

from __future__ import annotations

import gzip
import warnings
import zlib
from collections.abc import Callable, Iterator
from itertools import count as counted
from pathlib import Path
from typing import IO, cast

from brushpass.errors import CorruptData
from brushpass.semantics.space import Floats

NUMBERS = 1 << 20
"""How many numbers a block has at most, unless a single word has more."""
LONGEST_LINE = 1 << 20
_GZIP = b"\x1f\x8b"
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r")
_SAMPLE = 1 << 16  # bytes looked at to tell text from binary

Block = tuple[list[str], Floats]
"""Words as they are written, and a row each."""
Header = tuple[int, int]
"""How many words, how many numbers each."""
Progress = Callable[[float], None]
"""Called with the share of the file that is read."""


def read_blocks(path: Path, *, max_words: int | None = None, on_progress: Progress | None = None) -> Iterator[Block]:
    """The words and vectors in the file at `path`, or the first `max_words` of them, in order.

    Raises:
        CorruptData: the file is malformed or no vector file, found out at the latest after its last block.
    """
    report: Progress = on_progress or (lambda _: None)
    try:
        with path.open("rb") as raw, _unzipped(raw) as file:
            size = max(path.stat().st_size, 1)
            first = file.readline(LONGEST_LINE)
            header = _header(path, first)
            binary = header is not None and _is_binary(file.read(_SAMPLE), header[1])
            file.seek(len(first) if header else 0)
            if header and binary:
                _check_room(path, len(first), header)
            else:
                _check_lines(path, file, header, max_words, lambda: report(raw.tell() / size / 2))
        words, vectors = _loaded(path, header, binary=binary, max_words=max_words)
        if header and binary and max_words is None:
            _check_whole(path, len(first), header, words)
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
    at_once = max(1, NUMBERS // vectors.shape[1])
    for start in range(0, len(words), at_once):
        yield words[start : start + at_once], vectors[start : start + at_once]
        report(0.5 + 0.5 * min(1.0, (start + at_once) / len(words)))


def starts_with(path: Path, magic: bytes) -> bool:
    """Whether the file's first bytes are these."""
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def _unzipped(raw: IO[bytes]) -> IO[bytes]:
    zipped = raw.read(len(_GZIP)) == _GZIP
    raw.seek(0)
    return cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if zipped else raw


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


def _loaded(path: Path, header: Header | None, *, binary: bool, max_words: int | None) -> tuple[list[str], Floats]:
    """What gensim reads: of equal words the first stays."""
    from gensim.models import KeyedVectors

    if starts_with(path, _GZIP) and path.suffix != ".gz":
        raise CorruptData(f"{path} is gzipped; call it {path.name}.gz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # gensim leaves a file without header open
        keyed = KeyedVectors.load_word2vec_format(str(path), binary=binary, no_header=not header, limit=max_words)
    return list(keyed.key_to_index), keyed.vectors  # index_to_key has gaps where a word came twice


def _check_lines(
    path: Path, file: IO[bytes], header: Header | None, max_words: int | None, on_block: Callable[[], None]
) -> None:
    """Text: each line a word and equally many numbers; as many lines as the header says."""
    width = header[1] if header else 0
    read = 0
    for number in counted(2 if header else 1):
        if read == max_words or not (line := file.readline(LONGEST_LINE)):
            break
        if len(line) == LONGEST_LINE:
            raise CorruptData(f"{path} line {number} has more than {LONGEST_LINE:,} bytes; is it a vector file?")
        word, _, row = line.rstrip().partition(b" ")
        numbers = row.count(b" ") + 1 if row else 0
        width = width or numbers
        try:
            word.decode()
        except UnicodeDecodeError:
            raise CorruptData(f"{path} line {number} is not UTF-8 text; save the file as UTF-8") from None
        if not numbers or numbers != width:
            raise CorruptData(f"{path} line {number} has {numbers} numbers, not {width or 'some'}; is it truncated?")
        read += 1
        if read * width % NUMBERS < width:
            on_block()
    if header and max_words is None and read != header[0]:
        raise CorruptData(f"{path} has {read} words, its first line says {header[0]}; is it truncated?")


def _check_room(path: Path, start: int, header: Header) -> None:
    """Large enough for what the header says."""
    count, dim = header
    least = start + count * (4 * dim + 2)  # a letter, a space, and the numbers
    if not starts_with(path, _GZIP) and path.stat().st_size < least:
        raise CorruptData(f"{path} is truncated: {count} words of {dim} numbers need more than {least} bytes")


def _check_whole(path: Path, start: int, header: Header, words: list[str]) -> None:
    """Binary: nothing left over but the newline some programs put after each word."""
    count, dim = header
    if len(words) != count:
        return  # some came twice, so their lengths are not known
    used = start + count * (4 * dim + 1) + sum(len(word.encode()) for word in words)
    if not starts_with(path, _GZIP) and path.stat().st_size > used + count:
        raise CorruptData(f"{path} is longer than the {count} words of {dim} numbers that its first line says")
