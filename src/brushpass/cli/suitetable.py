"""The text of a suite's figures, from the `suite` of `bench --json` (docs/benchmark.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from brushpass.cli.output import columns

HEAD: Final = ("beside", "won", "95 %", "agents found", "95 %", "")


def suite_lines(report: Mapping[str, Any], *, cities: bool = False) -> Iterator[str]:
    """Each agent's figures beside each partner at the headline city, or with `cities` at all, and its headline."""
    suite = report["suite"]
    for agent in suite["agents"]:
        yield f"{agent['agent']}{_mind(agent['mind'])}"
        yield from columns(HEAD, [*_partners(agent, suite, cities=cities), *_means(agent, suite)])
        if agent["headline"] is None:
            yield "no headline: it shares an ingredient with every partner"
        if agent["failures"]:
            yield f"{agent['failures']} of its games ended by a failure"
        yield ""
    games = sum(pair["games"] for pair in report["pairs"])
    yield (
        f"suite {suite['name']} {suite['sha256'][:12]}, {suite['deals']} deals, {games} games"
        f"{'' if suite['complete'] else ' (not the whole suite)'}, {report['games_per_second']:.0f} games/s once warm, "
        f"{report['seconds']:.1f} s in all; intervals are 95 %, clustered by deal"
    )


def _mind(mind: Mapping[str, Any] | None) -> str:
    return "" if mind is None else f" (mind {mind['name']} {mind['sha256'][:12]})"


def _partners(agent: Mapping[str, Any], suite: Mapping[str, Any], *, cities: bool) -> Iterator[Sequence[str]]:
    for partner in agent["partners"]:
        shared = ", ".join(partner["shared_ingredients"])
        remark = f"not counted: both are made from {shared}" if shared else ""
        for city in partner["cities"]:
            if cities or city["city"] == suite["headline_city"]:
                yield f"{partner['partner']} at {city['city']}", *_cells(city), remark


def _means(agent: Mapping[str, Any], suite: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """The rows over the partners that share nothing with the agent."""
    if agent["headline"] is not None:
        yield f"independent partners at {suite['headline_city']}", *_cells(agent["headline"]), "headline"
        if len(agent["partners"][0]["cities"]) > 1:
            yield "independent partners in all cities", *_cells(agent["all_cities"]), ""


def _cells(figure: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Rate of wins and agents found, each with its interval."""
    if not figure["games"]:
        return "", "", "", ""
    reach = "" if figure["found_low"] is None else f"{figure['found_low']:.2f} - {figure['found_high']:.2f}"
    return (
        f"{figure['win_rate']:.2%}",
        f"{100 * figure['low']:.2f} - {100 * figure['high']:.2f}",
        f"{figure['found']:.2f}",
        reach,
    )
