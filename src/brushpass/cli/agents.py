"""`brushpass agents`: who can sit down."""

from __future__ import annotations

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns

app = typer.Typer(add_completion=False, help="The players there are.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _agents() -> None:
    pass


@app.command(name="list")
def list_agents(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """List the registered agents."""
    from brushpass.duet.agents.roster import agent_list

    out = Output(json, quiet, verbose)
    rows = [
        {
            "name": name,
            "factory": point.value,
            "package": point.dist.name if point.dist else None,
            "version": point.dist.version if point.dist else None,
        }
        for name, point in agent_list().items()
    ]
    if json:
        out.document({"schema": 1, "agents": rows})
    else:
        out.lines(
            columns(("agent", "package", "made by"), ((row["name"], row["package"], row["factory"]) for row in rows))
        )
        out.note("write NAME or NAME:key=value,key=value; py:module:Class for one of your own")
