"""Lists of card words: text files, one entry a line (INTERFACES §3)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from brushpass import paths
from brushpass.errors import CorruptData, UnknownData
from brushpass.lexicon.normalize import fold
from brushpass.registry import unknown

FOLDER = "wordlists"
DEFAULT = "english"
MIN_ENTRIES = 25  # one board

_HEADER = re.compile(r"#\s*([A-Za-z][\w-]*):\s*(.*)")


@dataclass(frozen=True)
class WordList:
    """A list of card words. Two lists are equal if their entries are."""

    name: str = field(compare=False)
    lang: str = field(compare=False)
    licence: str = field(compare=False)
    source: str = field(compare=False)
    words: tuple[str, ...] = field(compare=False)
    """The entries as written (NFC), in file order, no two alike when folded."""
    sha256: str
    """Hash of the entries joined by newlines: comments do not change it."""


def load_wordlist(name_or_path: str | Path) -> WordList:
    """Load a word list by its name (`english`) or its path.

    Raises:
        UnknownName: a name that is not among `list_wordlists()`.
        CorruptData: a file that is missing, unreadable, not UTF-8 text, or has fewer than 25 distinct entries.
    """
    path = locate(name_or_path, FOLDER, kind="word list")
    header, entries = read_entries(path)
    words = tuple(entries.values())
    if len(words) < MIN_ENTRIES:
        raise CorruptData(f"word list {path} has {len(words)} distinct entries; a board needs {MIN_ENTRIES}")
    return WordList(
        name=header.get("name", path.stem),
        lang=header.get("lang", "und"),
        licence=header.get("licence", "unknown"),
        source=header.get("source", "unknown"),
        words=words,
        sha256=digest(words),
    )


def list_wordlists() -> tuple[str, ...]:
    """The names `load_wordlist` knows, sorted."""
    return names_in(FOLDER)


def locate(name_or_path: str | Path, *folder: str, kind: str) -> Path:
    """The file meant by a name under the data folders' `folder`, or by a path.

    What has a slash or a suffix, or is a `Path`, is a path; a known name wins over a file of that name.

    Raises:
        UnknownName: neither a known name nor a path.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in text or "\\" in text or text.endswith(".txt"):
        return Path(text).expanduser()
    names = names_in(*folder)
    by_folded = {fold(name): name for name in names}
    if (name := by_folded.get(fold(text))) and (found := paths.find_data(*folder, f"{name}.txt")):
        return found
    if text and Path(text).is_file():
        return Path(text)
    raise unknown(kind, text, names, UnknownData)


def names_in(*folder: str) -> tuple[str, ...]:
    """The stems of the `.txt` files in the data folders' `folder`, sorted."""
    return tuple(sorted({path.stem for root in paths.data_roots() for path in root.joinpath(*folder).glob("*.txt")}))


def read_entries(path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Read a list: its header (keys in lower case) and its entries as written (NFC) by their folded form.

    Blank lines and lines that start with `#` are no entries; of entries alike when folded the first stays.

    Raises:
        CorruptData: missing, a folder, unreadable, not UTF-8, or holding control characters.
    """
    header: dict[str, str] = {}
    entries: dict[str, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        entry = line.strip()
        if entry.isascii() and entry.isalpha():  # nearly all lines: no need to tidy them
            entries.setdefault(entry.lower(), entry)
        elif entry.startswith("#"):
            if not entries and (match := _HEADER.fullmatch(entry)):
                header.setdefault(match[1].lower(), match[2].strip())
        elif entry:
            entry = " ".join(unicodedata.normalize("NFC", entry).split())
            if not entry.isprintable():
                raise CorruptData(f"{path} line {number} holds control characters: {entry[:40]!r}; is it a word list?")
            entries.setdefault(fold(entry), entry)
    return header, entries


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, a leading byte order mark left out.

    Raises:
        CorruptData: missing, a folder, unreadable, not UTF-8, or binary (a NUL byte).
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise CorruptData(f"no such file: {path}") from None
    except IsADirectoryError:
        raise CorruptData(f"{path} is a folder, not a file") from None
    except UnicodeDecodeError as error:
        raise CorruptData(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    except (OSError, ValueError) as error:
        raise CorruptData(f"cannot read {path}: {error}") from None
    if "\0" in text:
        raise CorruptData(f"{path} holds NUL bytes; it is not a text file (UTF-16? save it as UTF-8)")
    return text


def digest(words: tuple[str, ...]) -> str:
    """SHA-256 of `words` joined by newlines, in hexadecimal."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()
