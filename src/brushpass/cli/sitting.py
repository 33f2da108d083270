"""People and bots at one table: who sits where, what is kept, and what is said when somebody leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from shlex import quote
from typing import TYPE_CHECKING, Final, TextIO

from brushpass.cli.acquaintance import Acquaintance
from brushpass.cli.advice import hint_lines, strange, why_lines
from brushpass.cli.screen import Desk, Screen, SharedScreen
from brushpass.duet.agent import LeftTheTable
from brushpass.duet.agents.human import Human, Page
from brushpass.duet.agents.options import DEFAULT_MIND, MINDFUL, mind_of, unknown_to
from brushpass.duet.agents.roster import build_agent
from brushpass.duet.core.cards import SEATS, BySeat, Card, Seat
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.observe import observe
from brushpass.duet.savedgames import Overtaken, Slot, default_folder
from brushpass.duet.session import Session
from brushpass.duet.story import meant_by
from brushpass.errors import InvalidSetup
from brushpass.lexicon.vocabulary import DEFAULT
from brushpass.registry import Spec
from brushpass.semantics.catalog import load_mind

if TYPE_CHECKING:
    from brushpass.duet.agent import Agent
    from brushpass.duet.observation import Observation
    from brushpass.duet.record import GameRecord
    from brushpass.duet.savedgame import SavedGame
    from brushpass.semantics.mind import Mind

HUMAN = "human"
KNOWN_AS: Final = "name"
"""The option of a saved game that says who plays with the bot."""
HARMLESS: Final = MINDFUL | {HUMAN, "random"}
"""Agents that start no program and ask no network."""
LOSSES: Final = frozenset(Reason) - {Reason.FORFEIT}
"""Those that a person can take back."""
BOT, PERSON = "bot", "partner"
"""What the one opposite is called."""


def is_human(spec: str) -> bool:
    """Whether `spec` names a person."""
    return Spec.parse(spec).name == HUMAN


@dataclass
class Sitting:
    """A game in which at least one person takes part, kept in `slot` after every action."""

    game: SavedGame
    slot: Slot
    stream: TextIO
    plain: bool
    resume: str = ""
    """The command that goes on; of `play` if none."""
    screens: dict[Seat, Screen] = field(init=False)
    session: Session = field(init=False)
    _unsaved: bool = field(default=False, init=False)
    _overtaken: bool = field(default=False, init=False)
    _acquaintance: Acquaintance | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        names = BySeat(*self.game.names)
        people = [seat for seat in SEATS if is_human(names.of(seat))]
        desk = Desk()
        self.screens = {seat: self._screen(names.of(seat.other), desk if len(people) > 1 else None) for seat in people}
        self.session = Session(self.game, BySeat(*(self._player(seat, names) for seat in SEATS)), self._keep)

    @property
    def screen(self) -> Screen:
        """Where what concerns everybody is told."""
        return next(iter(self.screens.values()))

    @property
    def begun(self) -> bool:
        """Whether a person has done something that is worth going on with."""
        return any(move.seat in self.screens for move in self.session.game.moves)

    def play(self) -> GameRecord:
        """Play to the end.

        Raises:
            LeftTheTable: somebody left.
        """
        for seat, screen in self.screens.items():
            if not is_human(spec := BySeat(*self.game.names).of(seat.other)):
                screen.lines(_unknown_lines(spec, self.game))
                if self._acquaintance is not None and not self.game.practice:
                    screen.lines(self._acquaintance.greeting())
            if self.begun:
                screen.catch_up(observe(self.session.state, seat, self.session.history))
        record = self.session.play()
        while self.game.practice and record.reason in LOSSES and self._wants_back():
            record = self.session.play()
        return record

    def acquainted(self) -> list[str]:
        """What is said of what the bot has learned from the game that is over."""
        if self._acquaintance is None or self.game.practice:
            return []
        return self._acquaintance.learn(self.session.state, self.session.history)

    def left(self, again: str) -> list[str]:
        """What is said to those who leave early; `again` tells how to begin anew."""
        self.screen.wipe()
        if self._overtaken:
            gone = "This game went on somewhere else, so it ends here, and your last action is not kept"
            return [f"{gone}; {self._resume} goes on with it, unless it is over."]
        if self.begun and not self._unsaved:
            return [f"The game is left unfinished, and kept: {self._resume} goes on with it."]
        return [f"The game is left unfinished; {again}."]

    # -------------------------------------------------------------- parts

    @property
    def _resume(self) -> str:
        if self.resume:
            return self.resume
        path = self.slot.path
        named = path is not None and path.parent != default_folder()
        return f"brushpass play --resume{f' --file {quote(str(path))}' if named else ''}"

    def _screen(self, opposite: str, desk: Desk | None) -> Screen:
        if desk is not None:
            return SharedScreen(self.stream, PERSON, plain=self.plain, desk=desk)
        return Screen(self.stream, BOT if not is_human(opposite) else PERSON, plain=self.plain)

    def _player(self, seat: Seat, names: BySeat[str]) -> Agent:
        if seat not in self.screens:
            words = self.game.setup.board.words
            if person := self.game.options.get(KNOWN_AS):
                self._acquaintance = Acquaintance(person, names.of(seat), seat, words)
                return self._acquaintance.bot
            return build_agent(names.of(seat), words)
        screen, opposite = self.screens[seat], names.of(seat.other)
        partner = PERSON if is_human(opposite) else BOT
        clues = self.game.options.get("clues", DEFAULT)

        def mind() -> Mind | None:
            return None if is_human(opposite) else mind_of(opposite)

        screen.pages |= {
            Page.HINT: lambda view: hint_lines(view, load_mind(DEFAULT_MIND), clues),
            Page.WHY: lambda view: why_lines(view, mind(), partner, self._targets(), practice=self.game.practice),
            Page.SAVE: self._saved,
        }
        return Human(screen, practice=self.game.practice, strange=lambda word: strange(mind(), word, partner))

    def _targets(self) -> list[tuple[Card, ...]]:
        """What each clue so far was for."""
        return list(meant_by(self.session.game.record(Outcome.LOST, Reason.FORFEIT, self.session.state)))

    def _saved(self, view: Observation) -> Iterator[str]:
        del view
        yield f"The game is kept after every action; {self._resume} goes on with it."
        yield f"It is in {self.slot.path}." if self.begun else "Nothing has happened yet that could be kept."

    def _keep(self, session: Session) -> None:
        for screen in self.screens.values():
            screen.rewind(session.history)
        if not self.begun and self.slot.path is None:
            return
        try:
            self.slot.keep(session.game)
        except Overtaken:
            self._overtaken = True
            raise
        except OSError as error:
            if not self._unsaved:
                self.screen.lines([f"The game cannot be kept ({error.strerror}): quit would lose it."])
            self._unsaved = True
        else:
            self._unsaved = False

    def _wants_back(self) -> bool:
        """Whether the last action of a person is taken back after a loss in practice."""
        last = self.session.game.moves[-1].seat
        seat = last if last in self.screens else last.other
        screen = self.screens[seat]
        screen.news(observe(self.session.state, seat, self.session.history))
        screen.lines(["Lost. This is practice: type undo to take your last action back, or press Enter to end."])
        try:
            wanted = screen.read("undo?> ").strip().casefold() == "undo"
        except LeftTheTable:
            return False
        if wanted:
            self.session.take_back(seat)
        return wanted


def saying(spec: str, clues: str | None) -> str:
    """The bot of `spec`, which says only words of the list `clues`.

    Raises:
        InvalidSetup: it is not one of the built-in bots that has a list, or `spec` names one already.
    """
    if clues is None:
        return spec
    parsed = Spec.parse(spec)
    if parsed.name not in MINDFUL:
        raise InvalidSetup(f"--clues goes with the bots {', '.join(sorted(MINDFUL))}, not with {spec}")
    if "vocabulary" in parsed.options:
        raise InvalidSetup(f"--clues {clues} is given beside {spec}; give one or the other")
    return f"{spec}{',' if parsed.options else ':'}vocabulary={clues}"


def _unknown_lines(spec: str, game: SavedGame) -> list[str]:
    """What a bot says of cards it does not know: that tells nothing of the key."""
    unknown = unknown_to(spec, game.setup.board.words)
    return [f"The bot does not know {', '.join(unknown)}: it will never aim a clue there."] if unknown else []
