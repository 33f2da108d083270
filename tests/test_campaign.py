import json
import math
import threading
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from brushpass.duet import campaignfile
from brushpass.duet.campaign import LONGEST_NOTE, Campaign, CityNotConnected, Result, Travel
from brushpass.duet.campaignfile import CampaignFile, default_path
from brushpass.duet.core.mission import CITIES, START, Mission, find_city
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.missionmap import NEIGHBOURS, MissionMap, coordinates, load_map
from brushpass.duet.record import GameRecord
from brushpass.errors import CorruptData, InvalidSetup, UnknownName


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """A data folder of the test's own."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def kept(tmp_path):
    return CampaignFile(tmp_path / "campaigns.json")


def won(city, **more):
    return Result(city, Outcome.WON, **more)


def lost(city, reason=Reason.ASSASSIN):
    return Result(city, Outcome.LOST, reason)


def names(cities):
    return {city.name for city in cities}


def over(*cities, travel=Travel.GRAPH):
    """A campaign that won these cities in turn."""
    campaign = Campaign("test", travel=travel)
    for city in cities:
        campaign = campaign.played(won(city))
    return campaign


# ------------------------------------------------------------------ the rules, M1 to M6


@pytest.mark.parametrize("travel", list(Travel))
def test_m1_a_new_campaign_is_open_in_prague_alone(travel):
    campaign = Campaign("test", travel=travel)
    assert names(campaign.open) == {"Prague"}
    assert campaign.current == "Prague"


@pytest.mark.parametrize("travel", list(Travel))
def test_m2_prague_lost_leaves_prague_alone_open(travel):
    campaign = Campaign("test", travel=travel).played(lost("Prague"))
    assert names(campaign.open) == {"Prague"}
    assert campaign.attempts["Prague"] == 1
    assert campaign.wins["Prague"] == 0


def test_m3_prague_won_opens_its_neighbours():
    assert names(over("Prague").open) == {"Prague", "Berlin", "Paris", "Monte Carlo", "Vatican"}


def test_m4_tokyo_after_prague_only_with_free_travel():
    with pytest.raises(CityNotConnected, match="open now: Vatican, Monte Carlo, Prague, Paris, Berlin") as refused:
        over("Prague").played(won("Tokyo"))
    assert refused.value.code == "E_CITY_NOT_CONNECTED"
    free = over("Prague", travel=Travel.FREE)
    assert names(free.open) == names(CITIES)
    assert free.played(won("Tokyo")).wins == {"Prague": 1, "Tokyo": 1}


def test_m5_a_win_in_sudden_death_is_a_win():
    campaign = Campaign("test").played(won("Prague", sudden_death=True))
    assert "Berlin" in names(campaign.open)


def test_m6_atlantis_is_not_on_the_map():
    campaign = over("Prague")
    for attempt in (
        lambda: campaign.enter("Atlantis"),
        lambda: campaign.travelled("Atlantis"),
        lambda: campaign.played(won("Atlantis")),
        lambda: campaign.noted("Atlantis", "wet"),
    ):
        with pytest.raises(UnknownName, match=r"'Atlantis'.*Prague"):
            attempt()


def test_before_prague_is_won_no_travel_leads_away():
    for travel in Travel:
        with pytest.raises(CityNotConnected, match="Prague is not won yet; open now: Prague"):
            Campaign("test", travel=travel).enter("Berlin")


def test_any_won_city_opens_its_neighbours_not_the_last_one_alone():
    campaign = over("Prague", "Berlin", "Moscow")
    assert {"Paris", "Vatican", "London", "Yakutsk", "Baghdad"} <= names(campaign.open)


def test_after_a_loss_one_may_retry_or_go_elsewhere():
    campaign = over("Prague").played(lost("Berlin"))
    assert campaign.current == "Berlin"
    assert campaign.played(lost("Berlin")).attempts["Berlin"] == 2
    assert campaign.travelled("paris").current == "Paris"


def test_a_lost_city_opens_nothing_and_a_won_one_stays_won():
    campaign = over("Prague").played(lost("Berlin"))
    assert "London" not in names(campaign.open)
    again = over("Prague", "Berlin").played(lost("Berlin"))
    assert "London" in names(again.open)
    assert names(again.ahead) == names(again.open) - {"Prague", "Berlin"}


def test_the_whole_map_can_be_won_and_then_nothing_is_suggested():
    campaign = Campaign("test")
    while not campaign.finished:
        campaign = campaign.played(won(campaign.suggested.name))
    assert len(campaign.log) == len(campaign.wins) == 26
    assert campaign.suggested is None
    assert names(campaign.open) == names(CITIES)


def test_the_gentlest_city_ahead_is_suggested():
    assert over("Prague").suggested == find_city("Berlin")
    assert Campaign("test").suggested == find_city("Prague")


def test_a_campaign_is_a_value():
    before = Campaign("test")
    before.played(won("Prague"))
    before.noted("Prague", "easy")
    assert before == Campaign("test")
    assert names(before.open) == {"Prague"}


# ------------------------------------------------------------------ results and notes


@pytest.fixture
def record(board, f1, stub_law):
    setup = Setup(board, f1, Mission(11, 2), None, law=stub_law)
    return GameRecord("x", setup, (), Outcome.WON, None, seed=7, city="berlin", agents=("a", "b"), sudden_death=True)


def test_a_record_gives_its_result(record):
    assert Result.of(record) == won("Berlin", seed=7, agents=("a", "b"), sudden_death=True)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"city": None}, "no city"),
        ({"city": "Prague"}, "no city"),
        ({"outcome": Outcome.LOST, "reason": Reason.FORFEIT}, "forfeited"),
        ({"outcome": Outcome.LOST}, "lost with reason None"),
    ],
)
def test_what_is_no_citys_game_is_no_result(record, changes, told):
    with pytest.raises(InvalidSetup, match=told):
        Result.of(replace(record, **changes))


def test_notes_belong_to_their_city_and_need_not_be_open():
    campaign = Campaign("test").noted("tokyo", " one \n\x1b[31m line ").noted("Prague", "here").noted("Tokyo", "two")
    assert campaign.notes_on("Tokyo") == ("one [31m line", "two")
    assert campaign.notes_on("Berlin") == ()


@pytest.mark.parametrize("text", ["", " \n\t", "\x1b", "x" * (LONGEST_NOTE + 1)], ids=["", "blank", "escape", "long"])
def test_a_note_says_something_and_not_too_much(text):
    with pytest.raises(InvalidSetup, match="note"):
        Campaign("test").noted("Prague", text)


@pytest.mark.parametrize("name", ["", " ", "two\nlines", " padded", "x" * 41, "\ud800"])
def test_a_name_is_one_short_line(name):
    with pytest.raises(InvalidSetup, match="campaign name"):
        Campaign(name)


# ------------------------------------------------------------------ the map


def test_the_map_has_40_lines_and_reaches_every_city_within_6_steps():
    lines = load_map()
    assert lines.source == NEIGHBOURS
    assert len(lines.edges) == 40
    assert lines.steps.keys() == names(CITIES)
    assert max(lines.steps.values()) == 6
    assert lines.steps["Prague"] == 0
    assert lines.steps["Berlin"] == 1


def test_lines_lead_both_ways():
    lines = load_map()
    for city in CITIES:
        assert city not in lines.joined(city.name)
        for other in lines.joined(city.name):
            assert city in lines.joined(other.name)
    assert sum(len(lines.joined(city.name)) for city in CITIES) == 80


def test_the_shipped_lines_are_the_gabriel_graph_of_the_shipped_coordinates():
    places = coordinates()

    def apart(*cities):
        (north, east), (other_north, other_east) = (map(math.radians, places[name]) for name in cities)
        cosine = math.cos(north) * math.cos(other_north) * math.cos(east - other_east)
        return math.acos(math.sin(north) * math.sin(other_north) + cosine)

    assert places.keys() == names(CITIES)
    expected = {
        (a, b)
        for a, b in combinations(sorted(names(CITIES)), 2)
        if all(apart(a, c) ** 2 + apart(b, c) ** 2 > apart(a, b) ** 2 for c in names(CITIES) - {a, b})
    }
    assert load_map().edges == expected


def test_the_shipped_lines_are_those_of_the_shared_facts(shared):
    rows = (shared / "spec" / "mission_map_edges.csv").read_text().splitlines()[1:]
    assert load_map().edges == MissionMap.of((row.split(",")[:2] for row in rows), "facts").edges


def chain():
    """A map in which each city leads to the next one of the alphabet."""
    listed = sorted(names(CITIES))
    return "\n".join(f"{a},{b}" for a, b in pairwise(listed))


@pytest.mark.parametrize(
    "text",
    [
        chain(),
        "city_a,city_b,km\n" + chain().lower().replace(" ", "-"),
        "\ufeff# mine\n\n" + chain().replace(",", " , "),
    ],
)
def test_a_file_replaces_the_lines(tmp_path, text):
    file = tmp_path / "edges.csv"
    file.write_text(text, encoding="utf-8")
    lines = load_map(file)
    assert len(lines.edges) == 25
    assert lines.source == str(file)
    assert names(Campaign("test", lines).played(won("Prague")).open) == {"Prague", "Paris", "Rio de Janeiro"}


def test_a_file_in_the_data_folder_replaces_the_lines(data):
    (data / "maps").mkdir(parents=True)
    (data / "maps" / "edges.csv").write_text(chain())
    assert len(load_map().edges) == 25


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no way leads from Prague to Hong Kong"),
        ("Prague,Berlin\n", "no way leads"),
        ("Prague,Atlantis\n", "line 1.*Atlantis"),
        ("# x\nPrague\n", "line 2"),
        ("Prague,prague\n", "joined to itself"),
        ("\x00\n", "line 1"),
    ],
)
def test_a_file_that_is_no_map_is_told_with_its_line(tmp_path, text, told):
    file = tmp_path / "edges.csv"
    file.write_text(text)
    with pytest.raises(CorruptData, match=told) as refused:
        load_map(file)
    assert str(file) in str(refused.value)


def test_a_map_that_cannot_be_read_is_corrupt_data(tmp_path):
    (tmp_path / "latin").write_bytes(b"Bogot\xe1,Prague\n")
    for path in (tmp_path, tmp_path / "nowhere", tmp_path / "latin"):
        with pytest.raises(CorruptData, match="map"):
            load_map(path)


# ------------------------------------------------------------------ the file


def test_what_is_kept_comes_back(kept):
    campaign = over("Prague").played(lost("Berlin", Reason.SUDDEN_DEATH)).noted("Berlin", "Ünsinn, 漢字 \U0001f575")
    campaign = campaign.played(won("Paris", sudden_death=True, turns_used=9, agents=("a", "b"), seed=3))
    kept.add(campaign)
    kept.add(replace(Campaign("other", travel=Travel.FREE), name="Other"))
    assert CampaignFile(kept.path).read() == (campaign, Campaign("Other", travel=Travel.FREE))
    assert kept.get("TEST") == campaign


def test_a_campaign_keeps_its_lines_when_the_map_changes(kept, data):
    kept.add(over("Prague"))
    (data / "maps").mkdir(parents=True)
    (data / "maps" / "edges.csv").write_text(chain())
    assert "Berlin" in names(kept.get().open)
    assert "Berlin" not in names(over("Prague").open)


def test_the_file_lies_in_the_data_folder(data, monkeypatch):
    assert default_path() == data / "campaigns.json"
    CampaignFile().add(Campaign("test"))
    assert (data / "campaigns.json").exists()
    monkeypatch.delenv("BRUSHPASS_DATA")
    assert default_path().parent.name == "brushpass"


def test_no_file_is_no_campaign_and_reading_makes_none(kept):
    assert kept.read() == ()
    assert not kept.path.exists()
    with pytest.raises(UnknownName, match="campaign new"):
        kept.get()


def test_a_name_is_needed_where_there_are_several(kept):
    kept.add(Campaign("one"))
    assert kept.get().name == "one"
    kept.add(Campaign("two"))
    with pytest.raises(InvalidSetup, match="one, two"):
        kept.get()
    with pytest.raises(UnknownName, match="did you mean two"):
        kept.get("twoo")
    with pytest.raises(InvalidSetup, match="'ONE' is there already"):
        kept.add(Campaign("ONE"))
    assert kept.drop("One").name == "one"
    assert kept.get().name == "two"


def test_a_refused_change_leaves_the_file_as_it_is(kept):
    kept.add(Campaign("test"))
    before = kept.path.read_bytes()
    with pytest.raises(CityNotConnected):
        kept.update("test", lambda campaign: campaign.travelled("Tokyo"))
    assert kept.path.read_bytes() == before


def changed(**changes):
    """The file of one campaign, parts of it replaced."""

    def change(data):
        data["campaigns"][0] |= changes
        return data

    return change


def result(**changes):
    return changed(log=[won("Prague").to_json() | changes])


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data | {"schema": 2},
        lambda data: data | {"schema": True},
        lambda data: data | {"extra": 1},
        lambda data: [data],
        lambda data: {"schema": data["schema"]},
        lambda data: data | {"campaigns": {}},
        lambda data: data | {"campaigns": [1]},
        lambda data: data | {"campaigns": data["campaigns"] * 2},
        changed(name=1),
        changed(name=""),
        changed(name="a\nb"),
        changed(travel="fly"),
        changed(current="Atlantis"),
        changed(current="Tokyo"),
        changed(map=None),
        changed(map={"source": "x", "edges": []}),
        changed(map={"source": "x", "edges": ["Prague"]}),
        changed(map={"source": "x", "edges": [["Prague", "Berlin"]]}),
        changed(log=[{}]),
        changed(notes=["wet"]),
        changed(notes=[{"city": "Atlantis", "text": "wet"}]),
        changed(extra=1),
        result(city="Atlantis"),
        result(city=None),
        result(outcome="drawn"),
        result(outcome="lost"),
        result(reason="assassin"),
        result(reason=["assassin"]),
        result(turns_used=True),
        result(turns_used=1.5),
        result(seed="1"),
        result(agents=["a"]),
        result(agents=["a", 1]),
    ],
)
def test_a_corrupt_file_is_told_and_never_written(kept, change):
    kept.add(Campaign("test"))
    kept.path.write_text(json.dumps(change(json.loads(kept.path.read_text()))))
    _refused_and_unchanged(kept)


@pytest.mark.parametrize("part", [0, 0.3, 0.99])
def test_a_torn_file_is_told_and_never_written(kept, part):
    kept.add(over("Prague"))
    whole = kept.path.read_bytes().rstrip()
    kept.path.write_bytes(whole[: int(len(whole) * part)])
    _refused_and_unchanged(kept)


@pytest.mark.parametrize("rubbish", [b"\xff\xfe", b"null", b"NaN", b"[" * 100_000, b"9" * 5000], ids=repr)
def test_rubbish_is_told_and_never_written(kept, rubbish):
    kept.path.write_bytes(rubbish)
    _refused_and_unchanged(kept)


def _refused_and_unchanged(kept):
    before = kept.path.read_bytes()
    for attempt in (
        kept.read,
        lambda: kept.add(Campaign("new")),
        lambda: kept.update(None, lambda campaign: campaign),
        lambda: kept.drop("test"),
    ):
        with pytest.raises(CorruptData) as refused:
            attempt()
        assert str(kept.path) in str(refused.value)
        assert len(str(refused.value)) < 1000
    assert kept.path.read_bytes() == before


def test_a_folder_in_place_of_the_file_is_corrupt_data(tmp_path):
    with pytest.raises(CorruptData, match="cannot read"):
        CampaignFile(tmp_path).read()


def test_a_failed_write_keeps_the_old_file_and_leaves_no_draft(kept, monkeypatch):
    kept.add(Campaign("test"))
    before = kept.path.read_bytes()

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left") as failed:
        kept.update("test", lambda campaign: campaign.noted("Prague", "lost"))
    assert failed.value.filename == str(kept.path)
    assert kept.path.read_bytes() == before
    assert {path.name for path in kept.path.parent.iterdir()} == {"campaigns.json", "campaigns.json.lock"}


def test_writers_at_the_same_time_lose_nothing(kept):
    kept.add(Campaign("test"))

    def write(writer):
        for number in range(15):
            text = f"{writer} {number}"
            CampaignFile(kept.path).update("test", lambda campaign, text=text: campaign.noted("Prague", text))

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert set(kept.get().notes_on(START)) == {f"{writer} {number}" for writer in range(4) for number in range(15)}


def test_one_waits_for_another_writer_and_then_says_so(kept, monkeypatch):
    monkeypatch.setattr(campaignfile, "PATIENCE", 0.05)
    kept.add(Campaign("test"))

    def change(campaign):
        with pytest.raises(TimeoutError, match="another program"):
            CampaignFile(kept.path).update("test", lambda other: other)
        assert CampaignFile(kept.path).get() == campaign
        return campaign.noted("Prague", "kept")

    kept.update("test", change)
    assert kept.get().notes_on("Prague") == ("kept",)
