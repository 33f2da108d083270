"""The recipe of `models/value.json`: games with the panel, how their turns went, and whether the chances come true."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

import numpy as np

from brushpass import __version__, seeds
from brushpass.arena.executors import Engine, Serial
from brushpass.arena.runner import run
from brushpass.arena.workers import LocalWorkers
from brushpass.atomic import file_sha256, replacing
from brushpass.duet.agents.value import PARTS, Prospects
from brushpass.duet.bench import ANSWER_SECONDS, DuetGame
from brushpass.duet.inputs import Inputs
from brushpass.duet.plan import Plan
from brushpass.duet.record import read_record
from brushpass.duet.train.calibration import calibration
from brushpass.duet.train.lessons import Lessons
from brushpass.duet.train.panel import BOT, GAMES, panel
from brushpass.duet.train.places import broken
from brushpass.duet.train.turnmodel import Doubles, fit_sudden, fit_turns
from brushpass.errors import InvalidSetup
from brushpass.paths import find_data

SCHEMA: Final = 1
HELD_BACK: Final = 5
"""Every so many-th deal teaches nothing, and tells whether the chances come true."""
DIGITS: Final = 5

Progress = Callable[[float], None]
"""Called with the share of the games that is played."""


@dataclass(frozen=True)
class Value:
    """What `models/value.json` holds, and where it was written."""

    data: dict[str, Any]
    path: Path


def build_value(
    folder: Path,
    *,
    games: int = GAMES,
    seed: int = 0,
    workers: int | None = None,
    plan: Plan | None = None,
    on_progress: Progress | None = None,
) -> Value:
    """Play with the panel, learn how turns go, and write `value.json` into `folder`.

    The bots play by the value file they have: run this again with the new one in its place until it settles. The
    outcome depends on that file (`played_with` is its SHA-256), on `games` (a pair and city) and on `seed`, not on the
    number of `workers`; without any the games are played in this process. `plan` takes the place of the panel.
    Nothing lies in `folder` before the end, however early that comes.

    Raises:
        InvalidSetup: fewer than five games, or so few that by them a token more would hurt; nothing is written.
        UnknownName, CorruptData: a model or word list cannot be had.
        OSError: the folder cannot be made or written.
    """
    plan = panel(games, seed) if plan is None else plan
    if plan.games < HELD_BACK:
        raise InvalidSetup(f"{plan.games} games are too few: every fifth is held back; ask for at least {HELD_BACK}")
    engine = Serial() if workers is None else LocalWorkers(workers, limit=ANSWER_SECONDS)
    path = folder / PARTS[-1]
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder):  # a folder that cannot be written fails before the games
        pass
    data = _learned(plan, *play(plan, engine, on_progress))
    with replacing(path) as file:
        file.write(f"{json.dumps(data, sort_keys=True, separators=(',', ':'))}\n".encode())
    return Value(data, path)


def _learned(plan: Plan, taught: Lessons, held_back: Lessons) -> dict[str, Any]:
    """The content of the file (docs/formats.md)."""
    turns, sudden = rounded(fit_turns(taught.touches)), fit_sudden(taught.sudden).round(DIGITS)
    prospects = Prospects(turns, sudden)
    if odd := broken(prospects):
        worse, better = odd
        raise InvalidSetup(f"{taught.games} games are too few: by them {tuple(better)} is worse than {tuple(worse)}")
    return {
        "schema": SCHEMA,
        "version": __version__,
        "seed": plan.seed,
        "games": plan.games,
        "pairs": [list(pair) for pair in plan.pairs],
        "cities": [name for name, _ in plan.tables],
        "played_with": _played_with(),
        "packages": {package: version(package) for package in ("numpy", "scikit-learn")},
        "taught_by": {"games": taught.games, "touches": int(taught.touches.sum())},
        "turns": turns.tolist(),
        "sudden": sudden.tolist(),
        "held_back": calibration(held_back, prospects),
    }


def _played_with() -> str | None:
    """The hash of the value file that the bots play by."""
    path = find_data(*PARTS)
    return None if path is None else file_sha256(path)


def play(plan: Plan, engine: Engine, on_progress: Progress | None = None) -> tuple[Lessons, Lessons]:
    """What the games of `plan` teach, and what those teach that are held back."""
    taught, held_back = Lessons(), Lessons()

    def learn(done: int, total: int | None, lines: list[str]) -> None:
        for line in lines:
            record = read_record(line)
            index = int(str(record.id).rpartition("-")[2])
            (held_back if index % HELD_BACK == HELD_BACK - 1 else taught).learn(record, BOT)
        if on_progress is not None and total:
            on_progress(done / total)

    specs = [spec for pair in plan.pairs for spec in pair]
    game = DuetGame(plan, seeds.salt(plan.seed), Inputs.of(plan.words, specs))
    run(plan.jobs(), game, engine=engine, total=plan.total, on_progress=learn)
    return taught, held_back


def rounded(turns: Doubles) -> Doubles:
    """Chances of few digits that still sum to 1: the likeliest way takes what rounding leaves."""
    flat = turns.reshape(*turns.shape[:2], -1).round(DIGITS)
    likeliest = flat.argmax(axis=-1)[..., None]
    rest = 1 - flat.sum(axis=-1, keepdims=True)
    np.put_along_axis(flat, likeliest, (np.take_along_axis(flat, likeliest, -1) + rest).round(DIGITS), -1)
    return flat.reshape(turns.shape)
