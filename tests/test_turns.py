import json
import math

import pytest

from brushpass.duet.bench import run_bench
from brushpass.duet.core.actions import Clue
from brushpass.duet.core.events import CardTouched
from brushpass.duet.core.mission import find_cities
from brushpass.duet.plan import Plan
from brushpass.duet.record import read_lines, read_record, replay
from brushpass.duet.turns import Turn, Turns, read_turns

KEYS = {"key_a": "GGGGGGGGGTTTTTBBBTTTTTTTT", "key_b": "GGGTTTTTBGGGGGGBTBTTTTTTT"}


def turns(*actions, reason=None, trace=None):
    return list(read_turns({**KEYS, "actions": actions, "reason": reason, "trace": trace}))


def plain(found):
    """Without the promises, which may be NaN."""
    return [turn[:4] for turn in found]


def test_hits_are_cards_green_on_the_givers_side_until_the_first_miss():
    found = turns(
        *(["clue", "A", "x", 3], ["guess", "B", 3], ["guess", "B", 4], ["guess", "B", 9]),
        *(["clue", "B", "y", 2], ["guess", "A", 9], ["stop", "A"]),
        *(["clue", "A", "z", 1], ["guess", "B", 14]),
    )
    assert plain(found) == [("A", 3, 2, "T"), ("B", 2, 1, ""), ("A", 1, 0, "B")]


def test_guesses_of_sudden_death_belong_to_no_clue():
    found = turns(
        *(["clue", "A", "x", 1], ["guess", "B", 3], ["stop", "B"]),
        *(["guess", "B", 4], ["guess", "A", 9], ["yield", "A"]),
    )
    assert plain(found) == [("A", 1, 1, "")]
    found = turns(["clue", "A", "x", 1], ["guess", "B", 10], ["guess", "B", 4], ["guess", "A", 9])
    assert plain(found) == [("A", 1, 0, "T")]


def test_a_penalised_clue_and_a_turn_that_a_forfeit_cut_off_are_left_out():
    found = turns(
        *(["clue", "A", "x", 1, "penalty"], ["guess", "B", 3], ["stop", "B"]),
        *(["clue", "B", "y", 1], ["guess", "A", 0], ["stop", "A"]),
        *(["clue", "A", "z", 2], ["guess", "B", 4]),
        reason="forfeit",
    )
    assert plain(found) == [("B", 1, 1, "")]


def test_promises_come_from_the_trace_if_they_are_numbers():
    clues = [["clue", "A", "x", 1]] * 5
    trace = [{"expected_hits": 1.5}, {"margin": 1}, {"expected_hits": "2"}, None]
    promised = [turn.promised for turn in turns(*clues, trace=trace)]
    assert promised[0] == 1.5
    assert all(map(math.isnan, promised[1:]))
    assert len(promised) == 5
    assert math.isnan(turns(["clue", "A", "x", 1], trace="rubbish")[0].promised)


def test_turns_agree_with_the_replay(tmp_path):
    plan = Plan(pairs=(("random", "nearest:model=glove"),), cities=find_cities("tokyo,prague"), games=12)
    run_bench(plan, out=tmp_path / "run")
    count = 0
    for _, line in read_lines(tmp_path / "run"):
        clues = []
        for move, state, events in replay(read_record(line)):
            if isinstance(move.action, Clue):
                clues.append([str(move.seat), move.action.number, 0, ""])
            elif not state.sudden or (state.phase == "SUDDEN" and clues[-1][3] == "" and _began(events)):
                for event in events:
                    if isinstance(event, CardTouched):
                        clues[-1][2] += event.color == "G"
                        clues[-1][3] = "" if event.color == "G" else str(event.color)
        assert plain(read_turns(json.loads(line))) == [tuple(clue) for clue in clues]
        count += len(clues)
    assert count > 50


def _began(events):
    return any(type(event).__name__ == "SuddenDeathBegan" for event in events)


# ------------------------------------------------------------------ calibration


def columns(*rows):
    """Turns, a game each, of (number, hits, promised)."""
    found = Turns()
    for deal, (number, hits, promised) in enumerate(rows):
        found.add(deal, Turn("A", number, hits, "T", promised))
    return found


def test_a_hit_beyond_the_number_does_not_keep_a_promise():
    told = columns((2, 4, 1.6), (2, 1, 1.8), (0, 3, 2.6)).calibration()
    assert [(part["from"], part["to"], part["n"]) for part in told["bins"]] == [(1.5, 2.0, 2), (2.5, 3.0, 1)]
    assert told["bins"][0]["promised"] == pytest.approx(1.7)
    assert told["bins"][0]["happened"] == 1.5
    assert told["bins"][1]["happened"] == 3
    assert told["bins"][1]["happened_low"] is None
    assert (told["n"], told["promised"]) == (3, pytest.approx(2))


def test_clues_without_a_promise_are_not_calibrated():
    assert columns((1, 1, math.nan)).calibration() is None
    assert Turns().calibration() is None
    assert columns((1, 1, math.nan), (1, 0, 1.0), (1, 1, 1.0)).calibration()["n"] == 2


def test_intervals_are_wider_where_clues_share_a_deal():
    apart, together = Turns(), Turns()
    for place in range(40):
        turn = Turn("A", 1, (place // 4) % 2, "", 0.7)
        apart.add(place, turn)
        together.add(place // 4, turn)
    wide, narrow = (one.calibration()["happened_high"] for one in (together, apart))
    assert wide > narrow + 0.1


def test_turns_add_up():
    both = columns((1, 1, 1.0), (3, 2, 2.0)) + columns((2, 0, math.nan))
    told = both.to_json()
    assert (told["clues"], told["mean_number"], told["hits"], told["bystander"], told["assassin"]) == (3, 2, 1, 1, 0)
    assert Turns().to_json()["hits"] is None
