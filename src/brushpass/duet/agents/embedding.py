"""The strong default: expected value under a Luce choice model of the partner, for clues and for guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brushpass.duet.agent import Advice, Player
from brushpass.duet.agents.giver import Giver
from brushpass.duet.agents.guesser import Guesser
from brushpass.duet.agents.options import LEAST_TEMPERATURE, Options
from brushpass.duet.core.actions import Guess, Stop, Yield
from brushpass.duet.observation import Observation
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind


class Embedding(Player):
    """A player for a partner who thinks in `partner`'s mind."""

    def __init__(
        self,
        partner: Mind,
        vocabulary: Vocabulary,
        words: Sequence[str] = (),
        *,
        temperature: float | None = None,
    ) -> None:
        heat = partner.temperature if temperature is None else temperature
        self.giver = Giver(partner, vocabulary, words, heat)
        self.guesser = Guesser(partner, vocabulary, words, heat)

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> Embedding:
        """`embedding:model=M,partner=M,temperature=T,vocabulary=V`.

        `partner` is the mind assumed opposite, by default `model`.
        """
        read = Options("embedding", options)
        mind = read.mind("model")
        partner = read.mind("partner", default=mind)
        embedding = cls(
            partner,
            read.vocabulary(),
            words,
            temperature=read.number("temperature", partner.temperature, least=LEAST_TEMPERATURE),
        )
        read.done()
        return embedding

    def give_clue(self, view: Observation) -> Advice:
        """The clue of greatest expected value."""
        return self.giver.give_clue(view)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The card of greatest expected value, or an end."""
        return self.guesser.guess(view)
