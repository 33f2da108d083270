"""What the bot believes of the people it plays with: a file a person, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from reprlib import repr as brief
from typing import Any, Final
from unicodedata import category

import numpy as np

from brushpass import paths
from brushpass.atomic import locked, write_durably
from brushpass.duet.agents.evidence import Habit
from brushpass.duet.agents.profile import HEATS, Profile
from brushpass.errors import CorruptData, InvalidSetup, UnknownName
from brushpass.lexicon.normalize import fold
from brushpass.registry import unknown

SCHEMA: Final = 1
FOLDER: Final = "partners"
SUFFIX: Final = ".json"
LONGEST: Final = 40
MOST: Final = 10**9
"""No count in a file is greater."""
PATIENCE: Final = 10.0
"""Seconds to wait for another game that is writing the file."""


def default_folder() -> Path:
    """`partners` in `$BRUSHPASS_DATA` or the user's data folder."""
    return paths.own_data() / FOLDER


def partners(folder: Path | None = None) -> list[PartnerFile]:
    """The files there are, by name; any other that lies there is none of ours."""
    found = sorted((folder or default_folder()).glob(f"*{SUFFIX}"))
    return [PartnerFile(path.stem, path.parent) for path in found if path.is_file() and _is_name(path.stem)]


class PartnerFile:
    """The file of the person called `name`; upper and lower case are alike.

    Raises:
        InvalidSetup: a name that is empty, too long, begins with - as options do, or has other characters than letters,
            digits, spaces, - and _.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.name = " ".join(name.split())
        if not _is_name(fold(self.name)):
            signs = f"up to {LONGEST} letters, digits, spaces, _ and, not first, -"
            raise InvalidSetup(f"{name!r} is no name of a person: {signs}")
        self.path = (folder or default_folder()) / f"{fold(self.name).replace(' ', '-')}{SUFFIX}"

    def read(self) -> Profile | None:
        """What is believed; None of a person not yet known.

        Raises:
            CorruptData: the file cannot be read, or holds something else.
        """
        try:
            return _read(json.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CorruptData(f"cannot read {self.path}: {error.strerror}") from None
        except (LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
            why = error if isinstance(error, CorruptData) else f"{type(error).__name__}: {error}"
            raise CorruptData(
                f"{self.path} is no profile of a partner ({why}); mend it, or drop it: brushpass partner forget {self}"
            ) from None

    def get(self) -> Profile:
        """What is believed.

        Raises:
            UnknownName: nothing.
            CorruptData: as `read`.
        """
        profile = self.read()
        if profile is None:
            raise self._unknown()
        return profile

    def update(self, change: Callable[[Profile | None], Profile]) -> Profile:
        """Write what `change` makes of the belief as it is in the file now.

        Raises:
            CorruptData: as `read`; nothing is written.
            OSError: the file cannot be written; what it held is still there.
        """
        with locked(self.path, PATIENCE):
            profile = change(self.read())
            write_durably(self.path, json.dumps(_to_json(profile), ensure_ascii=False, indent=1) + "\n")
        return profile

    def forget(self) -> None:
        """Delete the file, whatever it holds, and what a program killed while writing it left beside it.

        Raises:
            UnknownName: there is none.
        """
        try:
            self.path.unlink()
        except FileNotFoundError:
            raise self._unknown() from None
        lock, drafts = self.path.with_name(f"{self.path.name}.lock"), self.path.parent.glob(f".{self.path.name}.*")
        for left in (lock, *drafts):
            left.unlink(missing_ok=True)

    def _unknown(self) -> UnknownName:
        return unknown("partner", self.name, [str(one) for one in partners(self.path.parent)])

    def __str__(self) -> str:
        return self.path.stem


def _is_name(text: str) -> bool:
    """Whether these are letters, with their accents and vowel signs, and digits; among them spaces, _ and -."""
    letters = [sign for sign in text if sign not in " -_"]
    return (
        not text.startswith("-")
        and 0 < len(letters) <= len(text) <= LONGEST
        and all(sign.isalnum() or category(sign)[0] == "M" for sign in letters)
    )


def _to_json(profile: Profile) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "game": "duet",
        "games": profile.games,
        "clues": profile.clues,
        "touches": profile.touches,
        "habit": profile.habit._asdict(),
        "last_game": profile.last,
        "panel": list(profile.panel),
        "temperatures": list(HEATS),
        "log_likelihoods": [
            {"minds": sorted(minds, key=profile.panel.index), "values": [round(value, 4) for value in row.tolist()]}
            for minds, row in zip(profile.mixtures(), profile.logs, strict=True)
        ],
    }


def _read(data: Mapping[str, Any]) -> Profile:
    """Read the JSON form; what is none raises LookupError, TypeError or ValueError."""
    if data["schema"] != SCHEMA:
        raise CorruptData(f"schema {brief(data['schema'])}, this version reads {SCHEMA}")
    if tuple(data["temperatures"]) != HEATS:
        raise CorruptData(f"temperatures other than {', '.join(map(str, HEATS))}")
    minds = len(data["panel"])
    if len(data["log_likelihoods"]) != minds * (minds + 1) // 2:
        raise CorruptData("log_likelihoods that are not of each mind and every two")
    blank = Profile.blank([_text(name) for name in data["panel"]])
    rows = {frozenset(row["minds"]): row["values"] for row in data["log_likelihoods"]}
    logs = np.array([rows[minds] for minds in blank.mixtures()], np.float64)
    if logs.shape != blank.logs.shape or not np.isfinite(logs).all():
        raise CorruptData(f"log_likelihoods that are not {len(HEATS)} numbers each")
    habit = data["habit"]
    return Profile(
        panel=blank.panel,
        logs=logs,
        games=_count(data["games"]),
        clues=_count(data["clues"]),
        touches=_count(data["touches"]),
        habit=Habit(*(_count(habit[name]) for name in Habit._fields)),
        last=_text(data.get("last_game", "")),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise CorruptData(f"{brief(value)} where text should be")
    return value


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise CorruptData(f"{brief(value)} where a count should be")
    return value
