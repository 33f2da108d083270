"""`brushpass partner`: what the bot believes of those it plays with, and forgetting it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns

if TYPE_CHECKING:
    from brushpass.duet.agents.profile import Profile
    from brushpass.duet.partnerfile import PartnerFile

Name = Annotated[str, typer.Argument(metavar="NAME", help="As in play --name.")]

app = typer.Typer(
    add_completion=False, help="What the bot believes of you.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback()
def _partner() -> None:
    pass


@app.command(name="list")
def list_partners(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """List those whom the bot has got to know in play --name."""
    from brushpass.duet.partnerfile import default_folder, partners
    from brushpass.errors import CorruptData

    out = Output(json, quiet, verbose)
    rows: list[dict[str, Any]] = []
    for file in partners():
        try:
            rows.append(_document(file, file.get()))
        except CorruptData as error:
            out.note(str(error))
    if json:
        out.document({"schema": 1, "folder": str(default_folder()), "partners": rows})
    elif rows:
        head = ("partner", "games", "clues", "guesses", "thinks most like")
        out.lines(
            columns(head, ((row["name"], row["games"], row["clues"], row["guesses"], _most(row)) for row in rows))
        )
    else:
        out.lines(["The bot knows nobody yet: brushpass play --name NAME begins."])


@app.command()
def show(name: Name, json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """Show what the bot believes of one: how it thinks, how surely it chooses, and how it takes a number."""
    from brushpass.duet.partnerfile import PartnerFile

    out = Output(json, quiet, verbose)
    file = PartnerFile(name)
    document = _document(file, file.get())
    if json:
        out.document({"schema": 1, **document})
    else:
        out.lines(_lines(document))


@app.command()
def forget(name: Name, json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """Delete what the bot believes of one."""
    from brushpass.duet.partnerfile import PartnerFile

    out = Output(json, quiet, verbose)
    file = PartnerFile(name)
    file.forget()
    if json:
        out.document({"schema": 1, "forgotten": file.name, "file": str(file.path)})
    else:
        out.lines([f"{file.name} is forgotten; {file.path} is deleted."])


def _document(file: PartnerFile, profile: Profile) -> dict[str, Any]:
    """A profile as JSON shows it."""
    habit = profile.habit
    minds = sorted(profile.minds().items(), key=lambda one: -one[1])
    return {
        "name": str(file),
        "games": profile.games,
        "clues": profile.clues,
        "guesses": profile.touches,
        "minds": [{"model": mind, "share": round(share, 4)} for mind, share in minds],
        "temperature": round(profile.heat(), 4),
        "below_number": {
            "goes_on": round(profile.goes_on_early(), 4),
            "went_on": habit.went_on_early,
            "stopped": habit.stopped_early,
        },
        "at_number": {"goes_on": round(profile.goes_on_late(), 4), "went_on": habit.went_on, "stopped": habit.stopped},
        "file": str(file.path),
    }


def _most(row: dict[str, Any]) -> str:
    most = row["minds"][0]
    return f"{most['model']} ({_percent(most['share'])})"


def _lines(row: dict[str, Any]) -> Iterator[str]:
    """What is believed, in words."""
    games = "1 game" if row["games"] == 1 else f"{row['games']} games"
    yield f"{row['name']}, as the bot sees it after {games}: {row['clues']} clues and {row['guesses']} guesses"
    yield "thinks like " + ", ".join(f"{one['model']} {_percent(one['share'])}" for one in row["minds"])
    heat = row["temperature"]
    yield f"chooses {_surely(heat)} (temperature {heat:.2f} of theirs)"
    early, late = row["below_number"], row["at_number"]
    yield (
        f"after a hit, below the number: goes on in {_percent(early['goes_on'])} "
        f"(went on {early['went_on']} times, stopped {early['stopped']})"
    )
    yield (
        f"after a hit, at the number: goes on in {_percent(late['goes_on'])} "
        f"(went on {late['went_on']} times, stopped {late['stopped']})"
    )
    yield f"kept in {row['file']}; brushpass partner forget {row['name']} deletes it"


def _surely(heat: float) -> str:
    if 0.8 < heat < 1.25:
        return "about as surely as people do on average"
    return f"{'more' if heat < 1 else 'less'} surely than people do on average"


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")
