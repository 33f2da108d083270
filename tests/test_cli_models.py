import json

import numpy as np
import pytest
from cli_runner import run
from conftest import WORDS

from brushpass.semantics.catalog import list_minds, load_mind


@pytest.fixture
def vectors(tmp_path, monkeypatch):
    """A vector file, beside a data folder of one's own."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    file = tmp_path / "some.txt"
    rows = (f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, np.eye(25), strict=True))
    file.write_text("\n".join(rows) + "\n")
    return file


def test_a_shipped_model_is_shown():
    document = run("models", "show", "glove", "--json").document()["model"]
    assert document["name"] == "glove"
    assert document["sha256"] == load_mind("glove").sha256
    assert document["knows"]["english"]["known"] == document["knows"]["english"]["words"] > 400
    text = run("models", "show", "glove").out
    assert "\ningredients: glove\n" in text


@pytest.mark.parametrize("name", [info.name for info in list_minds()])
def test_every_shipped_model_is_shown(name):
    document = run("models", "show", name, "--json").document()["model"]
    told = run("models", "show", name)
    assert told.code == 0
    assert "of people's guesses" in told.out
    assert f"\nmind sha256: {document['mind_sha256']}\n" in told.out
    listed = {row["name"]: row for row in run("models", "list", "--json").document()["models"]}
    assert all(document[key] == listed[name][key] for key in ("sha256", "mind_sha256", "words", "dim", "path"))


def test_a_vector_file_is_shown_as_well(vectors):
    document = run("models", "show", vectors, "--json").document()["model"]
    assert (document["words"], document["dim"], document["path"]) == (25, 25, str(vectors))
    assert 0 < document["knows"]["english"]["known"] <= 25


def test_an_imported_model_is_used_by_its_name(vectors):
    told = run("models", "import", vectors, "--name", "mine", "--temperature", 0.3, "--ingredient", "unit")
    assert told.code == 0
    assert told.err == ""
    assert "mine: 25 words of 25 numbers" in told.out
    listed = {row["name"]: row for row in run("models", "list", "--json").document()["models"]}
    assert listed["mine"]["temperature"] == 0.3
    assert listed["mine"]["ingredients"] == ["unit"]
    assert run("models", "verify", "mine").code == 0
    guesses = run("guess", "--clue", "anchor", "--number", 1, "--words", "badge,canyon", "--model", "mine", "--json")
    assert [one["probability"] for one in guesses.document()["guesses"]] == [0.5, 0.5]
    told = run(
        "bench", "--pair", "nearest:model=mine", "random", "--city", "prague", "--games", 1, "--workers", 1, "--json"
    )
    assert told.document()["pairs"][0]["models"][0]["sha256"] == listed["mine"]["sha256"]


def test_a_refused_import_changes_nothing(vectors):
    run("models", "import", vectors, "--name", "mine")
    before = run("models", "list", "--json").document()
    assert "--replace" in run("models", "import", vectors, "--name", "mine").error()
    vectors.write_text("torn 1 2\nfile 1\n")
    assert run("models", "import", vectors, "--name", "mine", "--replace").code == 3
    assert run("models", "list", "--json").document() == before


def test_a_pickle_is_imported_only_if_it_is_trusted(vectors):
    from gensim.models import KeyedVectors

    keyed = KeyedVectors(3)
    keyed.add_vectors(["sea", "ship"], np.eye(2, 3, dtype=np.float32))
    keyed.save(str(vectors.with_suffix(".kv")))
    refused = run("models", "import", vectors.with_suffix(".kv"), "--name", "mine")
    assert refused.code == 3
    assert "--trust-pickle" in refused.error()
    assert run("models", "import", vectors.with_suffix(".kv"), "--name", "mine", "--trust-pickle").code == 0
    assert load_mind("mine").words == ("sea", "ship")


def test_a_folder_that_cannot_be_written_is_one_line(vectors, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "file"))
    refused = run("models", "import", vectors, "--name", "mine")
    assert refused.code == 3
    refused.error()


def test_a_mind_of_ones_own_is_no_independent_one_of_its_ingredient(vectors):
    run("models", "import", vectors, "--name", "mine", "--ingredient", "glove")
    pair = ("--pair", "nearest:model=mine", "nearest:model=glove")
    told = run("bench", *pair, "--city", "prague", "--games", 1, "--workers", 1, "--json")
    assert json.loads(told.out)["pairs"][0]["shared_ingredients"] == ["glove"]
