"""Where the time of a game goes: what each part of it takes, in its place among the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from statistics import median
from time import perf_counter
from typing import Any
from unittest.mock import patch

from brushpass.arena.chunks import AHEAD, play_chunk
from brushpass.arena.jobs import Job
from brushpass.duet import bench, gameloop, referee
from brushpass.duet.agents import kernel
from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.nearest import Nearest
from brushpass.duet.agents.person import Person
from brushpass.duet.bench import DuetGame
from brushpass.duet.core import rules
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.record import GameRecord

PLACES: dict[str, list[tuple[Any, str]]] = {
    "deal": [(bench, "deal")],
    "rules": [(rules, "step")],
    "clue law": [(ClueLaw, "check")],
    "observations": [(referee, "observe")],
    "agents": [(agent, what) for agent in (Embedding, Nearest, Person) for what in ("give_clue", "guess", "new_game")],
    "rehearsal": [(bench, "rehearse")],
    "compiled loops": [(gameloop, "play_ahead")],
    "record": [(GameRecord, "to_line")],
}
"""What is timed, by its name in the table; the rest of a game is the referee's."""


class Stopwatch:
    """Times functions that call one another: each gets the time spent in it and in none of the others."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        """Microseconds by name."""
        self._inner = [0.0]

    def on(self, name: str, timed: Callable[..., Any]) -> Callable[..., Any]:
        """`timed`, under the watch."""

        def watched(*args: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the function takes and gives
            self._inner.append(0.0)
            began = perf_counter()
            try:
                return timed(*args, **named)
            finally:
                took = 1e6 * (perf_counter() - began)
                self.spent[name] += took - self._inner.pop()
                self._inner[-1] += took

        return watched


def parts(game: DuetGame, jobs: list[Job]) -> dict[str, float]:
    """Microseconds a game by part, the median of all chunks; the watch itself costs each call some tenths of one."""
    watch = Stopwatch()
    seen: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as patched:
        for name, places in PLACES.items():
            for where, what in places:
                patched.enter_context(patch.object(where, what, watch.on(name, getattr(where, what))))
        before = kernel.engine()
        patched.callback(kernel.use_engine, before)
        kernel.use_engine(kernel.Engine(*(watch.on("compiled loops", loop) for loop in before)))
        play = watch.on("referee", play_chunk)
        for start in range(0, len(jobs) - AHEAD + 1, AHEAD):
            watch.spent.clear()
            played = play(game, jobs[start : start + AHEAD]).played
            for name, spent in watch.spent.items():
                seen[name].append(spent / played)
    taken = {name: median(spent) for name, spent in seen.items()}
    return dict(sorted(taken.items(), key=lambda part: -part[1]))
