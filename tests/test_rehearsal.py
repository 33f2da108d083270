"""Games reckoned in one loop are those of bots that see their own views alone, to the last byte."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from brushpass import seeds
from brushpass.arena import chunks
from brushpass.arena.chunks import play_chunk
from brushpass.duet import bench
from brushpass.duet.agents import kernel
from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.nearest import Nearest
from brushpass.duet.agents.roster import build_agent
from brushpass.duet.bench import DuetGame
from brushpass.duet.core.cards import BySeat
from brushpass.duet.core.deal import deal
from brushpass.duet.core.mission import CITIES, Mission, find_cities
from brushpass.duet.core.phase import Reason
from brushpass.duet.core.table import Order, TableRules
from brushpass.duet.inputs import Inputs
from brushpass.duet.plan import Plan
from brushpass.duet.record import read_record, verify
from brushpass.duet.referee import Prelude, play_game
from brushpass.duet.rehearsal import rehearse as rehearse_all
from brushpass.errors import IllegalAction
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.semantics.catalog import load_mind

GLOVE, MINILM = "embedding:model=glove", "embedding:model=minilm"
NEAREST = "nearest:model=glove"
PAIRS = (
    (NEAREST, NEAREST),
    (GLOVE, GLOVE),
    (GLOVE, MINILM),
    ("embedding:model=glove,stakes=fixed", MINILM),
    (MINILM, NEAREST),
    ("embedding:model=minilm,partner=glove,temperature=0.3", "embedding:model=glove,vocabulary=easy"),
    ("embedding:model=glove,vocabulary=easy", "nearest:model=minilm,vocabulary=easy"),
)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    before = kernel.engine()
    kernel.compile_kernels()
    yield
    kernel.use_engine(before)


def rehearse(agents, setup):
    return rehearse_all([(agents, setup)])[0]


def game_of(plan):
    return DuetGame(plan, seeds.salt(plan.seed), Inputs.of(plan.words, [spec for pair in plan.pairs for spec in pair]))


def asked(monkeypatch, game, job):
    """The record of a game in which every move is asked for."""
    with monkeypatch.context() as patch:
        patch.setattr(bench, "rehearse", lambda games: [None for _ in games])
        return game.play(job)


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_a_rehearsed_game_is_the_game_that_is_asked_for(monkeypatch, pair):
    game = game_of(Plan(pairs=(pair,), cities=CITIES, games=5, seed=11))
    for job in game.plan.jobs():
        line = game.play(job)
        assert line == asked(monkeypatch, game, job)
        verify(read_record(line))


@pytest.mark.parametrize(
    "mission", [Mission(1, 0), Mission(1, 1), Mission(2, 1), Mission(11, 11), Mission(11, 0)], ids=str
)
def test_no_table_is_too_short_or_too_long(monkeypatch, mission):
    game = game_of(Plan(pairs=((GLOVE, NEAREST), (NEAREST, GLOVE)), mission=mission, games=20))
    for job in game.plan.jobs():
        assert game.play(job) == asked(monkeypatch, game, job)


def test_games_prepared_at_once_are_those_played_one_by_one(monkeypatch):
    monkeypatch.setattr(chunks, "LIMIT_SECONDS", 60)
    plan = Plan(pairs=((GLOVE, MINILM), (NEAREST, "random")), cities=find_cities("prague,cairo"), games=6, seed=3)
    jobs = list(plan.jobs())
    lines = play_chunk(game_of(plan), jobs).text.decode().splitlines()
    one_by_one = game_of(plan)
    assert lines == [one_by_one.play(job) for job in jobs]


def test_our_own_bots_are_rehearsed_to_the_end_or_to_sudden_death():
    bots = BySeat(build_agent(GLOVE), build_agent(MINILM))
    ends = set()
    for seed in range(40):
        setup = deal(seed=seed)
        prelude = rehearse(bots, setup)
        record = play_game(*bots, setup, seed=seed)
        rest = record.moves[len(prelude.moves) :]
        assert tuple(prelude.moves) == record.moves[: len(prelude.moves)]
        assert not rest or record.sudden_death
        assert prelude.trace == record.trace
        ends.add((record.reason, bool(rest)))
    assert ends >= {(Reason.ASSASSIN, False), (Reason.SUDDEN_DEATH, True)}


class Bold(Embedding):
    """One that may have ways of its own."""


def embedding(kind=Embedding):
    return kind(load_mind("glove"), load_vocabulary())


def test_a_bot_of_another_kind_is_asked():
    setup = deal(seed=1)
    assert rehearse(BySeat(embedding(), embedding()), setup) is not None
    assert rehearse(BySeat(embedding(Bold), embedding()), setup) is None
    assert rehearse(BySeat(embedding(), embedding(Bold)), setup) is None


@pytest.mark.parametrize("kind", [Embedding, Nearest])
def test_cards_are_looked_up_that_nobody_foresaw(kind):
    bots = BySeat(*(kind(load_mind("glove"), load_vocabulary("easy"), ("lion",)) for _ in "ab"))
    for seed in range(6):
        setup = deal(seed=seed)
        prelude = rehearse(bots, setup)
        assert play_game(*bots, setup, seed=seed, prelude=prelude) == play_game(*bots, setup, seed=seed)


def test_threads_that_share_scores_do_not_mix_up_their_boards():
    bot = embedding()
    boards = [deal(seed=seed).board.words for seed in range(8)]
    looked_up = {words: looks(bot, words) for words in boards}
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            again = [*threads.map(lambda words: looks(bot, words) == looked_up[words], boards * 400)]
    finally:
        sys.setswitchinterval(before)
    assert all(again)


def looks(bot, words):
    places, ends = bot.giver.barred.beside(words)
    return bot.giver.scores.rows(words).tolist(), places.tolist(), ends.tolist()


class Quit(BaseException):
    """What ends a process."""


def quitter():
    """A stranger's bot that looks like one of ours."""

    def quits(_):
        raise Quit

    bot = embedding()
    bot.guesser.weigh = quits
    return bot


def test_a_strangers_bot_is_asked_in_its_own_game(monkeypatch):
    monkeypatch.setattr(chunks, "LIMIT_SECONDS", 60)
    monkeypatch.setitem(sys.modules, "quitters", sys.modules[__name__])
    plan = Plan(pairs=((GLOVE, GLOVE), (GLOVE, "py:quitters:quitter")), cities=find_cities("prague"), games=3, seed=3)
    jobs = list(plan.jobs())
    lines = play_chunk(game_of(plan), jobs, faults=Quit).text.decode().splitlines()
    whole = game_of(plan)
    assert lines[::2] == [whole.play(job) for job in jobs[::2]]
    assert all("Quit" in line for line in lines[1::2])


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "person:model=minilm",
        "embedding:model=glove,vocabulary=easy",
        "embedding:model=glove,memory=2,panel=minilm",
    ],
)
def test_beside_such_a_partner_a_bot_is_asked(spec):
    assert rehearse(BySeat(build_agent(GLOVE), build_agent(spec)), deal(seed=1)) is None


@pytest.mark.parametrize("order", [Order.FREE, Order.TWO_ONE])
def test_at_a_table_of_another_order_bots_are_asked(order):
    bots = BySeat(build_agent(GLOVE), build_agent(GLOVE))
    assert rehearse(bots, deal(rules=TableRules(order=order), seed=1)) is None


def test_with_a_card_that_the_giver_does_not_know_bots_are_asked():
    words = (*deal(seed=1).board.words[:24], "xqzzt")
    setup = deal(words, seed=3)
    assert rehearse(BySeat(build_agent(GLOVE), build_agent(GLOVE)), setup) is None
    assert rehearse(BySeat(build_agent(NEAREST), build_agent(NEAREST)), setup) is not None


def test_without_compiled_loops_bots_are_asked(monkeypatch):
    monkeypatch.setattr(kernel, "_engine", kernel.REFERENCE)
    assert rehearse(BySeat(build_agent(GLOVE), build_agent(GLOVE)), deal(seed=1)) is None


@pytest.mark.parametrize("seed", range(8))
def test_a_game_goes_on_from_any_prelude(seed):
    bots = BySeat(build_agent(GLOVE), build_agent(MINILM))
    setup = deal(mission=find_cities("Cairo")[0].mission, seed=seed)
    whole = play_game(*bots, setup, seed=seed)
    cut = random.Random(seed).randrange(len(whole.moves) + 1)
    given = sum(move.to_json()[0] == "clue" for move in whole.moves[:cut])
    prelude = Prelude(whole.moves[:cut], whole.trace[:given])
    assert play_game(*bots, setup, seed=seed, prelude=prelude) == whole


def test_a_prelude_that_breaks_the_rules_is_refused():
    bots = BySeat(build_agent(GLOVE), build_agent(GLOVE))
    setup = deal(seed=1)
    moves = play_game(*bots, setup, seed=1).moves
    with pytest.raises(IllegalAction):
        play_game(*bots, setup, seed=1, prelude=Prelude(moves[1:], []))
