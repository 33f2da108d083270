import sys
from threading import Event

import pytest

from brushpass.cli import progress
from brushpass.cli.progress import bench_progress, won
from brushpass.duet.results import Cell, Tally


def tally(*pairs):
    """A tally of (wins, games) of each pair, in two cities."""
    made = Tally()
    for number, (wins, games) in enumerate(pairs):
        made.cells[number, "Tokyo"] = Cell(games=games // 2, wins=wins)
        made.cells[number, "Paris"] = Cell(games=games - games // 2)
    return made


def test_the_win_rate_so_far_has_its_interval():
    assert won(tally((40, 100)), 1) == "won 40% (31-50)"
    assert won(tally((40, 100), (0, 100)), 2) == "won 40% (31-50), 0% (0-4)"


def test_pairs_of_one_deal_count_as_one_game():
    assert won(tally((40, 100), (40, 100), (40, 100)), 3) == "won 40% (31-50)"


@pytest.mark.parametrize("pairs", [1, 3])
def test_of_no_games_nothing_is_said(pairs):
    assert won(Tally(), pairs) == ""


def test_a_file_is_told_of_a_warm_up_only_if_it_is_long(monkeypatch, capsys):
    said = []
    with bench_progress(10, 1, shown=False, note=said.append) as told:
        told(10, 10, Tally())
    assert said == []
    long = Event()
    monkeypatch.setattr(progress, "PATIENCE", 0)
    with bench_progress(10, 1, shown=False, note=lambda line: (said.append(line), long.set())):
        assert long.wait(30)
    assert said == ["warming up: the first time on a machine takes some 20 s"]
    assert capsys.readouterr().err == ""


def test_a_bar_tells_games_speed_time_left_and_wins(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with bench_progress(200, 1, shown=True, note=print) as told:
        told(0, 200, Tally())
        told(200, 200, tally((40, 100)))
    shown = capsys.readouterr()
    assert shown.out == ""
    for part in ("200/200", "games/s", "0:00:00", "won 40% (31-50)"):
        assert part in shown.err
