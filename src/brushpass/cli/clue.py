"""`brushpass clue`: clue suggestions for a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns, listed, shortened

if TYPE_CHECKING:
    from brushpass.duet.agents.suggest import Suggestion
    from brushpass.duet.core.cards import Color
    from brushpass.duet.observation import Observation
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
    seed: Annotated[int | None, typer.Option(metavar="S", help="Deal a board instead, as `play` would.")] = None,
    words: Annotated[
        str | None, typer.Option(metavar="LIST", help="The card words dealt with --seed; english.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="M", help="The mind of your partner: a name or a vector file.")
    ] = None,
    clues: Annotated[
        str | None, typer.Option(metavar="LIST", help="The words that may be said: easy, normal, rich, or a file.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="How many.")] = 5,
    why: Annotated[bool, typer.Option("--why", help="Say why each target goes with the clue.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Suggest clues, with targets, risk and expected hits."""
    from brushpass.duet.agents.options import DEFAULT_MIND
    from brushpass.duet.agents.suggest import Table, suggest, unknown_cards
    from brushpass.errors import InvalidSetup
    from brushpass.lexicon.vocabulary import DEFAULT, load_vocabulary
    from brushpass.semantics.catalog import load_mind
    from brushpass.semantics.explain import because

    out = Output(json, quiet, verbose)
    view = _view(board, seed, words, other=bool(green or black or tan))
    if view is None and not listed(green):
        raise InvalidSetup("there is no green card to give a clue for: name some with --green")
    table = Table.of_view(view) if view is not None else Table.of_cards(_cards(green, black, tan))
    mind = load_mind(model or DEFAULT_MIND)
    found = suggest(mind, load_vocabulary(clues or DEFAULT), table, top)
    unknown = unknown_cards(mind, table)
    reasons = [[because(mind, one.word, target) for target in one.targets if why] for one in found]
    if json:
        told = [_to_json(one, why) for one, why in zip(found, reasons, strict=True)]
        dealt = {} if view is None else {"board": {"words": list(view.words), "key": str(view.key)}}
        out.document({"schema": 1, "clues": told, "unknown": list(unknown)} | dealt)
    else:
        if view is not None and seed is not None:
            out.lines(_dealt(view))
        out.lines(_lines(found, reasons))
    if unknown:
        out.note(f"model {mind.name} does not know {shortened(unknown)}: never a target")
    out.detail(f"model {mind.name} {mind.sha256[:12]}, temperature {mind.temperature}")


def _view(board: Path | None, seed: int | None, words: str | None, *, other: bool) -> Observation | None:
    """The board of the file, or the one dealt as its first giver sees it; None if neither is asked for."""
    from brushpass.duet.core.cards import A
    from brushpass.duet.core.deal import deal
    from brushpass.duet.core.rules import new_game
    from brushpass.duet.observe import observe
    from brushpass.duet.viewfile import load_view
    from brushpass.errors import InvalidSetup
    from brushpass.lexicon.wordlists import DEFAULT, load_wordlist

    if other + (board is not None) + (seed is not None) > 1:
        raise InvalidSetup(
            "--board and --seed each name a whole board; give one of them, or --green, --black and --tan"
        )
    if words is not None and seed is None:
        raise InvalidSetup(f"--words {words} is for boards that are dealt; give --seed too")
    if board is not None:
        return load_view(board)
    if seed is None:
        return None
    setup = deal(load_wordlist(words or DEFAULT).words, seed=seed)
    return observe(new_game(setup), setup.first or A, ())


def _cards(
    green: Sequence[str] | None, black: Sequence[str] | None, tan: Sequence[str] | None
) -> list[tuple[str, Color]]:
    from brushpass.duet.core.cards import Color

    given = {Color.GREEN: listed(green), Color.BLACK: listed(black), Color.TAN: listed(tan)}
    return [(word, color) for color, words in given.items() for word in words]


def _dealt(view: Observation) -> Iterator[str]:
    """The cards by what they are to the giver."""
    from brushpass.duet.core.cards import cards_of

    key = view.key
    for what, mask in (("agents", key.greens), ("assassins", key.blacks), ("bystanders", key.tans)):
        yield f"{what}: {', '.join(view.words[card] for card in cards_of(mask))}"
    yield ""


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
