"""`brushpass play`: a game with a bot, with a person beside you, or between two bots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

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
    from collections.abc import Collection, Mapping

    from brushpass.cli.screen import Screen
    from brushpass.duet.core.cards import BySeat
    from brushpass.duet.core.events import Event
    from brushpass.duet.core.state import Setup
    from brushpass.duet.record import GameRecord
    from brushpass.duet.savedgame import SavedGame
    from brushpass.duet.savedgames import Slot

SEEDS = 1_000_000
PARTNER = "bot"
WATCHED: Final = ("embedding", "person")
"""The two bots of `--watch` where none are named."""
UNKEPT: Final = frozenset({"plain", "json", "quiet", "verbose", "resume", "file", "watch", "pace"})
"""Options that do not make another game."""


app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def play(
    ctx: typer.Context,
    city: Annotated[str | None, typer.Option(metavar="CITY", help="A city of the mission map; Prague if none.")] = None,
    turns: Turns = None,
    mistakes: Mistakes = None,
    partner: Annotated[
        str, typer.Option(metavar="SPEC", help="Who sits opposite; see agents list. human: two people, one screen.")
    ] = "embedding",
    clues: Annotated[
        str | None, typer.Option(metavar="easy|normal|rich", help="How common the words are that the bot says.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who you are: the bot gets to know you from game to game.")
    ] = None,
    words: Words = "english",
    seed: DealtBy = None,
    first: First = None,
    order: OrderOption = "alternate",
    clue_law: LawOption = "reject",
    relax: Relax = None,
    plain: Plain = False,
    practice: Annotated[bool, typer.Option("--practice", help="undo takes back; the game does not count.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game that was left last.")] = False,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Where the game is kept; in your data folder if none.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Watch two bots.")] = False,
    bots: Annotated[
        tuple[str, str] | None, typer.Option(metavar="SPEC SPEC", help="Which two, at seat A and seat B.")
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0, max=60, help="Time to read while watching; 1 on a terminal."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play a game of Duet with a bot, with a person beside you, or watch two bots.

    A game with a person is kept after every action: quit at any time, --resume goes on.
    """
    import secrets

    from brushpass.cli.sitting import saying
    from brushpass.duet.core.deal import deal
    from brushpass.duet.core.mission import START, City, find_city
    from brushpass.duet.savedgame import SavedGame
    from brushpass.duet.savedgames import Slot, to_resume
    from brushpass.errors import InvalidSetup
    from brushpass.lexicon.wordlists import load_wordlist

    del name  # it is kept with the game, as all of `ctx.params`
    out = Output(json, quiet, verbose)
    given = {
        name: value
        for name, value in ctx.params.items()
        if name not in UNKEPT and getattr(ctx.get_parameter_source(name), "name", "") == "COMMANDLINE"
    }
    watched = watch or bots is not None
    _check(given, watched=watched, resume=resume, pace=pace, kept=file is not None)
    stream = sys.stderr if json else sys.stdout
    if resume:
        slot, game = to_resume(file, seed=seed)
        _check_seats(game, trusted=game.names if file is None else (given.get("partner"),))
        _check_same(game, given)
        _go_on(out, game, slot, stream, plain=plain)
        return
    if file is not None and file.exists():
        raise InvalidSetup(f"{file} is there already: --resume goes on with the game in it; or name another file")
    if seed is None:
        seed = secrets.randbelow(SEEDS)
    where = (
        City("custom", mission)
        if (mission := mission_of(city, turns, mistakes))
        else find_city(START if city is None else city)
    )
    cards = load_wordlist(words).words
    game = SavedGame(
        id=f"{'practice' if practice else 'play'}-{where.name}-{seed}",
        setup=seat_first(deal(cards, where.mission, table_rules(order, clue_law, relax), seed), first),
        seed=seed,
        names=(bots or WATCHED) if watched else ("human", saying(partner, clues)),
        city=where.name if mission is None else None,
        practice=practice,
        options={
            name: _text(value)
            for name, value in ctx.params.items()
            if name not in UNKEPT and (value or type(value) is int)  # no mistakes are a number of them
        },
    )
    if watched:
        _watch(out, game, stream, plain=plain, pace=pace)
    else:
        _go_on(out, game, Slot(file), stream, plain=plain)


def _check(given: Mapping[str, Any], *, watched: bool, resume: bool, pace: float | None, kept: bool) -> None:
    """Refuse options that do not go together; raises InvalidSetup."""
    from brushpass.cli.acquaintance import check_remembers
    from brushpass.errors import InvalidSetup
    from brushpass.registry import Spec

    if watched and (resume or kept or {"partner", "clues", "name", "first", "practice"} & given.keys()):
        own = "--partner, --clues, --name, --first, --practice, --resume and --file"
        raise InvalidSetup(f"two bots play: leave out {own}")
    if pace is not None and not watched:
        raise InvalidSetup("--pace goes with --watch")
    if "human" in [Spec.parse(spec).name for spec in given.get("bots") or ()]:
        raise InvalidSetup("--bots human: a person is no bot; --partner human seats two people at one screen")
    partner = Spec.parse(given.get("partner", "embedding"))
    if partner.name == "human" and partner.options:
        raise InvalidSetup("human has no options")
    if "name" in given:
        check_remembers(given["name"], given.get("partner", "embedding"))


def _check_seats(game: SavedGame, *, trusted: Collection[str | None]) -> None:
    """Refuse a game without a person, and one out of a stranger's file that would start a program of its own.

    Raises:
        InvalidSetup: says what to add if it is wanted.
    """
    from brushpass.cli.sitting import HARMLESS, is_human
    from brushpass.errors import InvalidSetup
    from brushpass.registry import Spec

    if not any(map(is_human, game.names)):
        raise InvalidSetup(f"the saved game {game.id} has no seat for a person")
    for spec in game.names:
        if spec not in trusted and Spec.parse(spec).name not in HARMLESS:
            raise InvalidSetup(f"the saved game {game.id} starts {spec}: if you trust it, add --partner {spec!r}")


def _check_same(game: SavedGame, given: Mapping[str, Any]) -> None:
    """Refuse to go on with another game than the one asked for; raises InvalidSetup."""
    from brushpass.errors import InvalidSetup

    for name, value in given.items():
        asked, flag = _text(value), f"--{name.replace('_', '-')}"
        held = {"seed": str(game.seed), "city": game.city}.get(name, game.options.get(name))
        if name == "city" and game.city and asked.casefold().replace("-", " ") == game.city.casefold():
            continue
        if asked != held:
            raise InvalidSetup(
                f"the saved game {game.id} was begun {f'with {flag} {held}' if held else f'without {flag}'}, "
                f"not {asked}: leave it out, or leave out --resume"
            )


def _text(value: Any) -> str:  # noqa: ANN401 - whatever an option holds
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _go_on(out: Output, game: SavedGame, slot: Slot, stream: TextIO, *, plain: bool) -> None:
    """Play `game` from where it stands; what is typed last is kept, however it ends."""
    from brushpass.cli.again import again
    from brushpass.cli.screen import ScreenGone
    from brushpass.cli.sitting import Sitting, is_human
    from brushpass.duet.agent import LeftTheTable
    from brushpass.duet.storytext import TABLE_NAMES
    from brushpass.errors import BrushpassError

    same = f"{again(game.options, game.seed)} deals this board again"
    opposite = "a person beside you" if is_human(game.names[1]) else f"a bot ({game.names[1]})"
    where = place_of(game)
    sitting = Sitting(game, slot, stream, plain)
    screen = sitting.screen
    try:
        kind = " Practice: it does not count." if game.practice else ""
        going = f"{where} goes on" if game.moves else where
        screen.lines([f"{going}: you play with {opposite}.{kind} Type help at any time.", f"{same}."])
        record = sitting.play()
        names = TABLE_NAMES if is_human(game.names[1]) else None
        show_end(record, screen, same, names=names, scored=not game.practice)
        screen.lines(sitting.acquainted())
    except ScreenGone:
        raise
    except LeftTheTable:
        screen.lines(sitting.left(same))
        if out.json:
            out.document({"schema": 1, "finished": False, "seed": game.seed})
    except (BrushpassError, KeyboardInterrupt):
        screen.lines(["", *sitting.left(same)])
        raise
    else:
        slot.clear()
        if out.json:
            out.lines([record.to_line()])


def _watch(out: Output, game: SavedGame, stream: TextIO, *, plain: bool, pace: float | None) -> None:
    """Two bots play, and it is shown."""
    from brushpass.cli.again import again
    from brushpass.cli.screen import Screen
    from brushpass.cli.watching import Watching
    from brushpass.duet.storytext import TABLE_NAMES

    screen = Screen(stream, PARTNER, plain=plain)
    a, b = game.names
    screen.lines([f"{place_of(game)}: A is {a}, B is {b}."])
    record = Watching(game, screen, (1.0 if stream.isatty() else 0.0) if pace is None else pace).play()
    show_end(record, screen, f"{again(game.options, game.seed, game.names)} shows this game again", names=TABLE_NAMES)
    if out.json:
        out.lines([record.to_line()])


def place_of(game: SavedGame) -> str:
    """Where a game is played: its city, or what a table of its own allows."""
    mission = game.setup.mission
    fewer = f", {mission.mistakes} mistakes" if mission.mistakes < mission.turns else ""
    return game.city or f"A table of {mission.turns} turns{fewer}"


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


def show_end(
    record: GameRecord, screen: Screen, same: str, *, names: BySeat[str] | None = None, scored: bool = True
) -> None:
    """Show how it went, and the command that deals the board again; `same` is a sentence without its full stop.

    Raises:
        AgentFailure: the bot failed.
    """
    from dataclasses import replace

    from brushpass.duet.core.cards import Seat
    from brushpass.duet.core.phase import Reason
    from brushpass.duet.core.rules import new_game
    from brushpass.duet.observe import observe
    from brushpass.duet.record import replay
    from brushpass.duet.story import tell
    from brushpass.errors import AgentFailure

    if record.reason is Reason.FORFEIT:
        raise AgentFailure(f"the bot failed: {record.trace[-1]['why']}")
    state = new_game(record.setup)
    history: tuple[Event, ...] = ()
    for _, after, events in replay(record):
        state, history = after, (*history, *events)
    screen.end(observe(state, Seat.A, history), replace(tell(record), scored=scored), names)
    screen.lines([f"{same}."])
