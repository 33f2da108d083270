"""Whole games as text, to be read: any change to rules, referee or seeds shows here. `make golden` rewrites them."""

import random

import pytest

from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.agents.scripted import ScriptedAgent
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import SEATS, Color, cards_of
from brushpass.duet.core.events import (
    CardTouched,
    ClueGiven,
    GameEnded,
    SideFinished,
    Stopped,
    SuddenDeathBegan,
    Yielded,
)
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission, find_city
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.duet.observe import observe
from brushpass.duet.record import read_record, replay, verify
from brushpass.duet.referee import play_game
from brushpass.duet.testing.strategies import CLUE_WORDS

A, B = SEATS
NAMES = {Color.GREEN: "green", Color.TAN: "tan", Color.BLACK: "BLACK"}


class Peeking(RandomAgent):
    """A random player that knows the partner's key, mostly guesses right, and so plays long games."""

    def __init__(self, words, partner_side):
        super().__init__(words)
        self._partner_side = partner_side

    def guess(self, view):
        action = super().guess(view)
        right = [card for card in view.open_cards() if self._partner_side.greens >> card & 1]
        if isinstance(action, Guess) and right and self._rng.random() < 0.75:
            return Guess(self._rng.choice(right))
        return action


def transcript(record) -> str:
    """A game as a person would tell it, with the position after every turn."""
    setup = record.setup
    opening = [
        f"mission {setup.mission}, order {setup.rules.order}, clue law {setup.rules.clue_law}, seed {record.seed}",
        "",
        *(
            f"{card:2} {word:9} A {setup.keys.a.color(card)}  B {setup.keys.b.color(card)}"
            for card, word in enumerate(setup.board.words)
        ),
    ]
    told = [line for move, state, events in replay(record) for line in _step(move, state, events)]
    score = "" if record.score is None else f", score {record.score}"
    reason = f" ({record.reason})" if record.reason else ""
    end = f"{record.outcome}{reason} in {record.turns_used} turns{score}"
    trace = [f"trace: {entry}" for entry in record.trace if "forfeit" in entry]
    return "\n".join([*opening, *told, "", *trace, end, ""])


def _step(move, state, events):
    lines = [_event(event, state.setup.board.words) for event in events]
    if isinstance(move.action, Clue):
        lines.insert(0, "")
    if state.phase in (Phase.CLUE, Phase.CLUE_ANY, *rules.OVER) or any(isinstance(e, SuddenDeathBegan) for e in events):
        marks = ", ".join(f"{seat} {list(cards_of(state.marks.of(seat)))}" for seat in SEATS)
        lines.append(
            f"    bank {state.check}+{state.bystander}, checks A {state.checks.a} B {state.checks.b}, "
            f"discarded {state.discarded}, found {state.covered.bit_count()}, marks {marks}"
        )
    return lines


def _event(event, words):
    match event:
        case ClueGiven(seat, word, number, penalised):
            return f"{seat}: clue {word} {number}{' (barred: a token is lost)' if penalised else ''}"
        case CardTouched(seat, card, color):
            return f"{seat}: touches {words[card]} ({card}): {NAMES[color]}"
        case Stopped(seat):
            return f"{seat}: stops"
        case Yielded(seat):
            return f"{seat}: yields"
        case SideFinished(seat):
            return f"-- all words of {seat} are found --"
        case SuddenDeathBegan():
            return "-- sudden death --"
        case GameEnded(outcome, reason):
            return f"-- {outcome}{f': {reason}' if reason else ''} --"


RANDOM_GAMES = {
    "standard": (1, Mission(9, 9), TableRules()),
    "vatican": (2, find_city("Vatican").mission, TableRules()),
    "berlin-2-1": (3, find_city("Berlin").mission, TableRules(Order.TWO_ONE)),
    "washington-free": (4, find_city("Washington").mission, TableRules(Order.FREE)),
    "three-tokens": (5, Mission(3, 1), TableRules()),
}


@pytest.mark.parametrize("name", RANDOM_GAMES)
def test_random_game(name, golden, board):
    seed, mission, table = RANDOM_GAMES[name]
    rng = random.Random(seed)
    words = [*board.words, "apricot", "bottle", "candle", "dolphin", "elbow"]
    keys = KeyCard.deal(rng)
    setup = Setup(Board.deal(words, rng), keys, mission, None, table)
    agents = [Peeking(CLUE_WORDS * 2, keys.side(seat.other)) for seat in SEATS]
    record = play_game(*agents, setup, seed=seed, salt=seed)
    verify(read_record(record.to_line()))
    golden(f"{name}.txt", transcript(record))


SCRIPTS = {
    "perfect": (
        {},
        [Clue("weather", 9), *map(Guess, range(9, 15))],
        [*map(Guess, range(9)), Clue("music", 6)],
    ),
    "penalties": (
        {"mission": Mission(4, 2), "rules": TableRules(clue_law=LawMode.PENALTY)},
        [Clue("anchors", 2), Guess(9), Stop(), Clue("badges", 1)],
        [Guess(18), Clue("weather", 2), Guess(3), Guess(19)],
    ),
    "sudden-death": (
        {"mission": Mission(2, 2)},
        [Clue("weather", 2), Guess(18), Yield(), Guess(9), Guess(10), *map(Guess, range(11, 15)), Yield()],
        [Guess(19), Clue("music", 2), Guess(3), Yield(), *map(Guess, [0, 1, 2, 4, 5, 6, 7, 8])],
    ),
    "forfeit": (
        {},
        [Clue("weather", 2), Clue("anchor", 2)],
        [Guess(3), Guess(3)],
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripted_game(name, golden, board, f1):
    changes, a, b = SCRIPTS[name]
    setup = Setup(board, f1, **{"first": A, **changes})
    record = play_game(ScriptedAgent(a), ScriptedAgent(b), setup, seed=0, salt=0)
    verify(read_record(record.to_line()))
    golden(f"{name}.txt", transcript(record))


def test_views_of_a_game(golden, board, f1):
    """What each side knows in the middle of a game, as the agent protocol sends it."""
    state, history = rules.new_game(Setup(board, f1, Mission(7, 2), A)), ()
    moves = [
        *((A, Clue("weather", 2)), (B, Guess(3)), (B, Guess(18)), (B, Clue("music", 1)), (A, Guess(0)), (A, Stop())),
        *((A, Clue("winter", 0)), (B, Guess(8))),
    ]
    for seat, action in moves:
        state, events = rules.step(state, seat, action)
        history += events
    views = [observe(state, seat, history).to_json() for seat in SEATS]
    lines = [f"{key}: {view[key]}" for view in views for key in view]
    golden("views.txt", "\n".join(lines) + "\n")
