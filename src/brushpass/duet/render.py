"""Text of a game for a person: plain lines, one fact a line, and rich tables for a terminal of 80 columns.

The one who reads sits at `view.seat` and is called "you"; the partner goes by the name given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from brushpass.duet.core.cards import AGENTS, CARD_COUNT, Card, Color, Seat
from brushpass.duet.core.events import (
    CardTouched,
    ClueGiven,
    Event,
    GameEnded,
    SideFinished,
    Stopped,
    SuddenDeathBegan,
    Yielded,
)
from brushpass.duet.core.phase import Outcome, Phase, Reason
from brushpass.duet.core.state import Setup, State
from brushpass.duet.observation import Observation

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

COLUMNS: Final = 5
NARROWEST: Final = 70
"""Below this many columns a board of five cards a row is not drawn; its plain lines are shown."""

LONG_MARK: Final = 13
"""Letters of a mark from which it takes the whole width of its card."""

NAMES: Final = {Color.GREEN: "agent", Color.TAN: "bystander", Color.BLACK: "assassin"}
STYLES: Final = {Color.GREEN: "#000000 on cyan", Color.TAN: "", Color.BLACK: "bold #ffffff on red"}
"""Told apart by lightness and symbol too, so that no eye needs the hue; read on a dark terminal as on a light one."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """One character a color, and for a card that is found."""

    green: str = "◆"
    tan: str = "·"
    black: str = "✗"
    found: str = "✓"

    def of(self, color: Color) -> str:
        """The symbol of `color`."""
        return {Color.GREEN: self.green, Color.TAN: self.tan, Color.BLACK: self.black}[color]


ASCII: Final = Symbols("+", ".", "X", "*")


@dataclass(slots=True)
class Turn:
    """A clue and what was touched on it; without a clue, the touches of sudden death."""

    clue: ClueGiven | None = None
    touches: list[CardTouched] = field(default_factory=list)
    stopped: bool = False


def turns_of(history: Sequence[Event]) -> list[Turn]:
    """The history, turn by turn."""
    turns: list[Turn] = []
    for event in history:
        if isinstance(event, ClueGiven):
            turns.append(Turn(event))
        elif isinstance(event, SuddenDeathBegan):
            turns.append(Turn())
        elif isinstance(event, CardTouched):
            turns[-1].touches.append(event)
        elif isinstance(event, Stopped):
            turns[-1].stopped = True
    return turns


# ------------------------------------------------------------------ plain lines


def who(seat: Seat, me: Seat, partner: str) -> str:
    """What the reader at `me` calls `seat`."""
    return "you" if seat is me else partner


def standing(view: Observation) -> list[str]:
    """Where the game stands, a fact a line: tokens, agents found, own agents left."""
    return [
        f"tokens left {view.bank}: {view.check} check, {view.bystander} bystander",
        f"agents found {view.covered.bit_count()} of {AGENTS}",
        f"your agents left {len(view.greens_left())}",
    ]


def mark(view: Observation, card: Card, partner: str) -> str:
    """What happened to a card: who found it, who missed on it; empty if nothing did."""
    bit = 1 << card
    for seat in Seat:
        if view.found.of(seat) & bit:
            return f"{who(seat, view.seat, partner)} found"
    missed = [seat for seat in Seat if view.marks.of(seat) & bit]
    if len(missed) == len(Seat):
        return "both missed"
    return f"{who(missed[0], view.seat, partner)} missed" if missed else ""


def board_lines(view: Observation, partner: str) -> list[str]:
    """The board, a line a card: number, word, own color, what happened to it."""
    lines = []
    for card, word in enumerate(view.words):
        happened = mark(view, card, partner)
        told = happened if view.covered >> card & 1 else f"{NAMES[view.key.color(card)]}{happened and ', '}{happened}"
        lines.append(f"{card + 1}. {word}: {told}")
    return lines


def worth_telling(events: Sequence[Event]) -> list[Event]:
    """What is told of `events`, one after another: of the game's end only what brought it about."""
    over = isinstance(events[-1], GameEnded) if events else False
    return [event for event in events if not (over and isinstance(event, GameEnded | SideFinished))]


def event_line(event: Event, view: Observation, partner: str) -> str:
    """What happened, as one sentence."""
    match event:
        case ClueGiven(seat, word, number, penalised):
            cost = " It breaks the clue law: a token is lost." if penalised else ""
            return f"{_subject(seat, view, partner)} said {word} {number}.{cost}"
        case CardTouched(seat, card, color):
            article = "a bystander" if color is Color.TAN else f"an {NAMES[color]}"
            return f"{_subject(seat, view, partner)} touched {view.words[card]}: {article}."
        case Stopped(seat):
            return f"{_subject(seat, view, partner)} stopped."
        case Yielded(seat):
            return f"{_subject(seat, view, partner)} left the next guess to the other side."
        case SideFinished(seat) if seat is view.seat:
            return "All your words are found: from now on only you guess."
        case SideFinished():
            return f"All the {partner}'s words are found: from now on only the {partner} guesses."
        case SuddenDeathBegan():
            return "No token is left: sudden death. One wrong touch loses the game."
        case _:
            return "The game is over."


def _subject(seat: Seat, view: Observation, partner: str) -> str:
    return "You" if seat is view.seat else f"The {partner}"


def spectator_line(event: Event, words: Sequence[str], meant: Sequence[Card] = ()) -> str:
    """What happened, as one sentence for somebody at neither side; with a clue what it `meant`."""
    match event:
        case ClueGiven(seat, word, number, penalised):
            aims = f", meaning {', '.join(words[card] for card in meant)}" if meant else ""
            return f"{seat} says {word} {number}{aims}.{' It costs a token.' if penalised else ''}"
        case CardTouched(seat, card, color):
            return f"{seat} touches {words[card]}: {'a' if color is Color.TAN else 'an'} {NAMES[color]}."
        case Stopped(seat):
            return f"{seat} stops."
        case Yielded(seat):
            return f"{seat} leaves the next guess to {seat.other}."
        case SideFinished(seat):
            return f"All words of {seat} are found: from now on only {seat} guesses."
        case SuddenDeathBegan():
            return "No token is left: sudden death."
        case _:
            return "The game is over."


def spectator_standing(state: State) -> str:
    """Where the game stands."""
    tokens = f"tokens left {state.bank}: {state.check} check, {state.bystander} bystander"
    return f"{tokens}; agents found {state.covered.bit_count()} of {AGENTS}"


def task(view: Observation, partner: str) -> str:
    """What is to be done now."""
    if view.phase in {Phase.CLUE, Phase.CLUE_ANY}:
        return "Your clue: a word and how many cards it means, such as: ocean 2"
    if view.phase is Phase.SUDDEN:
        rest = "" if view.must_guess else f", or yield to leave it to the {partner}"
        return f"Sudden death: type one of the {partner}'s words or its number{rest}"
    said = f"{view.clue.word.upper()} {view.clue.number}" if view.clue else "no clue"
    rest = "" if view.must_guess else ", or stop"
    return f"The {partner} says {said}: type a card's word or number{rest}"


def log_lines(
    history: Sequence[Event], words: Sequence[str], me: Seat, partner: str, symbols: Symbols | None = None
) -> list[str]:
    """Each clue with what was touched on it, a line a turn; colors as `symbols`, if given, else in words."""

    def touch(touched: CardTouched, named: bool) -> str:
        by = f"{who(touched.seat, me, partner)} " if named else ""
        color = f"({NAMES[touched.color]})" if symbols is None else symbols.of(touched.color)
        return f"{by}{words[touched.card]} {color}"

    lines = []
    for number, turn in enumerate(turns_of(history), 1):
        said = "sudden death" if turn.clue is None else f"{who(turn.clue.seat, me, partner)} {_said(turn.clue)}"
        touches = [touch(touched, named=turn.clue is None) for touched in turn.touches]
        lines.append(f"{number}. {said}: {', '.join([*touches, *(['stop'] if turn.stopped else [])])}".rstrip(": "))
    return lines


def _said(clue: ClueGiven) -> str:
    return f"{clue.word.upper()} {clue.number}{' (cost a token)' if clue.penalised else ''}"


# ------------------------------------------------------------------ the end


def result_line(outcome: Outcome, reason: Reason | None, score: int | None) -> str:
    """How it ended."""
    if outcome is Outcome.WON:
        return "Won: all 15 agents are found." + ("" if score is None else f" Score {score}.")
    why = {
        Reason.ASSASSIN: "an assassin was touched",
        Reason.SUDDEN_DEATH: "a bystander was touched in sudden death",
        Reason.CANNOT_PAY: "a mistake could not be paid",
        Reason.FORFEIT: "a player could not go on",
    }
    return f"Lost: {why[reason] if reason else 'no reason given'}."


def key_lines(setup: Setup, me: Seat, partner: str) -> list[str]:
    """Both sides of the key, a line a card."""
    keys = setup.keys
    return [
        f"{card + 1}. {word}: you {NAMES[keys.side(me).color(card)]}, "
        f"{partner} {NAMES[keys.side(me.other).color(card)]}"
        for card, word in enumerate(setup.board.words)
    ]


def spectator_key(setup: Setup) -> list[str]:
    """Both sides of the key, a line a card, for somebody at neither."""
    a, b = setup.keys.a, setup.keys.b
    return [
        f"{card + 1}. {word}: A {NAMES[a.color(card)]}, B {NAMES[b.color(card)]}"
        for card, word in enumerate(setup.board.words)
    ]


# ------------------------------------------------------------------ rich


def board_table(view: Observation, partner: str, symbols: Symbols, width: int) -> RenderableType:
    """The board, five cards a row: own colors by symbol and style, and under a card what happened to it."""
    cells = []
    for card, word in enumerate(view.words):
        color = view.key.color(card)
        found, happened = view.covered >> card & 1, mark(view, card, partner)
        style = "dim" if view.dead >> card & 1 else STYLES[color]
        symbol = symbols.found if found else symbols.of(color)
        cells.append(_cell(card, [(f"{symbol} {word}", style)], happened))
    return _grid(cells, width)


def key_table(setup: Setup, found: int, me: Seat, symbols: Symbols, width: int) -> RenderableType:
    """Both sides of the key, yours first; the cards `found` are marked."""
    mine, other = setup.keys.side(me), setup.keys.side(me.other)
    cells = []
    for card, word in enumerate(setup.board.words):
        sides = [(symbols.of(color), STYLES[color]) for color in (mine.color(card), other.color(card))]
        cells.append(_cell(card, [*sides, (f" {word}", "")], "found" if found >> card & 1 else ""))
    return _grid(cells, width)


def legend(symbols: Symbols, judge: str = "") -> RenderableType:
    """What the symbols mean, and who judges a guess: `judge`, if it is not the reader's own key."""
    from rich.text import Text

    parts = [((f"{symbols.of(color)} {name}", STYLES[color]), "  ") for color, name in NAMES.items()]
    judged = f"  (the {judge}'s key judges)" if judge else ""
    return Text.assemble("your key: ", *(piece for pair in parts for piece in pair), f"{symbols.found} found{judged}")


def _cell(card: Card, parts: Sequence[tuple[str, str]], below: str) -> Text:
    from rich.text import Text

    indent = "   " if len(below) < LONG_MARK else " "
    return Text.assemble((f"{card + 1:>2} ", "dim"), *parts, "\n", (f"{indent}{below}", "dim"))


def _grid(cells: Sequence[Text], width: int) -> RenderableType:
    from rich.table import Table

    table = Table.grid(padding=(0, 1, 0, 0))
    for _ in range(COLUMNS):
        table.add_column(width=min(width, 100) // COLUMNS - 1, overflow="fold")
    for row in range(0, CARD_COUNT, COLUMNS):
        table.add_row(*cells[row : row + COLUMNS])
    return table
