"""The frozen benchmark (docs/benchmark.md): its data never change, they reach the table, and a change is refused."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from cli_runner import run
from test_cli_json import validate

from brushpass import seeds
from brushpass.cli.output import rounded
from brushpass.duet.bench import run_bench
from brushpass.duet.core.deal import deal
from brushpass.duet.core.mission import find_cities
from brushpass.duet.plan import Plan
from brushpass.duet.record import read_lines, read_records, verify
from brushpass.duet.results import Pairing, found
from brushpass.duet.runfolder import NamedMind
from brushpass.duet.standing import SuiteReport
from brushpass.duet.suite import FOLDER, list_suites, load_suite
from brushpass.errors import CorruptData, InvalidSetup, UnknownData

NAME = "duet-1"
ROOT = Path(__file__).parents[1]
PRAGUE = find_cities("Prague")
SUITE_SHA256 = "8ec9963328e37205bf10eb9919dbacf0d20c33c23452578c63ee454b7de70fc4"
DEALS_SHA256 = "6ccc45aee756fffba63500db3ed842aa3972be2a3edfb331688470d5500f96cf"
PLAYED_SHA256 = "b1238dfdc522e784166f31aee08b1c96734a9d5b57fa42b276af49b3aca97b94"
"""Of what is done in the first two games of `random` beside each partner."""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A suite of three deals and one partner, in a folder."""
    folder = tmp_path_factory.mktemp("suites") / "small"
    shutil.copytree(FOLDER / NAME, folder)
    lines = (folder / "deals.jsonl").read_text().splitlines(keepends=True)[:3]
    (folder / "deals.jsonl").write_text("".join(lines))
    words = sorted({word for line in lines for word in json.loads(line)["words"]})
    change(
        folder,
        name="small",
        deals={"count": 3, "sha256": hashlib.sha256("".join(lines).encode()).hexdigest()},
        words={"name": "english", "count": len(words), "sha256": hashlib.sha256("\n".join(words).encode()).hexdigest()},
        partners={"glove": "person:model=glove"},
    )
    return folder


@pytest.fixture(scope="module")
def played(small, tmp_path_factory):
    """A run of the small suite by the command: its folder and its document."""
    out = tmp_path_factory.mktemp("runs") / "run"
    asked = ("bench", "--suite", small, "--agent", "random", "--agent", "nearest:model=glove", "--workers", 1)
    return out, run(*asked, "--out", out, "--json", "-q").document()


def change(folder, **entries):
    """Change keys of the suite in `folder`."""
    about = json.loads((folder / "suite.json").read_text())
    (folder / "suite.json").write_text(json.dumps({**about, **entries}))


def lines_of(folder):
    return sorted(line for _, line in read_lines(folder))


# ------------------------------------------------------------------ frozen


def test_the_files_are_frozen():
    assert hashlib.sha256((FOLDER / NAME / "deals.jsonl").read_bytes().replace(b"\r", b"")).hexdigest() == DEALS_SHA256
    assert load_suite(NAME).sha256 == SUITE_SHA256
    assert list_suites() == (NAME,)


def test_what_it_was_frozen_with_is_what_ships():
    load_suite(NAME).check()


def test_the_deals_are_those_that_the_documented_seeds_draw():
    suite = load_suite(NAME)
    assert len(suite.deals) == 2000
    for index in (0, 1, 1999):
        drawn = deal(suite.words, seed=seeds.child(NAME, "deal", index))
        assert suite.deals[index] == (drawn.board, drawn.keys, drawn.first)


def test_every_option_of_every_partner_is_written_out():
    for spec in load_suite(NAME).partners.values():
        assert [part.split("=")[0] for part in spec.removeprefix("person:").split(",")] == [
            *("model", "temperature", "vocabulary", "guess_noise", "clue_noise")
        ]


def test_partners_play_as_they_did_when_the_suite_was_frozen(tmp_path):
    report = run_bench(
        Plan.of_suite(NAME, ["random:vocabulary=clues-v1"], games=2, cities=PRAGUE), out=tmp_path / "run"
    )
    records = map(json.loads, lines_of(tmp_path / "run"))
    done = [(record["id"], record["actions"], record["outcome"]) for record in records]
    assert len(done) == 8
    assert hashlib.sha256(json.dumps(done).encode()).hexdigest() == PLAYED_SHA256
    read = run("report", tmp_path / "run", "--json").document()
    validate("report", read)
    assert read["suite"] == rounded(report.to_json()["suite"])


# ------------------------------------------------------------------ at the table


def test_the_deals_reach_the_table(played):
    out, _ = played
    deals = [json.loads(line) for line in (FOLDER / NAME / "deals.jsonl").read_text().splitlines()[:3]]
    records = [json.loads(line) for line in lines_of(out)]
    assert len(records) == 3 * 5 * 2
    for record in records:
        dealt = deals[int(record["id"].split("-")[-1])]
        assert {key: record[key] for key in dealt} == dealt
        assert record["agents"][1] == "person:model=glove"
    for record in read_records(out):
        verify(record)


def test_games_are_the_same_in_this_process_and_in_workers(small, played, tmp_path):
    out, _ = played
    run_bench(Plan.of_suite(str(small), ["random", "nearest:model=glove"]), out=tmp_path / "here")
    assert lines_of(tmp_path / "here") == lines_of(out)


def test_a_run_goes_on_and_keeps_its_first_games(small, played, tmp_path):
    out, document = played
    agents = ["random", "nearest:model=glove"]
    first = run_bench(Plan.of_suite(str(small), agents, games=1), out=tmp_path / "run").to_json()["suite"]
    assert (first["deals"], first["complete"]) == (1, False)
    rest = run_bench(Plan.of_suite(str(small), agents), out=tmp_path / "run", resume=True).to_json()["suite"]
    assert rounded(rest) == document["suite"]
    assert lines_of(tmp_path / "run") == lines_of(out)


def test_a_folder_with_other_deals_is_not_gone_on_with(small, played, tmp_path):
    out, _ = played
    shutil.copytree(out, tmp_path / "run")
    games = tmp_path / "run" / "games.jsonl"
    games.write_text(games.read_text().replace('"first":"A"', '"first":"x"').replace('"first":"B"', '"first":"A"'))
    asked = ("--agent", "random", "--agent", "nearest:model=glove", "--resume", "--out", tmp_path / "run")
    refused = run("bench", "--suite", small, *asked)
    assert refused.code == 3
    assert "was not played with its deal" in refused.error()


def test_a_suite_in_a_folder_goes_on_without_being_named_again(small, played, tmp_path):
    asked = ("--agent", "random", "--agent", "nearest:model=glove", "--games", 1)
    run("bench", "--suite", small, *asked, "--workers", 1, "--out", tmp_path / "run", "-q")
    more = ("bench", "--resume", "--out", tmp_path / "run", "--workers", 1, "--json", "-q")
    refused = run(*more, "--games", 4)
    assert refused.code == 2
    assert "has 3 deals, not 4" in refused.error()
    assert run(*more, "--games", 3).document()["suite"] == played[1]["suite"]


def test_a_report_knows_that_the_cities_of_any_suite_share_deals(played):
    out, document = played
    read = run("report", out, "--json").document()
    ends = [[(pair["low"], pair["high"]) for pair in one["pairs"]] for one in (read, document)]
    assert ends[0] == ends[1]
    assert [(one["low"], one["high"]) for one in read["matchups"][::2]] == ends[0]
    assert "suite" not in read


def test_agents_of_two_runs_are_compared_beside_the_same_partner(small, played, tmp_path):
    change(shutil.copytree(small, tmp_path / "suite"), partners={"one": "person:model=glove", "two": "random"})
    run_bench(Plan.of_suite(str(tmp_path / "suite"), ["person:model=glove"], games=1), out=tmp_path / "run")
    differences = run("report", played[0], "--compare", tmp_path / "run", "--json").document()["differences"]
    assert [(one["first"]["a"], one["second"]["b"], one["games"]) for one in differences] == [
        ("random", "person:model=glove", 5),
        ("nearest:model=glove", "person:model=glove", 5),
    ]


# ------------------------------------------------------------------ refused


@pytest.mark.parametrize(
    ("kind", "entry", "told"),
    [
        ("minds", {"glove": "0" * 64}, "model glove"),
        ("minds", {"nobody": "0" * 64}, "nobody"),
        ("vocabularies", {"person-vocabulary-v1": "0" * 64}, "person-vocabulary-v1"),
        ("law", {"families": "0" * 64}, "families"),
        ("deals", {"count": 3, "sha256": "0" * 64}, "deals are changed"),
        ("words", {"name": "english", "count": 1, "sha256": "0" * 64}, "other words"),
        ("tables", [["Prague", 8, 8]], "Prague"),
        ("schema", 2, "schema 2"),
        ("partners", 7, "no suite"),
    ],
)
def test_what_is_not_as_it_was_frozen_is_refused_before_a_game(small, tmp_path, kind, entry, told):
    shutil.copytree(small, tmp_path / "suite")
    change(tmp_path / "suite", **{kind: entry})
    refused = run("bench", "--suite", tmp_path / "suite", "--agent", "random", "--out", tmp_path / "run")
    assert refused.code == 3
    assert told in refused.error()
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--seed", 0), 2, "--seed is settled"),
        (("--pair", "random", "random"), 2, "--pair is settled"),
        (("--clue-law", "reject"), 2, "--clue-law is settled"),
        (("--turns", 9), 2, "--turns is settled"),
        (("--words", "english"), 2, "--words is settled"),
        (("--games", 2001), 2, "2000 deals"),
        (("--city", "tokyo"), 2, "Berlin"),
        (("--agent", "human"), 2, "human"),
    ],
)
def test_options_that_a_suite_has_settled_are_refused(args, code, told):
    refused = run("bench", "--suite", NAME, *args)
    assert refused.code == code
    assert told in refused.error()


def test_names_that_do_not_exist():
    assert "duet-1" in run("bench", "--suite", "duet-9").error()
    assert "--suite" in run("bench", "--agent", "random").error()
    with pytest.raises(UnknownData):
        load_suite("duet-9")
    with pytest.raises(InvalidSetup, match="2000 deals"):
        Plan.of_suite(NAME, games=2001)


# ------------------------------------------------------------------ the page


def test_the_page_shows_the_suite_and_every_result(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import leaderboard

    page = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    shown = page.partition(leaderboard.BEGIN)[2].partition(leaderboard.END)[0]
    assert shown == leaderboard.text(), "python benchmarks/leaderboard.py --write"
    assert len(shown.splitlines()) > 5
    assert SUITE_SHA256[:12] in page
    for city in load_suite(NAME).cities:
        assert city.name in page


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda result: result.pop("suite"), "no result of --suite duet-1"),
        (lambda result: result["suite"].update(deals=1), "has not two deals in Prague"),
        (lambda result: result["suite"]["agents"][0]["partners"][0]["cities"].pop(0), "has not two deals in Prague"),
    ],
)
def test_a_result_that_has_no_place_in_the_leaderboard_is_told(monkeypatch, tmp_path, change, told):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import leaderboard

    result = json.loads((leaderboard.RESULTS / "random.json").read_text(encoding="utf-8"))
    change(result)
    (tmp_path / "mine.json").write_text(json.dumps(result))
    with pytest.raises(ValueError, match=f"mine.json .*{told}"):
        leaderboard.entries(load_suite(NAME), tmp_path)


def test_an_agent_of_any_name_stays_in_its_cell_of_the_leaderboard(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import leaderboard

    result = json.loads((leaderboard.RESULTS / "random.json").read_text(encoding="utf-8"))
    result["suite"]["agents"][0]["agent"] = "cmd:a | b"
    (tmp_path / "mine.json").write_text(json.dumps(result))
    suite = load_suite(NAME)
    _, _, line = leaderboard.table(suite, leaderboard.entries(suite, tmp_path))
    assert line.startswith(r"| `cmd:a \| b` |")


# ------------------------------------------------------------------ figures


def test_the_document_names_the_suite_and_each_agent(small, played):
    out, document = played
    validate("bench", document)
    suite = document["suite"]
    sha256 = load_suite(str(small)).sha256
    assert (suite["name"], suite["sha256"], suite["deals"], suite["complete"]) == ("small", sha256, 3, True)
    manifest = json.loads((out / "manifest.json").read_text())
    validate("manifest", manifest)
    assert manifest["arguments"]["suite"] == {"name": "small", "sha256": sha256, "ingredients": []}
    blank, nearest = suite["agents"]
    assert (blank["agent"], blank["mind"], blank["headline"]["games"]) == ("random", None, 3)
    assert nearest["headline"] is None
    assert nearest["partners"][0]["shared_ingredients"] == ["glove"]
    assert [city["city"] for city in nearest["partners"][0]["cities"]] == [
        "Prague",
        "Berlin",
        "Paris",
        "Cairo",
        "Bangkok",
    ]


def test_the_text_marks_what_does_not_count(small, played):
    asked = ("--agent", "random", "--agent", "nearest:model=glove", "--resume", "--out", played[0])
    text = run("bench", "--suite", small, *asked, "-v").out
    assert "headline" in text
    assert "not counted: both are made from glove" in text
    assert "no headline: it shares an ingredient with every partner" in text
    assert "glove at Bangkok" in text


def record_of(suite, pair, city, index, *, won):
    """A record of deal `index` in which A touches all that is green to B, and A's partner nothing."""
    board, keys, first = suite.deals[index]
    greens = [card for card, color in enumerate(str(keys.b)) if color == "G"]
    return {
        "id": f"{pair}-{city}-{index}",
        "words": list(board.words),
        "key_a": str(keys.a),
        "key_b": str(keys.b),
        "first": str(first),
        "actions": [["clue", "B", "x", 9], *(["guess", "A", card] for card in greens), ["guess", "A", greens[0]]],
        "outcome": "won" if won else "lost",
        "reason": None if won else "assassin",
        "sudden_death": False,
    }


def report_of(suite, *pairings):
    return SuiteReport(suite, pairings, [city.name for city in suite.cities])


def test_agents_found_are_counted_by_the_partners_side_once():
    suite = load_suite(NAME)
    assert found(record_of(suite, 0, "Prague", 5, won=True)) == 9


def test_cities_that_share_deals_do_not_narrow_an_interval():
    suite = load_suite(NAME)
    report = report_of(suite, Pairing("random", suite.partners["glove"]))
    for city in suite.cities:
        for index in range(40):
            report.tally.add(0, city.name, record_of(suite, 0, city.name, index, won=index % 2 == 0))
    prague, every = (
        report.tally.figure([0], cities).wins for cities in (["Prague"], [city.name for city in suite.cities])
    )
    assert every.value == prague.value == 0.5
    assert every.high - every.low == pytest.approx(prague.high - prague.low, rel=0.1)
    (pair,) = report.to_json()["pairs"]
    assert (pair["low"], pair["high"]) == (every.low, every.high)


def test_agents_found_of_a_pair_are_clustered_by_deal_and_between_none_and_all():
    suite = load_suite(NAME)
    report = report_of(suite, Pairing("random", suite.partners["glove"]))
    for city in suite.cities:
        for index in range(6):
            record = record_of(suite, 0, city.name, index, won=False)
            report.tally.add(0, city.name, record | ({} if index == 0 else {"actions": []}))
    (pair,) = report.to_json()["pairs"]
    prague = pair["cities"][0]
    assert pair["mean_found"] == prague["mean_found"] == 1.5
    assert pair["found_low"] == prague["found_low"] == 0
    assert pair["found_high"] == pytest.approx(prague["found_high"])
    assert report.tally.figure([0], ["Prague"]).found.low == 0


def test_the_headline_is_the_mean_over_partners_that_share_nothing():
    suite = load_suite(NAME)
    mind, other = NamedMind("mine", "1" * 64, ("glove", "x")), NamedMind("minilm", "2" * 64, ("minilm",))
    glove = NamedMind("glove", "3" * 64, ("glove",))
    report = report_of(
        suite,
        Pairing("mine", suite.partners["glove"], mind, glove),
        Pairing("mine", suite.partners["minilm"], mind, other),
        Pairing("mine", suite.partners["minilm-sharp"], mind, other),
    )
    for pair, wins in enumerate((10, 4, 6)):
        for index in range(10):
            report.tally.add(pair, "Prague", record_of(suite, pair, "Prague", index, won=index < wins))
    (agent,) = report.to_json()["suite"]["agents"]
    assert (agent["headline"]["win_rate"], agent["headline"]["games"], agent["headline"]["deals"]) == (0.5, 20, 10)
    assert agent["headline"]["found"] == 9


def test_an_agent_may_say_what_it_is_made_from():
    suite = load_suite(NAME)
    glove, minilm = (NamedMind(name, "1" * 64, (name,)) for name in ("glove", "minilm"))
    pairings = (
        Pairing("py:x:Y", suite.partners["glove"], None, glove),
        Pairing("py:x:Y", suite.partners["minilm"], None, minilm),
    )
    report = SuiteReport(suite, pairings, ["Prague"], ["glove", "wordnet"])
    for pair in (0, 1):
        report.tally.add(pair, "Prague", record_of(suite, pair, "Prague", 0, won=True))
    (agent,) = report.to_json()["suite"]["agents"]
    assert [partner["shared_ingredients"] for partner in agent["partners"]] == [["glove"], []]
    assert (agent["ingredients"], agent["headline"]["games"]) == (["glove", "wordnet"], 1)


def test_an_agent_that_does_not_say_what_it_is_made_from_is_remarked_on():
    asked = ("bench", "--suite", NAME, "--games", 1, "--city", "prague", "--workers", 1)
    theirs = "py:brushpass.duet.agents.random:RandomAgent"
    assert f"of what {theirs} was made is not known" in run(*asked, "--agent", theirs).err
    assert "is not known" not in run(*asked, "--agent", theirs, "--ingredients", "glove").err
    assert "is not known" not in run(*asked, "--agent", "random").err


def test_a_record_of_another_deal_is_refused():
    suite = load_suite(NAME)
    report = report_of(suite, Pairing("random", suite.partners["glove"]))
    with pytest.raises(CorruptData, match="0-Prague-1 was not played"):
        report.tally.add(0, "Prague", {**record_of(suite, 0, "Prague", 0, won=True), "id": "0-Prague-1"})
