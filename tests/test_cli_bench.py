import json
import os
import signal
import subprocess
import sys

import pytest
from cli_runner import run

from brushpass.cli.bench import JOINT, gather
from brushpass.cli.tables import bench_lines
from brushpass.duet.core.mission import CITIES

QUICK = ("--games", 2, "--seed", 1, "--workers", 1)
RANDOM = ("--pair", "random", "random")
CITY_KEYS = {
    *("city", "turns", "mistakes", "games", "wins", "low", "high", "assassin", "sudden_death_wins"),
    *("sudden_death_losses", "cannot_pay", "failures", "mean_turns", "mean_number"),
    *("mean_found", "found_low", "found_high"),
}
PAIR_KEYS = {
    *("a", "b", "mirror", "shared_ingredients", "games", "wins", "win_rate", "low", "high", "assassin_rate"),
    *("mean_turns", "failures", "cities", "mean_found", "found_low", "found_high"),
}


def timeless(document):
    return {key: value for key, value in document.items() if key not in {"seconds", "games_per_second"}}


def test_json_has_every_city_and_adds_up():
    document = run("bench", *QUICK, *RANDOM, "--json").document()
    assert document["schema"] == 1
    assert document["seed"] == 1
    assert document["seconds"] > 0
    assert document["games_per_second"] > 0
    (pair,) = document["pairs"]
    assert set(pair) >= PAIR_KEYS
    assert (pair["a"], pair["b"], pair["mirror"]) == ("random", "random", False)
    assert [(city["city"], city["turns"], city["mistakes"]) for city in pair["cities"]] == [
        (city.name, city.mission.turns, city.mission.mistakes) for city in CITIES
    ]
    assert pair["games"] == 2 * len(CITIES)
    assert 0 <= pair["found_low"] < pair["mean_found"] < pair["found_high"] <= 15
    assert pair["mean_found"] == pytest.approx(sum(city["mean_found"] for city in pair["cities"]) / len(CITIES))
    assert 0 <= pair["low"] <= pair["win_rate"] <= pair["high"] <= 1
    for city in pair["cities"]:
        assert set(city) >= CITY_KEYS
        ends = ("wins", "assassin", "sudden_death_losses", "cannot_pay", "failures")
        assert sum(city[end] for end in ends) == city["games"] == 2


def test_the_table_has_a_line_a_city_in_the_order_of_the_map():
    told = run("bench", *QUICK, *RANDOM)
    lines = told.out.splitlines()
    assert told.code == 0
    assert told.err == ""
    places = [next(place for place, line in enumerate(lines) if line.startswith(city.name)) for city in CITIES]
    assert places == sorted(places)
    assert any(line.startswith("failures") for line in lines)
    (agents,) = (line.split() for line in lines if line.startswith("agents found  "))
    assert 0 <= float(agents[3]) < float(agents[2]) < float(agents[5]) <= 15
    assert "seed 1" in lines[-1]


def test_cross_plays_every_ordered_pair_and_workers_change_nothing(words):
    cross = ("--cross", "random", "nearest:model=glove")
    asked = ("bench", "--games", 2, "--seed", 3, "--words", words, "--city", "prague,hong-kong", *cross, "--json")
    one = run(*asked, "--workers", 1).document()
    two = run(*asked, "--workers", 2).document()
    assert timeless(one) == timeless(two)
    assert len(one["pairs"]) == 4
    assert [city["city"] for city in one["pairs"][0]["cities"]] == ["Prague", "Hong Kong"]


def test_a_mirror_is_marked_and_models_are_named(words):
    pairs = (
        "--pair",
        "nearest:model=glove",
        "nearest:model=glove",
        "--pair",
        "nearest:model=glove",
        "nearest:model=minilm",
    )
    asked = ("bench", *QUICK, "--city", "prague", "--words", words, *pairs)
    mirror, honest = run(*asked, "--json").document()["pairs"]
    assert (mirror["mirror"], honest["mirror"]) == (True, False)
    assert (mirror["shared_ingredients"], honest["shared_ingredients"]) == (["glove"], [])
    lines = run(*asked).out.splitlines()
    assert [line.strip().split(":")[0] for line in lines[:4]] == ["1", "mirror", "2", ""]
    assert lines[-1].startswith("models: glove ")


def test_minds_of_shared_ingredients_are_not_called_independent():
    model = {"name": "x", "sha256": "0" * 64}
    city = {"city": "Prague", "turns": 9, "mistakes": 9, "games": 1, "wins": 1, "low": 0.2, "high": 1.0}
    pair = {
        "a": "one",
        "b": "other",
        "mirror": False,
        "shared_ingredients": ["glove"],
        "memory": 1,
        "models": [model, model],
        "games": 1,
        "wins": 1,
        "low": 0.2,
        "high": 1.0,
        "assassin_rate": 0,
        "mean_turns": 5,
        "mean_found": 15.0,
        "found_low": None,
        "found_high": None,
        "failures": 0,
        "cities": [city],
    }
    lines = list(bench_lines({"pairs": [pair], "seed": 0, "games_per_second": 1.0, "seconds": 1.0}))
    assert "not independent" in lines[1]
    assert "glove" in lines[1]


def test_a_run_folder_is_written_verified_and_gone_on_with(tmp_path):
    folder = tmp_path / "run"
    asked = ("bench", "--seed", 1, "--city", "prague", "--workers", 1, *RANDOM, "--out", folder)
    assert f"no run is begun in {folder}" in run(*asked, "--games", 1, "--resume").err
    assert "no run is begun" not in run(*asked, "--games", 2, "--resume").err
    assert run("verify", folder, "--json").document()["valid"] == 2
    assert json.loads((folder / "manifest.json").read_text())
    refused = run(*asked, "--games", 3)
    assert refused.code == 2
    assert "--resume" in refused.error()
    assert run(*asked, "--games", 3, "--resume", "--json", "-q").document()["pairs"][0]["games"] == 3
    assert run("verify", folder, "--json").document()["valid"] == 3
    other = run(*asked, "--games", 3, "--resume", "--order", "free")
    assert other.code == 2
    other.error()


@pytest.mark.parametrize(
    "asked",
    [
        ("--seed", 5, "--city", "prague,hong-kong", "--cross", "random", "nearest:model=glove"),
        ("--turns", 5, "--mistakes", 2, "--order", "2-1", "--clue-law", "penalty", "--relax", "acronyms", *RANDOM),
        ("--suite", "duet-1", "--agent", "random", "--city", "prague"),
    ],
    ids=["cross", "table", "suite"],
)
def test_resume_needs_no_other_argument_again(tmp_path, words, asked):
    if "--suite" not in asked:
        asked = (*asked, "--words", words)
    whole = run("bench", *asked, "--games", 3, "--workers", 1, "--out", tmp_path / "whole", "--json").document()
    begun = tmp_path / "begun"
    assert run("bench", *asked, "--games", 3, "--workers", 1, "--out", begun).code == 0
    lines = (begun / "games.jsonl").read_text().splitlines(keepends=True)
    (begun / "games.jsonl").write_text("".join(lines[:2]) + lines[2][:50])
    again = run("bench", "--resume", "--out", begun, "--workers", 1, "--json")
    assert timeless(again.document()) == timeless(whole)
    assert sorted((begun / "games.jsonl").read_text().splitlines(keepends=True)) == sorted(lines)
    more = run("bench", "--resume", "--out", begun, "--games", 4, "--workers", 1, "--json").document()
    assert {pair["games"] for pair in more["pairs"]} == {4 * len(pair["cities"]) for pair in more["pairs"]}


def test_resume_names_a_line_that_is_no_record(tmp_path):
    run("bench", *RANDOM, "--games", 1, "--city", "Prague", "--workers", 1, "--out", tmp_path / "run", "-q")
    with (tmp_path / "run" / "games.jsonl").open("a") as games:
        games.write('{"schema":1,"id":"x"}\n')
    refused = run("bench", "--resume", "--out", tmp_path / "run")
    assert refused.code == 3
    assert "line 2 is no record of this run" in refused.error()


def test_a_game_that_is_there_twice_is_called_that(tmp_path):
    run("bench", *RANDOM, "--games", 1, "--city", "Prague", "--workers", 1, "--out", tmp_path, "-q")
    games = tmp_path / "games.jsonl"
    games.write_text(games.read_text() * 2)
    told = run("report", tmp_path).error()
    assert "line 2 is no record of this run (game 0-Prague-0 is there twice: remove one)" in told
    assert "verify" not in told  # which finds nothing wrong with either


def test_a_comma_in_a_path_is_told():
    told = run("bench", "--pair", "nearest:model=a,b.txt", "random").error()
    assert "'b.txt' is not key=value; a value holds no comma" in told
    assert "comma" not in run("bench", "--pair", "nearest:glove", "random").error()


def test_resume_refuses_what_differs_and_what_is_no_run(tmp_path):
    folder = tmp_path / "run"
    assert run("bench", *QUICK, *RANDOM, "--city", "prague", "--out", folder).code == 0
    for other in (("--seed", 2), ("--games", 1), ("--city", "cairo"), ("--turns", 9), ("--pair", "random", "person")):
        refused = run("bench", "--resume", "--out", folder, *other)
        assert refused.code == 2
        assert "was made with" in refused.error()
    manifest = json.loads((folder / "manifest.json").read_text())
    for broken in ({"schema": 1}, {"schema": 2, **manifest["arguments"]}, {**manifest, "arguments": {"toys": 3}}):
        (folder / "manifest.json").write_text(json.dumps(broken))
        refused = run("bench", "--resume", "--out", folder)
        assert refused.code == 3
        assert str(folder) in refused.error()


def test_a_table_of_its_own_stands_for_the_cities():
    asked = (
        "bench",
        *QUICK,
        *RANDOM,
        "--turns",
        3,
        "--mistakes",
        1,
        "--order",
        "2-1",
        "--clue-law",
        "penalty",
        "--json",
    )
    (city,) = run(*asked).document()["pairs"][0]["cities"]
    assert (city["turns"], city["mistakes"], city["games"]) == (3, 1, 2)


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--pair", "random"), 2, "two agents"),
        (("--pair", "--json"), 2, "two agents"),
        (("--cross", "random"), 2, "two agents or more"),
        (("--pair", "human", "random"), 2, "human"),
        (("--pair", "random", "nope"), 2, "known: "),
        (("--pair", "random", "embedding:model=nope"), 3, "glove"),
        (("--pair", "random", "embedding:model=./nope.txt"), 3, "nope.txt"),
        (("--pair", "random", "cmd:nope ARG"), 4, "no program 'nope' on the PATH"),
        ((*RANDOM, *RANDOM), 2, "twice"),
        ((*RANDOM, "--engine", "dask"), 2, "go together"),
        ((*RANDOM, "--engine", "steam"), 2, "local"),
        ((*RANDOM, "--scheduler", "there:1"), 2, "go together"),
        ((*RANDOM, "--suite", "duet-1"), 2, "--pair is settled by suite duet-1"),
        ((*RANDOM, "--resume"), 2, "--out"),
        ((*RANDOM, "--city", "Atlantis"), 2, "Prague"),
        ((*RANDOM, "--city", "prague,PRAGUE"), 2, "twice"),
        ((*RANDOM, "--city", "prague", "--turns", "9"), 2, "--turns"),
        ((*RANDOM, "--turns", "0"), 2, "1 to 11"),
        ((*RANDOM, "--relax", "everything"), 2, "acronyms"),
        ((*RANDOM, "--words", "nope"), 3, "english"),
        ((*RANDOM, "--words", "./nope.txt"), 3, "nope.txt"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_is_one_line(args, code, told):
    refused = run("bench", *args)
    assert refused.code == code
    assert told in refused.error()


def test_values_of_pair_and_cross_are_gathered():
    args = ["--pair", "a", "b", "--games", "2", "--cross", "x", "y", "z", "-q", "--pair", "c"]
    joined = ["--pair", f"a{JOINT}b", "--games", "2", "--cross", JOINT.join("xyz"), "-q", "--pair", "c"]
    assert list(gather(args)) == joined


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_progress_is_shown_on_a_terminal_and_an_interrupt_keeps_what_is_played(tmp_path):
    pexpect = pytest.importorskip("pexpect")
    folder = tmp_path / "run"
    command = ["-m", "brushpass", "bench", "--games", "100000", *RANDOM, "--workers", "1", "--out", str(folder)]
    terminal = pexpect.spawn(sys.executable, command, dimensions=(24, 100), encoding="utf-8", timeout=60)
    terminal.expect("games/s")
    terminal.kill(signal.SIGINT)
    terminal.expect(f"go on with: brushpass bench --resume --out {folder}")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert "Traceback" not in terminal.before
    checked = subprocess.run(
        [sys.executable, "-m", "brushpass", "verify", str(folder)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
