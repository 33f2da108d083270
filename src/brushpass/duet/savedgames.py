"""Where games on their way are kept: a file each, written whole after every action, and gone when the game is over."""

from __future__ import annotations

from contextlib import suppress
from glob import escape
from itertools import count
from pathlib import Path
from typing import Final

from brushpass import paths
from brushpass.atomic import write_durably
from brushpass.duet.agent import LeftTheTable
from brushpass.duet.savedgame import SavedGame
from brushpass.errors import CorruptData, InvalidSetup

FOLDER: Final = "games"
SUFFIX: Final = ".jsonl"


def default_folder() -> Path:
    """`games` in `$BRUSHPASS_DATA` or the user's data folder."""
    return paths.own_data() / FOLDER


class Overtaken(LeftTheTable):
    """Another program has gone on with the game, or ended it: what it kept is not written over."""


class Slot:
    """The file that one game is kept in; without a `path` a new one in `folder`, made at the first action."""

    def __init__(self, path: Path | None = None, folder: Path | None = None) -> None:
        self.path = path
        self._folder = folder or default_folder()
        self._held = b""

    def keep(self, game: SavedGame) -> None:
        """Write `game`, whole or not at all.

        Raises:
            Overtaken: the file no longer holds what was read from it, or written to it, last.
            OSError: the file cannot be written; what it held is still there.
        """
        if self.path is None:
            self.path = _unused(self._folder, game.id)
        if self._held != (self.path.read_bytes() if self.path.exists() else b""):
            raise Overtaken
        line = f"{game.to_line()}\n"
        write_durably(self.path, line)
        self._held = line.encode()

    def read(self) -> SavedGame:
        """The game kept.

        Raises:
            CorruptData: the file cannot be read, or holds something else.
        """
        try:
            self._held = self._file.read_bytes()
            return SavedGame.read(self._held.decode())
        except OSError as error:
            raise CorruptData(f"cannot read saved game {self._file}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise CorruptData(f"{self._file} is no saved game: it is not UTF-8") from None
        except CorruptData as error:
            raise CorruptData(f"{self._file} is no saved game: {error}") from None

    def clear(self) -> None:
        """The game is over: drop the file, and what a program killed while writing it left beside it."""
        if self.path is not None:
            for draft in self.path.parent.glob(f".{escape(self.path.name)}.*"):
                draft.unlink(missing_ok=True)
            self.path.unlink(missing_ok=True)

    @property
    def _file(self) -> Path:
        if self.path is None:
            raise CorruptData("nothing is saved yet")
        return self.path


def unfinished(folder: Path | None = None) -> list[Path]:
    """The files of the games' folder, the one played last first."""
    files = (folder or default_folder()).glob(f"*{SUFFIX}")
    times = [(path.stat(), path) for path in files if path.is_file()]
    return [path for stat, path in sorted(times, key=lambda one: one[0].st_mtime_ns, reverse=True) if stat.st_size]


def to_resume(
    path: Path | None = None, *, folder: Path | None = None, seed: int | None = None, campaign: str | None = None
) -> tuple[Slot, SavedGame]:
    """The game in `path`; without a path the one of `folder` played last, of `seed` if that is given.

    Games of a campaign, named in their options, are gone on with only there.

    Raises:
        InvalidSetup: there is none.
        CorruptData: the file cannot be read, or holds something else.
    """
    if path is not None:
        return (slot := Slot(path)), slot.read()
    games = []
    for file in unfinished(folder):
        slot = Slot(file)
        try:
            game = slot.read()
        except CorruptData as error:
            if seed is None:
                raise CorruptData(f"{error}; move it away to go on with the one before it") from None
            continue
        if game.options.get("campaign") == campaign:
            games.append(game)
            if seed in (None, game.seed):
                return slot, game
    there = f"; there are: {', '.join(game.id for game in games)}" if games else ""
    which = "" if seed is None else f" of seed {seed}"
    raise InvalidSetup(f"no unfinished game{which} is kept in {folder or default_folder()}{there}")


def forget(campaign: str, folder: Path | None = None) -> None:
    """Drop the games of a campaign that is no more, so that another of its name does not go on with them."""
    for file in unfinished(folder):
        with suppress(CorruptData):
            slot = Slot(file)
            if slot.read().options.get("campaign") == campaign:
                slot.clear()


def _unused(folder: Path, name: str) -> Path:
    """A file of that name that nobody has, made empty."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = "".join(ch if ch.isalnum() or ch in "-_" else "-" for ch in name)
    for number in count(1):
        path = folder / f"{plain}{f'-{number}' if number > 1 else ''}{SUFFIX}"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        return path
    raise AssertionError
