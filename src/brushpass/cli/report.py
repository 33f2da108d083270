"""`brushpass report`: the tables of a run folder, how its pairs compare, and both as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, fail

PAGE: Final = b"<!doctype html"
"""How a page begins, in any case of its letters."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, of bench --out.")],
    compare: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Another run of the same deals: paired differences.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with tables and figures.")] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Show the tables of a run, finished or not. Results, clues, promised hits, and paired differences.

    All pairs of a run play the same deals, so that any two can be compared game by game; with --compare those of two
    runs with the same seed, cities and words. p is McNemar's, exact, of each comparison by itself. The page of --html
    needs no other file and no network.
    """
    from brushpass.cli.reporttext import report_lines
    from brushpass.duet.runfolder import compare_pairs, compare_runs, read_run

    out = Output(json, quiet, verbose)
    if html is not None:
        _check_page(html)
    run = read_run(folder)
    other = None if compare is None else read_run(compare)
    compared = compare_pairs(run) if other is None else compare_runs(run, other)
    document = {
        **run.to_json(),
        "compared_with": None if other is None else str(other.folder),
        "differences": [one.to_json() for one in compared],
    }
    if html is not None:
        _write_page(html, document)
    if json:
        out.document(document)
    else:
        out.lines(report_lines(document))
    if not run.games:
        out.note(f"{run.folder} holds no game yet; bench --resume plays them")
    for one in (run, other):
        if one is not None and one.torn:
            out.note(f"the last line of {one.folder} is cut off and left out; bench --resume goes on from there")
    if html is not None:
        out.note(f"the page is {html}")


def _check_page(file: Path) -> None:
    """A page may replace a page and nothing else.

    Raises:
        InvalidSetup: `file` is a folder, a device, or a file of another kind.
    """
    from brushpass.errors import InvalidSetup

    if file.is_dir():
        raise InvalidSetup(f"--html {file} is a folder: name a file")
    if not file.exists():
        return
    if not file.is_file():
        raise InvalidSetup(f"--html {file} is no ordinary file: name another")
    with file.open("rb") as old:
        begins = old.read(len(PAGE))
    if begins and begins.lower() != PAGE:
        raise InvalidSetup(f"--html {file} is there and is no HTML page: name another file, or remove it")


def _write_page(file: Path, document: dict[str, Any]) -> None:
    from brushpass.atomic import replacing
    from brushpass.duet.page import page

    text = page(document).encode(errors="replace")
    try:
        with replacing(file) as draft:
            draft.write(text)
    except OSError as error:
        fail(f"cannot write {file}: {error.strerror or error}; name another file for --html", 3)
