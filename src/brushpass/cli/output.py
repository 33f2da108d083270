"""What every command says and where: results on stdout, notes and errors on stderr."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn, TextIO

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Errors only on stderr.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="More on stderr.")]

USAGE = 2
INTERRUPTED = 130
DIGITS = 10
"""Significant digits of a printed number: in the last of 17, processors differ."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Output:
    """How talkative a command is."""

    json: bool = False
    quiet: bool = False
    verbose: bool = False

    def __post_init__(self) -> None:
        if self.quiet or self.verbose:
            import logging

            handler = logging.StreamHandler()  # on stderr
            handler.setFormatter(logging.Formatter("brushpass: %(message)s"))
            ours = logging.getLogger("brushpass")  # not that of the libraries
            ours.handlers[:] = [handler]
            ours.setLevel(logging.ERROR if self.quiet else logging.INFO)

    def note(self, line: str) -> None:
        """A remark, on stderr."""
        if not self.quiet:
            typer.echo(f"brushpass: {harmless(line)}", err=True)

    def detail(self, line: str) -> None:
        """A remark for those who asked for more."""
        if self.verbose:
            self.note(line)

    def document(self, data: dict[str, Any]) -> None:
        """The one JSON document, its numbers to `DIGITS`."""
        typer.echo(json.dumps(rounded(data), ensure_ascii=False, indent=2, allow_nan=False))

    def lines(self, lines: Iterable[str]) -> None:
        """The result as text."""
        for line in lines:
            typer.echo(in_width(harmless(line), sys.stdout))


def in_width(line: str, stream: TextIO) -> str:
    """The line; longer than the terminal it goes to, broken between words."""
    if not stream.isatty() or len(line) <= (width := shutil.get_terminal_size().columns):
        return line
    return textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def harmless(text: str) -> str:
    """The text with nothing in it that a terminal would obey: a file, or who wrote it, may be anybody's."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def rounded(data: Any) -> Any:  # noqa: ANN401 - what JSON holds
    """`data` with every float to `DIGITS`, tuples as lists."""
    match data:
        case float():
            return float(f"{data:.{DIGITS}g}")
        case dict():
            return {key: rounded(value) for key, value in data.items()}
        case list() | tuple():
            return [*map(rounded, data)]
    return data


def fail(message: str, code: int) -> NoReturn:
    """Leave with one line on stderr; raises typer.Exit."""
    _tell(message)
    raise typer.Exit(code)


def refuse(error: Any, command: str = "brushpass") -> int:  # noqa: ANN401 - typer's usage error has no public name
    """Say on one line of stderr what is wrong with the command line, or show the help if nothing followed a group.

    `command` is what was to run, if the error does not know. Returns the exit code.
    """
    context = error.ctx
    if context is not None and error.message == context.get_help():
        error.show()
        return USAGE
    told = error.format_message().rstrip(".")
    where = command.strip() if context is None else context.command_path
    _tell(f"{told[:1].lower()}{told[1:]} (see {where} --help)")
    return USAGE


def _tell(message: str) -> None:
    line = "".join(ch if ch.isprintable() else " " for ch in message)
    typer.echo(f"brushpass: error: {' '.join(line.split())}", err=True)


def drop_stdout() -> None:
    """The reader has gone: let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def share_bar(about: str, *, shown: bool) -> Iterator[Callable[[float], None] | None]:
    """A bar on stderr, if `shown`: what is yielded takes the share that is done."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    parts = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(about, total=1.0)
        yield lambda share: bar.update(task, completed=share)


def listed(values: Sequence[str] | None) -> list[str]:
    """The words of a repeatable option that takes several at once, `W,W`."""
    return [word.strip() for value in values or () for word in value.split(",") if word.strip()]


def shortened(words: Sequence[str], most: int = 10) -> str:
    """The first of `words`, and how many more there are."""
    rest = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + rest


def columns(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Rows under their heads, left-aligned, numbers right-aligned; blank-separated."""
    cells = [[str(cell) for cell in row] for row in rows]
    numeric = [all(_is_number(row[place]) for row in cells) for place in range(len(head))]
    widths = [max(len(row[place]) for row in [list(head), *cells]) for place in range(len(head))]
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in [list(head), *cells]
    ]


def _is_number(cell: str) -> bool:
    return cell[:1].isdecimal() and not any(character.isalpha() for character in cell)
