"""`brushpass campaign`: the mission map, city by city (DUET §10)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from brushpass.cli.campaignplay import File, Which, games_folder, play
from brushpass.cli.campaigntext import document, games, log_lines, note_lines, standing, table, table_note
from brushpass.cli.output import Json, Output, Quiet, Verbose, columns

if TYPE_CHECKING:
    from brushpass.duet.campaign import Campaign

NAME: Final = "main"
"""What a campaign without a name is called."""

WhichHere = Annotated[str | None, typer.Argument(metavar="[NAME]", help="Which campaign, if you have several.")]

app = typer.Typer(
    help="The mission map, city by city from Prague. The lines between its cities are geographic neighbours, not those "
    "of the printed map; new --edges FILE takes others.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def _campaign() -> None:
    pass


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="What to call it.")] = NAME,
    travel: Annotated[
        str, typer.Option(metavar="graph|free", help="Along the lines of the map, or anywhere once Prague is won.")
    ] = "graph",
    edges: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Lines between cities, city_a,city_b each: the printed map's, say."),
    ] = None,
    file: File = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Begin a campaign in Prague.

    Cities are joined to geographic neighbours, not as on the printed map; --edges FILE takes its lines.
    """
    from brushpass.duet.campaign import Campaign, Travel
    from brushpass.duet.campaignfile import CampaignFile
    from brushpass.duet.missionmap import load_map
    from brushpass.errors import InvalidSetup

    out = Output(json, quiet, verbose)
    if travel not in list(Travel):
        raise InvalidSetup(f"--travel {travel!r} is neither graph nor free")
    begun = Campaign(name, load_map(edges), Travel(travel))
    kept = CampaignFile(file)
    kept.add(begun)
    _show(begun, out, standing(begun))
    out.note(f"the map is {begun.map.source}; the campaign is kept in {kept.path}")


@app.command(name="list")
def list_campaigns(file: File = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """List the campaigns."""
    from brushpass.duet.campaignfile import CampaignFile
    from brushpass.duet.core.mission import CITIES

    out = Output(json, quiet, verbose)
    kept = CampaignFile(file)
    campaigns = kept.read()
    if json:
        keys = ("name", "travel", "current", "won", "games", "finished")
        rows = [{key: document(one)[key] for key in keys} for one in campaigns]
        out.document({"schema": 1, "file": str(kept.path), "campaigns": rows})
        return
    if campaigns:
        head = ("campaign", "travel", "in", f"won of {len(CITIES)}", "games")
        out.lines(
            columns(head, ((one.name, one.travel, one.current, len(one.wins), len(one.log)) for one in campaigns))
        )
    else:
        out.note("no campaign yet; begin one with: brushpass campaign new")
    out.detail(f"campaigns are kept in {kept.path}")


@app.command()
def status(
    name: WhichHere = None, file: File = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = False
) -> None:
    """Show every city. Its tokens, whether won or open, games played, notes; with -v also which cities it is joined to.

    Cities are joined to geographic neighbours, not as on the printed map, unless the campaign was begun with --edges.
    """
    shown, out = _opened(name, file, Output(json, quiet, verbose))
    _show(shown, out, (*standing(shown), "", *table(shown, joined=verbose), "", table_note(), *note_lines(shown)))


@app.command(name="map")
def show_map(
    name: WhichHere = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw it as a picture into this file instead.")
    ] = None,
    file: File = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Draw the map for a terminal of 80 by 24, or as SVG. `status` tells the same as a table."""
    from brushpass.cli.missionmap import colored, legend_lines, map_lines

    shown, out = _opened(name, file, Output(json, quiet, verbose))
    if svg is not None:
        _write_svg(shown, svg)
        out.note(f"the map is drawn in {svg}")
    if out.json or svg is not None:
        _show(shown, out, ())
        return
    drawn = map_lines(shown)
    if sys.stdout.isatty():
        from rich.console import Console

        console = Console(highlight=False, soft_wrap=True)
        for line in colored(shown, drawn):
            console.print(line)
    else:
        out.lines(drawn)
    out.lines(legend_lines(shown))


@app.command(name="log")
def show_log(
    name: WhichHere = None, file: File = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = False
) -> None:
    """List the games played, oldest first."""
    shown, out = _opened(name, file, Output(json, quiet, verbose))
    _show(shown, out, log_lines(shown))


@app.command()
def travel(
    city: Annotated[str, typer.Argument(metavar="CITY", help="An open city.")],
    which: Which = None,
    file: File = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Go to an open city: where `play` without a city is played."""
    from brushpass.duet.campaignfile import CampaignFile

    out = Output(json, quiet, verbose)
    moved = CampaignFile(file).update(which, lambda one: one.travelled(city))
    _show(moved, out, standing(moved))


@app.command()
def note(
    city: Annotated[str, typer.Argument(metavar="CITY", help="Any city.")],
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="One line.")],
    which: Which = None,
    file: File = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Note something on a city's part of the sheet."""
    from brushpass.duet.campaignfile import CampaignFile

    out = Output(json, quiet, verbose)
    noted = CampaignFile(file).update(which, lambda one: one.noted(city, " ".join(text)))
    _show(noted, out, (f"{noted.notes[-1].city}: {noted.notes[-1].text}",))


@app.command()
def drop(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which campaign.")],
    yes: Annotated[bool, typer.Option("--yes", help="Yes, for good.")] = False,
    file: File = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Forget a campaign, and its game that was left."""
    from brushpass.duet.campaignfile import CampaignFile
    from brushpass.duet.savedgames import forget
    from brushpass.errors import InvalidSetup

    out = Output(json, quiet, verbose)
    kept = CampaignFile(file)
    doomed = kept.get(name)
    if not yes:
        raise InvalidSetup(
            f"this forgets campaign {doomed.name!r} with its {games(len(doomed.log))} for good; if so, add --yes"
        )
    kept.drop(doomed.name)
    forget(doomed.name, games_folder(kept, file))
    if json:
        out.document({"schema": 1, "dropped": doomed.name})
    else:
        out.lines([f"Campaign {doomed.name} is forgotten."])


app.command()(play)


def _opened(name: str | None, file: Path | None, out: Output) -> tuple[Campaign, Output]:
    """The campaign to be shown."""
    from brushpass.duet.campaignfile import CampaignFile

    shown = CampaignFile(file).get(name)
    out.detail(f"the map is {shown.map.source}")
    return shown, out


def _write_svg(shown: Campaign, path: Path) -> None:
    from brushpass.atomic import replacing
    from brushpass.duet.mapsvg import map_svg

    with replacing(path) as drawing:
        drawing.write(map_svg(shown).encode())


def _show(shown: Campaign, out: Output, lines: Iterable[str]) -> None:
    """The campaign as its document, or else the lines."""
    if out.json:
        out.document({"schema": 1, "campaign": document(shown)})
    else:
        out.lines(lines)
