"""`brushpass clue`: clue suggestions for a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns, listed, shortened

if TYPE_CHECKING:
    from brushpass.duet.agents.suggest import Suggestion, Table
    from brushpass.semantics.explain import Because

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def clue(
    green: Annotated[list[str] | None, typer.Option(metavar="W,W", help="Your partner must find these.")] = None,
    black: Annotated[list[str] | None, typer.Option(metavar="W,W", help="Assassins.")] = None,
    tan: Annotated[list[str] | None, typer.Option(metavar="W,W", help="Bystanders.")] = None,
    board: Annotated[
        Path | None, typer.Option(metavar="FILE", help='JSON {"words":[25],"key":"GTB…"}, or a whole view.')
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="M", help="The mind of your partner: a name or a vector file.")
    ] = None,
    clues: Annotated[
        str | None, typer.Option(metavar="LIST", help="The words that may be said: a name or a file.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="How many.")] = 5,
    why: Annotated[bool, typer.Option("--why", help="Say why each target goes with the clue.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Suggest clues, with targets, risk and expected hits."""
    from brushpass.duet.agents.options import DEFAULT_MIND
    from brushpass.duet.agents.suggest import suggest, unknown_cards
    from brushpass.lexicon.vocabulary import DEFAULT, load_vocabulary
    from brushpass.semantics.catalog import load_mind
    from brushpass.semantics.explain import because

    out = Output(json, quiet, verbose)
    table = _table(green, black, tan, board)
    mind = load_mind(model or DEFAULT_MIND)
    found = suggest(mind, load_vocabulary(clues or DEFAULT), table, top)
    unknown = unknown_cards(mind, table)
    reasons = [[because(mind, one.word, target) for target in one.targets if why] for one in found]
    if json:
        told = [_to_json(one, why) for one, why in zip(found, reasons, strict=True)]
        out.document({"schema": 1, "clues": told, "unknown": list(unknown)})
    else:
        out.lines(_lines(found, reasons))
    if unknown:
        out.note(f"model {mind.name} does not know {shortened(unknown)}: never a target")
    out.detail(f"model {mind.name} {mind.sha256[:12]}, temperature {mind.temperature}")


def _table(
    green: Sequence[str] | None, black: Sequence[str] | None, tan: Sequence[str] | None, board: Path | None
) -> Table:
    from brushpass.duet.agents.suggest import Table
    from brushpass.duet.core.cards import Color
    from brushpass.duet.viewfile import load_view
    from brushpass.errors import InvalidSetup

    if board is not None:
        if green or black or tan:
            raise InvalidSetup("--board is given beside --green, --black or --tan; give one or the other")
        return Table.of_view(load_view(board))
    cards = {Color.GREEN: listed(green), Color.BLACK: listed(black), Color.TAN: listed(tan)}
    return Table.of_cards([(word, color) for color, words in cards.items() for word in words])


def _to_json(one: Suggestion, reasons: Sequence[Because]) -> dict[str, Any]:
    data = {
        "word": one.word,
        "number": one.number,
        "targets": list(one.targets),
        "expected_hits": round(one.expected_hits, 4),
        "assassin_risk": round(one.assassin_risk, 6),
        "score": round(one.score, 4),
    }
    if reasons:
        data["cosines"] = [round(cosine, 4) for cosine in one.cosines]
        data["reasons"] = [reason.told for reason in reasons]
    return data


def _lines(found: Sequence[Suggestion], reasons: Sequence[Sequence[Because]]) -> Iterator[str]:
    """A head, and for each clue its row and a line a reason."""
    rows = (
        (
            f"{one.word} {one.number}",
            f"{one.expected_hits:.2f}",
            f"{one.assassin_risk:.1%}",
            f"{one.score:.2f}",
            ", ".join(one.targets),
        )
        for one in found
    )
    head, *rest = columns(("clue", "hits", "assassin", "score", "targets"), rows)
    yield head
    for row, why in zip(rest, reasons, strict=True):
        yield row
        yield from (f"  {reason}" for reason in why)
