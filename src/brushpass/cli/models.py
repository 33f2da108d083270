"""`brushpass models`: the minds there are."""

from __future__ import annotations

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
