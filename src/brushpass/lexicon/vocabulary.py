"""The words that may be said: clue vocabularies."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from brushpass.errors import CorruptData
from brushpass.lexicon.normalize import fold
from brushpass.lexicon.wordlists import digest, locate, names_in, read_entries

FOLDER = ("wordlists", "clues")
DEFAULT = "rich"
LEVELS = ("easy", "normal", "rich")
"""How much a clue giver may draw on: 2,000, 5,000 or 10,000 words (`lexicon.build.sayable`)."""
PERSON = "person-vocabulary-v1"  # INTERFACES §7: frozen


@dataclass(frozen=True)
class Vocabulary:
    """Clue words in a fixed order. Two vocabularies are equal if their words are."""

    name: str = field(compare=False)
    words: tuple[str, ...] = field(compare=False)
    """Folded, distinct; a word's place here is its index in every table."""
    sha256: str
    """Hash of the words joined by newlines, and of how many are rare, if any are."""
    rare: int = field(default=0, compare=False)
    """How many of the last words are rare: to be said only where they are clearly best."""

    @cached_property
    def index(self) -> dict[str, int]:
        """Each word's place in `words`."""
        return {word: place for place, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)


def load_vocabulary(name_or_path: str | Path = DEFAULT) -> Vocabulary:
    """Load a clue vocabulary by its name (`clues-v1`) or its path.

    Raises:
        UnknownName: a name that is not among `list_vocabularies()`.
        CorruptData: a file that is missing, unreadable, not UTF-8 text, or empty.
    """
    path = locate(name_or_path, *FOLDER, kind="clue vocabulary")
    header, entries = read_entries(path)
    if not entries:
        raise CorruptData(f"clue vocabulary {path} holds no word")
    words, rare = tuple(entries), header.get("rare", "0")
    if not (rare.isascii() and rare.isdecimal() and int(rare) <= len(words)):
        raise CorruptData(f"clue vocabulary {path} has # rare: {rare}; it must be a number of up to {len(words)} words")
    return Vocabulary(path.stem, words, digest((*words, f"rare: {rare}") if int(rare) else words), int(rare))


def list_vocabularies() -> tuple[str, ...]:
    """The names `load_vocabulary` knows, sorted."""
    return names_in(*FOLDER)


def make_vocabulary(words: tuple[str, ...]) -> Vocabulary:
    """A vocabulary of `words`, folded, duplicates left out."""
    folded = tuple(dict.fromkeys(fold(word) for word in words))
    return Vocabulary("custom", folded, digest(folded))
