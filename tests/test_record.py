"""Records as lines: what is written, and what is read of lines that are no records."""

import json
from dataclasses import replace

import pytest

from brushpass import __version__
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import SEATS, Seat
from brushpass.duet.core.cluelaw import ClueLaw
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import LawMode, Order, TableRules
from brushpass.duet.record import GameRecord, Move, read_lines, read_record, read_records, replay, verify
from brushpass.duet.results import Tally
from brushpass.errors import CorruptData

A, B = SEATS


@pytest.fixture
def record(f1, board):
    """A short lost game: one green, a stop, a green, then the assassin."""
    return GameRecord(
        id="0-Prague-3",
        setup=Setup(board, f1, Mission(9, 9), A),
        moves=(
            Move(A, Clue("weather", 2)),
            Move(B, Guess(3)),
            Move(B, Stop()),
            Move(B, Clue("music", 1)),
            Move(A, Guess(9)),
            Move(A, Guess(15)),
        ),
        outcome=Outcome.LOST,
        reason=Reason.ASSASSIN,
        seed=77,
        city="Prague",
        agents=("random", "random"),
        trace=[{"targets": [3, 4]}, {"targets": []}],
    )


def test_a_line_holds_the_keys_of_the_interface_page(record, f1, board):
    line = record.to_line()
    assert "\n" not in line
    assert json.loads(line) == {
        "schema": 1,
        "id": "0-Prague-3",
        "game": "duet",
        "version": __version__,
        "seed": 77,
        "city": "Prague",
        "turns": 9,
        "mistakes": 9,
        "words": list(board.words),
        "key_a": str(f1.a),
        "key_b": str(f1.b),
        "first": "A",
        "rules": {"order": "alternate", "clue_law": "reject", "relax": []},
        "agents": ["random", "random"],
        "actions": [
            ["clue", "A", "weather", 2],
            ["guess", "B", 3],
            ["stop", "B"],
            ["clue", "B", "music", 1],
            ["guess", "A", 9],
            ["guess", "A", 15],
        ],
        "outcome": "lost",
        "reason": "assassin",
        "turns_used": 2,
        "score": None,
        "sudden_death": False,
        "trace": [{"targets": [3, 4]}, {"targets": []}],
    }


def test_reading_undoes_writing(record):
    assert read_record(record.to_line()) == record
    assert read_record(record.to_line()).to_line() == record.to_line()


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (Move(A, Clue("w", 0)), ["clue", "A", "w", 0]),
        (Move(B, Clue("w", 9), penalised=True), ["clue", "B", "w", 9, "penalty"]),
        (Move(A, Guess(24)), ["guess", "A", 24]),
        (Move(B, Stop()), ["stop", "B"]),
        (Move(A, Yield()), ["yield", "A"]),
    ],
)
def test_each_move_has_its_line(move, line):
    assert move.to_json() == line
    assert type(move.to_json()[1]) is str
    assert Move.read(line) == move


@pytest.mark.parametrize(
    "line",
    [
        *([], ["clue"], ["clue", "A"], ["clue", "A", "w"], ["clue", "A", "w", 1, 2], ["clue", "A", 5, 1]),
        *(["clue", "A", None, 1], ["clue", "C", "w", 1], ["clue", "a", "w", 1], ["clue", ["A"], "w", 1]),
        *(["clue", "A", "w", 1, "penalty", "penalty"], ["clue", "A", "w", 1, "PENALTY"]),
        *(["guess", "A"], ["guess", "A", 1, 2], ["guess", "A", 1, "penalty"], ["stop"], ["stop", "A", 1]),
        *(["yield", "A", "B"], ["pass", "A"], ["Clue", "A", "w", 1], [None, "A"], [["clue"], "A", "w", 1]),
        *([{}, {}], [1, 2], "stop", None, 5, {"stop": "A"}, [True, "A"]),
    ],
    ids=repr,
)
def test_what_is_no_move_is_refused(line):
    with pytest.raises(CorruptData, match="is not an action"):
        Move.read(line)


def test_turns_used_counts_clues(record):
    assert record.turns_used == 2


def test_the_first_seat_is_that_of_the_first_clue(record):
    opened = replace(record, setup=replace(record.setup, first=None))
    assert opened.first is Seat.A
    assert replace(opened, moves=(Move(B, Clue("w", 1)),)).first is Seat.B
    assert replace(opened, moves=()).first is Seat.A
    assert replace(record, setup=replace(record.setup, first=B), moves=()).first is Seat.B


def test_replay_tells_every_move_with_its_position_and_events(record):
    told = list(replay(record))
    assert [move for move, _, _ in told] == list(record.moves)
    assert [state.hits for _, state, _ in told] == [0, 1, 0, 0, 1, 1]
    assert [len(events) for _, _, events in told] == [1, 1, 1, 1, 1, 2]


def test_the_table_rules_are_kept(record):
    table = TableRules(Order.TWO_ONE, LawMode.PENALTY, frozenset({"compounds"}))
    ruled = replace(record, setup=replace(record.setup, rules=table, law=ClueLaw(table.relax)))
    read = read_record(ruled.to_line())
    assert (read.setup.rules, read.setup.law) == (table, ClueLaw(table.relax))


def test_text_of_any_script_survives(record, board):
    words = ("Ångström", "夜", "ночь", "📎", 'quo"te', "back\\slash", "line\u2028break", *board.words[7:])
    odd = replace(record, id="ид/😀", setup=replace(record.setup, board=type(board)(words)))
    assert read_record(odd.to_line()) == odd
    assert "夜" in odd.to_line()


def test_half_a_surrogate_is_escaped_and_survives(record):
    moves = (Move(A, Clue("\ud800x", 1)), *record.moves[1:])
    odd = replace(record, moves=moves, trace=["\udfff"])
    line = odd.to_line()
    assert line.encode("utf-8")
    assert read_record(line) == odd
    counted = Tally()
    counted.add_lines([replace(odd, id="0-Prague-0").to_line()])
    assert counted.pair(0).games == 1


def test_a_number_that_json_lacks_is_written_as_none(record):
    assert read_record(replace(record, trace=[float("nan")]).to_line()).trace == [None]


def test_a_seed_of_any_size_survives(record):
    assert read_record(replace(record, seed=3**99).to_line()).seed == 3**99


# ------------------------------------------------------------------ hostile lines


@pytest.fixture
def data(record):
    return json.loads(record.to_line())


def read(data):
    return read_record(json.dumps(data))


@pytest.mark.parametrize(
    "key",
    ["schema", "id", "game", "turns", "mistakes", "words", "key_a", "key_b", "first", "actions", "outcome", "reason"],
)
def test_each_required_key_is_missed_by_name(data, key):
    del data[key]
    with pytest.raises(CorruptData, match=f"key '{key}' is missing"):
        read(data)


@pytest.mark.parametrize("key", ["version", "seed", "city", "rules", "agents", "turns_used", "score", "trace"])
def test_every_other_key_may_be_missing(data, key):
    del data[key]
    verify(read(data))


WRONG = [
    ("schema", 2, "schema 2"),
    ("schema", True, "schema True"),
    ("schema", "1", "schema '1'"),
    ("schema", 1.0, "schema 1.0"),
    ("id", True, "id True"),
    ("id", None, "id None"),
    ("id", 1.5, "id 1.5"),
    ("id", ["x"], "id"),
    ("game", "spyfall", "game 'spyfall'"),
    ("game", None, "game None"),
    ("turns", True, "turns True"),
    ("turns", 9.0, "turns 9.0"),
    ("turns", "9", "turns '9'"),
    ("turns", 12, "turns 12"),
    ("turns", -1, "turns -1"),
    ("turns", 10**400, "turns 1"),
    ("mistakes", 10, "mistakes 10"),
    ("mistakes", False, "mistakes False"),
    ("mistakes", None, "mistakes None"),
    ("words", "word" * 25, "words is not a list"),
    ("words", {}, "words is not a list"),
    ("words", ["only"], "25 words, not 1"),
    ("key_a", "G" * 25, "25 green"),
    ("key_a", "GGGGGGGGGTTTTTBBBTTTTTTT", "not 25 letters"),
    ("key_a", None, "not 25 letters"),
    ("key_a", ["G"] * 25, "not 25 letters"),
    ("key_b", "GGGGGGGGGTTTTTBBBTTTTTTTT", "do not make a key card"),
    ("key_b", "gggtttttbggggggbtbttttttt", "not 25 letters"),
    ("first", "C", "first 'C'"),
    ("first", None, "first None"),
    ("first", ["A"], "first"),
    ("actions", "none", "actions is not a list"),
    ("actions", {}, "actions is not a list"),
    ("actions", None, "actions is not a list"),
    ("actions", [None], "not an action"),
    ("outcome", "draw", "outcome 'draw'"),
    ("outcome", None, "outcome None"),
    ("outcome", ["won"], "outcome"),
    ("outcome", True, "outcome True"),
    ("reason", "boredom", "reason 'boredom'"),
    ("reason", False, "reason False"),
    ("reason", "", "reason ''"),
    ("rules", "alternate", "rules is not an object"),
    ("rules", [], "rules is not an object"),
    ("rules", False, "rules is not an object"),
    ("rules", {"order": "random"}, "unknown order 'random'"),
    ("rules", {"order": None}, "unknown order None"),
    ("rules", {"order": ["free"]}, "unknown order"),
    ("rules", {"clue_law": "none"}, "unknown clue law 'none'"),
    ("rules", {"relax": "acronyms"}, "not a list of names"),
    ("rules", {"relax": 5}, "not a list of names"),
    ("rules", {"relax": True}, "not a list of names"),
    ("rules", {"relax": {}}, "not a list of names"),
    ("rules", {"relax": ["slang"]}, "unknown relaxation 'slang'"),
    ("rules", {"relax": [["acronyms"]]}, "unknown relaxation"),
    ("rules", {"relax": [None]}, "unknown relaxation"),
]


@pytest.mark.parametrize(("key", "value", "says"), WRONG, ids=lambda value: repr(value)[:40])
def test_a_value_that_cannot_be_is_refused(data, key, value, says):
    data[key] = value
    with pytest.raises(CorruptData, match=says):
        read(data)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda words: words[:24], "25 words, not 24"),
        (lambda words: [*words, "extra"], "25 words, not 26"),
        (lambda words: [words[1], *words[1:]], "must differ"),
        (lambda words: [words[1].upper(), *words[1:]], "must differ"),
        (lambda words: [None, *words[1:]], "None is not a word"),
        (lambda words: ["", *words[1:]], "'' is not a word"),
        (lambda words: [["a"], *words[1:]], "is not a word"),
    ],
)
def test_wrong_words_are_refused(data, change, says):
    data["words"] = change(data["words"])
    with pytest.raises(CorruptData, match=says):
        read(data)


@pytest.mark.parametrize(
    "line",
    [
        *("", " ", "null", "[]", "5", '"text"', "true", "{}", "{", "not json", "{'id': 1}", "\ufeff{}"),
        *("NaN", '{"schema": NaN}', "[" * 100_000, '{"a":' * 100_000, "[" * 5000 + "]" * 5000, "1" * 10_000),
    ],
    ids=lambda line: repr(line)[:30],
)
def test_what_is_no_record_is_refused_in_one_line(line):
    with pytest.raises(CorruptData) as refused:
        read_record(line)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_torn_line_is_refused_wherever_it_is_torn(record):
    line = record.to_line()
    for end in range(0, len(line), 7):
        with pytest.raises(CorruptData):
            read_record(line[:end])


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("key", ["turns", "trace", "seed"])
def test_what_json_does_not_know_is_refused(data, key, value):
    data[key] = "here"
    with pytest.raises(CorruptData, match=f"{value} is not JSON"):
        read_record(json.dumps(data).replace('"here"', value))


@pytest.mark.parametrize("key", ["key_a", "words", "turns", "actions", "id", "city", "score", "rules"])
@pytest.mark.parametrize("depth", [50, 900])
def test_deep_and_huge_values_are_refused_in_one_short_line(data, key, depth):
    for huge in ("x" * 1_000_000, list(range(100_000))):
        data[key] = huge
        assert _is_short_line(_refusal(json.dumps(data)))
    data[key] = "here"
    assert _is_short_line(_refusal(json.dumps(data).replace('"here"', "[" * depth + "]" * depth)))


def test_a_huge_clue_is_refused_in_one_short_line(data):
    data["actions"][0][2] = "x y" * 100_000
    assert _is_short_line(_refusal(json.dumps(data)))


def _is_short_line(text):
    return len(text) < 300 and "\n" not in text


def _refusal(line):
    try:
        verify(read_record(line))
    except CorruptData as refused:
        return str(refused)
    return ""


def test_provenance_may_be_anything(data):
    deep = json.loads("[" * 200 + "]" * 200)
    data |= {"version": 5, "seed": "s", "agents": [deep, 1], "trace": {"deep": deep}}
    record = read(data)
    verify(record)
    assert record.agents is None


def test_unknown_keys_are_left_alone(data):
    data["comment"] = "ours"
    data["rules"]["timer"] = 30
    verify(read(data))


def test_an_id_may_be_a_number(data):
    data["id"] = 17
    record = read(data)
    verify(record)
    assert json.loads(record.to_line())["id"] == 17


def test_a_record_without_rules_is_written_without_them(data):
    del data["rules"]
    assert json.loads(read(data).to_line())["rules"] is None
    assert read_record(read(data).to_line()) == read(data)


# ------------------------------------------------------------------ files


def test_records_are_read_from_a_file_or_the_run_folder_that_holds_one(record, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(record.to_line() + "\n\n" + replace(record, id=2).to_line() + "\n", encoding="utf-8")
    assert [read.id for read in read_records(file)] == ["0-Prague-3", 2]
    assert list(read_records(tmp_path)) == list(read_records(file))
    assert [number for number, _ in read_lines(file)] == [1, 3]


def test_a_byte_order_mark_and_windows_line_ends_are_tolerated(record, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + record.to_line().encode() + b"\r\n" + record.to_line().encode() + b"\r\n")
    assert list(read_records(file)) == [record, record]


def test_a_bad_line_is_named(record, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(record.to_line() + "\n" + record.to_line()[:50], encoding="utf-8")
    records = read_records(file)
    assert next(records) == record
    with pytest.raises(CorruptData, match=r"games\.jsonl, line 2: not a whole JSON line"):
        next(records)


def test_bytes_that_are_no_utf8_spoil_their_line_alone(record, tmp_path):
    file = tmp_path / "games.jsonl"
    good = record.to_line().encode()
    file.write_bytes(good.replace(b"anchor", b"anch\xffr") + b"\n" + good + b"\n")
    (_, bad), (_, line) = read_lines(file)
    with pytest.raises(CorruptData, match="not a whole JSON line"):
        read_record(bad)
    assert read_record(line) == record


@pytest.mark.parametrize("name", ["missing.jsonl", "folder"])
def test_a_file_that_cannot_be_read_is_told(tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(CorruptData, match=r"cannot read .*: No such file"):
        list(read_records(tmp_path / name))
