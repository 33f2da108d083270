"""What a clue without a vector is taken for."""

import pytest

from brushpass.semantics.backoff import HOW, back_off, near_spellings, read, rows_of

COMMON = (
    "the of sand which st meal time mount real estate patrick hulk god rock roll battle music ice mountain oak".split()  # noqa: SIM905 - reads better
)
KNOWN = [*COMMON, "compound", *(f"filler{number}" for number in range(40_000)), "kamikaze", "ostrich"]
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
        ("mountiann", ["mountain"]),
        ("quercus", ["oak"]),
        ("h2o", ["compound"]),
    ],
)
def test_people_inflect_join_misspell_and_decorate(clue, meant):
    assert [KNOWN[row] for row in back_off(clue, INDEX)] == meant


@pytest.mark.parametrize("clue", ["ostrch", "ive", "qzxv", "---", "''", "007", "a" * 41, "{space}", "", "'s"])
def test_what_cannot_be_made_out_stays_unknown(clue):
    assert back_off(clue, INDEX) == ()


def test_how_a_word_was_made_out_is_told():
    told = {clue: read(clue, INDEX).how for clue in ("hulk.", "mountains", "mealtime", "moutain", "quercus", "qzxv")}
    assert list(told.values()) == ["marks", "form", "joined", "misspelt", "dictionary", "unknown"]
    assert set(told.values()) < set(HOW)


def test_a_word_of_the_dictionary_is_not_taken_as_misspelt():
    index = {"circus": 0, "oak": 1}
    assert back_off("quercus", index) == (1,)
    assert back_off("quercus", {"circus": 0}) == ()


@pytest.mark.parametrize(
    ("clue", "meant"),
    [
        ("miror", "mirror"),
        ("casle", "castle"),
        ("elefant", "elephant"),
        ("watter", "water"),
        ("brige", "bridge"),
        ("pinapple", "pineapple"),
        ("don't", "dont"),
    ],
)
def test_a_slip_that_people_often_make_counts_before_a_commoner_word(clue, meant):
    commoner = ["case", "minor", "elegant", "wetter", "brine", "pin", "apple", "don", "t"]
    rarer = ["mirror", "castle", "elephant", "water", "bridge", "pineapple", "dont"]
    index = {word: row for row, word in enumerate([*commoner, *rarer])}
    assert back_off(clue, index) == (index[meant],)


def test_two_words_run_together_count_before_an_odd_slip():
    others = {f"#{row}": row for row in range(4_000)}
    index = others | {"up": 50, "wake": 1_000, "makeup": 3_000, "which": 60, "sand": 1_500, "sandwich": 2_900}
    assert back_off("wakeup", index) == (1_000, 50)
    assert back_off("sandwhich", index) == (2_900,)


def test_what_is_only_a_little_alike_is_offered_and_not_taken():
    index = {word: row for row, word in enumerate(["station", "bicycle", "go", "st"])}
    for clue, near in (("staycation", ["station"]), ("bycicle", ["bicycle"]), ("gost", [])):
        assert back_off(clue, index) == ()
        assert near_spellings(clue, index) == near


def test_a_hyphen_after_a_letter_or_two_may_be_left_out():
    assert rows_of("wi-fi", {"wi": 0, "fi": 1, "wifi": 2}) == (2,)
    assert rows_of("sci-fi", {"sci": 0, "fi": 1, "scifi": 2}) == (0, 1)
    assert rows_of("t-shirt", {"t": 0, "shirt": 1}) == (0, 1)
    assert rows_of("ice-cream", {"ice": 0, "cream": 1, "icecream": 2}) == (0, 1)


def test_near_spellings_are_the_likeliest_or_else_the_likest():
    assert near_spellings("sandd", {"sands": 0, "sand": 1}) == ["sand", "sands"]
    assert near_spellings("cinammon", {"common": 0, "cinnamon": 1}) == ["cinnamon"]
    assert all(near_spellings(word, {"a": 0, "of": 1}) == [] for word in ("x" * 1000, "", "\u2603", "oh"))
