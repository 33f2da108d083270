"""The text of `report`, from its JSON document (INTERFACES §2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from brushpass.cli.output import columns
from brushpass.cli.tables import ABREAST, FOOT, caveat, found, models, wins
from brushpass.duet.markup import decimal
from brushpass.registry import cut

MOST: Final = 10
"""Comparisons that the text shows."""
MATCHUPS: Final = 16
"""Givers with guessers that the text shows."""
WIDEST: Final = 20
"""Characters of a spec in a table, unless it takes more to tell it from another."""

Pair = Mapping[str, Any]


def report_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Who played, results by city, by giver and guesser and by cause, clues, promises, comparisons."""
    pairs: Sequence[Pair] = report["pairs"]
    for number, pair in enumerate(pairs, 1):
        yield from _whole(number, pair, report["seed"])
    for start in range(0, len(pairs), ABREAST):
        yield ""
        yield from _cities(pairs[start : start + ABREAST], start + 1)
    yield ""
    yield from _results(pairs)
    if any(pair["learning"] for pair in pairs):
        yield ""
        yield from _learning(pairs)
    yield ""
    yield from _clues(pairs)
    yield ""
    yield from _matchups(report["matchups"])
    yield ""
    yield from _promises(pairs)
    if report["differences"]:
        yield ""
        yield from _differences(report["differences"], elsewhere=report["compared_with"])
    yield ""
    state = "finished" if report["finished"] else "not finished"
    yield f"seed {report['seed']}, {report['games']} of {report['planned']} games, {state}; {FOOT}"
    yield from models(pairs)


def _whole(number: int, pair: Pair, seed: int) -> Iterator[str]:
    """Who a pair is, and its win rate with all that belongs to it."""
    yield f"{number}: {pair['a']} + {pair['b']}"
    minds = " with ".join(f"{mind['name']} {mind['sha256'][:12]}" for mind in pair["models"] if mind) or "no minds"
    rate, span = wins(pair, 1)
    yield f"   won {rate} ({span}) of {pair['games']} games, seed {seed}; {minds}"
    yield from caveat(pair)


def _cities(pairs: Sequence[Pair], first: int) -> list[str]:
    head = ["city", "tokens"]
    for number in range(first, first + len(pairs)):
        head += [f"{number}: n", "wins", "95 %"]
    cities = [
        (
            pairs[0]["cities"][row]["city"],
            f"{city['turns']}-{city['mistakes']}",
            *_won(pair["cities"][row] for pair in pairs),
        )
        for row, city in enumerate(pairs[0]["cities"])
    ]
    agents = [cell for pair in pairs for cell in (pair["games"], *found(pair))]
    return columns(head, [*cities, ("all", "", *_won(pairs, 1)), ("agents found", "", *agents)])


def _won(tables: Iterable[Mapping[str, Any]], decimals: int = 0) -> Iterator[object]:
    for counts in tables:
        yield counts["games"]
        yield from wins(counts, decimals) if counts["games"] else ("", "")


def _results(pairs: Sequence[Pair]) -> list[str]:
    """A line a pair: how its games ended."""
    head = ("pair", "games", "won", "in sudden death", "assassin", "sudden death", "cannot pay", "failures")
    return columns(
        head,
        (
            (number, pair["games"], pair["wins"], pair["sudden_death_wins"], *pair["losses"].values())
            for number, pair in enumerate(pairs, 1)
        ),
    )


def _learning(pairs: Sequence[Pair]) -> list[str]:
    """A line a stage of the games in a row that a pair remembers."""
    head = ("pair", "game in a row", "games", "wins", "95 %", "agents found", "95 %")
    rows = [
        (number, f"{stage['from']} - {stage['to']}", stage["games"], *wins(stage, 1), *found(stage))
        for number, pair in enumerate(pairs, 1)
        for stage in (pair["learning"] or {"stages": ()})["stages"]
    ]
    return columns(head, rows)


def _clues(pairs: Sequence[Pair]) -> list[str]:
    """A line a pair: clues a game, and how often each number was said."""
    said = sorted({number for pair in pairs for number in pair["numbers"]}, key=int)
    head = ("pair", "clues a game", "95 %", *(f"said {number}" for number in said))
    rows = []
    for number, pair in enumerate(pairs, 1):
        total = sum(pair["numbers"].values()) or 1
        shares = (f"{pair['numbers'].get(one, 0) / total:.0%}" for one in said)
        rows.append((number, f"{pair['mean_turns']:.2f}", _span(pair, "turns"), *shares))
    return columns(head, rows)


def _matchups(matchups: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line a giver with a guesser: what became of its clues, and their games in both orders of seats."""
    head = ("giver", "guesser", "clues", "hits", "95 %", "assassin", "games", "wins", "95 %")
    shown = matchups[:MATCHUPS]
    most = _telling({one[side] for one in shown for side in ("giver", "guesser")})
    rows = [
        (
            *(
                cut(one["giver"], most),
                cut(one["guesser"], most),
                one["clues"],
                decimal(one["hits"]),
                _span(one, "hits"),
            ),
            *("" if one["assassin"] is None else f"{one['assassin']:.0%}", one["games"], *wins(one)),
        )
        for one in shown
    ]
    yield from columns(head, rows)
    if len(matchups) > MATCHUPS:
        yield f"… and {len(matchups) - MATCHUPS} more; --json has all"


def _promises(pairs: Sequence[Pair]) -> Iterator[str]:
    """Hits promised and hits that happened, a line a bin; of many pairs the wholes only."""
    rows = [
        (
            *(number, seat, _bin(part), part["n"]),
            *(decimal(part["promised"]), decimal(part["happened"]), _span(part, "happened")),
        )
        for number, pair in enumerate(pairs, 1)
        for seat, whole in pair["calibration"].items()
        if whole is not None
        for part in (*(whole["bins"] if len(pairs) <= ABREAST else ()), whole)
    ]
    if rows:
        yield from columns(("pair", "giver", "hits promised", "clues", "mean", "happened", "95 %"), rows)
    else:
        yield "no giver promises hits: there is nothing to calibrate"


def _bin(part: Mapping[str, Any]) -> str:
    return f"{part['from']:.1f} - {part['to']:.1f}" if "from" in part else "all"


def _differences(differences: Sequence[Mapping[str, Any]], *, elsewhere: str | None) -> Iterator[str]:
    """Five lines a comparison."""
    yield f"differences over the same deals{f', first here and then in {elsewhere}' if elsewhere else ''}"
    for one in differences[:MOST]:
        names = [f"{side['pair']} ({side['a']} + {side['b']})" for side in (one["first"], one["second"])]
        yield f"{names[0]} less"
        yield f"{names[1]}: {one['games']} games"
        if not one["games"]:
            continue
        yield (
            f"  wins {_signed(one['wins'], 100, 1)} points; only the first won {one['only_first']}, "
            f"only the second {one['only_second']}; p {_p_value(one['p'])}"
        )
        yield f"  agents found {_signed(one['found'], 1, 2)}"
        won = one["turns_won"]
        both = f"; in the {one['both_won']} that both won {_signed(won, 1, 2)}" if won else ""
        yield f"  clues a game {_signed(one['turns'], 1, 2)}{both}"
    if len(differences) > MOST:
        yield f"… and {len(differences) - MOST} more; --json has all"


def _signed(interval: Mapping[str, Any], scale: int, decimals: int) -> str:
    value, low, high = interval["difference"], interval["low"], interval["high"]
    told = f"{scale * value:+.{decimals}f}"
    return told if low is None else f"{told} ({scale * low:+.{decimals}f} to {scale * high:+.{decimals}f})"


def _p_value(p: float) -> str:
    """A p-value after its sign; one too small for a number is told as such."""
    return f"= {p:.2g}" if p else "< 1e-300"


def _span(table: Mapping[str, Any], name: str) -> str:
    low, high = table[f"{name}_low"], table[f"{name}_high"]
    return "" if low is None else f"{low:.2f} - {high:.2f}"


def _telling(specs: Collection[str]) -> int:
    """To how many characters `specs` may be cut and still be told from each other."""
    longest = max(map(len, specs), default=WIDEST)
    return next(
        (most for most in range(WIDEST, longest) if len({cut(spec, most) for spec in specs}) == len(specs)), longest
    )
