"""What an agent looks up for a board: scores of its 25 cards against a clue vocabulary, and which words are barred.

Both are kept per word for a whole process, so that a game copies nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents.luce import Places
from brushpass.duet.core.cards import ALL_CARDS, Mask, mask_of
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.observation import Observation
from brushpass.lexicon.families import barred_by
from brushpass.lexicon.vocabulary import Vocabulary, make_vocabulary
from brushpass.semantics.affinity import PAD, score_table
from brushpass.semantics.choice import weights
from brushpass.semantics.mind import Mind


class Scores(Protocol):
    """What a giver and a guesser look cards up in: `CardScores`, or a mixture of several (`panel`)."""

    @property
    def table(self) -> npt.NDArray[np.float32]: ...  # noqa: D102 - see CardScores
    @property
    def vocabulary(self) -> Vocabulary: ...  # noqa: D102 - see CardScores
    def rows(self, words: tuple[str, ...]) -> Places: ...  # noqa: D102 - see CardScores
    def unknown(self, words: tuple[str, ...]) -> Mask: ...  # noqa: D102 - see CardScores
    def of_clue(self, clue: str, words: tuple[str, ...]) -> npt.NDArray[np.float32]: ...  # noqa: D102 - see CardScores


class CardScores:
    """A mind's raw scores of cards against a vocabulary, or with a temperature their exp(score / T).

    `table` is float32 (words + 1, V padded), a row a card, the last one that of no card (see `kernel`). `words` are
    the cards expected (a word list); other cards are added as they come.
    """

    def __init__(
        self, mind: Mind, vocabulary: Vocabulary, words: Sequence[str], temperature: float | None = None
    ) -> None:
        self.mind = mind
        self.vocabulary = vocabulary
        self.temperature = temperature
        self.table = self._made(words)
        self._places = {word: place for place, word in enumerate(words)}
        self._strange = {word for word in words if not mind.knows(word)}
        self._last: tuple[tuple[str, ...], Places, Mask] = (), np.empty(0, np.intp), 0
        """The last board, its rows and its strange cards: in one, as threads share these scores."""

    def _made(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        scores = score_table(self.mind, self.vocabulary, words)
        table = np.empty((len(words) + 1, scores.shape[1]), np.float32)
        table[:-1], table[-1] = scores, -np.inf
        if self.temperature is not None:
            weights(np.divide(table, np.float32(self.temperature), out=table), out=table)
        return table

    @cached_property
    def rare(self) -> CardScores:
        """Those of the rare words alone, taken at their word as in `of_clue`; `self` if none is rare."""
        count, words = self.vocabulary.rare, self.vocabulary.words
        if not count:
            return self
        return CardScores(self.mind, make_vocabulary(words[-count:]), tuple(self._places), self.temperature)

    def rows(self, words: tuple[str, ...]) -> Places:
        """The places of `words` in the table, which grows by the new ones."""
        return self._of_board(words)[1]

    def unknown(self, words: tuple[str, ...]) -> Mask:
        """The cards of `words` that the mind does not know."""
        return self._of_board(words)[2]

    def _of_board(self, words: tuple[str, ...]) -> tuple[tuple[str, ...], Places, Mask]:
        last = self._last
        if words is not last[0]:
            if new := [word for word in words if word not in self._places]:
                first = len(self.table) - 1
                self._places.update({word: first + place for place, word in enumerate(new)})
                self._strange.update(word for word in new if not self.mind.knows(word))
                self.table = np.concatenate([self.table[:-1], self._made(new)])
            strange = self._strange.intersection(words)
            rows = np.array([self._places[word] for word in words], np.intp)
            self._last = last = words, rows, mask_of(words.index(word) for word in strange)
        return last

    def of_clue(self, clue: str, words: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """What the table holds, or would hold, of one clue for `words`, float32 (len(words),).

        A rare word that was said is taken at its word: it is only when looking for a clue that the table holds it back.
        """
        place = self.vocabulary.index.get(clue)
        if place is None or place >= len(self.vocabulary) - self.vocabulary.rare:
            unlisted: npt.NDArray[np.float32] = self.mind.scores([clue], words)[0]
            return unlisted if self.temperature is None else weights(unlisted / np.float32(self.temperature))
        rows = self.rows(words)  # first: the table may grow
        listed: npt.NDArray[np.float32] = self.table[:, place][rows]
        return listed


class Barred(NamedTuple):
    """The places of words not to be said beside a board; one may come twice."""

    places: Places
    """Against the law beside the first card, then beside the second, and so on."""
    ends: Places
    """Where those of each card end."""
    visible: Mask
    """The cards that bar words now."""
    others: Places
    """Not to be said whatever is visible."""


class BarredWords:
    """Which words of a vocabulary the clue law bars beside the cards on the table.

    A giver's `mind` leaves out the words it does not know. `strict` also leaves out words that merely contain, or
    lie in, a card's word (L5): no table will argue.
    """

    def __init__(self, vocabulary: Vocabulary, mind: Mind | None = None, *, strict: bool = True) -> None:
        self.vocabulary = vocabulary
        self._strict = strict
        padding = range(len(vocabulary), -(-len(vocabulary) // PAD) * PAD)
        law = ClueLaw()
        odd = (place for place, word in enumerate(vocabulary.words) if not word.isalpha())
        misshapen = (place for place in odd if not law.check(vocabulary.words[place], ()).legal)
        unknown = () if mind is None else (p for p, word in enumerate(vocabulary.words) if not mind.knows(word))
        self.never = np.array([*padding, *misshapen, *unknown], np.intp)
        """The places of what is not to be said beside any card."""
        self._barred_beside = cache(self._barred_by)
        self._last: tuple[tuple[str, ...], Places, Places] = (), np.empty(0, np.intp), np.empty(0, np.intp)
        """The last board, and what `beside` tells of it: in one, as threads share these words."""

    def _barred_by(self, word: str) -> bytes:
        """Their places, as bytes: those of 25 cards are joined in no time."""
        return np.array(barred_by(word, self.vocabulary, self._strict), np.intp).tobytes()

    def beside(self, words: tuple[str, ...]) -> tuple[Places, Places]:
        """`places` and `ends` of `Barred` for the cards of a board."""
        last = self._last
        if words is not last[0]:
            barred = [*map(self._barred_beside, words)]
            places = np.frombuffer(bytearray().join(barred), np.intp)
            ends = np.array([*accumulate(map(len, barred))], np.intp) // np.intp().itemsize
            self._last = last = words, places, ends
        return last[1:]

    def by(self, view: Observation, *, repeats: bool = True) -> Barred:
        """Words not to be said in `view`: against the law, refused or unknown; without `repeats` also those said."""
        places, ends = self.beside(view.words)
        others, words = self.never, [word for word, _ in view.refused]
        if not repeats:
            words += view.said()
        if words:
            index = self.vocabulary.index
            more = np.array([index[word] for word in words if word in index], np.intp)
            others = np.concatenate((others, more)) if len(others) else more
        return Barred(places, ends, ALL_CARDS & ~view.dead, others)


@lru_cache(maxsize=16)
def card_scores(
    mind: Mind, vocabulary: Vocabulary, words: tuple[str, ...], temperature: float | None = None
) -> CardScores:
    """The process's own `CardScores` of these: agents with the same mind share it."""
    return CardScores(mind, vocabulary, words, temperature)


@lru_cache(maxsize=16)
def barred_words(vocabulary: Vocabulary, mind: Mind | None = None, *, strict: bool = True) -> BarredWords:
    """The process's own `BarredWords` of these."""
    return BarredWords(vocabulary, mind, strict=strict)


class Roles(NamedTuple):
    """What the cards are to a giver; one in no set the partner cannot touch."""

    greens: Mask
    tans: Mask
    blacks: Mask


def roles_for_partner(view: Observation) -> Roles:
    """What each card is to the giver `view.seat`."""
    key, touchable = view.key, view.touchable(view.seat.other)
    return Roles(key.greens & touchable, key.tans & touchable, key.blacks & touchable)
