"""A run folder read back: what `bench --out` has played, whole or half, and its tables (INTERFACES §4)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final

from brushpass.arena.journal import MANIFEST
from brushpass.duet.compare import Difference, compare
from brushpass.duet.core.mission import CITIES, Mission
from brushpass.duet.matchups import matchups
from brushpass.duet.memory import memory_of
from brushpass.duet.played import Played
from brushpass.duet.record import read_lines
from brushpass.duet.results import Pairing, Report, read_id
from brushpass.duet.standing import SharedReport, report_of
from brushpass.errors import BrushpassError, CorruptData, InvalidSetup

SCHEMA: Final = 1
NO_RECORD: Final = (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
"""What reading a line that is no record of a run may raise."""
_ORDER: Final = {city.name: place for place, city in enumerate(CITIES)}


@dataclass(frozen=True, slots=True)
class NamedMind:
    """What a manifest says of a mind."""

    name: str
    sha256: str
    ingredients: tuple[str, ...]


@dataclass
class Run:
    """A run as its folder shows it.

    Attributes:
        folder: where it lies.
        version: of brushpass, as the manifest has it.
        planned: how many games it was to have.
        report: its tables.
        pairs: the games of each pair, in the order of the report.
        words: name and sha256 of the word list, each null in a manifest that does not say.
        rules: of the table, as the manifest has them.
        torn: whether the last line was cut off; it is left out.
    """

    folder: Path
    version: str
    planned: int
    report: Report
    pairs: list[Played]
    words: dict[str, str | None]
    rules: dict[str, Any]
    torn: bool = False

    @property
    def games(self) -> int:
        """Games played."""
        return sum(len(pair.outcomes) for pair in self.pairs)

    def to_json(self) -> dict[str, Any]:
        """The document of `report --json`, comparisons apart: that of `bench` and what else the games tell."""
        tables = self.report.to_json()
        return {
            "schema": SCHEMA,
            "folder": str(self.folder),
            "version": self.version,
            "seed": self.report.seed,
            "games": self.games,
            "planned": self.planned,
            "finished": self.games >= self.planned,
            "words": self.words,
            "rules": self.rules,
            "pairs": [played.to_json(table) for table, played in zip(tables["pairs"], self.pairs, strict=True)],
            "matchups": matchups(tables["pairs"], self.pairs),
            **({"suite": {**tables["suite"], "version": self.version}} if "suite" in tables else {}),
        }


# ------------------------------------------------------------------ reading


def read_run(folder: Path) -> Run:
    """The run in `folder`.

    Raises:
        CorruptData: no run folder, or a line of it that is no record of this run.
    """
    manifest = read_manifest(folder)
    try:
        arguments = manifest["arguments"]
        tables = [(str(name), Mission(turns, mistakes)) for name, turns, mistakes in arguments["tables"]]
        specs = [(str(a), str(b)) for a, b in arguments["pairs"]]
        minds = manifest.get("minds") or [[None, None]] * len(specs)
        pairings = tuple(
            Pairing(a, b, *(_mind(mind) for mind in pair)) for (a, b), pair in zip(specs, minds, strict=True)
        )
        planned = len(specs) * len(tables) * _count(arguments["games"])
        seed = int(arguments["seed"])
        words = {"name": _text(arguments.get("words")), "sha256": _text(arguments.get("words_sha256"))}
        rules = dict(arguments.get("rules") or {})
        tables.sort(key=lambda table: _ORDER.get(table[0], len(_ORDER)))
        report = report_of(arguments, pairings, tuple(tables), seed)
    except (*NO_RECORD, BrushpassError) as error:
        raise CorruptData(f"{folder / MANIFEST} is no manifest of a Duet run: {error!r}") from None
    run = Run(
        folder,
        str(manifest.get("version", "")),
        planned,
        report,
        [Played(memory_of(pair)) for pair in specs],
        words,
        rules,
    )
    cities = {name for name, _ in tables}
    for number, line in read_lines(folder):
        try:
            _add(run, line, cities)
        except NO_RECORD as error:
            if not line.endswith("\n"):
                run.torn = True
                break
            raise no_record(folder, number, error) from None
    return run


def no_record(folder: Path, number: int, error: Exception) -> CorruptData:
    """That a line of a run folder is no record of its run."""
    why = f"({error})" if isinstance(error, BrushpassError) else f"({error!r:.80}); brushpass verify tells more"
    return CorruptData(f"{folder}, line {number} is no record of this run {why}")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder, of our schema; whether it is a Duet run's is for the caller to see.

    Raises:
        CorruptData: there is none, or none that can be read.
    """
    path = folder / MANIFEST
    if not folder.is_dir():
        raise CorruptData(f"{folder} is no run folder: {'not a folder' if folder.exists() else 'it is not there'}")
    try:
        manifest = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise CorruptData(f"{folder} is no run folder: it has no {MANIFEST}") from None
    except OSError as error:
        raise CorruptData(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CorruptData(f"{path} is not JSON: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise CorruptData(f"{path} has another schema than {SCHEMA}, the one this version reads")
    return manifest


def _count(value: object) -> int:
    if type(value) is not int or value < 1:
        raise ValueError(f"{value!r:.80} is no number of games")
    return value


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _mind(data: Mapping[str, Any] | None) -> NamedMind | None:
    return None if data is None else NamedMind(data["name"], data["sha256"], tuple(data["ingredients"]))


def _add(run: Run, line: str, cities: set[str]) -> None:
    """Count the record on `line`; one of `NO_RECORD` is raised if it is none of this run."""
    record = json.loads(line)
    pair, city, index = read_id(record["id"])
    if city not in cities or pair < 0:
        raise ValueError(f"game {record['id']} belongs to another run")
    run.pairs[pair].add(record, city, index)
    run.report.tally.add(pair, city, record)


# ------------------------------------------------------------------ comparing


@dataclass(frozen=True, slots=True)
class Compared:
    """Two pairs, each by its run and its number there, and their difference."""

    first: tuple[Run, int]
    second: tuple[Run, int]
    difference: Difference

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"first": _name(*self.first), "second": _name(*self.second), **self.difference.to_json()}


def _name(run: Run, number: int) -> dict[str, Any]:
    pairing = run.report.pairings[number]
    return {"folder": str(run.folder), "pair": number + 1, "a": pairing.a, "b": pairing.b}


def compare_pairs(run: Run) -> list[Compared]:
    """Every two pairs of a run."""
    return [_compared(run, one, run, other) for one, other in combinations(range(len(run.pairs)), 2)]


def compare_runs(run: Run, other: Run) -> list[Compared]:
    """Pairs of the same two specs in both runs; those without such a namesake, each with each.

    In a suite, with each that has the same partner.

    Raises:
        InvalidSetup: the runs have no deal in common.
    """
    mine, yours = ([(pair.a, pair.b) for pair in one.report.pairings] for one in (run, other))
    alike = [(mine.index(pair), yours.index(pair)) for pair in mine if pair in yours]
    rest = [
        *product(
            [number for number, pair in enumerate(mine) if pair not in yours],
            [number for number, pair in enumerate(yours) if pair not in mine],
        )
    ]
    if isinstance(run.report, SharedReport):
        rest = [(one, two) for one, two in rest if mine[one][1] == yours[two][1]]
    compared = [_compared(run, one, other, two) for one, two in (*alike, *rest)]
    if not any(one.difference.games for one in compared):
        raise InvalidSetup(
            f"{run.folder} and {other.folder} have no deal in common: play both with the same --seed, cities and words"
        )
    return compared


def _compared(run: Run, one: int, other: Run, two: int) -> Compared:
    return Compared((run, one), (other, two), compare(run.pairs[one].outcomes, other.pairs[two].outcomes))
