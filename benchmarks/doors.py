"""How many questions a second a program answers: `python benchmarks/doors.py` prints the tables.

The agents take turns, so that their ratios hold on a busy machine, too. All are asked for a guess in one position: the
sample programs of `examples/` in Python and JavaScript and, to compare, an agent in this process.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from functools import partial
from pathlib import Path

from clock import race
from machine import load, machine

from brushpass import Clue, Observation, build_agent, deal, load_wordlist
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.rules import new_game, step
from brushpass.duet.observe import observe

SAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = {"Python": (sys.executable, "coin.py"), "JavaScript": (shutil.which("node"), "coin.js")}


def position() -> Observation:
    """A view in which a guess is due."""
    state = new_game(deal(load_wordlist("english").words, seed=1))
    giver = state.setup.first or Seat.A
    state, events = step(state, giver, Clue("zephyr", 2))
    return observe(state, giver.other, events)


def one_game(spec: str, view: Observation) -> None:
    """Start a program, ask it once, and end it."""
    agent = build_agent(spec)
    agent.new_game(view, 1)
    agent.guess(view)


def main() -> None:
    """Measure and print."""
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("--seconds", type=float, default=10.0, help="how long each race lasts")
    seconds = read.parse_args().seconds
    print("{processor}, {cores} cores, {system}; Python {python}; load {load}\n".format(**machine()))
    specs = {name: f"cmd:{runs} {SAMPLES / file}" for name, (runs, file) in PROGRAMS.items() if runs}
    view = position()
    agents = {name: build_agent(spec) for name, spec in ({"in this process": "random"} | specs).items()}
    for agent in agents.values():
        agent.new_game(view, 1)
    asked = race({name: partial(agent.guess, view) for name, agent in agents.items()}, calls=200, seconds=seconds)
    print("A question and its answer")
    for name, best in asked.items():
        print(f"{name:16}{1e6 * best:8.0f} µs{1 / best:12,.0f} a second")
    begun = race({name: partial(one_game, spec, view) for name, spec in specs.items()}, calls=3, seconds=seconds)
    print("\nA program started, asked once, and ended")
    for name, best in begun.items():
        print(f"{name:16}{1e3 * best:8.0f} ms{1 / best:12,.0f} a second")
    print(f"\nload at the end: {load()}")


if __name__ == "__main__":
    main()
