"""The parts of a page: text, tables and figures as HTML, with all that comes from outside escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

DASH: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"


class Column(NamedTuple):
    """The head of a column; `kind` is the class of its cells: empty, `number`, `name` or `spec`."""

    head: str
    kind: str = "number"


def text(value: object) -> str:
    """A value as text of a page, line by line; what cannot be printed is replaced."""
    shown = (
        "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
        for line in str(value).split("\n")
    )
    return "<br>".join(map(escape, shown))


def table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[object]], *, whole: bool = False) -> str:
    """A table whose first column names the rows; `whole` sets the last row apart."""
    lines = [*rows]
    head = "".join(f'<th scope="col" class="{column.kind}">{text(column.head)}</th>' for column in columns)
    body = "\n".join(
        f"<tr{' class=whole' if whole and place == len(lines) - 1 else ''}>{_cells(columns, row)}</tr>"
        for place, row in enumerate(lines)
    )
    return (
        f'<div class="wide table" role="region" aria-label="{text(caption)}" tabindex="0">\n<table>\n'
        f"<caption><span>{text(caption)}</span></caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"
    )


def _cells(columns: Sequence[Column], row: Sequence[object]) -> str:
    first, *rest = ((column.kind, _cell(column.kind, cell)) for column, cell in zip(columns, row, strict=True))
    name = f'<th scope="row" class="{first[0]}">{first[1]}</th>'
    return name + "".join(f'<td class="{kind}">{cell}</td>' for kind, cell in rest)


def _cell(kind: str, value: object) -> str:
    """A cell's text; a spec may be broken before its options."""
    shown = text(value)
    return shown.replace(":", ":<wbr>").replace(",", ",<wbr>") if kind == "spec" else shown


def figure(svg: str, caption: str) -> str:
    """A figure, an `<svg>` element, over its caption."""
    return f'<figure>\n<div class="wide">{svg}</div>\n<figcaption>{text(caption)}</figcaption>\n</figure>'


def percent(rate: float, digits: int = 1) -> str:
    """A share in percent, without the sign."""
    return f"{100 * rate:.{digits}f}"


def span(low: float | None, high: float | None, digits: int = 2, scale: float = 1) -> str:
    """The ends of an interval; nothing where it is not known."""
    if low is None or high is None:
        return ""
    return f"{scale * low:.{digits}f} {DASH} {scale * high:.{digits}f}"


def decimal(value: float | None) -> str:
    """A number to two digits, or nothing."""
    return "" if value is None else f"{value:.2f}"


def signed(value: float, digits: int) -> str:
    """A difference with its sign."""
    return f"{value:+.{digits}f}".replace("-", MINUS)
