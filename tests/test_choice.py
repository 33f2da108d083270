import numpy as np
import pytest

from brushpass.semantics.choice import log_probabilities, probabilities

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
