"""`brushpass doctor`: whether everything is there that brushpass needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from brushpass.semantics.catalog import MindInfo

T = TypeVar("T")
MARKS: Final = {True: "ok", False: "BROKEN", None: "-"}

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at; `ok` is None where it may as well be missing."""

    group: str
    name: str
    ok: bool | None
    told: str


@app.command()
def doctor(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """Check that all is there and whole.

    Versions, models with their hashes, word lists, agents, extras, folders; exit 1 if one is broken.
    """
    out = Output(json, quiet, verbose)
    checks = [*_versions(), *_models(), *_words(), *_agents(), *_extras(), *_folders()]
    broken = sum(check.ok is False for check in checks)
    if json:
        out.document({"schema": 1, "ok": not broken, "checks": [asdict(check) for check in checks]})
    else:
        for group, members in groupby(checks, key=lambda check: check.group):
            out.lines([group, *(f"  {MARKS[one.ok]:6} {one.name}: {one.told}" for one in members)])
        out.lines(["", f"{broken} broken" if broken else "all is well"])
    if broken:
        raise typer.Exit(1)


def _tried(group: str, name: str, look: Callable[[T], str], what: T) -> Check:
    """What `look` tells of `what`, or why it fails."""
    try:
        return Check(group, name, ok=True, told=look(what))
    except Exception as error:  # noqa: BLE001 - whatever fails is what is looked for
        return Check(group, name, ok=False, told=" ".join(str(error).split()) or type(error).__name__)


def _versions() -> Iterator[Check]:
    import platform
    import sys

    from brushpass import __version__

    yield Check("versions", "brushpass", ok=True, told=__version__)
    fits = (3, 11) <= sys.version_info < (3, 14)
    told = f"{platform.python_version()} on {platform.platform()}"
    yield Check("versions", "python", fits, told if fits else f"{told}; 3.11 to 3.13 is needed")
    for name in _requirements().get("", ()):
        yield _tried("versions", name, _imported, name)


def _imported(name: str) -> str:
    """The version of a distribution that can be imported."""
    from importlib import import_module
    from importlib.metadata import version

    import_module({"scikit-learn": "sklearn"}.get(name, name))
    return version(name)


def _requirements() -> dict[str, list[str]]:
    """The distributions that brushpass asks for, by extra; without one under the empty name."""
    import re
    from importlib.metadata import requires

    wanted: dict[str, list[str]] = {}
    for line in requires("brushpass") or ():
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"""extra == ['"](.+?)['"]""", line)
        if name and name[0] != "brushpass":
            wanted.setdefault(extra[1] if extra else "", []).append(name[0])
    return wanted


def _models() -> Iterator[Check]:
    from brushpass.errors import BrushpassError
    from brushpass.semantics.catalog import list_minds

    try:
        minds = list_minds()
    except BrushpassError as error:
        yield Check("models", "manifest", ok=False, told=str(error))
        return
    for info in minds:
        yield _tried("models", info.name, _verified, info)
    if not minds:
        yield Check("models", "manifest", ok=False, told="no model is there; reinstall brushpass")


def _verified(info: MindInfo) -> str:
    from brushpass.semantics.catalog import verify_mind

    verify_mind(info)
    return f"{info.words} words, sha256 {info.mind_sha256[:12]} verified"


def _words() -> Iterator[Check]:
    from brushpass.lexicon.families import table
    from brushpass.lexicon.vocabulary import DEFAULT, list_vocabularies, load_vocabulary
    from brushpass.lexicon.wordlists import list_wordlists, load_wordlist

    for name in list_wordlists() or ("english",):
        yield _tried("words", name, lambda name: f"{len(load_wordlist(name).words)} card words", name)
    for name in list_vocabularies() or (DEFAULT,):
        yield _tried("words", name, lambda name: f"{len(load_vocabulary(name))} clue words", name)
    yield _tried("words", "clue law", lambda table: f"families of {len(table().names())} entries", table)


def _agents() -> Iterator[Check]:
    from brushpass.duet.agents.roster import agent_list

    for name, point in agent_list().items():
        yield _tried("agents", name, _loaded, point)


def _loaded(point: EntryPoint) -> str:
    point.load()
    return point.value


def _extras() -> Iterator[Check]:
    for extra, names in _requirements().items():
        if extra:
            missing = [name for name in names if not _is_there(name)]
            told = f"not there: {', '.join(missing)}" if missing else "installed"
            yield Check("extras", extra, ok=None if missing else True, told=told)


def _is_there(name: str) -> bool:
    from importlib.metadata import PackageNotFoundError, version

    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _folders() -> Iterator[Check]:
    from brushpass import paths

    yield _tried("folders", "data", _writable, paths.own_data())
    yield _tried("folders", "cache", _writable, paths.user_cache())
    yield _tried("folders", "compiled loops", _compiled, None)


def _writable(folder: Path) -> str:
    """The folder, made sure that files can be put there; it need not be there yet."""
    import tempfile

    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return f"{folder} is writable" if there == folder else f"{folder} can be made"
    except OSError as error:
        raise OSError(f"{folder} cannot be written: {error.strerror}") from None


def _compiled(_: None) -> str:
    """Where numba keeps the loops that it has compiled."""
    from brushpass.duet.agents.compiled import ENGINE

    loop: Any = next(loop for loop in ENGINE if hasattr(loop, "stats"))  # one of numba's, not of Python's
    if loop.stats.cache_path is None:
        raise OSError("made anew by each process: set NUMBA_CACHE_DIR to a folder that can be written")
    return _writable(Path(loop.stats.cache_path))
