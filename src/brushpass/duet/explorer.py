"""Turn the knobs and see what a bot would say: the mind and its temperature, what a miss costs, the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from brushpass.duet import plots
from brushpass.duet.agents.giver import MOST
from brushpass.duet.agents.options import DEFAULT_MIND
from brushpass.duet.agents.reading import Reading, read_clue
from brushpass.duet.agents.suggest import Table, suggest
from brushpass.duet.svg import draw
from brushpass.errors import InvalidSetup, MissingExtra
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.semantics.catalog import list_minds, load_mind

if TYPE_CHECKING:
    from ipywidgets import Widget

TOP: Final = 8
"""Clues shown."""
SIZE: Final = (9.6, 4.2)
"""Of the figure, in inches."""


def consider(
    table: Table, model: str = DEFAULT_MIND, temperature: float = 1.0, risk: float = 1.0, number: int = MOST
) -> list[Reading]:
    """The best clues on `table` for a partner of the mind `model`, taken apart.

    Args:
        table: the cards as the giver sees them.
        model: the partner's mind, by name or path.
        temperature: how unsure the partner is, in shares of the temperature fitted on people.
        risk: what a miss costs, in shares of what the embedding player counts for it.
        number: the highest that may be said.

    Raises:
        InvalidSetup: a temperature that is not above 0, a risk below 0, or a number that is not 1 to 4.
    """
    if not temperature > 0:
        raise InvalidSetup(f"temperature {temperature} is not above 0")
    if not risk >= 0:
        raise InvalidSetup(f"risk {risk} is below 0: a miss cannot be worth more than none")
    if not 1 <= number <= MOST:
        raise InvalidSetup(f"number {number} is not 1 to {MOST}")
    mind = load_mind(model)
    heat = temperature * mind.temperature
    feared = replace(table, stakes=table.stakes * np.array([[1], [risk], [risk]], np.float32))
    found = suggest(mind, load_vocabulary(), feared, TOP, temperature=heat, most=number)
    return [read_clue(mind, feared, one.word, one.number, temperature=heat) for one in found]


def explore(table: Table, models: Sequence[str] | None = None) -> Widget:
    """Sliders for all that `consider` takes, over the figure of what it gives; `models` are those to choose from.

    Raises:
        MissingExtra: ipywidgets is not installed.
    """
    try:
        import ipywidgets
    except ImportError as error:
        raise MissingExtra("sliders need the extra notebook: pip install 'brushpass[notebook]'") from error

    listed = models or [info.name for info in list_minds()]
    looks = {"style": {"description_width": "9em"}, "continuous_update": False}
    knobs = (
        ipywidgets.Dropdown(
            options=listed,
            value=DEFAULT_MIND if DEFAULT_MIND in listed else listed[0],
            description="partner's mind",
            style={"description_width": "9em"},
        ),
        ipywidgets.FloatSlider(1.0, min=0.2, max=3.0, step=0.1, description="temperature", **looks),
        ipywidgets.FloatSlider(1.0, min=0.0, max=3.0, step=0.25, description="cost of a miss", **looks),
        ipywidgets.IntSlider(MOST, min=1, max=MOST, description="number at most", **looks),
    )
    picture = ipywidgets.HTML()

    def show(_: object = None) -> None:
        readings = consider(table, *(knob.value for knob in knobs))
        about = f"Best clues: {', '.join(map(str, readings))}"
        picture.value = draw(partial(plots.touches, readings), size=SIZE, name="explorer", about=about)

    for knob in knobs:
        knob.observe(show, "value")
    show()
    return ipywidgets.VBox([*knobs, picture])
