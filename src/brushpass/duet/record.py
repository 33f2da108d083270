"""Game records: set-up, actions and provenance; everything else is replay (INTERFACES §4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from reprlib import repr as brief
from typing import Any, Final

import msgspec
from msgspec import Struct

from brushpass import __version__
from brushpass.arena.journal import GAMES
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Action, Clue, Guess, Stop, Yield
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.cluelaw import ClueLaw, Ruling
from brushpass.duet.core.events import ClueGiven, Event
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission, find_city
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import Setup, State
from brushpass.duet.core.table import TableRules
from brushpass.duet.usage import Usage
from brushpass.errors import BrushpassError, CorruptData, IllegalAction, UnknownName

SCHEMA: Final = 1
GAME: Final = "duet"
PENALTY: Final = "penalty"
_LONGEST: Final = 200
"""How much of a refusal, which may quote a whole recorded clue, an error repeats."""
REQUIRED: Final = (
    *("schema", "id", "game", "turns", "mistakes", "words", "key_a", "key_b"),
    *("first", "actions", "outcome", "reason"),
)
_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
"""For what msgspec refuses: text that is no Unicode, text of an agent's own class."""
_ACTIONS: Final[Mapping[str, tuple[type[Any], int]]] = {
    "clue": (Clue, 2),
    "guess": (Guess, 1),
    "stop": (Stop, 0),
    "yield": (Yield, 0),
}


class _AnyWord(ClueLaw):
    """The law of a record that names no rules: its clue words are not checked."""

    def check(self, clue: object, visible: Sequence[str]) -> Ruling:
        del clue, visible
        return Ruling()


class Move(Struct, frozen=True):
    """One recorded action; `penalised` for a clue that broke the law and stood."""

    seat: Seat
    action: Action
    penalised: bool = False

    def to_json(self) -> list[Any]:
        """`["clue", seat, word, number]` and its like."""
        action, seat = self.action, str(self.seat)
        if isinstance(action, Guess):
            return ["guess", seat, action.card]
        if isinstance(action, Clue):
            return ["clue", seat, action.word, action.number, *([PENALTY] if self.penalised else [])]
        return ["stop" if isinstance(action, Stop) else "yield", seat]

    @classmethod
    def read(cls, data: object) -> Move:
        """Read the JSON form; what it does is for the rules to judge.

        Raises:
            CorruptData: not an action.
        """
        if not isinstance(data, list) or len(data) < 2 or data[0] not in list(_ACTIONS) or data[1] not in list(Seat):
            raise CorruptData(f"{brief(data)} is not an action")
        kind, arity = _ACTIONS[data[0]]
        penalised = kind is Clue and data[4:] == [PENALTY]
        values = data[2:4] if penalised else data[2:]
        if len(values) != arity or (kind is Clue and not isinstance(values[0], str)):
            raise CorruptData(f"{brief(data)} is not an action")
        return cls(Seat(data[1]), kind(*values), penalised)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. `claims` are the checkable extras of a record read from a file."""

    id: str | int
    setup: Setup
    moves: tuple[Move, ...]
    outcome: Outcome
    reason: Reason | None
    seed: int | None = None
    city: str | None = None
    agents: tuple[str, str] | None = None
    score: int | None = None
    sudden_death: bool = False
    trace: Any = None
    usage: Usage = field(default_factory=dict)
    """What a game has cost each seat whose player is metered."""
    claims: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def turns_used(self) -> int:
        """Clues given."""
        return sum(isinstance(move.action, Clue) for move in self.moves)

    @property
    def first(self) -> Seat:
        """The seat of the first clue (A where none was given and the set-up left it open)."""
        return self.setup.first or next((move.seat for move in self.moves), Seat.A)

    def to_line(self) -> str:
        """The record as one line of `games.jsonl`, without its end; text that is no Unicode is escaped."""
        setup = self.setup
        data = {
            "schema": SCHEMA,
            "id": self.id,
            "game": GAME,
            "version": __version__,
            "seed": self.seed,
            "city": self.city,
            "turns": setup.mission.turns,
            "mistakes": setup.mission.mistakes,
            "words": setup.board.words,
            "key_a": str(setup.keys.a),
            "key_b": str(setup.keys.b),
            "first": self.first,
            "rules": None if isinstance(setup.law, _AnyWord) else setup.rules.to_json(),
            "agents": self.agents,
            "actions": [move.to_json() for move in self.moves],
            "outcome": self.outcome,
            "reason": self.reason,
            "turns_used": self.turns_used,
            "score": self.score,
            "sudden_death": self.sudden_death,
            "trace": self.trace,
            **({"usage": self.usage} if self.usage else {}),
        }
        try:
            return msgspec.json.encode(data).decode()
        except (TypeError, UnicodeEncodeError):
            return _COMPACT.encode(data).encode(errors="backslashreplace").decode()


def read_record(line: str) -> GameRecord:
    """The record on one line, as far as its parts make sense on their own.

    Raises:
        CorruptData: not JSON, a key missing, or a value that cannot be.
    """
    data = _read_head(line)
    try:
        setup = _read_setup(data)
    except BrushpassError as error:
        raise CorruptData(str(error)) from None
    if not isinstance(data["actions"], list):
        raise CorruptData("actions is not a list")
    return GameRecord(
        id=data["id"],
        setup=setup,
        moves=tuple(Move.read(move) for move in data["actions"]),
        outcome=_member(Outcome, "outcome", data["outcome"]),
        reason=None if data["reason"] is None else _member(Reason, "reason", data["reason"]),
        seed=data.get("seed"),
        city=data.get("city"),
        agents=_read_agents(data.get("agents")),
        score=data.get("score"),
        sudden_death=data.get("sudden_death", False),
        trace=data.get("trace"),
        usage=usage if isinstance(usage := data.get("usage"), dict) else {},
        claims={key: data[key] for key in ("city", "score", "turns_used", "sudden_death") if key in data},
    )


def _read_head(line: str) -> dict[str, Any]:
    try:
        line.encode()
        data = json.loads(line, parse_constant=_refuse_constant)
    except ValueError as error:
        raise CorruptData(f"not a whole JSON line ({error})") from None
    except RecursionError:
        raise CorruptData("not a game record: nested too deeply") from None
    if not isinstance(data, dict):
        raise CorruptData("not a JSON object")
    for key in REQUIRED:
        if key not in data:
            raise CorruptData(f"key {key!r} is missing")
    if type(data["schema"]) is not int or data["schema"] != SCHEMA:
        raise CorruptData(f"schema {brief(data['schema'])} is not {SCHEMA}, the one this version reads")
    if data["game"] != GAME:
        raise CorruptData(f"game {brief(data['game'])} is not {GAME!r}")
    if isinstance(data["id"], bool) or not isinstance(data["id"], str | int):
        raise CorruptData(f"id {brief(data['id'])} is neither text nor a whole number")
    return data


def _refuse_constant(name: str) -> None:
    raise CorruptData(f"{name} is not JSON")


def _read_agents(agents: object) -> tuple[str, str] | None:
    match agents:
        case [str(a), str(b)]:
            return a, b
        case _:
            return None


def _read_setup(data: Mapping[str, Any]) -> Setup:
    words = data["words"]
    if not isinstance(words, list):
        raise CorruptData("words is not a list")
    if data["first"] not in list(Seat):
        raise CorruptData(f"first {brief(data['first'])} is not a seat, A or B")
    table, law = TableRules(), ClueLaw()
    if data.get("rules") is None:
        law = _AnyWord()
    elif isinstance(data["rules"], dict):
        table = TableRules.read(data["rules"])
        law = ClueLaw(relax=table.relax)
    else:
        raise CorruptData("rules is not an object")
    return Setup(
        board=Board(tuple(words)),
        keys=KeyCard.parse(data["key_a"], data["key_b"]),
        mission=Mission(data["turns"], data["mistakes"]),
        first=Seat(data["first"]),
        rules=table,
        law=law,
    )


def _member(kind: type[StrEnum], name: str, value: object) -> Any:  # noqa: ANN401 - a member of whichever enum is asked
    if value not in list(kind):
        raise CorruptData(f"{name} {brief(value)} is none of {', '.join(kind)}")
    return kind(str(value))


def replay(record: GameRecord) -> Iterator[tuple[Move, State, tuple[Event, ...]]]:
    """Play the moves again: after each, the state and what happened.

    Raises:
        CorruptData: a move the rules refuse, or a penalty that does not agree with the clue law.
    """
    state = rules.new_game(record.setup)
    for number, move in enumerate(record.moves, 1):
        try:
            state, events = rules.step(state, move.seat, move.action)
        except IllegalAction as error:
            raise CorruptData(
                f"action {number} {brief(move.to_json())}: {error.code} {str(error)[:_LONGEST]}"
            ) from None
        if isinstance(events[0], ClueGiven) and events[0].penalised != move.penalised:
            wrong = (
                "is legal, yet recorded as penalised"
                if move.penalised
                else "breaks the clue law, yet no penalty is recorded"
            )
            raise CorruptData(f"action {number} {brief(move.to_json())}: the clue {wrong}")
        yield move, state, events


def verify(record: GameRecord) -> State:
    """Re-check a whole record; returns its final state.

    Raises:
        CorruptData: the replay is illegal, does not end with the last action, or gives something else than
            the record says.
    """
    state = rules.new_game(record.setup)
    for _, after, _ in replay(record):
        state = after
    over = state.phase in rules.OVER
    if record.reason is Reason.FORFEIT:
        if record.outcome is not Outcome.LOST or over:
            raise CorruptData("a forfeit is a lost game that the actions leave unfinished")
    elif not over:
        raise CorruptData(f"the actions leave the game unfinished in phase {state.phase}")
    else:
        outcome = Outcome.WON if state.phase is Phase.WON else Outcome.LOST
        if (record.outcome, record.reason) != (outcome, state.reason):
            raise CorruptData(
                f"recorded as {record.outcome} ({record.reason}), but the actions give {outcome} ({state.reason})"
            )
    _check_claims(record, state)
    return state


def _check_claims(record: GameRecord, state: State) -> None:
    claims = dict(record.claims)
    city = claims.pop("city", None)
    if city is not None:
        try:
            mission = find_city(city).mission if isinstance(city, str) else None
        except UnknownName:
            raise CorruptData(f"city {brief(city)} is not on the map") from None
        if mission != record.setup.mission:
            raise CorruptData(f"city {brief(city)} is not played with {record.setup.mission} tokens")
    truth = {"score": rules.score(state), "turns_used": record.turns_used, "sudden_death": state.sudden}
    for key, claimed in claims.items():
        if claimed != truth[key] or type(claimed) is not type(truth[key]):
            raise CorruptData(f"{key} is recorded as {brief(claimed)}, but the actions give {truth[key]!r}")


def read_records(path: str | Path) -> Iterator[GameRecord]:
    """The records of a `games.jsonl`, or of the run folder that holds one.

    Raises:
        CorruptData: the file cannot be read, or a line is not a record (the message names the line).
    """
    for number, line in read_lines(path):
        try:
            yield read_record(line)
        except CorruptData as error:
            raise CorruptData(f"{path}, line {number}: {error}") from None


def find_line(path: str | Path, game: str | None = None) -> tuple[int, str]:
    """The number and the text of the line of one game, without `game` the first. An id wins over a place from 1.

    Raises:
        CorruptData: the file cannot be read, or holds no game.
        UnknownName: no such game.
    """
    place = 1 if game is None else int(game) if re.fullmatch("[0-9]{1,9}", game) else 0
    there: tuple[int, str] | None = None
    count = 0
    for count, (number, line) in enumerate(read_lines(path), 1):
        if game is not None and (game in line or not game.isascii()) and str(id_of(line)) == game:
            return number, line
        if count == place:
            there = number, line
            if game is None:
                break
    if there is not None:
        return there
    if not count:
        raise CorruptData(f"{path} holds no game")
    raise UnknownName(f"{path} has no game {game!r}: name one of its {count} by id, or by number from 1")


def id_of(line: str) -> str | int | None:
    """The id a line claims, if so much of it can be read."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    name = data.get("id") if isinstance(data, dict) else None
    return name if isinstance(name, str | int) and not isinstance(name, bool) else None


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a records file (or of the run folder that holds one), blank ones left out.

    Raises:
        CorruptData: missing or unreadable. Bytes that are no UTF-8 are kept, as surrogates: their line fails alone.
    """
    file = Path(path)
    if file.is_dir():
        file /= GAMES
    try:
        with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise CorruptData(f"cannot read {file}: {error.strerror}") from None
