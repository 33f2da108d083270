"""Reading word lists: what is tolerated, what is refused, and in which words."""

from itertools import combinations
from pathlib import Path

import pytest

from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.errors import CorruptData, UnknownName
from brushpass.lexicon.families import known
from brushpass.lexicon.wordlists import list_wordlists, load_wordlist

ENTRIES = [f"entry {chr(97 + n)}" for n in range(25)]


def write(folder: Path, lines: list[str], *, encoding: str = "utf-8", name: str = "mine.txt") -> Path:
    path = folder / name
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


def test_the_english_list_is_what_it_says():
    english = load_wordlist("english")
    assert (english.name, english.lang, english.licence) == ("english", "en", "CC0-1.0")
    assert len(english.words) >= 420
    assert all(word.isalpha() and word.islower() for word in english.words)
    assert all(map(known, english.words))


def test_no_two_english_cards_are_forms_of_one_word():
    words = load_wordlist("english").words
    law = ClueLaw()
    assert not [pair for pair in combinations(words, 2) if law.check(pair[0], [pair[1]]).code in {"L2", "L3"}]


def test_names_compare_folded_and_are_listed():
    assert "english" in list_wordlists()
    assert load_wordlist("English") == load_wordlist("english")


def test_a_user_list_is_read_as_the_format_says(tmp_path):
    lines = [
        "\ufeff# name: Mine",
        "# lang: de",
        "# licence: CC0-1.0",
        "# source: me",
        "# a remark",
        "",
        "  Ice   Cream ",
        "ice cream",
        "CAFE\u0301",
        "# name: not a header any more",
        *ENTRIES,
        "ENTRY A",
    ]
    listed = load_wordlist(write(tmp_path, lines))
    assert (listed.name, listed.lang, listed.licence, listed.source) == ("Mine", "de", "CC0-1.0", "me")
    assert listed.words == ("Ice Cream", "Caf\u00e9".upper(), *ENTRIES)


def test_a_list_without_header_is_named_after_its_file(tmp_path):
    listed = load_wordlist(str(write(tmp_path, ENTRIES)))
    assert (listed.name, listed.lang, listed.licence) == ("mine", "und", "unknown")


def test_windows_lines_and_tabs_are_fine(tmp_path):
    listed = load_wordlist(write(tmp_path, [*[f"{entry}\r" for entry in ENTRIES], "hot\tdog"]))
    assert listed.words == (*ENTRIES, "hot dog")


def test_comments_do_not_change_the_hash_but_words_do(tmp_path):
    plain = load_wordlist(write(tmp_path, ENTRIES))
    assert load_wordlist(write(tmp_path, ["# name: other", *ENTRIES])).sha256 == plain.sha256
    assert load_wordlist(write(tmp_path, [*ENTRIES, "more"])).sha256 != plain.sha256


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "0 distinct entries; a board needs 25"),
        (b"\n".join([b"same", b"SAME", b" same "] * 20), "1 distinct entries"),
        ("\n".join(ENTRIES).encode("utf-16"), "not UTF-8"),
        (b"caf\xe9\n" * 30, "not UTF-8 text"),
        (b"one\0two\n" * 30, "NUL"),
        (b"\x1b[31mred\n", "line 1 holds control characters"),
    ],
)
def test_bad_files_get_one_clear_line(tmp_path, content, message):
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(CorruptData, match=message) as caught:
        load_wordlist(path)
    assert "\n" not in str(caught.value)
    assert "bad.txt" in str(caught.value)


def test_missing_files_and_folders_are_told_apart(tmp_path):
    with pytest.raises(CorruptData, match="no such file"):
        load_wordlist(str(tmp_path / "none.txt"))
    with pytest.raises(CorruptData, match="folder"):
        load_wordlist(tmp_path)


def test_an_unknown_name_lists_near_matches():
    with pytest.raises(UnknownName, match=r"unknown word list 'englisch'; did you mean english\?"):
        load_wordlist("englisch")
    with pytest.raises(UnknownName, match="unknown word list ''"):
        load_wordlist("")


def test_the_data_folder_of_the_user_is_searched_first(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    (tmp_path / "wordlists").mkdir()
    write(tmp_path / "wordlists", ENTRIES, name="kitchen.txt")
    assert "kitchen" in list_wordlists()
    assert load_wordlist("kitchen").words == tuple(ENTRIES)


def test_a_file_here_without_suffix_is_found_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ENTRIES, name="mywords")
    assert load_wordlist("mywords").words == tuple(ENTRIES)
