"""Games reckoned beforehand, for two bots that are ours in every part: a compiled loop stands in for them.

What such bots say and touch follows from the deal. The loop finds it without a view, a question and an answer for
every move, several times faster, and the referee has the rules judge these moves as any others. Where the loop ends
before the game does, as in sudden death, the bots themselves go on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.agent import Agent
from brushpass.duet.agents import kernel
from brushpass.duet.agents.belief import STOP
from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.lookup import BarredWords, CardScores
from brushpass.duet.agents.nearest import Nearest
from brushpass.duet.agents.value import AHEAD, SIDE, Place, Weigh
from brushpass.duet.core.actions import Clue, Guess, Stop
from brushpass.duet.core.cards import AGENTS, CARD_COUNT, SEATS, A, BySeat, KeySide
from brushpass.duet.core.mission import MAX_TURNS, Mission
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import Order
from brushpass.duet.record import Move
from brushpass.duet.referee import Prelude, trace_of
from brushpass.lexicon.vocabulary import Vocabulary

if TYPE_CHECKING:
    from brushpass.duet.gameloop import Bot

Floats = npt.NDArray[np.float32]
_NO_STAKES: Final[Floats] = np.zeros((1, 1, 1, 1, 3, AHEAD), np.float32)
_TOUCHES: Final = [{STOP: Move(seat, Stop())} | {c: Move(seat, Guess(c)) for c in range(CARD_COUNT)} for seat in SEATS]
"""The moves of either seat by what the loop calls them."""


def rehearse(games: Iterable[tuple[BySeat[Agent], Setup]]) -> list[Prelude | None]:
    """What the two bots of each game would say and touch, if the loops are compiled and can stand in for both.

    Of many games at once every step is taken for all of them before the next one: each finds its own code and data in
    the processor's cache, out of which the loop has driven the others.
    """
    boards = [_board(agents, setup) for agents, setup in games]
    played = [None if board is None else board.played() for board in boards]
    return [
        None if board is None or moves is None else board.read(moves)
        for board, moves in zip(boards, played, strict=True)
    ]


class _Played(NamedTuple):
    """What the loop has filled in, and how many moves it has made."""

    clues: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]
    moves: npt.NDArray[np.int64]
    made: int


class _Board(NamedTuple):
    """A game for the loop."""

    setup: Setup
    vocabulary: Vocabulary
    notes: BySeat[tuple[str, ...]]
    """What the bots' scores are called in a trace."""
    bots: tuple[Bot, Bot]

    def played(self) -> _Played:
        """The game, as the loop plays it."""
        from brushpass.duet.gameloop import MOST_MOVES, play_ahead

        mission, vocabulary = self.setup.mission, self.vocabulary
        clues, scores = np.empty((MAX_TURNS, 7), np.int64), np.empty((MAX_TURNS, 3))
        moves = np.empty(MOST_MOVES, np.int64)
        made = play_ahead(
            self.bots,
            0 if self.setup.first is A else 1,
            np.array([mission.turns - mission.mistakes, mission.mistakes], np.int64),
            len(vocabulary) - vocabulary.rare,
            clues,
            scores,
            moves,
        )
        return _Played(clues, scores, moves, made)

    def read(self, played: _Played) -> Prelude:
        """The moves and traces of a game that was played."""
        from brushpass.duet.gameloop import CLUE

        said = iter(zip(played.clues.tolist(), played.scores.tolist(), strict=True))
        moves, trace, touches = [], [], _TOUCHES[0]
        for move in played.moves[: played.made].tolist():
            if move != CLUE:
                moves.append(touches[move])
                continue
            (giver, place, number, *near), scores = next(said)
            moves.append(Move(SEATS[giver], Clue(self.vocabulary.words[place], number)))
            trace.append(trace_of(dict(zip(self.notes[giver], scores, strict=False)), near[:number]))
            touches = _TOUCHES[1 - giver]
        return Prelude(moves, trace)


def _board(agents: BySeat[Agent], setup: Setup) -> _Board | None:
    """The game of these two, if the loop can play it."""
    if kernel.engine() is kernel.REFERENCE or setup.first is None or setup.rules.order is not Order.ALTERNATE:
        return None
    words, mission, keys = setup.board.words, setup.mission, setup.keys
    a, b = _stand_in(agents.a), _stand_in(agents.b)
    if a is None or b is None or a.said.vocabulary != b.said.vocabulary:
        return None
    if any(bot.by_value and bot.said.unknown(words) for bot in (a, b)):
        return None
    first = a.at(words, mission, keys.a)
    second = first._replace(greens=keys.b.greens, blacks=keys.b.blacks) if a == b else b.at(words, mission, keys.b)
    return _Board(setup, a.said.vocabulary, BySeat(a.notes, b.notes), (first, second))


class _StandIn(NamedTuple):
    """What the loop needs to know of a bot: `Embedding` if it goes `by_value`, else `Nearest`, which weighs nothing."""

    said: CardScores
    heard: CardScores
    barred: BarredWords
    weigh_clues: Weigh | None = None
    weigh_guesses: Weigh | None = None

    @property
    def by_value(self) -> bool:
        """Whether it goes by what touches are worth, and not by margins."""
        return self.weigh_clues is not None

    @property
    def notes(self) -> tuple[str, ...]:
        """The names of its scores in a trace."""
        return ("expected_hits", "assassin_risk", "score") if self.by_value else ("margin",)

    def at(self, words: tuple[str, ...], mission: Mission, key: KeySide) -> Bot:
        """The bot at a board."""
        from brushpass.duet.gameloop import Bot

        rare = self.heard.rare
        rows, heard_rows, rare_rows = (scores.rows(words) for scores in (self.said, self.heard, rare))
        return Bot(  # the tables only now: they may have grown
            key.greens,
            key.blacks,
            not self.by_value,
            self.said.table,
            rows,
            *self.barred.beside(words),
            self.barred.never,
            _stakes(self.weigh_clues, mission, mine=True),
            self.heard.table,
            heard_rows,
            rare.table,
            rare_rows,
            _stakes(self.weigh_guesses, mission, mine=False),
        )


def _stand_in(agent: Agent) -> _StandIn | None:
    """`agent` as the loop knows it: None for any other player, and for one that remembers its partner."""
    if type(agent) is Nearest:
        return _StandIn(agent.scores, agent.scores, agent.barred)
    if type(agent) is not Embedding:
        return None
    giver, guesser = agent.giver, agent.guesser
    if not isinstance(giver.scores, CardScores) or not isinstance(guesser.scores, CardScores):
        return None
    return _StandIn(giver.scores, guesser.scores, giver.barred, giver.weigh, guesser.weigh)


@lru_cache(maxsize=256)
def _stakes(weigh: Weigh | None, mission: Mission, *, mine: bool) -> Floats:
    """What `weigh` says of every place of a mission: see `gameloop.Bot`."""
    if weigh is None:
        return _NO_STAKES
    spans = mission.turns - mission.mistakes + 1, mission.mistakes + 1, SIDE + 1, AGENTS - SIDE + 1
    table = np.empty((*spans, 3, AHEAD), np.float32)
    for check, bystander, own, theirs in np.ndindex(spans):
        table[check, bystander, own, theirs] = weigh(Place(check, bystander, own, theirs, mine))
    return table
