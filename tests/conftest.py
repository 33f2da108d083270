"""Fixtures that several files share: the rules page's key F1, a board, a clue law of two words, golden texts."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import pytest

from brushpass.duet.core.board import Board
from brushpass.duet.core.cluelaw import ClueLaw, Ruling
from brushpass.duet.core.keycard import KeyCard

# The same examples on every run; `HYPOTHESIS=wide` looks further, each time elsewhere.
hypothesis.settings.register_profile("tests", deadline=None, derandomize=True, database=None, max_examples=150)
hypothesis.settings.register_profile("wide", deadline=None, database=None, max_examples=3000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS", "tests"))

# The user's own models stay out of the tests, even of how many there are, and the tests' games out of the user's data.
_DATA = TemporaryDirectory(prefix="brushpass-tests-", ignore_cleanup_errors=True)
os.environ["XDG_DATA_HOME"] = _DATA.name

GOLDEN = Path(__file__).parent / "golden"

F1_A = "GGGGGGGGGTTTTTBBBTTTTTTTT"
F1_B = "GGGTTTTTBGGGGGGBTBTTTTTTT"

WORDS = (
    *("anchor", "badge", "canyon", "desert", "engine", "falcon", "guitar", "harbor", "island", "jungle"),
    *("kettle", "ladder", "magnet", "needle", "orchid", "pepper", "quartz", "rocket", "saddle", "temple"),
    *("umbrella", "violin", "walnut", "yogurt", "zipper"),
)


@dataclass(frozen=True)
class StubLaw(ClueLaw):
    """A clue law that bars the word `bad` and no other."""

    def check(self, clue: object, visible: Sequence[str]) -> Ruling:
        del visible
        return Ruling("L2", clash="anchor") if clue == "bad" else Ruling()


@pytest.fixture(autouse=True, scope="session")
def _unhurried() -> Iterator[None]:
    """What `bench` says does not depend on how busy this machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brushpass.cli.progress.PATIENCE", 600)
        yield


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tables and converted models made by tests stay out of the user's cache."""
    os.environ["BRUSHPASS_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def f1() -> KeyCard:
    """The key of every scenario of DUET §12."""
    return KeyCard.parse(F1_A, F1_B)


@pytest.fixture
def board() -> Board:
    """A board of 25 plain words."""
    return Board(WORDS)


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A word list of these cards, as a file."""
    file = tmp_path / "cards.txt"
    file.write_text("\n".join(WORDS))
    return file


@pytest.fixture
def stub_law() -> StubLaw:
    """A clue law that bars only `bad`."""
    return StubLaw()


@pytest.fixture
def shared() -> Path:
    """The shared folder beside the repository; the test is skipped where there is none."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no shared folder beside the repository")
    return folder


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with the file of that name in tests/golden; `GOLDEN=1` (make golden) rewrites the file."""

    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if os.environ.get("GOLDEN") == "1":
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"{name} differs; if that is meant: make golden"

    return compare
