"""Reading a `view` (INTERFACES §5) back into an observation: how a table outside the program comes in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from brushpass.duet.core.actions import Clue
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import (
    AGENTS,
    CARD_COUNT,
    COLOR_COUNTS,
    PAIR_COUNTS,
    BySeat,
    Card,
    Color,
    KeySide,
    Mask,
    Seat,
    mask_of,
)
from brushpass.duet.core.events import (
    CardTouched,
    ClueGiven,
    Event,
    SideFinished,
    Stopped,
    SuddenDeathBegan,
    Yielded,
)
from brushpass.duet.core.mission import MAX_TURNS, Mission
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.rules import MAX_NUMBER
from brushpass.duet.core.table import TableRules
from brushpass.duet.observation import Observation
from brushpass.errors import BrushpassError, CorruptData

GREENS: Final = COLOR_COUNTS[Color.GREEN]


def load_view(path: Path) -> Observation:
    """The observation in the JSON file at `path`: see `read_view`.

    Raises:
        CorruptData: the file cannot be read, is not JSON, or holds no board.
    """
    try:
        return read_view(json.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise CorruptData(f"cannot read board {path}: {error.strerror}") from None
    except CorruptData as error:
        raise CorruptData(f"board {path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise CorruptData(f"board {path} is not JSON: {error}") from None


def read_view(data: object) -> Observation:
    """The observation that `data` (parsed JSON) describes.

    `words` and `key` are needed; what else is left out is as at the start of a standard game, seat A. A found
    card that is not among `seen` was found by the partner. Keys that a view does not have are ignored.

    Raises:
        CorruptData: a key is missing or holds what cannot be.
    """
    if not isinstance(data, dict):
        raise CorruptData("a board is a JSON object with words and key")
    for key in ("words", "key"):
        if key not in data:
            raise CorruptData(f"key {key!r} is missing: a board is words (25) and key (25 letters G, T, B)")
    try:
        return _read(data)
    except CorruptData:
        raise
    except BrushpassError as error:
        raise CorruptData(str(error)) from None


def _read(data: Mapping[str, Any]) -> Observation:
    words = Board(tuple(_list(data, "words"))).words
    seat = _seat(data.get("seat", "A"), "seat")
    colors = {_place(card): _color(color) for card, color in _object(data, "seen").items()}
    found = mask_of(_cards(data, "found"))
    own = mask_of(card for card, color in colors.items() if color is Color.GREEN)
    if own & ~found:
        raise CorruptData("seen tells of green cards that found does not list")
    key = KeySide.parse(data["key"])
    marks = _object(data, "marks")
    missed = BySeat(mask_of(_cards(marks, "A")), mask_of(_cards(marks, "B")))
    phase = _phase(data.get("phase", Phase.CLUE_ANY))
    _check_counts(key, own, missed.of(seat))
    if found.bit_count() >= AGENTS and phase not in {Phase.WON, Phase.LOST}:
        raise CorruptData(f"found lists {found.bit_count()} cards; with the {AGENTS}th agent the game is over")
    finished = [_seat(side, "finished") for side in _list(data, "finished")]
    done = (seat.other, own.bit_count() == GREENS), (seat, not key.greens & ~found)
    finished += [side for side, ended in done if ended and side not in finished]
    rules = {"order": data.get("order"), "clue_law": data.get("law"), "relax": data.get("relax")}
    mission = Mission(data.get("turns", 9), data.get("mistakes", data.get("turns", 9)))
    bank = _object(data, "bank")
    checks = _object(data, "checks")
    giver = None if data.get("giver") is None else _seat(data["giver"], "giver")
    hits = _count(data.get("hits", 0), "hits", CARD_COUNT)
    return Observation(
        seat=seat,
        giver=giver,
        phase=phase,
        words=words,
        key=key,
        found=BySeat(0, 0).put(seat, own).put(seat.other, found & ~own),
        marks=missed,
        mission=mission,
        rules=TableRules.read({key: value for key, value in rules.items() if value is not None}),
        check=_count(bank.get("check", mission.turns - mission.mistakes), "bank.check", MAX_TURNS),
        bystander=_count(bank.get("bystander", mission.mistakes), "bank.bystander", MAX_TURNS),
        checks=BySeat(*(_count(checks.get(str(side), 0), "checks", MAX_TURNS) for side in Seat)),
        clue=None if data.get("clue") is None else _clue(_object(data, "clue")),
        finished=tuple(sorted(finished)),
        hits=hits,
        history=tuple(_event(line) for line in _list(data, "history")),
        must_guess=_flag(data.get("must_guess", phase is Phase.GUESS and giver is not seat and not hits)),
    )


def _check_counts(key: KeySide, found: Mask, missed: Mask) -> None:
    """Refuse more of the partner's colors than can lie under the own ones (DUET §2)."""
    for own in Color:
        for partner, cards, word in ((Color.GREEN, found, "seen"), (Color.TAN, missed, "marks")):
            count, most = (key.mask(own) & cards).bit_count(), PAIR_COUNTS[own, partner]
            if count > most:
                raise CorruptData(
                    f"{word} has {count} of the partner's {partner.name.lower()} cards that are {own.name.lower()} "
                    f"on the own side; there are {most}"
                )


def _event(line: object) -> Event:
    match line:
        case ["clue", side, str(word), number]:
            return ClueGiven(_seat(side, "history"), word, _count(number, "history", MAX_NUMBER))
        case ["guess", side, card, color]:
            return CardTouched(_seat(side, "history"), _card(card, "history"), _color(color))
        case ["stop", side]:
            return Stopped(_seat(side, "history"))
        case ["yield", side]:
            return Yielded(_seat(side, "history"))
        case ["finished", side]:
            return SideFinished(_seat(side, "history"))
        case ["sudden_death"]:
            return SuddenDeathBegan()
        case _:
            raise CorruptData(f"history holds {line!r}, which is no event")


def _clue(data: Mapping[str, Any]) -> Clue:
    if not isinstance(data.get("word"), str):
        raise CorruptData(f"clue word {data.get('word')!r} is not text")
    return Clue(data["word"], _count(data.get("number"), "clue number", MAX_NUMBER))


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if value is not None and not isinstance(value, list):
        raise CorruptData(f"{key} {value!r} is not a list")
    return value or []


def _object(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    if value is not None and not isinstance(value, dict):
        raise CorruptData(f"{key} {value!r} is not an object")
    return value or {}


def _cards(data: Mapping[str, Any], key: str) -> list[Card]:
    return [_card(value, key) for value in _list(data, key)]


def _card(value: object, what: str) -> Card:
    return _count(value, f"{what}: card", CARD_COUNT - 1)


def _place(key: str) -> Card:
    return _card(int(key) if key.isdecimal() and key.isascii() and len(key) < 3 else key, "seen")


def _count(value: object, what: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise CorruptData(f"{what} {value!r} is not a whole number from 0 to {most}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise CorruptData(f"must_guess {value!r} is neither true nor false")
    return value


def _seat(value: object, what: str) -> Seat:
    if value not in list(Seat):
        raise CorruptData(f"{what} {value!r} is not a seat, A or B")
    return Seat(str(value))


def _color(value: object) -> Color:
    if value not in list(Color):
        raise CorruptData(f"color {value!r} is none of G, T, B")
    return Color(str(value))


def _phase(value: object) -> Phase:
    if value not in list(Phase):
        raise CorruptData(f"phase {value!r} is none of {', '.join(Phase)}")
    return Phase(str(value))
