import pytest
from hypothesis import given
from hypothesis import strategies as st

from brushpass.duet.core.cards import (
    ALL_CARDS,
    BITS,
    CARD_COUNT,
    COLOR_COUNTS,
    PAIR_COUNTS,
    SEATS,
    BySeat,
    Color,
    KeySide,
    Seat,
    cards_of,
    mask_of,
)
from brushpass.errors import InvalidSetup

F1_A = "GGGGGGGGGTTTTTBBBTTTTTTTT"


def test_the_other_seat():
    assert (Seat.A.other, Seat.B.other) == (Seat.B, Seat.A)
    assert tuple(Seat) == SEATS


def test_the_pair_counts_are_those_of_the_rules_page():
    rows = {own: [PAIR_COUNTS[own, other] for other in (Color.GREEN, Color.TAN, Color.BLACK)] for own in Color}
    assert rows == {Color.GREEN: [3, 5, 1], Color.TAN: [5, 7, 1], Color.BLACK: [1, 1, 1]}
    assert {own: sum(row) for own, row in rows.items()} == COLOR_COUNTS
    assert sum(COLOR_COUNTS.values()) == CARD_COUNT


def test_by_seat_gives_and_puts_one_seat():
    pair = BySeat(1, 2)
    assert (pair.of(Seat.A), pair.of(Seat.B)) == (1, 2)
    assert pair.put(Seat.A, 5) == BySeat(5, 2)
    assert pair.put(Seat.B, 5) == BySeat(1, 5)
    assert pair == BySeat(1, 2)


@given(st.sets(st.integers(0, 24)))
def test_masks_and_cards_say_the_same(cards):
    mask = mask_of(cards)
    assert cards_of(mask) == tuple(sorted(cards))
    assert mask_of(cards_of(mask)) == mask
    assert mask == sum(BITS[card] for card in cards)


def test_a_side_tells_the_color_of_each_card():
    side = KeySide.parse(F1_A)
    assert "".join(side.color(card) for card in range(CARD_COUNT)) == F1_A == str(side)
    for color in Color:
        assert [card for card, letter in enumerate(F1_A) if letter == color] == list(cards_of(side.mask(color)))
    assert side.greens | side.tans | side.blacks == ALL_CARDS


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("G" * 24, "not 25 letters"),
        ("G" * 26, "not 25 letters"),
        (F1_A.lower(), "not 25 letters"),
        (F1_A[:-1] + "X", "not 25 letters"),
        ("G" * 25, "25 green cards; a side has 9"),
        (F1_A.replace("GT", "GG", 1), "10 green cards"),
        (F1_A.replace("TB", "BB", 1), "12 tan cards"),
        (7, "not 25 letters"),
        (None, "not 25 letters"),
        (list(F1_A), "not 25 letters"),
    ],
)
def test_a_wrong_side_is_refused(text, says):
    with pytest.raises(InvalidSetup, match=says):
        KeySide.parse(text)
