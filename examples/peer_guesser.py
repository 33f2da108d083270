"""An outside bot that only ranks words, in this process, beside our own clue giver: `py:peer_guesser:make`."""

from collections.abc import Sequence

from brushpass import Duo, Guess, Observation, Stop, build_agent


class Letters:
    """Stands for the outside bot: words that begin like the clue come first."""

    def closest(self, words: Sequence[str], clue: str) -> list[str]:
        return sorted(words, key=lambda word: abs(ord(word[0].lower()) - ord(clue[:1] or "m")))


class PeerGuesser:
    """Touches what the bot ranks first, until as many are found as the clue was for."""

    def __init__(self, bot: Letters) -> None:
        self.bot = bot

    def guess(self, view: Observation) -> Guess | Stop:
        if view.clue and view.hits >= max(view.clue.number, 1):
            return Stop()
        cards = {view.words[card]: card for card in view.open_cards()}
        heard = [clue.word for clue in view.heard()] or [""]
        return Guess(cards[self.bot.closest(list(cards), heard[-1])[0]])


def make() -> Duo:
    """The agent: our clues, its guesses."""
    return Duo(build_agent("nearest:model=glove"), PeerGuesser(Letters()))
