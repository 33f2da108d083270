"""A recorded game shown move by move, at the press of a key; where no terminal is, at a line each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import typer

from brushpass.cli.output import harmless
from brushpass.duet import render
from brushpass.duet.core.cards import SEATS, Seat, cards_of
from brushpass.duet.core.state import State
from brushpass.duet.transcript import Piece

if TYPE_CHECKING:
    from rich.console import Console

KEYS: Final = "Any key goes on; t: end of the turn, e: the end, b: back, k: board, q: quit"
BACK: Final = frozenset({"b", "\x1b[D", "\x7f", "\x08"})
LEAVE: Final = frozenset({"q", "\x04", "\x1b"})


class Stepping:
    """The pieces of a game, from one to the next; drawn with colors unless `plain`."""

    def __init__(self, pieces: Sequence[Piece], *, plain: bool) -> None:
        self._pieces = pieces
        self._keys = sys.stdin.isatty() and sys.stdout.isatty()
        self._rich: Console | None = None
        if self._keys and not plain:
            from rich.console import Console

            console = Console(highlight=False, markup=False, emoji=False)
            self._rich = console if console.width >= render.NARROWEST else None

    def run(self) -> None:
        """From the head of the game to its end, or as far as the reader goes."""
        if self._keys:
            typer.echo(KEYS, err=True)
        place = 0
        self._show(place)
        while place + 1 < len(self._pieces):
            key = self._key()
            if key in LEAVE:
                return
            if key == "k":
                self._board(self._pieces[place].state)
            elif key in BACK:
                place = max(0, place - 1)
                typer.echo("\n(back)" if place else "")
                self._show(place, again=True)
            else:
                last = self._last(place, key)
                while place < last:
                    place += 1
                    self._show(place)

    def _last(self, place: int, key: str) -> int:
        """The piece up to which `key` goes on."""
        end = len(self._pieces) - 1
        if key == "e":
            return end
        if key == "t":
            later = range(place + 2, end)
            return next((one - 1 for one in later if self._pieces[one].opens), end - 1 if place + 1 < end else end)
        return place + 1

    def _show(self, place: int, *, again: bool = False) -> None:
        piece = self._pieces[place]
        for line in ("", *piece.lines) if piece.opens and not again else piece.lines:
            typer.echo(harmless(line))

    def _board(self, state: State) -> None:
        """Both sides of the key, and what is found of it."""
        if self._rich:
            symbols = render.Symbols() if "utf" in self._rich.encoding else render.ASCII
            self._rich.print(render.key_table(state.setup, state.covered, Seat.A, symbols, self._rich.width))
            return
        words = state.setup.board.words

        def listed(mask: int) -> str:
            return harmless(", ".join(words[card] for card in cards_of(mask))) or "nothing"

        typer.echo(f"   found: {listed(state.covered)}")
        for seat in SEATS:
            typer.echo(f"   A bystander mark of {seat}: {listed(state.marks.of(seat))}")
            typer.echo(f"   still to be found of {seat}: {listed(state.left(seat))}")

    def _key(self) -> str:
        """A key; of a line its first letter, and at the end of the lines what shows the rest."""
        if not self._keys:
            line = sys.stdin.readline()
            return line.strip()[:1].casefold() if line else "e"
        sys.stdout.flush()
        try:
            return typer.getchar().casefold().replace("\x1b[d", "\x1b[D")
        except EOFError:
            return "q"
