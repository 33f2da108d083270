"""The dealing law: chi-square against DUET §2, with a fixed seed."""

import itertools
import math
import random
from collections import Counter

import pytest

from brushpass.duet.core.cards import PAIR_COUNTS
from brushpass.duet.core.keycard import KeyCard

DEALS = 12_000


def chi_square(counts: Counter, expected: dict) -> tuple[float, int]:
    """The statistic, and its degrees of freedom for freely filled cells."""
    assert set(counts) <= set(expected)
    return sum((counts[cell] - wanted) ** 2 / wanted for cell, wanted in expected.items()), len(expected) - 1


def quantile(freedom: int, normal: float) -> float:
    """The chi-square quantile at a normal one (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + normal * math.sqrt(spread)) ** 3


def fits(statistic: float, freedom: int) -> bool:
    """Within four standard deviations on both sides: neither biased nor too even."""
    return quantile(freedom, -4) < statistic < quantile(freedom, 4)


def pairs_of(key: KeyCard) -> list:
    return [(key.a.color(card), key.b.color(card)) for card in range(25)]


@pytest.fixture(scope="module")
def deals() -> list:
    rng = random.Random(20170101)
    return [pairs_of(KeyCard.deal(rng)) for _ in range(DEALS)]


def test_each_card_shows_each_pair_of_colors_as_often_as_the_key_has_it(deals):
    for card in range(25):
        counts = Counter(deal[card] for deal in deals)
        assert fits(*chi_square(counts, {pair: DEALS * count / 25 for pair, count in PAIR_COUNTS.items()})), card


def test_each_pair_of_colors_falls_on_every_card_alike(deals):
    for pair, count in PAIR_COUNTS.items():
        places = Counter(card for deal in deals for card in range(25) if deal[card] == pair)
        statistic, freedom = chi_square(places, dict.fromkeys(range(25), DEALS * count / 25))
        # A deal puts `count` of 25 cards without replacement: the counts vary less than free ones by this much.
        assert fits(statistic / (1 - (count - 1) / 24), freedom), pair


def test_the_places_of_two_single_cards_are_jointly_uniform(deals):
    singles = [pair for pair, count in PAIR_COUNTS.items() if count == 1]
    for one, other in itertools.combinations(singles, 2):
        joint = Counter((deal.index(one), deal.index(other)) for deal in deals)
        cells = dict.fromkeys(itertools.permutations(range(25), 2), DEALS / 600)
        assert fits(*chi_square(joint, cells)), (one, other)


def test_two_cards_show_two_pairs_jointly_as_drawn_without_replacement(deals):
    cells = {
        (one, other): DEALS * count * (PAIR_COUNTS[other] - (one == other)) / (25 * 24)
        for one, count in PAIR_COUNTS.items()
        for other in PAIR_COUNTS
        if PAIR_COUNTS[other] > (one == other)
    }
    for left, right in [(0, 1), (0, 24), (7, 12), (11, 13)]:
        joint = Counter((deal[left], deal[right]) for deal in deals)
        assert fits(*chi_square(joint, cells)), (left, right)


def test_the_check_would_notice_a_slightly_biased_dealer(deals):
    biased = [
        deal[1:] + deal[:1] if deal[0] == ("B", "B") and number % 4 == 0 else deal for number, deal in enumerate(deals)
    ]
    counts = Counter(deal[0] for deal in biased)
    assert not fits(*chi_square(counts, {pair: DEALS * count / 25 for pair, count in PAIR_COUNTS.items()}))
