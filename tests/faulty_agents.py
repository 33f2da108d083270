"""Players for the conformance suite: a sound one, and one for each fault."""

# ruff: noqa: ARG002 - they have the arguments they must have
import itertools
import random
import time

import numpy as np

from brushpass import Advice, Clue, Guess, Phase, Player, Stop, Yield
from brushpass.duet.agent import LeftTheTable


class Sound(Player):
    """Legal everywhere, and quick: counts instead of talking, touches the first open card."""

    def give_clue(self, view):
        return Clue(next(str(number) for number in itertools.count(10) if view.allows(str(number))), 1)

    def guess(self, view):
        return Guess(view.open_cards()[0])


class Chatty(Sound):
    """Thinks aloud."""

    def guess(self, view):
        print("hmm")  # noqa: T201 - that is what it does
        return super().guess(view)


class Asks(Sound):
    """Offers a clue that is none."""

    def give_clue(self, view):
        return "clue?"


class Illegal(Sound):
    """Says words of the board, a new one each time."""

    def give_clue(self, view):
        return Clue(view.visible()[len(view.refused)], 1)


class TooMany(Sound):
    """Says a number that does not exist."""

    def give_clue(self, view):
        return Clue(super().give_clue(view).word, 10)


class Wild(Sound):
    """Aims beyond the board."""

    def give_clue(self, view):
        return Advice(super().give_clue(view), targets=(25,))


class Lawless(Sound):
    """Breaks the law where that only costs a token."""

    def give_clue(self, view):
        return Clue(view.visible()[0], 1) if view.rules.clue_law == "penalty" else super().give_clue(view)


class Stubborn(Sound):
    """Does not hear a refusal."""

    def give_clue(self, view):
        return Clue("10", 1)


class Forgetful(Sound):
    """Touches found cards."""

    def guess(self, view):
        return Guess(0) if view.phase is Phase.GUESS else super().guess(view)


class Hasty(Sound):
    """Stops before it has touched a card."""

    def guess(self, view):
        return Stop() if view.phase is Phase.GUESS else super().guess(view)


class Shy(Sound):
    """Always leaves sudden death to its partner."""

    def guess(self, view):
        return Yield() if view.phase is Phase.SUDDEN else super().guess(view)


class Stopper(Sound):
    """Stops in sudden death."""

    def guess(self, view):
        return Stop() if view.phase is Phase.SUDDEN and not view.must_guess else super().guess(view)


class Monoglot(Sound):
    """Cannot read cards of two words."""

    def give_clue(self, view):
        for word in view.words:
            if " " in word:
                raise KeyError(word)
        return super().give_clue(view)


class Quitter(Sound):
    """Ends the whole program."""

    def guess(self, view):
        raise SystemExit(3)


class Deserter(Sound):
    """Leaves the table as only a person may."""

    def guess(self, view):
        raise LeftTheTable


class Unseeded(Sound):
    """Draws from where no seed reaches."""

    def guess(self, view):
        return Guess(random.SystemRandom().choice(view.open_cards()))


class Counting(Sound):
    """Plays by how many games it has had."""

    games = 0

    def new_game(self, view, seed):
        self.games += 1

    def guess(self, view):
        return Guess(view.open_cards()[self.games % len(view.open_cards())])


class Numbered(Sound):
    """Plays by how many of its kind there are."""

    made = itertools.count()

    def __init__(self):
        self.number = next(self.made)

    def guess(self, view):
        return Guess(view.open_cards()[self.number % len(view.open_cards())])


class Scribbler(Sound):
    """Writes into its view, deep down."""

    def guess(self, view):
        card = super().guess(view)
        object.__setattr__(view.key, "greens", 0)
        return card


class Vandal(Sound):
    """Leaves something in its view that cannot be compared."""

    def guess(self, view):
        card = super().guess(view)
        object.__setattr__(view.key, "greens", np.arange(2))
        return card


class Cheerful(Sound):
    """Has nothing to say after a defeat."""

    def end(self, outcome, reason, key_a, key_b):
        assert outcome == "won", outcome


class Once(Sound):
    """Plays one game in its life."""

    fresh = True

    def new_game(self, view, seed):
        if not self.fresh:
            raise RuntimeError("again?\n\tno")
        self.fresh = False


class Sleepy(Sound):
    """Takes a while over digits."""

    def guess(self, view):
        time.sleep(0.05 if view.clue == Clue("7", 2) else 0)
        return super().guess(view)


class Unshowable(Sound):
    """Answers what cannot even be printed."""

    def __repr__(self):
        raise ValueError("not me")

    def guess(self, view):
        return self


FAULTS = {
    Asks: {"clue"},
    Illegal: {"clue"},
    TooMany: {"clue"},
    Wild: {"clue"},
    Lawless: {"clue"},
    Stubborn: {"refused"},
    Forgetful: {"guess"},
    Hasty: {"guess"},
    Shy: {"sudden_death"},
    Stopper: {"sudden_death"},
    Monoglot: {"answers"},
    Quitter: {"answers"},
    Deserter: {"answers"},
    Unseeded: {"repeats", "again"},
    Counting: {"again"},
    Numbered: {"repeats"},
    Scribbler: {"view"},
    Vandal: {"view"},
    Cheerful: {"end"},
    Once: {"new_game"},
    Sleepy: {"time"},
    Unshowable: {"guess", "sudden_death"},
}
