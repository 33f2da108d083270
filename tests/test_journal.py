import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from arena_toy import record

from brushpass.arena.journal import CannotWrite, Journal
from brushpass.errors import CorruptData, InvalidSetup, Suspended

EQUAL = {"seed": 1, "pairs": [["a", "b"]], "cities": ("Prague",)}


def open_run(folder, *, resume=True, **changes):
    arguments = {"equal": EQUAL, "growing": {"games": 10}, "free": {"workers": 2}} | changes
    return Journal.open(folder, resume=resume, **arguments)


def line(name, **more):
    return record(id=name, text="x" * 40, **more).encode() + b"\n"


@pytest.fixture
def run(tmp_path):
    """A folder with three finished games."""
    folder = tmp_path / "run"
    with open_run(folder, resume=False) as journal:
        journal.append(line("0-Prague-0") + line("0-Prague-1"))
        journal.append(line("0-Prague-2"))
    return folder


def test_a_new_folder_is_made_with_its_manifest(tmp_path):
    folder = tmp_path / "deep" / "run"
    with open_run(folder, resume=False, about={"version": "1.2"}) as journal:
        assert journal.done == frozenset()
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest == {
        "schema": 1,
        "arguments": {"seed": 1, "pairs": [["a", "b"]], "cities": ["Prague"], "games": 10, "workers": 2},
        "version": "1.2",
    }
    assert sorted(path.name for path in folder.iterdir()) == ["games.jsonl", "manifest.json"]


def test_resuming_finds_what_is_done_and_appends(run):
    with open_run(run) as journal:
        assert journal.done == {"0-Prague-0", "0-Prague-1", "0-Prague-2"}
        journal.append(line("0-Prague-3"))
    with open_run(run) as journal:
        assert len(journal.done) == 4


def test_records_of_any_writing_are_known_by_their_id(run):
    with (run / "games.jsonl").open("ab") as file:
        file.write(b'{ "city": "x", "id": "spaced" }\n' + line("S\u00e3o").replace(b'"x', b'"\\"x'))
        file.write('{"schema":1,"id":"Sèvres"}\n'.encode())
    with open_run(run) as journal:
        assert {"spaced", "São", "Sèvres"} < journal.done


def test_a_folder_with_something_in_it_needs_resume(run):
    with pytest.raises(InvalidSetup, match="is not empty; add --resume to go on or choose another --out") as caught:
        open_run(run, resume=False)
    assert caught.value.exit_code == 2


def test_resume_on_a_missing_or_empty_folder_begins_a_run(tmp_path):
    for folder in (tmp_path, tmp_path / "missing"):
        with open_run(folder) as journal:
            assert not journal.done


@pytest.mark.parametrize("there", [True, False])
def test_a_run_that_cannot_play_at_all_leaves_nothing_behind(tmp_path, there):
    folder = tmp_path / "run"
    if there:
        folder.mkdir()
    with pytest.raises(InvalidSetup), open_run(folder):
        raise InvalidSetup("nearest has no option 'x'")
    assert folder.exists() == there
    with open_run(folder, resume=False):
        pass


def test_a_run_that_cannot_even_begin_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(CannotWrite, match="No space left"):
            open_run(tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with open_run(tmp_path / "run", resume=False):
        pass


def test_on_windows_files_are_closed_before_they_are_removed(tmp_path, monkeypatch):
    opened, unlink = [], Path.unlink

    def unlink_closed(path, **how):
        for file in opened:
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.fstat(file)
        unlink(path, **how)

    monkeypatch.setattr(sys, "platform", "win32")
    open_file = os.open
    monkeypatch.setattr(os, "open", lambda *how: opened.append(open_file(*how)) or opened[-1])
    monkeypatch.setattr(Path, "unlink", unlink_closed)
    with pytest.raises(InvalidSetup), open_run(tmp_path / "run"):
        raise InvalidSetup("nearest has no option 'x'")
    assert len(opened) == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Suspended("the budget is spent")])
def test_a_run_that_is_to_go_on_keeps_its_folder(tmp_path, error):
    with pytest.raises(type(error)), open_run(tmp_path / "run"):
        raise error
    assert (tmp_path / "run" / "manifest.json").exists()


def test_what_is_played_stays_whatever_ends_the_run(run):
    with pytest.raises(InvalidSetup), open_run(run):
        raise InvalidSetup("a worker has another model")
    assert len((run / "games.jsonl").read_bytes().splitlines()) == 3


def test_what_a_new_run_has_played_stays_too(tmp_path):
    with open_run(tmp_path / "run") as journal:
        journal.append(line("0-Prague-0"))
        journal.__exit__(InvalidSetup, InvalidSetup("a worker has another model"), None)
    assert (tmp_path / "run" / "games.jsonl").read_bytes() == line("0-Prague-0")


def test_a_folder_that_another_run_just_removed_is_not_written(tmp_path, monkeypatch):
    opened = os.open

    def open_and_lose(path, *how):
        file = opened(path, *how)
        Path(path).unlink()
        return file

    monkeypatch.setattr(os, "open", open_and_lose)
    with pytest.raises(CannotWrite, match="another run is writing"):
        open_run(tmp_path / "run")


def test_resume_after_a_kill_before_the_manifest_begins_a_run(tmp_path):
    (tmp_path / "games.jsonl").touch()
    (tmp_path / ".manifest.json.new").write_text('{"sch')
    with open_run(tmp_path) as journal:
        assert not journal.done
    assert not (tmp_path / ".manifest.json.new").exists()


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(InvalidSetup, match=r"no run folder: it has thesis\.tex"):
        open_run(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"equal": {**EQUAL, "seed": 2}}, "seed=1, not 2"),
        ({"equal": {**EQUAL, "pairs": [["a", "c"]]}}, "pairs='b', not 'c'; resume"),
        ({"equal": {**EQUAL, "pairs": [["a", "b"], ["a" * 500, "b"]]}}, r"pairs=\[\['a', 'b'\]\], not .{160}; resume"),
        ({"equal": {"pairs": [["a", "c"]], "cities": ["Cairo"], "seed": 2}}, "pairs="),
        ({"equal": {"seed": 1, "pairs": [["a", "b"]]}}, "cities="),
        ({"equal": {**EQUAL, "order": "free"}}, "order=None, not 'free'"),
        ({"growing": {"games": 9}}, "games=10, not 9; it may only become larger"),
    ],
)
def test_other_arguments_are_refused_by_name(run, changes, message):
    with pytest.raises(InvalidSetup, match=message):
        open_run(run, **changes)


def test_workers_may_differ_and_games_may_grow(run):
    with open_run(run, free={"workers": 8}, growing={"games": 20}) as journal:
        assert len(journal.done) == 3
    with pytest.raises(InvalidSetup, match="games=20, not 10"):
        open_run(run)


@pytest.mark.parametrize(
    ("manifest", "message"),
    [('{"schema":2,"arguments":{}}', "schema 2"), ("[]", "schema None"), ("{", "not JSON"), ('{"schema":1}', "argum")],
)
def test_a_manifest_of_another_kind_is_refused(run, manifest, message):
    (run / "manifest.json").write_text(manifest)
    with pytest.raises(CorruptData, match=message):
        open_run(run)


def test_games_without_a_manifest_are_refused(run):
    (run / "manifest.json").unlink()
    with pytest.raises(CorruptData, match=r"games\.jsonl but no manifest\.json"):
        open_run(run)


def test_a_line_torn_anywhere_is_cut_and_a_whole_one_kept(run):
    path = run / "games.jsonl"
    whole = path.read_bytes()
    last = len(line("0-Prague-2"))
    for lost in range(1, last + 1):
        path.write_bytes(whole[:-lost])
        with open_run(run) as journal:
            expected = whole if lost == 1 else whole[:-last]
            assert path.read_bytes() == expected
            assert ("0-Prague-2" in journal.done) == (lost == 1)
            journal.append(line("next"))
        assert path.read_bytes() == expected + line("next")


@pytest.mark.parametrize(
    "damage",
    [
        b"{}\n",
        b'{"schema":1,"id":"0-Pra\n',
        b'{"schema":1,"id":"x","tex' + line("y"),
        b'{"schema":1,"id":"x"\x00\x00}\n',
        b'{"schema":1,"id":"\xff"}\n',
        b'{"schema":1,"id":7}\n',
    ],
)
def test_a_damaged_line_in_the_middle_is_named(run, damage):
    path = run / "games.jsonl"
    path.write_bytes(line("0-Prague-0") + damage + line("0-Prague-1"))
    with pytest.raises(CorruptData, match="line 2 is not a game record"):
        open_run(run)


def test_a_blank_line_is_passed_over_as_everywhere(run):
    whole = (run / "games.jsonl").read_bytes().replace(b"\n", b"\n\n")
    (run / "games.jsonl").write_bytes(whole + line("0-Prague-9")[:20])
    with open_run(run) as journal:
        assert len(journal.done) == 3
    assert (run / "games.jsonl").read_bytes() == whole


@pytest.mark.skipif(sys.platform == "win32", reason="a file without an end")
def test_records_that_are_no_ordinary_file_are_refused(tmp_path):
    os.mkfifo(tmp_path / "games.jsonl")
    with pytest.raises(CorruptData, match="no ordinary file"):
        open_run(tmp_path)


def test_a_repeated_game_is_named(run):
    with (run / "games.jsonl").open("ab") as file:
        file.write(line("0-Prague-1"))
    with pytest.raises(CorruptData, match="line 4 repeats game '0-Prague-1'"):
        open_run(run)


@pytest.mark.skipif(sys.platform == "win32", reason="no flock")
def test_two_runs_cannot_write_one_folder(run):
    with open_run(run), pytest.raises(CannotWrite, match="another run is writing"):
        open_run(run)
    open_run(run).close()


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match=r"cannot write .*file.run: ") as caught:
        open_run(tmp_path / "file" / "run")
    assert caught.value.exit_code == 3


def test_what_is_no_folder_is_told_as_such(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InvalidSetup, match=r"file is no folder; choose another --out"):
        open_run(tmp_path / "file")


def test_a_folder_that_may_not_be_written_is_one_clear_line(run, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(CannotWrite, match=r"cannot write .*: Permission denied; mend that or choose another --out"):
        open_run(run)


@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits")
def test_a_full_disk_is_one_clear_line_and_whole_records_stay(tmp_path):
    script = """
import resource, sys
from brushpass.arena.journal import Journal, CannotWrite
journal = Journal.open(sys.argv[1], equal={})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    for index in range(99):
        journal.append(b'{"schema":1,"id":"%d","text":"%s"}\\n' % (index, b"x" * 70))
except CannotWrite as error:
    print(error)
"""
    folder = tmp_path / "run"
    done = subprocess.run([sys.executable, "-c", script, folder], capture_output=True, text=True, check=True)
    assert f"cannot write {folder}: File too large; make room there and go on with --resume" in done.stdout
    assert (folder / "games.jsonl").read_bytes().endswith(b'"}\n')
    with Journal.open(folder, equal={}, resume=True) as journal:
        assert journal.done == {str(index) for index in range(len(journal.done))}
        assert len(journal.done) == 1000 // len('{"schema":1,"id":"10","text":""}\n' + "x" * 70)
