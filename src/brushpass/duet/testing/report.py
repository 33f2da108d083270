"""What the conformance suite found: counts by check, the failures, and the time that answers took."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

SCHEMA: Final = 1
SLOW_SECONDS: Final = 1.0
"""An answer that takes longer makes the report warn; a batch of 26 cities asks thousands of times."""
PATIENCE: Final = 60.0
"""Seconds that may be lost on answers that do not come."""
MOST_LOST: Final = 3
"""Positions that may take the agent's process with them."""
CHECKS: Final[Mapping[str, str]] = {
    "new_game": "a new game begins, after any other",
    "answers": "every question is answered: nothing is raised",
    "clue": "clues are legal, at the latest after three refusals",
    "refused": "a refused clue is followed by another word",
    "guess": "guesses and stops are legal",
    "sudden_death": "guesses and yields in sudden death are legal",
    "view": "views stay as they were",
    "repeats": "another instance answers alike, given the same seed",
    "again": "the same instance answers alike in a later game, given the same seed",
    "end": "the end of a game is taken in",
    "time": "every answer comes within the limit",
}
"""The checks, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed check, with all that is needed to see it again.

    Attributes:
        check: a name of `CHECKS`.
        kind: the kind of position.
        asked: `new_game`, `clue`, `guess` or `end`.
        seat: the seat the agent had.
        seed: what the agent was given in `new_game`.
        why: one line.
        view: the agent's view when it was asked (`read_view` reads it), None for `end`.
        refused: the clues refused this turn, with reasons.
    """

    check: str
    kind: str
    asked: str
    seat: str
    seed: int
    why: str
    view: Mapping[str, Any] | None = None
    refused: Sequence[tuple[str, str]] = ()

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "check": self.check,
            "kind": self.kind,
            "asked": self.asked,
            "seat": self.seat,
            "seed": self.seed,
            "why": self.why,
            "view": self.view,
            "refused": [{"word": word, "reason": reason} for word, reason in self.refused],
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Failure:
        """Read the JSON form."""
        return cls(**{**data, "refused": tuple((line["word"], line["reason"]) for line in data["refused"])})

    def __str__(self) -> str:
        return f"{self.kind}, seat {self.seat}, {self.asked}: {self.why}"


@dataclass(slots=True)
class Check:
    """How often one check was passed and failed, and its first failure."""

    name: str
    passed: int = 0
    failed: int = 0
    first: Failure | None = None


@dataclass(slots=True)
class CheckReport:
    """The outcome of `check_agent`.

    Attributes:
        agent: its name.
        seed: of the suite.
        checks: by name, in order.
        kinds: how many positions of each kind were answered.
        failures: all of them.
        seconds: what each answer took, by `new_game`, `clue` and `guess`.
        refusals: clues that were refused by the law, and asked for again.
        waited: seconds spent on answers that did not come, or came as an error.
        lost: positions that took the agent's process with them, where it had one.
    """

    agent: str = ""
    seed: int = 0
    checks: dict[str, Check] = field(default_factory=lambda: {name: Check(name) for name in CHECKS})
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"new_game": [], "clue": [], "guess": []})
    refusals: int = 0
    waited: float = 0.0
    lost: int = 0

    @property
    def given_up(self) -> bool:
        """Whether nothing more was asked, as too many answers had not come."""
        return self.waited > PATIENCE or self.lost >= MOST_LOST

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    @property
    def positions(self) -> int:
        """Positions the agent was asked in."""
        return self.kinds.total()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is allowed and yet worth a look."""
        longest = max((max(times, default=0.0) for times in self.seconds.values()), default=0.0)
        lines = []
        if self.given_up:
            lines.append("given up: too many answers did not come, so nothing more was asked")
        if longest > SLOW_SECONDS:
            lines.append(f"slow: the longest answer took {longest:.1f} s")
        if self.refusals:
            asked = len(self.seconds["clue"])
            lines.append(f"refused: {self.refusals} of {asked} clues were against the law; view.allows(word) tells")
        return tuple(lines)

    def passed(self, check: str) -> None:
        """Count a success."""
        self.checks[check].passed += 1

    def failed(self, failure: Failure) -> None:
        """Count a failure."""
        check = self.checks[failure.check]
        check.failed += 1
        check.first = check.first or failure
        self.failures.append(failure)

    def add(self, other: CheckReport) -> None:
        """Count in what was found elsewhere, or later."""
        self.kinds += other.kinds
        for failure in other.failures:
            self.failed(failure)
        for name, check in other.checks.items():
            self.checks[name].passed += check.passed
        for asked, times in other.seconds.items():
            self.seconds[asked] += times
        self.refusals += other.refusals
        self.waited += other.waited
        self.lost += other.lost

    def to_line(self) -> str:
        """What was found, as one line of JSON."""
        passed = {name: check.passed for name, check in self.checks.items()}
        failures = [failure.to_json() for failure in self.failures]
        found = {"kinds": self.kinds, "passed": passed, "failures": failures, "seconds": self.seconds}
        return json.dumps(found | {"refusals": self.refusals, "waited": self.waited, "lost": self.lost})

    @classmethod
    def read_line(cls, line: str) -> CheckReport:
        """Read what `to_line` wrote."""
        found = json.loads(line)
        report = cls(kinds=Counter(found["kinds"]), seconds=found["seconds"])
        report.refusals, report.waited, report.lost = (found[name] for name in ("refusals", "waited", "lost"))
        for name, count in found["passed"].items():
            report.checks[name].passed = count
        for failure in found["failures"]:
            report.failed(Failure.read(failure))
        return report

    def to_json(self) -> dict[str, Any]:
        """The document of `agents check --json`."""
        return {
            "schema": SCHEMA,
            "agent": self.agent,
            "ok": self.ok,
            "seed": self.seed,
            "positions": self.positions,
            "kinds": dict(self.kinds),
            "checks": [
                {"name": check.name, "about": CHECKS[check.name], "passed": check.passed, "failed": check.failed}
                for check in self.checks.values()
            ],
            "failures": [failure.to_json() for failure in self.failures],
            "seconds": {
                asked: {"count": len(times), "mean": round(sum(times) / len(times), 6), "longest": round(max(times), 6)}
                for asked, times in self.seconds.items()
                if times
            },
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        rows = [f"{self.agent}: {self.positions} positions of {len(self.kinds)} kinds, seed {self.seed}"]
        for check in self.checks.values():
            if check.passed or check.failed:
                rows.append(f"  {check.name:12} {check.passed:5} passed {check.failed:5} failed   {CHECKS[check.name]}")
            if check.first is not None:
                rows.append(f"    first: {check.first}")
        rows += [
            f"  {asked}: {1000 * sum(times) / len(times):.1f} ms in the mean, {1000 * max(times):.1f} ms at the longest"
            for asked, times in self.seconds.items()
            if times
        ]
        rows += [f"  warning: {line}" for line in self.warnings]
        rows.append("ok" if self.ok else f"{len(self.failures)} failures")
        return "\n".join(rows)
