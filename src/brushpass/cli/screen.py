"""A person's terminal in line mode: the console that `human` plays through."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TextIO

from brushpass.cli.lineedit import forget_lines, read_line
from brushpass.cli.output import harmless, in_width
from brushpass.duet import render, storytext
from brushpass.duet.agent import LeftTheTable
from brushpass.duet.agents.human import COMMANDS, QUIT, Page
from brushpass.duet.core.cards import BySeat, Mask, Seat
from brushpass.duet.core.events import Event
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup
from brushpass.duet.observation import Observation
from brushpass.duet.story import Story
from brushpass.errors import BrushpassError

if TYPE_CHECKING:
    from rich.console import Console

HELP: Final = (
    "Find all 15 agents together before the tokens are spent.",
    "Give a clue: a word and how many cards it means, such as: ocean 2",
    "  It points your partner at your agents, and away from your assassins.",
    "Guess: a card's number, its word, or its first letters. A touch is final.",
    "  Your partner's key judges it, so your own colors do not tell.",
    "  Guess on as long as you hit; stop (or pass) ends your turn after a hit.",
    "  In sudden death, yield leaves the guess to your partner.",
    "A turn costs a token: a check one if you stop, a bystander one if you miss.",
    "  None of that kind left? A stop takes a bystander one instead;",
    "  a miss takes two check ones, and without two of them the game is lost.",
    "A card that one side missed may still be an agent for the other.",
    "board, log: where the game stands; every clue so far",
    "hint: what I would do here",
    "why: what lay behind the last turns",
    "undo: take your last action back, in a game begun with --practice",
    "save, quit: where the game is kept; leave it, --resume goes on",
    "New to the game? brushpass learn teaches it in five minutes.",
)
LOGGED: Final = 5
"""Turns of the log that stand under the board; `log` shows all."""
TABLE: Final = 15
"""Lines of the board with what stands above and below it, down to the prompt."""
PUSHED: Final = 50
"""Blank lines between two people where the screen cannot be wiped."""
WIPE: Final = "\x1b[H\x1b[2J\x1b[3J"
"""Clears the screen, and then what was scrolled off it."""
PROMPTS: Final = {Phase.GUESS: "guess> ", Phase.SUDDEN: "sudden death> "}


class ScreenGone(LeftTheTable, BrokenPipeError):
    """The terminal, or who read the pipe, is gone: nobody is left to be told anything."""


class Screen:
    """Line mode: rich tables on a terminal, plain lines elsewhere or where asked."""

    def __init__(self, stream: TextIO, partner: str, *, plain: bool) -> None:
        self._stream = stream
        self._partner = partner
        self.pages: dict[Page, Callable[[Observation], Iterable[str]]] = {}
        """What else may be asked for, and who answers."""
        self._seen = 0
        self._bank: int | None = None
        self._rich: Console | None = None
        self._symbols = render.Symbols() if "utf" in (stream.encoding or "").lower() else render.ASCII
        self._terminal = stream.isatty()
        if not plain and self._terminal:
            from rich.console import Console

            console = Console(file=stream, highlight=False, markup=False, emoji=False)
            self._rich = console if console.width >= render.NARROWEST else None

    # -------------------------------------------------------------- what `human` asks for

    def show(self, view: Observation) -> None:
        """What is new, and on a terminal the whole table."""
        told = self.news(view)
        if self._rich or self._bank is None:
            self.board(view, min(LOGGED, max(1, shutil.get_terminal_size().lines - TABLE - told)))
        elif self._bank != view.bank:
            self.lines(render.standing(view))
        self._bank = view.bank
        self._print(render.task(view, self._partner), style="bold")

    def ask(self, view: Observation) -> str:
        """One line from standard input."""
        return self.read(PROMPTS.get(view.phase, "clue> "), (*COMMANDS, *view.words))

    def read(self, prompt: str, known: Sequence[str] = ()) -> str:
        """One line typed after `prompt`; on a terminal it may be edited, and Tab completes what is `known`.

        Raises:
            LeftTheTable: the input has ended.
        """
        try:
            if self._rich and self._stream is sys.stdout and sys.stdin.isatty():
                line = read_line(prompt, known)
            else:
                self._stream.write(prompt)
                self._stream.flush()
                line = sys.stdin.readline()
        except OSError:
            raise ScreenGone from None
        if not line:
            self.lines([""])
            raise LeftTheTable
        return "".join(ch if ch.isprintable() else " " for ch in line)

    def tell(self, line: str) -> None:
        """A line of its own."""
        self.lines([line])

    def page(self, page: Page, view: Observation) -> None:
        """What was asked for."""
        match page:
            case Page.HELP:
                self.lines((*HELP, f"Now: {render.task(view, self._partner)}"))
            case Page.LOG:
                self.lines(self._log(view) or ["No clue yet."])
            case Page.BOARD:
                self.board(view)
                self._print(render.task(view, self._partner), style="bold")
            case _:
                try:
                    self.lines(self.pages[page](view) if page in self.pages else [f"There is no {page} here."])
                except BrushpassError as error:
                    self.lines([f"No {page}: {error}."])

    def board(self, view: Observation, logged: int = LOGGED) -> None:
        """The table; drawn, also the last `logged` turns."""
        if self._rich:
            self._print("  ".join(render.standing(view)), style="bold")
            self._print(render.board_table(view, self._partner, self._symbols, self._rich.width))
            guesses = view.phase in {Phase.GUESS, Phase.SUDDEN}
            self._print(render.legend(self._symbols, self._partner if guesses else ""))
            self.lines(self._log(view)[-logged:] if logged else ())
        else:
            self.lines([*render.standing(view), "The cards, and what they are on your side of the key:"])
            self.lines(render.board_lines(view, self._partner))

    # -------------------------------------------------------------- the end

    def end(self, view: Observation, story: Story, names: BySeat[str] | None = None) -> None:
        """What happened since the last look, both sides of the key, and the story of the game.

        `names` are those of the two seats where nobody is "you".
        """
        setup = story.record.setup
        if names:
            self.lines(render.spectator_line(event, view.words) for event in self._new(view))
        else:
            self.news(view)
        whose = f"A's first, then {view.seat.other}'s" if names else f"yours first, then the {self._partner}'s"
        self.lines(["", f"Both sides of the key, {whose}:"])
        if self._rich:
            self._print(render.key_table(setup, view.covered, view.seat, self._symbols, self._rich.width))
        elif names:
            self.lines(render.spectator_key(setup))
        else:
            self.lines(render.key_lines(setup, view.seat, self._partner))
        self.lines([""])
        self.story(story, names or BySeat("you", f"the {self._partner}"))

    def story(self, story: Story, names: BySeat[str]) -> None:
        """Turn by turn what was meant and touched, with the chance of winning, and how the game ended."""
        if self._rich:
            self._print(storytext.story_table(story, names, self._symbols))
            self.lines(storytext.end_lines(story, names))
        else:
            self.lines(storytext.story_lines(story, names))

    def lines(self, lines: Iterable[str]) -> None:
        """Text, wrapped on a terminal."""
        for line in lines:
            self._print(line)

    def both_sides(self, setup: Setup, found: Mask) -> None:
        """Both sides of the key, A's first, for somebody who sits at neither; on paper once, for it does not change."""
        if self._rich:
            if self._bank is None:
                kinds = "  ".join(f"{self._symbols.of(color)} {name}" for color, name in render.NAMES.items())
                self.lines([f"Both sides of the key, A's first, then B's: {kinds}"])
            self._print(render.key_table(setup, found, Seat.A, self._symbols, self._rich.width))
        elif self._bank is None:
            self.lines(render.spectator_key(setup))
        self._bank = 0

    def told(self, history: Sequence[Event]) -> None:
        """What has happened so far is no news: it was told already."""
        self._seen = len(history)

    def catch_up(self, view: Observation) -> None:
        """What happened before this sitting is no news: the log holds it."""
        self.told(view.history)
        if not self._rich:
            self.lines(["So far:", *self._log(view)])

    def wipe(self) -> None:
        """Hide what only one person may see; here nobody else looks."""

    def rewind(self, history: Sequence[Event]) -> None:
        """Of a game that was taken back, what happens again is news again."""
        self._seen = min(self._seen, len(history))

    # -------------------------------------------------------------- parts

    def news(self, view: Observation) -> int:
        """What has happened since the last look; returns how many lines that took."""
        new = self._new(view)
        self.lines(render.event_line(event, view, self._partner) for event in new)
        return len(new)

    def _new(self, view: Observation) -> list[Event]:
        """What has happened since the last look and is worth telling."""
        new, self._seen = view.history[self._seen :], len(view.history)
        return render.worth_telling(new)

    def _log(self, view: Observation) -> list[str]:
        symbols = self._symbols if self._rich else None
        return render.log_lines(view.history, view.words, view.seat, self._partner, symbols)

    def _print(self, what: object, style: str | None = None) -> None:
        what = harmless(what) if isinstance(what, str) else what
        try:
            if self._rich:
                self._rich.print(what, style=style)
            else:
                self._stream.write(f"{in_width(str(what), self._stream)}\n")
                self._stream.flush()
        except OSError:
            raise ScreenGone from None


class SharedScreen(Screen):
    """One screen for two people in turn: wiped, with what was scrolled away, before the other one looks."""

    def __init__(self, stream: TextIO, partner: str, *, plain: bool, desk: Desk) -> None:
        super().__init__(stream, partner, plain=plain)
        self._desk = desk

    def show(self, view: Observation) -> None:
        """The table, once the one whose turn it is sits here alone."""
        if self._desk.seat is not view.seat:
            if self._desk.seat is not None:
                self.wipe()
            elif not view.history:
                self.lines(["Agree who is player A and who is player B."])
            self.lines([f"Player {view.seat} plays now; player {view.seat.other}, look away."])
            if self.read(f"Player {view.seat}, press Enter when nobody else looks> ").strip().casefold() in QUIT:
                raise LeftTheTable
            self.wipe()
            self._desk.seat = view.seat
            self._bank = None
        super().show(view)

    def catch_up(self, view: Observation) -> None:
        """What happened before this sitting is no news; here the log is for who asks for it."""
        self.told(view.history)

    def wipe(self) -> None:
        """Nothing of what was shown can be scrolled back to; where no terminal can do that, it is pushed away."""
        forget_lines()
        self.lines([""] * (PUSHED if self._rich is None else 0))
        if self._terminal and os.environ.get("TERM") != "dumb":
            self._stream.write(WIPE)
            self._stream.flush()


@dataclass(slots=True)
class Desk:
    """Where two people share a screen: whose turn it was to look at it last."""

    seat: Seat | None = None
