"""The simulated person: the standard partner of every honest figure (INTERFACES §7; its definition is fixed).

It thinks in a mind of its own, is as noisy as people are, and naive: no memory in normal turns, no use of its own key
when it guesses.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.agent import Advice, Player
from brushpass.duet.agents.lookup import barred_words, card_scores
from brushpass.duet.agents.options import Options
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
        self._unknown = np.array([not mind.knows(word) for word in vocabulary.words], bool)
        self._begin(0)

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> Person:
        """`person:model=M,temperature=T,vocabulary=V,guess_noise=X,clue_noise=Y`."""
        read = Options("person", options)
        mind, vocabulary = read.mind("model"), read.vocabulary(PERSON)
        person = cls(
            mind,
            vocabulary,
            words,
            temperature=read.number("temperature", mind.temperature, least=1e-6),
            guess_noise=read.number("guess_noise", GUESS_NOISE),
            clue_noise=read.number("clue_noise", CLUE_NOISE),
        )
        read.done()
        return person

    def _begin(self, seed: int) -> None:
        self._pick = random.Random(seed)
        self._draw = np.random.default_rng(seed)
        self._heard: dict[str, Floats] = {}
        self._noises: dict[int, Floats] = {}

    def new_game(self, view: Observation, seed: int) -> None:
        """Forget the last game; all draws come from `seed`."""
        self._begin(seed)
        self._board = self._scores.board(view.words)

    # -------------------------------------------------------------- guessing

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The best open card for the clue, until its number is reached."""
        if view.phase is Phase.SUDDEN:
            return self._guess_in_sudden_death(view)
        if view.clue is None:
            raise AgentFailure("asked to guess without a clue")
        if view.hits >= max(view.clue.number, 1):
            return Stop()
        return Guess(_best(self._felt(view.clue.word, view.words), view.open_cards()))

    def _guess_in_sudden_death(self, view: Observation) -> Guess | Yield:
        clues = [event.word for event in view.history if isinstance(event, ClueGiven) and event.seat is not view.seat]
        felt = [self._felt(clue, view.words) for clue in clues] or [np.zeros(CARD_COUNT)]
        card = _best(np.max(felt, axis=0), view.open_cards())
        sure = any(_rank(scores, card) < TOP for scores in felt)
        return Guess(card) if sure or view.must_guess else Yield()

    def _felt(self, clue: str, words: tuple[str, ...]) -> Floats:
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
        barred = self._barred.by(view)
        barred[: len(self._unknown)] |= self._unknown
        places = self._drawn(barred)
        touchable = view.touchable(view.seat.other)
        greens = cards_of(view.key.greens & touchable)
        cards = (*greens, *cards_of(view.key.blacks & touchable), *cards_of(view.key.tans & touchable))
        blacks = (view.key.blacks & touchable).bit_count()
        raw = self._board[np.ix_(cards, places)].astype(np.float64)
        weights = np.exp(raw / (CLUE_SHARPNESS * self._temperature))
        hits, risk = expected_turns(weights, len(greens), blacks)
        scores = hits - ASSASSIN_COST * risk + self._noise(places)
        number, word = np.unravel_index(int(scores.argmax()), scores.shape)
        near = sorted(range(len(greens)), key=lambda green: -weights[green, word])
        return Advice(
            Clue(self._vocabulary.words[places[word]], int(number) + 1),
            tuple(greens[green] for green in near[: number + 1]),
            {"expected_hits": float(hits[number, word]), "assassin_risk": float(risk[number, word])},
        )

    def _drawn(self, barred: npt.NDArray[np.bool_]) -> list[int]:
        """100 places drawn at random among the words that may be said."""
        size = len(self._vocabulary)
        for drawn in (min(2 * WORDS_CONSIDERED, size), size):
            places = [place for place in self._pick.sample(range(size), drawn) if not barred[place]]
            if len(places) >= WORDS_CONSIDERED:
                break
        if not places:
            raise AgentFailure("no legal clue that this mind knows is left in the vocabulary")
        return places[:WORDS_CONSIDERED]

    def _noise(self, places: Sequence[int]) -> Floats | float:
        """Standard normal noise, scaled, (3, words): drawn once a (word, number) and game."""
        if not self._clue_noise:
            return 0.0
        for place in places:
            if place not in self._noises:
                self._noises[place] = self._draw.standard_normal(NUMBERS)
        return self._clue_noise * np.stack([self._noises[place] for place in places], axis=1)


def expected_turns(weights: Floats, greens: int, blacks: int) -> tuple[Floats, Floats]:
    """What a partner does with each word, if it chooses by Luce's rule without replacement.

    Args:
        weights: exp(score / T), (cards, words); the first `greens` rows are green, the next `blacks` black.
        greens: how many.
        blacks: how many.

    Returns:
        Expected greens found before the first miss, and probability of touching an assassin, each (3, words)
        for the numbers 1 to 3. A turn ends with the last green, as the rules have it (DUET R4).
    """
    total = weights.sum(0)
    green = weights[:greens]
    black = weights[greens : greens + blacks].sum(0)
    sum_green = green.sum(0)
    first = green / total
    after = total - green
    second = (sum_green - green) / after
    hits_1 = first.sum(0)
    hits_2 = (first * second).sum(0)
    risk_1 = black / total
    risk_2 = (first * black / after).sum(0) if greens > 1 else np.zeros_like(total)
    hits_3, risk_3 = np.zeros_like(total), np.zeros_like(total)
    if greens > 2:
        pair = first[:, None] * green[None] / after[:, None]
        rest = after[:, None] - green[None]
        pair[range(greens), range(greens)] = 0
        rest[range(greens), range(greens)] = 1
        hits_3 = (pair * (sum_green - green[:, None] - green[None]) / rest).sum((0, 1))
        risk_3 = (pair * black / rest).sum((0, 1))
    return np.cumsum([hits_1, hits_2, hits_3], axis=0), np.cumsum([risk_1, risk_2, risk_3], axis=0)


def _best(scores: Floats, cards: Sequence[Card]) -> Card:
    return max(cards, key=lambda card: (scores[card], -card))


def _rank(scores: Floats, card: Card) -> int:
    """How many of all 25 cards come before `card`, ties by index."""
    return int((scores > scores[card]).sum() + (scores[:card] == scores[card]).sum())
