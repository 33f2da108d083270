"""`brushpass bench`: pairs of agents over the cities, in many games."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperCommand

from brushpass.cli.options import (
    LawOption,
    Mistakes,
    OrderOption,
    Relax,
    Turns,
    Words,
    mission_of,
    table_rules,
    usable_cores,
)
from brushpass.cli.output import Json, Output, Quiet, Verbose, listed, shortened
from brushpass.cli.progress import bench_progress

if TYPE_CHECKING:
    from brushpass.duet.core.mission import City
    from brushpass.duet.plan import Plan

JOINT: Final = "\x1f"
GATHERED: Final = {"--pair": 2, "--cross": None}
"""Options that take several values: so many, or all up to the next option."""

FROZEN: Final = ("pair", "cross", "turns", "mistakes", "words", "seed", "order", "clue_law", "relax")
"""Options that a suite has settled."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class BenchCommand(TyperCommand):
    """Lets an option take several values, repeatedly, which typer does not know."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's click is private
        """Parse `args`, the values of such an option joined into one."""
        return super().parse_args(ctx, list(gather(args)))


def gather(args: Sequence[str]) -> Iterator[str]:
    """The arguments, with the values of a `GATHERED` option joined into one."""
    left = list(args)
    while left:
        word = left.pop(0)
        yield word
        if word in GATHERED:
            values: list[str] = []
            while left and not left[0].startswith("-") and len(values) != GATHERED[word]:
                values.append(left.pop(0))
            yield JOINT.join(values)


@app.command(cls=BenchCommand)
def bench(
    ctx: typer.Context,
    pair: Annotated[
        list[str] | None, typer.Option(metavar="SPEC SPEC", help="Seat A's agent and seat B's; repeatable.")
    ] = None,
    cross: Annotated[
        list[str] | None, typer.Option(metavar="SPEC…", help="Every ordered pair of these, each with itself too.")
    ] = None,
    city: Annotated[str | None, typer.Option(metavar="all|CITY,CITY", help="Cities of the mission map; all.")] = None,
    turns: Turns = None,
    mistakes: Mistakes = None,
    words: Words = "english",
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games per pair per city: 10; of a suite all.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Deals the same games again.")] = 0,
    order: OrderOption = "alternate",
    clue_law: LawOption = "reject",
    relax: Relax = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="Worker processes; one a core. With dask: wait for so many; 1."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The run folder for records; none is kept.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out, as it was begun.")] = False,
    engine: Annotated[
        str, typer.Option(metavar="local|dask", help="Who plays: this machine, or a dask cluster.")
    ] = "local",
    scheduler: Annotated[str | None, typer.Option(metavar="ADDR", help="Of the dask cluster, tcp://HOST:PORT.")] = None,
    suite: Annotated[str | None, typer.Option(metavar="NAME", help="A frozen benchmark: duet-1.")] = None,
    agent: Annotated[
        list[str] | None, typer.Option(metavar="SPEC", help="Whom --suite is to test; repeatable.")
    ] = None,
    ingredients: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,…", help="What an --agent was made from, where brushpass cannot know."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play pairs of agents over the 26 cities and print the tables."""
    from brushpass.arena.journal import MANIFEST
    from brushpass.cli.suitetable import suite_lines
    from brushpass.cli.tables import bench_lines
    from brushpass.duet.bench import run_bench
    from brushpass.duet.core.mission import CITIES, find_cities
    from brushpass.duet.plan import Plan
    from brushpass.errors import InvalidSetup, Suspended

    del pair, cross, turns, mistakes, words, seed, order, clue_law, relax  # `_changed` reads them, if they are given
    said = Output(json, quiet, verbose)
    if engine not in {"local", "dask"}:
        raise InvalidSetup(f"--engine {engine!r} is neither local nor dask")
    if (engine == "dask") != (scheduler is not None):
        raise InvalidSetup("--engine dask and --scheduler ADDR go together")
    if resume and out is None:
        raise InvalidSetup("--resume needs the run folder: give --out DIR")
    if suite or agent or ingredients:
        cities = CITIES if city is None else find_cities(city)
        plan = _suite_plan(ctx, suite, agent, games, cities, listed(ingredients))
    else:
        begun = out if resume and out is not None and (out / MANIFEST).exists() else None
        plan = _changed(Plan() if begun is None else Plan.of_folder(begun), _given(ctx))
    for remark in _remarks(agent or (), ingredients or (), out if resume else None):
        said.note(remark)
    try:
        bar = sys.stderr.isatty() and not quiet
        with bench_progress(plan.total, len(plan.pairs), shown=bar, note=said.note) as shown:
            run = run_bench(
                plan,
                workers=workers or (usable_cores() if scheduler is None else 1),
                scheduler=scheduler,
                out=out,
                resume=resume,
                on_progress=shown,
            )
    except (KeyboardInterrupt, Suspended):
        if out is not None and (out / MANIFEST).exists():
            how = "" if scheduler is None else f" --engine dask --scheduler {scheduler}"
            said.note(f"what is played is kept; go on with: brushpass bench --resume --out {quote(str(out))}{how}")
        raise
    report = run.to_json()
    if json:
        said.document(report)
    else:
        said.lines(bench_lines(report) if plan.suite is None else suite_lines(report, cities=verbose))
    if out is not None:
        said.note(f"records are in {out}")


def _remarks(agents: Sequence[str], ingredients: Sequence[str], begun: Path | None) -> Iterator[str]:
    """What may not be as it was meant: agents of unknown make, and a folder in which there is nothing to go on with."""
    from brushpass.arena.journal import MANIFEST

    unknown = [spec for spec in agents if spec.startswith(("py:", "cmd:", "llm:"))]
    if unknown and not ingredients:
        yield f"of what {shortened(unknown)} was made is not known: every partner counts; tell with --ingredients"
    if begun is not None and not (begun / MANIFEST).exists():
        yield f"no run is begun in {begun}: it begins now"


def _given(ctx: typer.Context) -> dict[str, Any]:
    """The options that stand on the command line."""
    return {
        name: value
        for name, value in ctx.params.items()
        if getattr(ctx.get_parameter_source(name), "name", "") == "COMMANDLINE"
    }


def _changed(plan: Plan, given: Mapping[str, Any]) -> Plan:
    """The plan with what is given in place of what it has."""
    from brushpass.duet.core.mission import find_cities

    changes = {name: given[name] for name in ("words", "games", "seed") if name in given}
    if "pair" in given or "cross" in given:
        changes["pairs"] = _pairs(given.get("pair"), given.get("cross"))
    if mission := mission_of(given.get("city"), given.get("turns"), given.get("mistakes")):
        changes["mission"] = mission
    if "city" in given:
        changes |= {"cities": find_cities(given["city"]), "mission": None}
    rules = plan.rules.to_json() | {name: given[name] for name in ("order", "clue_law", "relax") if name in given}
    return replace(plan, rules=table_rules(**rules), **changes)


def _suite_plan(
    ctx: typer.Context,
    suite: str | None,
    agents: Sequence[str] | None,
    games: int | None,
    cities: Sequence[City],
    ingredients: Sequence[str],
) -> Plan:
    """The plan of `--suite`, beside which no option may stand that it has settled."""
    from brushpass.duet.plan import HONEST, Plan
    from brushpass.errors import InvalidSetup

    if not suite:
        raise InvalidSetup("--agent and --ingredients go with --suite; elsewhere name two agents with --pair")
    for name in FROZEN:
        if name in _given(ctx):
            raise InvalidSetup(
                f"--{name.replace('_', '-')} is settled by suite {suite}; beside it go --agent, --games and --city"
            )
    return Plan.of_suite(suite, agents or (HONEST[0],), games, cities, ingredients)


def _pairs(pair: Sequence[str] | None, cross: Sequence[str] | None) -> tuple[tuple[str, str], ...]:
    from brushpass.errors import InvalidSetup

    pairs: list[tuple[str, str]] = []
    for text in pair or ():
        match text.split(JOINT):
            case [a, b]:
                pairs.append((a, b))
            case specs:
                raise InvalidSetup(f"--pair takes two agents, not {' '.join(specs) or 'none'}")
    for text in cross or ():
        specs = text.split(JOINT)
        if len(specs) < 2:
            raise InvalidSetup(f"--cross takes two agents or more, not {text or 'none'}")
        pairs.extend((a, b) for a in specs for b in specs)
    return tuple(pairs)
