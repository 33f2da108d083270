"""Running the command line in this process."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any

from typer.testing import CliRunner

from brushpass.cli.main import app


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    def error(self) -> str:
        """The one line on stderr of a refused command that said nothing on stdout."""
        lines = self.err.splitlines()
        assert self.out == ""
        assert len(lines) == 1, self.err
        assert lines[0].startswith("brushpass: error: ")
        return lines[0].removeprefix("brushpass: error: ")


def run(*args: object, typed: str | None = None) -> Ran:
    """Run `brushpass` with `args`; whatever is raised past its own handling is raised here."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=typed)
    ours = logging.getLogger("brushpass")  # set up by -q and -v for the stderr of that run
    ours.handlers.clear()
    ours.setLevel(logging.NOTSET)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)
