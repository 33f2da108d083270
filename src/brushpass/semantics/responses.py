"""Free-association data as people hold it, made into a norm: who was given a cue said what, how often.

A table with a header, columns separated by tabs, commas or semicolons. Known by their names, in any case: the cue, the
response (or `R1`, `R2`, `R3`: one row a person), and optionally how often or how strongly, as SWOW and USF name them.
"""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold

CUES: Final = ("cue", "stimulus", "card")
RESPONSES: Final = ("response", "target", "associate")
SEVERAL: Final = ("r1", "r2", "r3")
COUNTS: Final = ("r123", "r1.strength", "r123.strength", "fsg", "strength", "count", "frequency", "weight", "#p", "n")
"""The first of these that is there counts; without any, every row counts once."""
NOTHING: Final = frozenset({"", "na", "no more responses", "unknown word"})
SIZES: Final = (16, 28, 56)
"""How many of a cue's most frequent responses are kept as strong, middling and weak: about as in our own norm."""

Table = dict[str, dict[str, float]]
"""How often each response was given to each cue, or how strongly."""


def read_responses(path: Path) -> Table:
    """For every cue how often (or how strongly) each response was given.

    Raises:
        CorruptData: unreadable, not UTF-8, no header that names cue and response, or no response at all.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CorruptData(f"{path} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise CorruptData(f"cannot read {path}: {error.strerror or error}") from error
    header, _, _ = text.partition("\n")
    delimiter = next((mark for mark in "\t;," if mark in header), ",")
    table: Table = defaultdict(lambda: defaultdict(float))
    try:
        rows = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True, strict=True)
        names = [fold(name) for name in next(rows, [])]
        for cue, response, weight in _given(path, names, rows):
            if response not in NOTHING and cue not in NOTHING and cue != response:
                table[cue][response] += weight
    except csv.Error as error:
        raise CorruptData(f"{path}, line {rows.line_num} is no row of a table: {error}") from None
    if not table:
        raise CorruptData(f"{path} holds no response")
    return dict(table)


def norm_text(table: Table, name: str, licence: str, source: str) -> str:
    """The norm (`norm`) that says so: of each cue the commonest responses, in three strengths."""
    told = {"name": name, "licence": licence, "source": source}
    lines = [*(f"# {key}: {' '.join(text.split())}" for key, text in told.items()), ""]
    for cue in sorted(table, key=lambda word: word.encode()):
        ranked = iter(sorted(table[cue], key=lambda word: (-table[cue][word], word)))
        lists = [", ".join(islice(ranked, size)) for size in SIZES]
        lines.append("\t".join((cue, *lists)))
    return "\n".join(lines) + "\n"


def _given(path: Path, names: list[str], rows: Iterator[list[str]]) -> Iterator[tuple[str, str, float]]:
    """Cue, response and weight of each answer."""
    cue = _column(names, CUES)
    answers = [column for column in (_column(names, (name,)) for name in SEVERAL) if column is not None]
    response = _column(names, RESPONSES)
    if response is not None:
        answers = [response]
    if cue is None or not answers:
        columns = ", ".join(name[:20] for name in names[:8])
        raise CorruptData(f"{path}: no columns named cue and response in its first line ({columns})")
    count = _column(names, COUNTS) if response is not None else None
    for number, row in enumerate(rows, 2):
        if not row:
            continue
        if len(row) <= max(cue, *answers, count or 0):
            raise CorruptData(f"{path}, line {number} has {len(row)} columns, fewer than its first line")
        weight = 1.0 if count is None else _number(path, number, row[count])
        for answer in answers:
            yield _word(row[cue]), _word(row[answer]), weight


def _column(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((names.index(name) for name in known if name in names), None)


def _word(text: str) -> str:
    """Folded, and without what separates words and lists in a norm."""
    return " ".join(fold(text).replace(",", " ").split())


def _number(path: Path, line: int, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise CorruptData(f"{path}, line {line}: {text[:20]!r} is not how often a response was given")
    return number
