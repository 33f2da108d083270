import json

from cli_runner import run

from brushpass.semantics.catalog import list_minds


def test_models_list_names_every_mind_with_its_hash():
    document = run("models", "list", "--json").document()
    assert document["schema"] == 1
    assert [(model["name"], model["sha256"]) for model in document["models"]] == [
        (mind.name, mind.sha256) for mind in list_minds()
    ]
    for model in document["models"]:
        assert model["words"] > 0
        assert model["dim"] > 0
        assert model["temperature"] > 0
        assert model["size"] > 0
        assert model["licence"]
        assert model["ingredients"]


def test_models_list_is_a_table_for_people():
    lines = run("models", "list").out.splitlines()
    assert lines[0].split()[:3] == ["model", "words", "dim"]
    assert len(lines) == 1 + len(list_minds())


def test_a_broken_manifest_is_one_line_and_3(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "manifest.json").write_text(json.dumps({"minds": {"x": {}}}))
    refused = run("models", "list")
    assert refused.code == 3
    assert "manifest.json" in refused.error()


def test_agents_list_names_the_built_ins():
    document = run("agents", "list", "--json").document()
    assert document["schema"] == 1
    assert {"embedding", "nearest", "person", "random"} <= {agent["name"] for agent in document["agents"]}


def test_agents_list_is_quiet_when_asked():
    told = run("agents", "list", "-q")
    assert told.err == ""
    assert "embedding" in told.out


def test_a_model_without_recipe_or_source_is_one_line(tmp_path):
    unknown = run("models", "build", "nope", "--out", tmp_path)
    assert unknown.code in {2, 3}
    assert "glove" in unknown.error()
    missing = run("models", "build", "glove", "--source", tmp_path / "nowhere", "--out", tmp_path)
    assert missing.code == 3
    missing.error()
    assert list(tmp_path.iterdir()) == []
