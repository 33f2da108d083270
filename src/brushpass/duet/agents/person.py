"""The simulated person: the standard partner of every honest figure (INTERFACES §7; its definition is fixed).

It thinks in a mind of its own, is as noisy as people are, and naive: no memory in normal turns, no use of its own key
when it guesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.agent import Advice, Player
from brushpass.duet.agents import kernel
from brushpass.duet.agents.lookup import barred_words, card_scores
from brushpass.duet.agents.options import LEAST_TEMPERATURE, Options
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import CARD_COUNT, Card, cards_of
from brushpass.duet.core.events import ClueGiven
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation
from brushpass.errors import AgentFailure
from brushpass.lexicon.vocabulary import PERSON, Vocabulary
from brushpass.semantics.mind import Mind

WORDS_CONSIDERED: Final = 100
NUMBERS: Final = 3
ASSASSIN_COST: Final = 2.0
CLUE_SHARPNESS: Final = 0.7
"""The clue giver takes its partner to be surer than its own temperature says."""
GUESS_NOISE: Final = 0.55
CLUE_NOISE: Final = 0.65
TOP: Final = 2
"""In sudden death it touches a card unbidden only if that is among this many best of all 25 for some clue."""

Floats = npt.NDArray[np.float64]


class Person(Player):
    """A player after INTERFACES §7. `words` are the cards expected."""

    NAME: ClassVar = "person"

    def __init__(
        self,
        mind: Mind,
        vocabulary: Vocabulary,
        words: Sequence[str] = (),
        *,
        temperature: float | None = None,
        guess_noise: float = GUESS_NOISE,
        clue_noise: float = CLUE_NOISE,
    ) -> None:
        self._temperature = mind.temperature if temperature is None else temperature
        self._guess_noise = guess_noise
        self._clue_noise = clue_noise
        self._vocabulary = vocabulary
        self._scores = card_scores(mind, vocabulary, tuple(words))
        self._barred = barred_words(vocabulary, strict=False)
        self._unknown = np.zeros(self._scores.table.shape[1], bool)
        self._unknown[: len(vocabulary)] = [not mind.knows(word) for word in vocabulary.words]
        self._noise_of = np.empty(len(vocabulary), np.int32)
        """Each word's row in `_noises`, -1 if none is drawn yet."""
        self._turn_of = np.empty(len(vocabulary), np.intp)
        """When a word came up first in the last draw."""
        self._begin(0)

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> Person:
        """`person:model=M,temperature=T,vocabulary=V,guess_noise=X,clue_noise=Y`."""
        read = Options(cls.NAME, options)
        mind, vocabulary = read.mind("model"), read.vocabulary(PERSON)
        person = cls(
            mind,
            vocabulary,
            words,
            temperature=read.number("temperature", mind.temperature, least=LEAST_TEMPERATURE),
            guess_noise=read.number("guess_noise", GUESS_NOISE),
            clue_noise=read.number("clue_noise", CLUE_NOISE),
        )
        person.take_habits(read)
        read.done()
        return person

    def take_habits(self, options: Options) -> None:
        """Read the options of people of other habits; a plain person has none."""

    def _begin(self, seed: int) -> None:
        self._draw = np.random.default_rng(seed)
        self._heard: dict[str, Floats] = {}
        self._orders: dict[str, list[Card]] = {}
        self._noises = np.empty((0, NUMBERS))
        self._noise_of[:] = -1

    def new_game(self, view: Observation, seed: int) -> None:
        """Forget the last game; all draws come from `seed`."""
        del view
        self._begin(seed)

    # -------------------------------------------------------------- guessing

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The best open card for the clue, until its number is reached."""
        if view.phase is Phase.SUDDEN:
            return self._guess_in_sudden_death(view)
        if view.clue is None:
            raise AgentFailure("asked to guess without a clue")
        if view.hits >= max(view.clue.number, 1):
            return Stop()
        clue, open_cards = view.clue.word, view.touchable()
        if clue not in self._orders:
            self._orders[clue] = np.argsort(-self.felt(clue, view.words), kind="stable").tolist()
        return Guess(next(card for card in self._orders[clue] if open_cards >> card & 1))

    def _guess_in_sudden_death(self, view: Observation) -> Guess | Yield:
        clues = [event.word for event in view.history if isinstance(event, ClueGiven) and event.seat is not view.seat]
        felt = [self.felt(clue, view.words) for clue in clues]
        card = _best(np.max([*felt, np.full(CARD_COUNT, -np.inf)], axis=0), view.open_cards())
        sure = any(_rank(scores, card) < TOP for scores in felt)
        return Guess(card) if sure or view.must_guess else Yield()

    def felt(self, clue: str, words: tuple[str, ...]) -> Floats:
        """Score / temperature of every card for `clue`, with its noise, drawn once a (clue, card)."""
        if clue not in self._heard:
            felt = self._scores.of_clue(clue, words).astype(np.float64) / self._temperature
            if self._guess_noise:
                felt += self._guess_noise * self._draw.gumbel(size=CARD_COUNT)
            self._heard[clue] = felt
        return self._heard[clue]

    # -------------------------------------------------------------- clues

    def give_clue(self, view: Observation) -> Advice:
        """The best of 100 words drawn at random, with its number."""
        barred = self._unknown.copy()
        kernel.engine().bar(barred, True, *self._barred.by(view))
        places = self._drawn(barred)
        touchable = view.touchable(view.seat.other)
        greens, blacks = cards_of(view.key.greens & touchable), cards_of(view.key.blacks & touchable)
        cards = (*greens, *blacks, *cards_of(view.key.tans & touchable))
        rows = self._scores.rows(view.words)[list(cards)]
        raw = self._scores.table[rows[:, None], places].astype(np.float64)
        weights = np.exp(raw / (CLUE_SHARPNESS * self._temperature))
        hits, risk = np.empty((NUMBERS, len(places))), np.empty((NUMBERS, len(places)))
        kernel.engine().turns_of_three(weights, len(greens), len(blacks), hits, risk)
        scores = hits - ASSASSIN_COST * risk + self._noise(places)
        row, word = divmod(int(scores.argmax()), len(places))
        near = np.argsort(-weights[: len(greens), word], kind="stable")[: row + 1].tolist()
        return Advice(
            Clue(self._vocabulary.words[places[word]], row + 1),
            tuple(greens[green] for green in near),
            {"expected_hits": float(hits[row, word]), "assassin_risk": float(risk[row, word])},
        )

    def _drawn(self, barred: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """100 places drawn at random among the words that may be said; all of them if there are fewer."""
        size = len(self._vocabulary)
        some = self._draw.integers(size, size=2 * WORDS_CONSIDERED)
        legal = some[~barred[some]]
        turns = np.arange(len(legal))
        self._turn_of[legal[::-1]] = turns[::-1]  # of equal words the last one set here, so the first drawn, stays
        places: npt.NDArray[np.intp] = legal[self._turn_of[legal] == turns]
        if len(places) < WORDS_CONSIDERED:
            places = self._draw.permutation(np.flatnonzero(~barred))
        if not len(places):
            raise AgentFailure("no legal clue that this mind knows is left in the vocabulary")
        return places[:WORDS_CONSIDERED]

    def _noise(self, places: npt.NDArray[np.intp]) -> Floats | float:
        """Standard normal noise, scaled, (3, words): drawn once a (word, number) and game."""
        if not self._clue_noise:
            return 0.0
        new = places[self._noise_of[places] < 0]
        self._noise_of[new] = np.arange(len(self._noises), len(self._noises) + len(new))
        self._noises = np.concatenate([self._noises, self._draw.standard_normal((len(new), NUMBERS))])
        noises: Floats = self._clue_noise * self._noises[self._noise_of[places]].T
        return noises


def _best(scores: Floats, cards: Sequence[Card]) -> Card:
    return max(cards, key=lambda card: (scores[card], -card))


def _rank(scores: Floats, card: Card) -> int:
    """How many of all 25 cards come before `card`, ties by index."""
    return int((scores > scores[card]).sum() + (scores[:card] == scores[card]).sum())
