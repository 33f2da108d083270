import random

import pytest

from brushpass.duet.core.board import Board
from brushpass.errors import InvalidSetup


def test_a_board_keeps_its_words_as_written(board):
    words = ("New York", "Ångström", *board.words[2:])
    assert Board(words).words == words


def test_a_deal_draws_25_different_words_by_the_generator():
    pool = [f"word{number}" for number in range(60)]
    dealt = Board.deal(pool, random.Random(3))
    assert set(dealt.words) <= set(pool)
    assert dealt == Board.deal(pool, random.Random(3))
    assert dealt != Board.deal(pool, random.Random(4))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda words: words[:24], "25 words, not 24"),
        (lambda words: (*words, "extra"), "25 words, not 26"),
        (lambda words: ("ANCHOR", *words[:24]), "'ANCHOR' and 'anchor'"),
        (lambda words: (*words[:24], " anchor "), "must differ"),
        (lambda words: ("ﬁsh", "fish", *words[2:]), "must differ"),
        (lambda words: ("ice  cream", "Ice cream", *words[2:]), "must differ"),
        (lambda words: ("", *words[1:]), "'' is not a word"),
        (lambda words: (" \t", *words[1:]), "is not a word"),
        (lambda words: (5, *words[1:]), "5 is not a word"),
        (lambda words: (None, *words[1:]), "None is not a word"),
    ],
)
def test_a_wrong_board_is_refused(board, change, says):
    with pytest.raises(InvalidSetup, match=says):
        Board(change(board.words))


def test_a_deal_from_too_few_words_is_refused(board):
    with pytest.raises(InvalidSetup, match="24"):
        Board.deal(board.words[:24], random.Random(1))
