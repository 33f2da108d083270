"""Figures: each function takes data, draws on an Axes and returns it."""

from brushpass.duet.plots.calibration import FEWEST, calibration, foreseen
from brushpass.duet.plots.report import Report
from brushpass.duet.plots.runs import LOST, found_by_city, heat_map, losses, numbers, turns, wins_by_city
from brushpass.duet.plots.style import COLORS

__all__ = [
    "COLORS",
    "FEWEST",
    "LOST",
    "Report",
    "calibration",
    "foreseen",
    "found_by_city",
    "heat_map",
    "losses",
    "numbers",
    "turns",
    "wins_by_city",
]
