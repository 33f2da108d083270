"""The Duet benchmark: a plan played, and its tables. Here the game and the arena meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from brushpass import __version__, seeds
from brushpass.arena.cluster import DaskCluster
from brushpass.arena.executors import Engine, Serial
from brushpass.arena.jobs import Job
from brushpass.arena.journal import Journal
from brushpass.arena.runner import run
from brushpass.arena.workers import LocalWorkers
from brushpass.duet.agent import Agent, gets_acquainted
from brushpass.duet.agents.kernel import compile_kernels
from brushpass.duet.agents.options import MINDFUL, thinking_of, vocabulary_of
from brushpass.duet.agents.roster import build_agent
from brushpass.duet.core.cards import CARD_COUNT, SEATS, BySeat, Seat
from brushpass.duet.core.deal import deal
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Outcome, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.inputs import Inputs
from brushpass.duet.plan import CUSTOM, Plan
from brushpass.duet.record import GameRecord, read_lines
from brushpass.duet.referee import Prelude, play_game
from brushpass.duet.rehearsal import rehearse
from brushpass.duet.results import Pairing, Report, Tally, Thinking
from brushpass.duet.runfolder import NO_RECORD, no_record
from brushpass.duet.standing import SuiteReport
from brushpass.duet.suite import Suite, load_suite
from brushpass.errors import InvalidSetup
from brushpass.lexicon.wordlists import digest, load_wordlist
from brushpass.registry import Spec

KIND: Final = "duet"
"""Of a run, in its manifest."""
ANSWER_SECONDS: Final = 30.0
"""An agent that takes longer over an answer is stuck (INTERFACES §5)."""
OURS: Final = MINDFUL | {"random"}
"""Agents whose games may be tried before a run, and rehearsed."""

Progress = Callable[[int, int, Tally], None]
"""Called with games done, games in all, and the tally so far."""


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
    def _prepared(self) -> dict[str, tuple[Setup, Prelude | None]]:
        """The table of each game to come, and what is known of it, by the job's id."""
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
            if _are_ours(seats):
                name, _ = self.plan.tables[0]
                self.play(Job(f"warm-{number}", str(number), name, 0, seeds.child("warm"), seats))

    def play(self, job: Job) -> str:
        """Play the job's deals, one after another, between the job's agents, who know nothing of each other yet."""
        agents = BySeat(*map(self._agent, job.seats, SEATS))
        for agent in agents:
            if gets_acquainted(agent):
                agent.forget()
        return "\n".join(self._play(game, agents) for game in job.games)

    def prepare(self, jobs: Sequence[Job]) -> None:
        """Deal these games and rehearse those of our own bots; strangers are only asked, each in its own game."""
        dealt = [(game, self._setup(game)) for job in jobs for game in job.games]
        ours = [(game, setup) for game, setup in dealt if _are_ours(game.seats)]
        preludes = rehearse((BySeat(*map(self._agent, game.seats, SEATS)), setup) for game, setup in ours)
        self._prepared.clear()
        self._prepared.update({game.id: (setup, None) for game, setup in dealt})
        self._prepared.update({game.id: (setup, known) for (game, setup), known in zip(ours, preludes, strict=True)})

    def _play(self, job: Job, agents: BySeat[Agent]) -> str:
        if job.id not in self._prepared:
            self.prepare([job])
        setup, prelude = self._prepared.pop(job.id)
        return play_game(
            *agents,
            setup,
            seed=job.seed,
            salt=self.salt,
            id=job.id,
            city=None if job.condition == CUSTOM else job.condition,
            names=(job.seats[0], job.seats[1]),
            prelude=prelude,
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


@cache
def _are_ours(seats: tuple[str, ...]) -> bool:
    """Whether no stranger sits there."""
    return all(Spec.parse(spec).name in OURS for spec in seats)


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
