"""`brushpass words`: the word lists there are, and whether one of your own is fit to play with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose, columns, shortened

if TYPE_CHECKING:
    from brushpass.lexicon.listcheck import Finding

SHOWN: Final = 20
"""Findings of one kind that the text shows; --json has all."""

app = typer.Typer(add_completion=False, help="The word lists.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _words() -> None:
    pass


@app.command(name="list")
def list_words(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """List the lists of card words and of clue words."""
    from brushpass.lexicon.vocabulary import FOLDER as CLUES
    from brushpass.lexicon.vocabulary import list_vocabularies, load_vocabulary
    from brushpass.lexicon.wordlists import FOLDER as CARDS
    from brushpass.lexicon.wordlists import list_wordlists, load_wordlist, locate

    out = Output(json, quiet, verbose)
    rows: list[dict[str, Any]] = []
    for name in list_wordlists():
        cards = load_wordlist(name)
        path = locate(name, CARDS, kind="word list")
        about = {"lang": cards.lang, "licence": cards.licence, "source": cards.source}
        rows.append(_row("cards", name, len(cards.words), cards.sha256, path) | about)
    for name in list_vocabularies():
        clues = load_vocabulary(name)
        path = locate(name, *CLUES, kind="clue vocabulary")
        rows.append(_row("clues", name, len(clues), clues.sha256, path))
    if json:
        out.document({"schema": 1, "lists": rows})
        return
    head = ("list", "of", "words", "lang", "licence", "sha256")
    out.lines(
        columns(
            head,
            (
                (row["name"], row["of"], row["words"], row.get("lang", ""), row.get("licence", ""), row["sha256"][:12])
                for row in rows
            ),
        )
    )
    for row in rows:
        out.detail(f"{row['name']}: {row['path']}")


def _row(of: str, name: str, words: int, sha256: str, path: Path) -> dict[str, Any]:
    return {"name": name, "of": of, "words": words, "sha256": sha256, "path": str(path)}


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="One entry a line, UTF-8; # begins a comment.")],
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Check a list of card words; exit 1 if it should be mended.

    Bad encoding, too few entries, the same word twice, forms of one word and words that no model knows matter. Parts
    of one another (book, notebook) and words that only some models know are told and may stay.
    """
    from brushpass.lexicon.listcheck import check_list

    out = Output(json, quiet, verbose)
    checked = check_list(file)
    unknown = _unknown(list(checked.entries))
    findings = [*checked.findings, *_untold(unknown, checked.entries)]
    wrong = sum(finding.matters for finding in findings)
    if json:
        out.document(
            {
                "schema": 1,
                "file": str(file),
                "ok": not wrong,
                "entries": len(checked.entries),
                "findings": [_to_json(finding) for finding in findings],
                "unknown": unknown,
            }
        )
    else:
        out.lines(_lines(findings))
        remarks = len(findings) - wrong
        told = "1 remark" if remarks == 1 else f"{remarks} remarks"
        out.lines([f"{file}: {len(checked.entries)} entries, {wrong} to mend, {told}"])
    if wrong:
        raise typer.Exit(1)


def _unknown(entries: list[str]) -> dict[str, list[str]]:
    """By model, the entries that it does not know."""
    from brushpass.semantics.catalog import list_minds, load_mind

    minds = [load_mind(info.name) for info in list_minds()]
    return {mind.name: [entry for entry in entries if not mind.knows(entry)] for mind in minds}


def _untold(unknown: dict[str, list[str]], lines: dict[str, int]) -> Iterable[Finding]:
    """What the minds add to the findings: words that none of them knows, and those that one does not."""
    from brushpass.lexicon.listcheck import Finding

    minds = [set(entries) for entries in unknown.values()]
    nobody = set.intersection(*minds) if minds else set()
    for name, entries in unknown.items():
        if some := tuple(entry for entry in entries if entry not in nobody):
            told = f"model {name} does not know {shortened(some)}: never its target"
            yield Finding("unknown", False, some, tuple(lines[entry] for entry in some), told)
    if nobody:
        none = tuple(entry for entry in lines if entry in nobody)
        told = f"no model knows {shortened(none)}: never a target"
        yield Finding("unknown", True, none, tuple(lines[entry] for entry in none), told)


def _lines(findings: Iterable[Finding]) -> Iterable[str]:
    """The findings, what matters first; of each kind the first ones."""
    count: dict[str, int] = {}
    for finding in sorted(findings, key=lambda one: not one.matters):
        count[finding.kind] = count.get(finding.kind, 0) + 1
        if count[finding.kind] <= SHOWN:
            yield f"{'mend' if finding.matters else 'remark'}: {finding.told}"
    for kind, number in count.items():
        if number > SHOWN:
            yield f"… and {number - SHOWN} more of kind {kind}; --json has all"


def _to_json(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "matters": finding.matters,
        "entries": list(finding.entries),
        "lines": list(finding.lines),
        "told": finding.told,
    }
