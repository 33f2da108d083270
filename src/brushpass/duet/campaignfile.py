"""The file that keeps campaigns: written whole or not at all, by one program at a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from reprlib import repr as brief
from types import UnionType
from typing import Any, Final, TypeVar

from brushpass import paths
from brushpass.atomic import locked, write_durably
from brushpass.duet.campaign import Campaign, Result, Travel, one_line
from brushpass.duet.core.mission import find_city
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.missionmap import MissionMap
from brushpass.errors import BrushpassError, CorruptData, InvalidSetup, UnknownName
from brushpass.lexicon.normalize import fold
from brushpass.registry import unknown

SCHEMA: Final = 1
FILE: Final = "campaigns.json"
PATIENCE: Final = 10.0
"""Seconds to wait for another program that is writing the file."""

E = TypeVar("E", bound=StrEnum)


def default_path() -> Path:
    """`campaigns.json` in `$BRUSHPASS_DATA` or the user's data folder."""
    return paths.own_data() / FILE


class CampaignFile:
    """The campaigns in one file; a file that is not there has none.

    Every method raises CorruptData for a file that cannot be read, which is then never written; those that write
    raise OSError where that fails, and leave the old file.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = (path or default_path()).expanduser().resolve()

    def read(self) -> tuple[Campaign, ...]:
        """All campaigns, oldest first."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise CorruptData(f"cannot read campaigns {self.path}: {error.strerror}") from None
        try:
            return _read(json.loads(text))
        except RecursionError:
            reason = "nested too deeply"
        except (BrushpassError, ValueError) as error:
            reason = str(error)
        raise CorruptData(f"{self.path} is no file of campaigns: {reason}; mend it, move it away or choose another")

    def get(self, name: str | None = None) -> Campaign:
        """The campaign called `name`, or without a name the only one.

        Raises:
            UnknownName: no such campaign, or none at all.
            InvalidSetup: no name where there are several.
        """
        return _find(self.read(), name)

    def add(self, campaign: Campaign) -> None:
        """Keep one more.

        Raises:
            InvalidSetup: its name is taken.
        """
        with locked(self.path, PATIENCE):
            kept = self.read()
            if fold(campaign.name) in {fold(other.name) for other in kept}:
                raise InvalidSetup(f"campaign {campaign.name!r} is there already; name another or drop it first")
            self._write((*kept, campaign))

    def update(self, name: str | None, change: Callable[[Campaign], Campaign]) -> Campaign:
        """Replace the campaign called `name` (see `get`) by what `change` makes of it as the file has it now."""
        with locked(self.path, PATIENCE):
            kept = self.read()
            old = _find(kept, name)
            new = change(old)
            self._write(tuple(new if campaign is old else campaign for campaign in kept))
        return new

    def drop(self, name: str) -> Campaign:
        """Forget the campaign called `name`, and return it.

        Raises:
            UnknownName: no such campaign.
        """
        with locked(self.path, PATIENCE):
            kept = self.read()
            old = _find(kept, name)
            self._write(tuple(campaign for campaign in kept if campaign is not old))
        return old

    def _write(self, campaigns: tuple[Campaign, ...]) -> None:
        data = {"schema": SCHEMA, "campaigns": [_to_json(campaign) for campaign in campaigns]}
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        write_durably(self.path, text)


def _find(campaigns: tuple[Campaign, ...], name: str | None) -> Campaign:
    names = [campaign.name for campaign in campaigns]
    if not names:
        raise UnknownName("there is no campaign yet; begin one with: brushpass campaign new")
    if name is None:
        if len(names) > 1:
            raise InvalidSetup(f"there are several campaigns: say which of {', '.join(names)}")
        return campaigns[0]
    for campaign in campaigns:
        if fold(campaign.name) == fold(name):
            return campaign
    raise unknown("campaign", name, names)


# ------------------------------------------------------------------ the JSON form


def _to_json(campaign: Campaign) -> dict[str, Any]:
    return {
        "name": campaign.name,
        "travel": str(campaign.travel),
        "map": {"source": campaign.map.source, "edges": [" - ".join(edge) for edge in sorted(campaign.map.edges)]},
        "current": campaign.current,
        "log": [result.to_json() for result in campaign.log],
        "notes": [{"city": note.city, "text": note.text} for note in campaign.notes],
    }


def _read(data: object) -> tuple[Campaign, ...]:
    """The campaigns of a file's JSON. An unknown key is refused: writing the file again would lose it."""
    if isinstance(data, dict) and data.get("schema") != SCHEMA:
        raise CorruptData(f"schema {brief(data.get('schema'))} is not {SCHEMA}, the one this version reads")
    _, listed = _values(data, schema=int, campaigns=list)
    campaigns = tuple(_read_campaign(one) for one in listed)
    names = [fold(campaign.name) for campaign in campaigns]
    for name in names:
        if names.count(name) > 1:
            raise CorruptData(f"two campaigns are called {name!r}")
    return campaigns


def _read_campaign(data: object) -> Campaign:
    name, travel, lines, current, log, notes = _values(
        data, name=str, travel=str, map=dict, current=str, log=list, notes=list
    )
    source, edges = _values(lines, source=str, edges=list)
    campaign = Campaign(
        name=name,
        map=MissionMap.of((_read_edge(edge) for edge in edges), one_line(source)),
        travel=_member(Travel, travel),
        log=tuple(_read_result(result) for result in log),
    )
    for note in notes:
        campaign = campaign.noted(*_values(note, city=str, text=str))
    return campaign.travelled(current)


def _read_edge(data: object) -> tuple[str, str]:
    match data.split(" - ") if isinstance(data, str) else ():
        case [first, second]:
            return first, second
    raise CorruptData(f"{brief(data)} is not a line between two cities")


def _read_result(data: object) -> Result:
    city, outcome, reason, sudden_death, turns_used, agents, seed = _values(
        data,
        city=str,
        outcome=str,
        reason=str | None,
        sudden_death=bool,
        turns_used=int,
        agents=list | None,
        seed=int | None,
    )
    match agents:
        case None:
            pair = None
        case [str(a), str(b)]:
            pair = one_line(a), one_line(b)
        case _:
            raise CorruptData(f"agents {brief(agents)} are not two specs")
    return Result(
        city=find_city(city).name,
        outcome=_member(Outcome, outcome),
        reason=None if reason is None else _member(Reason, reason),
        sudden_death=sudden_death,
        turns_used=turns_used,
        agents=pair,
        seed=seed,
    )


def _member(kind: type[E], value: str) -> E:
    if value not in list(kind):
        raise CorruptData(f"{brief(value)} is none of {', '.join(kind)}")
    return kind(value)


def _values(data: object, **kinds: type | UnionType) -> tuple[Any, ...]:
    """The values of a JSON object that has exactly the keys of `kinds`, each of its kind, in their order."""
    if not isinstance(data, dict):
        raise CorruptData(f"{brief(data)} is not a JSON object")
    if data.keys() != kinds.keys():
        odd = min(data.keys() ^ kinds.keys())
        raise CorruptData(f"key {brief(odd)} is {'unknown' if odd in data else 'missing'}")
    for key, kind in kinds.items():
        if not isinstance(data[key], kind) or (isinstance(data[key], bool) and kind is not bool):
            raise CorruptData(f"{key} {brief(data[key])} cannot be")
    return tuple(data[key] for key in kinds)
