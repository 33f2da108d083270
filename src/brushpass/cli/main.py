"""The command line: each command is a file beside this one; all errors end here."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from brushpass import __version__
from brushpass.cli import output
from brushpass.cli.agents import agents
from brushpass.cli.bench import BenchCommand, bench
from brushpass.cli.clue import clue
from brushpass.cli.models import models
from brushpass.cli.play import play
from brushpass.cli.verify import verify
from brushpass.errors import BrushpassError


class Commands(TyperGroup):
    """Turns what a command raises into one line on stderr and an exit code (INTERFACES §2)."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer brings its own click, whose names are private
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrushpassError as error:
            output.fail(str(error), error.exit_code)
        except KeyboardInterrupt:
            output.fail("interrupted", output.INTERRUPTED)
        except BrokenPipeError:
            output.drop_stdout()
        except OSError as error:
            output.fail(f"{error.filename or 'file'}: {error.strerror or error}", 3)


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


app.command()(play)
app.command()(clue)
app.command(cls=BenchCommand)(bench)
app.command()(verify)
app.add_typer(models, name="models")
app.add_typer(agents, name="agents")


def main() -> None:
    """The console script."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()
