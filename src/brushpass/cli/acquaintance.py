"""The bot that gets to know the person opposite, from one game of `play --name` to the next."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from brushpass.duet.agents.embedding import Acquainted, Embedding
from brushpass.duet.agents.evidence import read_evidence
from brushpass.duet.agents.options import PANEL
from brushpass.duet.observe import observe
from brushpass.duet.partnerfile import PartnerFile
from brushpass.errors import BrushpassError, InvalidSetup
from brushpass.registry import Spec
from brushpass.semantics.catalog import load_mind

if TYPE_CHECKING:
    from brushpass.duet.agents.profile import Profile
    from brushpass.duet.core.cards import Seat
    from brushpass.duet.core.events import Event
    from brushpass.duet.core.state import State


def check_remembers(name: str, spec: str) -> None:
    """Refuse what is no name of a person, and a bot that cannot get to know anybody.

    Raises:
        InvalidSetup: says what a name is, or which bot can.
    """
    PartnerFile(name)
    parsed = Spec.parse(spec)
    if parsed.name != "embedding":
        raise InvalidSetup(f"--name goes with the bot embedding: {spec} gets to know nobody")
    for option in ("memory", "panel", "temperature"):
        if option in parsed.options:
            raise InvalidSetup(f"--name goes with all that is known of a person: leave out {option}")


class Acquaintance:
    """The bot of `spec` at `seat`, and what it believes of the person called `name`.

    Raises:
        InvalidSetup: no such name or bot can be.
        CorruptData: what was kept of the person cannot be read.
    """

    def __init__(self, name: str, spec: str, seat: Seat, words: Sequence[str]) -> None:
        check_remembers(name, spec)
        self.file = PartnerFile(name)
        known = self.file.read()
        panel = [*PANEL, *(mind for mind in (known.panel if known else ()) if _is_there(mind))]
        options = {**Spec.parse(spec).options, "memory": "1", "panel": "+".join(dict.fromkeys(panel))}
        bot = Embedding.from_options(options, words)
        if not isinstance(bot, Acquainted):
            raise InvalidSetup(f"{spec} gets to know nobody")
        self.bot = bot
        self._seat = seat
        if known is not None:
            self.bot.profile = known.beside(self.bot.panel.names)

    def greeting(self) -> Iterator[str]:
        """What is said before the game."""
        games = self.bot.profile.games
        if games:
            yield f"The bot knows {self.file.name} from {_games(games)}."
        else:
            yield f"The bot does not know {self.file.name} yet: it learns from this game on."

    def learn(self, state: State, history: tuple[Event, ...]) -> list[str]:
        """Keep what a game that ended in `state` has shown; returns what is said of it.

        The game it learned from last teaches nothing: it was left between that and its end, and gone on with.
        """
        view, key = observe(state, self._seat, history), state.setup.keys.side(self._seat.other)
        evidence, panel = read_evidence(view, key), self.bot.panel
        game = hashlib.sha256(json.dumps(view.to_json()).encode()).hexdigest()

        def learned(before: Profile | None) -> Profile:
            known = self.bot.profile if before is None else before.beside(panel.names)
            return known if known.last == game else replace(panel.learned(known, evidence, view.words), last=game)

        try:
            after = self.file.update(learned)
        except OSError as error:
            return [f"What the bot has learned of {self.file.name} cannot be kept ({error.strerror})."]
        except BrushpassError as error:
            return [f"What the bot has learned of {self.file.name} is not kept: {error}"]
        now = f"The bot knows {self.file.name} from {_games(after.games)} now"
        return [f"{now}; brushpass partner show {self.file} tells what it believes."]


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _is_there(mind: str) -> bool:
    try:
        load_mind(mind)
    except BrushpassError:
        return False
    return True
