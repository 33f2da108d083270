"""What a clue without a vector is taken for."""

import pytest

from brushpass.semantics.backoff import back_off

COMMON = (
    "the of sand which st meal time mount real estate patrick hulk god rock roll battle music ice mountain".split()  # noqa: SIM905 - reads better
)
KNOWN = [*COMMON, *(f"filler{number}" for number in range(40_000)), "kamikaze", "ostrich"]
INDEX = {word: row for row, word in enumerate(KNOWN)}


@pytest.mark.parametrize(
    ("clue", "meant"),
    [
        ("hulk.", ["hulk"]),
        ("god's", ["god"]),
        ("god\u2019s", ["god"]),
        ("battle{-}music", ["battle", "music"]),
        ("rock{space}roll", ["rock", "roll"]),
        ("hulk!!!realestate", ["hulk", "real", "estate"]),
        ("realestate", ["real", "estate"]),
        ("stpatrick", ["st", "patrick"]),
        ("mealtime", ["meal", "time"]),
        ("mountian", ["mountain"]),
        ("moutain", ["mountain"]),
        ("kamakaze", ["kamikaze"]),
        ("mountains", ["mountain"]),
    ],
)
def test_people_inflect_join_misspell_and_decorate(clue, meant):
    assert [KNOWN[row] for row in back_off(clue, INDEX)] == meant


@pytest.mark.parametrize("clue", ["ostrch", "ive", "qzxv", "---", "''", "007", "h2o", "a" * 41, "{space}", "", "'s"])
def test_what_cannot_be_made_out_stays_unknown(clue):
    assert back_off(clue, INDEX) == ()
