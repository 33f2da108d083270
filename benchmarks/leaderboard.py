"""The leaderboard of a frozen suite: `python benchmarks/leaderboard.py [--write]` (docs/benchmark.md).

Every `benchmarks/duet-1/NAME.json` is what `brushpass bench --suite duet-1 --agent SPEC --json` printed; keys `by`,
`link` and `ingredients` may be added. `--write` puts the table into docs/benchmark.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from brushpass.duet.suite import Suite, load_suite

NAME: Final = "duet-1"
RESULTS: Final = Path(__file__).parent / NAME
PAGE: Final = Path(__file__).parents[1] / "docs" / "benchmark.md"
BEGIN, END = "<!-- leaderboard -->\n", "<!-- end -->\n"

Entry = Mapping[str, Any]


def entries(suite: Suite, folder: Path = RESULTS) -> list[Entry]:
    """An entry for each agent of each result, the best first: by games won, then by agents found.

    Raises:
        ValueError: no result of this suite with games in its headline city, two deals or more.
    """
    listed: list[Entry] = []
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        if (played := result.get("suite")) is None:
            raise ValueError(f"{path.name} is no result of --suite {suite.name}")
        if played["sha256"] != suite.sha256:
            raise ValueError(f"{path.name} is a result of another suite: sha256 {played['sha256'][:12]}")
        if played["deals"] < 2 or not all(
            suite.headline in {city["city"] for city in partner["cities"]}
            for agent in played["agents"]
            for partner in agent["partners"]
        ):
            raise ValueError(f"{path.name} has not two deals in {suite.headline}, where the headline is taken")
        about = {"by": result.get("by", ""), "link": result.get("link", ""), **_played(played)}
        listed += [{**agent, **about} for agent in played["agents"]]
    return sorted(listed, key=_rank)


def _played(suite: Mapping[str, Any]) -> dict[str, Any]:
    return {"version": suite["version"], "deals": suite["deals"], "city": suite["headline_city"]}


def _rank(entry: Entry) -> tuple[bool, float, float]:
    headline = entry["headline"]
    return (True, 0.0, 0.0) if headline is None else (False, -headline["win_rate"], -headline["found"])


def table(suite: Suite, listed: list[Entry]) -> Iterator[str]:
    """The lines of the table in Markdown."""
    beside = list(suite.partners)
    head = ["agent", "mind", f"won at {suite.headline}", "agents found", *(f"found: {name}" for name in beside)]
    head += ["deals", "version", "by"]
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for entry in listed:
        found = {partner["partner"]: _beside(partner, entry["city"]) for partner in entry["partners"]}
        row = [f"`{entry['agent']}`", _mind(entry["mind"]), *_headline(entry["headline"])]
        row += [*(found[name] for name in beside), str(entry["deals"]), entry["version"], _by(entry)]
        cells = [cell.replace("|", r"\|") for cell in row]
        yield f"| {' | '.join(cells)} |"


def _headline(headline: Mapping[str, Any] | None) -> tuple[str, str]:
    if headline is None:
        return "none", "none"
    rate, low, high = (100 * headline[end] for end in ("win_rate", "low", "high"))
    found, least, most = (headline[end] for end in ("found", "found_low", "found_high"))
    return f"**{rate:.2f} %** [{low:.2f}, {high:.2f}]", f"**{found:.2f}** [{least:.2f}, {most:.2f}]"


def _beside(partner: Mapping[str, Any], city: str) -> str:
    """Agents found beside one partner, in brackets where it does not count."""
    found = next(f"{one['found']:.2f}" for one in partner["cities"] if one["city"] == city)
    return f"({found})" if partner["shared_ingredients"] else found


def _mind(mind: Mapping[str, Any] | None) -> str:
    return "" if mind is None else f"{mind['name']} {mind['sha256'][:12]}"


def _by(entry: Entry) -> str:
    return f"[{entry['by']}]({entry['link']})" if entry["link"] else str(entry["by"])


def text() -> str:
    """The table."""
    suite = load_suite(NAME)
    return "".join(f"{line}\n" for line in table(suite, entries(suite)))


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="into docs/benchmark.md")
    write = parser.parse_args().write
    try:
        shown = text()
    except ValueError as error:
        parser.exit(1, f"{error}\n")
    if not write:
        print(shown, end="")
        return
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}{shown}{END}{after}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
