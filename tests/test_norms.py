"""Association data that people hold, made a norm and a mind."""

import json

import numpy as np
import pytest
from cli_runner import run

from brushpass.errors import CorruptData
from brushpass.semantics.catalog import load_mind, read_manifest
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


def test_cues_that_share_nothing_are_a_norm_too(tmp_path, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path))
    done = run("norms", "import", table(tmp_path, "cue,response\nsea,ship\nking,crown\n"), "--name", "few")
    assert done.code == 0, done.err
    scores = load_mind("few").scores(["sea"], ["ship", "crown"])[0]
    assert scores[0] > scores[1]


def test_a_norm_may_be_replaced(own):
    folder, told = own
    done = run("norms", "import", folder / "swow.csv", "--name", "swow", "--replace", "--json")
    assert json.loads(done.out)["norm"]["sha256"] == told["sha256"]
