"""Every command on good, empty, huge and malformed input: the exit code of INTERFACES §2, and one clear line."""

import json

import numpy as np
import pytest
from cli_commands import commands
from cli_runner import run
from conftest import F1_A, WORDS

HUGE = 10**30
LONG = "x" * 100_000
GAMES = 20_000
"""Lines of a huge file: more than any pipe or buffer takes at once."""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("table")
    (folder / "empty").write_bytes(b"")
    (folder / "folder").mkdir()
    (folder / "binary").write_bytes(bytes(range(256)) * 40)
    (folder / "nested.json").write_text("[" * 200_000)
    (folder / "huge.json").write_text(json.dumps({"words": ["w"] * 300_000, "key": "G" * 300_000}))
    (folder / "huge.jsonl").write_text("rubbish\n" * GAMES)
    (folder / "long.jsonl").write_text("x" * 3_000_000)
    (folder / "huge.txt").write_text("\n".join(f"word{'abcdefghij'[n % 10]}{n}" for n in range(3_000)))
    (folder / "long.txt").write_text("a " + "1 " * 700_000)
    (folder / "board.json").write_text(json.dumps({"words": WORDS, "key": F1_A}))
    (folder / "words.txt").write_text("\n".join(WORDS))
    (folder / "few.txt").write_text("one\ntwo\n")
    (folder / "edges.csv").write_text("Prague,Atlantis\n")
    rows = "\n".join(f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, np.eye(25), strict=True))
    (folder / "vectors.txt").write_text(rows)
    (folder / "torn.txt").write_text(f"26 25\n{rows}")
    (folder / "responses.csv").write_text("cue,response,count\nstorm,rain,9\nstorm,wind,5\nrain,wet,7\n")
    guess = {"source": "s", "game": 1, "board": WORDS[:12], "clue": "storm", "number": 2, "targets": ["harbor"]}
    guess |= {"guesses": [["harbor", "island"]], "ordered": True, "assassins": [], "bystanders": []}
    (folder / "guesses.jsonl").write_text(json.dumps(guess) + "\n")
    (folder / "agents_of_mine.py").write_text(
        "class Late:\n    def __init__(self):\n        raise OSError('no disk')\n"
    )
    run(
        "bench", "--pair", "random", "random", "--city", "prague", "--games", 2, "--workers", 1, "--out", folder / "run"
    )
    (folder / "halfrun").mkdir()
    (folder / "halfrun" / "manifest.json").write_bytes((folder / "run" / "manifest.json").read_bytes())
    (folder / "halfrun" / "games.jsonl").write_bytes((folder / "run" / "games.jsonl").read_bytes()[:-40])
    (folder / "emptyrun").mkdir()
    (folder / "emptyrun" / "manifest.json").write_bytes((folder / "run" / "manifest.json").read_bytes())
    (folder / "emptyrun" / "games.jsonl").write_bytes(b"")
    (folder / "badrun").mkdir()
    (folder / "badrun" / "manifest.json").write_text("{}")
    return folder


@pytest.fixture(autouse=True)
def home(place, monkeypatch, tmp_path):
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(place)
    monkeypatch.syspath_prepend(place)


TABLE = """
good      0 learn --plain
malformed 2 learn chess

good      0 rules
malformed 2 rules now

good      0 partner list
malformed 2 partner list --now
malformed 2 partner show nobody
malformed 2 partner forget nobody

good      0 play --partner random --seed 1 --plain
empty     3 play --words empty
empty     2 play --city=
huge      2 play --turns 1000000000000000000000000000000
malformed 3 play --words binary
malformed 2 play --city atlantis
malformed 2 play --seed one
malformed 2 play --first nobody
malformed 2 play --partner nobody
malformed 2 play --partner random:depth
malformed 3 play --partner embedding:model=nope
malformed 4 play --partner py:agents_of_mine:Late
malformed 2 play --partner py:no_such_module:Late
malformed 2 play --order backwards
malformed 2 play --clue-law none
malformed 2 play --relax everything
malformed 2 play --mistakes 3
malformed 2 play --turns 3 --mistakes 4
malformed 2 play --city prague --turns 9

good      0 campaign new
good      0 campaign list
empty     2 campaign status
empty     2 campaign map
empty     2 campaign log
empty     2 campaign travel prague
empty     2 campaign note prague hello
empty     2 campaign drop main --yes
empty     2 campaign play --bots random random
empty     3 campaign list --file empty
huge      3 campaign list --file huge.json
malformed 3 campaign list --file binary
malformed 3 campaign new --file nested.json
malformed 3 campaign status --file folder
malformed 3 campaign map --file binary
malformed 3 campaign log --file binary
malformed 3 campaign travel prague --file binary
malformed 3 campaign note prague hello --file binary
malformed 3 campaign drop main --yes --file binary
malformed 3 campaign play --file binary
malformed 2 campaign new --travel slowly
malformed 3 campaign new --edges edges.csv
malformed 3 campaign new --edges missing.csv

good      0 clue --green ocean,castle --black king --top 2
good      0 clue --board board.json --top 1
empty     2 clue
empty     2 clue --green=
empty     3 clue --board empty
huge      3 clue --board huge.json
huge      3 clue --board nested.json
huge      2 clue --green LONG
huge      2 clue --green MANY
malformed 3 clue --board binary
malformed 3 clue --board missing.json
malformed 3 clue --board folder
malformed 3 clue --green ocean --model binary
malformed 2 clue --green ocean --top none
malformed 2 clue --green ocean --gren castle

good      0 guess --clue ocean --number 2 --words whale,king
good      0 guess --clue ocean --number 2 --board board.json
empty     2 guess
empty     2 guess --clue= --number 1 --words whale
empty     2 guess --clue ocean --number 1 --words=
empty     3 guess --clue ocean --number 1 --board empty
huge      0 guess --clue LONG --number 1 --words whale,king -q
huge      0 guess --clue ocean --number 1 --words MANY -q
huge      2 guess --clue ocean --number 1000000000000000000000000000000 --words whale
huge      3 guess --clue ocean --number 1 --board huge.json
malformed 3 guess --clue ocean --number 1 --board binary
malformed 2 guess --clue ocean --number two --words whale
malformed 3 guess --clue ocean --number 1 --words whale --model torn.txt

good      0 bench --pair random random --city prague --games 1 --workers 1
empty     2 bench --pair
empty     2 bench --pair random
empty     2 bench --cross random
empty     3 bench --pair random random --words empty
huge      2 bench --pair random random --turns 1000000000000000000000000000000
malformed 2 bench --pair random random random
malformed 2 bench --pair nobody random
malformed 2 bench --pair human random
malformed 2 bench --pair random random --pair random random
malformed 2 bench --city atlantis
malformed 2 bench --games 0
malformed 2 bench --engine steam
malformed 2 bench --resume
malformed 2 bench --out run
malformed 2 bench --out words.txt
malformed 3 bench --resume --out badrun
malformed 3 bench --words binary
malformed 4 bench --pair py:agents_of_mine:Late random --city prague --games 1 --workers 1

good      0 report run
good      0 report run --compare run
good      0 report halfrun -q
empty     0 report emptyrun
empty     3 report folder
empty     2 report
malformed 3 report missing
malformed 3 report words.txt
malformed 3 report badrun
good      0 report run --html page.html
malformed 2 report run --html folder
malformed 2 report run --html words.txt
malformed 2 report run --html /dev/null
malformed 3 report run --html words.txt/page.html
malformed 3 report missing --html new.html
malformed 2 report run --compare emptyrun
malformed 3 report run --compare folder

good      0 replay run
good      0 replay run --game 2 --step
good      0 replay run --game 0-Prague-1
empty     3 replay empty
empty     3 replay emptyrun
huge      3 replay huge.jsonl
huge      3 replay long.jsonl
huge      2 replay run --game 1000000000000000000000000000000
malformed 3 replay binary
malformed 3 replay missing
malformed 3 replay folder
malformed 2 replay run --game nope
malformed 2 replay run --step --json

good      0 verify run
empty     0 verify empty
empty     3 verify folder
huge      1 verify huge.jsonl
huge      1 verify long.jsonl
malformed 1 verify binary
malformed 1 verify halfrun
malformed 3 verify missing

good      0 models list
malformed 2 models list glove
good      0 models show glove
empty     3 models show empty
empty     3 models show=
malformed 3 models show nope
malformed 3 models show binary
good      0 models verify
good      0 models verify glove
malformed 3 models verify nope
good      0 models import vectors.txt --name mine
empty     3 models import empty --name mine
empty     2 models import vectors.txt --name=
huge      3 models import long.txt --name mine
huge      2 models import vectors.txt --name mine --max-words 0
malformed 3 models import torn.txt --name mine
malformed 3 models import binary --name mine
malformed 3 models import folder --name mine
malformed 3 models import missing.txt --name mine
malformed 2 models import vectors.txt --name glove --replace
malformed 2 models import vectors.txt --name a/b
malformed 2 models import vectors.txt --name mine --precision int4
malformed 2 models import vectors.txt --name mine --temperature 0
malformed 2 models import vectors.txt
good      0 norms import responses.csv --name heard
empty     3 norms import empty --name heard
empty     2 norms import responses.csv --name=
huge      3 norms import long.txt --name heard
malformed 3 norms import vectors.txt --name heard
malformed 3 norms import binary --name heard
malformed 3 norms import folder --name heard
malformed 3 norms import missing.csv --name heard
malformed 2 norms import responses.csv --name glove
malformed 2 norms import responses.csv --name heard --model minilm
malformed 3 norms import responses.csv --name heard --model elmo
malformed 2 norms import responses.csv
malformed 2 models build nope
malformed 3 models build glove --source missing

good      0 words list
good      0 words check words.txt
empty     1 words check empty
huge      1 words check huge.txt
malformed 1 words check few.txt
malformed 1 words check binary
malformed 3 words check folder
malformed 3 words check missing

good      0 agents list
good      0 agents check random --positions 40
empty     2 agents check=
malformed 2 agents check nobody
malformed 4 agents check py:agents_of_mine:Late
malformed 2 agents check random --positions 0

good      0 evaluate humans guesses.jsonl
empty     3 evaluate humans empty
huge      3 evaluate humans huge.jsonl
malformed 3 evaluate humans binary
malformed 3 evaluate humans missing
malformed 3 evaluate humans guesses.jsonl --model nope

good      0 doctor -q
malformed 2 doctor who
"""
ROWS = [line.split(maxsplit=2) for line in TABLE.splitlines() if line]
MANY = ",".join(f"word{number}" for number in range(20_000))


def arguments(asked):
    """The words of a line of the table; `NAME=` alone is an empty argument."""
    for word in asked.split():
        if word.endswith("=") and not word.startswith("-"):
            yield from (word[:-1], "")
        else:
            yield {"LONG": LONG, "MANY": MANY}.get(word, word)


@pytest.mark.parametrize(("kind", "code", "asked"), ROWS, ids=[" ".join(row) for row in ROWS])
def test_the_exit_code_and_one_line(kind, code, asked):
    told = run(*arguments(asked), typed="")
    assert told.code == int(code), told.err
    if told.code > 1:
        line = told.error()
        assert 10 < len(line) < 500
    assert "Traceback" not in told.err + told.out
    assert (kind == "good") <= (told.code == 0)


def test_every_command_is_in_the_table():
    asked = {tuple(word.removesuffix("=") for word in row[2].split()) for row in ROWS}
    for command in commands():
        assert any(words[: len(command)] == command for words in asked), f"{command} is not tried"
