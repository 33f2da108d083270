"""How a notebook shows our objects, after `%load_ext brushpass`: boards, clues, reasons, games and reports as HTML.

Letters and lines take the color of the page, so that light and dark pages both do; colors of cards show by symbol too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, Protocol

from brushpass.duet.agents.reading import Reading
from brushpass.duet.agents.suggest import Suggestion
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import CARD_COUNT, Color, Seat
from brushpass.duet.core.state import Setup
from brushpass.duet.markup import Column, decimal, percent, span, text
from brushpass.duet.observation import Observation
from brushpass.duet.plots.clues import HUES, SYMBOLS
from brushpass.duet.record import GameRecord
from brushpass.duet.render import NAMES, mark, result_line
from brushpass.duet.results import Report
from brushpass.duet.runfolder import Run
from brushpass.duet.story import Chapter, tell
from brushpass.errors import CorruptData
from brushpass.semantics.explain import Because


class Shell(Protocol):
    """What is needed of an IPython shell."""

    display_formatter: Any


def load_ipython_extension(shell: Shell) -> None:
    """`%load_ext brushpass`: from now on this notebook shows boards, clues, reasons, games and reports as HTML."""
    html = shell.display_formatter.formatters["text/html"]
    for kind, show in SHOWN.items():
        html.for_type(kind, show)


# ------------------------------------------------------------------ boards


def board(shown: Board) -> str:
    """The words, five a row."""
    return _whole(_grid(_card(text(word)) for word in shown.words))


def setup(shown: Setup) -> str:
    """The words with both sides of the key: A's color before a word and at its left, B's after it and at its right."""
    cards = (
        _card(f"{_symbol(a)} {text(word)} {_symbol(b)}", a, b)
        for word, a, b in zip(shown.board.words, *(_colors(shown, seat) for seat in Seat), strict=True)
    )
    about = f"{shown.mission} tokens. Left of a word its color to A, right of it to B: {_legend()}."
    return _whole(_grid(cards), f'<p class="quiet">{about}</p>')


def view(shown: Observation) -> str:
    """The words with the own side of the key, and what became of each card."""
    cards = []
    for card, word in enumerate(shown.words):
        color, found = shown.key.color(card), bool(shown.covered >> card & 1)
        happened = mark(shown, card, "partner")
        below = f"<small>{text(happened)}</small>" if happened else ""
        symbol = SYMBOLS.found if found else _symbol(color)
        cards.append(_card(f"{symbol} {text(word)}{below}", color, done=bool(shown.dead >> card & 1)))
    about = f"What {shown.seat} sees, with {shown.bank} tokens left: {_legend()}, {SYMBOLS.found} found."
    return _whole(_grid(cards), f'<p class="quiet">{about}</p>')


def _colors(shown: Setup, seat: Seat) -> list[Color]:
    side = shown.keys.side(seat)
    return [side.color(card) for card in range(CARD_COUNT)]


def _grid(cards: Iterable[str]) -> str:
    return f'<div class="board">{"".join(cards)}</div>'


def _card(inside: str, left: Color | None = None, right: Color | None = None, *, done: bool = False) -> str:
    sides = "".join(
        f"border-{side}: 5px solid {HUES[color]};"
        for side, color in (("left", left), ("right", right))
        if color is not None
    )
    return f'<div class="card{" done" if done else ""}" style="{sides}">{inside}</div>'


def _symbol(color: Color) -> str:
    return f'<b style="color: {HUES[color]}">{SYMBOLS.of(color)}</b>'


def _legend() -> str:
    return ", ".join(f"{_symbol(color)} {name}" for color, name in NAMES.items())


# ------------------------------------------------------------------ clues


def clues(shown: Sequence[Suggestion]) -> str:
    """Clue suggestions, best first: what each is for, what it will bring, and what it risks."""
    columns = [Column("clue", "line"), Column("for", ""), Column("hits"), Column("all found, %"), Column("assassin, %")]
    columns.append(Column("score"))
    rows = [
        (
            f"<b>{text(one.word)}</b> {one.number}",
            ", ".join(f'<span class="chip">{_symbol(Color.GREEN)} {text(target)}</span>' for target in one.targets),
            *(f"{one.expected_hits:.2f}", percent(one.success), percent(one.assassin_risk), f"{one.score:.2f}"),
        )
        for one in shown
    ]
    about = "Hits: agents the partner is expected to find. Score: what the clue is worth, in agents."
    return _whole(_table(columns, rows), f'<p class="quiet">{about}</p>')


def reading(shown: Reading) -> str:
    """A clue in a paragraph: what it is for, and what it brings and risks."""
    if not shown.understood:
        about = (
            f"The mind <b>{text(shown.mind)}</b> makes nothing of <b>{text(shown.word)}</b>: all cards are alike to it."
        )
        return _whole(f"<p>{about}</p>")
    targets = ", ".join(f"<b>{text(card)}</b>" for card in shown.targets)
    told = (
        f"<b>{text(shown.word)} {shown.number}</b> is for {targets}. A partner who thinks as <b>{text(shown.mind)}</b> "
        f"does finds {shown.hits:.2f} of {shown.number} on average, and touches an assassin {100 * shown.risk:.1f} "
        f"times in 100."
    )
    if shown.danger is not None:
        told += (
            f" The likeliest mistake is <b>{text(shown.danger)}</b>. The margin is {times(shown.margin)}: so much "
            f"likelier is <b>{text(shown.targets[-1])}</b>, the weakest target, to be touched."
        )
    return _whole(f"<p>{told}</p>")


def readings(shown: Sequence[Reading]) -> str:
    """Clues taken apart: what each is for, what it brings, and how far its targets stand above any wrong card."""
    columns = [Column("clue", "line"), Column("for", ""), Column("hits"), Column("likeliest mistake", "")]
    columns += [Column("margin"), Column("assassin, %"), Column("worth")]
    rows = [
        (
            f"<b>{text(one.word)}</b> {one.number}",
            ", ".join(f'<span class="chip">{_symbol(Color.GREEN)} {text(target)}</span>' for target in one.targets),
            f"{one.hits:.2f}",
            "" if one.danger is None else f"{_symbol(one.colors[one.cards.index(one.danger)])} {text(one.danger)}",
            *(times(one.margin), percent(one.risk), f"{one.value:.2f}"),
        )
        for one in shown
    ]
    about = (
        "Hits: agents the partner is expected to find. Margin: how many times likelier the weakest target is to be "
        "touched than the likeliest mistake; below 1 the mistake is likelier. Worth: what all touches of the turn are "
        "worth to the game, in agents."
    )
    return _whole(_table(columns, rows), f'<p class="quiet">{about}</p>')


def times(factor: float) -> str:
    """How many times, to two digits."""
    return "" if factor == float("inf") else f"{factor:.{1 if factor < 10 else 0}f} times"


def reasons(shown: Sequence[Because]) -> str:
    """Why a clue goes with cards, a row a card."""
    columns = [Column("clue", ""), Column("card", ""), Column("because", "")]
    return _whole(_table(columns, [(text(one.clue), f"<b>{text(one.card)}</b>", text(one.told)) for one in shown]))


def _listed(shown: list[Any]) -> str | None:
    """A list of suggestions, of readings or of reasons; any other is left to others."""
    for kind, show in ((Suggestion, clues), (Reading, readings), (Because, reasons)):
        if shown and all(isinstance(one, kind) for one in shown):
            return show(shown)
    return None


# ------------------------------------------------------------------ games


def game(shown: GameRecord) -> str:
    """A game turn by turn: the chance of winning before each, what was said and meant, and what was touched."""
    try:
        story = tell(shown)
    except CorruptData as error:
        return _whole(f"<p>{text(shown.id)}: {text(error)}</p>")
    words = shown.setup.board.words
    agents = f"; A is {_spec(shown.agents[0])}, B is {_spec(shown.agents[1])}" if shown.agents else ""
    where = f"{text(shown.city or 'A table')}, {shown.setup.mission} tokens{agents}."
    ended = text(result_line(shown.outcome, shown.reason, story.score))
    columns = [Column(""), Column("clue", "line"), Column("meant", ""), Column("touched", ""), Column("found")]
    columns += [Column("tokens"), Column("to win", "line")]
    rows = [
        (
            str(chapter.number),
            _said(chapter),
            ", ".join(text(words[card]) for card in chapter.targets),
            ", ".join(_touches(chapter, words)),
            *(str(chapter.found), str(chapter.bank)),
            f'<span class="bar"><span style="width: {chapter.after:.0%}"></span></span> {100 * chapter.after:.0f} %',
        )
        for chapter in story.chapters
    ]
    decided = f" Turn {story.decisive.number} decided it." if story.decisive else ""
    about = f"Found, tokens and chance to win: after the turn. {_legend()}."
    return _whole(f"<p><b>{ended}</b>{decided} {where}</p>", _table(columns, rows), f'<p class="quiet">{about}</p>')


def _said(chapter: Chapter) -> str:
    if chapter.clue is None:
        return "sudden death"
    return f"{chapter.clue.seat} <b>{text(chapter.clue.word)}</b> {chapter.clue.number}"


def _touches(chapter: Chapter, words: Sequence[str]) -> Iterator[str]:
    for touch in chapter.touches:
        by = f"{touch.seat} " if chapter.clue is None else ""
        yield f'<span class="chip">{by}{_symbol(touch.color)} {text(words[touch.card])}</span>'
    if chapter.stopped:
        yield "stop"


# ------------------------------------------------------------------ runs


def report(shown: Report | Run) -> str:
    """The pairs of a run, with their intervals."""
    document = shown.to_json()
    columns = [Column("pair"), Column("seat A", ""), Column("seat B", ""), Column("games"), Column("won, %")]
    columns += [Column("95 %"), Column("agents found"), Column("95 %"), Column("assassin, %"), Column("", "")]
    rows = [
        (
            *(str(number), _spec(pair["a"]), _spec(pair["b"]), f"{pair['games']:,}", percent(pair["win_rate"])),
            *(span(pair["low"], pair["high"], 1, 100), decimal(pair["mean_found"])),
            *(span(pair["found_low"], pair["found_high"]), percent(pair["assassin_rate"])),
            "same mind" if pair["mirror"] else "",
        )
        for number, pair in enumerate(document["pairs"], 1)
    ]
    about = f"Seed {document['seed']}; agents found are of 15, the mean of a game. Every pair plays the same deals."
    return _whole(_table(columns, rows), f'<p class="quiet">{about}</p>')


# ------------------------------------------------------------------ parts


def _spec(agent: str) -> str:
    """A spec that may be broken before its options."""
    return text(agent).replace(":", ":<wbr>").replace(",", ",<wbr>").replace("/", "/<wbr>")


def _table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f'<th scope="col" class="{column.kind}">{text(column.head)}</th>' for column in columns)
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{column.kind}">{cell}</td>' for column, cell in zip(columns, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _whole(*parts: str) -> str:
    return f'<div class="brushpass"><style>{_style()}</style>{"".join(parts)}</div>'


@cache
def _style() -> str:
    return resources.files("brushpass.duet").joinpath("display.css").read_text(encoding="utf-8")


SHOWN: Final[dict[type, Callable[[Any], str | None]]] = {
    Board: board,
    Setup: setup,
    Observation: view,
    Suggestion: lambda one: clues([one]),
    Reading: reading,
    Because: lambda one: reasons([one]),
    list: _listed,
    GameRecord: game,
    Report: report,
    Run: report,
}
"""What is shown, and how."""
