import pytest
from cli_runner import run
from conftest import WORDS

from brushpass.lexicon.listcheck import check_list
from brushpass.lexicon.vocabulary import list_vocabularies
from brushpass.lexicon.wordlists import list_wordlists, load_wordlist, locate
from brushpass.semantics.mind import Mind


@pytest.fixture
def written(tmp_path):
    """Writes the usual 25 words and some more to a file."""

    def write(*more, words=WORDS):
        file = tmp_path / "list.txt"
        file.write_text("\n".join([*words, *more]) + "\n", encoding="utf-8")
        return file

    return write


def found(file):
    return [(one.kind, one.matters, one.entries) for one in check_list(file).findings]


def test_lists_of_both_kinds_are_listed():
    document = run("words", "list", "--json").document()
    assert {(row["of"], row["name"]) for row in document["lists"]} == {
        *(("cards", name) for name in list_wordlists()),
        *(("clues", name) for name in list_vocabularies()),
    }
    (english,) = [row for row in document["lists"] if row["name"] == "english"]
    assert english["words"] == len(load_wordlist("english").words)
    assert english["licence"] == "CC0-1.0"
    assert run("words", "list").out.splitlines()[0].split() == ["list", "of", "words", "lang", "licence", "sha256"]


def test_the_shipped_list_has_nothing_to_mend():
    told = run("words", "check", locate("english", "wordlists", kind="word list"))
    assert told.code == 0
    assert " 0 to mend, 0 remarks" in told.out


@pytest.mark.parametrize(
    ("more", "finding"),
    [
        (("ANCHOR",), ("twice", True, ("anchor", "ANCHOR"))),
        (("anchors",), ("forms", True, ("anchor", "anchors"))),
        (("mouse", "mice"), ("forms", True, ("mouse", "mice"))),
        (("France", "French"), ("forms", True, ("France", "French"))),
        (("New York", "york"), ("forms", True, ("New York", "york"))),
        (("york", "New York"), ("forms", True, ("york", "New York"))),
        (("ice cream", "icecream"), ("forms", True, ("ice cream", "icecream"))),
        (("horseshoe", "shoe"), ("parts", False, ("horseshoe", "shoe"))),
        (("book", "notebook"), ("parts", False, ("book", "notebook"))),
        (("--",), ("no word", True, ("--",))),
        (("a\x07b",), ("control", True, ())),
    ],
)
def test_what_clashes_is_found(written, more, finding):
    assert found(written(*more)) == [finding]


@pytest.mark.parametrize(
    "more", [("New York", "New Delhi"), ("ear",), ("bear", "ear"), ("# anchor",), ("",), ("knight",)]
)
def test_what_does_not_clash_is_left_alone(written, more):
    assert found(written(*more)) == []


def test_many_alike_are_told_one_by_one_with_their_lines(written):
    file = written("anchors", "anchored", "anchoring")
    checked = check_list(file)
    assert [one.entries for one in checked.findings] == [
        ("anchor", word) for word in ("anchors", "anchored", "anchoring")
    ]
    assert checked.findings[0].lines == (1, 26)
    told = run("words", "check", file)
    assert told.code == 1
    assert "mend: anchor (line 1) and anchors (line 26) are forms of one word" in told.out
    assert f"{file}: 28 entries, 3 to mend, " in told.out


def test_too_few_and_a_wrong_encoding_are_to_be_mended(tmp_path, written):
    assert found(written(words=WORDS[:24])) == [("few", True, ())]
    file = tmp_path / "latin.txt"
    file.write_bytes("\n".join([*WORDS, "café"]).encode("latin-1"))
    told = run("words", "check", file)
    assert told.code == 1
    assert "not UTF-8" in told.out
    assert run("words", "check", file, "--json").document()["findings"][0]["kind"] == "encoding"


def test_words_that_no_model_knows_matter_and_those_of_one_model_are_a_remark(written, monkeypatch):
    file = written("xqzzyv", "qqwxz")
    told = run("words", "check", file)
    assert told.code == 1
    assert "no model knows xqzzyv, qqwxz" in told.out
    document = run("words", "check", file, "--json").document()
    assert all(entries == ["xqzzyv", "qqwxz"] for entries in document["unknown"].values())
    monkeypatch.setattr(Mind, "knows", lambda self, word: not (self.name == "glove" and word == "zipper"))
    told = run("words", "check", written())
    assert told.code == 0
    assert "remark: model glove does not know zipper" in told.out


def test_an_umlaut_in_two_spellings_is_one_word(written):
    assert found(written("A\u030angstro\u0308m", "Ångström")) == [("twice", True, ("Ångström", "Ångström"))]


def test_the_text_is_short_and_the_document_whole(written):
    file = written(words=[f"{word}{end}" for word in WORDS for end in ("", "s")])
    assert "and 5 more of kind forms; --json has all" in run("words", "check", file).out
    assert (
        len([one for one in run("words", "check", file, "--json").document()["findings"] if one["kind"] == "forms"])
        == 25
    )
