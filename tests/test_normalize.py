"""Words are compared folded and token by token."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brushpass.lexicon.normalize import fold, tokens, unaccented


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("  Ice \t Cream ", "ice cream"),
        ("STRASSE", "strasse"),
        ("stra\u00dfe", "strasse"),
        ("\uff22reak", "break"),  # a full-width letter
        ("CAFE\u0301", "caf\u00e9"),  # an accent typed apart
        ("\ufb01sh", "fish"),  # a ligature
        ("", ""),
    ],
)
def test_fold(written, folded):
    assert fold(written) == folded


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("New York", ("new", "york")),
        ("X-Ray", ("x", "ray")),
        ("jack\u2011in\u2013the box", ("jack", "in", "the", "box")),
        ("Rock\u2019n\u2019roll", ("rock'n'roll",)),
        (" - ", ()),
        ("", ()),
    ],
)
def test_tokens(written, parts):
    assert tokens(written) == parts


def test_accents_are_taken_off():
    assert unaccented("d\u00e9j\u00e0") == "deja"
    assert unaccented("plain") == "plain"
