"""A sign of life from inside a game, so that an engine can tell a slow game from a stuck one."""

from __future__ import annotations

from collections.abc import Callable


class Pulse:
    """What a game calls between steps that may each take long, and what an engine hears it with."""

    def __init__(self) -> None:
        self.hear: Callable[[], None] | None = None
        """Called at each beat; the engine's."""

    def beat(self) -> None:
        """The game goes on: a time limit counts from here."""
        if self.hear is not None:
            self.hear()


pulse = Pulse()
"""That of the game this process plays."""
