"""`brushpass learn`: a guided first game with a bot that says what it thinks."""

from __future__ import annotations

import sys
from typing import Final

import typer

from brushpass.cli.options import Plain
from brushpass.cli.output import Json, Output, Quiet, Verbose

GOODBYE: Final = (
    "Now play, at a gentle table: brushpass play --turns 11",
    "All rules on one page: brushpass rules",
    "From city to city over the map: brushpass campaign new",
)

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def learn(plain: Plain = False, json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """Learn the game in five minutes. A guided game with a bot that explains itself; any step may be skipped."""
    from brushpass.cli.course import Course
    from brushpass.cli.screen import Screen, ScreenGone
    from brushpass.duet.agent import LeftTheTable

    out = Output(json, quiet, verbose)
    screen = Screen(sys.stderr if json else sys.stdout, "bot", plain=plain)
    course = Course(screen)
    try:
        course.run()
    except ScreenGone:
        raise
    except LeftTheTable:
        screen.lines(["The lesson ends here; brushpass learn begins it again."])
    screen.lines(GOODBYE)
    if json:
        out.document({"schema": 1, "finished": course.finished, "steps": course.done})
