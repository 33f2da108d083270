"""A recorded game as text: both sides of the key, then clue by clue what was said, meant and touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any, Final, NamedTuple

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue
from brushpass.duet.core.cards import CARD_COUNT, SEATS, Card, cards_of
from brushpass.duet.core.events import (
    CardTouched,
    ClueGiven,
    Event,
    SideFinished,
    Stopped,
    SuddenDeathBegan,
    Yielded,
)
from brushpass.duet.core.phase import Reason
from brushpass.duet.core.state import Setup, State
from brushpass.duet.observation import event_to_json
from brushpass.duet.record import GameRecord, replay
from brushpass.duet.render import COLUMNS, NAMES, worth_telling
from brushpass.duet.story import CERTAIN, chance_of, meant_by, tell
from brushpass.duet.storytext import end_lines, percent

WIDTH: Final = 80


class Piece(NamedTuple):
    """What one look at a game shows: its head, a move, or its end. `opens` tells whether a blank line comes before."""

    lines: list[str]
    state: State
    opens: bool = True


def transcript(record: GameRecord) -> list[Piece]:
    """The game in pieces: its head with the board, a piece a move, and how it ended.

    Sudden death begins with a piece of its own; with the last move of a turn comes where the game then stands.

    Raises:
        CorruptData: the rules refuse a move of the record.
    """
    start = rules.new_game(record.setup)
    turns = _turns(record)
    pieces = [Piece(_head(record), start, opens=False)]
    for turn in turns:
        turn[-1].lines.extend(_standing(turn[-1].state))
        pieces += turn
    return [*pieces, Piece(_end(record), pieces[-1].state)]


def steps(record: GameRecord) -> list[dict[str, Any]]:
    """The game action by action, as JSON: what was done, what happened, and where the game then stood.

    Raises:
        CorruptData: the rules refuse a move of the record.
    """
    return [
        {
            "action": move.to_json(),
            "events": [event_to_json(event) for event in events],
            "phase": str(state.phase),
            "giver": None if state.giver is None else str(state.giver),
            "bank": {"check": state.check, "bystander": state.bystander},
            "checks": {str(seat): state.checks.of(seat) for seat in SEATS},
            "found": list(cards_of(state.covered)),
            "marks": {str(seat): list(cards_of(state.marks.of(seat))) for seat in SEATS},
        }
        for move, state, events in replay(record)
    ]


# ------------------------------------------------------------------ the head


def _head(record: GameRecord) -> list[str]:
    setup = record.setup
    where = f"{record.city or 'a table of its own'}, {setup.mission}"
    lines = [f"Game {record.id}: {where}, order {setup.rules.order}, clue law {setup.rules.clue_law}"]
    if record.agents is not None:
        lines += [f"{seat}: {name}" for seat, name in zip(SEATS, record.agents, strict=True)]
    return [*lines, "", "A's and B's side of the key (G agent, T bystander, B assassin):", *_board(setup)]


def _board(setup: Setup) -> list[str]:
    """The cards with both sides of the key, five a line if they fit."""
    sides = [f"{setup.keys.a.color(card)}{setup.keys.b.color(card)}" for card in range(CARD_COUNT)]
    cells = [f"{card + 1:>2} {sides[card]} {word}" for card, word in enumerate(setup.board.words)]
    width = max(map(len, cells))
    if COLUMNS * (width + 2) - 2 > WIDTH:
        return cells
    rows = (cells[place : place + COLUMNS] for place in range(0, CARD_COUNT, COLUMNS))
    return ["  ".join(cell.ljust(width) for cell in row).rstrip() for row in rows]


# ------------------------------------------------------------------ the turns


def _turns(record: GameRecord) -> list[list[Piece]]:
    """A piece a move, turn by turn; what a move brings about is told with it."""
    words = record.setup.board.words
    meant = [*meant_by(record)]
    turns: list[list[Piece]] = []
    clues = 0
    for move, state, events in replay(record):
        if isinstance(move.action, Clue) or not turns:
            turns.append([])
        turns[-1].append(Piece([], state, opens=not turns[-1]))
        for event in worth_telling(events):
            if isinstance(event, SuddenDeathBegan):
                turns.append([Piece([], state)])
            turns[-1][-1].lines.append(_told(event, words, clues, meant))
            clues += isinstance(event, ClueGiven)
    return turns


def _told(event: Event, words: Sequence[str], clues: int, meant: Sequence[Sequence[Card]]) -> str:
    match event:
        case ClueGiven(seat, word, number, penalised):
            aims = ", ".join(words[card] for card in meant[clues]) if clues < len(meant) else ""
            cost = ", against the clue law: a token is lost" if penalised else ""
            return f"{clues + 1}. {seat} says {word.upper()} {number}{cost}{f' (meant {aims})' if aims else ''}"
        case CardTouched(seat, card, color):
            return f"   {seat} touches {words[card]}: {NAMES[color]}"
        case Stopped(seat):
            return f"   {seat} stops"
        case Yielded(seat):
            return f"   {seat} leaves the next guess to the other side"
        case SideFinished(seat):
            return f"   all words of {seat} are found: now only {seat} guesses"
        case _:
            return "Sudden death: no token is left"


def _standing(state: State) -> Iterator[str]:
    tokens = f"{state.check} check, {state.bystander} bystander"
    yield f"   tokens left {state.bank} ({tokens}), agents found {state.covered.bit_count()}"
    if state.phase not in CERTAIN:
        yield f"   chance of winning {percent(chance_of(state))}"


def _end(record: GameRecord) -> list[str]:
    lines = [part for line in end_lines(tell(record)) for part in wrap(line, WIDTH, subsequent_indent="   ")]
    if record.reason is Reason.FORFEIT and isinstance(record.trace, list) and record.trace:
        last = record.trace[-1]
        if isinstance(last, dict) and isinstance(last.get("why"), str):
            lines.append(f"{last.get('forfeit') or 'The table'} could not go on: {last['why']}")
    return lines
