"""`brushpass clue`: clue suggestions for a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns, listed, shortened

if TYPE_CHECKING:
    from brushpass.duet.agents.suggest import Suggestion, Table


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
    why: Annotated[bool, typer.Option("--why", help="Show how near each target is.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Suggest clues, with targets, risk and expected hits."""
    from brushpass.duet.agents.options import DEFAULT_MIND
    from brushpass.duet.agents.suggest import suggest, unknown_cards
    from brushpass.lexicon.vocabulary import DEFAULT, load_vocabulary
    from brushpass.semantics.catalog import load_mind

    out = Output(json, quiet, verbose)
    table = _table(green, black, tan, board)
    mind = load_mind(model or DEFAULT_MIND)
    found = suggest(mind, load_vocabulary(clues or DEFAULT), table, top)
    unknown = unknown_cards(mind, table)
    if json:
        out.document({"schema": 1, "clues": [_to_json(one, why=why) for one in found], "unknown": list(unknown)})
    else:
        out.lines(_lines(found, why=why))
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


def _to_json(one: Suggestion, *, why: bool) -> dict[str, Any]:
    data = {
        "word": one.word,
        "number": one.number,
        "targets": list(one.targets),
        "expected_hits": round(one.expected_hits, 4),
        "assassin_risk": round(one.assassin_risk, 6),
        "score": round(one.score, 4),
    }
    if why:
        data["cosines"] = [round(cosine, 4) for cosine in one.cosines]
    return data


def _lines(found: Sequence[Suggestion], *, why: bool) -> list[str]:
    rows = (
        (
            f"{one.word} {one.number}",
            f"{one.expected_hits:.2f}",
            f"{one.assassin_risk:.1%}",
            f"{one.score:.2f}",
            ", ".join(
                f"{target} ({cosine:.2f})" if why else target
                for target, cosine in zip(one.targets, one.cosines, strict=True)
            ),
        )
        for one in found
    )
    return columns(("clue", "hits", "assassin", "score", "targets"), rows)
