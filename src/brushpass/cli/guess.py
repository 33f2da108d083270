"""`brushpass guess`: which cards a clue points at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns, listed, shortened

if TYPE_CHECKING:
    from brushpass.duet.agents.foresee import Ranked
    from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
    from brushpass.duet.observation import Observation
    from brushpass.semantics.explain import Because
    from brushpass.semantics.mind import Mind

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def guess(
    clue: Annotated[str | None, typer.Option(metavar="WORD", help="What your partner said.")] = None,
    number: Annotated[int | None, typer.Option(min=0, max=9, metavar="N", help="How many cards it means.")] = None,
    words: Annotated[list[str] | None, typer.Option(metavar="W,W", help="The cards that are open.")] = None,
    board: Annotated[
        Path | None, typer.Option(metavar="FILE", help='JSON {"words":[25],"key":"GTB…"}, or a whole view.')
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="M", help="The mind of your partner: a name or a vector file.")
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Say why each card goes with the clue.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Rank the cards by how likely a clue means them.

    Of plain --words it tells the chance that each is touched next. Of a --board it tells the chance that each is your
    partner's agent, from your side of the key, all that was touched and every clue so far; a view that holds a clue
    needs no --clue.
    """
    from brushpass.duet.agents import foresee
    from brushpass.duet.agents.options import DEFAULT_MIND
    from brushpass.duet.viewfile import load_view
    from brushpass.errors import InvalidSetup
    from brushpass.semantics.catalog import load_mind

    out = Output(json, quiet, verbose)
    said = _clue(clue, number)
    if board is not None and words:
        raise InvalidSetup("--board is given beside --words; give one or the other")
    if board is not None:
        view = foresee.heard(load_view(board), said)
        mind = load_mind(model or DEFAULT_MIND)
        ranked, action = foresee.agents(mind, view)
        _show(out, "agent", mind, view.clue, ranked, _advice(action, view), why=why)
        return
    if said is None:
        raise InvalidSetup("there is no clue; give --clue and --number")
    cards = listed(words)
    mind = load_mind(model or DEFAULT_MIND)
    _show(out, "next_guess", mind, said, foresee.next_guess(mind, said, cards), None, why=why)


def _clue(word: str | None, number: int | None) -> Clue | None:
    from brushpass.duet.core.actions import Clue
    from brushpass.errors import InvalidSetup

    if word is None and number is None:
        return None
    if word is None or number is None:
        raise InvalidSetup("--clue and --number go together, such as: --clue ocean --number 2")
    if not word.strip():
        raise InvalidSetup(f"--clue {word!r} is not a word")
    return Clue(word.strip(), number)


def _advice(action: Guess | Stop | Yield, view: Observation) -> dict[str, Any]:
    from brushpass.duet.core.actions import Guess, Stop

    if isinstance(action, Guess):
        return {"guess": view.words[action.card]}
    return {"stop": True} if isinstance(action, Stop) else {"yield": True}


def _show(
    out: Output,
    of: str,
    mind: Mind,
    clue: Clue | None,
    ranked: Sequence[Ranked],
    advice: dict[str, Any] | None,
    *,
    why: bool,
) -> None:
    from brushpass.semantics.explain import because

    known = clue is None or mind.understands(clue.word)
    reasons = [because(mind, clue.word, one.word) for one in ranked if why and clue is not None]
    if out.json:
        document: dict[str, Any] = {
            "schema": 1,
            "guesses": [_to_json(*pair) for pair in zip_longest(ranked, reasons)],
            "known": known,
            "probability_of": of,
        }
        out.document(document if advice is None else {**document, "advice": advice})
    else:
        out.lines(_table(ranked, reasons))
        out.lines([] if advice is None else ["", _told(advice)])
    if clue is not None and not mind.knows(clue.word):
        out.note(f"model {mind.name} does not know {shortened([clue.word])!r}{_instead(mind, clue.word)}")
    if clue is not None and not clue.number:
        out.note("number 0 says what to stay away from: cards near the clue come last")
    if unknown := [one.word for one in ranked if not mind.knows(one.word)]:
        out.note(f"model {mind.name} does not know {shortened(unknown)}")
    out.detail(f"model {mind.name} {mind.sha256[:12]}, temperature {mind.temperature}")


def _table(ranked: Sequence[Ranked], reasons: Sequence[Because]) -> list[str]:
    believed = any(one.assassin is not None for one in ranked)
    head = ("card", "agent", "assassin") if believed else ("card", "next guess")
    rows = [(one.word, *(f"{chance:.1%}" for chance in _chances(one))) for one in ranked]
    if not reasons:
        return columns(head, rows)
    told = (reason.told if reason.found else "" for reason in reasons)
    return columns((*head, "why"), ((*row, why) for row, why in zip(rows, told, strict=True)))


def _chances(one: Ranked) -> tuple[float, ...]:
    return (one.probability,) if one.assassin is None else (one.probability, one.assassin)


def _to_json(one: Ranked, reason: Because | None) -> dict[str, Any]:
    data: dict[str, Any] = {"word": one.word, "probability": one.probability}
    if one.assassin is not None:
        data["assassin"] = one.assassin
    return data if reason is None else {**data, "why": reason.told}


def _told(advice: dict[str, Any]) -> str:
    match advice:
        case {"guess": word}:
            return f"The embedding player would touch {word}."
        case {"stop": _}:
            return "The embedding player would stop here."
        case _:
            return "The embedding player would leave it to its partner."


def _instead(mind: Mind, word: str) -> str:
    """As what an unknown word is understood, or else what may have been meant."""
    from brushpass.lexicon.normalize import fold
    from brushpass.semantics.backoff import near_spellings

    if mind.understands(word):
        return f" and takes it as {mind.taken_for(word)}"
    near = near_spellings(fold(word), mind.space.index)
    return ": all cards are alike" + (f"; did you mean {' or '.join(near)}?" if near else "")
