"""One clue taken apart: how likely a partner touches each card, what that is worth, and what speaks for the card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents.giver import MOST
from brushpass.duet.agents.suggest import Table
from brushpass.duet.core.cards import ALL_CARDS, Color, cards_of
from brushpass.errors import InvalidSetup
from brushpass.semantics.blend import OPINIONS
from brushpass.semantics.mind import Mind

Doubles = npt.NDArray[np.float64]
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "vectors are near": ("own", "bare", *OPINIONS),
    "an associate of the card is near": ("associates",),
    "both share associates": ("graph",),
    "the card is an associate of the clue": ("back",),
}
"""What speaks for a card, in words, and the features of `semantics.blend` that say so."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clue does on a table, for a partner who thinks in the mind called `mind`.

    Arrays have a number a card in play, in the order of the board.

    Attributes:
        word: the clue.
        number: with it.
        mind: the partner's.
        cards: those in play.
        colors: what each is to the giver.
        pulls: what draws the partner to each card, by kind; their sum is the card's `pull`.
        chances: that the partner touches the card in this turn: it ends with a miss, the number, or the last green.
        worth: of that chance to the giver, in agents: a miss costs what the table's stakes say.
    """

    word: str
    number: int
    mind: str
    cards: tuple[str, ...]
    colors: tuple[Color, ...]
    pulls: Mapping[str, Doubles]
    chances: Doubles
    worth: Doubles

    def __str__(self) -> str:
        return f"{self.word} {self.number}"

    @property
    def pull(self) -> Doubles:
        """The score over the temperature: one more makes a card 2.7 times as likely to be touched."""
        return np.asarray(sum(self.pulls.values()))

    @property
    def understood(self) -> bool:
        """Whether the mind makes anything of the clue: else all cards are alike to it."""
        return bool(self.pull.any())

    @property
    def order(self) -> list[int]:
        """Places of the cards, the strongest pull first."""
        return [int(place) for place in np.argsort(-self.pull, kind="stable")]

    @property
    def targets(self) -> tuple[str, ...]:
        """The agents the clue points at, as many as its number says."""
        greens = [place for place in self.order if self.colors[place] is Color.GREEN]
        return tuple(self.cards[place] for place in greens[: self.number])

    @property
    def hits(self) -> float:
        """Agents found in the turn, expected."""
        return self._over(Color.GREEN)

    @property
    def risk(self) -> float:
        """P(an assassin is touched)."""
        return self._over(Color.BLACK)

    @property
    def stray(self) -> float:
        """P(a bystander is touched, and ends the turn)."""
        return self._over(Color.TAN)

    @property
    def value(self) -> float:
        """Of the clue, in agents: the worth of all its cards."""
        return float(self.worth.sum())

    @property
    def danger(self) -> str | None:
        """The wrong card of strongest pull, if there is any."""
        return next((self.cards[place] for place in self.order if self.colors[place] is not Color.GREEN), None)

    @property
    def margin(self) -> float:
        """How many times likelier the weakest target is to be touched than the `danger`, where both lie open."""
        pull = dict(zip(self.cards, self.pull.tolist(), strict=True))
        return np.inf if self.danger is None else float(np.exp(pull[self.targets[-1]] - pull[self.danger]))

    def _over(self, wanted: Color) -> float:
        return float(self.chances[[color is wanted for color in self.colors]].sum())


def read_clue(mind: Mind, table: Table, word: str, number: int, *, temperature: float | None = None) -> Reading:
    """The clue `word` `number` on `table`, for a partner who thinks in `mind`.

    The partner chooses at `temperature`, by default the mind's own.

    Raises:
        InvalidSetup: the number is not 1 to 4, the temperature is not above 0, or no green card is left.
    """
    if not 1 <= number <= MOST:
        raise InvalidSetup(f"number {number} is not 1 to {MOST}: no more can be taken apart")
    if temperature is not None and not temperature > 0:
        raise InvalidSetup(f"temperature {temperature} is not above 0")
    greens, tans, blacks = table.roles
    if not greens:
        raise InvalidSetup("there is no green card to give a clue for")
    places = cards_of((greens | tans | blacks) & ALL_CARDS)
    colors = tuple(
        Color.GREEN if greens >> place & 1 else Color.BLACK if blacks >> place & 1 else Color.TAN for place in places
    )
    cards = tuple(table.cards[place] for place in places)
    sharpened = (temperature or mind.temperature) / mind.temperature
    pulls = {name: pull / sharpened for name, pull in _pulls(mind, word, cards).items()}
    pull = np.asarray(sum(pulls.values()))
    touched = _touched(np.exp(pull - pull.max()), np.array([color is Color.GREEN for color in colors]), number)
    gains, misses, deaths = table.stakes[:, :number]
    worth = {Color.GREEN: gains, Color.TAN: -misses, Color.BLACK: -deaths}
    worths = np.array([worth[color] @ chances for color, chances in zip(colors, touched.T, strict=True)])
    return Reading(word, number, mind.name, cards, colors, pulls, touched.sum(axis=0), worths)


def _pulls(mind: Mind, word: str, cards: tuple[str, ...]) -> dict[str, Doubles]:
    """The parts of the mind's scores over its temperature."""
    if mind.blend is None:
        return {next(iter(GROUPS)): mind.scores([word], cards)[0].astype(np.float64) / mind.temperature}
    known = mind.scores([word], cards)[0] != 0
    parts = mind.features(word, cards).astype(np.float64) * mind.blend.weights * known[:, None]
    return {
        name: parts[:, [place for place, feature in enumerate(mind.blend.names) if feature in features]].sum(axis=1)
        for name, features in GROUPS.items()
    }


def _touched(weights: Doubles, greens: npt.NDArray[np.bool_], number: int) -> Doubles:
    """P(each card is touched first, second, …), (number, cards), by Luce's choice until a miss: exact."""
    touched = np.zeros((number, len(weights)))
    touched[0] = weights / weights.sum()
    if number == 1 or greens.sum() == 1:
        return touched
    for place in np.flatnonzero(greens):
        rest, left = weights.copy(), greens.copy()
        rest[place], left[place] = 0.0, False
        touched[1:] += touched[0, place] * _touched(rest, left, number - 1)
    return touched
