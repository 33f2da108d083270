import random

import pytest
from hypothesis import given

from brushpass.duet.core.cards import COLOR_COUNTS, PAIR_COUNTS, Color, KeySide, Seat, cards_of
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.testing.strategies import key_cards
from brushpass.errors import InvalidSetup


@given(key_cards())
def test_a_dealt_key_has_the_pair_counts(key):
    pairs = [(key.a.color(card), key.b.color(card)) for card in range(25)]
    assert {pair: pairs.count(pair) for pair in PAIR_COUNTS} == PAIR_COUNTS
    for side in (key.a, key.b):
        assert {color: side.mask(color).bit_count() for color in Color} == COLOR_COUNTS
    assert key.agents.bit_count() == 15
    assert (key.a.blacks | key.b.blacks).bit_count() == 5


@given(key_cards())
def test_parse_undoes_the_text_form(key):
    assert KeyCard.parse(str(key.a), str(key.b)) == key


def test_a_seat_sees_its_own_face(f1):
    assert (f1.side(Seat.A), f1.side(Seat.B)) == (f1.a, f1.b)
    assert cards_of(f1.agents) == (*range(15),)


def test_a_turned_key_is_a_key(f1):
    assert KeyCard(f1.b, f1.a).agents == f1.agents


def test_equal_generators_deal_equal_keys():
    assert KeyCard.deal(random.Random(5)) == KeyCard.deal(random.Random(5))
    assert KeyCard.deal(random.Random(5)) != KeyCard.deal(random.Random(6))


def test_two_good_sides_that_do_not_fit_are_refused(f1):
    with pytest.raises(InvalidSetup, match="9 cards are G for A and G for B; there must be 3"):
        KeyCard.parse(str(f1.a), str(f1.a))


def test_a_key_made_of_bad_sides_is_refused(f1):
    with pytest.raises(InvalidSetup):
        KeyCard(KeySide(greens=0, blacks=0), f1.b)
    with pytest.raises(InvalidSetup):
        KeyCard.parse(str(f1.a), "")
