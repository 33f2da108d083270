"""The engine against an independent reference: counts of action sequences, and random games side by side.

Perft: how many sequences of so many legal actions a position has, all clues counted as one, yields left out.
The counts from F1 lie in `golden/perft.txt`.
"""

import random

import pytest
from duet_reference import OTHER, Refused, Table
from msgspec.structs import astuple, replace

from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import SEATS, BySeat, Seat, cards_of, mask_of
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import CITIES, Mission
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.errors import IllegalAction

EARLY: tuple[int, ...] = ()
LATE = (0, 1, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13)
"""Found already: what is left is 2 (green on both sides), 8 (A's) and 14 (B's)."""
ROWS = [
    (Mission(9, 9), Order.ALTERNATE, EARLY),
    (Mission(8, 0), Order.ALTERNATE, EARLY),
    (Mission(7, 2), Order.TWO_ONE, EARLY),
    (Mission(6, 4), Order.FREE, EARLY),
    (Mission(2, 0), Order.ALTERNATE, EARLY),
    (Mission(1, 1), Order.FREE, EARLY),
    (Mission(9, 9), Order.ALTERNATE, LATE),
    (Mission(3, 1), Order.ALTERNATE, LATE),
    (Mission(2, 0), Order.TWO_ONE, LATE),
    (Mission(1, 0), Order.FREE, LATE),
]
DEPTH = {EARLY: 5, LATE: 7}
REFERENCE_DEPTH = {EARLY: 4, LATE: 5}


def perft(state, depth, memo):
    """Sequences of `depth` actions from `state`; equal positions are counted once."""
    if depth == 1:
        return sum(len(moves(state, seat)) for seat in SEATS)
    position = (astuple(state)[1:], depth)
    if position not in memo:
        memo[position] = sum(
            perft(rules.step(state, seat, action)[0], depth - 1, memo)
            for seat in SEATS
            for action in moves(state, seat)
        )
    return memo[position]


def moves(state, seat):
    may = rules.options(state, seat)
    return [Clue("clue", 1)] * may.clue + [Stop()] * may.stop + [Guess(card) for card in cards_of(may.guesses)]


def reference_perft(table, depth):
    if depth == 0:
        return 1
    count = 0
    for seat in "AB":
        for action in [("clue", 1), ("stop",), *(("guess", cell) for cell in range(25))]:
            after = table.copy()
            try:
                after.play(seat, action)
            except Refused:
                continue
            count += reference_perft(after, depth - 1)
    return count


def start_of(mission, order, found, f1, board, stub_law):
    state = rules.new_game(Setup(board, f1, mission, rules=TableRules(order), law=stub_law))
    return replace(state, found=BySeat(mask_of(found), 0))


def test_perft_counts(f1, board, stub_law, golden):
    lines = [
        "# Sequences of 1, 2, ... legal actions from F1; clues count as one action, yields are left out.\n",
        f"# early: nothing found; late: found are {', '.join(map(str, LATE))}.\n",
    ]
    for mission, order, found in ROWS:
        start = start_of(mission, order, found, f1, board, stub_law)
        counts = [perft(start, depth, {}) for depth in range(1, DEPTH[found] + 1)]
        lines.append(f"{mission} {order} {'late' if found else 'early'}: {' '.join(map(str, counts))}\n")
    golden("perft.txt", "".join(lines))


@pytest.mark.parametrize(("mission", "order", "found"), ROWS, ids=str)
def test_the_reference_counts_the_same(mission, order, found, f1, board, stub_law):
    start = start_of(mission, order, found, f1, board, stub_law)
    table = Table(str(f1.a), str(f1.b), mission.turns, mission.mistakes, order=str(order))
    table.found = dict.fromkeys(found, "A")
    for depth in range(1, REFERENCE_DEPTH[found] + 1):
        assert perft(start, depth, {}) == reference_perft(table, depth)


# ------------------------------------------------------------------ random games side by side


def facts(state):
    """The position in the reference's terms."""
    return {
        "phase": str(state.phase),
        "giver": state.giver and str(state.giver),
        "bank": ["check"] * state.check + ["bystander"] * state.bystander,
        "found": {card: str(seat) for seat in SEATS for card in cards_of(state.found.of(seat))},
        "arrows": {(card, str(seat)) for seat in SEATS for card in cards_of(state.marks.of(seat))},
        "hits": state.hits if state.phase in ("GUESS", "SUDDEN", "CLUE", "CLUE_ANY") else None,
        "checks": {str(seat): state.checks.of(seat) for seat in SEATS},
        "discarded": state.discarded,
        "yielded": [str(seat) for seat in state.yielded],
        "reason": state.reason and str(state.reason),
        "complete": [str(seat) for seat in SEATS if state.finished(seat)],
        "sudden": state.sudden,
        "score": rules.score(state),
    }


def reference_facts(table, *, scored):
    return {
        "phase": table.phase,
        "giver": table.giver,
        "bank": sorted(table.bank, reverse=True),
        "found": table.found,
        "arrows": table.arrows,
        "hits": table.hits if table.phase not in ("WON", "LOST") else None,
        "checks": table.checks,
        "discarded": table.discarded,
        "yielded": table.yielded,
        "reason": table.reason,
        "complete": [seat for seat in "AB" if table.complete(seat)],
        "sudden": table.sudden,
        "score": table.score() if scored and table.phase == "WON" else None,
    }


def foolish(rng):
    """Any action at all, in both languages."""
    number = rng.choice([*range(10), 0, 1, 2, -1, 10, 2.5, True, "3", None])
    legal = rng.random() < 0.7
    cell = rng.choice([*range(25), *range(25), *range(25), -1, 25, True, 3.0, "3", None])
    return rng.choice(
        [
            (Clue("clue" if legal else "bad", number), ("clue", number)),
            (Guess(cell), ("guess", cell)),
            (Stop(), ("stop",)),
            (Yield(), ("yield_",)),
        ]
    )


def wise(table, seat, rng):
    """Mostly a guess that is right, so that games grow long; else anything."""
    judge = OTHER[seat]
    right = [cell for cell in range(25) if table.key[judge][cell] == "G" and cell not in table.found]
    misses = [cell for cell in range(25) if table.key[judge][cell] == "T"]
    choice = rng.random()
    if choice < 0.35 and right:
        cell = rng.choice(right)
        return Guess(cell), ("guess", cell)
    if choice < 0.45:
        cell = rng.choice(misses)
        return Guess(cell), ("guess", cell)
    return foolish(rng)


def try_both(state, table, seat, action, told):
    """Play one action in both; the engine's new state, or the same one when both refuse alike."""
    illegal = isinstance(action, Clue) and action.word == "bad"
    before, code = table.copy(), None
    try:
        if told[0] == "clue":
            table.demand("E_GAME_OVER", table.phase not in ("WON", "LOST"))
            table.clue(str(seat), told[1], legal=not illegal)
        else:
            table.play(str(seat), told)
    except Refused as refused:
        code = refused.args[0]
        assert vars(table) == vars(before)
    if code is None:
        return rules.step(state, seat, action)[0]
    with pytest.raises(IllegalAction) as refused:
        rules.step(state, seat, action)
    assert refused.value.code == code
    return state


@pytest.mark.parametrize("seed", range(16))
def test_random_games_run_alike(seed, board, stub_law):
    rng = random.Random(seed)
    seen = set()
    for _ in range(20):
        key = KeyCard.deal(rng)
        mission = rng.choice([*(city.mission for city in CITIES), Mission(1, 0), Mission(1, 1), Mission(2, 1)])
        table_rules = TableRules(rng.choice(list(Order)), rng.choice(list(LawMode)))
        first = rng.choice([None, *SEATS])
        state = rules.new_game(Setup(board, key, mission, first, table_rules, stub_law))
        table = Table(
            *(str(key.a), str(key.b), mission.turns, mission.mistakes, first and str(first)),
            *(str(table_rules.order), str(table_rules.clue_law)),
        )
        for _ in range(400):
            seat = Seat(rng.choice("AB"))
            action, told = wise(table, str(seat), rng) if rng.random() < 0.8 else foolish(rng)
            if told == ("guess", True) or (told[0] == "guess" and not isinstance(told[1], int)):
                continue
            state = try_both(state, table, seat, action, told)
            assert facts(state) == reference_facts(table, scored=mission == Mission(9, 9))
            if state.phase in rules.OVER:
                break
        seen.add(state.reason or str(state.phase))
        if state.phase in rules.OVER:
            assert facts(try_both(state, table, seat, action, told)) == facts(state)
    assert len(seen) > 2
