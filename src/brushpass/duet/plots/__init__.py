"""Figures: each function takes data, draws on an Axes and returns it."""

from brushpass.duet.plots.calibration import FEWEST, calibration, foreseen
from brushpass.duet.plots.clues import best_numbers, minds, pulls, touches, worth
from brushpass.duet.plots.compared import differences, foresight
from brushpass.duet.plots.report import Report
from brushpass.duet.plots.runs import LOST, found_by_city, heat_map, losses, numbers, turns, wins_by_city
from brushpass.duet.plots.style import COLORS
from brushpass.duet.plots.wordmap import word_map
from brushpass.duet.plots.worldmap import world_map

__all__ = [
    "COLORS",
    "FEWEST",
    "LOST",
    "Report",
    "best_numbers",
    "calibration",
    "differences",
    "foreseen",
    "foresight",
    "found_by_city",
    "heat_map",
    "losses",
    "minds",
    "numbers",
    "pulls",
    "touches",
    "turns",
    "wins_by_city",
    "word_map",
    "world_map",
    "worth",
]
