import json
import shutil
import subprocess
import sys

import pytest
from cli_runner import run

from brushpass.semantics.catalog import list_minds


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A data folder of one's own, with a model that can be spoilt."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    folder = tmp_path / "data" / "models"
    folder.mkdir(parents=True)
    (glove,) = [info for info in list_minds() if info.name == "glove"]
    shutil.copy(glove.path, folder / "own.npz")
    entry = json.loads((glove.path.parent / "manifest.json").read_text())["minds"]["glove"]
    (folder / "manifest.json").write_text(json.dumps({"schema": 1, "minds": {"own": {**entry, "file": "own.npz"}}}))
    return folder


def checks(told):
    return {(one["group"], one["name"]): one for one in told.document()["checks"]}


def test_a_sound_installation_is_well():
    told = run("doctor")
    assert told.code == 0
    assert told.out.endswith("\nall is well\n")
    assert "BROKEN" not in told.out
    found = checks(run("doctor", "--json"))
    for wanted in (
        *(("versions", "python"), ("versions", "numba"), ("models", "glove"), ("models", "minilm")),
        *(("words", "english"), ("words", "clues-v1"), ("words", "clue law"), ("agents", "embedding")),
        *(("extras", "test"), ("folders", "data"), ("folders", "cache"), ("folders", "compiled loops")),
    ):
        assert wanted in found
    assert all(one["ok"] is not False for one in found.values())


def test_every_byte_of_a_model_is_read(broken):
    assert run("doctor").code == 0
    assert run("models", "verify", "own").code == 0
    content = bytearray((broken / "own.npz").read_bytes())
    content[len(content) // 2] ^= 1
    (broken / "own.npz").write_bytes(content)
    told = run("doctor", "--json")
    assert told.code == 1
    assert not told.document()["ok"]
    assert [key for key, one in checks(told).items() if one["ok"] is False] == [("models", "own")]
    verified = run("models", "verify", "own", "glove", "--json")
    assert verified.code == 1
    assert [row["ok"] for row in verified.document()["models"]] == [False, True]
    assert "sha256" in run("models", "verify").out


def test_a_lost_model_fails_its_check(broken):
    (broken / "own.npz").unlink()
    assert "own.npz: No such file" in run("doctor").out
    assert run("models", "verify", "own").code == 1


def test_a_broken_manifest_is_told(broken):
    (broken / "manifest.json").write_text("{")
    told = run("doctor")
    assert told.code == 1
    assert "manifest.json" in told.out
    assert run("models", "verify").code == 3


def test_a_broken_word_list_is_told(broken):
    lists = broken.parent / "wordlists"
    lists.mkdir()
    (lists / "short.txt").write_text("one\n")
    assert "a board needs 25" in run("doctor").out


def test_a_folder_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "file" / "cache"))
    told = run("doctor")
    assert told.code == 1
    assert "BROKEN cache" in told.out


def test_where_nothing_can_be_written_loops_are_compiled_all_the_same():
    code = """
from numba.core.caching import CompileResultCacheImpl
CompileResultCacheImpl._locator_classes = []  # what numba finds where neither we nor HOME can be written
from brushpass.duet.agents.compiled import ENGINE
from brushpass.cli.doctor import _compiled
try:
    _compiled(None)
except OSError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "set NUMBA_CACHE_DIR" in told.stdout


def test_it_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BRUSHPASS_CACHE", str(tmp_path / "cache"))
    assert run("doctor").code == 0
    assert list(tmp_path.iterdir()) == []
