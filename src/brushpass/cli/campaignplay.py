"""`brushpass campaign play`: a city, and its result on the sheet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brushpass.cli.options import DealtBy, First, LawOption, OrderOption, Plain, Relax, Words, table_rules
from brushpass.cli.output import Json, Output, Quiet, Verbose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brushpass.cli.screen import Screen
    from brushpass.duet.agent import Agent
    from brushpass.duet.campaign import Result
    from brushpass.duet.record import GameRecord

File = Annotated[
    Path | None, typer.Option("--file", metavar="FILE", help="The file of campaigns; one in your data folder if none.")
]
Which = Annotated[str | None, typer.Option("--campaign", metavar="NAME", help="Which campaign, if you have several.")]


def play(
    city: Annotated[
        str | None,
        typer.Argument(metavar="[CITY]", help="An open city; where you are if none, after a win the suggested one."),
    ] = None,
    which: Which = None,
    partner: Annotated[str | None, typer.Option(metavar="SPEC", help="Who sits opposite; embedding if none.")] = None,
    bots: Annotated[
        tuple[str, str] | None, typer.Option(metavar="SPEC SPEC", help="Two bots play, at seat A and seat B.")
    ] = None,
    words: Words = "english",
    seed: DealtBy = None,
    first: First = None,
    order: OrderOption = "alternate",
    clue_law: LawOption = "reject",
    relax: Relax = None,
    plain: Plain = False,
    file: File = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play a city with a bot, or watch two of them. The result is noted.

    A win, also in sudden death, opens the cities joined to it. After a loss try again or choose another open city.
    """
    import secrets
    from json import loads

    from brushpass.cli.again import again_of
    from brushpass.cli.campaigntext import document, result_text, standing
    from brushpass.cli.play import PARTNER, SEEDS, seat_first, show_end, unknown_lines
    from brushpass.cli.screen import Screen
    from brushpass.duet.agent import LeftTheTable
    from brushpass.duet.campaignfile import CampaignFile
    from brushpass.duet.core.deal import deal
    from brushpass.duet.referee import play_game
    from brushpass.errors import InvalidSetup
    from brushpass.lexicon.wordlists import load_wordlist

    out = Output(json, quiet, verbose)
    if bots and (partner or first or plain):
        raise InvalidSetup("--bots leaves no seat to you: leave out --partner, --first and --plain")
    kept = CampaignFile(file)
    before = kept.get(which)
    where = before.enter(city or before.next.name)
    attempt = before.attempts[where.name] + 1
    if seed is None:
        seed = secrets.randbelow(SEEDS)
    cards = load_wordlist(words).words
    setup = seat_first(deal(cards, where.mission, table_rules(order, clue_law, relax), seed), first)
    screen = None if bots else Screen(sys.stderr if json else sys.stdout, PARTNER, plain=plain)
    names = bots or ("human", partner or "embedding")
    agents = _agents(names, setup.board.words, screen)
    if screen:
        table = f"Campaign {before.name}, {where.name} {where.mission}, attempt {attempt}"
        screen.lines([f"{table}: you play with a bot ({names[1]}). Type help at any time."])
        screen.lines(unknown_lines(names[1], setup.board.words))
    try:
        record = play_game(
            *agents,
            setup,
            seed=seed,
            id=f"{before.name}-{where.name}-{attempt}",
            city=where.name,
            names=names,
        )
    except LeftTheTable:
        if screen is None or screen.gone:
            raise BrokenPipeError from None
        screen.lines([f"The game is left unfinished and not noted; --seed {seed} deals this board again."])
        if json:
            out.document({"schema": 1, "finished": False, "city": where.name, "seed": seed})
        return
    result = _result(record)
    try:
        after = kept.update(before.name, lambda one: one.played(result))
    finally:
        if screen:
            show_end(record, screen, f"{again_of(record, words)} deals this board outside the campaign", scored=False)
    if json:
        out.document({"schema": 1, "finished": True, "record": loads(record.to_line()), "campaign": document(after)})
    else:
        out.lines([f"{where.name}, attempt {attempt}, seed {seed}: {result_text(result)}.", *standing(after)])


def _agents(names: tuple[str, str], cards: Sequence[str], screen: Screen | None) -> tuple[Agent, Agent]:
    """The players of `names`; a person at `screen` sits at seat A."""
    from brushpass.duet.agents.human import Human
    from brushpass.duet.agents.roster import build_agent

    return build_agent(names[0], cards) if screen is None else Human(screen), build_agent(names[1], cards)


def _result(record: GameRecord) -> Result:
    """What is noted.

    Raises:
        AgentFailure: a bot failed.
    """
    from brushpass.duet.campaign import Result
    from brushpass.duet.core.phase import Reason
    from brushpass.errors import AgentFailure

    if record.reason is Reason.FORFEIT:
        raise AgentFailure(f"the bot failed, so nothing is noted: {record.trace[-1]['why']}")
    return Result.of(record)
