"""An agent that comes in a package of its own: one card a clue, and never more than one guess."""

from collections.abc import Mapping, Sequence

from brushpass import BrushpassError, Clue, Guess, Mind, Observation, Stop, Yield


class Steady:
    """Says the word that stands out most for one of its agents, and touches what a clue stands out for."""

    def __init__(self, mind: Mind, cards: Sequence[str]) -> None:
        self.mind = mind
        self.words = mind.words[:2000]
        self.usual = mind.scores(self.words, cards).mean(axis=1)  # a word that goes with everything says nothing

    def give_clue(self, view: Observation) -> Clue:
        ahead = self.mind.scores(self.words, [view.words[card] for card in view.greens_left()]).max(axis=1) - self.usual
        return Clue(next(self.words[row] for row in (-ahead).argsort() if view.allows(self.words[row])), 1)

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        if not view.must_guess:
            return Stop() if view.clue else Yield()
        scores = self.mind.scores([clue.word for clue in view.heard()], view.words).sum(axis=0)
        return Guess(max(view.open_cards(), key=lambda card: scores[card]))


def make(options: Mapping[str, str], words: Sequence[str]) -> Steady:
    """`steady` or `steady:model=NAME`: called with the options of the spec and the words expected on cards."""
    if unknown := options.keys() - {"model"}:
        raise BrushpassError(f"steady has no option {min(unknown)!r}; known: model")
    return Steady(Mind.load(options.get("model", "glove")), words)
