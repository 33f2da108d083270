"""When the next request may go out: one pace for all processes that ask the same server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from brushpass.atomic import locked
from brushpass.errors import Suspended

LONGEST_HOLD: Final = 300.0
"""Seconds; what stands further ahead in the file, and beyond our own pace, was written by another clock."""
PATIENCE: Final = 30.0
"""Seconds to wait for another process that has the file."""


class Pace:
    """Lets requests go out `per_minute` times a minute at most, and none while a server wants a rest.

    The time of the next request stands in the file at `path`, which all workers of a run share.
    """

    def __init__(self, path: Path, per_minute: float | None = None) -> None:
        self._path = path
        self._gap = 60 / per_minute if per_minute else 0.0

    def wait(self) -> None:
        """Sleep until it is our turn."""
        while (rest := self._rest()) > 0:
            time.sleep(rest)

    def _rest(self) -> float:
        """Seconds until the next request may go out; if none, it is ours, and the one after it waits."""
        with self._kept():
            now = time.time()
            turn = self._next(now)
            if turn == now and self._gap:
                self._write(now + self._gap)
        return turn - now

    def hold(self, seconds: float) -> None:
        """Let nobody ask for so long."""
        with self._kept():
            now = time.time()
            self._write(max(self._next(now), now + min(seconds, LONGEST_HOLD)))

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """The file to ourselves."""
        try:
            with locked(self._path, PATIENCE):
                yield
        except OSError as error:
            raise Suspended(f"cannot keep the pace of requests in {self._path}: {error.strerror}") from None

    def _next(self, now: float) -> float:
        with suppress(OSError, ValueError):
            noted = float(self._path.read_text(encoding="ascii"))
            if now < noted <= now + max(LONGEST_HOLD, self._gap):
                return noted
        return now

    def _write(self, turn: float) -> None:
        self._path.write_text(str(turn), encoding="ascii")
