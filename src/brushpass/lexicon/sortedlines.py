"""A look-up table that needs no loading: a text file whose lines are sorted, found by bisection."""

from __future__ import annotations

import mmap
from bisect import bisect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from brushpass.errors import CorruptData

BLOCK: Final = 1 << 12
"""About how many bytes are read to find one line."""


class SortedLines:
    """The lines `name<tab>value` of a file, in byte order of the names, after a header and an empty line.

    The file is mapped, not read, so processes share it; a look-up costs a few microseconds.

    Raises:
        CorruptData: missing, unreadable, or without the empty line and tabs.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
            raise CorruptData(f"cannot read {path}: {error}; reinstall brushpass") from None
        self._start = self._text.find(b"\n\n") + 2
        if self._start < 2 or self._text[-1:] != b"\n":
            raise CorruptData(f"{path} is damaged; reinstall brushpass")
        self.header = self._text[: self._start].decode(errors="replace")

    @cached_property
    def _blocks(self) -> tuple[list[bytes], list[int]]:
        """The first name of every few lines, and where each begins and the last ends."""
        text, names, starts = self._text, list[bytes](), [self._start]
        while starts[-1] < len(text):
            names.append(text[starts[-1] : text.find(b"\t", starts[-1])])
            starts.append(text.find(b"\n", starts[-1] + BLOCK) + 1 or len(text))
        return names, starts

    def get(self, name: str) -> str | None:
        """The value of `name`, or None."""
        names, starts = self._blocks
        wanted = name.encode(errors="replace")
        block = bisect(names, wanted)
        if not block:
            return None
        lines = self._text[starts[block - 1] - 1 : starts[block]]  # with the end of the line before
        at = lines.find(b"\n" + wanted + b"\t")
        if at < 0:
            return None
        value = at + len(wanted) + 2
        return lines[value : lines.index(b"\n", value)].decode()

    def having(self, text: str) -> Iterator[tuple[str, str]]:
        """The lines whose value has `text` somewhere, as (name, value), in order (some milliseconds)."""
        lines, wanted = self._text, text.encode(errors="replace")
        at = lines.find(wanted, self._start)
        while at >= 0:
            start, end = lines.rfind(b"\n", 0, at) + 1, lines.find(b"\n", at)
            name, _, value = lines[start:end].partition(b"\t")
            if wanted in value:
                yield name.decode(), value.decode()
            at = lines.find(wanted, end)

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __len__(self) -> int:
        return self._text[self._start :].count(b"\n")

    def names(self) -> list[str]:
        """Every name, in order (slow: reads the whole file)."""
        return [line.partition(b"\t")[0].decode() for line in self._text[self._start :].splitlines()]
