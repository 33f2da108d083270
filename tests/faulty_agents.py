"""Players for the conformance suite and for batches: a sound one, and one for each fault.

Those in `BRUTES` do harm to the process they are in; play them in workers only.
"""

# ruff: noqa: ARG002 - they have the arguments they must have
import ctypes
import itertools
import os
import random
import signal
import subprocess
import sys
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


class Crashes(Sound):
    """Falls over as soon as a game begins."""

    def new_game(self, view, seed):
        raise ZeroDivisionError("at the\nbeginning")


class Unspeakable(Exception):
    """An exception that cannot even be printed."""

    def __str__(self):
        raise ValueError("not me")


class Mute(Sound):
    """Raises what cannot be told."""

    def guess(self, view):
        raise Unspeakable


class Babbler(Sound):
    """Answers something else each time, never a guess."""

    answers = itertools.cycle(
        (
            *(None, True, 3, 0.5, float("nan"), "apple", b"apple", [], {}, (1, 2), object(), Guess, lambda: 0, ...),
            *(Guess(25), Guess(-1), Guess("3"), Guess(None), Guess(True), Guess(10**30), Clue("x", 1)),
        )
    )

    def guess(self, view):
        return next(self.answers)


class Mumbler(Sound):
    """Offers something else each time, never a clue."""

    answers = itertools.cycle(
        (
            *(None, 7, "apple", ("apple", 1), Guess(0), Stop(), Advice(None), Clue(None, 1), Clue("", 1)),
            *(Clue("apple", "1"), Clue("apple", -1), Clue("apple", 10**30), Clue("ap\nple", 1), Clue("\ud800", 1)),
        )
    )

    def give_clue(self, view):
        return next(self.answers)


class Interrupter(Sound):
    """Raises what only a person at the keyboard should."""

    def guess(self, view):
        raise KeyboardInterrupt


class Dreamer(Sound):
    """Never answers."""

    def guess(self, view):
        while True:
            time.sleep(0.1)


class Stone(Sound):
    """Never answers, deaf to SIGTERM, and lets no other thread of its process run."""

    def guess(self, view):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        ctypes.PyDLL(None).sleep(10**6)


class Vanisher(Sound):
    """Ends its process, and says that all was well."""

    def guess(self, view):
        os._exit(0)


class Suicide(Sound):
    """Kills its process."""

    def guess(self, view):
        os.kill(os.getpid(), signal.SIGKILL)


class Crasher(Sound):
    """Reads memory that is not there."""

    def guess(self, view):
        ctypes.string_at(0)


class Glutton(Sound):
    """Takes all memory, and keeps it."""

    def guess(self, view):
        self.kept = []
        while True:
            self.kept.append(np.zeros(1 << 26, np.uint8))


class Silencer(Sound):
    """Closes the streams of its process, then plays on."""

    def guess(self, view):
        sys.stdout.close()
        sys.stderr.close()
        return super().guess(view)


class Parent(Sound):
    """Has children that live on: one of its own kind, one of another, and one that plays on as if it were it."""

    had = False

    def guess(self, view):
        if not self.had:
            self.had = True
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(10**6)
            subprocess.Popen(["sleep", "1000000"])
            os.fork()
        return super().guess(view)


FORFEITS = {
    Crashes: "ZeroDivisionError: at the beginning",
    Mute: "Unspeakable",
    Babbler: "",
    Mumbler: "",
    Asks: "'clue?' is not a clue",
    Quitter: "SystemExit: 3",
    Deserter: "LeftTheTable",
    Unshowable: "is not a guess",
    Interrupter: "KeyboardInterrupt",
}
"""Players that only lose, and what is told of it."""
HARMLESS = (Chatty, Silencer, Parent, Cheerful)
"""Players that annoy, but play."""
BRUTES = {
    Dreamer: "it gave no sign of life for",
    Stone: "it gave no sign of life for",
    Vanisher: "lost its worker twice; it ended with exit code 0",
    Suicide: "lost its worker twice; it was killed by SIGKILL",
    Crasher: "lost its worker twice; it was killed by SIGSEGV",
    Glutton: "MemoryError",
}
"""Players that take their worker with them."""
