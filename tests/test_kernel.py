import itertools

import numpy as np
import pytest

from brushpass.duet.agents import kernel, luce
from brushpass.duet.agents.luce import BLACK, GREEN, OUT, TAN

WORDS = 1000


@pytest.fixture
def compiled():
    before = kernel.engine()
    kernel.compile_kernels()
    yield kernel.engine()
    kernel.use_engine(before)


def random_board(seed):
    rng = np.random.default_rng(seed)
    roles = np.array([GREEN] * 9 + [TAN] * 13 + [BLACK] * 3, np.int8)
    roles[rng.random(25) < rng.random() * 0.8] = OUT
    roles[int(rng.integers(25))] = GREEN
    rng.shuffle(roles)
    scores = rng.normal(0, 0.15, (25, WORDS)).astype(np.float32)
    return scores, roles, rng.random(WORDS) < 0.1


def both(engine, question):
    answers = []
    for one in (kernel.REFERENCE, engine):
        kernel.use_engine(one)
        answers.append(question())
    return answers


@pytest.mark.parametrize("seed", range(20))
def test_compiled_search_finds_the_reference_clue(compiled, seed):
    scores, roles, barred = random_board(seed)
    weights = np.exp(scores / np.float32(0.1))
    most = min(4, int((roles == GREEN).sum()))
    reference, fast = both(
        compiled,
        lambda: kernel.best_expected(weights, roles, barred, tan_cost=0.3, black_cost=4.0, most=most),
    )
    assert fast[:2] == reference[:2]
    assert fast.value == pytest.approx(reference.value, rel=1e-4)
    reference, fast = both(compiled, lambda: kernel.best_margin(scores, roles, barred, most=min(most, 3)))
    assert fast[:2] == reference[:2]


@pytest.mark.parametrize("seed", range(20))
def test_compiled_loops_equal_the_interpreted_ones(compiled, seed):
    scores, roles, _ = random_board(seed)
    column = np.exp(scores[:, 0] / np.float32(0.1))
    for number in range(5):
        expected = luce.turn_of_four(column, roles, number)
        assert compiled.turn_of_four(column, roles, number) == pytest.approx(expected, rel=1e-6)
    rng = np.random.default_rng(seed)
    belief = rng.dirichlet((2, 3, 1), 25).T.copy()
    felt = rng.normal(0, 2, (3, 25))
    arguments = (
        np.array([1, -1, 1], np.int8),
        np.array([2, 1, 3], np.int8),
        np.array([(1 << 25) - 1, 0b1010101, 0], np.int64),
    )
    slow, fast = belief.copy(), belief.copy()
    luce.hear(slow, felt, *arguments)
    compiled.hear(fast, felt, *arguments)
    np.testing.assert_allclose(fast, slow, rtol=1e-9)
    np.testing.assert_allclose(slow.sum(0), 1)


def test_barred_words_are_never_said():
    scores, roles, _ = random_board(3)
    weights = np.exp(scores)
    barred = np.ones(WORDS, bool)
    barred[17] = False
    assert kernel.best_expected(weights, roles, barred, tan_cost=0, black_cost=4, most=1).place == 17
    assert kernel.best_margin(scores, roles, barred, most=3).place == 17
    barred[17] = True
    assert kernel.best_expected(weights, roles, barred, tan_cost=0, black_cost=4, most=1).place == -1
    assert kernel.best_margin(scores, roles, barred, most=3).place == -1


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
