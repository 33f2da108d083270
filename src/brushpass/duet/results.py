"""The tables of a run: what its records add up to, by pair and by city (INTERFACES §2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Protocol, TypedDict

import msgspec

from brushpass.arena.stats import Interval, Mean, around, clustered_rate, known, mean, mean_of_sums, wilson
from brushpass.duet.core.cards import AGENTS
from brushpass.duet.core.mission import Mission
from brushpass.duet.memory import memory_of

SCHEMA: Final = 1


@dataclass(slots=True)
class Cell:
    """Counts of some games."""

    games: int = 0
    wins: int = 0
    assassin: int = 0
    sudden_death_wins: int = 0
    sudden_death_losses: int = 0
    cannot_pay: int = 0
    failures: int = 0
    turns: int = 0
    numbers: int = 0
    found: int = 0
    found_squared: int = 0

    def add(self, record: dict[str, Any]) -> None:
        """Count one record."""
        self.games += 1
        numbers = [action[3] for action in record["actions"] if action[0] == "clue"]
        self.turns += len(numbers)
        self.numbers += sum(numbers)
        agents = found(record)
        self.found += agents
        self.found_squared += agents**2
        if record["outcome"] == "won":
            self.wins += 1
            self.sudden_death_wins += record["sudden_death"]
            return
        match record["reason"]:
            case "assassin":
                self.assassin += 1
            case "sudden_death":
                self.sudden_death_losses += 1
            case "cannot_pay":
                self.cannot_pay += 1
            case _:
                self.failures += 1

    def __add__(self, other: Cell) -> Cell:
        return Cell(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def interval(self) -> Interval:
        """95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def mean_found(self) -> Interval:
        """Agents found a game, of 15, with the 95 % interval; NaN where nothing is known."""
        return found_interval(mean_of_sums(self.found, self.found_squared, self.games))

    @property
    def win_rate(self) -> float:
        """Wins over games."""
        return _ratio(self.wins, self.games)

    @property
    def mean_turns(self) -> float:
        """Clues a game."""
        return _ratio(self.turns, self.games)

    @property
    def mean_number(self) -> float:
        """The number said, over all clues."""
        return _ratio(self.numbers, self.turns)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def found(record: Mapping[str, Any]) -> int:
    """How many of the 15 agents a recorded game found: a guess is judged by the partner's side of the key."""
    keys = {"A": record["key_b"], "B": record["key_a"]}
    guesses = [(action[1], action[2]) for action in record["actions"] if action[0] == "guess"]
    return len({card for seat, card in guesses if keys[seat][card] == "G"})


def found_interval(of: Mean) -> Interval:
    """The 95 % interval of a mean of agents found."""
    return around(of, 0, AGENTS)


def found_json(interval: Interval) -> dict[str, float | None]:
    """A mean of agents found as JSON, null where nothing is known."""
    return {
        "mean_found": known(interval.value),
        "found_low": known(interval.low),
        "found_high": known(interval.high),
    }


class _Counted(TypedDict):
    """What tables count of a record; its other keys are passed over unread."""

    id: str
    key_a: str
    key_b: str
    actions: list[list[Any]]
    outcome: str
    reason: str | None
    sudden_death: bool


def _parsed(line: str, decoder: msgspec.json.Decoder[Any]) -> Any:  # noqa: ANN401 - parsed JSON
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeEncodeError):  # half a surrogate, which a record may hold
        return json.loads(line)


class Tally:
    """Counts by (pair, condition).

    `memories` are the pairs that remember games, and how many in a row: such games are one piece of evidence together.
    """

    decoder: ClassVar[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(_Counted)
    """Reads of a record what is counted."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, str], Cell] = {}
        self.memories: dict[int, int] = {}
        self._rows: dict[tuple[int, str, int], list[tuple[bool, int]]] = {}

    def add_lines(self, lines: Iterable[str]) -> None:
        """Count records of a run."""
        for line in lines:
            record = _parsed(line, self.decoder)
            pair, condition, _ = read_id(record["id"])
            self.add(pair, condition, record)

    def add(self, pair: int, condition: str, record: dict[str, Any]) -> None:
        """Count one record."""
        self.cells.setdefault((pair, condition), Cell()).add(record)
        if memory := self.memories.get(pair):
            row = read_id(record["id"])[2] // memory
            self._rows.setdefault((pair, condition, row), []).append((record["outcome"] == "won", found(record)))

    def interval(self, pair: int, condition: str | None = None) -> Interval:
        """The win rate of a pair, under one condition or all, with its interval, clustered by what it remembers."""
        games, rows = self._remembered(pair, condition)
        if not rows:
            return self._counts(pair, condition).interval
        return clustered_rate([won for won, _ in games], rows)

    def mean_found(self, pair: int, condition: str | None = None) -> Interval:
        """The agents found a game, likewise."""
        games, rows = self._remembered(pair, condition)
        if not rows:
            return self._counts(pair, condition).mean_found
        return found_interval(mean([agents for _, agents in games], rows))

    def _remembered(self, pair: int, condition: str | None) -> tuple[list[tuple[bool, int]], list[int]]:
        """Whether each game of a pair that remembers was won, the agents it found, and the number of its row."""
        mine = sorted(place for place in self._rows if place[0] == pair and condition in {None, place[1]})
        rows = [self._rows[place] for place in mine]
        return [game for row in rows for game in row], [place for place, row in enumerate(rows) for _ in row]

    def _counts(self, pair: int, condition: str | None) -> Cell:
        return self.pair(pair) if condition is None else self.cell(pair, condition)

    def cell(self, pair: int, condition: str) -> Cell:
        """The counts of one pair under one condition."""
        return self.cells.get((pair, condition), Cell())

    def pair(self, pair: int) -> Cell:
        """The counts of one pair over all conditions."""
        return sum((cell for (number, _), cell in self.cells.items() if number == pair), Cell())


def read_id(name: str) -> tuple[int, str, int]:
    """Pair, condition and index of a game of a run, from its id `pair-condition-index`."""
    pair, _, rest = name.partition("-")
    condition, _, index = rest.rpartition("-")
    return int(pair), condition, int(index)


class Thinking(Protocol):
    """What a run's tables say of a mind."""

    @property
    def name(self) -> str: ...  # noqa: D102 - plain fields
    @property
    def sha256(self) -> str: ...  # noqa: D102 - plain fields
    @property
    def ingredients(self) -> tuple[str, ...]: ...  # noqa: D102 - plain fields


@dataclass(frozen=True)
class Pairing:
    """Two specs that play together, and the minds they think in (None for an agent without one)."""

    a: str
    b: str
    mind_a: Thinking | None = None
    mind_b: Thinking | None = None

    @property
    def mirror(self) -> bool:
        """Whether both think in the same mind: such a win rate says nothing of play with another."""
        return None not in (self.mind_a, self.mind_b) and self._hashes[0] == self._hashes[1]

    @property
    def memory(self) -> int:
        """How many games in a row they remember; 1 if neither does."""
        return memory_of((self.a, self.b))

    @property
    def _hashes(self) -> tuple[str | None, ...]:
        return tuple(None if mind is None else mind.sha256 for mind in (self.mind_a, self.mind_b))

    @property
    def shared_ingredients(self) -> tuple[str, ...]:
        """What both minds were made from."""
        if self.mind_a is None or self.mind_b is None:
            return ()
        return tuple(sorted({*self.mind_a.ingredients} & {*self.mind_b.ingredients}))


@dataclass
class Report:
    """All tables of a run. `tables` are its conditions in the map's order, each with its mission."""

    pairings: tuple[Pairing, ...]
    tables: tuple[tuple[str, Mission], ...]
    seed: int
    tally: Tally = field(default_factory=Tally)
    games_per_second: float = 0.0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.tally.memories = {
            number: pairing.memory for number, pairing in enumerate(self.pairings) if pairing.memory > 1
        }

    def to_json(self) -> dict[str, Any]:
        """The document of `bench --json`."""
        return {
            "schema": SCHEMA,
            "pairs": [self._pair(number, pairing) for number, pairing in enumerate(self.pairings)],
            "games_per_second": round(self.games_per_second, 2),
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
        }

    def _pair(self, number: int, pairing: Pairing) -> dict[str, Any]:
        whole = self.tally.pair(number)
        _, low, high = self.tally.interval(number)
        return {
            "a": pairing.a,
            "b": pairing.b,
            "mirror": pairing.mirror,
            "shared_ingredients": list(pairing.shared_ingredients),
            "memory": pairing.memory,
            "models": [
                mind and {"name": mind.name, "sha256": mind.sha256} for mind in (pairing.mind_a, pairing.mind_b)
            ],
            "games": whole.games,
            "wins": whole.wins,
            "win_rate": whole.win_rate,
            "low": low,
            "high": high,
            "assassin_rate": _ratio(whole.assassin, whole.games),
            "mean_turns": whole.mean_turns,
            **found_json(self.tally.mean_found(number)),
            "failures": whole.failures,
            "cities": [self._city(number, name, mission) for name, mission in self.tables],
        }

    def _city(self, number: int, name: str, mission: Mission) -> dict[str, Any]:
        cell = self.tally.cell(number, name)
        _, low, high = self.tally.interval(number, name)
        return {
            "city": name,
            "turns": mission.turns,
            "mistakes": mission.mistakes,
            "games": cell.games,
            "wins": cell.wins,
            "low": low,
            "high": high,
            "assassin": cell.assassin,
            "sudden_death_wins": cell.sudden_death_wins,
            "sudden_death_losses": cell.sudden_death_losses,
            "cannot_pay": cell.cannot_pay,
            "failures": cell.failures,
            "mean_turns": cell.mean_turns,
            "mean_number": cell.mean_number,
            **found_json(self.tally.mean_found(number, name)),
        }
