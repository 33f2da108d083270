"""Which words may be said (DUET §8): the clue law, and its reason codes.

The law takes words, never a state: whoever asks passes the words that are visible now, so covered words
bar nothing (L11). The number (L7) is the rules' business; repeats (L10) are legal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from reprlib import repr as brief

from brushpass.lexicon import families
from brushpass.lexicon.normalize import fold, tokens
from brushpass.registry import unknown

RELAXATIONS = frozenset({"proper-names", "acronyms", "compounds"})
"""What a table may agree on before the game (variant V4). They lift L1 only."""

LONGEST = 100
"""Letters of a clue: more are no word."""
_MULTIWORD = frozenset({"proper-names", "compounds"})
_CACHED = 1 << 14


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the law says of a clue: `code` and the word it meets, or legal, perhaps with a note.

    Notes: `judge` (L8: the table decides whether it is meant by its meaning), `homophone` (L9: legal, by meaning).
    """

    code: str | None = None
    clash: str | None = None
    note: str | None = None

    @property
    def legal(self) -> bool:
        """Whether the clue may be said."""
        return self.code is None


LEGAL = Ruling()


@dataclass(frozen=True)
class ClueLaw:
    """The clue law of a table.

    Attributes:
        relax: names of `RELAXATIONS` the table agreed on.
        strict: bar also words that merely contain one another (L5): what bots play by.

    Raises:
        UnknownName: a relaxation that does not exist.
    """

    relax: frozenset[str] = frozenset()
    strict: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "relax", frozenset(self.relax))
        for name in sorted(self.relax - RELAXATIONS):
            raise unknown("relaxation", name, RELAXATIONS)

    def check(self, clue: str, visible: Sequence[str]) -> Ruling:
        """Rule on `clue` while the words `visible` lie open; the lowest code wins, then the first word."""
        if not self.strict and _clear(clue, visible):
            return LEGAL
        if not well_formed(clue, self.relax):
            return Ruling("L1")
        spoken = _without_dots(clue)
        said = families.units(spoken)
        sounds = _sounds(said)
        code = clash = None
        note = "judge" if needs_judge(clue) else None
        for word in visible:
            shown = families.units(word)
            if not _near(said).isdisjoint(shown) or not families.listed(word):
                found = clash_code(spoken, word)
                if found and (code is None or found < code):
                    code, clash = found, word
            if self.strict and code is None and _contain(said, shown):
                code, clash = "L5", word
            if sounds and not sounds.isdisjoint(shown):
                note = note or "homophone"
        if code:
            return Ruling(code, clash)
        return LEGAL if note is None else Ruling(note=note)


def well_formed(clue: object, relax: frozenset[str] = frozenset()) -> bool:
    """L1: one token of letters (apostrophes allowed) or of digits; more as far as `relax` goes."""
    return isinstance(clue, str) and len(clue) <= LONGEST and _shape(clue, relax)


@lru_cache(maxsize=_CACHED)
def _shape(clue: str, relax: frozenset[str]) -> bool:
    if clue.isascii() and clue.isalpha():
        return True
    acronyms = "acronyms" in relax
    if acronyms:
        clue = _without_dots(clue)
    parts = tokens(clue)
    if len(parts) != 1 or parts[0] != _straight(fold(clue)):
        return len(parts) > 1 and bool(relax & _MULTIWORD) and all(_is_word(part, acronyms) for part in parts)
    return parts[0].isdecimal() or _is_word(parts[0], acronyms)


@lru_cache(maxsize=_CACHED)
def clash_code(clue: str, word: str) -> str | None:
    """The lowest of L2 to L4 that bars `clue` while `word` is visible, or None."""
    said, shown = families.units(clue), families.units(word)
    pairs = [(one, other) for one in said for other in shown]
    if not set(said).isdisjoint(shown):
        return "L2"
    if any(families.is_form(one, other) for one, other in pairs):
        return "L3"
    return "L4" if any(families.related(one, other) for one, other in pairs) else None


class _Cards:
    """The cards met so far by the words related to them or like them in sound: which a clue is near, in one look-up."""

    def __init__(self) -> None:
        self._met: set[str] = set()
        self._near: dict[str, set[str]] = {}

    def near(self, said: str, visible: Sequence[str]) -> Collection[str]:
        """The cards that `said` is near, all those of `visible` among them."""
        if not self._met.issuperset(visible):
            for card in visible:
                units = families.units(card)
                for word in _near(units) | _sounds(units):
                    self._near.setdefault(word, set()).add(card)
                self._met.add(card)  # last: another thread may be asking
        return self._near.get(said, ())


_cards = _Cards()


def _clear(clue: object, visible: Sequence[str]) -> bool:
    """Whether a plain clue is near no card."""
    said = _plain(clue) if isinstance(clue, str) else None
    return said is not None and not any(card in visible for card in _cards.near(said, visible))


@lru_cache(maxsize=_CACHED)
def _plain(clue: str) -> str | None:
    """The known word that a clue is, if nothing but a card near it can be held against it or noted."""
    if not well_formed(clue) or needs_judge(clue):
        return None
    said, *more = families.units(clue)
    return None if more or not families.known(said) else said


@lru_cache(maxsize=_CACHED)
def _near(units: tuple[str, ...]) -> frozenset[str]:
    """The known words related to a clue or card."""
    return frozenset[str]().union(*map(families.relatives, units))


@lru_cache(maxsize=_CACHED)
def _sounds(said: tuple[str, ...]) -> frozenset[str]:
    """The words that sound like a clue."""
    return frozenset[str]().union(*map(families.homophones, said))


def _contain(said: Sequence[str], shown: Sequence[str]) -> bool:
    return any(families.contains(one, other) for one in said for other in shown)


@lru_cache(maxsize=_CACHED)
def needs_judge(clue: str) -> bool:
    """L8: a single letter or a number stands only for its meaning; people judge that."""
    folded = fold(clue)
    return len(folded) == 1 or folded.isdecimal()


def explain(ruling: Ruling, clue: object) -> str:
    """One line for a refusal, such as "L3: 'mice' is a form of MOUSE"; empty for a legal clue without a note."""
    word = (ruling.clash or "").upper()
    lines = {
        None: "",
        "L1": f"a clue is one word of letters, or a number in digits, not {brief(clue)}",
        "L2": f"{clue!r} is on the table" if tokens(word) == tokens(str(clue)) else f"{clue!r} is a word of {word}",
        "L3": f"{clue!r} is a form of {word}",
        "L4": f"{clue!r} is part of {word}" if len(str(clue)) < len(word) else f"{clue!r} is a compound with {word}",
        "L5": f"{clue!r} and {word} contain one another",
        "L6": f"{clue!r} is not in the language of the game",
    }
    if ruling.code:
        return f"{ruling.code}: {lines[ruling.code]}"
    notes = {"judge": "L8: people judge whether it is meant by its meaning", "homophone": "L9: only by meaning"}
    return notes.get(ruling.note or "", "")


def _is_word(token: str, acronyms: bool) -> bool:
    """Letters (with their combining marks) and inner apostrophes; with `acronyms` also digits and `&`."""
    extra = "'&0123456789" if acronyms else "'"
    plain = (ch for ch in token if ch not in extra)
    return any(ch.isalpha() for ch in token) and all(ch.isalpha() or unicodedata.category(ch)[0] == "M" for ch in plain)


def _straight(folded: str) -> str:
    return folded.replace("\u2019", "'").replace("\u02bc", "'")


def _without_dots(clue: str) -> str:
    return clue.replace(".", "")
