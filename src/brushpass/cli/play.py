"""`brushpass play`: a game with a bot."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from brushpass.cli.options import (
    DealtBy,
    First,
    LawOption,
    Mistakes,
    OrderOption,
    Plain,
    Relax,
    Turns,
    Words,
    mission_of,
    table_rules,
)
from brushpass.cli.output import Json, Output, Quiet, Verbose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brushpass.cli.screen import Screen
    from brushpass.duet.core.events import Event
    from brushpass.duet.core.state import Setup
    from brushpass.duet.record import GameRecord

SEEDS = 1_000_000
PARTNER = "bot"


app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def play(
    city: Annotated[str | None, typer.Option(metavar="CITY", help="A city of the mission map; Prague if none.")] = None,
    turns: Turns = None,
    mistakes: Mistakes = None,
    partner: Annotated[str, typer.Option(metavar="SPEC", help="Who sits opposite; see agents list.")] = "embedding",
    words: Words = "english",
    seed: DealtBy = None,
    first: First = None,
    order: OrderOption = "alternate",
    clue_law: LawOption = "reject",
    relax: Relax = None,
    plain: Plain = False,
    practice: Annotated[bool, typer.Option("--practice", hidden=True)] = False,
    resume: Annotated[bool, typer.Option("--resume", hidden=True)] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play a game of Duet with a bot."""
    import secrets

    from brushpass.cli.screen import Screen
    from brushpass.duet.agent import LeftTheTable
    from brushpass.duet.agents.human import Human
    from brushpass.duet.agents.roster import build_agent
    from brushpass.duet.core.deal import deal
    from brushpass.duet.core.mission import START, City, find_city
    from brushpass.duet.referee import play_game
    from brushpass.errors import InvalidSetup
    from brushpass.lexicon.wordlists import load_wordlist
    from brushpass.registry import Spec

    out = Output(json, quiet, verbose)
    for asked, flag in ((practice, "--practice"), (resume, "--resume")):
        if asked:
            raise InvalidSetup(f"play {flag} comes with a later version")
    if Spec.parse(partner).name == "human":
        raise InvalidSetup("--partner human comes with a later version; name a bot")
    if seed is None:
        seed = secrets.randbelow(SEEDS)
    where = (
        City("custom", mission)
        if (mission := mission_of(city, turns, mistakes))
        else find_city(START if city is None else city)
    )
    cards = load_wordlist(words).words
    setup = seat_first(deal(cards, where.mission, table_rules(order, clue_law, relax), seed), first)
    bot = build_agent(partner, setup.board.words)
    screen = Screen(sys.stderr if json else sys.stdout, PARTNER, plain=plain)
    again = f"--seed {seed} with the same options deals this board again"
    try:
        screen.lines([f"{where.name}: you play with a bot ({partner}). Type help at any time; {again}."])
        screen.lines(unknown_lines(partner, setup.board.words))
        record = play_game(
            Human(screen),
            bot,
            setup,
            seed=seed,
            id=f"play-{where.name}-{seed}",
            city=where.name if mission is None else None,
            names=("human", partner),
        )
        show_end(record, screen)
        screen.lines([f"{again[0].upper()}{again[1:]}."])
    except LeftTheTable:
        if screen.gone:
            raise BrokenPipeError from None
        screen.lines([f"The game is left unfinished; {again}."])
        if json:
            out.document({"schema": 1, "finished": False, "seed": seed})
    else:
        if json:
            out.lines([record.to_line()])


def unknown_lines(partner: str, words: Sequence[str]) -> list[str]:
    """What the bot says of cards it does not know: that tells nothing of the key."""
    from brushpass.duet.agents.options import unknown_to

    unknown = unknown_to(partner, words)
    return [f"The bot does not know {', '.join(unknown)}: it will never aim a clue there."] if unknown else []


def seat_first(setup: Setup, first: str | None) -> Setup:
    """The deal with the first giver that `--first` asks for; raises InvalidSetup for a word that names neither."""
    from dataclasses import replace

    from brushpass.duet.core.cards import Seat
    from brushpass.errors import InvalidSetup

    seats = {"me": Seat.A, "bot": Seat.B}
    if first is None:
        return setup
    if first not in seats:
        raise InvalidSetup(f"--first {first!r} is neither me nor bot")
    return replace(setup, first=seats[first])


def show_end(record: GameRecord, screen: Screen) -> None:
    """Show how it ended.

    Raises:
        AgentFailure: the bot failed.
    """
    from brushpass.duet.core.cards import Seat
    from brushpass.duet.core.phase import Reason
    from brushpass.duet.core.rules import new_game
    from brushpass.duet.observe import observe
    from brushpass.duet.record import replay
    from brushpass.duet.render import result_line
    from brushpass.errors import AgentFailure

    if record.reason is Reason.FORFEIT:
        raise AgentFailure(f"the bot failed: {record.trace[-1]['why']}")
    state = new_game(record.setup)
    history: tuple[Event, ...] = ()
    for _, after, events in replay(record):
        state, history = after, (*history, *events)
    thoughts = [thought.get("targets", ()) for thought in record.trace]
    result = result_line(record.outcome, record.reason, record.score)
    screen.end(record.setup, observe(state, Seat.A, history), thoughts, result)
