"""Every `--json` against its schema in docs/schema, read strictly: a key that the schema lacks is an error here."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from cli_commands import commands
from cli_runner import run
from conftest import F1_A, WORDS
from referencing import Registry, Resource

from brushpass.cli.output import Output
from brushpass.duet.agents.profile import Profile
from brushpass.duet.partnerfile import PartnerFile
from brushpass.semantics.catalog import list_minds

SCHEMAS = Path(__file__).parents[1] / "docs" / "schema"
NAMES = sorted(path.stem for path in SCHEMAS.glob("*.json"))
UNASKED = {"record", "view", "manifest", "partner", "value"}
"""What no command prints as a whole."""
BOTS = ("random", "random")


def strict(schema):
    """The schema with no key allowed beside those it names; unless it says so, a user's reader should allow more."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: strict(value) for key, value in schema.items()}
    return {"additionalProperties": False, **parts} if "properties" in parts and "type" in parts else parts


LOADED = {name: strict(json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))) for name in NAMES}
REGISTRY = Registry().with_resources((f"{name}.json", Resource.from_contents(LOADED[name])) for name in NAMES)


def validate(name, document):
    jsonschema.Draft202012Validator(LOADED[name], registry=REGISTRY).validate(document)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with what the commands need: boards, a run, a vector file, a word list, people's guesses."""
    folder = tmp_path_factory.mktemp("json")
    (folder / "board.json").write_text(json.dumps({"words": WORDS, "key": F1_A}))
    said = run("bench", "--pair", *BOTS, "--pair", "random", "nearest", "--city", "prague,tokyo", "--games", 2,
               "--workers", 1, "--out", folder / "run", "--json")  # fmt: skip
    (folder / "bench.json").write_text(said.out)
    (folder / "bad.jsonl").write_text((folder / "run" / "games.jsonl").read_text() + "rubbish\n")
    rows = (f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, np.eye(25), strict=True))
    (folder / "vectors.txt").write_text("\n".join(rows))
    (folder / "responses.csv").write_text("cue,response,count\nstorm,rain,9\nstorm,wind,5\nrain,wet,7\n")
    (folder / "words.txt").write_text("mouse\nmice\nxqzzyv\n")
    guess = {"source": "s", "game": 1, "board": WORDS[:12], "clue": "storm", "number": 2, "targets": ["harbor"]}
    guess |= {"guesses": [["harbor", "island"]], "ordered": True, "assassins": ["desert"], "bystanders": ["kettle"]}
    (folder / "guesses.jsonl").write_text(json.dumps(guess) + "\n")
    (folder / "broken_agent.py").write_text(
        "class Broken:\n"
        "    def new_game(self, view, seed): pass\n"
        "    def give_clue(self, view): raise ValueError('no')\n"
        "    def guess(self, view): return 7\n"
        "    def end(self, *_): pass\n"
    )
    return folder


@pytest.fixture
def anna(place):
    """A person whom the bot knows."""
    return PartnerFile("anna", place / "data" / "partners")


@pytest.fixture(autouse=True)
def known(anna):
    anna.update(lambda _: Profile.blank(["default", "glove"]))


@pytest.fixture(autouse=True)
def home(place, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(place / "data"))
    monkeypatch.chdir(place)
    monkeypatch.syspath_prepend(place)


ASKED = (
    ("learn", "learn --plain", 0),
    ("play", "play --partner random --seed 1 --plain", 0),
    ("campaign", "campaign new tour", 0),
    ("campaign", "campaign travel prague --campaign tour", 0),
    ("campaign", "campaign note prague hello", 0),
    ("campaign-play", "campaign play --bots random random --seed 1", 0),
    ("campaign-play", "campaign play --partner random --seed 1 --plain", 0),
    ("campaign", "campaign status", 0),
    ("campaign", "campaign map", 0),
    ("campaign", "campaign log", 0),
    ("campaign-list", "campaign list", 0),
    ("campaign-drop", "campaign drop tour --yes", 0),
    ("rules", "rules", 0),
    ("clue", "clue --green ocean,castle,xqzzyv --black king --why", 0),
    ("clue", "clue --board board.json --top 2", 0),
    ("guess", "guess --clue ocean --number 2 --words whale,king", 0),
    ("guess", "guess --clue ocean --number 2 --board board.json", 0),
    ("bench", "bench --pair random random --city prague --games 1 --workers 1", 0),
    ("report", "report run", 0),
    ("report", "report run --compare run", 0),
    ("replay", "replay run", 0),
    ("replay", "replay run --game 1-Tokyo-1", 0),
    ("verify", "verify run", 0),
    ("verify", "verify bad.jsonl", 1),
    ("models-list", "models list", 0),
    *(("models-show", f"models show {info.name}", 0) for info in list_minds()),
    ("models-show", "models show vectors.txt", 0),
    ("models-import", "models import vectors.txt --name mine --temperature 0.2", 0),
    ("norms-import", "norms import responses.csv --name mine-norm", 0),
    ("models-verify", "models verify", 0),
    ("words-list", "words list", 0),
    ("words-check", "words check words.txt", 1),
    ("agents-list", "agents list", 0),
    ("agents-check", "agents check random --positions 40", 0),
    ("agents-check", "agents check py:broken_agent:Broken --positions 40", 1),
    ("partner-list", "partner list", 0),
    ("partner-show", "partner show anna", 0),
    ("partner-forget", "partner forget anna", 0),
    ("doctor", "doctor", 0),
    ("evaluate-humans", "evaluate humans guesses.jsonl", 0),
)


@pytest.mark.parametrize(("name", "asked", "code"), ASKED, ids=[asked for _, asked, _ in ASKED])
def test_what_a_command_prints_is_as_its_schema_says(name, asked, code):
    told = run(*asked.split(), "--json", typed="")
    assert told.code == code, told.err
    validate(name, told.document())


def test_numbers_have_no_more_digits_than_processors_agree_on(capsys):
    Output().document({"shares": [1 / 3, 2e-9 / 3], "games": 10**15, "won": True})
    told = json.loads(capsys.readouterr().out)
    assert told == {"shares": [0.3333333333, 6.666666667e-10], "games": 10**15, "won": True}


@pytest.mark.parametrize(
    ("asked", "code"),
    [(asked, code) for name, asked, code in ASKED if name.split("-")[0] not in {"learn", "play", "campaign"}],
)
def test_without_json_the_same_is_told_as_text(asked, code):
    told = run(*asked.replace(" --name mine", " --name again").split())
    assert told.code == code, told.err
    assert told.out.strip()
    assert not told.out.startswith("{")


def test_a_whole_game_of_play_is_a_record():
    """A person who touches one card after another ends a game soon enough."""
    typed = "\n".join(["zebra 1", *map(str, range(1, 26)), "stop"] * 12)
    told = run("play", "--partner", "random", "--seed", 3, "--first", "me", "--plain", "--json", typed=typed)
    document = told.document()
    validate("play", document)
    validate("record", document)
    assert document["outcome"] == "lost"


def test_the_files_of_a_run_are_as_their_schemas_say(place):
    for line in (place / "run" / "games.jsonl").read_text().splitlines():
        validate("record", json.loads(line))
    validate("manifest", json.loads((place / "run" / "manifest.json").read_text()))
    validate("bench", json.loads((place / "bench.json").read_text()))


def test_what_is_kept_of_a_person_is_as_its_schema_says(anna):
    validate("partner", json.loads(anna.path.read_text()))


def test_views_are_as_their_schema_says():
    from brushpass.duet.observe import observe
    from brushpass.duet.testing.positions import every_kind

    for position in every_kind(1, WORDS):
        validate("view", json.loads(json.dumps(observe(position.state, position.seat, position.history).to_json())))
    validate("view", {"words": list(WORDS), "key": F1_A})


def test_a_broken_doctor_is_as_its_schema_says(place, monkeypatch):
    monkeypatch.setenv("BRUSHPASS_DATA", str(place / "board.json"))
    told = run("doctor", "--json")
    assert told.code == 1
    validate("doctor", told.document())


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_schemas(name):
    jsonschema.Draft202012Validator.check_schema(LOADED[name])
    assert LOADED[name]["title"]


def test_every_command_has_its_schema_and_every_schema_is_asked_for():
    asked = {asked for _, asked, _ in ASKED}
    for command in commands():
        if command != ("models", "build"):  # needs sources that do not ship
            assert any(one.split()[: len(command)] == list(command) for one in asked), f"{command} has no schema"
    assert {name for name, _, _ in ASKED} | UNASKED | {"models-build"} == set(NAMES)
