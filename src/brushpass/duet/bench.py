"""The Duet benchmark: the one file that knows both the game and the arena."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from brushpass import __version__, seeds
from brushpass.arena.cluster import DaskCluster
from brushpass.arena.executors import Engine, Serial
from brushpass.arena.jobs import Job, in_a_row
from brushpass.arena.journal import Journal
from brushpass.arena.runner import run
from brushpass.arena.workers import LocalWorkers
from brushpass.duet.agent import Agent, gets_acquainted
from brushpass.duet.agents.kernel import compile_kernels
from brushpass.duet.agents.options import MINDFUL, thinking_of, vocabulary_of
from brushpass.duet.agents.roster import build_agent
from brushpass.duet.core.cards import CARD_COUNT, SEATS, BySeat, Seat
from brushpass.duet.core.deal import deal
from brushpass.duet.core.mission import CITIES, City, Mission, find_cities
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import TableRules
from brushpass.duet.inputs import Inputs
from brushpass.duet.memory import memory_of
from brushpass.duet.record import GameRecord, read_lines
from brushpass.duet.referee import play_game
from brushpass.duet.results import Pairing, Report, Tally, Thinking
from brushpass.duet.runfolder import NO_RECORD, no_record, read_manifest
from brushpass.duet.standing import SuiteReport
from brushpass.duet.suite import Suite, load_suite
from brushpass.errors import CorruptData, InvalidSetup
from brushpass.lexicon.wordlists import digest, load_wordlist
from brushpass.registry import Spec

KIND: Final = "duet"
"""Of a run, in its manifest."""
CUSTOM: Final = "custom"
"""The condition of a table that is no city."""
ANSWER_SECONDS: Final = 30.0
"""An agent that takes longer over an answer is stuck (INTERFACES §5)."""
OURS: Final = MINDFUL | {"random"}
"""Agents whose games may be tried before a run."""
HONEST: Final = ("embedding:model=glove-use", "person:model=minilm")
"""The default pair: two minds that share no ingredient."""
MIRROR: Final = ("embedding:model=glove-use", "embedding:model=glove-use")

Progress = Callable[[int, int, Tally], None]
"""Called with games done, games in all, and the tally so far."""


@dataclass(frozen=True)
class Plan:
    """What a run plays: every pair, in every city (or at one custom table), `games` deals each.

    With a `suite` (its name or folder) the deals are the suite's; `of_suite` makes such a plan.
    """

    pairs: Sequence[tuple[str, str]] = (HONEST, MIRROR)
    cities: Sequence[City] = CITIES
    mission: Mission | None = None
    words: str = "english"
    games: int = 10
    seed: int = 0
    rules: TableRules = field(default_factory=TableRules)
    suite: str | None = None
    ingredients: tuple[str, ...] = ()

    @classmethod
    def of_suite(
        cls,
        name: str,
        agents: Sequence[str] = (HONEST[0],),
        games: int | None = None,
        cities: Sequence[City] = CITIES,
        ingredients: Sequence[str] = (),
    ) -> Plan:
        """Each of `agents` beside each partner of the suite: its first `games` deals, in those `cities` that it has.

        `ingredients` are what an agent whose mind is not known here was made from.

        Raises:
            UnknownData, CorruptData: there is no such suite, or it is damaged.
            InvalidSetup: more games than it has deals, or none of the cities is its.
        """
        suite = load_suite(name)
        chosen = tuple(city for city in suite.cities if city in cities)
        if not chosen:
            raise InvalidSetup(f"suite {suite.name} has only {', '.join(city.name for city in suite.cities)}")
        return cls(
            pairs=tuple((agent, partner) for agent in agents for partner in suite.partners.values()),
            cities=chosen,
            words=suite.name,
            games=len(suite.deals) if games is None else games,
            seed=suite.seed,
            rules=suite.rules,
            suite=name,
            ingredients=tuple(ingredients),
        )

    @classmethod
    def of_folder(cls, folder: Path) -> Plan:
        """The plan of the run in `folder`.

        Raises:
            CorruptData: no Duet run lies there.
        """
        manifest = read_manifest(folder)
        try:
            arguments = manifest["arguments"]
            tables = [(name, Mission(turns, mistakes)) for name, turns, mistakes in arguments["tables"]]
            custom = [mission for name, mission in tables if name == CUSTOM]
            suite = arguments.get("suite") or {}
            return cls(
                pairs=tuple((a, b) for a, b in arguments["pairs"]),
                cities=CITIES if custom else find_cities(name for name, _ in tables),
                mission=custom[0] if custom else None,
                words=arguments["words"],
                games=arguments["games"],
                seed=arguments["seed"],
                rules=TableRules.read(arguments["rules"]),
                suite=arguments.get("suite_at", suite.get("name")),
                ingredients=tuple(suite.get("ingredients", ())),
            )
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise CorruptData(f"{folder} holds no Duet run of this version: {error!r}") from error

    def __post_init__(self) -> None:
        if not self.pairs:
            raise InvalidSetup("no pair to play")
        if type(self.games) is not int or self.games < 1:
            raise InvalidSetup(f"games {self.games!r} is not a whole number of at least 1")
        if self.suite is not None and self.games > (count := len(load_suite(self.suite).deals)):
            raise InvalidSetup(f"suite {self.suite} has {count} deals, not {self.games}")
        for pair in self.pairs:
            if memory_of(pair) > 1 and self.suite:
                raise InvalidSetup(f"suite {self.suite} is played without memory: leave it out")
            if self.pairs.count(pair) > 1:
                raise InvalidSetup(f"pair {' '.join(pair)} is asked for twice")
            if "human" in {Spec.parse(spec).name for spec in pair}:
                raise InvalidSetup("a human cannot sit in a benchmark; use brushpass play")

    @property
    def tables(self) -> tuple[tuple[str, Mission], ...]:
        """The conditions: each city's name and mission, or the custom table."""
        if self.mission is not None:
            return ((CUSTOM, self.mission),)
        return tuple((city.name, city.mission) for city in self.cities)

    @property
    def total(self) -> int:
        """Games in all."""
        return len(self.pairs) * len(self.tables) * self.games

    def jobs(self) -> Iterator[Job]:
        """Every game, or row that is remembered, by index: a run cut short has compared like with like."""
        memories = [memory_of(seats) for seats in self.pairs]
        for index in range(self.games):
            for name, _ in self.tables:
                for number, memory in enumerate(memories):
                    if index % memory == 0:
                        row = range(index, min(index + memory, self.games))
                        yield in_a_row([self._game(number, name, one) for one in row])

    def _game(self, pair: int, city: str, index: int) -> Job:
        seed = seeds.child(self.seed, "deal", city, index)
        return Job(f"{pair}-{city}-{index}", str(pair), city, index, seed, self.pairs[pair])


@dataclass(frozen=True)
class DuetGame:
    """What the arena plays: one job, one game, one line."""

    plan: Plan
    salt: int
    inputs: Inputs

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return _cards(self.plan)[0]

    @cached_property
    def _suite(self) -> Suite | None:
        return None if self.plan.suite is None else load_suite(self.plan.suite)

    @cached_property
    def _agents(self) -> dict[tuple[str, Seat], Agent]:
        return {}

    @cached_property
    def _last(self) -> dict[tuple[Mission, int], Setup]:
        return {}

    @cached_property
    def _missions(self) -> dict[str, Mission]:
        return dict(self.plan.tables)

    def warm(self) -> None:
        """Build every agent and let our own play a game, so that nothing is loaded or compiled later.

        A stranger's game waits for its job, which alone it may cost.

        Raises:
            CorruptData: a model or list of this machine is another than where the run began.
        """
        self.inputs.check()
        if self._suite is not None:
            self._suite.check()
        compile_kernels()
        for number, seats in enumerate(self.plan.pairs):
            for spec, seat in zip(seats, SEATS, strict=True):
                self._agent(spec, seat)
            if all(Spec.parse(spec).name in OURS for spec in seats):
                name, _ = self.plan.tables[0]
                self.play(Job(f"warm-{number}", str(number), name, 0, seeds.child("warm"), seats))

    def play(self, job: Job) -> str:
        """Play the job's deals, one after another, between the job's agents, who know nothing of each other yet."""
        agents = BySeat(*map(self._agent, job.seats, SEATS))
        for agent in agents:
            if gets_acquainted(agent):
                agent.forget()
        return "\n".join(self._play(game, agents) for game in job.games)

    def _play(self, job: Job, agents: BySeat[Agent]) -> str:
        return play_game(
            *agents,
            self._setup(job),
            seed=job.seed,
            salt=self.salt,
            id=job.id,
            city=None if job.condition == CUSTOM else job.condition,
            names=(job.seats[0], job.seats[1]),
        ).to_line()

    def failed(self, job: Job, reason: str) -> str:
        """The records of games that were lost with their worker."""
        return "\n".join(self._failed(game, reason) for game in job.games)

    def _failed(self, job: Job, reason: str) -> str:
        return GameRecord(
            id=job.id,
            setup=self._setup(job),
            moves=(),
            outcome=Outcome.LOST,
            reason=Reason.FORFEIT,
            seed=job.seed,
            city=None if job.condition == CUSTOM else job.condition,
            agents=(job.seats[0], job.seats[1]),
            trace=[{"forfeit": None, "why": reason}],
        ).to_line()

    def _agent(self, spec: str, seat: Seat) -> Agent:
        if (spec, seat) not in self._agents:
            self._agents[spec, seat] = build_agent(spec, self._words)
        return self._agents[spec, seat]

    def _setup(self, job: Job) -> Setup:
        """The job's table; the last deal is kept, as the pairs of a run play it one after another."""
        mission = self._missions[job.condition]
        if self._suite is not None:
            return self._suite.setup(job.index, mission)
        if (dealt := (mission, job.seed)) not in self._last:
            self._last.clear()
            self._last[dealt] = deal(self._words, mission, self.plan.rules, job.seed)
        return self._last[dealt]


def _cards(plan: Plan) -> tuple[tuple[str, ...], str]:
    """The card words of a plan, and their hash.

    Raises:
        InvalidSetup: they do not fill a board.
    """
    if plan.suite is not None:
        words = load_suite(plan.suite).words
        return words, digest(words)
    listed = load_wordlist(plan.words)
    if len(listed.words) < CARD_COUNT:
        raise InvalidSetup(f"word list {plan.words!r} has {len(listed.words)} words; a board needs {CARD_COUNT}")
    return listed.words, listed.sha256


def _report(plan: Plan, pairings: tuple[Pairing, ...]) -> Report:
    """The tables to be filled; a suite's, after its minds and words are compared with what it was frozen with."""
    if plan.suite is None:
        return Report(pairings, plan.tables, plan.seed)
    suite = load_suite(plan.suite)
    suite.check()
    return SuiteReport(suite, pairings, [city.name for city in plan.cities], plan.ingredients)


def run_bench(
    plan: Plan,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_progress: Progress | None = None,
) -> Report:
    """Play `plan` and return its tables; with `out`, records go to that run folder.

    The games depend on the plan alone: any number of workers, and any interruption with `resume`, give the same.
    Without `workers` they are played in this process, else in so many others: then an agent that hangs or dies
    costs one game, and a script must start from `if __name__ == "__main__":`, as with `multiprocessing`.
    With the address of a `scheduler` they are played by the workers of that dask cluster, once there are `workers`
    of them.

    Raises:
        InvalidSetup: the folder is not empty, or holds a run of other arguments.
        UnknownName, CorruptData, AgentFailure: an agent, model or word list cannot be had, here or on a worker.
        MissingExtra, WorkersLost: a cluster without dask installed here; workers that cannot start or be reached.
    """
    began = perf_counter()
    _, words_sha256 = _cards(plan)
    pairings = tuple(Pairing(a, b, thinking_of(a), thinking_of(b)) for a, b in plan.pairs)
    report = _report(plan, pairings)

    def progress(done: int, total: int | None, lines: list[str]) -> None:
        report.tally.add_lines(lines)
        if on_progress is not None:
            on_progress(done, total or plan.total, report.tally)

    specs = [spec for pair in plan.pairs for spec in pair]
    game = DuetGame(plan, seeds.salt(plan.seed), Inputs.of(plan.words, specs, suite=plan.suite))
    engine = _engine(workers, scheduler)
    if out is None:
        outcome = run(plan.jobs(), game, engine=engine, total=plan.total, on_progress=progress)
    else:
        how: dict[str, Any] = {"workers": workers, "engine": "local" if scheduler is None else "dask"}
        if plan.suite is not None:
            how["suite_at"] = plan.suite
        with _open(Path(out), plan, pairings, words_sha256, how=how, resume=resume) as journal:
            _count(journal.folder, report.tally)
            outcome = run(plan.jobs(), game, engine=engine, journal=journal, total=plan.total, on_progress=progress)
    report.games_per_second = outcome.games_per_second
    report.seconds = perf_counter() - began
    return report


def _count(folder: Path, tally: Tally) -> None:
    """Count the games that a run folder holds.

    Raises:
        CorruptData: a line is no record of a run.
    """
    for number, line in read_lines(folder):
        try:
            tally.add_lines([line])
        except NO_RECORD as error:
            raise no_record(folder, number, error) from None


def _engine(workers: int | None, scheduler: str | None) -> Engine:
    if scheduler is not None:
        return DaskCluster(scheduler, least=workers or 1, limit=ANSWER_SECONDS)
    return Serial() if workers is None else LocalWorkers(workers, limit=ANSWER_SECONDS)


def _open(
    out: Path, plan: Plan, pairings: tuple[Pairing, ...], words_sha256: str, *, how: dict[str, Any], resume: bool
) -> Journal:
    """The run folder: a run goes on with equal arguments, models and words; more games or other workers are fine."""
    seats = [(pairing.mind_a, pairing.mind_b) for pairing in pairings]
    equal: dict[str, Any] = {
        "pairs": [list(pair) for pair in plan.pairs],
        "tables": [[name, mission.turns, mission.mistakes] for name, mission in plan.tables],
        "rules": plan.rules.to_json(),
        "words": plan.words,
        "words_sha256": words_sha256,
        "models": [[mind and mind.sha256 for mind in pair] for pair in seats],
        "vocabularies": [[*map(vocabulary_of, pair)] for pair in plan.pairs],
        "seed": plan.seed,
    }
    if plan.suite is not None:
        suite = load_suite(plan.suite)
        equal["suite"] = {"name": suite.name, "sha256": suite.sha256, "ingredients": list(plan.ingredients)}
    return Journal.open(
        out,
        equal=equal,
        growing={"games": plan.games},
        free=how,
        about={"kind": KIND, "version": __version__, "minds": [[*map(_about, pair)] for pair in seats]},
        resume=resume,
    )


def _about(mind: Thinking | None) -> dict[str, Any] | None:
    """What `report` needs to know of a mind."""
    if mind is None:
        return None
    return {"name": mind.name, "sha256": mind.sha256, "ingredients": list(mind.ingredients)}
