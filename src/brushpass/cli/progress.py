"""The progress of `bench` on stderr: games done, their speed, the time left and the win rate so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from brushpass.duet.bench import Progress
    from brushpass.duet.results import Tally

EVERY: Final = 0.2
"""Seconds between two looks at the tally."""
PATIENCE: Final = 4.0
"""Seconds of silence before a word on the warm-up."""
WARMING: Final = "warming up: the first time on a machine takes some 20 s"
APART: Final = 2
"""Pairs whose win rates are told apart."""


@contextmanager
def bench_progress(total: int, pairs: int, *, shown: bool, note: Callable[[str], None]) -> Iterator[Progress]:
    """A bar on stderr, if `shown`, for `total` games of so many pairs; what is yielded is told of games done.

    Without a bar, a `note` where the first game is long in coming.
    """
    if not shown:
        waiting = Timer(PATIENCE, note, [WARMING])
        waiting.daemon = True
        waiting.start()
        try:
            yield lambda _done, _total, _tally: waiting.cancel()
        finally:
            waiting.cancel()
        return
    from rich import progress as rich
    from rich.console import Console

    bar = rich.Progress(
        rich.BarColumn(12),
        rich.MofNCompleteColumn(),
        rich.TextColumn("{task.fields[speed]}"),
        rich.TimeRemainingColumn(),
        rich.TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("warming up", total=total, speed="")
    began: tuple[float, int] | None = None
    looked = 0.0

    def on_progress(done: int, total: int, tally: Tally) -> None:
        nonlocal began, looked
        now = perf_counter()
        began = began or (now, done)
        if now - looked < EVERY and done < total:
            return
        looked = now
        since, before = began
        speed = f"{(done - before) / (now - since):.0f} games/s" if now > since else ""
        bar.update(task, description=won(tally, pairs), completed=done, total=total, speed=speed)

    with bar:
        yield on_progress


def won(tally: Tally, pairs: int) -> str:
    """The win rate of each pair with its Wilson interval; of many, that of all of them.

    The pairs play the same deals, so that all of them together count as one game a deal.
    """
    from brushpass.arena.stats import wilson

    if pairs <= APART:
        cells = [tally.pair(number) for number in range(pairs)]
        rates = [wilson(cell.wins, cell.games) for cell in cells if cell.games]
    else:
        games = sum(cell.games for cell in tally.cells.values())
        rates = [wilson(sum(cell.wins for cell in tally.cells.values()) / pairs, games / pairs)] if games else []
    shown = ", ".join(f"{100 * rate:.0f}% ({100 * low:.0f}-{100 * high:.0f})" for rate, low, high in rates)
    return f"won {shown}" if shown else ""
