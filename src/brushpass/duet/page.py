"""A run's report as one page of HTML that needs nothing else: tables, figures, and how to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from brushpass.duet import plots
from brushpass.duet.markup import Column, decimal, figure, percent, signed, span, table, text
from brushpass.duet.svg import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ABREAST: Final = 4
"""Pairs in one figure, and side by side in one table."""
MOST: Final = 12
"""Pairs that have figures; tables have all."""
COMPARED: Final = 120
"""Comparisons in the table of differences."""
WIDTH: Final = 6.4
"""Of a figure, in inches."""
MAPS: Final = 3
"""Pairs that have a map."""
WORTH_A_MAP: Final = 9
"""Cities played that fill one."""

Document = Mapping[str, Any]
Section = tuple[str, str, list[str]]
"""Its anchor, its heading, and the parts below that."""


def page(report: Document) -> str:
    """The page of a report, the document of `report --json`. The same document gives the same page."""
    sections = [section for section in _sections(report) if section[2]]
    links = "".join(f'<li><a href="#{anchor}">{heading}</a></li>' for anchor, heading, _ in sections)
    bodies = "\n".join(
        f'<section id="{anchor}">\n<h2>{heading}</h2>\n' + "\n".join(parts) + "\n</section>"
        for anchor, heading, parts in sections
    )
    name = text(Path(report["folder"]).name or "run")
    style = resources.files("brushpass.duet").joinpath("page.css").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{name}: a run of Codenames Duet</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{name}</h1>
{_lead(report)}
<nav aria-label="Sections"><ol>{links}</ol></nav>
</header>
<main>
{bodies}
</main>
<footer><p>Made by brushpass {text(report["version"])} with <code>brushpass report --html</code>;
<code>--json</code> has every number of this page.</p></footer>
</body>
</html>
"""


def _lead(report: Document) -> str:
    pairs, cities = len(report["pairs"]), len(report["pairs"][0]["cities"])
    planned = "" if report["finished"] else f" of {report['planned']:,} planned (the run is not finished)"
    words = report["words"]["name"] or "not recorded"
    digest = f" ({report['words']['sha256'][:12]})" if report["words"]["sha256"] else ""
    rules = ", ".join(f"{name} {value}" for name, value in report["rules"].items() if value and name != "relax")
    relaxed = ", ".join(report["rules"].get("relax") or ())
    return (
        f"<p>{report['games']:,} games of Codenames Duet{planned}: {_many(pairs, 'pair')} at {_many(cities, 'table')}. "
        f"Seed {report['seed']}; word list {text(words + digest)}; rules: {text(rules or 'not recorded')}"
        f"{text(f'; relaxed: {relaxed}') if relaxed else ''}.</p>\n"
        '<p class="quiet">Every pair plays the same deals. All intervals are 95 %; those of rates are Wilson\'s, '
        "clustered by deal where games share one.</p>"
    )


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _sections(report: Document) -> Iterator[Section]:
    yield "pairs", "Pairs", [_pairs(report)]
    yield "cities", "Cities", [*_cities(report)]
    yield "minds", "Givers and guessers", [*_matchups(report)]
    yield "losses", "Losses", [*_losses(report)]
    if any(pair["learning"] for pair in report["pairs"]):
        yield "learning", "Getting to know", [_learning(report)]
    yield "clues", "Clues", [*_clues(report)]
    yield "calibration", "Promises", [*_calibration(report)]
    yield "differences", "Differences", [*_differences(report)]
    yield "models", "Models", [*_models(report)]


# ------------------------------------------------------------------ sections


def _pairs(report: Document) -> str:
    """Who played, and the figures over all tables."""
    columns = [Column("pair"), Column("seat A", "spec"), Column("seat B", "spec"), Column("n"), Column("won, %")]
    columns += [Column("95 %"), Column("agents found"), Column("95 %"), Column("assassin, %")]
    columns += [Column("clues a game"), Column("", "")]
    rows = [
        (
            number,
            *(f"{pair[seat]}\n{_mind(model)}" for seat, model in zip("ab", pair["models"], strict=True)),
            *(pair["games"], percent(pair["win_rate"]), span(pair["low"], pair["high"], 1, 100)),
            *(*_found(pair), percent(pair["assassin_rate"]), decimal(pair["mean_turns"]), _caveat(pair)),
        )
        for number, pair in enumerate(report["pairs"], 1)
    ]
    caption = (
        f"Pairs over all tables, seed {report['seed']}; agents found are a game's mean, of 15. Below each agent the "
        "mind it thinks in, with its hash. A mirror has one mind on both sides and says nothing of play with another; "
        "minds made from the same parts are not independent."
    )
    return table(caption, columns, rows)


def _mind(model: Document | None) -> str:
    return f"{model['name']} {model['sha256'][:12]}" if model else "no mind"


def _caveat(pair: Document) -> str:
    if pair["mirror"]:
        return "mirror"
    return f"both from {', '.join(pair['shared_ingredients'])}" if pair["shared_ingredients"] else ""


def _cities(report: Document) -> Iterator[str]:
    rows = len(report["pairs"][0]["cities"])
    for number in range(1, min(MAPS, len(report["pairs"])) + 1 if rows >= WORTH_A_MAP else 0):
        yield _drawn(
            report,
            partial(plots.world_map, value="found", pair=number),
            3.9,
            None,
            f"Agents found by pair {number} in each city, mean of a game, of 15; seed {report['seed']}.",
        )
    for pairs in _groups(report):
        yield _drawn(
            report,
            plots.wins_by_city,
            1.4 + 0.24 * rows + 0.2 * len(pairs),
            pairs,
            f"Games won in each city, in the order of the mission map, with 95 % intervals; {_of(pairs)}, seed "
            f"{report['seed']}. Beside a city stand its tokens: turns, and mistakes among them.",
        )
        yield _drawn(
            report,
            plots.found_by_city,
            1.4 + 0.24 * rows + 0.2 * len(pairs),
            pairs,
            f"Agents found in each city, mean of a game, with 95 % intervals; {_of(pairs)}, seed {report['seed']}.",
        )
    for pairs in _groups(report, len(report["pairs"]), 2):
        columns = [Column("city", "name"), Column("tokens")]
        for number in pairs:
            columns += [
                Column(f"{number}: n"),
                Column("won, %"),
                Column("95 %"),
                Column("agents found"),
                Column("95 %"),
            ]
        chosen = [report["pairs"][number - 1] for number in pairs]
        cities = [
            (city["city"], f"{city['turns']}-{city['mistakes']}", *_ends([pair["cities"][row] for pair in chosen]))
            for row, city in enumerate(chosen[0]["cities"])
        ]
        minds = "; ".join(
            f"pair {number}: {' with '.join(map(_mind, pair['models']))}"
            for number, pair in zip(pairs, chosen, strict=True)
        )
        caption = f"Win rate and agents found, of 15, by city, seed {report['seed']}; {minds}."
        yield table(caption, columns, [*cities, ("all", "", *_ends(chosen))], whole=True)


def _ends(tables: Sequence[Document]) -> Iterator[object]:
    for one in tables:
        yield one["games"]
        yield percent(one["wins"] / one["games"]) if one["games"] else ""
        yield span(one["low"], one["high"], 1, 100) if one["games"] else ""
        yield from _found(one)


def _found(one: Document) -> tuple[str, str]:
    return decimal(one["mean_found"]), span(one["found_low"], one["found_high"])


def _matchups(report: Document) -> Iterator[str]:
    matchups = report["matchups"]
    names = {name for one in matchups for name in (one["giver"], one["guesser"])}
    if len(names) > 1 and len(matchups) > len(names) ** 2 / 2 and len(names) <= MOST:
        height = 1.6 + 0.4 * len(names)
        yield _drawn(
            report,
            plots.heat_map,
            height,
            None,
            f"Games won, %, by the agents at the two seats; seed {report['seed']}.",
        )
        caption = "Agents found after a clue, mean over all clues of a giver to a guesser."
        yield _drawn(report, partial(plots.heat_map, value="hits"), height, None, caption)
    columns = [Column("giver", "spec"), Column("guesser", "spec"), Column("clues"), Column("number"), Column("hits")]
    columns += [Column("95 %"), Column("bystander, %"), Column("assassin, %"), Column("n"), Column("won, %")]
    columns.append(Column("95 %"))
    rows = [
        (
            *(one["giver"], one["guesser"], one["clues"], decimal(one["mean_number"]), decimal(one["hits"])),
            span(one["hits_low"], one["hits_high"]),
            *("" if one[miss] is None else percent(one[miss]) for miss in ("bystander", "assassin")),
            *(one["games"], percent(one["win_rate"]), span(one["low"], one["high"], 1, 100)),
        )
        for one in matchups
    ]
    caption = (
        f"By giver and guesser, seed {report['seed']}: the mean number said, agents found after a clue, and the share "
        "of clues whose turn ended on a bystander or an assassin. Both sides of a game give clues: its result counts "
        "in both directions, and n is of both orders of seats."
    )
    yield table(caption, columns, rows)


def _losses(report: Document) -> Iterator[str]:
    pairs = [*range(1, min(MOST, len(report["pairs"])) + 1)]
    caption = f"Games by how they ended, %; {_of(pairs)}."
    yield _drawn(report, plots.losses, 1.2 + 0.55 * len(pairs), pairs, caption)
    columns = [Column("pair"), Column("n"), Column("won"), Column("of these in sudden death")]
    columns += [Column(name) for _, name, _ in plots.LOST]
    rows = [
        (
            number,
            pair["games"],
            pair["wins"],
            pair["sudden_death_wins"],
            *(pair["losses"][cause] for cause, _, _ in plots.LOST),
        )
        for number, pair in enumerate(report["pairs"], 1)
    ]
    yield table("Games by how they ended. An assassin touched in sudden death counts as assassin.", columns, rows)


def _learning(report: Document) -> str:
    columns = [Column("pair"), Column("game in a row"), Column("n"), Column("won, %"), Column("95 %")]
    rows = [
        (
            *(number, f"{one['from']} - {one['to']}", one["games"]),
            *(percent(one["win_rate"]), span(one["low"], one["high"], 1, 100)),
        )
        for number, pair in enumerate(report["pairs"], 1)
        for one in (pair["learning"] or {"stages": ()})["stages"]
    ]
    return table("Games in a row with one partner, then forgotten; intervals clustered by row.", columns, rows)


def _clues(report: Document) -> Iterator[str]:
    for pairs in _groups(report):
        height = 3.2 + 0.2 * len(pairs)
        yield _drawn(report, plots.turns, height, pairs, f"Games by the number of clues they took; {_of(pairs)}.")
        yield _drawn(report, plots.numbers, height, pairs, f"Clues by the number said with them; {_of(pairs)}.")
    said = sorted({number for pair in report["pairs"] for number in pair["numbers"]}, key=int)
    columns = [Column("pair"), Column("clues a game"), Column("95 %"), *(Column(f"said {one}, %") for one in said)]
    rows = [
        (
            *(number, decimal(pair["mean_turns"]), span(pair["turns_low"], pair["turns_high"])),
            *(percent(pair["numbers"].get(one, 0) / max(1, sum(pair["numbers"].values()))) for one in said),
        )
        for number, pair in enumerate(report["pairs"], 1)
    ]
    yield table("Clues a game, and how often each number was said.", columns, rows)


def _calibration(report: Document) -> Iterator[str]:
    givers = [
        (number, seat, pair[seat.lower()], pair["calibration"][seat])
        for number, pair in enumerate(report["pairs"], 1)
        for seat in ("A", "B")
        if pair["calibration"][seat] is not None
    ]
    if not givers:
        yield "<p>No giver of this run promises hits: its records have no <code>expected_hits</code>.</p>"
        return
    promising = {number for number, *_ in givers}
    for pairs in _groups(report, size=ABREAST // 2):
        if promising & {*pairs}:
            caption = (
                "Hits that the giver expected of its clue against hits that happened, by bins of the expectation, "
                f"with 95 % intervals clustered by deal; {_of(pairs)}. On the dashed line promises are kept; bins of "
                f"fewer than {plots.FEWEST} clues are left out."
            )
            yield _drawn(report, plots.calibration, 4.2 + 0.2 * 2 * len(pairs), pairs, caption)
    columns = [Column("giver", "spec"), Column("pair, seat"), Column("bin"), Column("n"), Column("promised")]
    columns += [Column("happened"), Column("95 %")]
    rows = [
        (
            *(giver, f"{number} {seat}", span(part.get("from"), part.get("to"), 1) or "all", part["n"]),
            *(decimal(part["promised"]), decimal(part["happened"]), span(part["happened_low"], part["happened_high"])),
        )
        for number, seat, giver, whole in givers
        for part in (*(whole["bins"] if len(report["pairs"]) <= ABREAST else ()), whole)
    ]
    caption = "Promised hits against hits that happened, n clues. A hit beyond the number said does not count."
    yield table(caption, columns, rows)


def _differences(report: Document) -> Iterator[str]:
    other = report["compared_with"]
    if not report["differences"]:
        return
    columns = [
        Column("first", "spec"),
        Column("second", "spec"),
        Column("games"),
        Column("wins, points"),
        Column("95 %"),
    ]
    columns += [Column("only first won"), Column("only second"), Column("p"), Column("agents found"), Column("95 %")]
    columns += [Column("clues a game"), Column("95 %")]
    rows = [
        (
            *(_side(one["first"], other), _side(one["second"], other), one["games"], *_difference(one["wins"], 100, 1)),
            *(
                one["only_first"],
                one["only_second"],
                f"{one['p']:.2g}" if one["p"] else "< 1e-300",
                *_difference(one["found"], 1, 2),
                *_difference(one["turns"], 1, 2),
            ),
        )
        for one in report["differences"][:COMPARED]
    ]
    caption = (
        "First less second, over the games of equal deals; a deal that several games share is one piece of evidence. "
        "p is McNemar's exact test that both are equally good, of each comparison by itself; the interval of the wins "
        "is Bonett and Price's, those of agents found and clues are bootstrapped."
    )
    if len(report["differences"]) > COMPARED:
        caption += f" The first {COMPARED} of {len(report['differences'])} comparisons are shown."
    yield table(caption, columns, rows)


def _side(side: Document, other: str | None) -> str:
    where = f"{Path(side['folder']).name}, " if other else ""
    return f"{where}pair {side['pair']}\n{side['a']}\n{side['b']}"


def _difference(interval: Document | None, scale: float, digits: int) -> tuple[str, str]:
    if interval is None:
        return "", ""
    ends = [signed(scale * interval[end], digits) for end in ("low", "high") if interval[end] is not None]
    return signed(scale * interval["difference"], digits), " to ".join(ends)


def _models(report: Document) -> Iterator[str]:
    models = {model["name"]: model["sha256"] for pair in report["pairs"] for model in pair["models"] if model}
    if models:
        yield table(
            "The minds the agents think in.", [Column("model", "name"), Column("sha256", "spec")], models.items()
        )


# ------------------------------------------------------------------ figures


def _groups(report: Document, most: int = MOST, size: int = ABREAST) -> Iterator[list[int]]:
    """The numbers of the pairs, from 1, a few at a time."""
    pairs = range(1, min(most, len(report["pairs"])) + 1)
    for start in range(0, len(pairs), size):
        yield [*pairs[start : start + size]]


def _of(pairs: Sequence[int]) -> str:
    return f"pair {pairs[0]}" if len(pairs) == 1 else f"pairs {pairs[0]} to {pairs[-1]}"


def _drawn(
    report: Document, plot: Callable[..., Axes], height: float, pairs: Sequence[int] | None, caption: str
) -> str:
    kind = "".join(map(str, plot.keywords.values())) if isinstance(plot, partial) else plot.__name__
    name = f"{kind}{pairs[0] if pairs else ''}".replace("_", "")
    chosen = {} if pairs is None else {"pairs": pairs}
    about = f"{caption} The table below has the numbers."
    return figure(draw(partial(plot, report, **chosen), size=(WIDTH, height), name=name, about=about), caption)
