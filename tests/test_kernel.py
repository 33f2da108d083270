import itertools

import numpy as np
import pytest

from brushpass.duet.agents import belief, kernel, luce
from brushpass.duet.agents.luce import BLACK, GREEN, OUT, TAN

WORDS = 1000


@pytest.fixture
def compiled():
    before = kernel.engine()
    kernel.compile_kernels()
    yield kernel.engine()
    kernel.use_engine(before)


def random_board(seed):
    """Scores of 40 cards and of none, the rows of 25 of them, their roles, and the places of barred words."""
    rng = np.random.default_rng(seed)
    roles = np.array([GREEN] * 9 + [TAN] * 13 + [BLACK] * 3, np.int8)
    roles[rng.random(25) < rng.random() * 0.8] = OUT
    roles[0] = GREEN
    rng.shuffle(roles)
    scores = rng.normal(0, 0.15, (41, WORDS)).astype(np.float32)
    scores[-1] = -np.inf
    return scores, rng.permutation(40)[:25], roles, rng.permutation(WORDS)[:100]


def both(engine, question):
    answers = []
    for one in (kernel.REFERENCE, engine):
        kernel.use_engine(one)
        answers.append(question())
    return answers


@pytest.mark.parametrize("seed", range(20))
def test_compiled_search_finds_the_reference_clue(compiled, seed):
    scores, rows, roles, barred = random_board(seed)
    weights = np.exp(scores / np.float32(0.1))
    most = min(4, int((roles == GREEN).sum()))
    reference, fast = both(
        compiled,
        lambda: kernel.best_expected(weights, rows, roles, barred, tan_cost=0.3, black_cost=4.0, most=most),
    )
    assert fast[:2] == reference[:2]
    assert fast.value == pytest.approx(reference.value, rel=1e-4)
    reference, fast = both(compiled, lambda: kernel.best_margin(scores, rows, roles, barred, most=min(most, 3)))
    assert fast == reference


def test_compiled_search_takes_more_bystanders_than_a_key_has(compiled):
    scores, rows, _, barred = random_board(1)
    weights = np.exp(scores / np.float32(0.1))
    roles = np.array([GREEN] * 5 + [TAN] * 17 + [BLACK] * 3, np.int8)
    reference, fast = both(
        compiled, lambda: kernel.best_expected(weights, rows, roles, barred, tan_cost=0.3, black_cost=4.0, most=4)
    )
    assert fast[:2] == reference[:2]


@pytest.mark.parametrize("seed", range(20))
def test_compiled_loops_equal_the_interpreted_ones(compiled, seed):
    scores, rows, roles, _ = random_board(seed)
    column = np.exp(scores[rows, 0] / np.float32(0.1))
    for number in range(5):
        expected = luce.turn_of_four(column, roles, number)
        assert compiled.turn_of_four(column, roles, number) == pytest.approx(expected, rel=1e-6)


def random_position(seed):
    """What a seat knows, and three clues of its partner."""
    rng = np.random.default_rng(seed)
    cards = rng.permutation(25)
    greens, blacks, found, missed = (
        sum(1 << int(card) for card in cards[part]) for part in np.split(range(18), [9, 12, 15])
    )
    covered = found | sum(1 << int(card) for card in cards[18:20])
    return (
        (greens, blacks, found, missed, covered, bool(seed % 3 == 0)),
        rng.normal(0, 2, (3, 25)),
        np.array([1, -1, 1], np.int8),
        np.array([2, 1, 3], np.int8),
        np.array([(1 << 25) - 1, 0b1010101, 0], np.int64),
    )


@pytest.mark.parametrize("seed", range(20))
def test_compiled_beliefs_equal_the_interpreted_ones(compiled, seed):
    known, *clues = random_position(seed)
    slow, fast = np.empty((3, 25)), np.empty((3, 25))
    belief.fill_belief(*known, *clues, slow)
    compiled.fill_belief(*known, *clues, fast)
    np.testing.assert_allclose(fast, slow, rtol=1e-9)
    np.testing.assert_allclose(slow.sum(0), 1)
    prior = np.empty((3, 25))
    belief.fill_prior(*known, prior)
    assert np.array_equal(slow, prior) == known[-1]
    for cards in (1 << 7, 0b11011, (1 << 25) - 1):
        card, worth = luce.best_card(slow, cards, 0.3, 4.0)
        assert compiled.best_card(slow, cards, 0.3, 4.0) == (card, pytest.approx(worth))
        assert cards >> card & 1


def test_barred_words_are_never_said():
    scores, rows, roles, _ = random_board(3)
    weights = np.exp(scores)
    barred = np.delete(np.arange(WORDS), 17)
    assert kernel.best_expected(weights, rows, roles, barred, tan_cost=0, black_cost=4, most=1).place == 17
    assert kernel.best_margin(scores, rows, roles, barred, most=3).place == 17
    barred = np.arange(WORDS)
    assert kernel.best_expected(weights, rows, roles, barred, tan_cost=0, black_cost=4, most=1).place == -1
    assert kernel.best_margin(scores, rows, roles, barred, most=3).place == -1


def simulated_turn(weights, roles, number):
    """All orders in which cards can be touched, each with its probability."""
    hits = risk = 0.0

    def touch(probability, left, open_cards, found):
        nonlocal hits, risk
        total = sum(weights[card] for card in open_cards)
        for card in open_cards:
            p = probability * weights[card] / total
            if roles[card] == BLACK:
                risk += p
            if roles[card] == GREEN:
                hits += p
                rest = [other for other in open_cards if other != card]
                if left > 1 and any(roles[other] == GREEN for other in rest):
                    touch(p, left - 1, rest, found + 1)

    touch(1.0, number, [card for card, role in enumerate(roles) if role != OUT], 0)
    return hits, risk


@pytest.mark.parametrize(("greens", "tans", "blacks"), [(1, 2, 1), (2, 3, 1), (3, 0, 0), (4, 3, 2), (5, 2, 1)])
def test_a_turn_is_worth_what_enumeration_says(greens, tans, blacks):
    rng = np.random.default_rng(greens)
    roles = np.array([GREEN] * greens + [BLACK] * blacks + [TAN] * tans + [OUT] * 2, np.int8)
    weights = rng.random((len(roles), 2)).astype(np.float32) + np.float32(0.1)
    hits, risk = np.empty((3, 2)), np.empty((3, 2))
    luce.turns_of_three(weights[:-2].astype(float), greens, blacks, hits, risk)
    for number, word in itertools.product((1, 2, 3, 4), (0, 1)):
        expected = simulated_turn(weights[:, word], roles, number)
        assert luce.turn_of_four(weights[:, word], roles, number) == pytest.approx(expected, rel=1e-5)
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


def test_a_clue_raises_the_cards_near_it_and_a_zero_lowers_them():
    prior = np.repeat([[0.4], [0.5], [0.1]], 25, axis=1)
    felt = np.zeros((1, 25))
    felt[0, 3] = 4.0
    everything = np.array([(1 << 25) - 1], np.int64)
    for sign, higher in ((1, True), (-1, False)):
        belief = prior.copy()
        luce.hear(belief, felt, np.array([sign], np.int8), np.array([1], np.int8), everything)
        assert bool(belief[0, 3] > belief[0, 4]) is higher
        assert belief[2, 3] == pytest.approx(belief[1, 3] / 5)
