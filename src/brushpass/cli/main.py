"""The command line: each command is a file beside this one, opened when it is run; all errors end here."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from brushpass import __version__
from brushpass.cli import output
from brushpass.errors import BrushpassError
from brushpass.registry import unknown

COMMANDS: Final = (
    *("learn", "play", "campaign", "rules", "clue", "guess"),
    *("bench", "report", "replay", "verify"),
    *("models", "norms", "words", "agents", "partner", "evaluate", "doctor"),
)
"""Each is the `app` of the file of that name."""
UsageError: Final[type[Any]] = typer.BadParameter.__bases__[0]
"""What typer raises for a wrong command line; it has no public name of its own."""


class Commands(TyperGroup):
    """Opens only the file of the command that is run; ends what it raises (INTERFACES §2)."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer's click is private
        """The commands in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - typer's click is private
        """The command; if there is none, raises UnknownName, or gives None where a shell asks what might follow."""
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None
            raise unknown("command", cmd_name, COMMANDS)
        return get_command(import_module(f"brushpass.cli.{cmd_name}").app)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,  # noqa: ANN401 - as typer has it
    ) -> Any:  # noqa: ANN401 - as typer has it
        """Read the command line and run the command; what is wrong before a command ends in one line, too."""
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except UsageError as error:
            code = output.refuse(error)
        return sys.exit(code) if standalone_mode else code

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's click is private
        """Run the command."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise typer.Exit(output.refuse(error, f"{ctx.command_path} {ctx.invoked_subcommand or ''}")) from None
        except BrushpassError as error:
            output.fail(str(error), error.exit_code)
        except KeyboardInterrupt:
            output.fail("interrupted", output.INTERRUPTED)
        except BrokenPipeError:
            output.drop_stdout()
        except OSError as error:
            where = "the folder you are in" if isinstance(error, FileNotFoundError) else "standard output"
            output.fail(f"{error.filename or where}: {error.strerror or error}", 3)


app = typer.Typer(
    name="brushpass",
    cls=Commands,
    help="Codenames Duet with bots that think in word embeddings.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"brushpass {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """The console script."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads cost more to start than one command's sums take
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()
