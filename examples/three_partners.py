"""One agent beside three partners, on the same deals: how much of a win is only that both think alike?

`python three_partners.py [FOLDER]` keeps the records in FOLDER, by default `three-partners`, which must be new.
"""

import sys

from brushpass import Mission, Plan, read_records, run_bench

AGENT = "py:margin:Margin"
PARTNERS = ("nearest:model=glove", "nearest:model=minilm", "person:model=minilm")


def main(folder: str) -> None:
    plan = Plan(pairs=[(AGENT, partner) for partner in PARTNERS], mission=Mission(turns=11, mistakes=11), games=8)
    report = run_bench(plan, workers=1, out=folder)
    for number, partner in enumerate(PARTNERS):
        cell = report.tally.pair(number)
        low, high = cell.interval.low, cell.interval.high
        print(f"{partner:24} {cell.wins:2} of {cell.games} won, {low:4.0%} to {high:4.0%}, {cell.mean_turns:.1f} clues")
    unfinished = sum(record.reason == "forfeit" for record in read_records(folder))
    print(f"{unfinished} forfeits; the records are in {folder}")


if __name__ == "__main__":  # the workers import this file again
    main(sys.argv[1] if len(sys.argv) > 1 else "three-partners")
