"""What an agent looks up for a board: scores of its 25 cards against a clue vocabulary, and which words are barred.

Both are kept per word for a whole process, so that a game costs one copy of 25 rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents.luce import BLACK, GREEN, OUT, TAN
from brushpass.duet.core.cards import cards_of
from brushpass.duet.observation import Observation
from brushpass.lexicon.families import barred_by
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.affinity import score_table
from brushpass.semantics.mind import Mind


class CardScores:
    """A mind's raw scores of cards against a vocabulary, and with a temperature their exp(score / T).

    `words` are the cards expected (a word list): their table is shared between processes; other cards are
    added as they come.
    """

    def __init__(
        self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str], temperature: float | None = None
    ) -> None:
        self.mind = mind
        self.vocabulary = vocabulary
        self.temperature = temperature
        self._table = self._made(words)
        self._places = {word: place for place, word in enumerate(words)}
        self._last_words: tuple[str, ...] = ()
        self._last_board = self._table[:0]

    def _made(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        table = score_table(self.mind, self.vocabulary, words)
        return table if self.temperature is None else np.exp(table / np.float32(self.temperature))

    def _rows(self, words: Sequence[str]) -> npt.NDArray[np.intp]:
        """The places of `words` in the table, which grows by the new ones."""
        if new := [word for word in words if word not in self._places]:
            self._places.update({word: len(self._table) + place for place, word in enumerate(new)})
            self._table = np.concatenate([self._table, self._made(new)])
        return np.array([self._places[word] for word in words], np.intp)

    def board(self, words: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """The rows of `words`, contiguous, float32 (len(words), V padded); both seats of a game share one copy."""
        if words != self._last_words:
            rows = self._rows(words)
            self._last_words = words
            self._last_board = self._table.take(rows, axis=0)
            self._last_board.flags.writeable = False
        return self._last_board

    def part(self, words: Sequence[str], places: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        """The scores of `words` for some places of the vocabulary, float32 (len(words), len(places))."""
        rows = self._rows(words)
        scores: npt.NDArray[np.float32] = self._table[rows[:, None], places]
        return scores

    def of_clue(self, clue: str, words: Sequence[str]) -> npt.NDArray[np.float32]:
        """Raw scores of one clue against `words`, float32 (len(words),); 0 where either is unknown."""
        place = self.vocabulary.index.get(clue)
        if place is None:
            unlisted: npt.NDArray[np.float32] = self.mind.scores([clue], words)[0]
            return unlisted
        rows = self._rows(words)
        column = self._table[rows, place]
        if self.temperature is not None:
            column = np.log(column) * np.float32(self.temperature)
        return np.asarray(column, np.float32)


class BarredWords:
    """Which words of a vocabulary the clue law bars beside the cards on the table.

    `strict` also leaves out words that merely contain, or lie in, a card's word (L5): no table will argue.
    """

    def __init__(self, vocabulary: Vocabulary, *, strict: bool = True) -> None:
        self.vocabulary = vocabulary
        self._strict = strict
        self._width = -(-len(vocabulary) // 16) * 16
        self._places: dict[str, npt.NDArray[np.intp]] = {}

    def by(self, view: Observation, *, repeats: bool = True) -> npt.NDArray[np.bool_]:
        """Words not to be said in `view`, bool (V padded,): against the law or refused; without `repeats`, or said."""
        barred = np.zeros(self._width, bool)
        barred[len(self.vocabulary) :] = True
        barred[np.concatenate([self._beside(word) for word in view.visible()])] = True
        for word in (*(word for word, _ in view.refused), *(() if repeats else view.said())):
            if (place := self.vocabulary.index.get(word)) is not None:
                barred[place] = True
        return barred

    def _beside(self, word: str) -> npt.NDArray[np.intp]:
        if word not in self._places:
            self._places[word] = np.array(barred_by(word, self.vocabulary, self._strict), np.intp)
        return self._places[word]


@lru_cache(maxsize=16)
def card_scores(
    mind: Mind, vocabulary: Vocabulary, words: tuple[str, ...], temperature: float | None = None
) -> CardScores:
    """The process's own `CardScores` of these: agents with the same mind share it."""
    return CardScores(mind, vocabulary, words, temperature)


@lru_cache(maxsize=16)
def barred_words(vocabulary: Vocabulary, *, strict: bool = True) -> BarredWords:
    """The process's own `BarredWords` of a vocabulary."""
    return BarredWords(vocabulary, strict=strict)


def roles_for_partner(view: Observation) -> npt.NDArray[np.int8]:
    """What each card is to the giver `view.seat`: kernel roles, int8 (25,); `OUT` where the partner cannot touch."""
    roles = np.full(len(view.words), OUT, np.int8)
    touchable = view.touchable(view.seat.other)
    for mask, role in ((view.key.greens, GREEN), (view.key.tans, TAN), (view.key.blacks, BLACK)):
        roles[list(cards_of(mask & touchable))] = role
    return roles
