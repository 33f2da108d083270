"""The tables of docs/strength.md: `python benchmarks/strength.py [--games SHARE] [--write]`.

Plays every run that the page quotes, with its seed, into runs/strength (half an hour on two cores; what is played
already is kept), and prints the tables; `--write` puts them into the page. `--games 0.1` plays a tenth, for a look.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
RUNS: Final = HERE.parent / "runs" / "strength"
PAGE: Final = HERE.parent / "docs" / "strength.md"
SEED: Final = 2026

BOT: Final = "embedding:model=glove-use"
SHARP: Final = "guess_noise=0,clue_noise=0"
PARTNER: Final = "person:model=minilm"
LADDER: Final = (
    ("nearest:model=glove", "the peers' way: GloVe, margins"),
    ("py:levers:Calibrated", "GloVe, calibrated choice, fixed costs"),
    ("py:levers:WithNorm", "+ the norm of associations and WordNet in the mind"),
    ("py:levers:WithUse", "+ the Universal Sentence Encoder in the mind"),
    ("py:levers:ValueGuesser", "+ the guesser stops and goes on by the chance of winning"),
    (BOT, "+ so does the giver choose, at people's own temperature: `embedding` as it ships"),
)
DISJOINT: Final = (
    ("embedding:model=glove-use", "person:model=minilm"),
    ("embedding:model=glove-norm", "person:model=minilm"),
    ("embedding:model=glove-norm", "person:model=use"),
    ("embedding:model=minilm", "person:model=glove"),
)
HABITS: Final = ("person", "cautious", "eager")
Report = dict[str, Any]


def play(name: str, pairs: Sequence[tuple[str, str]], games: int, city: str = "Prague") -> Report:
    """The report of a run, which is played unless it is there."""
    out = RUNS / f"{name}-{games}"
    told = [part for pair in pairs for part in ("--pair", *pair)]
    where = ("--city", city, "--games", str(games), "--seed", str(SEED), "--out", str(out))
    again = ("--resume",) if out.exists() else ()
    brushpass = (sys.executable, "-m", "brushpass")
    _run([*brushpass, "bench", *told, *where, *again])
    report: Report = json.loads(_run([*brushpass, "report", str(out), "--json"]))
    return report


def _run(command: Sequence[str]) -> bytes:
    return subprocess.run(command, check=True, cwd=HERE, stdout=subprocess.PIPE).stdout  # noqa: S603 - our own program


def rate(pair: Report) -> str:
    """Won, with its interval, in percent."""
    return f"{100 * pair['win_rate']:.2f} [{100 * pair['low']:.2f}, {100 * pair['high']:.2f}]"


def step(report: Report, first: int, second: int) -> str:
    """What pair `second` wins more than `first` over the same deals, in points."""
    for one in report["differences"]:
        if (one["first"]["pair"], one["second"]["pair"]) == (first, second):
            wins = one["wins"]
            return f"{-100 * wins['difference']:+.2f} [{-100 * wins['high']:+.2f}, {-100 * wins['low']:+.2f}]"
    raise ValueError(f"the report does not compare pairs {first} and {second}")


def losses(pair: Report) -> str:
    """The share of games that end on an assassin, and the agents found."""
    return f"{100 * pair['assassin_rate']:.0f} | {pair['mean_found']:.2f}"


def number(pair: Report) -> str:
    """The mean number said by both sides."""
    said = {int(number): count for number, count in pair["numbers"].items()}
    return f"{sum(number * count for number, count in said.items()) / sum(said.values()):.2f}"


def ladder(share: float) -> Iterator[str]:
    """Each lever's step, sharp and noisy."""
    for label, name, noise, whole in (
        ("without noise", "sharp", f",{SHARP}", 2000),
        ("as noisy as people", "noisy", "", 8000),
    ):
        games = int(share * whole)
        report = play(f"ladder-{name}", [(bot, PARTNER + noise) for bot, _ in LADDER], games)
        yield f"Partner {label}, {games:,} games a row, the same deals:"
        yield ""
        yield "| player | won, % | step, points | assassin, % | agents found | number said |"
        yield "|---|---|---|---|---|---|"
        for place, (_, what) in enumerate(LADDER):
            pair = report["pairs"][place]
            gained = step(report, place, place + 1) if place else ""
            yield f"| {what} | {rate(pair)} | {gained} | {losses(pair)} | {number(pair)} |"
        yield ""


def partners(share: float) -> Iterator[str]:
    """Disjoint minds, and three habits."""
    yield "| bot | partner | games | won without noise, % | assassin, % | agents found | won beside noise, % | found |"
    yield "|---|---|---|---|---|---|---|---|"
    pairs = [*DISJOINT, *((BOT, PARTNER.replace("person", habit)) for habit in HABITS[1:])]
    games = int(share * 2000)
    report = play("partners", [(bot, partner + noise) for bot, partner in pairs for noise in (f",{SHARP}", "")], games)
    for place, (bot, partner) in enumerate(pairs):
        sharp, noisy = report["pairs"][2 * place : 2 * place + 2]
        yield (
            f"| `{bot}` | `{partner}` | {games:,} | {rate(sharp)} | {losses(sharp)} | {rate(noisy)} "
            f"| {noisy['mean_found']:.2f} |"
        )


def cities(share: float) -> Iterator[str]:
    """By city, and all of them."""
    games = int(share * 300)
    partner = f"{PARTNER},{SHARP}"
    report = play("cities", [("py:levers:ValueGuesser", partner), (BOT, partner), (BOT, PARTNER)], games, "all")
    plain, sharp, noisy = report["pairs"]
    yield "| city | tokens | n | won without noise, % | agents found | won beside noise, % |"
    yield "|---|---|---|---|---|---|"
    for one, other in zip(sharp["cities"], noisy["cities"], strict=True):
        tokens = f"{one['turns']}-{one['mistakes']}"
        shown = [
            f"{100 * x['wins'] / x['games']:.1f} [{100 * x['low']:.1f}, {100 * x['high']:.1f}]" for x in (one, other)
        ]
        yield f"| {one['city']} | {tokens} | {one['games']} | {shown[0]} | {one['mean_found']:.2f} | {shown[1]} |"
    yield f"| **all 26** | | {sharp['games']:,} | {rate(sharp)} | {sharp['mean_found']:.2f} | {rate(noisy)} |"
    yield ""
    yield (
        f"The ladder's last step, over these cities without noise: {rate(plain)} % with fixed costs for clues, and "
        f"{step(report, 1, 2)} points by the chance of winning."
    )


def promises(share: float) -> Iterator[str]:
    """What the giver's clues promised, and what was found."""
    report = play("ladder-sharp", [(bot, f"{PARTNER},{SHARP}") for bot, _ in LADDER], int(share * 2000))
    bins = report["pairs"][len(LADDER) - 1]["calibration"]["A"]["bins"]
    yield "| promised | clues | promised, mean | found, mean |"
    yield "|---|---|---|---|"
    for one in bins:
        found = f"{one['happened']:.2f} [{one['happened_low']:.2f}, {one['happened_high']:.2f}]"
        yield f"| {one['from']:.1f} to {one['to']:.1f} | {one['n']:,} | {one['promised']:.2f} | {found} |"


def memory(share: float) -> Iterator[str]:
    """A bot that gets to know its partner over 20 games, whose mind is or is not among those it considers."""
    yield "| bot | noise | won, % | gain, points | in games 1-5, % | in games 16-20, % |"
    yield "|---|---|---|---|---|---|"
    bots = (BOT, f"{BOT},memory=20,panel=glove+use", f"{BOT},memory=20")
    noises = (("none", f",{SHARP}"), ("people's", ""))
    games = -(-int(share * 2000) // 20) * 20
    report = play("memory", [(bot, PARTNER + noise) for _, noise in noises for bot in bots], games)
    for place, pair in enumerate(report["pairs"]):
        first = place - place % len(bots)
        gained = step(report, first + 1, place + 1) if place > first else ""
        stages = pair["learning"]["stages"] if place > first else ()
        shown = [rate(stages[0]), rate(stages[-1])] if stages else ["", ""]
        noise, _ = noises[place // len(bots)]
        yield f"| `{pair['a']}` | {noise} | {rate(pair)} | {gained} | {shown[0]} | {shown[1]} |"


def mirror(share: float) -> Iterator[str]:
    """Two bots of one mind."""
    games = int(share * 1000)
    pair = play("mirror", [(BOT, BOT)], games)["pairs"][0]
    yield f"Two of it, thinking alike: {rate(pair)} % of {games:,} games. This says nothing of play with anybody else."


SECTIONS: Final = {
    "ladder": ladder,
    "partners": partners,
    "cities": cities,
    "promises": promises,
    "memory": memory,
    "mirror": mirror,
}


def written(page: str, name: str, lines: Sequence[str]) -> str:
    """`page` with `lines` between the marks of section `name`."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.partition(begin)
    _, mark, after = rest.partition(end)
    if not mark:
        raise ValueError(f"{PAGE} has no section {name}")
    return before + begin + "\n".join(lines) + "\n" + end + after


def main() -> None:
    """Play, print, and write if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=float, default=1.0, help="share of the games to play")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/strength.md")
    given = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for name, section in SECTIONS.items():
        lines = [line.rstrip() for line in section(given.games)]
        print("\n".join(lines), flush=True)
        if given.write:
            PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), name, lines), encoding="utf-8")


if __name__ == "__main__":
    main()
