"""Clue suggestions for any table, also one of fewer cards: what the embedding giver would weigh, best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from brushpass.duet.agents import kernel
from brushpass.duet.agents.giver import MOST
from brushpass.duet.agents.lookup import Roles, roles_for_partner
from brushpass.duet.agents.luce import nearest, turn_of_four
from brushpass.duet.agents.value import STANDARD, Place, Stakes, stakes
from brushpass.duet.core.cards import CARD_COUNT, Color, Mask, cards_of, mask_of
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.observation import Observation
from brushpass.errors import InvalidSetup
from brushpass.lexicon.normalize import fold
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics import choice
from brushpass.semantics.affinity import score_table
from brushpass.semantics.mind import Mind


@dataclass(frozen=True, slots=True)
class Table:
    """What a giver sees: the cards, what they are to it, the words that bar clues, those already said, the stakes."""

    cards: tuple[str, ...]
    roles: Roles
    visible: tuple[str, ...]
    said: tuple[str, ...]
    stakes: Stakes = field(compare=False)

    @classmethod
    def of_view(cls, view: Observation) -> Table:
        """The table as `view` shows it."""
        return cls(view.words, roles_for_partner(view), view.visible(), view.said(), stakes(Place.of(view, mine=True)))

    @classmethod
    def of_cards(cls, cards: Sequence[tuple[str, Color]]) -> Table:
        """A table of up to 25 (word, color), at the stakes of a standard game's start.

        Raises:
            InvalidSetup: too many cards, two alike once folded, or one that is no word.
        """
        words = tuple(word for word, _ in cards)
        if len(words) > CARD_COUNT:
            raise InvalidSetup(f"{len(words)} cards are given; a board has at most {CARD_COUNT}")
        seen: dict[str, str] = {}
        for word in words:
            if not fold(word):
                raise InvalidSetup(f"card {word!r} is not a word")
            if fold(word) in seen:
                raise InvalidSetup(f"card {word!r} is given twice")
            seen[fold(word)] = word
        roles = Roles(
            *(
                mask_of(card for card, (_, color) in enumerate(cards) if color is wanted)
                for wanted in (Color.GREEN, Color.TAN, Color.BLACK)
            )
        )
        return cls(words, roles, words, (), stakes(STANDARD))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A clue, the cards it aims at with the mind's cosines, and what a partner would do with it."""

    word: str
    number: int
    targets: tuple[str, ...]
    cosines: tuple[float, ...]
    expected_hits: float
    assassin_risk: float
    score: float
    success: float
    """P(the first `number` cards touched are all green)."""


def unknown_cards(mind: Mind, table: Table) -> tuple[str, ...]:
    """The cards in play that `mind` has no vector for: they are never a target."""
    return tuple(table.cards[card] for card in cards_of(_unknown(mind, table)))


def _unknown(mind: Mind, table: Table) -> Mask:
    greens, tans, blacks = table.roles
    return mask_of(card for card in cards_of(greens | tans | blacks) if not mind.knows(table.cards[card]))


def suggest(
    mind: Mind,
    vocabulary: Vocabulary,
    table: Table,
    top: int,
    *,
    temperature: float | None = None,
    most: int = MOST,
) -> list[Suggestion]:
    """The `top` legal clues of greatest score with a number up to `most`, for a partner who thinks in `mind`.

    The partner chooses at `temperature`, by default the mind's own.

    The numpy search is used: for one table it costs less than starting the compiled one. A green card unknown
    to `mind` counts as a bystander.

    Raises:
        InvalidSetup: no green card is left that `mind` knows, or no legal word is left in `vocabulary`.
    """
    unknown, (greens, tans, blacks) = _unknown(mind, table), table.roles
    roles = Roles(greens & ~unknown, tans | greens & unknown, blacks)
    if not roles.greens:
        known = f" that model {mind.name} knows" if unknown else ""
        raise InvalidSetup(f"there is no green card{known} to give a clue for")
    cosines = score_table(mind, vocabulary, table.cards)[:, : len(vocabulary)]
    weights = choice.weights(cosines / np.float32(temperature or mind.temperature))
    values, numbers = kernel.expected_values(weights, *roles, table.stakes, min(most, roles.greens.bit_count()))
    values[~cosines.any(axis=0)] = -np.inf
    found = []
    for place in _legal(vocabulary, table, values):
        number, column = int(numbers[place]), weights[:, place]
        near = nearest(column, roles.greens)[:number]
        hits, risk = turn_of_four(column, *roles, number)
        fewer, _ = turn_of_four(column, *roles, number - 1)
        found.append(
            Suggestion(
                vocabulary.words[place],
                number,
                tuple(table.cards[card] for card in near),
                tuple(float(cosines[card, place]) for card in near),
                float(hits),
                float(risk),
                float(values[place]),
                float(hits - fewer),
            )
        )
        if len(found) == top:
            break
    if not found:
        raise InvalidSetup(f"no word of the clue vocabulary {vocabulary.name} may be said beside these cards")
    return found


def _legal(vocabulary: Vocabulary, table: Table, values: kernel.Floats) -> Iterator[int]:
    """The places of words that may be said, best value first. Only words that come up are held against the law."""
    law = ClueLaw(strict=True)
    for place in np.argsort(-values, kind="stable").tolist():
        if values[place] == -np.inf:
            return
        word = vocabulary.words[place]
        if word not in table.said and law.check(word, table.visible).legal:
            yield place
