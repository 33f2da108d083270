"""What a campaign says: its JSON document, and its lines for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from brushpass.arena.stats import Interval
from brushpass.cli.output import columns
from brushpass.duet.campaign import Campaign, Result
from brushpass.duet.cityrates import city_rates
from brushpass.duet.core.mission import CITIES, City


def document(campaign: Campaign) -> dict[str, Any]:
    """The campaign's part of every JSON document (docs/campaign.md)."""
    return {
        "name": campaign.name,
        "travel": str(campaign.travel),
        "map": campaign.map.source,
        "current": campaign.current,
        "won": len(campaign.wins),
        "games": len(campaign.log),
        "finished": campaign.finished,
        "open": [city.name for city in campaign.open],
        "suggested": campaign.suggested and campaign.suggested.name,
        "next": campaign.next.name,
        "cities": [_city(campaign, city) for city in CITIES],
        "log": [result.to_json() for result in campaign.log],
    }


def _city(campaign: Campaign, city: City) -> dict[str, Any]:
    return {
        "city": city.name,
        "turns": city.mission.turns,
        "mistakes": city.mission.mistakes,
        "open": city in campaign.open,
        "wins": campaign.wins[city.name],
        "games": campaign.attempts[city.name],
        "joined": [other.name for other in campaign.map.joined(city.name)],
        "notes": list(campaign.notes_on(city.name)),
        "rates": [rate.to_json() for rate in city_rates()[city.name]],
    }


def standing(campaign: Campaign) -> Iterator[str]:
    """How far the team has come, and where it may go."""
    yield (
        f"Campaign {campaign.name}, {campaign.travel} travel: {len(campaign.wins)} of {len(CITIES)} cities won "
        f"in {games(len(campaign.log))}; you are in {campaign.current}."
    )
    if campaign.suggested is None:
        yield "The whole map is won."
        return
    yield f"Open and not yet won: {_named(campaign.ahead)}."
    if len(campaign.ahead) > 1:
        yield f"Suggested next: {_named([campaign.suggested])}, the gentlest by its tokens and mistakes."
    yield rate_line(campaign.suggested)
    if campaign.next.name != campaign.current:
        yield f"brushpass campaign play goes on to {campaign.next.name}; name a city to play another."


def rate_line(city: City) -> str:
    """How often bots won that city in our benchmark."""
    alike, unlike = city_rates()[city.name]
    one, two = (
        f"{pair.wins} {minds} ({_span(pair.rate)})" for pair, minds in ((alike, "if of like minds"), (unlike, "if not"))
    )
    return f"Bots won there, of {alike.games}: {one}, {two}."


def table(campaign: Campaign, *, joined: bool) -> list[str]:
    """A line a city, in the map's order; with `joined` also its neighbours."""
    head = ["city", "tokens", "state", "wins", "games", "bots alike", "unlike"]
    rows = [
        [
            *(city.name, city.mission, campaign.standing(city)),
            *(campaign.wins[city.name], campaign.attempts[city.name]),
            *(f"{100 * one.rate.value:.1f} %" for one in city_rates()[city.name]),
        ]
        for city in CITIES
    ]
    if joined:
        head.append("joined to")
        for city, row in zip(CITIES, rows, strict=True):
            row.append(", ".join(other.name for other in campaign.map.joined(city.name)))
    return columns(head, rows)


def table_note() -> str:
    """What the two last columns of the table say."""
    alike, unlike = city_rates()[CITIES[0].name]
    return f"Games won of {alike.games}: {alike.a} with its like, {unlike.a} with {unlike.b}."


def note_lines(campaign: Campaign) -> Iterator[str]:
    """The notes, after a blank line, city by city."""
    if campaign.notes:
        yield ""
    for city in CITIES:
        for text in campaign.notes_on(city.name):
            yield f"{city.name}: {text}"


def log_lines(campaign: Campaign) -> list[str]:
    """A line a game, oldest first."""
    return columns(
        ("game", "city", "result", "clues", "seed", "players"),
        (
            (number, one.city, result_text(one), one.turns_used, _or_blank(one.seed), " + ".join(one.agents or ()))
            for number, one in enumerate(campaign.log, 1)
        ),
    )


def result_text(result: Result) -> str:
    """Won or lost, and how, if not as usual."""
    if result.reason:
        return f"{result.outcome}: {result.reason.replace('_', ' ')}"
    return f"{result.outcome} in sudden death" if result.sudden_death else str(result.outcome)


def games(count: int) -> str:
    """`count` games in words."""
    return "1 game" if count == 1 else f"{count} games"


def _named(cities: Iterable[City]) -> str:
    return ", ".join(f"{city.name} {city.mission}" for city in cities)


def _span(rate: Interval) -> str:
    """The ends of an interval in percent, with a decimal where whole numbers are too coarse."""
    digits = 1 if rate.low < 0.01 else 0
    return f"{100 * rate.low:.{digits}f}-{100 * rate.high:.{digits}f} %"


def _or_blank(value: object) -> object:
    return "" if value is None else value
