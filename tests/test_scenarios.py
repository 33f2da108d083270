"""The 75 scenarios of DUET §12, read from `duet_scenarios.json`."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Action, Clue, Guess, Stop
from brushpass.duet.core.cards import BySeat, Seat, cards_of, mask_of
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup, State
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.errors import IllegalAction

FILE = Path(__file__).with_name("duet_scenarios.json")
DATA = json.loads(FILE.read_text(encoding="utf-8"))


def start(given, actions, f1, board, law):
    """The scenario's position, built directly: some cannot be reached by play."""
    turns = given.get("turns", 9)
    penalty = any(action[-1] == "penalty" for action in actions)
    setup = Setup(
        board,
        f1,
        Mission(turns, given.get("mistakes", turns)),
        first=Seat(given["first"]) if "first" in given else None,
        rules=TableRules(Order(given.get("order", "alternate")), LawMode.PENALTY if penalty else LawMode.REJECT),
        law=law,
    )
    covered = mask_of(given.get("covered", ()))
    marks = {seat: mask_of(card for card, by in given.get("marks", ()) if by == seat) for seat in Seat}
    changes = {
        "found": BySeat(covered & ~f1.a.greens, covered & f1.a.greens),
        "marks": BySeat(marks[Seat.A], marks[Seat.B]),
        "checks": BySeat(*(given.get("checks", {}).get(seat, 0) for seat in Seat)),
        "hits": given.get("hits", 0),
    }
    state = replace(rules.new_game(setup), **changes)
    if "phase" in given:
        state = replace(state, phase=Phase(given["phase"]), sudden=given["phase"] == "SUDDEN")
    if "giver" in given:
        state = replace(state, giver=Seat(given["giver"]))
    return replace(state, check=given.get("c", state.check), bystander=given.get("b", state.bystander))


def read_action(data) -> tuple[Seat, Action]:
    kind, seat, *rest = data
    action = {"clue": lambda: Clue(*rest[:2]), "guess": lambda: Guess(*rest), "stop": Stop}[kind]()
    return Seat(seat), action


def value(state: State, key: str) -> str:
    """The state's field `key`, written as the scenarios write it."""
    fields = {
        "phase": state.phase,
        "giver": state.giver,
        "b": state.bystander,
        "c": state.check,
        "hits": state.hits,
        "disc": state.discarded,
        "reason": state.reason,
        "score": rules.score(state),
        "ncov": state.covered.bit_count(),
        "checks.A": state.checks.a,
        "checks.B": state.checks.b,
        "ann": "[" + ",".join(seat for seat in Seat if state.finished(seat)) + "]",
        "marks": "["
        + ",".join(
            f"({card},{seat})"
            for card in cards_of(state.marks.a | state.marks.b)
            for seat in Seat
            if state.marks.of(seat) >> card & 1
        )
        + "]",
    }
    return str(fields[key])


@pytest.mark.parametrize("scenario", DATA["scenarios"], ids=lambda scenario: scenario["id"])
def test_scenario(scenario, f1, board, stub_law):
    actions = scenario["actions"]
    state = start(scenario["setup"], actions, f1, board, stub_law)
    expected = scenario["expect"].split()
    error = expected.pop(0) if expected[0].startswith("E_") else None
    for number, action in enumerate(actions, 1):
        if error and number == len(actions):
            with pytest.raises(IllegalAction) as refused:
                rules.step(state, *read_action(action))
            assert refused.value.code == error
        else:
            state, _ = rules.step(state, *read_action(action))
    for part in expected:
        key, _, wanted = part.partition("=")
        assert value(state, key) == wanted, key


def test_the_scenarios_are_all_there_and_use_this_key(f1):
    assert [scenario["id"] for scenario in DATA["scenarios"]] == [f"D{number:02}" for number in range(1, 76)]
    assert (str(f1.a), str(f1.b)) == (DATA["key_A"], DATA["key_B"])


def test_the_copy_equals_the_rules_page(shared):
    assert json.loads((shared / "spec" / "duet_scenarios.json").read_text(encoding="utf-8")) == DATA
