"""The pictures of docs/play.md and docs/campaign.md: the real program in a pseudo-terminal of 80 by 24, as SVG.

python docs/pictures.py [NAME ...]
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pexpect
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from brushpass.duet.campaign import Campaign, Result
from brushpass.duet.campaignfile import CampaignFile
from brushpass.duet.core.phase import Outcome, Reason

FOLDER = Path(__file__).parent / "pictures"
COLUMNS, ROWS = 80, 24
PROMPT = "(?:clue|guess|touch|sudden death|go on)> $"
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code", "ui-monospace, Menlo, Consolas"
)
"""Rich's own, without letters from elsewhere."""


class Terminal:
    """`brushpass` with `args`; `text` is all it has shown."""

    def __init__(self, *args: str) -> None:
        lasting = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLUMNS", "LINES"}}
        self._child = pexpect.spawn(
            sys.executable,
            ["-m", "brushpass", *args],
            dimensions=(ROWS, COLUMNS),
            encoding="utf-8",
            timeout=120,
            env=lasting | {"TERM": "xterm-256color"},
        )
        self.text = ""

    def wait(self, for_what: str = PROMPT) -> bool:
        """Whether it asks for something; else it has ended."""
        ended = self._child.expect([for_what, pexpect.EOF])
        self.text += self._child.before + (self._child.after if not ended else "")
        return not ended

    def type(self, *lines: str) -> Terminal:
        """Lines, each at a prompt, and then the next prompt or the end."""
        self.wait()
        for line in lines:
            self.answer(line)
        return self

    def answer(self, line: str) -> bool:
        """A line where something was asked; whether something is asked again."""
        self._child.sendline(line)
        return self.wait()

    def press(self, *keys: str) -> Terminal:
        """Keys, each once what came before is shown."""
        for key in keys:
            self._child.expect(pexpect.TIMEOUT, timeout=1)
            self._child.send(key)
        self._child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=1)
        self.text += self._child.before
        return self

    def lines(self) -> list[str]:
        """What is shown, with its colors."""
        return self.text.replace("\r", "").replace("\x1b[?2004h", "").replace("\x1b[?2004l", "").split("\n")


def learn() -> Iterable[str]:
    """The second and the third step of the lesson."""
    shown = Terminal("learn").type("", "apple", "cherry", "stop", "doctor 2")
    return between(shown.lines(), "STEP 2", "STEP 4")


def play() -> Iterable[str]:
    """The board, and what a hint tells."""
    return Terminal("play", "--seed", "12", "--first", "me").type("hint").lines()[-ROWS:]


def story() -> Iterable[str]:
    """The end of a game that was played as the hints say."""
    shown = Terminal("play", "--seed", "12", "--first", "me")
    asked = shown.wait()
    while asked:
        seen = len(shown.text)
        shown.answer("hint")
        told = shown.text[seen:].replace("\r", "")
        advised = re.search(r"^  (\w+ \d) for|I would (stop)|I would touch ([\w ]+)\.", told, re.MULTILINE)
        asked = shown.answer(next(filter(None, advised.groups())) if advised else "quit")
    return between(shown.lines(), "Both sides of the key", None)


def replay() -> Iterable[str]:
    """A game gone through move by move."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        pexpect.run(f"{sys.executable} -m brushpass bench --games 1 --city prague --workers 1 --out {run}")
        return Terminal("replay", str(run), "--step").press(" ", " ", " ", "k", "t").lines()


def map_in_terminal() -> Iterable[str]:
    """A campaign's map."""
    shown = Terminal("campaign", "map")
    shown.wait("no prompt")
    return shown.lines()


PICTURES: dict[str, Callable[[], Iterable[str]]] = {
    "learn": learn,
    "play": play,
    "story": story,
    "replay": replay,
    "map-terminal": map_in_terminal,
}


def between(lines: list[str], first: str, after: str | None) -> list[str]:
    """The lines from that which has `first` to before that which has `after`."""
    start = next(place for place, line in enumerate(lines) if first in line)
    rest = lines[start:]
    return rest[: next((place for place, line in enumerate(rest) if after and after in line), len(rest))]


def tour() -> Campaign:
    """The campaign on the pictures of the map."""
    campaign = Campaign("main")
    for city, won in (("Prague", 0), ("Prague", 1), ("Berlin", 1), ("Paris", 1), ("London", 0), ("London", 1)):
        result = Result(city, Outcome.WON) if won else Result(city, Outcome.LOST, Reason.ASSASSIN)
        campaign = campaign.played(result)
    return campaign.played(Result("Montreal", Outcome.LOST, Reason.CANNOT_PAY))


def draw(name: str, lines: Iterable[str]) -> None:
    """Write the lines as a picture."""
    console = Console(width=COLUMNS, record=True, file=io.StringIO(), force_terminal=True)
    shown = list(lines)
    while shown and not shown[-1].strip():
        shown.pop()
    for line in shown:
        console.print(Text.from_ansi(line), soft_wrap=True)
    svg = console.export_svg(title=f"brushpass: {name}", code_format=FORMAT, unique_id=name)
    (FOLDER / f"{name}.svg").write_text("".join(f"{line.rstrip()}\n" for line in svg.splitlines()), encoding="utf-8")


def main(names: list[str]) -> None:
    """Draw the pictures called `names`, or all."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        os.environ["BRUSHPASS_DATA"] = data
        CampaignFile().add(tour())
        for name, shown in PICTURES.items():
            if not names or name in names:
                draw(name, shown())
        if not names or "map" in names:
            pexpect.run(f"{sys.executable} -m brushpass campaign map --svg {FOLDER / 'map.svg'}")


if __name__ == "__main__":
    main(sys.argv[1:])
