"""The figures of docs/gallery.md, drawn by the functions that notebooks and reports call.

python docs/gallery.py [GUESSES], with a folder of people's guess sets for the two figures about people.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from brushpass import GameRecord, Mind, Outcome, Plan, Seat, because, deal, find_city, opening, read_records, run_bench
from brushpass.duet import display, people, plots
from brushpass.duet.agents.reading import read_clue
from brushpass.duet.agents.suggest import Table, suggest
from brushpass.duet.runfolder import Run, compare_pairs, read_run
from brushpass.duet.svg import STYLE, alone, draw
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.semantics.guesses import read_items
from brushpass.semantics.plane import plane_of

FOLDER = Path(__file__).parent / "gallery"
SEED = 6
GAMES = 40
BOARDS = 60
SHARES = (0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0)
GLOVE, MINILM, PERSON = "embedding:model=glove-use", "embedding:model=minilm", "person:model=minilm"
PAIRS = ((GLOVE, GLOVE), (GLOVE, MINILM), (MINILM, GLOVE), (MINILM, MINILM), (GLOVE, PERSON))

XHTML = "http://www.w3.org/1999/xhtml"

Figures = Mapping[str, tuple[tuple[float, float], Callable[..., Any]]]
"""By name: the size in inches, and what draws it."""


def of_clues() -> Figures:
    """A table, its clues, and one of them taken apart."""
    table = Table.of_view(opening(deal(seed=SEED), Seat.A))
    mind, vocabulary = Mind.load("default"), load_vocabulary()
    readings = [read_clue(mind, table, clue.word, clue.number) for clue in suggest(mind, vocabulary, table, 8)]
    said = readings[0]
    rival = next((one for one in readings if {*one.targets} != {*said.targets}), readings[-1])
    heads = [said, *(read_clue(Mind.load(name), table, said.word, said.number) for name in ("glove", "minilm"))]
    plane = plane_of(mind, [*table.cards, *(one.word for one in readings[:5])])
    glove = Mind.load("glove")
    tokyo = find_city("Tokyo").mission
    tables = [Table.of_view(opening(deal(mission=tokyo, seed=board), Seat.A)) for board in range(BOARDS)]
    numbers = {
        share: [suggest(glove, vocabulary, one, 1, temperature=share * glove.temperature)[0].number for one in tables]
        for share in SHARES
    }
    return {
        "touches": ((9.6, 4.0), partial(plots.touches, readings)),
        "pulls": ((6.4, 5.4), partial(plots.pulls, said)),
        "worth": ((6.4, 6.2), partial(plots.worth, [said, rival])),
        "minds": ((6.4, 4.8), partial(plots.minds, heads)),
        "word_map": ((6.4, 5.2), partial(plots.word_map, plane, said)),
        "best_numbers": ((6.4, 3.6), partial(plots.best_numbers, numbers)),
    }


def of_run(run: Run) -> Figures:
    """A run of every two of two bots, and of one with a simulated person."""
    return {
        "world_map": ((8.6, 5.0), partial(plots.world_map, run, pair=2, value="found")),
        "wins_by_city": ((6.4, 8.3), partial(plots.wins_by_city, run, pairs=[1, 2])),
        "found_by_city": ((6.4, 8.3), partial(plots.found_by_city, run, pairs=[2, 5])),
        "heat_map": ((6.4, 2.9), partial(plots.heat_map, run, value="hits")),
        "losses": ((6.4, 4.2), partial(plots.losses, run)),
        "calibration": ((6.4, 5.6), partial(plots.calibration, run, pairs=[1, 2])),
        "turns": ((6.4, 4.0), partial(plots.turns, run, pairs=[1, 2, 5])),
        "numbers": ((6.4, 4.0), partial(plots.numbers, run, pairs=[1, 2, 5])),
        "differences": ((6.4, 3.4), partial(plots.differences, compare_pairs(run)[4:7], value="found")),
    }


def of_people(folder: Path) -> Figures:
    """Minds against people's guesses."""
    items = read_items(sorted(folder.glob("*.jsonl")))
    documents = []
    for name in ("default", "glove-use", "minilm", "glove"):
        groups = people.by_source(people.measure(Mind.load(name), items))
        documents.append({"model": name, "sources": [people.summary(group) for group in groups.values()]})
    return {
        "foresight": ((6.4, 4.6), partial(plots.foresight, documents)),
        "foreseen": ((6.4, 5.4), partial(plots.foreseen, documents[0])),
    }


def tables(run: Run, game: GameRecord) -> Iterator[tuple[str, int, str]]:
    """What a notebook shows as HTML: name, height, and the HTML."""
    setup = deal(seed=SEED)
    view = opening(setup, Seat.A)
    mind, table = Mind.load("default"), Table.of_view(view)
    readings = [read_clue(mind, table, clue.word, clue.number) for clue in suggest(mind, load_vocabulary(), table, 5)]
    said = readings[0]
    reasons = [because(mind, said.word, card) for card in said.targets]
    yield "setup", 205, display.setup(setup)
    yield "clues", 425, display.readings(readings) + display.reading(said) + display.reasons(reasons)
    yield "game", 370, display.game(game)
    yield "report", 365, display.report(run)


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as made:
        run_bench(Plan(pairs=PAIRS, games=GAMES, seed=1), out=made)
        run = read_run(Path(made))
        won = next(game for game in read_records(made) if game.outcome is Outcome.WON and game.id.startswith("1-"))
    figures = {**of_clues(), **of_run(run), **(of_people(Path(sys.argv[1])) if sys.argv[1:] else {})}
    for name, (size, plot) in figures.items():
        drawn = draw(plot, size=size, name=name.replace("_", ""), about=name.replace("_", " "))
        (FOLDER / f"{name}.svg").write_text(alone(drawn, size), encoding="utf-8")
    for name, height, html in tables(run, won):
        (FOLDER / f"{name}.svg").write_text(framed(html, height), encoding="utf-8")


def framed(html: str, height: int) -> str:
    """HTML as a picture."""
    inside = html.replace("<br>", "<br/>").replace("<wbr>", "<wbr/>")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="{height}" font-size="14">{STYLE}'
        f'<foreignObject x="12" y="4" width="880" height="{height - 8}">'
        f'<div xmlns="{XHTML}">{inside}</div></foreignObject></svg>\n'
    )


if __name__ == "__main__":
    main()
