"""The errors brushpass raises: few, named by cause, each saying what, the value and the remedy.

The command line prints the message on one line and leaves with `exit_code`; a traceback is a bug.
"""

from __future__ import annotations

from typing import ClassVar


class BrushpassError(Exception):
    """Anything brushpass refuses. `exit_code` is what the command line leaves with."""

    exit_code: ClassVar[int] = 2


class InvalidSetup(BrushpassError, ValueError):
    """A game, run or argument that cannot be set up as asked."""


class UnknownName(BrushpassError, LookupError):
    """A name (city, model, agent, word list) that does not exist; the message lists what does."""


class UnknownData(UnknownName):
    """A model, vocabulary or word list that does not exist; the message lists what does."""

    exit_code = 3


class CorruptData(BrushpassError, ValueError):
    """A file that is missing, unreadable or not what it should be."""

    exit_code = 3


class MissingExtra(BrushpassError, ImportError):
    """A feature whose optional dependency is not installed; the message names the extra."""

    exit_code = 3


class AgentFailure(BrushpassError, RuntimeError):
    """An agent that cannot start, or that raised, hung or answered rubbish."""

    exit_code = 4


class Suspended(BrushpassError, RuntimeError):
    """A game that cannot go on now through no fault of an agent: a server out of reach, a budget that is spent.

    It costs nobody the game: a run stops, and can be resumed.
    """

    exit_code = 4


class IllegalAction(BrushpassError, ValueError):
    """An action the rules refuse; the state is unchanged. `code` is the rules page's code (DUET §4)."""

    code: ClassVar[str] = "E_ILLEGAL"


class WrongPhase(IllegalAction):
    """Not an action of this phase."""

    code = "E_PHASE"


class NotYourTurn(IllegalAction):
    """The other side is to act."""

    code = "E_ACTOR"


class FinishedSide(IllegalAction):
    """A side whose words are all found offers a clue."""

    code = "E_SIDE_COMPLETE"


class BadClueNumber(IllegalAction):
    """A clue number that is not an integer from 0 to 9."""

    code = "E_CLUE_NUMBER"


class ForbiddenClue(IllegalAction):
    """A clue word the clue law bars. `reason` is its code (L1 to L6), `clash` the visible word it meets."""

    code = "E_CLUE_ILLEGAL"

    def __init__(self, message: str, reason: str, clash: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.clash = clash


class NothingToGuess(IllegalAction):
    """A sudden-death guess by a side whose partner's words are all found."""

    code = "E_NOTHING_TO_GUESS"


class NoSuchCard(IllegalAction):
    """A card index outside 0 to 24."""

    code = "E_CELL"


class CardUnavailable(IllegalAction):
    """A card that is found, or marked from both sides."""

    code = "E_COVERED"


class AlreadyMarked(IllegalAction):
    """A card on which this side already has its bystander mark."""

    code = "E_ALREADY_MARKED"


class MustGuess(IllegalAction):
    """A stop before the first hit, or a yield by a side bound to guess."""

    code = "E_MUST_GUESS"


class GameOver(IllegalAction):
    """Any action after the end."""

    code = "E_GAME_OVER"
