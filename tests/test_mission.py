import csv

import pytest
from hypothesis import given

from brushpass.duet.core import mission
from brushpass.duet.core.mission import CITIES, Mission, find_cities, find_city
from brushpass.duet.testing.strategies import missions
from brushpass.errors import InvalidSetup, UnknownName


def test_the_standard_and_the_beginner_game():
    assert Mission() == mission.standard() == Mission(9, 9)
    assert mission.beginner() == Mission(11, 11)
    assert mission.beginner(10) == Mission(10, 10)


def test_only_the_standard_game_is_scored():
    assert Mission(9, 9).scored
    assert not any(Mission(*tokens).scored for tokens in [(9, 8), (9, 0), (10, 10), (8, 8), (11, 9)])


@given(missions())
def test_a_mission_writes_its_two_numbers(drawn):
    turns, mistakes = map(int, str(drawn).split("-"))
    assert Mission(turns, mistakes) == drawn


@pytest.mark.parametrize(
    ("turns", "mistakes", "says"),
    [
        (0, 0, "turns 0"),
        (12, 0, "turns 12"),
        (-1, -1, "turns -1"),
        (9, 10, "mistakes 10"),
        (9, -1, "mistakes -1"),
        (9.0, 9, "turns 9.0"),
        (True, 1, "turns True"),
        (1, True, "mistakes True"),
        ("9", 9, "turns '9'"),
        (9, None, "mistakes None"),
    ],
)
def test_a_wrong_mission_is_refused(turns, mistakes, says):
    with pytest.raises(InvalidSetup, match=says):
        Mission(turns, mistakes)


def test_the_map_has_26_cities_and_starts_with_the_standard_game():
    assert len({city.name for city in CITIES}) == 26
    assert find_city(mission.START).mission == mission.standard()


def test_the_map_is_that_of_the_rules_page(shared):
    with (shared / "spec" / "mission_map.csv").open(encoding="utf-8") as file:
        rows = [(row["city"], int(row["turns"]), int(row["mistakes"])) for row in csv.DictReader(file)]
    assert rows == [(city.name, city.mission.turns, city.mission.mistakes) for city in CITIES]


@pytest.mark.parametrize("name", ["Hong Kong", "hong kong", "HONG-KONG", " Hong  Kong ", "hong -kong"])
def test_case_space_and_hyphen_make_no_difference(name):
    assert find_city(name).name == "Hong Kong"


def test_an_unknown_city_is_answered_with_near_names_and_the_whole_map():
    with pytest.raises(UnknownName, match=r"'Prag'; did you mean Prague\?") as refused:
        find_city("Prag")
    assert all(city.name in str(refused.value) for city in CITIES)


def test_a_list_of_cities():
    assert find_cities("all") == find_cities([" ALL "]) == CITIES
    assert [city.name for city in find_cities("paris, Cape-Town")] == ["Paris", "Cape Town"]
    assert [city.name for city in find_cities(["Tokyo", "Berlin"])] == ["Tokyo", "Berlin"]


@pytest.mark.parametrize("names", ["Paris,paris", ["Cape Town", "cape-town"]])
def test_a_city_named_twice_is_refused(names):
    with pytest.raises(InvalidSetup, match="named twice"):
        find_cities(names)


@pytest.mark.parametrize("names", ["", "Paris,", "all,Paris", []])
def test_a_list_with_no_city_in_a_place_is_refused(names):
    with pytest.raises((UnknownName, InvalidSetup)):
        find_cities(names)
