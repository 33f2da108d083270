"""brushpass: Codenames Duet with bots that think in word embeddings.

The names below are the Python interface (`docs/api.md`); each is loaded when it is first used, so that
`import brushpass` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than everything here
if TYPE_CHECKING:
    from brushpass.duet.agent import Advice, Agent, ClueGiver, Duo, Guesser, Player, Teammate
    from brushpass.duet.agents.roster import build_agent
    from brushpass.duet.bench import run_bench
    from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
    from brushpass.duet.core.board import Board
    from brushpass.duet.core.cards import Color, KeySide, Seat
    from brushpass.duet.core.deal import deal
    from brushpass.duet.core.events import CardTouched, ClueGiven
    from brushpass.duet.core.keycard import KeyCard
    from brushpass.duet.core.mission import City, Mission, find_cities, find_city
    from brushpass.duet.core.phase import Outcome, Phase, Reason
    from brushpass.duet.core.state import Setup
    from brushpass.duet.core.table import TableRules
    from brushpass.duet.display import load_ipython_extension
    from brushpass.duet.observation import Observation
    from brushpass.duet.observe import opening
    from brushpass.duet.plan import Plan
    from brushpass.duet.record import GameRecord, read_records, replay, verify
    from brushpass.duet.referee import play_game
    from brushpass.duet.results import Report
    from brushpass.duet.testing.conformance import check_agent
    from brushpass.duet.testing.report import CheckReport
    from brushpass.duet.viewfile import read_view
    from brushpass.errors import BrushpassError
    from brushpass.lexicon.wordlists import load_wordlist
    from brushpass.semantics.catalog import list_minds
    from brushpass.semantics.explain import Because, because
    from brushpass.semantics.mind import Mind

__version__ = "0.1.0"

_HOMES = {
    "duet.agent": ("Advice", "Agent", "ClueGiver", "Duo", "Guesser", "Player", "Teammate"),
    "duet.agents.roster": ("build_agent",),
    "duet.bench": ("run_bench",),
    "duet.core.actions": ("Clue", "Guess", "Stop", "Yield"),
    "duet.core.board": ("Board",),
    "duet.core.cards": ("Color", "KeySide", "Seat"),
    "duet.core.deal": ("deal",),
    "duet.core.events": ("CardTouched", "ClueGiven"),
    "duet.core.keycard": ("KeyCard",),
    "duet.core.mission": ("City", "Mission", "find_cities", "find_city"),
    "duet.core.phase": ("Outcome", "Phase", "Reason"),
    "duet.core.state": ("Setup",),
    "duet.core.table": ("TableRules",),
    "duet.display": ("load_ipython_extension",),
    "duet.observation": ("Observation",),
    "duet.observe": ("opening",),
    "duet.plan": ("Plan",),
    "duet.record": ("GameRecord", "read_records", "replay", "verify"),
    "duet.referee": ("play_game",),
    "duet.results": ("Report",),
    "duet.testing.conformance": ("check_agent",),
    "duet.testing.report": ("CheckReport",),
    "duet.viewfile": ("read_view",),
    "errors": ("BrushpassError",),
    "lexicon.wordlists": ("load_wordlist",),
    "semantics.catalog": ("list_minds",),
    "semantics.explain": ("Because", "because"),
    "semantics.mind": ("Mind",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Advice",
    "Agent",
    "Because",
    "Board",
    "BrushpassError",
    "CardTouched",
    "CheckReport",
    "City",
    "Clue",
    "ClueGiven",
    "ClueGiver",
    "Color",
    "Duo",
    "GameRecord",
    "Guess",
    "Guesser",
    "KeyCard",
    "KeySide",
    "Mind",
    "Mission",
    "Observation",
    "Outcome",
    "Phase",
    "Plan",
    "Player",
    "Reason",
    "Report",
    "Seat",
    "Setup",
    "Stop",
    "TableRules",
    "Teammate",
    "Yield",
    "because",
    "build_agent",
    "check_agent",
    "deal",
    "find_cities",
    "find_city",
    "list_minds",
    "load_ipython_extension",
    "load_wordlist",
    "opening",
    "play_game",
    "read_records",
    "read_view",
    "replay",
    "run_bench",
    "verify",
]


def __getattr__(name: str) -> object:
    """The public `name`, from the module it lives in."""
    if name not in _HOME:
        raise AttributeError(f"module 'brushpass' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"brushpass.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})
