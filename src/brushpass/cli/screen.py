"""A person's terminal in line mode: the console that `human` plays through."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NoReturn, TextIO

from brushpass.duet import render
from brushpass.duet.agent import LeftTheTable
from brushpass.duet.agents.human import Page
from brushpass.duet.core.cards import Card
from brushpass.duet.core.events import GameEnded, SideFinished
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup
from brushpass.duet.observation import Observation

if TYPE_CHECKING:
    from rich.console import Console

HELP: Final = (
    "Find all 15 agents together before the tokens are spent. Each side sees its own half of the key.",
    "Giving a clue: a word and how many cards it means, such as: ocean 2",
    "  It is for your own agents; the assassins and bystanders you see are what your partner must not touch.",
    "Guessing: a card's number (1 to 25), its word, or its first letters. A touch is final.",
    "  Your partner's key judges it, so your own colors do not tell. Guess on as long as you hit.",
    "  stop (or pass) ends your turn after a hit; yield leaves a guess in sudden death to your partner.",
    "At any time: board, log, help, quit.",
)
LOGGED: Final = 5
"""Turns of the log that stand under the board; `log` shows all."""
PROMPTS: Final = {Phase.GUESS: "guess> ", Phase.SUDDEN: "sudden death> "}


class Screen:
    """Line mode: rich tables on a terminal, plain lines elsewhere or where asked."""

    def __init__(self, stream: TextIO, partner: str, *, plain: bool) -> None:
        self._stream = stream
        self._partner = partner
        self.gone = False
        """Whether the terminal, or who read the pipe, is gone."""
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
        self._news(view)
        if self._rich or self._bank is None:
            self._board(view)
        elif self._bank != view.bank:
            self.lines(render.standing(view))
        self._bank = view.bank
        self._print(render.task(view, self._partner), style="bold")

    def ask(self, view: Observation) -> str:
        """One line from standard input."""
        try:
            self._stream.write(PROMPTS.get(view.phase, "clue> "))
            self._stream.flush()
            line = sys.stdin.readline()
        except OSError:
            self._leave()
        if not line:
            self.lines([""])
            raise LeftTheTable
        return "".join(ch if ch.isprintable() else " " for ch in line)

    def tell(self, line: str) -> None:
        """A line of its own."""
        self.lines([line])

    def page(self, page: Page, view: Observation) -> None:
        """Help, the board or the log."""
        match page:
            case Page.HELP:
                self.lines(HELP)
            case Page.LOG:
                self.lines(self._log(view) or ["No clue yet."])
            case Page.BOARD:
                self._board(view)

    # -------------------------------------------------------------- the end

    def end(self, setup: Setup, view: Observation, targets: Sequence[Sequence[Card]], result: str) -> None:
        """What happened since the last look, both sides of the key, each clue with what was meant, the result."""
        self._news(view)
        self.lines(["", f"Both sides of the key, yours first, then the {self._partner}'s:"])
        if self._rich:
            self._print(render.key_table(setup, view.covered, view.seat, self._symbols, self._rich.width))
        else:
            self.lines(render.key_lines(setup, view.seat, self._partner))
        self.lines(render.with_targets(self._log(view), targets, view.words))
        self._print(result, style="bold")

    def lines(self, lines: Iterable[str]) -> None:
        """Text, wrapped on a terminal."""
        for line in lines:
            self._print(line)

    # -------------------------------------------------------------- parts

    def _news(self, view: Observation) -> None:
        new, self._seen = view.history[self._seen :], len(view.history)
        over = isinstance(new[-1], GameEnded) if new else False
        told = [event for event in new if not (over and isinstance(event, GameEnded | SideFinished))]
        self.lines(render.event_line(event, view, self._partner) for event in told)

    def _board(self, view: Observation) -> None:
        if self._rich:
            self._print("  ".join(render.standing(view)), style="bold")
            self._print(render.board_table(view, self._partner, self._symbols, self._rich.width))
            self._print(render.legend(self._symbols))
            self.lines(self._log(view)[-LOGGED:])
        else:
            self.lines([*render.standing(view), *render.board_lines(view, self._partner)])

    def _log(self, view: Observation) -> list[str]:
        symbols = self._symbols if self._rich else None
        return render.log_lines(view.history, view.words, view.seat, self._partner, symbols)

    def _print(self, what: object, style: str | None = None) -> None:
        try:
            if self._rich:
                self._rich.print(what, style=style)
            else:
                self._stream.write(f"{self._wrapped(str(what))}\n")
                self._stream.flush()
        except OSError:
            self._leave()

    def _wrapped(self, line: str) -> str:
        """A plain line, on a terminal broken between words."""
        if not self._terminal:
            return line
        width = shutil.get_terminal_size().columns
        return textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)

    def _leave(self) -> NoReturn:
        self.gone = True
        raise LeftTheTable from None
