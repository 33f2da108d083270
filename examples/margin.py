from brushpass import Clue, Guess, Mind, Observation, Stop


class Margin:
    """Says the word that brings the most agents out ahead of all its other cards."""

    def __init__(self) -> None:
        self.mind = Mind.load("glove")
        self.words = self.mind.words[:5000]  # the most frequent ones

    def give_clue(self, view: Observation) -> Clue:
        scores = self.mind.scores(self.words, view.words)  # a row for each word, a column for each card
        others = [card for card in range(25) if view.key.color(card) != "G"]
        ahead = scores[:, view.greens_left()] - scores[:, others].max(axis=1, keepdims=True) - 0.1
        ranked = (-ahead.clip(0).sum(axis=1) - ahead.max(axis=1)).argsort()
        best = next(row for row in ranked if view.allows(self.words[row]))
        return Clue(self.words[best], max(1, (ahead[best] > 0).sum()))

    def guess(self, view: Observation) -> Guess | Stop:
        if view.clue and view.hits >= view.clue.number and not view.must_guess:
            return Stop()
        heard = [clue.word for clue in view.heard()[-1:]]  # none, if sudden death comes before the first
        scores = self.mind.scores(heard, view.words).sum(axis=0)
        return Guess(max(view.open_cards(), key=lambda card: scores[card]))
