"""Whole games: what one costs by agents, by vocabulary and as a run goes on, and what workers make of it."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from machine import peak_memory

from brushpass import seeds
from brushpass.arena.chunks import play_chunk
from brushpass.duet.bench import DuetGame, run_bench
from brushpass.duet.core.mission import find_cities
from brushpass.duet.inputs import Inputs
from brushpass.duet.plan import Plan
from brushpass.lexicon import families
from brushpass.semantics.catalog import load_mind

PAIRS = {
    "random": ("random", "random"),
    "nearest": ("nearest:model=glove", "nearest:model=glove"),
    "plain": ("embedding:model=glove,stakes=fixed,temperature=0.092",) * 2,
    "embedding": ("embedding:model=glove", "embedding:model=glove"),
    "embedding x person": ("embedding:model=glove", "person:model=minilm"),
}
"""Each with itself, but for the last. `plain` goes by expected value at fixed costs, not by the chance of winning, and
at 0.7 of people's temperature: at all of it, it dares less and takes a clue more a game.
"""
SIZES = (30_000, 50_000)
WORKERS = (1, 2)
WINDOW = 64
"""Games timed at once: of all such times the best counts, and the median is told too."""


def plan_of(pair: tuple[str, str], games: int) -> Plan:
    """The standard game between `pair`."""
    return Plan(pairs=(pair,), cities=find_cities("Prague"), games=games)


def warm_game(pair: tuple[str, str], games: int) -> DuetGame:
    """That game as a worker holds it."""
    plan = plan_of(pair, games)
    game = DuetGame(plan, seeds.salt(plan.seed), Inputs.of(plan.words, pair))
    game.warm()
    return game


def cost(pair: tuple[str, str], games: int) -> dict[str, float]:
    """Milliseconds of one core a game, records made but not written: the first games, then the best and the median.

    And the clues a game, by which such times go.
    """
    game = warm_game(pair, games)
    jobs = list(game.plan.jobs())
    gc.collect()
    gc.freeze()
    windows, clues = [], 0
    for start in range(0, games - WINDOW + 1, WINDOW):
        began = process_time()
        clues += play_chunk(game, jobs[start : start + WINDOW]).text.count(b'["clue",')
        windows.append(1e3 * (process_time() - began) / WINDOW)
    gc.unfreeze()
    later = sorted(windows[len(windows) // 2 :])
    shown = clues / WINDOW / len(windows)
    return {"first": windows[0], "best": later[0], "median": later[len(later) // 2], "clues": shown}


def shares(pair: tuple[str, str], games: int) -> dict[str, float]:
    """Microseconds of a game by part, once the first games are over."""
    from parts import parts  # its patches load what no worker does, which `memory` must not count

    game = warm_game(pair, games)
    jobs = list(game.plan.jobs())
    play_chunk(game, jobs)
    return parts(game, jobs)


def longer_vocabularies(folder: Path) -> dict[int, tuple[str, str]]:
    """An embedding pair by the size of its vocabulary: a mind's most frequent words that the clue law has looked up."""
    words = [word for word in load_mind("glove").space.words if word.isalpha() and families.known(word)]
    pairs = {}
    for size in SIZES:
        path = folder / f"first-{size}.txt"
        path.write_text("\n".join(words[:size]) + "\n", encoding="utf-8")
        spec = f"embedding:model=glove,vocabulary={path}"
        pairs[min(size, len(words))] = spec, spec
    return pairs


def workers(pair: tuple[str, str], games: int) -> dict[str, float]:
    """Games a second with records written, for 1 and 2 workers in turn, best of three; and the ratio.

    The first two games of a worker do not count: in them a stranger's agent loads what it needs.
    `cores` is the ratio that two free cores would give: it compares the CPU time that a game costs all processes.
    `start` are the seconds from asking for a run of two workers to its first game.
    """
    speeds, costs = dict.fromkeys(WORKERS, 0.0), dict.fromkeys(WORKERS, float("inf"))
    starting = {count: _run(pair, 2 * count, count) for count in WORKERS}
    for _ in range(3):
        for count in WORKERS:
            spent, seconds, _ = _run(pair, games * count, count)
            later = (games - 2) * count
            speeds[count] = max(speeds[count], later / (seconds - starting[count][1]))
            costs[count] = min(costs[count], (spent - starting[count][0]) / later)
    return {
        **{f"games/s, {count}": speed for count, speed in speeds.items()},
        **{f"CPU ms, {count}": 1e3 * spent for count, spent in costs.items()},
        "ratio": speeds[2] / speeds[1],
        "cores": 2 * costs[1] / costs[2],
        "start": starting[2][2],
    }


def _run(pair: tuple[str, str], games: int, count: int) -> tuple[float, float, float]:
    """CPU seconds of all processes, seconds once the workers are ready, and seconds until then."""
    with TemporaryDirectory() as folder:
        before = os.times()
        report = run_bench(plan_of(pair, games), workers=count, out=Path(folder) / "run")
        spent, played = sum(os.times()[:4]) - sum(before[:4]), games / report.games_per_second
        return spent, played, report.seconds - played


def table_of_cities(games: int) -> dict[str, float]:
    """The 26-city table of one pair with two workers, start-up and all: so many games a city."""
    plan = Plan(pairs=(PAIRS["embedding"],), games=games)
    with TemporaryDirectory() as folder:
        seconds = run_bench(plan, workers=2, out=Path(folder) / "run").seconds
    return {"games": plan.total, "seconds": seconds, "games/s": plan.total / seconds}


def memory(pair: tuple[str, str]) -> float | None:
    """The most memory a worker holds, in MB."""
    told = subprocess.run(  # noqa: S603 - this file itself
        [sys.executable, __file__, *pair], check=True, capture_output=True, text=True
    )
    peak: float | None = json.loads(told.stdout)
    return peak


def measure(games: int) -> dict[str, Any]:
    """All tables, about `games` games a line."""
    with TemporaryDirectory() as folder:
        longer = longer_vocabularies(Path(folder))
        by_pair = {name: cost(pair, games) for name, pair in PAIRS.items()}
        return {
            "cost": by_pair,
            "parts": {name: shares(pair, games // 2) for name, pair in PAIRS.items() if name != "random"},
            "vocabulary": {
                "10000": by_pair["embedding"],
                **{str(size): cost(pair, games // 4) for size, pair in longer.items()},
            },
            "workers": {name: workers(pair, 2 * games) for name, pair in PAIRS.items() if name != "random"},
            "cities": table_of_cities(max(1, games // 10)),
            "memory": {name: memory(pair) for name, pair in PAIRS.items() if name != "random"},
        }


def _hold(pair: tuple[str, str]) -> None:
    """Do what a worker does, and tell the most memory it took."""
    game = warm_game(pair, 200)
    play_chunk(game, list(game.plan.jobs()))
    print(json.dumps(peak_memory()))


if __name__ == "__main__":
    _hold((sys.argv[1], sys.argv[2]))
