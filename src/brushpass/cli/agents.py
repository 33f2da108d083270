"""`brushpass agents`: who can sit down."""

from __future__ import annotations

from typing import Annotated

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
        out.note("write NAME or NAME:key=value,key=value; py:module:Class or cmd:PROGRAM ARGS for one of your own")


@app.command()
def check(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="NAME, NAME:key=value, py:module:Class or cmd:PROGRAM ARGS.")
    ],
    positions: Annotated[int, typer.Option(min=1, metavar="N", help="Ask in at least so many positions.")] = 200,
    seed: Annotated[int, typer.Option(metavar="S", help="Asks in the same positions again.")] = 0,
    limit: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="What an answer may take.")] = 30.0,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Ask an agent in 200 positions. The rare ones are among them; exit 1 if it fails anywhere.

    Python that is not brushpass's own is asked in a process of its own.
    """
    from brushpass.duet.agents.roster import build_agent, is_stranger
    from brushpass.duet.testing.apart import check_apart
    from brushpass.duet.testing.conformance import check_agent
    from brushpass.lexicon.wordlists import load_wordlist

    out = Output(json, quiet, verbose)
    words = load_wordlist("english").words
    if is_stranger(spec):
        report = check_apart(spec, words, positions=positions, seed=seed, limit=limit)
    else:
        report = check_agent(
            lambda: build_agent(spec, words), positions=positions, seed=seed, limit=limit, words=words, name=spec
        )
    if json:
        out.document(report.to_json())
    else:
        out.lines([str(report)])
    if not report.ok:
        raise typer.Exit(1)
