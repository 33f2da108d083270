import itertools

import numpy as np
import pytest

from brushpass.semantics.choice import draw_order, log_probabilities, order_log_likelihood, probabilities

SCORES = np.array([0.4, 0.1, -0.2, 0.1])


def test_chances_follow_luce():
    chances = probabilities(SCORES, 0.1)
    assert chances.sum() == pytest.approx(1)
    assert chances[0] / chances[1] == pytest.approx(np.exp(3))
    assert chances[1] == chances[3]
    np.testing.assert_allclose(np.exp(log_probabilities(SCORES, 0.1)), chances)


def test_chances_are_taken_along_the_last_axis():
    table = probabilities([SCORES, -SCORES], 0.2)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    np.testing.assert_allclose(table[1], probabilities(-SCORES, 0.2))


def test_large_scores_do_not_overflow():
    np.testing.assert_allclose(probabilities([5000.0, 0.0], 0.001), [1, 0])


def test_orders_of_all_cards_sum_to_one():
    for length in (1, 2, 4):
        orders = itertools.permutations(range(4), length)
        assert sum(np.exp(order_log_likelihood(SCORES, order, 0.3)) for order in orders) == pytest.approx(1)


def test_a_second_guess_is_a_choice_among_the_rest():
    first = log_probabilities(SCORES, 0.2)[1]
    second = log_probabilities(SCORES[[0, 2, 3]], 0.2)[2]
    assert order_log_likelihood(SCORES, [1, 3], 0.2) == pytest.approx(first + second)


def test_drawn_orders_follow_the_model():
    rng = np.random.default_rng(3)
    orders = np.array([draw_order(SCORES, 0.2, rng) for _ in range(4000)])
    assert (np.sort(orders, axis=1) == np.arange(4)).all()
    shares = np.bincount(orders[:, 0], minlength=4) / len(orders)
    np.testing.assert_allclose(shares, probabilities(SCORES, 0.2), atol=0.03)
