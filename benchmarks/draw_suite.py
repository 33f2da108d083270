"""How a frozen suite was drawn: `python benchmarks/draw_suite.py NAME FOLDER` writes its two files (docs/benchmark.md).

A suite that has been published is never drawn again; a better one gets another name.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from brushpass import seeds
from brushpass.duet.core.deal import deal
from brushpass.duet.core.mission import find_cities
from brushpass.duet.core.table import TableRules
from brushpass.duet.suite import ABOUT, DEALS, SCHEMA, law_hash
from brushpass.lexicon.vocabulary import PERSON, load_vocabulary
from brushpass.lexicon.wordlists import digest, load_wordlist
from brushpass.semantics.catalog import list_minds

COUNT: Final = 2000
SEED: Final = 1
"""Of the games and the partners' noise; the deals come from the suite's name."""
CITIES: Final = "Prague,Berlin,Paris,Cairo,Bangkok"
"""The standard game, and the corners of the map: most tokens, no mistakes, few turns."""
MINDS: Final = {"minilm": "0.1202", "glove": "0.1316"}
"""The partners' minds and their temperatures."""
NOISES: Final = {"": ("0.55", "0.65"), "-sharp": ("0", "0")}
"""The noise of people's guesses and clues, and none."""
LAW: Final = "families"


def deals(name: str, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """The deals of the suite called `name`."""
    drawn = [deal(words, seed=seeds.child(name, "deal", index)) for index in range(COUNT)]
    return [
        {"words": one.board.words, "key_a": str(one.keys.a), "key_b": str(one.keys.b), "first": one.first}
        for one in drawn
    ]


def about(name: str, words: tuple[str, ...], deals_sha256: str) -> dict[str, Any]:
    """What `suite.json` says."""
    minds = {info.name: info.mind_sha256 for info in list_minds()}
    return {
        "schema": SCHEMA,
        "name": name,
        "game": "duet",
        "seed": SEED,
        "rules": TableRules().to_json(),
        "tables": [[city.name, city.mission.turns, city.mission.mistakes] for city in find_cities(CITIES)],
        "headline": "Prague",
        "words": {"name": "english", "count": len(words), "sha256": digest(words)},
        "deals": {"count": COUNT, "sha256": deals_sha256},
        "partners": {
            mind + kind: f"person:model={mind},temperature={temperature},vocabulary={PERSON},"
            f"guess_noise={guess},clue_noise={clue}"
            for kind, (guess, clue) in NOISES.items()
            for mind, temperature in MINDS.items()
        },
        "minds": {mind: minds[mind] for mind in MINDS},
        "vocabularies": {PERSON: load_vocabulary(PERSON).sha256},
        "law": {LAW: law_hash(LAW)},
    }


def main() -> None:
    """Draw the suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    words = tuple(sorted(load_wordlist("english").words))
    compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
    text = "".join(f"{compact.encode(one)}\n" for one in deals(asked.name, words))
    asked.folder.mkdir(parents=True)
    (asked.folder / DEALS).write_text(text, encoding="utf-8", newline="\n")
    told = json.dumps(about(asked.name, words, digest((text,))), indent=2)
    (asked.folder / ABOUT).write_text(f"{told}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
