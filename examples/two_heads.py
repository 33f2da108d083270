"""A clue giver and a guesser of one's own, joined to one agent: `brushpass agents check py:two_heads:make`."""

import random

from brushpass import Advice, Clue, Duo, Guess, Mind, Observation, Stop, Yield


class Mimic:
    """Gives clues from a few words of its own choice; draws from its seed where two are equally good."""

    WORDS = (
        "animal",
        "water",
        "travel",
        "music",
        "war",
        "food",
        "house",
        "body",
        "sport",
        "science",
        "money",
        "school",
    )

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.rng = random.Random(0)

    def new_game(self, view: Observation, seed: int) -> None:
        self.rng = random.Random(seed)

    def give_clue(self, view: Observation) -> Advice:
        legal = [word for word in (*self.WORDS, *self.mind.words[:100]) if view.allows(word)]
        greens = view.greens_left()
        scores = self.mind.scores(legal, view.words)[:, greens].max(axis=1).round(1)
        best = self.rng.choice([row for row, score in enumerate(scores) if score == scores.max()])
        target = max(greens, key=lambda card: self.mind.scores([legal[best]], [view.words[card]])[0, 0])
        return Advice(Clue(legal[best], 1), targets=(target,), scores={"score": float(scores[best])})


class Cautious:
    """Touches one card a turn, and in sudden death leaves the next guess to its partner if it may."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind

    def guess(self, view: Observation) -> Guess | Stop | Yield:
        if not view.must_guess:
            return Stop() if view.clue else Yield()
        clues = [clue.word for clue in view.heard()]
        scores = self.mind.scores(clues, view.words).sum(axis=0)
        return Guess(max(view.open_cards(), key=lambda card: scores[card]))


def make() -> Duo:
    """The agent."""
    mind = Mind.load("minilm")
    return Duo(Mimic(mind), Cautious(mind))
