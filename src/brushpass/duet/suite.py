"""A frozen benchmark: deals, tables and partners that never change, so that figures of different years compare.

A suite is a folder: `suite.json` with tables, partners and hashes, and `deals.jsonl` (docs/benchmark.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from brushpass import paths
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import City, Mission, find_city
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import TableRules
from brushpass.errors import BrushpassError, CorruptData, UnknownData
from brushpass.lexicon.morphology import LAW
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.lexicon.wordlists import digest, read_text
from brushpass.registry import unknown
from brushpass.semantics.catalog import list_minds, verify_mind

SCHEMA: Final = 1
FOLDER: Final = Path(__file__).parent / "suites"
ABOUT: Final = "suite.json"
DEALS: Final = "deals.jsonl"


class Deal(NamedTuple):
    """A board, a key and who gives the first clue."""

    board: Board
    keys: KeyCard
    first: Seat

    def matches(self, record: Mapping[str, Any]) -> bool:
        """Whether a game record was played with this deal."""
        dealt = (list(self.board.words), str(self.keys.a), str(self.keys.b), str(self.first))
        return dealt == tuple(record[key] for key in ("words", "key_a", "key_b", "first"))


@dataclass(frozen=True)
class Suite:
    """A frozen benchmark.

    Attributes:
        name: what `--suite` calls it.
        sha256: of `suite.json`, which holds the hashes of all else: it stands for the whole.
        seed: of the games and of the partners' noise.
        rules: of every table.
        cities: the tables; each plays every deal.
        headline: the city of the figure that counts.
        partners: the spec of each partner by its name, with every option written out.
        words: the card words, in alphabetical order.
        deals: in the order in which they are played.
        pins: by kind (`minds`, `vocabularies`, `law`), the hash of each thing outside the folder.
    """

    name: str
    sha256: str
    seed: int
    rules: TableRules
    cities: tuple[City, ...]
    headline: str
    partners: Mapping[str, str]
    words: tuple[str, ...]
    deals: tuple[Deal, ...]
    pins: Mapping[str, Mapping[str, str]]

    def setup(self, index: int, mission: Mission) -> Setup:
        """The table of deal number `index`, from 0."""
        board, keys, first = self.deals[index]
        return Setup(board, keys, mission, first, self.rules, ClueLaw(relax=self.rules.relax))

    def check(self) -> None:
        """Compare the partners' minds and clue words, and the clue law, with the hashes the suite was frozen with.

        Raises:
            CorruptData: one of them is another, missing or damaged.
            UnknownData: a vocabulary that is not there.
        """
        minds = {info.name: info for info in list_minds()}
        for name, wanted in self.pins["minds"].items():
            if name not in minds:
                raise unknown("model", name, minds, UnknownData)
            self._compare(f"model {name}", wanted, minds[name].mind_sha256)
            verify_mind(minds[name])
        for name, wanted in self.pins["vocabularies"].items():
            self._compare(f"clue vocabulary {name}", wanted, load_vocabulary(name).sha256)
        for name, wanted in self.pins["law"].items():
            self._compare(f"clue law's {name}", wanted, law_hash(name))

    def _compare(self, what: str, wanted: str, found: str) -> None:
        if found != wanted:
            raise CorruptData(
                f"suite {self.name} needs the {what} of sha256 {wanted[:12]}, here it is {found[:12]}: "
                "install the brushpass that ships it, with no other of that name in your data folder"
            )


def list_suites() -> tuple[str, ...]:
    """The names `load_suite` knows, sorted."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob(f"*/{ABOUT}")))


@lru_cache(maxsize=8)
def load_suite(name_or_path: str) -> Suite:
    """The suite of that name, or the one in the folder at that path.

    Raises:
        UnknownData: neither a name of `list_suites()` nor a folder.
        CorruptData: a file that is missing or unreadable, or deals of another hash than the suite says.
    """
    folder = FOLDER / name_or_path
    if name_or_path not in list_suites():
        folder = Path(name_or_path)
        if not folder.is_dir():
            raise unknown("suite", name_or_path, list_suites(), UnknownData)
    path = folder / ABOUT
    text = read_text(path)
    try:
        return _read(folder, json.loads(text), hashlib.sha256(text.encode()).hexdigest())
    except CorruptData:
        raise
    except (BrushpassError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CorruptData(f"{path} is no suite: {error!r:.200}") from None


def _read(folder: Path, data: Mapping[str, Any], sha256: str) -> Suite:
    if data["schema"] != SCHEMA:
        raise CorruptData(f"{folder / ABOUT} has schema {data['schema']!r}, this version reads {SCHEMA}")
    deals = _read_deals(folder / DEALS, data["deals"]["sha256"])
    words = tuple(sorted({word for deal in deals for word in deal.board.words}))
    if digest(words) != data["words"]["sha256"]:
        raise CorruptData(f"{folder / DEALS} has other words than {folder / ABOUT} says: get the files again")
    cities = tuple(City(name, Mission(turns, mistakes)) for name, turns, mistakes in data["tables"])
    for city in cities:
        if find_city(city.name) != city:
            raise CorruptData(f"{folder / ABOUT}: {city.name} is not played with {city.mission} tokens")
    return Suite(
        name=data["name"],
        sha256=sha256,
        seed=data["seed"],
        rules=TableRules.read(data["rules"]),
        cities=cities,
        headline=data["headline"],
        partners=dict(data["partners"]),
        words=words,
        deals=deals,
        pins={kind: dict(data[kind]) for kind in ("minds", "vocabularies", "law")},
    )


def _read_deals(path: Path, wanted: str) -> tuple[Deal, ...]:
    text = read_text(path)
    if hashlib.sha256(text.encode()).hexdigest() != wanted:
        raise CorruptData(f"{path} has another sha256 than its {ABOUT} says: the deals are changed, get the file again")
    return tuple(_deal(json.loads(line)) for line in text.splitlines())


def _deal(data: Mapping[str, Any]) -> Deal:
    return Deal(Board(tuple(data["words"])), KeyCard.parse(data["key_a"], data["key_b"]), Seat(data["first"]))


def law_hash(name: str) -> str:
    """SHA-256 of a table of the clue law, whatever its line ends.

    Raises:
        CorruptData: it cannot be read.
    """
    path = paths.find_data(*LAW, f"{name}.txt")
    if path is None:
        raise CorruptData(f"{name}.txt of the clue law is missing; reinstall brushpass")
    return hashlib.sha256(read_text(path).encode()).hexdigest()
