"""The prior over the partner's key (DUET §9): the page's P1 to P5, and a count of all keys that fit."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from brushpass.duet.agents.belief import CluesHeard, partner_prior
from brushpass.duet.core.actions import Guess
from brushpass.duet.core.cards import COLOR_COUNTS, PAIR_COUNTS, SEATS, BySeat, Color, cards_of, mask_of
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.rules import new_game, step
from brushpass.duet.core.state import Setup
from brushpass.duet.observe import observe
from brushpass.duet.testing.strategies import play

A, B = SEATS
GREEN, TAN, BLACK = range(3)


@pytest.fixture
def view_of(f1, board, stub_law):
    """The view of a seat on F1 that has found and missed the given cards by own guesses."""

    def make(seat, found=(), missed=(), partner_found=()):
        state = replace(
            new_game(Setup(board, f1, law=stub_law)),
            found=BySeat(0, 0).put(seat, mask_of(found)).put(seat.other, mask_of(partner_found)),
            marks=BySeat(0, 0).put(seat, mask_of(missed)),
        )
        return observe(state, seat, ())

    return make


@pytest.mark.parametrize("seat", SEATS)
def test_before_any_guess_only_the_own_color_counts(view_of, seat):
    view = view_of(seat)
    prior = partner_prior(view)
    for card in range(25):
        own = view.key.color(card)
        chances = [PAIR_COUNTS[own, other] / COLOR_COUNTS[own] for other in (Color.GREEN, Color.TAN, Color.BLACK)]
        assert prior[:, card] == pytest.approx(chances)


def test_p1_an_own_assassin_found_green_leaves_the_others_tan_or_black(view_of):
    prior = partner_prior(view_of(A, found=[14]))
    assert prior[:, 14] == pytest.approx([1, 0, 0])
    assert prior[:, 15] == pytest.approx([0, 1 / 2, 1 / 2])
    assert prior[:, 16] == pytest.approx([0, 1 / 2, 1 / 2])


def test_p2_two_own_assassins_touched_make_the_third_black(view_of):
    prior = partner_prior(view_of(A, found=[14], missed=[16]))
    assert prior[:, 16] == pytest.approx([0, 1, 0])
    assert prior[:, 15] == pytest.approx([0, 0, 1])


def test_p3_own_tans_after_three_greens(view_of):
    prior = partner_prior(view_of(B, found=[3, 4, 5]))
    for card in (6, 7, 16, *range(18, 25)):
        assert prior[:, card] == pytest.approx([2 / 10, 7 / 10, 1 / 10])


def test_p4_own_greens_after_a_tan_and_a_green(view_of):
    prior = partner_prior(view_of(B, found=[0], missed=[9]))
    for card in (1, 2, *range(10, 15)):
        assert prior[:, card] == pytest.approx([2 / 7, 4 / 7, 1 / 7])


def test_p5_the_black_that_is_left_is_spread_over_the_cards_that_are_left(view_of):
    prior = partner_prior(view_of(B, found=[3, 4, 5, 6, 7], missed=[18, 19, 20, 21, 22]))
    for card in (16, 23, 24):
        assert prior[:, card] == pytest.approx([0, 2 / 3, 1 / 3])


def test_cards_the_partner_found_stay_unknown(view_of):
    assert partner_prior(view_of(A, partner_found=[0, 1])) == pytest.approx(partner_prior(view_of(A)))


def test_when_the_partner_is_finished_no_open_card_is_its_green(view_of):
    # B has found 3 to 8 by own guesses, A the three shared greens and one of its other greens, 9.
    prior = partner_prior(view_of(B, found=range(3, 9), partner_found=[0, 1, 2, 9]))
    for card in (10, 11, 12, 13, 14):
        assert prior[:, card] == pytest.approx([0, 5 / 6, 1 / 6])
    for card in (0, 1, 2, 9):
        assert prior[:, card] == pytest.approx([3 / 4, 5 / 24, 1 / 24])


def test_a_partner_known_not_to_be_finished_has_a_green_on_an_open_card(view_of):
    # B has found all of A's greens that it does not share; A has found all B's greens but 0 and 1.
    prior = partner_prior(view_of(B, found=range(3, 9), partner_found=[2, *range(9, 15)]))
    # Of the 84 places for three greens among nine cards, 35 lie on the seven found ones and are ruled out.
    assert prior[:, 0] == pytest.approx([28 / 49, 21 / 49 * 5 / 6, 21 / 49 * 1 / 6])


def placements(own_side, color, seen):
    """All ways the partner's colors can lie on the cards of own `color`, given those seen there, as dicts."""
    cards = [card for card in cards_of(own_side.mask(color)) if card not in seen]
    taken = Counter(seen[card] for card in seen if own_side.color(card) is color)
    left = {other: PAIR_COUNTS[color, other] - taken[other] for other in Color}
    for greens in itertools.combinations(cards, left[Color.GREEN]):
        rest = [card for card in cards if card not in greens]
        for blacks in itertools.combinations(rest, left[Color.BLACK]):
            yield {card: GREEN if card in greens else BLACK if card in blacks else TAN for card in cards}


def counted_prior(view):
    """The prior by counting every key that fits the own side, the own guesses and who is finished."""
    seen = view.seen()
    finished = view.seat.other in view.finished
    groups = [list(placements(view.key, color, seen)) for color in Color]
    covered = set(cards_of(view.covered))
    hidden = [[all(card in covered for card in way if way[card] == GREEN) for way in ways] for ways in groups]
    totals, all_hidden = [len(ways) for ways in groups], [sum(flags) for flags in hidden]
    prior = np.zeros((3, 25))
    for card, color in seen.items():
        prior["GTB".index(color), card] = 1
    for group, (ways, flags) in enumerate(zip(groups, hidden, strict=True)):
        others_total = np.prod([total for other, total in enumerate(totals) if other != group])
        others_hidden = np.prod([total for other, total in enumerate(all_hidden) if other != group])
        for way, way_hidden in zip(ways, flags, strict=True):
            bad = others_hidden if way_hidden else 0
            for card, color in way.items():
                prior[color, card] += bad if finished else others_total - bad
    return prior / prior.sum(axis=0)


def positions(board, stub_law):
    """Views from random games, early and late, with a finished side now and then."""
    rng = random.Random(7)
    while True:
        setup = Setup(board, KeyCard.deal(rng), Mission(11, 5), law=stub_law)
        played = play(setup, rng, rng.choice([(Color.GREEN, Color.TAN), (Color.GREEN,)]), rng.randrange(60))
        if played.state.phase not in (Phase.WON, Phase.LOST):
            yield observe(played.state, rng.choice(SEATS), played.history)


def test_the_prior_is_that_of_counting_all_keys(board, stub_law):
    cases = Counter()
    for view in positions(board, stub_law):
        full = all(
            sum(view.key.color(card) is own and color is Color.GREEN for card, color in view.seen().items())
            == PAIR_COUNTS[own, Color.GREEN]
            for own in (Color.TAN, Color.BLACK)
        )
        case = ("finished" if view.seat.other in view.finished else "not", full)
        if cases[case] < 8:
            cases[case] += 1
            live = [card for card in range(25) if not view.covered >> card & 1]
            expected, prior = counted_prior(view), partner_prior(view)
            assert prior[:, live] == pytest.approx(expected[:, live])
            assert prior == pytest.approx(expected)
        if set(cases) >= {("not", False), ("not", True), ("finished", True)} and min(cases.values()) == 8:
            break
    assert sum(cases.values()) == 24


def test_every_card_has_some_color(board, stub_law):
    for view in itertools.islice(positions(board, stub_law), 200):
        prior = partner_prior(view)
        assert (prior.shape, prior.dtype) == ((3, 25), np.float64)
        assert prior.sum(axis=0) == pytest.approx(np.ones(25))
        assert prior.min() >= 0


def test_clues_heard_late_are_those_heard_one_by_one(board, stub_law):
    """An agent that sits down in the middle of a game knows what one knows that was asked at every guess."""
    compared = 0
    for number in range(60):
        rng = random.Random(number)
        setup = Setup(board, KeyCard.deal(rng), Mission(11, 5), law=stub_law)
        played = play(setup, rng, (Color.GREEN, Color.TAN), rng.randrange(10, 60))
        asked = {seat: CluesHeard(lambda clue, words: np.full(len(words), len(clue))) for seat in SEATS}
        state, history = new_game(setup), ()
        for seat, action in played.moves:
            if isinstance(action, Guess):
                asked[seat].hear(observe(state, seat, history))
            state, events = step(state, seat, action)
            history += events
        for seat in SEATS:
            late = CluesHeard(lambda clue, words: np.full(len(words), len(clue)))
            view = observe(state, seat, history)
            late.hear(view)
            asked[seat].hear(view)
            assert asked[seat].count == late.count == len(view.heard())
            assert np.array_equal(asked[seat].clues[: late.count], late.clues[: late.count])
            assert np.array_equal(asked[seat].weights[: late.count], late.weights[: late.count])
            compared += late.count
    assert compared > 100
