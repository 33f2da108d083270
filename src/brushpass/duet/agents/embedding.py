"""The strong default: expected value under a Luce choice model of the partner, for clues and for guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from brushpass.duet.agent import Advice, Player
from brushpass.duet.agents.evidence import read_evidence
from brushpass.duet.agents.giver import Giver
from brushpass.duet.agents.guesser import Guesser
from brushpass.duet.agents.lookup import Scores, card_scores
from brushpass.duet.agents.options import LEAST_TEMPERATURE, Options, panel_of
from brushpass.duet.agents.panel import Panel, Pooled
from brushpass.duet.agents.profile import Profile
from brushpass.duet.agents.value import WEIGHS, Weigh, stakes
from brushpass.duet.core.actions import Guess, Stop, Yield
from brushpass.duet.core.cards import KeySide
from brushpass.duet.memory import read_memory
from brushpass.duet.observation import Observation
from brushpass.errors import InvalidSetup
from brushpass.lexicon.vocabulary import Vocabulary
from brushpass.semantics.mind import Mind

HEATS: Final = (0.3, 1.0)
"""Between these temperatures it plays for a partner that it knows, as shares of people's."""


class Embedding(Player):
    """A player for a partner who thinks in `partner`'s mind."""

    def __init__(
        self,
        partner: Mind,
        vocabulary: Vocabulary,
        words: Sequence[str] = (),
        *,
        temperature: float | None = None,
        scores: Scores | None = None,
        weigh: Weigh = stakes,
    ) -> None:
        heat = partner.temperature if temperature is None else temperature
        scores = scores or card_scores(partner, vocabulary, tuple(words), heat)
        self.giver, self.guesser = Giver(partner, scores, weigh), Guesser(scores, weigh)

    @classmethod
    def from_options(cls, options: Mapping[str, str], words: Sequence[str]) -> Embedding:
        """`embedding:model=M,partner=M,temperature=T,vocabulary=V,stakes=value|fixed,memory=K,panel=M+M`.

        `partner` is the mind assumed opposite, by default `model`. With `stakes=fixed` a touch is worth the same
        anywhere, else what it changes in the chance of winning. With `memory` it gets to know its partner, for so
        many games in a row: `panel` are the minds that partner may think like, beside its own.
        """
        read = Options("embedding", options)
        mind = read.mind("model")
        partner = read.mind("partner", default=mind)
        vocabulary = read.vocabulary()
        heat = read.number("temperature", partner.temperature, least=LEAST_TEMPERATURE)
        weigh = read.choice("stakes", WEIGHS)
        memory, panel = read.given("memory"), read.given("panel")
        read.done()
        if memory:
            read_memory(options["memory"])
        if memory and "temperature" in options:
            raise InvalidSetup("embedding: with memory it learns the temperature; leave out temperature or memory")
        if panel and not memory:
            raise InvalidSetup("embedding: panel goes with memory; write memory=20 beside it")
        if memory:
            return Acquainted(panel_of(options), vocabulary, words, weigh=weigh)
        return cls(partner, vocabulary, words, temperature=heat, weigh=weigh)

    def give_clue(self, view: Observation) -> Advice:
        """The clue of greatest expected value."""
        return self.giver.give_clue(view)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        """The card of greatest expected value, or an end."""
        return self.guesser.guess(view)


class Acquainted(Embedding):
    """One that gets to know its partner from game to game: it plays for the mixture of a `panel` that fits best."""

    def __init__(
        self, minds: Mapping[str, Mind], vocabulary: Vocabulary, words: Sequence[str] = (), *, weigh: Weigh = stakes
    ) -> None:
        self.panel = Panel(minds, vocabulary, words)
        self._scores = Pooled(self.panel)
        super().__init__(next(iter(minds.values())), vocabulary, words, scores=self._scores, weigh=weigh)
        self.profile = Profile.blank(self.panel.names)

    def new_game(self, view: Observation, seed: int) -> None:
        """Play this game by what is believed now."""
        super().new_game(view, seed)
        least, most = HEATS
        self._scores.follow(self.profile, min(max(self.profile.heat(), least), most))

    def remember(self, view: Observation, partner: KeySide) -> None:
        """Learn from a game that is over."""
        self.profile = self.panel.learned(self.profile, read_evidence(view, partner), view.words)

    def forget(self) -> None:
        """Another partner sits down."""
        self.profile = Profile.blank(self.panel.names)
