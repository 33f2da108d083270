"""Vector files in the open formats, read block by block, so that their size costs no memory.

word2vec's text and binary forms, GloVe's text (no header) and fastText's `.vec`, each also gzipped.
"""

from __future__ import annotations

import gzip
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count as counted
from pathlib import Path
from typing import IO, cast

import numpy as np

from brushpass.errors import CorruptData
from brushpass.semantics.space import Floats

NUMBERS = 1 << 20
"""How many numbers a block has at most, unless a single word has more."""
LONGEST_LINE = 1 << 20
LONGEST_WORD = 1 << 12
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
    try:
        with path.open("rb") as raw, _unzipped(raw) as file:
            size = max(path.stat().st_size, 1)
            first = file.readline(LONGEST_LINE)
            header = _header(path, first)
            binary = header is not None and _is_binary(file.read(_SAMPLE), header[1])
            file.seek(len(first) if header else 0)
            if header and binary:
                _check_room(path, len(first), header)
                blocks = _binary(path, file, header, max_words)
            else:
                blocks = _text(path, file, header, max_words)
            for block in blocks:
                if on_progress is not None:
                    on_progress(raw.tell() / size)
                yield block
    except CorruptData:
        raise
    except (OSError, EOFError, ValueError, MemoryError, zlib.error) as error:  # bad UTF-8 is a ValueError
        raise CorruptData(f"cannot read {path} as word vectors: {error}") from error


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


# ------------------------------------------------------------------ text


def _text(path: Path, file: IO[bytes], header: Header | None, max_words: int | None) -> Iterator[Block]:
    """Each line a word and equally many numbers; as many lines as the header says."""
    width = header[1] if header else 0
    words: list[str] = []
    rows: list[bytes] = []
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
            words.append(word.decode())
        except UnicodeDecodeError:
            raise CorruptData(f"{path} line {number} is not UTF-8 text; save the file as UTF-8") from None
        if not numbers or numbers != width:
            raise CorruptData(f"{path} line {number} has {numbers} numbers, not {width or 'some'}; is it truncated?")
        rows.append(row)
        read += 1
        if len(rows) * width >= NUMBERS:
            yield words, _parsed(rows, width, number)
            words, rows = [], []
    if rows:
        yield words, _parsed(rows, width, number - 1)
    if header and max_words is None and read != header[0]:
        raise CorruptData(f"{path} has {read} words, its first line says {header[0]}; is it truncated?")


def _parsed(rows: list[bytes], width: int, last: int) -> Floats:
    """The numbers of the lines up to number `last`, float32 (lines, width)."""
    with warnings.catch_warnings(), suppress(ValueError, DeprecationWarning):
        warnings.simplefilter("error", DeprecationWarning)  # what numpy before 2.4 says if not all of it is numbers
        numbers = np.fromstring(b" ".join(rows), np.float32, sep=" ")
        if numbers.size == len(rows) * width:
            return numbers.reshape(-1, width)
    for line, row in enumerate(rows, last + 1 - len(rows)):
        for field in row.split(b" "):
            try:
                float(field)
            except ValueError as error:
                raise ValueError(f"line {line}: {error}") from None
    raise ValueError(f"the numbers of the lines up to {last} cannot be told apart")


# ------------------------------------------------------------------ binary


def _binary(path: Path, file: IO[bytes], header: Header, max_words: int | None) -> Iterator[Block]:
    """Each word, a space, and the numbers as little-endian float32; some programs put a newline between."""
    count, dim = header
    wanted = count if max_words is None else min(count, max_words)
    at_once = max(1, NUMBERS // dim)
    for begin in range(0, wanted, at_once):
        words: list[str] = []
        rows: list[bytes] = []
        for _ in range(min(at_once, wanted - begin)):
            words.append(_word(file).decode())
            rows.append(file.read(4 * dim))
            if len(rows[-1]) < 4 * dim:
                raise EOFError(f"it ends amid the numbers of {words[-1]!r}")
        yield words, np.frombuffer(b"".join(rows), "<f4").reshape(-1, dim).astype(np.float32, copy=False)
    if max_words is None and file.read(_SAMPLE).strip(b"\n"):
        raise CorruptData(f"{path} is longer than the {count} words of {dim} numbers that its first line says")


def _word(file: IO[bytes]) -> bytes:
    """The bytes up to a space."""
    word = bytearray()
    while (byte := file.read(1)) != b" ":
        if not byte or len(word) > LONGEST_WORD:
            raise EOFError("it ends amid a word" if not byte else f"a word has more than {LONGEST_WORD} bytes")
        word += byte
    return bytes(word).lstrip(b"\n")


def _check_room(path: Path, start: int, header: Header) -> None:
    """Large enough for what the header says."""
    count, dim = header
    least = start + count * (4 * dim + 2)  # a letter, a space, and the numbers
    if not starts_with(path, _GZIP) and path.stat().st_size < least:
        raise CorruptData(f"{path} is truncated: {count} words of {dim} numbers need more than {least} bytes")
