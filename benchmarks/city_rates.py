"""How often bots win each city, for `brushpass campaign`: writes the table that ships from the report of a run.

brushpass bench --games 500 --seed 1 --json > report.json
python benchmarks/city_rates.py report.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from brushpass import __version__
from brushpass.atomic import replacing
from brushpass.duet.core.mission import CITIES

TABLE = Path(__file__).parents[1] / "src/brushpass/duet/mapdata/rates.json"


def table(report: dict[str, Any]) -> dict[str, Any]:
    """The table: of every pair the games a city, and the wins in each."""
    pairs = []
    for pair in report["pairs"]:
        wins = {city["city"]: city["wins"] for city in pair["cities"]}
        (games,) = {city["games"] for city in pair["cities"]}
        if list(wins) != [city.name for city in CITIES]:
            sys.exit("the report is not of the whole map: run bench without --city")
        pairs.append({"a": pair["a"], "b": pair["b"], "mirror": pair["mirror"], "games": games, "wins": wins})
    made = f"brushpass bench --games {pairs[0]['games']} --seed {report['seed']}"
    return {"made": made, "version": __version__, "pairs": pairs}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    made = table(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    with replacing(TABLE) as file:
        file.write(json.dumps(made, indent=1).encode() + b"\n")
    print(f"{TABLE}: {len(made['pairs'])} pairs, {made['pairs'][0]['games']} games a city")
