"""Word families: the table that ships, what computes it, and the look-up beneath."""

import random
import subprocess
import sys
from importlib.metadata import version

import pytest

from brushpass.errors import CorruptData
from brushpass.lexicon import families, morphology
from brushpass.lexicon.sortedlines import SortedLines
from brushpass.lexicon.vocabulary import load_vocabulary


def piece(word: str) -> bool:
    row = families.table().get(word)
    return row is not None and not row.endswith(families.NO_PIECE)


def known_words() -> list[str]:
    return [name for name in families.table().names() if name[0].isalpha()]


def test_the_table_is_what_the_libraries_compute():
    made_with = f"simplemma {version('simplemma')}, snowballstemmer {version('snowballstemmer')}"
    if made_with not in families.table().header:
        pytest.skip("the table was made with other versions of the libraries")
    for word in random.Random(3).sample(known_words(), 1_000):
        parts, exact = morphology.parts(word, piece)
        assert families.kin(word) == families.Kin(morphology.keys(word), parts, exact), word


def test_the_table_knows_some_sixty_thousand_words():
    assert 60_000 <= len(known_words()) <= 70_000
    assert families.known("horse")
    assert not families.known("quux")
    assert not families.known("=horse\t")


def test_known_words_need_no_library():
    script = (
        "import sys\n"
        "from brushpass.duet.core.cluelaw import ClueLaw\n"
        "from brushpass.lexicon.families import barred_by\n"
        "from brushpass.lexicon.vocabulary import load_vocabulary\n"
        "vocabulary = load_vocabulary()\n"
        "assert barred_by('horseshoe', vocabulary, True) and ClueLaw().check('castle', ['mouse']).legal\n"
        "heavy = {'simplemma', 'snowballstemmer', 'numpy', 'gensim', 'sklearn', 'typer'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    ("unknown", "base"),
    [
        ("snorkelers", "snorkel"),
        ("kayakings", "kayak"),
        ("mouse's", "mouse"),
        ("café", "cafe"),
        ("walruses'", "walrus"),
    ],
)
def test_words_outside_the_table_are_computed(unknown, base):
    assert not families.known(unknown)
    assert families.related(unknown, base)
    assert families.related(base, unknown)


def test_unknown_words_are_related_to_themselves_alone():
    assert families.related("quux", "quux")
    assert not families.related("quux", "frobnicator")


@pytest.mark.parametrize(
    ("whole", "in_all_forms", "as_written"),
    [
        ("sunflower", {"sun", "flower"}, set()),
        ("carpet", {"car", "pet"}, set()),
        ("tonight", {"night"}, set()),
        ("heart", set(), {"art"}),
        ("banking", set(), set()),  # never BAN+KING
        ("bear", set(), set()),
        ("sunflowers", {"sun", "flower"}, set()),
    ],
)
def test_parts(whole, in_all_forms, as_written):
    family = families.kin(whole)
    assert (set(family.parts), set(family.exact)) == (in_all_forms, as_written)


def test_being_related_is_mutual():
    words = random.Random(5).sample(known_words(), 400)
    for word in words:
        for other in families.relatives(word):
            if families.known(other):
                assert word in families.relatives(other), (word, other)


def test_barred_places_are_ascending_and_asked_once_a_word():
    vocabulary = load_vocabulary()
    barred = families.barred_by("HORSESHOE", vocabulary)
    assert list(barred) == sorted(set(barred))
    assert {"horse", "shoe", "horseshoe"} <= {vocabulary.words[place] for place in barred}
    assert families.barred_by("horseshoe", vocabulary) == barred


def test_exception_lists_are_sound():
    derivations, unrelated = (morphology.load_members(name) for name in ("derivations", "unrelated"))
    assert all(len(lines) == 1 for lines in unrelated.values()), "a word stands alone on one line"
    assert all(word == word.lower() for word in (*derivations, *unrelated))


def test_looking_up_every_line_of_a_sorted_file(tmp_path):
    path = tmp_path / "lines.txt"
    rows = {name: name.upper() for name in ("=a", "a", "ab", "abc", "b", "é", "zz")}
    path.write_text("# head\n\n" + "".join(f"{name}\t{rows[name]}\n" for name in sorted(rows, key=str.encode)), "utf-8")
    lines = SortedLines(path)
    assert {name: lines.get(name) for name in rows} == rows
    assert [lines.get(name) for name in ("", "# head", "aa", "abcd", "c", "zzz", "A", "\ud800")] == [None] * 8
    assert lines.names() == sorted(rows, key=str.encode)


def test_looking_up_every_line_of_a_long_file(tmp_path):
    path = tmp_path / "lines.txt"
    names = [f"{number:05}" for number in range(0, 6000, 3)]
    path.write_text("# head\n\n" + "".join(f"{name}\t{name} {name}\n" for name in names), "utf-8")
    lines = SortedLines(path)
    assert [lines.get(name) for name in names] == [f"{name} {name}" for name in names]
    assert not any(f"{number:05}" in lines for number in range(1, 6000, 3))


@pytest.mark.parametrize("content", [b"", b"# head\n", b"a\tb\n", b"# head\n\na\tb"])
def test_a_damaged_table_is_one_clear_line(tmp_path, content):
    path = tmp_path / "families.txt"
    path.write_bytes(content)
    with pytest.raises(CorruptData, match="reinstall brushpass"):
        SortedLines(path)
    with pytest.raises(CorruptData, match="reinstall brushpass"):
        SortedLines(tmp_path / "missing.txt")
