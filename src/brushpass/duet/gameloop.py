"""What two of our bots say and touch in a game, turn after turn, in one loop for numba: see `rehearsal`.

Each bot decides by what its seat knows alone: its own side of the key, and what was said and touched before. What the
cards then prove to be, the giver's side of the key tells.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ANN001, ANN201, ANN202 - numba types these

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from brushpass.duet.agents import luce
from brushpass.duet.agents.belief import STOP
from brushpass.duet.agents.compiled import expected_clue, loop, margin_clue, plan_turn
from brushpass.duet.agents.giver import MOST
from brushpass.duet.agents.guesser import SHARPNESS
from brushpass.duet.agents.luce import Places
from brushpass.duet.agents.nearest import MOST as MOST_BY_MARGIN
from brushpass.duet.agents.value import AHEAD
from brushpass.duet.core.cards import AGENTS, ALL_CARDS, CARD_COUNT
from brushpass.duet.core.mission import MAX_TURNS

MOST_MOVES: Final = 64
"""More than a game has."""
CLUE: Final = -2
"""Among moves, the next clue."""
_STOPPED, _MISSED, _OVER = range(3)
"""How a turn ends."""
_POWER: Final = float(np.float32(1 / SHARPNESS))

Floats = npt.NDArray[np.float32]


class Bot(NamedTuple):
    """A bot at a board, with its own side of the key: `Nearest`, if `by_margin`, or `Embedding`.

    The stakes are by check and bystander tokens, own greens and other agents left; (…, 3, AHEAD).
    """

    greens: int
    blacks: int
    by_margin: bool
    table: Floats
    """For its clues, as `kernel` takes it; with `rows`, `places`, `ends`."""
    rows: Places
    places: Places
    ends: Places
    never: Places
    """Words that it never says."""
    clue_stakes: Floats
    heard: Floats
    """For what it hears, with `heard_rows`."""
    heard_rows: Places
    rare: Floats
    """Likewise for the rare words, the last ones of the vocabulary, with `rare_rows`."""
    rare_rows: Places
    guess_stakes: Floats


@loop
def play_ahead(bots, giving, tokens, first_rare, clues, scores, moves):
    """Fill in what is said and touched until the game ends, comes to sudden death, or a bot has no clue left.

    Args:
        bots: of both seats, with one vocabulary.
        giving: the seat of the first clue, 0 or 1.
        tokens: check and bystander tokens, (2,); changed.
        first_rare: the place of the first rare word.
        clues: the giver, place in the vocabulary, number, four nearest greens; (turns, 7).
        scores: those of its trace; (turns, 3).
        moves: a clue, the cards touched, `STOP` where the partner stops, the next clue, and so on; (`MOST_MOVES`,).

    Returns:
        How many moves there are.
    """
    found, missed = np.zeros(2, np.int64), np.zeros(2, np.int64)
    felt, heard = np.empty((2, MAX_TURNS, CARD_COUNT)), np.empty((2, MAX_TURNS, 3), np.int64)
    count = np.zeros(2, np.int64)
    turn = moved = 0
    while tokens[0] + tokens[1] > 0:
        guessing = 1 - giving
        giver, guesser = bots[giving], bots[guessing]
        covered = found[0] | found[1]
        touchable = ALL_CARDS & ~(covered | missed[guessing])
        visible = ALL_CARDS & ~(covered | missed[0] & missed[1])
        word, number, near, told = _clue(giver, touchable, visible, covered, tokens, clues[:turn, 1])
        if word < 0:
            break
        _write(clues[turn], (giving, word, number, *near))
        _write(scores[turn], told)
        moves[moved] = CLUE
        turn, moved = turn + 1, moved + 1
        _hear(guesser, word, first_rare, felt[guessing, count[guessing]])
        _write(heard[guessing, count[guessing]], (number, touchable, found[guessing]))
        count[guessing] += 1
        memory = felt[guessing], heard[guessing], count[guessing]
        moved, end = _guesses(guesser, giver, guessing, found, missed, memory, tokens, moves, moved)
        covered = found[0] | found[1]
        if end == _OVER or not (giver.greens | guesser.greens) & ~covered or not _paid(tokens, end == _MISSED):
            break
        giving = guessing if guesser.greens & ~covered else giving
    return moved


@loop
def _write(row, values):
    """Fill `row`; numba takes seconds to compile the assignment of a tuple to a row."""
    for place in range(len(values)):
        row[place] = values[place]


@loop
def _clue(bot, touchable, visible, covered, tokens, said):
    """The bot's clue for a partner who may touch `touchable`: its place, its number, the nearest greens, its scores."""
    tans = touchable & ~(bot.greens | bot.blacks)
    greens, blacks = bot.greens & touchable, bot.blacks & touchable
    if bot.by_margin:
        most = min(MOST_BY_MARGIN, luce.size(greens))
        word, number, value, near = margin_clue(
            bot.table, bot.rows, greens, tans, blacks, bot.places, bot.ends, visible, bot.never, most
        )
        return word, number, near, (np.float64(value), 0.0, 0.0)
    most, stakes = min(MOST, luce.size(greens)), bot.clue_stakes[_place(bot, covered, tokens)]
    never = np.concatenate((bot.never, said))
    word, number, value, near, hits, risk = expected_clue(
        bot.table, bot.rows, greens, tans, blacks, bot.places, bot.ends, visible, never, stakes, most
    )
    return word, number, near, (hits, risk, np.float64(value))


@loop
def _hear(bot, word, first_rare, cards):
    """Fill `cards` with what each is to a clue."""
    for card in range(CARD_COUNT):
        if word < first_rare:
            felt = bot.heard[bot.heard_rows[card], word]
        else:
            felt = bot.rare[bot.rare_rows[card], word - first_rare]
        cards[card] = felt if bot.by_margin else np.float32(np.float64(felt) ** _POWER)


@loop
def _guesses(bot, giver, seat, found, missed, memory, tokens, moves, moved):
    """The bot's touches for the last clue, until its turn ends: how many moves there are then, and the end."""
    plan = np.empty(AHEAD, np.int64)
    hits, left = np.int64(0), giver.greens & ~(found[0] | found[1])
    while left:
        planned = _plan(bot, seat, found, missed, left == 0, memory, tokens, hits, plan)
        for card in plan[:planned]:
            moves[moved] = card
            moved += 1
            if card == STOP:
                return moved, _STOPPED
            bit = 1 << card
            if giver.blacks & bit:
                return moved, _OVER
            if not giver.greens & bit:
                missed[seat] |= bit
                return moved, _MISSED
            found[seat] |= bit
            hits += 1
            left &= ~bit
            if not left or bot.greens & bit:  # found on its own side, too: it thinks again
                break
    return moved, _STOPPED


@loop
def _plan(bot, seat, found, missed, finished, memory, tokens, hits, plan):
    """Fill `plan` with the next cards to touch, or `STOP`; returns how many."""
    felt, heard, count = memory
    covered = found[0] | found[1]
    touchable = ALL_CARDS & ~(covered | missed[seat])
    if bot.by_margin:
        stops = hits >= max(heard[count - 1, 0], 1)
        plan[0] = STOP if stops else _nearest(felt[count - 1], touchable)
        return 1
    stakes = bot.guess_stakes[_place(bot, covered, tokens)]
    return plan_turn(
        bot.greens,
        bot.blacks,
        found[seat],
        missed[seat],
        covered,
        finished,
        felt,
        heard,
        count,
        touchable,
        stakes,
        hits == 0,
        plan,
    )


@loop
def _nearest(felt, cards):
    """The one of `cards` that is felt most, the first of equals."""
    best = -1
    for card in range(CARD_COUNT):
        if cards >> card & 1 and (best < 0 or felt[card] > felt[best]):
            best = card
    return best


@loop
def _place(bot, covered, tokens):
    """Where the game stands for the bot: the place of its stakes."""
    own = luce.size(bot.greens & ~covered)
    return tokens[0], tokens[1], own, AGENTS - luce.size(covered) - own


@loop
def _paid(tokens, missed):
    """Take away what a turn costs; False where it cannot be paid (DUET §5)."""
    if missed and tokens[1]:
        tokens[1] -= 1
    elif missed:
        tokens[0] -= 2
    elif tokens[0]:
        tokens[0] -= 1
    else:
        tokens[1] -= 1
    return tokens[0] >= 0
