"""What may be wrong with a list of card words: found in its text, and by the families of the clue law (DUET §8)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from brushpass.errors import CorruptData
from brushpass.lexicon.families import kin_once
from brushpass.lexicon.normalize import fold, tokens
from brushpass.lexicon.wordlists import MIN_ENTRIES, read_text


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found.

    Attributes:
        kind: `encoding`, `control`, `no word`, `few`, `twice`, `forms`, `parts`, or what a caller adds.
        matters: whether the list is not fit to play with as it is.
        entries: the entries it is about, as written.
        lines: their line numbers.
        told: one line for a person.
    """

    kind: str
    matters: bool
    entries: tuple[str, ...]
    lines: tuple[int, ...]
    told: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The distinct entries of a list with their lines, and what was found."""

    entries: dict[str, int]
    findings: tuple[Finding, ...]


def check_list(path: Path) -> Checked:
    """Read the list at `path` as far as it can be read, and say what is wrong with it.

    Raises:
        CorruptData: the file is missing or cannot be read at all.
    """
    if not path.exists() or path.is_dir():
        raise CorruptData(f"{path} is a folder, not a file" if path.is_dir() else f"no such file: {path}")
    try:
        text = read_text(path)
    except CorruptData as error:
        return Checked({}, (Finding("encoding", True, (), (), str(error)),))
    entries: dict[str, int] = {}
    first: dict[str, str] = {}
    findings: list[Finding] = []
    for number, line in enumerate(text.splitlines(), start=1):
        entry = " ".join(unicodedata.normalize("NFC", line).split())
        if not entry or entry.startswith("#"):
            continue
        if not entry.isprintable():
            shown = "".join(ch if ch.isprintable() else "?" for ch in entry)[:40]
            findings.append(Finding("control", True, (), (number,), f"line {number} holds control characters: {shown}"))
        elif not any(ch.isalnum() for ch in entry):
            findings.append(Finding("no word", True, (entry,), (number,), f"{entry} (line {number}) has no letter"))
        elif (other := first.setdefault(fold(entry), entry)) is entry:
            entries[entry] = number
        else:
            findings.append(_pair("twice", other, entry, (entries[other], number)))
    if len(entries) < MIN_ENTRIES:
        told = f"{len(entries)} distinct entries; a board needs {MIN_ENTRIES}"
        findings.append(Finding("few", True, (), (), told))
    findings.extend(_relatives(entries))
    return Checked(entries, tuple(findings))


def _relatives(entries: dict[str, int]) -> Iterator[Finding]:
    """Entries of which one is a form of the other or of a word in it, then those that are a part of another.

    Of many that are alike each is told beside the first of them.
    """
    kin = {token: kin_once(token) for entry in entries for token in tokens(entry)}
    by_key: dict[str, str] = {}
    forms: set[tuple[str, str]] = set()
    parts: set[tuple[str, str]] = set()

    def note(pairs: set[tuple[str, str]], entry: str, keys: Iterable[str]) -> None:
        for other in {by_key[key] for key in keys if key in by_key} - {entry}:
            pairs.add((entry, other) if entries[entry] < entries[other] else (other, entry))

    for entry in entries:
        split = tokens(entry)
        keys = kin[split[0]].keys if len(split) == 1 else {"".join(split)}
        note(forms, entry, keys)
        by_key |= {key: entry for key in keys if key not in by_key}
    for entry in entries:
        split = tokens(entry)
        for token in split:
            if len(split) > 1:
                note(forms, entry, kin[token].keys)
            note(parts, entry, {*kin[token].exact}.union(*(kin_once(part).keys for part in kin[token].parts)))
    for kind, pairs in (("forms", forms), ("parts", parts - forms)):
        for one, other in sorted(pairs, key=lambda pair: (entries[pair[0]], entries[pair[1]])):
            yield _pair(kind, one, other, (entries[one], entries[other]))


_RELATIONS = {"twice": "are the same word", "forms": "are forms of one word", "parts": "are part and whole"}


def _pair(kind: str, one: str, other: str, lines: tuple[int, int]) -> Finding:
    told = f"{one} (line {lines[0]}) and {other} (line {lines[1]}) {_RELATIONS[kind]}"
    return Finding(kind, kind != "parts", (one, other), lines, told)
