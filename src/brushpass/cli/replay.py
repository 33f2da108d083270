"""`brushpass replay`: a recorded game, clue by clue."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brushpass.cli.options import Plain
from brushpass.cli.output import Json, Output, Quiet, Verbose

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A games.jsonl, or the run folder that holds one.")],
    game: Annotated[
        str | None,
        typer.Option(metavar="ID|N", help="Which game: its id, or its number in the file; the first if none."),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Move by move, at the press of a key.")] = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Also a game that is not over yet, with both sides of its key.")
    ] = False,
    plain: Plain = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Show a recorded game. Both sides of the key, each clue with what was meant and touched, the end."""
    from json import loads

    from brushpass.cli.stepping import Stepping
    from brushpass.duet import record as records
    from brushpass.duet.savedgame import is_on_its_way
    from brushpass.duet.story import tell
    from brushpass.duet.transcript import steps, transcript
    from brushpass.errors import CorruptData, InvalidSetup

    out = Output(json, quiet, verbose)
    if json and step:
        raise InvalidSetup("--step is given beside --json; give one or the other")
    number, line = records.find_line(file, game)
    where = f"{file}, line {number}"
    try:
        shown = records.read_record(line)
        if not reveal and is_on_its_way(line):
            told = "is not over yet, and replay shows both sides of the key"
            raise InvalidSetup(f"{where}: {shown.id} {told}: play --resume goes on with it, --reveal shows all")
        pieces = transcript(shown)
        document = (
            {"schema": 1, "game": loads(line), "steps": steps(shown), "story": tell(shown).to_json()} if json else {}
        )
    except CorruptData as error:
        raise CorruptData(f"{where}: {error}") from None
    if json:
        out.document(document)
    elif step:
        Stepping(pieces, plain=plain).run()
    else:
        out.lines(line for piece in pieces for line in (["", *piece.lines] if piece.opens else piece.lines))
    try:
        records.verify(shown)
    except CorruptData as error:
        out.note(f"{where}: this record does not verify: {error}")
    if game is None:
        out.detail("this is the first game of the file; --game ID or --game N shows another")
