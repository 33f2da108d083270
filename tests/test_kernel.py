import itertools
import random

import numpy as np
import pytest

from brushpass.duet.agents import belief, kernel, luce
from brushpass.duet.core.cards import ALL_CARDS, cards_of, mask_of
from brushpass.duet.core.keycard import KeyCard

WORDS = 1000
STAKES = np.array([[1, 1.2, 1.5, 1.3], [0.3, 0, 0.1, 0.4], [2, 3, 4, 6]], np.float32)


@pytest.fixture(scope="module")
def compiled():
    before = kernel.engine()
    kernel.compile_kernels()
    yield kernel.engine()
    kernel.use_engine(before)


def random_board(seed):
    """Scores of 40 cards and of none, and a board: rows, greens, tans, blacks, and what is barred."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 0.15, (41, WORDS)).astype(np.float32)
    scores[-1] = -np.inf
    groups = np.split(rng.permutation(25), [9, 22])
    left = [group[rng.random(len(group)) > rng.random() * 0.8].tolist() for group in groups]
    greens, tans, blacks = map(mask_of, (left[0] or [int(groups[0][0])], *left[1:]))
    barred = rng.permutation(WORDS)[:100], np.arange(4, 104, 4), int(rng.integers(1 << 25)), rng.permutation(WORDS)[:9]
    return scores, (rng.permutation(40)[:25], greens, tans, blacks, *barred)


def barring(places):
    nothing = np.array([], np.intp)
    return nothing, np.zeros(25, np.intp), 0, np.array(places, np.intp)


def weights_of(scores):
    return np.exp(scores / np.float32(0.1))


@pytest.mark.parametrize("seed", range(20))
def test_compiled_searches_find_the_reference_clues(compiled, seed):
    scores, board = random_board(seed)
    most = min(4, board[1].bit_count())
    reference = kernel.expected_clue(weights_of(scores), *board, STAKES, most)
    fast = compiled.expected_clue(weights_of(scores), *board, STAKES, most)
    assert fast == reference
    reference = kernel.margin_clue(scores, *board, min(most, 3))
    assert compiled.margin_clue(scores, *board, min(most, 3)) == reference


def test_compiled_search_takes_more_bystanders_than_a_key_has(compiled):
    scores, (rows, _, _, _, *barred) = random_board(1)
    board = (rows, mask_of(range(5)), mask_of(range(5, 22)), mask_of(range(22, 25)), *barred)
    reference = kernel.expected_clue(weights_of(scores), *board, STAKES, 4)
    fast = compiled.expected_clue(weights_of(scores), *board, STAKES, 4)
    assert fast[:2] == reference[:2]


def test_words_are_barred_by_visible_cards_and_outright(compiled):
    places, ends = np.array([1, 2, 3, 5, 8]), np.array([2, 4, 5])
    for bar in (luce.bar, compiled.bar):
        values = np.zeros(10, bool)
        bar(values, True, places, ends, 0b101, np.array([9]))
        assert np.flatnonzero(values).tolist() == [1, 2, 8, 9]


def test_of_equal_words_the_first_is_found(compiled):
    scores, (*board, _, _, _, _) = random_board(4)
    scores[:, 500:] = scores[:, :500]
    for engine in (kernel.REFERENCE, compiled):
        assert engine.expected_clue(weights_of(scores), *board, *barring([]), STAKES, 1).place < 500
        assert engine.margin_clue(scores, *board, *barring([]), 1).place < 500


def test_barred_words_are_never_said(compiled):
    scores, (*board, _, _, _, _) = random_board(3)
    everything = np.arange(WORDS)
    for engine in (kernel.REFERENCE, compiled):
        for barred, place in ((np.delete(everything, 17), 17), (everything, -1)):
            assert engine.expected_clue(weights_of(scores), *board, *barring(barred), STAKES, 1).place == place
            assert engine.margin_clue(scores, *board, *barring(barred), 1).place == place


def test_the_nearest_cards_come_nearest_first_and_the_lowest_of_equals():
    weights = np.array([1, 5, 3, 5, 4, 2], np.float32)
    assert luce.nearest(weights, 0b111111) == (1, 3, 4, 2)
    assert luce.nearest(weights, 0b100101) == (2, 5, 0, -1)
    assert luce.nearest(weights, 0) == (-1, -1, -1, -1)


def random_position(seed):
    """What a seat knows, and three clues of its partner, as `best_guess` takes them."""
    rng = np.random.default_rng(seed)
    keys = KeyCard.deal(random.Random(seed))
    found, missed = (mask_of(cards_of(mask)[:4]) for mask in (keys.b.greens, keys.b.tans))
    covered = found | mask_of(cards_of(keys.a.greens)[: seed % 5])
    return (
        *(keys.a.greens, keys.a.blacks, found, missed, covered, not keys.b.greens & ~covered),
        np.exp(rng.normal(0, 2, (11, 25))),
        np.array([[3, ALL_CARDS, 0], [0, 0b1010101, found & 3], [4, ALL_CARDS & ~7, found & 7], *[[9, 9, 9]] * 8]),
        3,
    )


@pytest.mark.parametrize("seed", range(30))
def test_compiled_guesses_equal_the_interpreted_ones(compiled, seed):
    position = random_position(seed)
    for cards in (1 << 7, 0b11011, (1 << 25) - 1):
        for stakes in np.array([[1, 0, 0], [1, 0.3, 4]], np.float32):
            card, worth = belief.best_guess(*position, cards, stakes)
            assert compiled.best_guess(*position, cards, stakes) == (card, pytest.approx(worth))
            assert cards >> card & 1


@pytest.mark.parametrize("must_guess", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_a_planned_turn_is_that_of_guessing_card_by_card(compiled, seed, must_guess):
    own_greens, own_blacks, found, missed, covered, *rest = random_position(seed)
    stakes = np.array([[1, 1, 1, 1], [0.2, 0.3, 0.4, 0.5], [1.5, 2, 2.5, 3]], np.float32)
    stakes[1:] *= 1 + seed % 4
    cards, one_by_one = ALL_CARDS & ~(covered | missed), []
    for touch in range(4):
        mine = found | mask_of(one_by_one)
        sunk = covered | mask_of(one_by_one)
        position = own_greens, own_blacks, mine, missed, sunk, *rest, cards & ~sunk
        card, worth = belief.best_guess(*position, stakes[:, touch])
        if worth <= 0 and (one_by_one or not must_guess):
            one_by_one.append(belief.STOP)
            break
        one_by_one.append(card)
    for plan_turn in (belief.plan_turn, compiled.plan_turn):
        plan = np.empty(4, np.int64)
        known = own_greens, own_blacks, found, missed, covered
        planned = plan_turn(*known, *rest, cards, stakes, must_guess, plan)
        assert plan[:planned].tolist() == one_by_one


def simulated_turn(weights, greens, tans, blacks, number):
    """All orders in which cards can be touched, each with its probability."""
    hits = risk = 0.0

    def touch(probability, left, open_cards):
        nonlocal hits, risk
        total = sum(weights[card] for card in open_cards)
        for card in open_cards:
            p = probability * weights[card] / total
            if blacks >> card & 1:
                risk += p
            if greens >> card & 1:
                hits += p
                rest = [other for other in open_cards if other != card]
                if left > 1 and any(greens >> other & 1 for other in rest):
                    touch(p, left - 1, rest)

    touch(1.0, number, cards_of(greens | tans | blacks))
    return hits, risk


@pytest.mark.parametrize(("greens", "tans", "blacks"), [(1, 2, 1), (2, 3, 1), (3, 0, 0), (4, 3, 2), (5, 2, 1)])
def test_a_turn_is_worth_what_enumeration_says(greens, tans, blacks):
    rng = np.random.default_rng(greens)
    ends = np.cumsum([greens, blacks, tans]).tolist()
    roles = mask_of(range(ends[0])), mask_of(range(ends[1], ends[2])), mask_of(range(ends[0], ends[1]))
    weights = rng.random((ends[2] + 2, 2)).astype(np.float32) + np.float32(0.1)
    hits, risk = np.empty((3, 2)), np.empty((3, 2))
    luce.turns_of_three(weights[:-2].astype(float), greens, blacks, hits, risk)
    for number, word in itertools.product((1, 2, 3, 4), (0, 1)):
        expected = simulated_turn(weights[:, word], *roles, number)
        assert luce.turn_of_four(weights[:, word], *roles, number) == pytest.approx(expected, rel=1e-5)
        if number < 4:
            assert (hits[number - 1, word], risk[number - 1, word]) == pytest.approx(expected, rel=1e-5)


def test_inclusion_adds_up_to_the_count_and_follows_the_weights():
    rates = np.array([5.0, 1.0, 1.0, 0.5, 0.0])
    included = np.empty(5)
    for count in (0.5, 1, 2, 3):
        luce.include(rates, count, included)
        assert included.sum() == pytest.approx(count, abs=1e-4)
        assert list(included) == sorted(included, reverse=True)
        assert included[4] == 0
    luce.include(rates, 4, included)
    assert included.tolist() == [1, 1, 1, 1, 0]
    luce.include(rates, 0, included)
    assert included.tolist() == [0] * 5


@pytest.mark.parametrize(("number", "higher"), [(1, True), (0, False)])
def test_a_clue_raises_the_cards_near_it_and_a_zero_lowers_them(number, higher):
    belief = np.repeat([[0.4], [0.5], [0.1]], 25, axis=1)
    weights = np.ones((1, 25))
    weights[0, 3] = 50.0
    luce.hear(belief, weights, np.array([[number, ALL_CARDS, 0]]), 1, 0, 0)
    assert bool(belief[0, 3] > belief[0, 4]) is higher
    assert belief[2, 3] == pytest.approx(belief[1, 3] / 5)
    np.testing.assert_allclose(belief.sum(axis=0), 1)


def test_a_clue_means_the_greens_still_missing_among_the_cards_it_could_mean():
    prior = np.repeat([[0.4], [0.5], [0.1]], 25, axis=1)
    weights = np.ones((2, 25))
    first, second = [2, ALL_CARDS & ~0b1, 0b0001], [1, ALL_CARDS & ~0b111, 0b0111]  # 1 and 2 were found for the first
    belief = prior.copy()
    luce.hear(belief, weights, np.array([first, second]), 2, 0b0111, 0b1000)
    assert np.array_equal(belief[:, :4], prior[:, :4])
    assert (belief[0, 4:] > 0.4).all()
    again = prior.copy()
    luce.hear(again, weights[:1], np.array([second]), 1, 0b0111, 0b1000)
    assert np.array_equal(belief, again)
