"""Several minds at once: cards and clues scored by a mixture of them, and how likely each makes what a partner did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents.evidence import Evidence, Said, Touch
from brushpass.duet.agents.lookup import card_scores
from brushpass.duet.agents.profile import HEATS, Profile, mixtures
from brushpass.duet.core.cards import Mask, cards_of
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.choice import weights
from brushpass.semantics.mind import Mind

LAPSE: Final = 0.03
"""How often a choice is taken to come from somewhere else: no single one may decide what a partner is like."""
ALTERNATIVES: Final = 256
"""Words beside which a clue of the partner is weighed: every so-manieth of the vocabulary."""
CARE: Final = 2.5
"""How strongly a partner is taken to prefer a clue of greater worth, by the expected green."""
DREAD: Final = 2.0
"""What touching an assassin costs in that worth, in greens."""
SURENESS: Final = 0.7
"""The temperature that it is taken to weigh its clues by, as a share of people's."""
NUMBERS: Final = 3
"""Clues of higher numbers are weighed as of this one."""
FARTHEST: Final = 60.0
"""Scores over a temperature go no farther from 0."""
LEAST: Final = 0.01
"""A mind of a smaller part than this is left out."""

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


class Panel:
    """The minds of a profile by name, the first the bot's own."""

    def __init__(self, minds: Mapping[str, Mind], vocabulary: Vocabulary, words: Sequence[str]) -> None:
        self.names = tuple(minds)
        self.minds = tuple(minds.values())
        self.vocabulary = vocabulary
        self._tables = [card_scores(mind, vocabulary, tuple(words)) for mind in self.minds]
        self._heard: dict[str, Doubles] = {}
        """What clues of a game scored, on the board of these words."""
        self._words: tuple[str, ...] = ()
        self._alternatives = np.arange(0, len(vocabulary), max(1, len(vocabulary) // ALTERNATIVES))

    # -------------------------------------------------------------- scores

    def of_clue(self, clue: str, words: tuple[str, ...]) -> Doubles:
        """The score of every card over the temperature of each mind, (minds, cards)."""
        if words is not self._words:
            self._words = words
            self._heard.clear()
        if clue not in self._heard:
            scores = [
                table.of_clue(clue, words) / mind.temperature
                for table, mind in zip(self._tables, self.minds, strict=True)
            ]
            self._heard[clue] = np.array(scores, np.float64)
        return self._heard[clue]

    def board(self, words: tuple[str, ...], parts: Sequence[float]) -> Floats:
        """The like of the minds' mixture by `parts` for every word of the vocabulary, (cards, V)."""
        mixed: Floats | None = None
        for part, table, mind in zip(parts, self._tables, self.minds, strict=True):
            if part:
                scores = table.table[table.rows(words)]
                scores *= np.float32(part / mind.temperature)
                mixed = scores if mixed is None else np.add(mixed, scores, out=mixed)
        if mixed is None:
            raise ValueError("a mixture of nothing")
        return mixed

    def unknown(self, words: tuple[str, ...]) -> Mask:
        """The cards that no mind knows."""
        cards = self._tables[0].unknown(words)
        for table in self._tables[1:]:
            cards &= table.unknown(words)
        return cards

    # -------------------------------------------------------------- likelihoods

    def learned(self, profile: Profile, evidence: Evidence, words: tuple[str, ...]) -> Profile:
        """`profile` after one more game on a board of `words`."""
        logs = profile.logs.copy()
        for touch in evidence.touches:
            logs += self._touched(touch, words)
        for said in evidence.clues:
            logs += self._said(said, words)[:, None]
        return replace(
            profile,
            logs=logs - logs.max(),
            games=profile.games + 1,
            clues=profile.clues + len(evidence.clues),
            touches=profile.touches + len(evidence.touches),
            habit=profile.habit.plus(evidence.habit),
        )

    def _touched(self, touch: Touch, words: tuple[str, ...]) -> Doubles:
        """Log-chance of a touch, (mixtures, temperatures): Luce's choice among the cards open to the partner."""
        cards = cards_of(touch.cards)
        scores = mixtures(len(self.minds)) @ self.of_clue(touch.word, words)[:, cards]
        felt = scores[:, None, :] / np.array(HEATS)[None, :, None]
        felt = np.exp(felt - felt.max(axis=-1, keepdims=True))
        chance = felt[:, :, cards.index(touch.card)] / felt.sum(axis=-1)
        return np.asarray(np.log((1 - LAPSE) * chance + LAPSE / len(cards)))

    def _said(self, said: Said, words: tuple[str, ...]) -> Doubles:
        """Log-chance of a clue, (mixtures,), by its worth beside those of other words; a constant is left out."""
        mixed = mixtures(len(self.minds))
        if not said.greens:
            return np.zeros(len(mixed))
        columns = [table.table[table.rows(words)][:, self._alternatives] for table in self._tables]
        scores = np.array(
            [column / mind.temperature for column, mind in zip(columns, self.minds, strict=True)], np.float64
        )
        scores = np.concatenate([scores, self.of_clue(said.word, words)[:, :, None]], axis=2)
        felt = np.tensordot(mixed, scores, 1) / SURENESS  # (mixtures, cards, words)
        worth = _worths(np.exp(felt - felt.max(axis=1, keepdims=True)), said)
        chance = np.exp(CARE * worth)
        ours = chance[min(said.number, NUMBERS) - 1, :, -1]
        return np.asarray(np.log((1 - LAPSE) * ours / chance.mean(axis=(0, 2)) + LAPSE))


def _worths(weights: Doubles, said: Said) -> Doubles:
    """The worth of clues of number 1 to 3, (3, mixtures, words), of weights (mixtures, cards, words).

    Expected greens before the first miss less the dread of an assassin, the greens found nearest first (see
    `kernel.expected_values`).
    """
    nearest_first = -np.sort(-weights[:, cards_of(said.greens)], axis=1)
    green = nearest_first.sum(axis=1)
    black = weights[:, cards_of(said.blacks)].sum(axis=1)
    bad = weights[:, cards_of(said.tans)].sum(axis=1) + black
    alive, worth = np.ones_like(green), np.zeros_like(green)
    worths = []
    for number in range(NUMBERS):
        share = alive / np.maximum(green + bad, np.finfo(np.float64).tiny)
        worth = worth + share * (green - DREAD * black)
        worths.append(worth)
        alive = share * green
        green = np.maximum(green - nearest_first[:, min(number, nearest_first.shape[1] - 1)], 0)
    return np.array(worths)


class Pooled:
    """The scores of a panel as one mind's, with the weights that a profile gives each: like `lookup.CardScores`."""

    def __init__(self, panel: Panel) -> None:
        self.vocabulary = panel.vocabulary
        self._panel = panel
        self._parts: tuple[float, ...] = (1.0,) + (0.0,) * (len(panel.minds) - 1)
        self._heat = np.float32(1)
        self._words: tuple[str, ...] = ()
        self._rows = np.empty(0, np.intp)
        self.table = np.zeros((0, 0), np.float32)

    def follow(self, profile: Profile, heat: float) -> None:
        """Weigh the minds as `profile` believes, at that temperature (a share of people's)."""
        parts = np.array(list(profile.minds().values()))
        parts[parts < LEAST] = 0.0
        self._parts = tuple((parts / parts.sum()).tolist())
        self._heat = np.float32(heat)
        self._words = ()

    def rows(self, words: tuple[str, ...]) -> npt.NDArray[np.intp]:
        """The places of `words` in the table: it holds one board."""
        if words is not self._words:
            scores = self._panel.board(words, self._parts)
            self.table = np.zeros((len(words) + 1, scores.shape[1]), np.float32)
            weights(self._cooled(scores), out=self.table[:-1])
            self._words = words
            self._rows = np.arange(len(words))
        return self._rows

    def unknown(self, words: tuple[str, ...]) -> Mask:
        """The cards of `words` that no mind knows."""
        return self._panel.unknown(words)

    def of_clue(self, clue: str, words: tuple[str, ...]) -> Floats:
        """The weights of the cards for one clue, whoever says it, (cards,)."""
        mixed = np.array(self._parts) @ self._panel.of_clue(clue, words)
        return weights(self._cooled(mixed.astype(np.float32)))

    def _cooled(self, scores: Floats) -> Floats:
        """`scores` over the temperature, in place, so that exponentials neither run over nor vanish."""
        np.divide(scores, self._heat, out=scores)
        return np.clip(scores, -FARTHEST, FARTHEST, out=scores)
