"""`brushpass models`: the minds there are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns

app = typer.Typer(add_completion=False, help="The minds there are.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _models() -> None:
    pass


@app.command(name="list")
def list_models(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """List the models with size, ingredients, licence and hash."""
    from brushpass.semantics.catalog import list_minds

    out = Output(json, quiet, verbose)
    minds = list_minds()
    if json:
        keys = ("name", "words", "dim", "temperature", "ingredients", "licence", "source", "size", "sha256")
        rows = [{key: getattr(mind, key) for key in keys} | {"path": str(mind.path)} for mind in minds]
        out.document({"schema": 1, "models": rows})
        return
    head = ("model", "words", "dim", "T", "MB", "sha256", "licence", "ingredients")
    out.lines(
        columns(
            head,
            (
                (
                    *(mind.name, mind.words, mind.dim, f"{mind.temperature:.3f}", f"{mind.size / 1e6:.1f}"),
                    *(mind.sha256[:12], mind.licence, ", ".join(mind.ingredients)),
                )
                for mind in minds
            ),
        )
    )
    out.detail(f"source: {'; '.join(f'{mind.name} from {mind.source}' for mind in minds)}")


@app.command(name="build")
def build_model(
    name: Annotated[str, typer.Argument(help="A shipped model: its recipe is run again.")],
    source: Annotated[Path | None, typer.Option(metavar="PATH", help="What the recipe is made of.")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the model and its manifest.")] = Path(
        "models"
    ),
    guesses: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="People's guesses to fit the temperature on; repeatable.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Make a shipped model again from its sources."""
    from brushpass.semantics.build.recipes import publish

    said = Output(json, quiet, verbose)
    path = publish(name, source, out, guesses or ())
    if json:
        said.document({"schema": 1, "name": name, "path": str(path)})
    else:
        said.lines([f"{name} is written to {path}"])
