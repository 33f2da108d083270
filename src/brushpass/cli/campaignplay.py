"""`brushpass campaign play`: a city, and its result on the sheet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brushpass.cli.options import DealtBy, First, LawOption, OrderOption, Plain, Relax, Words, table_rules
from brushpass.cli.output import Json, Output, Quiet, Verbose

if TYPE_CHECKING:
    from brushpass.cli.sitting import Sitting
    from brushpass.duet.campaign import Campaign, Result
    from brushpass.duet.campaignfile import CampaignFile
    from brushpass.duet.core.table import TableRules
    from brushpass.duet.record import GameRecord
    from brushpass.duet.savedgame import SavedGame
    from brushpass.duet.savedgames import Slot

File = Annotated[
    Path | None, typer.Option("--file", metavar="FILE", help="The file of campaigns; one in your data folder if none.")
]
Which = Annotated[str | None, typer.Option("--campaign", metavar="NAME", help="Which campaign, if you have several.")]


def play(
    ctx: typer.Context,
    city: Annotated[
        str | None,
        typer.Argument(metavar="[CITY]", help="An open city; where you are if none, after a win the suggested one."),
    ] = None,
    which: Which = None,
    partner: Annotated[str | None, typer.Option(metavar="SPEC", help="Who sits opposite; embedding if none.")] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who you are: the bot gets to know you from game to game.")
    ] = None,
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
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the campaign's game that was left last.")
    ] = False,
    file: File = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play a city with a bot, or watch two of them. The result is noted.

    A win, also in sudden death, opens the cities joined to it. After a loss try again or choose another open city.
    """
    from json import loads

    from brushpass.cli.again import again_of
    from brushpass.cli.campaigntext import document, result_text, standing
    from brushpass.cli.play import show_end
    from brushpass.duet.campaignfile import CampaignFile
    from brushpass.duet.savedgames import Slot, to_resume
    from brushpass.errors import InvalidSetup

    out = Output(json, quiet, verbose)
    if bots and (partner or name is not None or first or plain):
        raise InvalidSetup("--bots leaves no seat to you: leave out --partner, --name, --first and --plain")
    kept = CampaignFile(file)
    before = kept.get(which)
    folder = games_folder(kept, file)
    if resume:
        _check_alone(ctx)
        slot, game = to_resume(folder=folder, campaign=before.name)
        before.enter(game.city or "")
    else:
        rules = table_rules(order, clue_law, relax)
        slot = Slot(folder=folder)
        names = bots or _seats(partner or "embedding", name)
        game = _new_game(before, city, names, words, rules, seed, first, name)
    sitting = None
    if bots:
        record = _watched(game)
    else:
        sitting, finished = _sit(out, game, slot, before, _resume(which, file), plain=plain)
        if finished is None:
            return
        record = finished
    result = _result(record)
    over = len(record.moves) == len(game.moves)
    try:
        after = kept.update(before.name, lambda one: one if over and result in one.log else one.played(result))
        slot.clear()
    finally:
        if sitting:
            again = again_of(record, game.options["words"])
            show_end(record, sitting.screen, f"{again} deals this board outside the campaign", scored=False)
    if sitting:
        sitting.screen.lines(sitting.acquainted())
    if json:
        out.document({"schema": 1, "finished": True, "record": loads(record.to_line()), "campaign": document(after)})
    else:
        attempt = before.attempts[result.city] + 1
        told = f"{result.city}, attempt {attempt}, seed {game.seed}: {result_text(result)}."
        out.lines([told, *standing(after)])


def games_folder(kept: CampaignFile, file: Path | None) -> Path | None:
    """Where the games of the campaigns in `kept` are left; None for that of all games."""
    return None if file is None else kept.path.with_suffix(".games")


def _seats(partner: str, name: str | None) -> tuple[str, str]:
    """A person, opposite a bot that can get to know who is called `name`; raises InvalidSetup if it cannot."""
    from brushpass.cli.acquaintance import check_remembers

    if name is not None:
        check_remembers(name, partner)
    return "human", partner


def _new_game(
    before: Campaign,
    city: str | None,
    names: tuple[str, str],
    words: str,
    rules: TableRules,
    seed: int | None,
    first: str | None,
    name: str | None,
) -> SavedGame:
    """The next game of the campaign, not yet begun."""
    import secrets

    from brushpass.cli.play import SEEDS, seat_first
    from brushpass.duet.core.deal import deal
    from brushpass.duet.savedgame import SavedGame
    from brushpass.lexicon.wordlists import load_wordlist

    where = before.enter(city or before.next.name)
    dealt = secrets.randbelow(SEEDS) if seed is None else seed
    return SavedGame(
        id=f"{before.name}-{where.name}-{before.attempts[where.name] + 1}",
        setup=seat_first(deal(load_wordlist(words).words, where.mission, rules, dealt), first),
        seed=dealt,
        names=names,
        city=where.name,
        options={"campaign": before.name, "words": words, **({} if name is None else {"name": name})},
    )


def _sit(
    out: Output, game: SavedGame, slot: Slot, before: Campaign, resume: str, *, plain: bool
) -> tuple[Sitting, GameRecord | None]:
    """Play with a person; no record if the person left."""
    from brushpass.cli.screen import ScreenGone
    from brushpass.cli.sitting import Sitting
    from brushpass.duet.agent import LeftTheTable
    from brushpass.errors import BrushpassError

    sitting = Sitting(game, slot, sys.stderr if out.json else sys.stdout, plain, resume)
    screen = sitting.screen
    going = f"{game.city} goes on" if game.moves else f"{game.city} {game.setup.mission}"
    table = f"Campaign {before.name}, {going}, attempt {before.attempts[game.city or ''] + 1}"
    later = f"it is not noted; --seed {game.seed} deals this board again"
    try:
        screen.lines([f"{table}: you play with a bot ({game.names[1]}). Type help at any time."])
        return sitting, sitting.play()
    except ScreenGone:
        raise
    except LeftTheTable:
        screen.lines(sitting.left(later))
    except (BrushpassError, KeyboardInterrupt):
        screen.lines(["", *sitting.left(later)])
        raise
    if out.json:
        out.document({"schema": 1, "finished": False, "city": game.city, "seed": game.seed})
    return sitting, None


def _check_alone(ctx: typer.Context) -> None:
    """Refuse what makes another game beside `--resume`; raises InvalidSetup."""
    from brushpass.errors import InvalidSetup

    for name in ("city", "partner", "name", "bots", "words", "seed", "first", "order", "clue_law", "relax"):
        if getattr(ctx.get_parameter_source(name), "name", "") == "COMMANDLINE":
            raise InvalidSetup(f"--resume goes on with the game that was left: leave out {name.replace('_', '-')}")


def _resume(which: str | None, file: Path | None) -> str:
    """The command that goes on."""
    from shlex import join

    named = [*(["--campaign", which] if which else []), *(["--file", str(file)] if file else [])]
    return join(["brushpass", "campaign", "play", "--resume", *named])


def _watched(game: SavedGame) -> GameRecord:
    """The game of two bots."""
    from brushpass.duet.agents.roster import build_agent
    from brushpass.duet.referee import play_game

    a, b = (build_agent(spec, game.setup.board.words) for spec in game.names)
    return play_game(a, b, game.setup, seed=game.seed, id=game.id, city=game.city, names=game.names)


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
