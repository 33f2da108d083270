"""Positions that a player must cope with, the rare ones above all: built through the rules, from a seed.

Both sides play as the wanted position needs them to; every step is one that `rules.step` accepts, so each
position could come up in a game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from brushpass import seeds
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Action, Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import CARD_COUNT, Card, Color, Seat, cards_of
from brushpass.duet.core.deal import deal
from brushpass.duet.core.events import Event
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup, State
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.lexicon.normalize import fold

CLUE_WORDS: Final = (
    *("weather", "travel", "music", "kitchen", "war", "school", "money", "winter", "animal", "sport", "holiday"),
    *("history", "science", "ocean", "family", "danger", "o'clock", "naïve", "7", "zyzzogeton"),
)
"""What the partner says, among it a number, letters that are not English and a word that few minds know."""
UNKNOWN: Final = (
    *("Blorptang", "Quizzlewick", "Vexmoor", "Glimfar", "Zanthropy", "Wuglet", "Xyloquet", "Plimsaw", "Frobnitz"),
    *("Krellow", "Snarvik", "Thwumple", "Oquindra", "Jibberak", "Drizmont", "Yarvelle", "Muzzfrond"),
)
LONG: Final = ("New York", "ice cream", "Loch Ness", "jack-in-the-box", "Ångström", "São Paulo", "fair play", "T-shirt")
"""Cards of several words or of letters that are not English."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a game where `seat` is asked next; the first `refusals` clues it offers are to be refused."""

    kind: str
    seat: Seat
    seed: int
    state: State
    history: tuple[Event, ...]
    refusals: int = 0
    whole: bool = False
    """Whether the game is to be played to its end from here."""


class Line:
    """A game in the making. `me` is to be asked at its end, `you` is the partner."""

    def __init__(self, setup: Setup, me: Seat, rng: random.Random) -> None:
        self.me = me
        self.you = me.other
        self.state = rules.new_game(setup)
        self.history: tuple[Event, ...] = ()
        self._rng = rng

    def act(self, seat: Seat, action: Action) -> None:
        """`seat` does `action`."""
        self.state, events = rules.step(self.state, seat, action)
        self.history += events

    def clue(self, giver: Seat, number: int = 1, word: str | None = None) -> None:
        """`giver` says a clue, `word` if that is legal here, after plain turns until it may."""
        while self.state.giver not in (None, giver):
            self.plain_turn(giver.other)
        law, visible = self.state.setup.law, self.state.visible
        if word is None or not law.check(word, visible).legal:
            word = self._rng.choice([said for said in CLUE_WORDS if law.check(said, visible).legal])
        self.act(giver, Clue(word, number))

    def touch(self, guesser: Seat, color: Color, count: int = 1) -> None:
        """`guesser` touches `count` cards of that color on its partner's side."""
        for card in self.cards(guesser, color)[:count]:
            self.act(guesser, Guess(card))

    def cards(self, guesser: Seat, color: Color) -> Sequence[Card]:
        """The cards of that color that `guesser` may touch, shuffled, those that are green for it too first."""
        keys = self.state.setup.keys
        cards = cards_of(self.state.touchable(guesser) & keys.side(guesser.other).mask(color))
        return sorted(
            self._rng.sample(cards, len(cards)), key=lambda card: keys.side(guesser).color(card) is not Color.GREEN
        )

    def plain_turn(self, giver: Seat) -> None:
        """`giver` says a clue for one card; the partner finds it and stops."""
        self.find(giver, max(len(self.cards(giver.other, Color.GREEN)) - 1, 0))

    def find(self, giver: Seat, leave: int) -> None:
        """In a turn of `giver` the partner finds its greens but for `leave`."""
        self.clue(giver)
        self.touch(giver.other, Color.GREEN, len(self.cards(giver.other, Color.GREEN)) - leave)
        if self.state.phase is Phase.GUESS:
            self.act(giver.other, Stop())

    def miss(self, giver: Seat) -> None:
        """In a turn of `giver` the partner touches a bystander."""
        self.clue(giver)
        self.touch(giver.other, Color.TAN)

    def miss_all(self, giver: Seat) -> None:
        """In turns of `giver` the partner touches every bystander there is."""
        while self.cards(giver.other, Color.TAN):
            self.miss(giver)


# ------------------------------------------------------------------ the kinds


def _opening(line: Line) -> None:
    """Nothing has happened."""


def _hear(number: int, hits: int = 0, word: str | None = None) -> Callable[[Line], None]:
    def build(line: Line) -> None:
        line.clue(line.you, number, word)
        line.touch(line.me, Color.GREEN, hits)

    return build


def _penalised(line: Line) -> None:
    line.act(line.you, Clue(line.state.visible[0], 2))


def _twice_the_same(line: Line) -> None:
    line.clue(line.you, 3, "music")
    line.touch(line.me, Color.TAN)
    line.clue(line.you, 1, "music")


def _one_left_to_clue(line: Line) -> None:
    line.find(line.me, leave=1)
    line.plain_turn(line.you)


def _one_left_to_find(line: Line) -> None:
    line.find(line.you, leave=1)
    line.clue(line.you)


def _assassins_to_clue(line: Line) -> None:
    line.find(line.you, leave=0)
    line.miss_all(line.me)
    line.find(line.me, leave=1)


def _assassins_to_find(line: Line) -> None:
    line.find(line.me, leave=0)
    line.miss_all(line.you)
    line.find(line.you, leave=1)
    line.clue(line.you)


def _partner_finished(line: Line) -> None:
    line.find(line.you, leave=0)
    line.miss(line.me)


def _me_finished(line: Line) -> None:
    line.find(line.me, leave=0)
    line.miss(line.you)
    line.clue(line.you, 2)


def _marked_both_ways(line: Line) -> None:
    side, other = (line.state.setup.keys.side(seat) for seat in (line.me, line.you))
    card = cards_of(side.tans & other.tans)[0]
    for giver in (line.me, line.you):
        line.clue(giver)
        line.act(giver.other, Guess(card))
    for giver in (line.me, line.you):
        line.miss(giver)


def _marked_to_find(line: Line) -> None:
    _marked_both_ways(line)
    line.plain_turn(line.me)
    line.clue(line.you, 2)


def _last_token_to_clue(line: Line) -> None:
    line.plain_turn(line.you)


def _last_token_to_find(line: Line) -> None:
    line.plain_turn(line.me)
    line.clue(line.you)


def _same_giver_again(line: Line) -> None:
    line.plain_turn(line.me)


def _sudden(line: Line) -> None:
    line.clue(line.you, 2)
    line.touch(line.me, Color.TAN)


def _sudden_unheard(line: Line) -> None:
    line.clue(line.me, 2)
    line.touch(line.you, Color.TAN)
    line.act(line.you, Yield())


def _sudden_bound(line: Line) -> None:
    _sudden(line)
    line.act(line.me, Yield())
    line.act(line.you, Yield())


def _sudden_alone(line: Line) -> None:
    line.find(line.me, leave=0)
    line.miss(line.you)


def _sudden_one_left(line: Line) -> None:
    line.find(line.me, leave=1)
    line.find(line.you, leave=1)
    line.miss(line.me)
    line.miss(line.you)


CAIRO: Final = Mission(9, 5)
ONE_TOKEN: Final = Mission(1, 1)
TABLE: Final = TableRules()
PENALTY: Final = TableRules(clue_law=LawMode.PENALTY)
RELAXED: Final = TableRules(relax=frozenset({"proper-names", "acronyms", "compounds"}))


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of position: what is played until it comes up, at which table, and who gives the first clue there."""

    build: Callable[[Line], None]
    mine: bool = True
    """Whether the seat that is asked in the end gives the first clue."""
    mission: Mission = CAIRO
    rules: TableRules = TABLE
    cards: Sequence[str] = ()
    """Put on the board."""
    refusals: int = 0
    whole: bool = False


KINDS: Final[dict[str, Kind]] = {
    "first clue": Kind(_opening, mission=Mission(9, 9), whole=True),
    "first guess": Kind(_hear(2), mine=False, mission=Mission(9, 9), whole=True),
    "no mistake allowed, whole game": Kind(_opening, mission=Mission(8, 0), whole=True),
    "no mistake allowed, guess": Kind(_hear(1), mine=False, mission=Mission(8, 0)),
    "a mistake cannot be paid": Kind(_hear(1), mine=False, mission=Mission(1, 0)),
    "number 0": Kind(_hear(0), mine=False),
    "number 0, after a hit": Kind(_hear(0, hits=1), mine=False),
    "number 9, after hits": Kind(_hear(9, hits=3), mine=False),
    "hits beyond the number": Kind(_hear(1, hits=3), mine=False),
    "clue of an unknown word": Kind(_hear(2, word="zyzzogeton"), mine=False),
    "clue in digits": Kind(_hear(2, word="7"), mine=False),
    "clue of two words": Kind(_hear(2, word="big apple"), mine=False, rules=RELAXED),
    "clue against the law": Kind(_penalised, mine=False, rules=PENALTY),
    "the same clue again": Kind(_twice_the_same, mine=False),
    "clue under the penalty law": Kind(_opening, rules=PENALTY),
    "unknown cards, clue": Kind(_opening, cards=UNKNOWN),
    "unknown cards, guess": Kind(_hear(2), mine=False, cards=UNKNOWN),
    "cards of several words, clue": Kind(_opening, cards=LONG),
    "cards of several words, guess": Kind(_hear(2), mine=False, cards=LONG),
    "last green, clue": Kind(_one_left_to_clue),
    "last green, guess": Kind(_one_left_to_find, mine=False),
    "last green among assassins, clue": Kind(_assassins_to_clue, mine=False, mission=Mission(11, 11)),
    "last green among assassins, guess": Kind(_assassins_to_find, mission=Mission(11, 11)),
    "partner finished": Kind(_partner_finished, mine=False),
    "own side finished": Kind(_me_finished),
    "marks from both sides, clue": Kind(_marked_both_ways),
    "marks from both sides, guess": Kind(_marked_to_find),
    "last token, clue": Kind(_last_token_to_clue, mine=False, mission=Mission(2, 2)),
    "last token, guess": Kind(_last_token_to_find, mission=Mission(2, 2)),
    "sudden death": Kind(_sudden, mine=False, mission=ONE_TOKEN),
    "sudden death, no clue heard": Kind(_sudden_unheard, mission=ONE_TOKEN),
    "sudden death, bound to guess": Kind(_sudden_bound, mine=False, mission=ONE_TOKEN),
    "sudden death, partner cannot guess": Kind(_sudden_alone, mission=Mission(2, 2)),
    "sudden death, last green": Kind(_sudden_one_left, mission=Mission(4, 4)),
    "sudden death by a clue": Kind(_penalised, mine=False, mission=ONE_TOKEN, rules=PENALTY),
    "order 2-1": Kind(_same_giver_again, rules=TableRules(order=Order.TWO_ONE)),
    "order free": Kind(_same_giver_again, rules=TableRules(order=Order.FREE), whole=True),
    "one clue refused": Kind(_opening, refusals=1),
    "two clues refused": Kind(_one_left_to_clue, refusals=2),
    "three clues refused": Kind(_opening, refusals=3),
}
"""Every kind by its name."""


def every_kind(seed: int, words: Sequence[str]) -> list[Position]:
    """A position of every kind for each seat; boards are dealt from `words`."""
    return [position(name, seat, seed, words) for seat in Seat for name in KINDS]


def position(name: str, me: Seat, seed: int, words: Sequence[str]) -> Position:
    """A position of the kind called `name` in which `me` is asked; the board is dealt from `words`."""
    kind = KINDS[name]
    own = seeds.child(seed, "position", name, me)
    setup = deal(_board_words(words, kind.cards, own), kind.mission, kind.rules, own)
    first = me if kind.mine else me.other
    line = Line(Setup(setup.board, setup.keys, setup.mission, first, setup.rules, setup.law), me, random.Random(own))
    kind.build(line)
    return Position(name, me, own, line.state, line.history, kind.refusals, kind.whole)


def _board_words(words: Sequence[str], cards: Sequence[str], seed: int) -> Sequence[str]:
    """`cards` and, to make up a board, some of `words`; all of `words` without `cards`."""
    if not cards:
        return words
    taken = {fold(card) for card in cards}
    others = [word for word in words if fold(word) not in taken]
    return [*cards, *random.Random(seed).sample(others, CARD_COUNT - len(cards))]
