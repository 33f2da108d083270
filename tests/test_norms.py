"""Association data that people hold, made a norm and a mind."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from cli_runner import run

from brushpass.atomic import file_sha256
from brushpass.errors import CorruptData
from brushpass.semantics import normimport
from brushpass.semantics.blend import FEATURES, OPINIONS
from brushpass.semantics.catalog import list_minds, load_mind, read_manifest, verify_mind
from brushpass.semantics.norm import Norm
from brushpass.semantics.responses import norm_text, read_responses

SWOW = """cue\tresponse\tR123\tN\tR123.Strength
zebra\tstripes\t70\t100\t0.7
zebra\tHorse\t20\t100\t0.2
zebra\tAfrica, plains\t10\t100\t0.1
zebra\tNA\t5\t100\t0.05
lamp\tlight\t90\t100\t0.9
"""
USF = """CUE, TARGET, NORMED?, #G, #P, FSG
ZEBRA, STRIPES, YES, 150, 90, .600
ZEBRA, HORSE, YES, 150, 30, .200
LAMP, LIGHT, YES, 150, 130, .867
"""
RAW = """participantID,age,cue,R1,R2,R3
1,33,zebra,stripes,horse,No more responses
2,40,zebra,stripes,zoo,NA
3,21,lamp,light,shade,genie
"""


def table(tmp_path, text):
    path = tmp_path / "data.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [SWOW, USF, RAW])
def test_tables_as_people_hold_them_are_read(tmp_path, text):
    found = read_responses(table(tmp_path, text))
    assert sorted(found) == ["lamp", "zebra"]
    assert max(found["zebra"], key=found["zebra"].get) == "stripes"
    assert found["zebra"]["horse"] > 0
    assert max(found["lamp"], key=found["lamp"].get) == "light"
    assert "na" not in found["zebra"]


def test_the_commonest_responses_are_the_strong_associates(tmp_path):
    rows = "".join(f"zebra,word{number:03},{200 - number}\n" for number in range(150))
    text = norm_text(read_responses(table(tmp_path, "cue,response,count\n" + rows)), "mine", "CC0-1.0", "data.csv")
    path = tmp_path / "norm.tsv"
    path.write_text(text, encoding="utf-8")
    strong, middling, weak = Norm(path).of("zebra")
    assert (strong[0], strong[-1], middling[0], weak[-1]) == ("word000", "word015", "word016", "word099")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no columns named cue and response"),
        ("word,answer\na,b\n", r"no columns named cue and response in its first line \(word, answer\)"),
        ("cue,response\n", "holds no response"),
        ("cue,response\nzebra\n", "line 2 has 1 columns"),
        ("cue,response,count\nzebra,stripes,often\n", "line 2: 'often' is not how often"),
        ("cue,response,count\nzebra,stripes,-1\n", "line 2: '-1' is not how often"),
        ("cue,response,count\nzebra,stripes,1\ncue,response,count\n", "line 3: 'count' is not how often"),
        ('cue,response\nzebra,"stripes\nlamp,light\n', "line 3 is no row"),
        ('cue\tresponse\nzebra\t"stripes" of it\n', "line 2 is no row"),
        (f"cue,response\nzebra,{'x' * 200_000}\n", "line 2 is no row"),
    ],
)
def test_what_is_no_such_table_is_one_clear_line(tmp_path, text, said):
    path = table(tmp_path, text)
    with pytest.raises(CorruptData, match=said) as refused:
        read_responses(path)
    assert "\n" not in str(refused.value)
    (tmp_path / "latin.csv").write_bytes("cue,response\ncafé,tea\n".encode("latin-1"))
    with pytest.raises(CorruptData, match="save it as UTF-8"):
        read_responses(tmp_path / "latin.csv")


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A data folder with a norm of one's own, imported by the command."""
    folder = tmp_path_factory.mktemp("own")
    words = ["king", "queen", "castle", "dog", "cat", "fish", "ocean", "ship"]
    rows = [f"{cue},{other},{3 + place}" for cue in words for place, other in enumerate(words) if other != cue]
    path = folder / "swow.csv"
    path.write_text("\n".join(["cue,response,count", "zebra,crosswalk,40", "zebra,king,2", *rows]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRUSHPASS_DATA", str(folder))
        done = run("norms", "import", path, "--name", "swow", "--licence", "mine", "--json")
        assert done.code == 0, done.err
        yield folder, json.loads(done.out)["norm"]


def test_the_imported_norm_makes_a_mind_that_thinks_with_it(own):
    folder, told = own
    assert told["cards"] == 9
    (info,) = read_manifest(folder / "models")
    assert "brushpass-norm" not in info.ingredients
    assert {"minilm", "glove", "wordnet"} < set(info.ingredients)
    mind, shipped = load_mind("swow"), load_mind("default")
    assert mind.sha256 == told["sha256"] != shipped.sha256
    near, board = "crosswalk", ["zebra", "castle", "ship", "fish"]
    assert mind.scores([near], board)[0].argmax() == 0
    assert mind.scores(["zebra"], ["king", "dog"])[0, 0] > mind.scores(["zebra"], ["king", "dog"])[0, 1]
    assert np.isfinite(mind.scores(["tea"], board)).all()
    assert run("models", "verify", "swow").code == 0
    assert run("guess", "--model", "swow", "--clue", near, "--number", "1", "--words", ",".join(board)).code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--name", "swow"), 2, "add --replace"),
        (("--name", "default"), 2, "choose another --name"),
        (("--name", "a/b"), 2, "cannot name a model"),
        (("--name", "b", "--model", "minilm"), 2, "without a norm"),
        (("--name", "b", "--model", "elmo"), 3, "unknown model"),
    ],
)
def test_names_and_models_that_will_not_do(own, arguments, code, said):
    folder, _ = own
    done = run("norms", "import", folder / "swow.csv", *arguments)
    assert done.code == code
    assert said in done.error()
    assert [info.name for info in read_manifest(folder / "models")] == ["swow"]


@pytest.mark.parametrize(
    ("rows", "said", "unsaid"), [("sea,crown", "crown", "tea"), ("sea,ship\nking,crown", "ship", "crown")]
)
def test_few_cues_that_share_nothing_are_a_norm_too(tmp_path, monkeypatch, rows, said, unsaid):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    done = run("norms", "import", table(tmp_path, f"cue,response\n{rows}\n"), "--name", "few")
    assert done.code == 0, done.err
    scores = load_mind("few").scores(["sea"], [said, unsaid])[0]
    assert scores[0] > scores[1]


def test_an_import_that_fails_leaves_no_file(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    monkeypatch.setattr(normimport, "enter_mind", full)
    done = run("norms", "import", table(tmp_path, "cue,response\nsea,ship\n"), "--name", "one")
    assert done.code != 0
    assert "No space left" in done.error()
    assert [path.name for path in (tmp_path / "models").rglob("*") if path.is_file()] == ["manifest.json.lock"]


def test_a_norm_may_be_replaced(own):
    folder, told = own
    done = run("norms", "import", folder / "swow.csv", "--name", "swow", "--licence", "mine", "--replace", "--json")
    assert json.loads(done.out)["norm"]["sha256"] == told["sha256"]


def test_one_process_sees_a_norm_that_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    seen = []
    for response in ("tulip", "crown", "lamp"):
        path = table(tmp_path, f"cue,response\nsea,{response}\nking,tea\n")
        done = run("norms", "import", path, "--name", "mine", "--replace")
        assert done.code == 0, done.err
        (info,) = read_manifest(tmp_path / "models")
        verify_mind(info)
        seen.append(load_mind("mine"))
        assert seen[-1].blend.norm.of("sea")[0] == (response,)
    assert len({mind.sha256 for mind in seen}) == 3
    assert seen[0].blend.norm.of("sea")[0] == ("tulip",), "a mind in use stays as it was"
    assert np.isfinite(seen[0].scores(["sea"], ["tulip", "king"])).all()
    kept = {path for path in (tmp_path / "models").rglob("*") if path.is_file()}
    manifest = tmp_path / "models" / "manifest.json"
    assert kept == {*info.files, manifest, manifest.with_name("manifest.json.lock")}


def test_a_vector_file_may_take_the_place_of_a_norm(own, tmp_path, monkeypatch):
    folder, _ = own
    shutil.copytree(folder, tmp_path / "data")
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    vectors = tmp_path / "v.txt"
    vectors.write_text("cat 1 0\ndog 0 1\n", encoding="utf-8")
    assert run("models", "import", vectors, "--name", "swow", "--replace").code == 0
    assert load_mind("swow").blend is None
    assert not list((tmp_path / "data" / "models" / "norm").iterdir())


def test_what_is_told_of_a_norm_stays_in_its_header(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    path = tmp_path / os.fsdecode(b"da\n\nta\xff.csv")
    path.write_text("cue,response\nsea,ship\nking,crown\n", encoding="utf-8")
    done = run("norms", "import", path, "--name", "odd", "--licence", "mine\n\nzoo\tape\t\t\udcff", "--json")
    assert done.code == 0, done.err
    assert Norm(Path(json.loads(done.out)["norm"]["norm"])).cards() == ["king", "sea"]
    assert run("models", "verify", "odd").code == 0


def _empty(path):
    path.write_bytes(b"")


def _cut(path):
    path.write_bytes(path.read_bytes()[:-9])


def _rubbish(path):
    path.write_bytes(b"PK\x03\x04 rubbish")


def _other_scales(path):
    np.save(path, np.ones((3, 3, 2), np.float32))


def _no_spread(path):
    np.save(path, np.zeros_like(np.load(path)))


PARTS = ("norm", "graph", "scales", *OPINIONS)


def test_a_norm_imported_when_there_was_one_further_space_still_thinks(own, tmp_path, monkeypatch):
    folder, _ = own
    shutil.copytree(folder / "models", tmp_path / "models")
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    manifest = tmp_path / "models" / "manifest.json"
    listed = json.loads(manifest.read_text(encoding="utf-8"))
    blend = listed["minds"]["swow"]["blend"]
    scales = tmp_path / "models" / blend["scales"]
    np.save(scales, np.load(scales)[:, :4])
    blend["scales_sha256"] = file_sha256(scales)
    (tmp_path / "models" / blend.pop("third")).unlink()
    del blend["third_sha256"], blend["weights"]["third"]
    manifest.write_text(json.dumps(listed), encoding="utf-8")
    mind = load_mind("swow")
    assert mind.blend.names == (*FEATURES, "second")
    assert mind.scores(["crosswalk"], ["zebra", "castle", "ship", "fish"])[0].argmax() == 0
    assert run("models", "verify", "swow").code == 0


@pytest.mark.parametrize(
    ("part", "damage"),
    [
        *((part, damage) for part in PARTS[1:] for damage in (_empty, _cut, _rubbish)),
        *((part, Path.unlink) for part in PARTS),
        *(("norm", damage) for damage in (_empty, _rubbish)),
        *(("scales", damage) for damage in (_other_scales, _no_spread)),
    ],
)
def test_damaged_parts_are_one_clear_line(own, tmp_path, monkeypatch, part, damage):
    folder, _ = own
    shutil.copytree(folder / "models", tmp_path / "models", copy_function=os.symlink)
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    listed = json.loads((tmp_path / "models" / "manifest.json").read_text(encoding="utf-8"))
    path = tmp_path / "models" / listed["minds"]["swow"]["blend"][part]
    sound = path.read_bytes()
    path.unlink()
    path.write_bytes(sound)
    damage(path)
    with pytest.raises(CorruptData, match=path.name) as refused:
        load_mind("swow")
    assert "\n" not in str(refused.value)
    assert run("models", "verify", "swow").code == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("temperature", value) for value in (0, float("nan"))),
        *(("blend", value) for value in (None, {}, {"sharpness": [0]}, {"weights": {"own": 1}}, {"second": 3})),
    ],
)
def test_a_manifest_that_makes_no_sense_is_one_clear_line(own, key, value):
    folder, _ = own
    path = folder / "models" / "manifest.json"
    sound = path.read_text(encoding="utf-8")
    manifest = json.loads(sound)
    entry = manifest["minds"]["swow"]
    entry[key] = {**entry["blend"], **value} if value and key == "blend" else value
    path.write_text(json.dumps(manifest), encoding="utf-8")
    try:
        with pytest.raises(CorruptData, match=r"manifest\.json") as refused:
            list_minds()
    finally:
        path.write_text(sound, encoding="utf-8")
    assert "\n" not in str(refused.value)
