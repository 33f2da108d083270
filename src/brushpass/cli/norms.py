"""`brushpass norms`: association data that people hold, as a norm to think with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose

app = typer.Typer(add_completion=False, help="What people associate.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _norms() -> None:
    pass


@app.command(name="import")
def import_norm_command(
    file: Annotated[Path, typer.Argument(help="A table with the columns cue, response and, if known, how often.")],
    name: Annotated[str, typer.Option(metavar="N", help="What to call the norm and the model that has it.")],
    model: Annotated[str | None, typer.Option(metavar="M", help="Whose vectors and weights the model has.")] = None,
    licence: Annotated[str, typer.Option(metavar="TEXT", help="Of the data.")] = "unknown",
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of your model of that name.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Make association data a norm and a model with it. SWOW or USF, say; both are written into your data folder."""
    from brushpass import paths
    from brushpass.duet.agents.options import DEFAULT_MIND
    from brushpass.semantics.catalog import FOLDER
    from brushpass.semantics.norm import Norm
    from brushpass.semantics.normimport import import_norm

    out = Output(json, quiet, verbose)
    folder = paths.own_data() / FOLDER
    info = import_norm(file, name, folder, model=model or DEFAULT_MIND, licence=licence, replace=replace)
    norm = info.blend.norm if info.blend else folder
    cards = len(Norm(norm))
    if json:
        row = {"name": info.name, "cards": cards, "sha256": info.mind_sha256, "path": str(info.path)}
        out.document({"schema": 1, "norm": row | {"norm": str(norm)}})
    else:
        out.lines(
            [
                f"{info.name}: a norm of {cards} cards, written to {norm}",
                f"the model {info.name} thinks with it: brushpass clue --model {info.name} …",
            ]
        )
