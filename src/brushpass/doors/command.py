"""What `cmd:` is followed by: limits, a program, and what it is given."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from brushpass.errors import AgentFailure, InvalidSetup

SETTING: Final = re.compile(r"([a-z_]+)=(.*)", re.DOTALL)
SETTINGS: Final = ("answer", "start", "memory", "log")
MEGABYTE: Final = 1 << 20


@dataclass(frozen=True)
class Command:
    """A program as it is to be started.

    Attributes:
        argv: the program's absolute path, then its arguments.
        answer: seconds that an answer may take.
        start: seconds until the first one.
        memory: bytes that each of its processes may take, where the system heeds that (Linux).
        log: the file that what it writes to stderr is added to.
    """

    argv: tuple[str, ...]
    answer: float = 30.0
    start: float = 30.0
    memory: int = 4096 * MEGABYTE
    log: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Command:
        """Read `KEY=VALUE … PROGRAM ARGS`, cut and quoted as in a shell.

        The keys are `answer` and `start` (seconds), `memory` (MB) and `log` (a file). A program without a slash is
        looked for on the PATH. As the program works in a folder of its own, a program with a slash, the log, and
        every argument that is the name of a file here, are taken from the working folder of now.

        Raises:
            InvalidSetup: a quote is open, a setting makes no sense, there is no program, or this is Windows.
            AgentFailure: the program is not there, or cannot be executed; the log cannot be written.
        """
        if sys.platform == "win32":
            raise InvalidSetup("programs as agents need Linux or macOS; on Windows use WSL, or py:module:Class")
        if "\0" in text:
            raise InvalidSetup(f"command {text!r} holds a null character")
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise InvalidSetup(f"command {text!r} cannot be read: {str(error).lower()}") from None
        settings: dict[str, str] = {}
        while words and (setting := SETTING.fullmatch(words[0])):
            key, value = setting.groups()
            if key not in SETTINGS or key in settings:
                what = "given twice" if key in settings else f"no setting; known: {', '.join(SETTINGS)}"
                raise InvalidSetup(f"command {text!r}: {key!r} is {what}")
            settings[key] = value
            del words[0]
        if not words or not words[0]:
            raise InvalidSetup(f"command {text!r} names no program")
        program, *given = words
        return cls(
            argv=(_program(program), *(str(Path(word).absolute()) if Path(word).is_file() else word for word in given)),
            answer=_amount(settings, "answer", cls.answer),
            start=_amount(settings, "start", cls.start),
            memory=int(_amount(settings, "memory", cls.memory / MEGABYTE) * MEGABYTE),
            log=_log(settings["log"]) if "log" in settings else None,
        )


def _program(named: str) -> str:
    found = shutil.which(named)
    if found is not None:
        return str(Path(found).absolute())
    if os.sep not in named:
        raise AgentFailure(f"there is no program {named!r} on the PATH; write {f'./{named}'!r} for one in this folder")
    if not Path(named).exists():
        raise AgentFailure(f"there is no program {named!r} in {Path.cwd()}")
    raise AgentFailure(f"program {named!r} cannot be executed: chmod +x it, or name its interpreter before it")


def _log(named: str) -> Path:
    path = Path(named).absolute()
    try:
        path.open("ab").close()
    except OSError as error:
        raise AgentFailure(f"log {named!r} cannot be written: {error.strerror}") from None
    return path


def _amount(settings: dict[str, str], key: str, default: float) -> float:
    if key not in settings:
        return default
    try:
        value = float(settings[key])
    except ValueError:
        value = float("nan")
    if not 0 < value < 1e9:
        raise InvalidSetup(f"{key}={settings[key]} is not a number above 0")
    return value
