"""`brushpass evaluate`: how well a mind foresees people's guesses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns

app = typer.Typer(
    add_completion=False, help="How well a mind foresees people.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback()
def _evaluate() -> None:
    pass


@app.command(name="humans")
def evaluate_humans(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="People's guesses (docs/formats.md).")],
    model: Annotated[str | None, typer.Option(metavar="M", help="A mind, by name or path.")] = None,
    against: Annotated[str | None, typer.Option(metavar="M", help="A second mind: paired differences.")] = None,
    fit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Fit the temperature on these guesses first (not on FILE…).")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Measure a mind on people's guesses. Also on whole turns, where the colors are given."""
    from brushpass.duet import people
    from brushpass.duet.agents.options import DEFAULT_MIND
    from brushpass.errors import InvalidSetup
    from brushpass.semantics.catalog import load_mind
    from brushpass.semantics.guesses import read_items

    out = Output(json, quiet, verbose)
    if fit is not None and any(fit.resolve() == file.resolve() for file in files):
        raise InvalidSetup(f"--fit {fit} is among the files measured; a figure is no test of what it was fitted on")
    items = read_items(files)
    fitting = read_items([fit]) if fit is not None else []
    results = []
    for name in (model or DEFAULT_MIND, *([against] if against else [])):
        mind = load_mind(name)
        heat = people.fit_heat(mind, fitting) if fitting else 1.0
        results.append((mind, heat, people.by_source(people.measure(mind, items, heat))))
    mind, heat, groups = results[0]
    document: dict[str, Any] = {
        "schema": people.SCHEMA,
        "model": mind.name,
        "sha256": mind.sha256,
        "temperature": mind.temperature * heat,
        "sources": [people.summary(group) for group in groups.values()],
    }
    if against:
        other = results[1][2]
        document["against"] = results[1][0].name
        for source in document["sources"]:
            name = source["source"]
            source["difference"] = {
                figure: people.difference_json(other[name], groups[name], figure)
                for figure in (*people.FIGURES, *people.TURN[:3])
                if source.get(figure) is not None or figure in source.get("turn", {})
            }
    if json:
        out.document(document)
    else:
        out.lines(_lines(document))


def _lines(document: dict[str, Any]) -> list[str]:
    model = f"{document['model']} {document['sha256'][:12]}, temperature {document['temperature']:.3f}"
    lines = [f"{model}; ± is a standard error"]
    for source in document["sources"]:
        rows = []
        for figure, error in source["standard_errors"].items():
            value = source.get(figure, source.get("turn", {}).get(figure))
            change = source.get("difference", {}).get(figure)
            against = "" if change is None else f"{change['value']:+.3f}"
            if change is not None and change["low"] is not None:
                against += f" [{change['low']:+.3f}, {change['high']:+.3f}]"
            rows.append((figure.replace("_", " "), f"{value:.3f}", "" if error is None else f"± {error:.3f}", against))
        head = ("", "", "", f"less {document['against']}" if "against" in document else "")
        lines += ["", f"{source['source']}, {source['items']} items", *columns(head, rows)]
        if told := source.get("backed_off"):
            how = ", ".join(f"{count} {name}" for name, count in told["how"].items())
            gain = f"log likelihood {told['log_likelihood']:.3f}, had they counted as unknown {told['uniform']:.3f}"
            lines.append(f"clues without a vector {told['clues']}: {how}; their {gain}")
    return lines
