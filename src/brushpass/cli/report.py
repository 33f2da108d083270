"""`brushpass report`: the tables of a run folder, and how its pairs compare."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, of bench --out.")],
    compare: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Another run of the same deals: paired differences.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Not in this version.")] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Show the tables of a run, finished or not: by city, by cause of loss, clues, and paired differences.

    All pairs of a run play the same deals, so that any two can be compared game by game; with --compare those of two
    runs with the same seed, cities and words. p is McNemar's, exact, of each comparison by itself.
    """
    from brushpass.cli.tables import report_lines
    from brushpass.duet.runfolder import compare_pairs, compare_runs, read_run
    from brushpass.errors import InvalidSetup

    out = Output(json, quiet, verbose)
    if html is not None:
        raise InvalidSetup("report --html comes with a later version")
    run = read_run(folder)
    other = None if compare is None else read_run(compare)
    compared = compare_pairs(run) if other is None else compare_runs(run, other)
    document = {
        **run.to_json(),
        "compared_with": None if other is None else str(other.folder),
        "differences": [one.to_json() for one in compared],
    }
    if json:
        out.document(document)
    else:
        out.lines(report_lines(document))
    for one in (run, other):
        if one is not None and one.torn:
            out.note(f"the last line of {one.folder} is cut off and left out; bench --resume goes on from there")
