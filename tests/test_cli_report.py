import json
import math
import shutil

import numpy as np
import pytest
from cli_runner import run

from brushpass.arena.stats import around, mcnemar, paired_rates, wilson
from brushpass.arena.stats import mean as mean_of
from brushpass.duet.compare import Outcome, compare
from brushpass.duet.core.mission import CITIES
from brushpass.duet.record import read_records
from brushpass.duet.results import found
from brushpass.duet.runfolder import read_run
from brushpass.errors import CorruptData

PAIRS = ("--pair", "embedding:model=glove", "person:model=minilm", "--pair", "random", "random")
CITIES_PLAYED = "berlin,prague,tokyo"


def bench(folder, *args, games=4, pairs=PAIRS, seed=1):
    return run("bench", *pairs, "--city", CITIES_PLAYED, "--games", games, "--seed", seed, "--out", folder, *args)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("runs") / "run"
    bench(made, "-q", "--workers", 1)
    return made


@pytest.fixture(scope="module")
def told(folder):
    return run("report", folder, "--json").document()


@pytest.fixture
def copy(folder, tmp_path):
    """A run folder to spoil."""
    return shutil.copytree(folder, tmp_path / "copy")


def test_a_report_has_the_tables_of_its_bench(tmp_path):
    document = json.loads(bench(tmp_path / "run", "--json", "--workers", 1).out)
    told = run("report", tmp_path / "run", "--json").document()
    for pair, again in zip(document["pairs"], told["pairs"], strict=True):
        for one in (pair, again):
            one["cities"].sort(key=lambda city: city["city"])
        assert {key: again[key] for key in pair} == pair


def test_cities_come_in_the_order_of_the_map(told):
    order = [city.name for city in CITIES]
    for pair in told["pairs"]:
        names = [city["city"] for city in pair["cities"]]
        assert names == sorted(names, key=order.index)


def test_everything_adds_up_to_the_records(folder, told):
    records = list(read_records(folder))
    assert told["games"] == told["planned"] == len(records) == 24
    assert told["finished"]
    for number, pair in enumerate(told["pairs"]):
        mine = [record for record in records if str(record.id).startswith(f"{number}-")]
        assert pair["games"] == len(mine)
        assert pair["wins"] + sum(pair["losses"].values()) == pair["games"]
        said = [move.action.number for record in mine for move in record.moves if hasattr(move.action, "number")]
        assert pair["numbers"] == {str(one): said.count(one) for one in sorted(set(said))}
        assert pair["mean_turns"] == pytest.approx(len(said) / len(mine))
        assert pair["turns_low"] <= pair["mean_turns"] <= pair["turns_high"]
        assert (pair["low"], pair["high"]) == pytest.approx(wilson(pair["wins"], pair["games"])[1:])


def test_the_mirror_and_shared_ingredients_are_known_without_the_models(tmp_path, monkeypatch):
    bench(
        tmp_path / "run", "-q", "--workers", 1, games=1, pairs=("--pair", "nearest:model=glove", "nearest:model=glove")
    )
    monkeypatch.setattr("brushpass.semantics.catalog.load_mind", None)
    (pair,) = run("report", tmp_path / "run", "--json").document()["pairs"]
    assert pair["mirror"]
    assert pair["shared_ingredients"] == ["glove"]
    assert "mirror" in run("report", tmp_path / "run").out


def test_a_run_of_an_older_manifest_is_read_too(copy):
    manifest = json.loads((copy / "manifest.json").read_text())
    del manifest["minds"]
    (copy / "manifest.json").write_text(json.dumps(manifest))
    assert run("report", copy).code == 0


def test_a_half_finished_run_has_what_is_played_and_says_so(copy):
    lines = (copy / "games.jsonl").read_text().splitlines(keepends=True)
    (copy / "games.jsonl").write_text("".join(lines[:9]) + lines[9][:50])
    told = run("report", copy, "--json")
    document = told.document()
    assert (document["games"], document["planned"], document["finished"]) == (9, 24, False)
    assert "cut off" in told.err
    assert "9 of 24 games, not finished" in run("report", copy).out


@pytest.mark.parametrize(
    "line",
    ["rubbish", "[]", "{}", '{"id": 7}', '{"id": "9-Prague-0"}', '{"id": "0-Atlantis-0"}', "twice"],
)
def test_a_line_that_is_no_record_of_the_run_is_named(copy, line):
    lines = (copy / "games.jsonl").read_text().splitlines()
    lines[2:2] = [lines[0] if line == "twice" else line]
    (copy / "games.jsonl").write_text("\n".join(lines) + "\n")
    refused = run("report", copy)
    assert refused.code == 3
    assert "line 3" in refused.error()


@pytest.mark.parametrize(
    "manifest",
    [{}, [], {"schema": 2}, {"schema": 1}, {"schema": 1, "arguments": {"pairs": [["a"]], "tables": []}}],
)
def test_a_manifest_that_is_none_is_one_line(copy, manifest):
    (copy / "manifest.json").write_text(json.dumps(manifest))
    refused = run("report", copy)
    assert refused.code == 3
    assert "manifest.json" in refused.error()


@pytest.mark.parametrize("change", [{"games": 1e400}, {"games": -4}, {"games": "9"}, {"seed": 1e400}])
def test_a_manifest_of_numbers_that_are_none_is_one_line(copy, change):
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["arguments"] |= change
    (copy / "manifest.json").write_text(json.dumps(manifest))
    refused = run("report", copy)
    assert refused.code == 3
    assert "is no manifest of a Duet run" in refused.error()


# ------------------------------------------------------------------ comparisons


def test_pairs_of_a_run_are_compared_game_by_game(folder, told):
    (one,) = told["differences"]
    won = [{}, {}]
    turns = [{}, {}]
    agents = [{}, {}]
    for record in read_records(folder):
        pair, _, deal = str(record.id).partition("-")
        won[int(pair)][deal] = record.outcome == "won"
        turns[int(pair)][deal] = record.turns_used
        agents[int(pair)][deal] = found(json.loads(record.to_line()))
    assert one["games"] == 12
    assert one["only_first"] == sum(won[0][deal] > won[1][deal] for deal in won[0])
    assert one["only_second"] == sum(won[0][deal] < won[1][deal] for deal in won[0])
    assert one["p"] == mcnemar(one["only_first"], one["only_second"])
    assert one["wins"]["difference"] == pytest.approx((sum(won[0].values()) - sum(won[1].values())) / 12)
    mean = sum(turns[0][deal] - turns[1][deal] for deal in turns[0]) / 12
    assert one["turns"]["difference"] == pytest.approx(mean)
    assert one["turns"]["low"] <= mean <= one["turns"]["high"]
    more = sum(agents[0][deal] - agents[1][deal] for deal in agents[0]) / 12
    assert one["found"]["difference"] == pytest.approx(more)
    assert one["found"]["low"] <= more <= one["found"]["high"]
    assert f"agents found {more:+.2f} (" in run("report", folder).out
    for pair, counts in zip(told["pairs"], agents, strict=True):
        whole = around(mean_of([*counts.values()]), 0, 15)
        assert (pair["mean_found"], pair["found_low"], pair["found_high"]) == pytest.approx(whole)


def test_a_comparison_of_one_game_has_no_interval_of_a_mean(tmp_path):
    pairs = ("--pair", "random", "random", "--pair", "nearest:model=glove", "random")
    run("bench", *pairs, "--city", "prague", "--games", 1, "--workers", 1, "--out", tmp_path / "one")
    (one,) = run("report", tmp_path / "one", "--json").document()["differences"]
    for figure in ("found", "turns"):
        assert one[figure]["difference"] is not None
        assert (one[figure]["low"], one[figure]["high"]) == (None, None)
        assert f"{one[figure]['difference']:+.2f}\n" in run("report", tmp_path / "one").out
    assert run("report", tmp_path / "one", "--html", tmp_path / "page.html").code == 0


def test_two_runs_are_compared_over_the_deals_that_both_have(folder, told, tmp_path):
    bench(tmp_path / "run", "-q", "--workers", 1, games=2)
    document = run("report", folder, "--compare", tmp_path / "run", "--json").document()
    assert document["compared_with"] == str(tmp_path / "run")
    assert [one["games"] for one in document["differences"]] == [6, 6]
    for one in document["differences"]:
        assert (one["first"]["a"], one["first"]["b"]) == (one["second"]["a"], one["second"]["b"])
        assert one["only_first"] == one["only_second"] == 0
        assert one["turns"]["difference"] == 0
    assert document["pairs"] == told["pairs"]


def test_pairs_without_a_namesake_are_compared_each_with_each(folder, tmp_path):
    bench(tmp_path / "run", "-q", "--workers", 1, games=2, pairs=("--pair", "random", "nearest:model=glove"))
    document = run("report", folder, "--compare", tmp_path / "run", "--json").document()
    named = [(one["first"]["pair"], one["second"]["pair"]) for one in document["differences"]]
    assert named == [(1, 1), (2, 1)]
    text = run("report", folder, "--compare", tmp_path / "run").out
    assert "1 (embedding:model=glove + person:model=minilm) less\n1 (random + nearest:model=glove): 6 games" in text


def test_runs_without_a_common_deal_cannot_be_compared(folder, tmp_path):
    bench(tmp_path / "run", "-q", "--workers", 1, games=1, seed=2)
    refused = run("report", folder, "--compare", tmp_path / "run")
    assert refused.code == 2
    assert "no deal in common" in refused.error()


def test_equal_names_of_other_deals_are_not_taken_for_one(copy, folder):
    """A game is known by its board and key, not by its id."""
    lines = [json.loads(line) for line in (copy / "games.jsonl").read_text().splitlines()]
    for line in lines[:6]:
        line["words"][0] = "another"
    (copy / "games.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    games = sum(one["games"] for one in run("report", folder, "--compare", copy, "--json").document()["differences"])
    assert games == 24 - 6


def test_a_comparison_counts_what_only_one_has_won():
    first = {deal: Outcome(deal < 8, 5, deal, 10) for deal in range(10)}
    second = {deal: Outcome(deal < 2, 7, deal, 7) for deal in range(1, 12)}
    found = compare(first, second)
    assert (found.games, found.only_first, found.only_second, found.both_won) == (9, 6, 0, 1)
    assert found.wins == paired_rates(6, 0, 9)
    assert found.p == pytest.approx(2 / 2**6)
    assert found.turns == (-2, -2, -2)
    assert found.found == (3, 3, 3)


@pytest.mark.parametrize(("rate", "likeness", "count"), [(0.03, 0.3, 100), (0.2, 0.8, 100), (0.5, 0.8, 40)])
def test_a_comparison_over_shared_deals_holds(rate, likeness, count):
    """Five cities share each deal: intervals cover, and equal pairs are seldom told apart."""
    rng = np.random.default_rng(5)
    spread = (1 - likeness) / likeness
    covered = told_apart = 0
    for _ in range(200):
        chances = rng.beta(rate * spread, (1 - rate) * spread, (2, count, 1))
        first, second = rng.random((2, count, 5)) < chances
        found = compare(
            *({game: Outcome(bool(won), 5, game[0], 9) for game, won in np.ndenumerate(one)} for one in (first, second))
        )
        covered += found.wins.low <= 0 <= found.wins.high
        told_apart += found.p < 0.05
    assert covered / 200 > 0.92
    assert told_apart / 200 < 0.08


def test_the_same_game_in_more_cities_tells_no_more():
    def played(wins, cities):
        return {
            (deal, city): Outcome(deal % 7 < wins, deal % wins, deal, deal % (wins + 5))
            for deal in range(70)
            for city in range(cities)
        }

    once, often = (compare(played(3, cities), played(2, cities)) for cities in (1, 5))
    assert often.p == once.p
    assert often.turns == once.turns
    assert often.found == once.found
    assert often.wins == pytest.approx(once.wins, abs=0.002)


def test_nothing_in_common_is_null_in_json():
    data = compare(
        {1: Outcome(won=True, turns=3, deal=1, found=9)}, {2: Outcome(won=True, turns=3, deal=2, found=9)}
    ).to_json()
    assert data["games"] == 0
    assert data["wins"] is data["found"] is data["turns"] is data["turns_won"] is None
    assert data["p"] == 1


def test_an_interval_of_paired_rates_has_a_width_where_nothing_differs():
    value, low, high = paired_rates(0, 0, 20)
    assert value == 0
    assert low == -high < 0
    assert all(map(math.isfinite, paired_rates(5, 1, 6)))
    assert paired_rates(20, 0, 20).high == 1


def test_paired_rates_cover_the_truth():
    """Of 1,000 runs of 40 deals the interval misses the true difference in about 5 of 100."""
    rng = np.random.default_rng(5)
    draws = rng.multinomial(40, [0.25, 0.1, 0.65], 1000)
    missed = [not (low <= 0.15 <= high) for _, low, high in (paired_rates(a, b, 40) for a, b, _ in draws.tolist())]
    assert 0.02 < np.mean(missed) < 0.08


def test_givers_and_guessers_are_told_apart(folder, told):
    records = list(read_records(folder))
    one, other, random = told["matchups"]
    assert (one["giver"], one["guesser"]) == ("embedding:model=glove", "person:model=minilm")
    assert (other["giver"], other["guesser"]) == (one["guesser"], one["giver"])
    assert [model["name"] for model in other["models"]] == ["minilm", "glove"]
    assert random["models"] == [None, None]
    assert (one["pairs"], one["games"], random["games"]) == ([1], 12, 12)
    clues = [0, 0, 0]
    for record in records:
        for move in record.moves:
            if hasattr(move.action, "number"):
                clues[2 if str(record.id).startswith("1-") else 0 if move.seat == "A" else 1] += 1
    assert [matchup["clues"] for matchup in told["matchups"]] == clues
    assert one["hits_low"] <= one["hits"] <= one["hits_high"]


def test_both_orders_of_seats_count_together_by_deal(tmp_path):
    bench(tmp_path / "run", "-q", "--workers", 1, pairs=("--cross", "random", "nearest:model=glove"))
    document = run("report", tmp_path / "run", "--json").document()
    assert [one["games"] for one in document["matchups"]] == [12, 24, 24, 12]
    there, back = document["matchups"][1:3]
    assert there["pairs"] == back["pairs"] == [2, 3]
    assert there["wins"] == document["pairs"][1]["wins"] + document["pairs"][2]["wins"]
    assert there["high"] > wilson(there["wins"], 24).high, "games that share a deal tell less"


def test_promised_hits_are_set_against_those_that_happened(folder, told):
    first, second = (pair["calibration"] for pair in told["pairs"])
    assert second == {"A": None, "B": None}
    promised = [
        clue["expected_hits"]
        for record in read_records(folder)
        if str(record.id).startswith("0-")
        for move, clue in zip(
            [move for move in record.moves if hasattr(move.action, "number")], record.trace, strict=False
        )
        if move.seat == "A"
    ]
    assert first["A"]["n"] == len(promised) == sum(part["n"] for part in first["A"]["bins"])
    assert first["A"]["promised"] == pytest.approx(np.mean(promised))
    for part in first["A"]["bins"]:
        assert part["from"] <= part["promised"] <= part["to"]
    text = run("report", folder).out
    assert "hits promised" in text


def test_without_traces_there_is_nothing_to_calibrate(copy):
    lines = [json.loads(line) for line in (copy / "games.jsonl").read_text().splitlines()]
    (copy / "games.jsonl").write_text("".join(json.dumps({**line, "trace": None}) + "\n" for line in lines))
    assert "no giver promises hits" in run("report", copy).out
    assert all(not any(pair["calibration"].values()) for pair in run("report", copy, "--json").document()["pairs"])


def test_the_order_of_the_records_makes_no_difference(copy):
    told = run("report", copy, "--json").document()
    lines = (copy / "games.jsonl").read_text().splitlines(keepends=True)
    (copy / "games.jsonl").write_text("".join(lines[::-1]))
    again = run("report", copy, "--json").document()
    assert again == told


def test_a_run_without_a_game_says_so(copy):
    (copy / "games.jsonl").write_text("")
    told = run("report", copy, "--html", copy.parent / "empty.html")
    assert told.code == 0
    assert "holds no game yet" in told.err
    assert "0 games" in (copy.parent / "empty.html").read_text()


# ------------------------------------------------------------------ page


def test_a_page_is_written_beside_the_tables_and_replaces_a_page(folder, tmp_path):
    file = tmp_path / "new" / "page.html"
    told = run("report", folder, "--compare", folder, "--html", file, "--json")
    assert told.code == 0
    assert told.document()["games"] == 24
    written = file.read_text()
    assert written.startswith("<!doctype html>")
    assert "embedding:" in written
    assert str(file) in told.err
    assert run("report", folder, "--compare", folder, "--html", file, "-q").err == ""
    assert file.read_text() == written
    assert [path.name for path in file.parent.iterdir()] == ["page.html"]


@pytest.mark.parametrize("name", ["games.jsonl", "manifest.json"])
def test_a_page_never_replaces_records(copy, name):
    before = (copy / name).read_bytes()
    refused = run("report", copy, "--html", copy / name)
    assert refused.code == 2
    assert "no HTML page" in refused.error()
    assert (copy / name).read_bytes() == before


def test_a_page_that_cannot_be_written_leaves_the_old_one(folder, tmp_path, monkeypatch):
    file = tmp_path / "page.html"
    file.write_text("<!DOCTYPE html>old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    refused = run("report", folder, "--html", file)
    assert refused.code == 3
    assert "cannot write" in refused.error()
    assert "No space left" in refused.error()
    assert file.read_text() == "<!DOCTYPE html>old"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_specs_that_would_be_cut_alike_are_cut_less(tmp_path):
    specs = [f"person:model={mind},guess_noise=0.55" for mind in ("minilm", "glove")]
    bench(
        tmp_path / "run",
        "-q",
        "--workers",
        1,
        games=1,
        pairs=[each for one in specs for each in ("--pair", "random", one)],
    )
    shown = run("report", tmp_path / "run").out
    table = next(part for part in shown.split("\n\n") if part.startswith("giver"))
    assert len({line.split()[1] for line in table.splitlines()[1:]}) == 3


def test_many_pairs_are_shown_in_part(tmp_path):
    cross = ("--cross", "random", "nearest:model=glove", "nearest:model=minilm")
    bench(tmp_path / "run", "-q", "--workers", 1, games=1, pairs=cross)
    document = run("report", tmp_path / "run", "--json").document()
    assert len(document["pairs"]) == 9
    assert len(document["differences"]) == 36
    assert "and 26 more" in run("report", tmp_path / "run").out


def test_a_missing_records_file_is_told(copy):
    (copy / "games.jsonl").unlink()
    with pytest.raises(CorruptData, match="cannot read"):
        read_run(copy)
