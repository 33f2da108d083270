"""The story of a game in words: plain lines, a turn a line, and a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from brushpass.duet.core.cards import AGENTS, BySeat, Card, Color
from brushpass.duet.core.events import CardTouched
from brushpass.duet.render import NAMES, STYLES, Symbols, result_line
from brushpass.duet.story import Chapter, Story

if TYPE_CHECKING:
    from rich.console import RenderableType

TABLE_NAMES: Final = BySeat("A", "B")
"""What the sides are called where nobody is "you"."""
ABOUT: Final = "Turn by turn, with the chance of winning before it, by the tokens and agents left:"
BAR: Final = 8
"""Cells of a full bar."""


def story_lines(story: Story, names: BySeat[str] = TABLE_NAMES) -> list[str]:
    """The story as plain lines: a line a turn, the turn that decided, how it ended, and the score in its parts.

    `names` are those of the two seats within a sentence, such as `you` and `the bot`.
    """
    words = story.record.setup.board.words
    return [
        ABOUT,
        *(_chapter_line(chapter, words, names) for chapter in story.chapters),
        *end_lines(story, names),
    ]


def end_lines(story: Story, names: BySeat[str] = TABLE_NAMES) -> Iterator[str]:
    """How the game ended, where the score comes from, and the turn that decided."""
    record, found = story.record, story.end.covered.bit_count()
    yield result_line(record.outcome, record.reason, story.score)
    if found < AGENTS:
        yield f"{found} of {AGENTS} agents were found."
    if story.score is not None:
        yield _score_line(story)
    if chapter := story.decisive:
        happened = "; ".join(_deeds(chapter, record.setup.board.words, names)) or "its clue cost a token"
        moved = f"from {percent(chapter.before)} to {percent(chapter.after)}"
        yield f"{_called(chapter)} decided it, {moved}: {happened}."


def story_table(story: Story, names: BySeat[str], symbols: Symbols) -> RenderableType:
    """The turns as a table: the chance before each with a bar, the clue, what it meant, what was touched."""
    from rich.table import Table
    from rich.text import Text

    words = story.record.setup.board.words
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(justify="right")
    table.add_column("to win", no_wrap=True)
    for head in ("clue", "meant", "touched"):
        table.add_column(head)
    for chapter in story.chapters:
        touched = Text(", ").join(
            Text.assemble((symbols.of(touch.color), STYLES[touch.color]), words[touch.card])
            for touch in chapter.touches
        )
        table.add_row(
            f"{'>' if chapter is story.decisive else ''}{chapter.number}",
            f"{percent(chapter.before):>5} {bar(chapter.before, symbols)}",
            _said(chapter, names) if chapter.clue else "sudden death",
            _listed(chapter.targets, words),
            touched,
            style="bold" if chapter is story.decisive else "",
        )
    return table


def percent(chance: float) -> str:
    """A chance to be read: whole percents, and never 0 % or 100 % of what is still open."""
    if 0 < chance < 0.01:
        return "<1 %"
    if 0.99 < chance < 1:
        return ">99 %"
    return f"{100 * chance:.0f} %"


def bar(chance: float, symbols: Symbols) -> str:
    """The chance as a bar of `BAR` cells."""
    cells = round(BAR * chance)
    full, empty = ("#", ".") if symbols.found.isascii() else ("━", "┈")
    return full * cells + empty * (BAR - cells)


def _chapter_line(chapter: Chapter, words: Sequence[str], names: BySeat[str]) -> str:
    told = _deeds(chapter, words, names)
    if chapter.clue is not None:
        meant = f" for {_listed(chapter.targets, words)}" if chapter.targets else ""
        told = [f"{names.of(chapter.clue.seat)} said {_clue(chapter)}{meant}", *told]
    else:
        told = ["sudden death", *told]
    return f"{chapter.number}. {percent(chapter.before)}: {'; '.join(told)}."


def _deeds(chapter: Chapter, words: Sequence[str], names: BySeat[str]) -> list[str]:
    """Who found what and missed on what, a piece for each run of touches by one side."""
    told: list[str] = []
    runs: list[list[CardTouched]] = []
    for touch in chapter.touches:
        if runs and runs[-1][0].seat is touch.seat:
            runs[-1].append(touch)
        else:
            runs.append([touch])
    for run in runs:
        who = names.of(run[0].seat)
        hits = [touch.card for touch in run if touch.color is Color.GREEN]
        missed = [
            f"touched {words[touch.card]}, {_a(NAMES[touch.color])}" for touch in run if touch.color is not Color.GREEN
        ]
        did = [*([f"found {_listed(hits, words)}"] if hits else []), *missed]
        told.append(f"{who} {' and '.join(did)}")
    if chapter.stopped:
        told[-1:] = [f"{told[-1]} and stopped" if told else "stopped"]
    return told


def _called(chapter: Chapter) -> str:
    return "Sudden death" if chapter.clue is None else f"Turn {chapter.number}"


def _said(chapter: Chapter, names: BySeat[str]) -> str:
    return f"{names.of(chapter.clue.seat).removeprefix('the ')} {_clue(chapter)}" if chapter.clue else ""


def _clue(chapter: Chapter) -> str:
    return f"{chapter.clue.word.upper()} {chapter.clue.number}" if chapter.clue else ""


def _listed(cards: Sequence[Card], words: Sequence[str]) -> str:
    return ", ".join(words[card] for card in cards)


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _score_line(story: Story) -> str:
    bank, checks = story.end.bank, sum(story.end.checks)
    late = ", less 1 for sudden death" if story.end.sudden else ""
    tokens = "the 1 token left" if bank == 1 else f"each of {bank} tokens left"
    return f"The score: 3 for {tokens}, 1 for each of {checks} turns without a bystander{late}."
