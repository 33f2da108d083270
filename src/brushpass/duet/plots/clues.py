"""Figures of clues on a table: which cards each points at, what that is worth, and what speaks for it.

They take `agents.reading.Reading`s of one table. A card's color to the giver shows by its symbol and by its hue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from brushpass.duet.agents.reading import Reading
from brushpass.duet.core.cards import Color
from brushpass.duet.plots.style import COLORS, finish, marker_of, new_axes, short
from brushpass.duet.render import NAMES, Symbols

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HUES: Final = {Color.GREEN: COLORS[2], Color.TAN: COLORS[5], Color.BLACK: COLORS[1]}
SYMBOLS: Final = Symbols()
SERIES: Final = (COLORS[0], COLORS[4], COLORS[3], COLORS[5])
"""Of clues, minds and reasons: none that a card's color has, but for the last."""
LEAST: Final = 0.01
"""Chances below this are left blank."""


def touches(readings: Sequence[Reading], ax: Axes | None = None) -> Axes:
    """A row a clue, a column a card: the chance, %, that the partner touches the card in that turn.

    Over a row the agents add up to the hits to expect, and the assassins to the risk. Cards stand by color, those that
    most is made of first.
    """
    import numpy as np
    from matplotlib.colors import to_rgba

    first, rows = readings[0], len(readings)
    grid = np.array([reading.chances for reading in readings])
    columns = sorted(
        range(len(first.cards)), key=lambda card: (list(HUES).index(first.colors[card]), -grid[:, card].sum())
    )
    grid = grid[:, columns]
    cells = np.array([[to_rgba(HUES[first.colors[card]]) for card in columns]] * rows)
    cells[:, :, 3] = np.where(grid < LEAST, 0, 0.08 + 0.92 * grid)
    ax = ax or new_axes(2.6 + 0.29 * len(columns), 1.7 + 0.3 * rows)
    ax.pcolormesh(cells, edgecolors="none", linewidth=0)
    for (row, column), chance in np.ndenumerate(grid):
        if chance >= LEAST:
            text = ax.text(column + 0.5, row + 0.5, f"{100 * chance:.0f}", ha="center", va="center", fontsize="small")
            if chance > 0.5:
                text.set_color("white")
    for row, (hits, risk) in enumerate(
        [("hits", "risk"), *((f"{one.hits:.2f}", f"{one.risk:.0%}") for one in readings)]
    ):
        ax.text(len(columns) + 1.9, row - 0.5, hits, ha="right", va="center")
        ax.text(len(columns) + 3.7, row - 0.5, risk, ha="right", va="center")
    ax.set_yticks([row + 0.5 for row in range(rows)], [str(reading) for reading in readings])
    ax.set_xticks([column + 0.5 for column in range(len(columns))])
    ax.set_xticklabels([_name(first, card) for card in columns], rotation=90)
    for label, card in zip(ax.get_xticklabels(), columns, strict=True):
        label.set_color(HUES[first.colors[card]])
    ax.set_ylim(rows, 0)
    ax.set_xlabel(",  ".join(f"{SYMBOLS.of(color)} {NAMES[color]}" for color in HUES))
    finish(ax, f"Chance that a partner of mind {short(first.mind, 30)} touches a card, %", grid=False)
    ax.spines["bottom"].set_visible(False)
    return ax


def worth(readings: Sequence[Reading], ax: Axes | None = None, *, most: int = 12) -> Axes:
    """What each card adds to a clue's value or takes from it, in agents: the cards that matter most, up to `most`.

    The bars of one clue add up to its value, given in the legend, but for the cards left out.
    """
    cards = _leading(readings, most, touched=0.25)
    ax = ax or new_axes(6.4, 1.5 + (0.1 + 0.14 * len(readings)) * len(cards) + 0.2 * len(readings))
    height = 0.8 / len(readings)
    for place, reading in enumerate(readings):
        ax.barh(
            [row - 0.4 + (place + 0.5) * height for row in range(len(cards))],
            [reading.worth[card] for card in cards],
            height * 0.9,
            color=SERIES[place % 4],
            label=f"{reading}: worth {reading.value:.2f}",
        )
    _cards(ax, readings[0], cards)
    ax.axvline(0, linewidth=0.8, color=ax.spines["bottom"].get_edgecolor())
    ax.set_xlabel("chance to be touched \N{MULTIPLICATION SIGN} what the touch is worth, in agents")
    finish(ax, "What each card is worth to a clue", legend=True)
    return ax


def pulls(reading: Reading, ax: Axes | None = None, *, most: int = 12) -> Axes:
    """What draws the partner to each card, by kind, for the `most` cards of strongest pull; the number is their sum."""
    cards = reading.order[:most]
    ax = ax or new_axes(6.4, 1.5 + 0.26 * len(cards) + 0.2 * len(reading.pulls))
    for sign in (1, -1):
        starts = [0.0] * len(cards)
        for place, (name, pull) in enumerate(reading.pulls.items()):
            widths = [max(sign * pull[card], 0) * sign for card in cards]
            ax.barh(
                range(len(cards)),
                widths,
                0.66,
                left=starts,
                color=SERIES[place % 4],
                label=name if sign > 0 else None,
            )
            starts = [start + width for start, width in zip(starts, widths, strict=True)]
        if sign > 0:
            for row, (card, end) in enumerate(zip(cards, starts, strict=True)):
                ax.annotate(
                    f"{reading.pull[card]:.1f}",
                    (end, row),
                    (4, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize="small",
                )
    _cards(ax, reading, cards)
    ax.axvline(0, linewidth=0.8, color=ax.spines["bottom"].get_edgecolor())
    ax.margins(x=0.08)
    ax.set_xlabel("pull (one more: 2.7 times as likely to be touched)")
    finish(ax, f"What in the clue {reading.word} speaks for each card", legend=True)
    return ax


def minds(readings: Sequence[Reading], ax: Axes | None = None, *, most: int = 12) -> Axes:
    """One clue in several minds: the chance that a partner of each touches the card, for the cards that matter most.

    Bystanders are among them where they are likely to end the turn.
    """
    cards = _leading(readings, most)
    ax = ax or new_axes(6.4, 1.5 + 0.28 * len(cards) + 0.2 * len(readings))
    for row, card in enumerate(cards):
        ends = [100 * reading.chances[card] for reading in readings]
        ax.plot([min(ends), max(ends)], [row, row], linewidth=1, color=ax.spines["bottom"].get_edgecolor(), alpha=0.4)
    for place, reading in enumerate(readings):
        ax.plot(
            [100 * reading.chances[card] for card in cards],
            range(len(cards)),
            linestyle="none",
            marker=marker_of(place),
            markersize=7,
            color=SERIES[place % 4],
            clip_on=False,
            label=f"{short(reading.mind, 30)}: {reading.hits:.2f} hits, "
            f"bystander {reading.stray:.0%}, assassin {reading.risk:.0%}",
        )
    _cards(ax, readings[0], cards)
    ax.set_xlim(-2, 102)
    ax.set_xlabel("chance that the partner touches the card, %")
    finish(ax, f"The clue {readings[0]} in {len(readings)} minds", legend=True)
    return ax


def best_numbers(said: Mapping[float, Sequence[int]], ax: Axes | None = None) -> Axes:
    """Which number is best for how sure a partner: the shares of the numbers in `said`, by the partner's temperature.

    Temperatures are in shares of the one fitted on people, where the dotted line is.
    """
    from matplotlib import colormaps

    ax = ax or new_axes(6.4, 3.4)
    heats = sorted(said)
    every = sorted({number for numbers in said.values() for number in numbers})
    low = [0.0] * len(heats)
    for place, number in enumerate(every):
        high = [
            start + 100 * sum(one == number for one in said[heat]) / len(said[heat])
            for heat, start in zip(heats, low, strict=True)
        ]
        shade = colormaps["cividis"](0.15 + 0.75 * place / max(1, len(every) - 1))
        ax.fill_between(heats, low, high, color=shade, linewidth=0, label=f"{number} is best")
        low = high
    ax.set(xlim=(heats[0], heats[-1]), ylim=(0, 100), ylabel="boards, %")
    ax.axvline(1, linewidth=1, linestyle=":", color="white")
    ax.set_xlabel("temperature of the partner's choice (1: as people; more: less sure)")
    finish(ax, "The number of the best clue", grid=False, legend=True, across=len(every))
    return ax


# ------------------------------------------------------------------ parts


def _leading(readings: Sequence[Reading], most: int, *, touched: float = 1.0) -> list[int]:
    """The places of the cards that matter most in any of the readings, the first one's best first.

    What matters is what a card is worth, and `touched` times the chance that it is touched.
    """
    weight = [
        max(max(abs(reading.worth[card]), touched * reading.chances[card]) for reading in readings)
        for card in range(len(readings[0].cards))
    ]
    chosen = sorted(range(len(weight)), key=lambda card: -weight[card])[:most]
    return sorted(chosen, key=lambda card: -readings[0].chances[card])


def _cards(ax: Axes, reading: Reading, cards: Sequence[int]) -> None:
    """Cards as the rows of a figure, the first above."""
    ax.set_yticks(range(len(cards)), [_name(reading, card) for card in cards])
    for label, card in zip(ax.get_yticklabels(), cards, strict=True):
        label.set_color(HUES[reading.colors[card]])
    ax.set_ylim(len(cards) - 0.5, -0.5)


def _name(reading: Reading, card: int) -> str:
    return f"{short(reading.cards[card], 24)} {SYMBOLS.of(reading.colors[card])}"
