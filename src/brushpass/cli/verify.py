"""`brushpass verify`: game records, played again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose

SHOWN = 20
"""Wrong lines told one by one."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A games.jsonl, or the run folder that holds one.")],
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Re-check game records. Every line is replayed; exit 1 if one is wrong."""
    from brushpass.duet import record
    from brushpass.errors import CorruptData

    out = Output(json, quiet, verbose)
    games = 0
    errors: list[dict[str, Any]] = []
    for number, line in record.read_lines(file):
        games += 1
        try:
            record.verify(record.read_record(line))
        except CorruptData as error:
            errors.append({"line": number, "id": record.id_of(line), "error": str(error)})
    if json:
        out.document({"schema": 1, "file": str(file), "games": games, "valid": games - len(errors), "errors": errors})
    else:
        for wrong in errors[:SHOWN]:
            name = "" if wrong["id"] is None else f", game {wrong['id']}"
            out.lines([f"line {wrong['line']}{name}: {wrong['error']}"])
        if len(errors) > SHOWN:
            out.lines([f"… and {len(errors) - SHOWN} more wrong lines; --json lists them all"])
        out.lines([f"{file}: {games} games, {games - len(errors)} valid, {len(errors)} wrong"])
    if errors:
        raise typer.Exit(1)
