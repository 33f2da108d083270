"""A look-up table that needs no loading: a text file whose lines are sorted, found by bisection."""

from __future__ import annotations

import mmap
from pathlib import Path

from brushpass.errors import CorruptData


class SortedLines:
    """The lines `name<tab>value` of a file, in byte order of the names, after a header and an empty line.

    The file is mapped, not read, so processes share it; a look-up costs some ten microseconds.

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

    def get(self, name: str) -> str | None:
        """The value of `name`, or None."""
        lines, wanted = self._text, name.encode(errors="replace")
        low, high = self._start, len(lines)  # both at the start of a line
        while low < high:
            start = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
            tab = lines.find(b"\t", start)
            found = lines[start:tab]
            if found == wanted:
                return lines[tab + 1 : lines.find(b"\n", tab)].decode()
            if found < wanted:
                low = lines.find(b"\n", tab) + 1
            else:
                high = start
        return None

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __len__(self) -> int:
        return self._text[self._start :].count(b"\n")

    def names(self) -> list[str]:
        """Every name, in order (slow: reads the whole file)."""
        return [line.partition(b"\t")[0].decode() for line in self._text[self._start :].splitlines()]
