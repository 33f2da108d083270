"""Where a game stands and how it ended (DUET §3)."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """What is to happen next."""

    CLUE_ANY = "CLUE_ANY"
    CLUE = "CLUE"
    GUESS = "GUESS"
    SUDDEN = "SUDDEN"
    WON = "WON"
    LOST = "LOST"


class Outcome(StrEnum):
    """How a game ended."""

    WON = "won"
    LOST = "lost"


class Reason(StrEnum):
    """Why a game was lost. Only a referee, never the rules, gives `FORFEIT`."""

    ASSASSIN = "assassin"
    SUDDEN_DEATH = "sudden_death"
    CANNOT_PAY = "cannot_pay"
    FORFEIT = "forfeit"
