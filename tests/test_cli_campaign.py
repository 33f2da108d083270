import json
import subprocess
import sys

import pytest
from cli_runner import run

from brushpass.cli.campaigntext import rate_line
from brushpass.cli.screen import Screen, ScreenGone
from brushpass.duet.campaign import Result
from brushpass.duet.campaignfile import CampaignFile
from brushpass.duet.cityrates import city_rates
from brushpass.duet.core.mission import CITIES
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.record import read_record, verify

SVG = "{http://www.w3.org/2000/svg}"
GLOVE = "embedding:model=glove"


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """A data folder of the test's own."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def campaign(*args, **more):
    return run("campaign", *args, **more)


def told(*args):
    """The campaign in the document of a command that went well."""
    ran = campaign(*args, "--json")
    assert ran.code == 0, ran.err
    document = ran.document()
    assert document["schema"] == 1
    return document["campaign"]


def win(*cities):
    """Note wins as if they had been played."""
    for city in cities:
        CampaignFile().update(None, lambda one, city=city: one.played(Result(city, Outcome.WON)))


def city_in(document, name):
    return next(city for city in document["cities"] if city["city"] == name)


# ------------------------------------------------------------------ a campaign of two bots


def test_two_bots_win_three_cities_by_the_command_line_alone():
    assert told("new", "tour")["open"] == ["Prague"]
    games = 0
    for city in ("Prague", "Berlin", "London"):
        wins = 0
        while not wins:
            games += 1
            assert games < 30
            after = told("play", city, "--bots", GLOVE, GLOVE, "--seed", games)
            assert after["current"] == city
            wins = city_in(after, city)["wins"]
    assert (after["won"], after["games"]) == (3, games)
    assert list(dict.fromkeys(result["city"] for result in after["log"])) == ["Prague", "Berlin", "London"]
    assert "Montreal" in after["open"]
    assert campaign("play", "washington", "--bots", GLOVE, GLOVE).code == 2
    assert told("status") == after


def test_losing_is_no_failure_and_one_may_try_again(words):
    campaign("new")
    for attempt in (1, 2):
        ran = campaign("play", "--bots", "random", "random", "--words", words, "--seed", attempt)
        assert ran.code == 0
        assert f"Prague, attempt {attempt}, seed {attempt}: lost: " in ran.out
    after = told("status")
    assert (after["won"], after["games"], after["open"]) == (0, 2, ["Prague"])
    assert after["log"][0]["agents"] == ["random", "random"]


def test_the_record_of_a_game_is_in_the_document_and_verifies(words):
    campaign("new", "tour")
    win("Prague")
    document = campaign("play", "berlin", "--bots", "random", "random", "--words", words, "--json").document()
    record = read_record(json.dumps(document["record"]))
    verify(record)
    assert (record.id, record.city, str(record.setup.mission)) == ("tour-Berlin-1", "Berlin", "11-2")
    assert document["finished"] is True
    assert document["campaign"]["log"][1] == Result.of(record).to_json()


# ------------------------------------------------------------------ a person


def typed():
    return "\n".join(f"zebra 1\n{number % 25 + 1}" for number in range(300))


def test_a_person_plays_a_city_with_a_bot_and_it_is_noted(words):
    campaign("new")
    win("Prague")
    args = ("play", "vatican", "--partner", "random", "--words", words, "--first", "me", "--seed", 5)
    ran = campaign(*args, typed=typed())
    assert ran.code == 0
    assert "Campaign main, Vatican 8-0, attempt 1: you play with a bot (random)" in ran.out
    assert "tokens left 8: 8 check, 0 bystander" in ran.out
    assert ran.out.count("Both sides of the key") == 1
    assert "Score" not in ran.out
    assert told("status")["log"][1]["agents"] == ["human", "random"]


def test_a_game_is_noted_once_though_its_reader_goes_away_at_the_end(words, monkeypatch):
    def gone(*_args):
        raise ScreenGone

    campaign("new")
    with monkeypatch.context() as patched:
        patched.setattr(Screen, "end", gone)
        patched.setattr("brushpass.cli.output.drop_stdout", lambda: None)
        ran = campaign("play", "--partner", "random", "--words", words, "--first", "me", typed=typed())
    assert (ran.code, ran.err) == (0, "")
    assert told("status")["games"] == 1
    assert "no unfinished game" in campaign("play", "--resume").error()


def test_a_persons_game_in_json_keeps_its_dialogue_on_stderr(words):
    campaign("new")
    ran = campaign("play", "--partner", "random", "--words", words, "--json", typed=typed())
    assert ran.document()["campaign"]["games"] == 1
    assert "Both sides of the key" in ran.err


@pytest.mark.parametrize("keys", ["", "quit\n", "zebra 1\nquit\n"])
def test_a_game_left_unfinished_is_not_noted(words, keys):
    campaign("new")
    args = ("play", "--partner", "random", "--words", words, "--first", "me", "--seed", 5)
    ran = campaign(*args, typed=keys)
    assert ran.code == 0
    assert "left unfinished" in ran.out
    left = campaign(*args, "--json", typed=keys).document()
    assert left == {"schema": 1, "finished": False, "city": "Prague", "seed": 5}
    assert told("status")["games"] == 0


def test_a_bot_that_fails_is_one_line_and_4_and_not_noted(words, tmp_path, monkeypatch):
    (tmp_path / "dumb_bot.py").write_text(
        "from brushpass.duet.agent import Player\n"
        "class Dumb(Player):\n"
        "    def give_clue(self, view):\n        raise RuntimeError('no words')\n"
        "    guess = give_clue\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    campaign("new")
    failed = campaign("play", "--bots", "py:dumb_bot:Dumb", "random", "--words", words)
    assert failed.code == 4
    assert "no words" in failed.error()
    assert told("status")["games"] == 0


# ------------------------------------------------------------------ the sheet


def test_status_is_a_line_a_city_in_the_maps_order():
    campaign("new")
    win("Prague", "Berlin")
    lines = campaign("status").out.splitlines()
    assert lines[0] == "Campaign main, graph travel: 2 of 26 cities won in 2 games; you are in Berlin."
    assert "Moscow 8-8" in lines[1]
    assert "Moscow 8-8" in lines[2]
    table = lines[lines.index("") + 1 :]
    assert table[0].split() == ["city", "tokens", "state", "wins", "games", "bots", "alike", "unlike"]
    assert [line.split("  ")[0] for line in table[1 : 1 + len(CITIES)]] == [city.name for city in CITIES]
    rows = {line.split("  ")[0]: line.split()[-8:-4] for line in table[1 : 1 + len(CITIES)]}
    assert rows["Prague"] == ["9-9", "won", "1", "1"]
    assert rows["London"] == ["10-2", "open", "0", "0"]
    assert rows["Tokyo"] == ["8-1", "closed", "0", "0"]


def test_status_tells_the_neighbours_where_asked_for_more():
    campaign("new")
    prague = next(line for line in campaign("status", "-v").out.splitlines() if line.startswith("Prague"))
    assert prague.endswith("Vatican, Monte Carlo, Paris, Berlin")


def test_the_help_says_plainly_whose_lines_these_are():
    for args in ((), ("status",), ("new",)):
        text = " ".join(campaign(*args, "--help").out.split())
        assert "geographic neighbours" in text
        assert "printed map" in text
    assert "not the printed map" in campaign("new").err


def test_the_document_has_every_city_with_its_tokens_neighbours_and_notes():
    campaign("new")
    win("Prague")
    campaign("note", "hong-kong", "fog", "at", "night")
    after = told("note", "Hong Kong", "two")
    assert len(after["cities"]) == 26
    assert city_in(after, "Hong Kong") == {
        "city": "Hong Kong",
        "turns": 6,
        "mistakes": 4,
        "open": False,
        "wins": 0,
        "games": 0,
        "joined": ["Shanghai", "Bangkok"],
        "notes": ["fog at night", "two"],
        "rates": [rate.to_json() for rate in city_rates()["Hong Kong"]],
    }
    assert "Hong Kong: fog at night" in campaign("status").out
    assert after["suggested"] == "Berlin"
    assert after["finished"] is False


def test_travel_moves_to_an_open_city_and_play_is_there(words):
    campaign("new")
    win("Prague")
    assert told("travel", "monte-carlo")["current"] == "Monte Carlo"
    assert "Monte Carlo, attempt 1" in campaign("play", "--bots", "random", "random", "--words", words).out
    refused = campaign("travel", "Tokyo")
    assert refused.code == 2
    assert "open now: Vatican, Monte Carlo, Prague, Paris, Berlin" in refused.error()
    assert told("status")["current"] == "Monte Carlo"


def test_free_travel_leads_anywhere_after_prague():
    campaign("new", "--travel", "free")
    assert campaign("travel", "Tokyo").code == 2
    win("Prague")
    assert told("travel", "Tokyo")["current"] == "Tokyo"


def test_the_log_is_a_line_a_game():
    campaign("new")
    win("Prague")
    lost = Result("Paris", Outcome.LOST, Reason.CANNOT_PAY, turns_used=5, agents=("a", "b"), seed=17)
    CampaignFile().update(None, lambda one: one.played(lost))
    lines = campaign("log").out.splitlines()
    assert len(lines) == 3
    assert lines[2].split() == ["2", "Paris", "lost:", "cannot", "pay", "5", "17", "a", "+", "b"]
    assert told("log")["log"][1]["reason"] == "cannot_pay"


def test_lines_of_a_file_are_the_campaigns_own(tmp_path):
    listed = sorted(city.name for city in CITIES)
    edges = tmp_path / "printed.csv"
    edges.write_text("".join(f"{listed[0]},{name}\n" for name in listed[1:]))
    assert told("new", "--edges", edges)["map"] == str(edges)
    edges.unlink()
    win("Prague")
    assert told("status")["open"] == ["Baghdad", "Prague"]


# ------------------------------------------------------------------ several campaigns


def test_several_campaigns_live_side_by_side(data):
    campaign("new", "one")
    campaign("new", "two", "--travel", "free")
    assert "one, two" in campaign("status").error()
    assert "one, two" in campaign("play", "--bots", "random", "random").error()
    campaign("note", "Prague", "hello", "--campaign", "two")
    listed = campaign("list", "--json").document()
    assert listed["file"] == str(data / "campaigns.json")
    assert [(one["name"], one["travel"], one["won"], one["games"]) for one in listed["campaigns"]] == [
        ("one", "graph", 0, 0),
        ("two", "free", 0, 0),
    ]
    assert len(campaign("list").out.splitlines()) == 3
    assert city_in(told("status", "TWO"), "Prague")["notes"] == ["hello"]
    assert city_in(told("status", "one"), "Prague")["notes"] == []


def test_a_campaign_is_dropped_only_on_a_clear_word():
    campaign("new", "one")
    win("Prague")
    refused = campaign("drop", "one")
    assert refused.code == 2
    assert "1 game" in refused.error()
    assert "--yes" in refused.error()
    assert campaign("drop", "one", "--yes", "--json").document() == {"schema": 1, "dropped": "one"}
    assert campaign("list", "--json").document()["campaigns"] == []


def test_a_file_of_ones_own(tmp_path, data):
    file = tmp_path / "deep" / "mine.json"
    campaign("new", "--file", file)
    assert told("status", "--file", file)["name"] == "main"
    assert not data.exists()


def test_no_campaign_yet_is_told(data):
    listed = campaign("list")
    assert (listed.code, listed.out) == (0, "")
    assert "campaign new" in listed.err
    assert campaign("list", "-q").err == ""
    assert "campaign new" in campaign("status").error()
    assert not data.exists()


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("new",), 2, "there already"),
        (("new", "x" * 41), 2, "40"),
        (("new", "b", "--travel", "fly"), 2, "neither graph nor free"),
        (("new", "b", "--edges", "nowhere.csv"), 3, "nowhere.csv"),
        (("status", "b"), 2, "known: main"),
        (("travel", "Atlantis"), 2, "Prague"),
        (("travel", "Berlin"), 2, "open now: Prague"),
        (("note", "Atlantis", "wet"), 2, "Atlantis"),
        (("note", "Prague", " "), 2, "note"),
        (("play", "Atlantis"), 2, "Atlantis"),
        (("play", "Tokyo"), 2, "open now: Prague"),
        (("play", "--bots", "random", "nope"), 2, "nope"),
        (("play", "--bots", "random", "random", "--partner", "random"), 2, "--bots"),
        (("play", "--bots", "random", "random", "--words", "nope"), 3, "english"),
        (("play", "--first", "you"), 2, "me nor bot"),
        (("play", "--order", "any"), 2, "alternate"),
        (("drop", "nope", "--yes"), 2, "known: main"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_what_cannot_be_is_one_line(args, code, says):
    campaign("new")
    refused = campaign(*args, typed="")
    assert refused.code == code
    assert says in refused.error()
    assert told("status")["games"] == 0


@pytest.mark.parametrize("text", ["", "{", '{"schema": 2}', "[]"])
def test_a_corrupt_file_is_one_line_and_3_and_stays_as_it_is(data, text):
    data.mkdir()
    file = data / "campaigns.json"
    file.write_text(text)
    commands = (("new",), ("list",), ("status",), ("note", "Prague", "x"), ("drop", "main", "--yes"), ("play",))
    for args in commands:
        refused = campaign(*args, typed="")
        assert refused.code == 3
        assert str(file) in refused.error()
    assert file.read_text() == text


def test_a_place_that_cannot_be_written_is_one_line_and_3(tmp_path):
    (tmp_path / "note.txt").touch()
    refused = campaign("new", "--file", tmp_path / "note.txt" / "campaigns.json")
    assert refused.code == 3
    assert "note.txt" in refused.error()


def test_two_terminals_at_the_same_time_lose_nothing():
    campaign("new")
    command = [sys.executable, "-m", "brushpass", "campaign", "note", "Prague"]
    writers = [subprocess.Popen([*command, str(number)]) for number in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert sorted(city_in(told("status"), "Prague")["notes"]) == ["0", "1", "2", "3"]


# ------------------------------------------------------------------ where to next


def test_after_a_win_play_goes_on_to_the_suggested_city_unless_told(words):
    campaign("new")
    win("Prague")
    assert (told("status")["current"], told("status")["next"]) == ("Prague", "Berlin")
    assert "campaign play goes on to Berlin" in campaign("status").out
    args = ("--bots", "random", "random", "--words", words)
    assert "Berlin, attempt 1" in campaign("play", *args).out
    assert "Berlin, attempt 2" in campaign("play", *args).out  # a loss is tried again
    assert "Prague, attempt 2" in campaign("play", "prague", *args).out
    campaign("travel", "prague")
    assert told("status")["next"] == "Prague"


def test_the_suggested_city_comes_with_how_often_bots_won_there():
    campaign("new")
    line = next(line for line in campaign("status").out.splitlines() if line.startswith("Bots won there, of "))
    alike, unlike = city_rates()["Prague"]
    assert f"of {alike.games}: {alike.wins} if of like minds (" in line
    assert f"{unlike.wins} if not (" in line
    assert max(len(rate_line(city)) for city in CITIES) <= 80
    assert set(city_rates()) == {city.name for city in CITIES}
    for rates in city_rates().values():
        assert [rate.mirror for rate in rates] == [True, False]
        assert all(rate.rate.low <= rate.wins / rate.games <= rate.rate.high for rate in rates)
