"""A person at the table: reads what is typed, acts only on what is clear, and says so otherwise."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NoReturn, Protocol, TypeVar

from brushpass.duet.agent import LeftTheTable, Player
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import CARD_COUNT, Card, Seat
from brushpass.duet.core.cluelaw import ClueLaw, explain
from brushpass.duet.core.events import CardTouched, ClueGiven, Stopped, Yielded
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.table import LawMode
from brushpass.duet.observation import Observation
from brushpass.errors import InvalidSetup
from brushpass.lexicon import families
from brushpass.lexicon.normalize import fold, tokens

LONGEST: Final = 60
"""Characters of a line that are read."""
SHORTEST_PREFIX: Final = 2
"""A touch is final: one letter is too easily slipped."""


class Page(StrEnum):
    """What a person may ask to see at any time."""

    HELP = "help"
    HINT = "hint"
    WHY = "why"
    BOARD = "board"
    LOG = "log"
    SAVE = "save"


QUIT: Final = ("quit", "exit")
UNDO: Final = "undo"
ENDS: Final[Mapping[str, Stop | Yield]] = {"stop": Stop(), "pass": Stop(), "yield": Yield()}
COMMANDS: Final = (*Page, UNDO, *QUIT, *ENDS)
DONE: Final = (ClueGiven, CardTouched, Stopped, Yielded)
"""The events that are actions of a player."""
CLOSE: Final = 0.7
"""How alike a typed word and a command must be for a question whether it was meant."""

MISSPELT: Final = 0.83
"""How alike a clue that is in no dictionary and a card must be to be taken for the card misspelt."""

A = TypeVar("A")


class Unclear(Exception):
    """What was typed is no action; the message says why. Nothing has happened."""


class TakenBack(LeftTheTable):
    """In practice, a person takes the own last action back, and all that followed."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat


class Console(Protocol):
    """A person's screen and keyboard."""

    def show(self, view: Observation) -> None:
        """What has happened since the last time, and where the game stands."""
        ...

    def ask(self, view: Observation) -> str:
        """One line typed; raises LeftTheTable at the end of input."""
        ...

    def tell(self, line: str) -> None:
        """An answer to what was typed."""
        ...

    def page(self, page: Page, view: Observation) -> None:
        """What was asked to be seen."""
        ...


class Human(Player):
    """A player behind a console.

    In `practice` what was done may be taken back. `strange` says what the partner makes of a word it does not know,
    as one sentence without its full stop, and nothing of a word it knows.
    """

    def __init__(
        self, console: Console, *, practice: bool = False, strange: Callable[[str], str] = lambda _: ""
    ) -> None:
        self._console = console
        self._practice = practice
        self._strange = strange
        self._doubted: Clue | None = None

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> NoReturn:
        """A person needs a console, which a spec cannot give.

        Raises:
            InvalidSetup: always.
        """
        del options, words
        raise InvalidSetup("a human sits only at the table of brushpass play")

    def give_clue(self, view: Observation) -> Clue:
        """The clue typed, once it is clear and legal."""
        return self._typed(view, self._clue)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The action typed, once it is clear and allowed."""
        return self._typed(view, read_guess)

    def _typed(self, view: Observation, read: Callable[[str, Observation], A]) -> A:
        self._doubted = None
        self._console.show(view)
        while True:
            text = fold(self._console.ask(view))
            try:
                if not self._answered(text, view):
                    return read(text, view)
            except Unclear as problem:
                self._console.tell(str(problem))

    def _answered(self, text: str, view: Observation) -> bool:
        """Whether `text` asked to see something, or nothing at all; raises LeftTheTable on quit."""
        word = Page.HELP if text == "?" else text.removeprefix("/")
        if (
            word in COMMANDS
            and word == text
            and word in map(fold, view.words)
            and view.phase in {Phase.GUESS, Phase.SUDDEN}
        ):
            raise Unclear(f"{word!r} is a card and a command: type the card's number, or /{word}")
        if word in QUIT:
            raise LeftTheTable
        if word == UNDO:
            self._undo(view)
        if word in list(Page):
            self._console.page(Page(word), view)
            return True
        return not text

    def _undo(self, view: Observation) -> NoReturn:
        if not self._practice:
            raise Unclear("Nothing can be taken back, except in a game begun with --practice")
        if not any(getattr(event, "seat", None) is view.seat and isinstance(event, DONE) for event in view.history):
            raise Unclear("You have done nothing yet that could be taken back")
        self._console.tell("Taken back.")
        raise TakenBack(view.seat)

    def _clue(self, text: str, view: Observation) -> Clue:
        clue = read_clue(text, view.words)
        doubt = doubt_of(clue, view, self._strange)
        if doubt and clue != self._doubted:
            self._doubted = clue
            raise Unclear(f"{doubt}. Type it again to say it all the same.")
        return clue


def read_clue(text: str, words: Sequence[str] = ()) -> Clue:
    """The clue in a folded line such as `ocean 2`; one of `words`, the cards, is taken for a touch.

    Raises:
        Unclear: no word, no number, or a number that is not 0 to 9.
    """
    if text.removeprefix("/") in ENDS or text.isdecimal() or text in map(fold, words):
        raise Unclear("It is your turn to give a clue, not to guess: a word and a number, such as: ocean 2")
    match = re.fullmatch(r"(.*\S)\s*[\s,:;]\s*([+-]?\S*\d\S*)", text[: LONGEST + 1])
    if len(text) > LONGEST or match is None:
        meant = _meant_command(text)
        example = text if text.isalpha() and len(text) <= LONGEST and not meant else "ocean"
        raise Unclear(f"A clue is a word and a number, such as: {example} 2{meant}")
    word, number = match[1].rstrip(" ,:;"), match[2]
    if not re.fullmatch(r"[0-9]", number):
        raise Unclear(f"The number is a whole number from 0 to 9, not {number}")
    return Clue(word, int(number))


def _meant_command(text: str) -> str:
    near = difflib.get_close_matches(text[:LONGEST].removeprefix("/"), COMMANDS, n=1, cutoff=CLOSE)
    return f"; or did you mean {near[0]}?" if near else ""


def doubt_of(clue: Clue, view: Observation, strange: Callable[[str], str] = lambda _: "") -> str:
    """What speaks against saying `clue`, as one sentence without its full stop; empty if nothing does.

    Raises:
        Unclear: the clue law bars it at this table.
    """
    ruling = ClueLaw(view.rules.relax).check(clue.word, view.visible())
    if not ruling.legal:
        broken = explain(ruling, clue.word)
        if view.rules.clue_law is LawMode.REJECT:
            raise Unclear(f"Not a legal clue ({broken}). Say another.")
        return f"That breaks the clue law ({broken}) and costs a token"
    unlisted = [token for token in tokens(clue.word) if not token.isdecimal() and not families.known(token)]
    if near := difflib.get_close_matches(" ".join(unlisted), map(fold, view.visible()), n=1, cutoff=MISSPELT):
        told = f"{clue.word!r} looks like {near[0].upper()} misspelt, which is on the table"
        if view.rules.clue_law is LawMode.REJECT:
            raise Unclear(f"Not a legal clue ({told}). Say another.")
        return told
    if doubt := strange(clue.word):
        return doubt
    return f"{unlisted[0]!r} is not in the dictionary" if unlisted else ""


def read_guess(text: str, view: Observation) -> Guess | Stop | Yield:
    """The action in a folded line: a card's number from 1 on, its word, its first letters, or an end.

    Raises:
        Unclear: no such card, several, one that cannot be touched, or an end not allowed now.
    """
    if end := ENDS.get(text.removeprefix("/")):
        return _end(end, view)
    card = find_card(text, view.words)
    if not view.touchable() >> card & 1:
        why = "is found already" if view.covered >> card & 1 else "has your bystander mark already"
        raise Unclear(f"{view.words[card]} {why}: touch another card")
    return Guess(card)


def _end(end: Stop | Yield, view: Observation) -> Stop | Yield:
    sudden = view.phase is Phase.SUDDEN
    if isinstance(end, Yield) is not sudden:
        instead = "touch a card" if view.must_guess else "touch a card or yield"
        raise Unclear(f"There is no stop in sudden death: {instead}" if sudden else "There is no yield yet")
    if view.must_guess:
        raise Unclear("You may not yield here: touch a card" if sudden else "Touch at least one card before you stop")
    return end


def find_card(text: str, words: Sequence[str]) -> Card:
    """The one card that a folded `text` means.

    Raises:
        Unclear: none or several.
    """
    text = text[: LONGEST + 1]
    folded = [fold(word) for word in words]
    meant = {card for card, word in enumerate(folded) if word == text}
    if re.fullmatch(r"[0-9]{1,2}", text) and 1 <= int(text) <= CARD_COUNT:
        meant.add(int(text) - 1)
    if not meant and len(text) >= SHORTEST_PREFIX:
        meant = {card for card, word in enumerate(folded) if word.startswith(text) or text in tokens(word)}
    if len(meant) == 1:
        return meant.pop()
    if meant:
        raise Unclear(
            f"{text!r} may be {' or '.join(f'{words[card]} ({card + 1})' for card in sorted(meant))}: say which"
        )
    if text.isdecimal():
        raise Unclear(f"Cards are numbered 1 to {CARD_COUNT}")
    if sum(part in folded or part.isdecimal() for part in re.split(r"[\s,;]+", text)) > 1:
        raise Unclear("One card at a time: the first touch may end your turn")
    if re.fullmatch(r"\S+\s+[0-9]", text):
        raise Unclear("It is your turn to guess, not to give a clue: type one card's word or number")
    near = difflib.get_close_matches(text, [*folded, *COMMANDS], n=1)
    spelt = {**{command: command for command in COMMANDS}, **dict(zip(folded, words, strict=True))}
    hint = f": did you mean {spelt[near[0]]}?" if near else "; help tells what may be typed"
    raise Unclear(f"No card is called {text[:LONGEST]!r}{hint}")
