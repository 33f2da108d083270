"""The conformance suite: sound agents pass, and each fault is found by the check that is meant for it."""

# ruff: noqa: ARG001, ARG002 - fakes have the arguments they must have, and a fixture may only set the scene
import itertools
import json
import random
import sys
import time

import numpy as np
import pytest
from cli_runner import run

from brushpass import (
    Advice,
    Clue,
    Guess,
    Phase,
    Player,
    Seat,
    Stop,
    Yield,
    build_agent,
    check_agent,
    load_wordlist,
    read_view,
)
from brushpass.duet.agent import LeftTheTable
from brushpass.duet.core import rules
from brushpass.duet.core.cards import cards_of
from brushpass.duet.observe import observe
from brushpass.duet.testing.positions import KINDS, every_kind
from brushpass.duet.testing.report import CheckReport, Failure
from brushpass.errors import AgentFailure, InvalidSetup, UnknownName

WORDS = load_wordlist("english").words


class Sound(Player):
    """Legal everywhere, and quick: counts instead of talking, touches the first open card."""

    def give_clue(self, view):
        return Clue(next(str(number) for number in itertools.count(10) if view.allows(str(number))), 1)

    def guess(self, view):
        return Guess(view.open_cards()[0])


class Chatty(Sound):
    """Thinks aloud."""

    def guess(self, view):
        print("hmm")  # noqa: T201 - that is what it does
        return super().guess(view)


# ------------------------------------------------------------------ the positions


@pytest.fixture(scope="module")
def views():
    """What the seat that is asked sees, by kind, for several seeds and both seats."""
    return [
        (position, observe(position.state, position.seat, position.history))
        for seed in range(6)
        for position in every_kind(seed, WORDS)
    ]


EXPECTED = {
    "first clue": lambda v: v.phase is Phase.CLUE and not v.history,
    "first guess": lambda v: v.must_guess and v.clue and len(v.history) == 1,
    "no mistake allowed, whole game": lambda v: (v.check, v.bystander) == (8, 0) and v.clue is None,
    "no mistake allowed, guess": lambda v: (v.check, v.bystander) == (8, 0) and v.must_guess,
    "a mistake cannot be paid": lambda v: (v.check, v.bystander) == (1, 0) and v.must_guess,
    "number 0": lambda v: v.clue.number == 0 and v.must_guess,
    "number 0, after a hit": lambda v: v.clue.number == 0 and v.hits == 1,
    "number 9, after hits": lambda v: v.clue.number == 9 and v.hits == 3,
    "hits beyond the number": lambda v: v.hits > v.clue.number,
    "clue of an unknown word": lambda v: v.clue.word == "zyzzogeton",
    "clue in digits": lambda v: v.clue.word == "7",
    "clue of two words": lambda v: " " in v.clue.word or "apple" in v.words,
    "clue against the law": lambda v: v.clue.word in v.words and v.bank == 8,
    "the same clue again": lambda v: [clue.word for clue in v.heard()] == [v.clue.word] * 2,
    "clue under the penalty law": lambda v: v.rules.clue_law == "penalty" and v.phase is Phase.CLUE,
    "unknown cards, clue": lambda v: "Blorptang" in v.words and v.phase is Phase.CLUE,
    "unknown cards, guess": lambda v: "Blorptang" in v.words and v.phase is Phase.GUESS,
    "cards of several words, clue": lambda v: "ice cream" in v.words and v.phase is Phase.CLUE,
    "cards of several words, guess": lambda v: "ice cream" in v.words and v.phase is Phase.GUESS,
    "last green, clue": lambda v: len(v.greens_left()) == 1 and v.phase is Phase.CLUE,
    "last green, guess": lambda v: v.must_guess and not v.finished,
    "last green among assassins, clue": lambda v: len(v.greens_left()) == 1 and v.finished == (v.seat.other,),
    "last green among assassins, guess": lambda v: len(v.open_cards()) == 3 and v.finished == (v.seat,),
    "partner finished": lambda v: v.finished == (v.seat.other,) and v.phase is Phase.CLUE,
    "own side finished": lambda v: v.finished == (v.seat,) and v.phase is Phase.GUESS,
    "marks from both sides, clue": lambda v: v.marks.a & v.marks.b and v.phase is Phase.CLUE,
    "marks from both sides, guess": lambda v: v.marks.a & v.marks.b and v.phase is Phase.GUESS,
    "last token, clue": lambda v: v.bank == 1 and v.phase is Phase.CLUE,
    "last token, guess": lambda v: v.bank == 1 and v.phase is Phase.GUESS,
    "sudden death": lambda v: v.phase is Phase.SUDDEN and not v.must_guess and v.heard(),
    "sudden death, no clue heard": lambda v: v.phase is Phase.SUDDEN and not v.heard() and not v.must_guess,
    "sudden death, bound to guess": lambda v: v.phase is Phase.SUDDEN and v.must_guess and not v.finished,
    "sudden death, partner cannot guess": lambda v: v.phase is Phase.SUDDEN and v.finished == (v.seat,),
    "sudden death, last green": lambda v: v.phase is Phase.SUDDEN and len(v.greens_left()) == 1,
    "sudden death by a clue": lambda v: v.phase is Phase.SUDDEN and len(v.history) == 2 and len(v.heard()) == 1,
    "order 2-1": lambda v: v.rules.order == "2-1" and v.phase is Phase.CLUE and v.said() and not v.heard(),
    "order free": lambda v: v.phase is Phase.CLUE_ANY and v.giver is None,
    "one clue refused": lambda v: v.phase is Phase.CLUE,
    "two clues refused": lambda v: v.phase is Phase.CLUE,
    "three clues refused": lambda v: v.phase is Phase.CLUE,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_is_what_its_kind_says(views, kind):
    met = [(position, view) for position, view in views if position.kind == kind]
    assert {position.seat for position, _ in met} == set(Seat)
    for position, view in met:
        assert position.seat in rules.actors(position.state)
        assert EXPECTED[kind](view), view.to_json()


def test_only_assassins_are_left_beside_the_last_green(views):
    for position, view in views:
        if position.kind == "last green among assassins, guess":
            side = position.state.setup.keys.side(view.seat.other)
            assert sorted(side.color(card) for card in view.open_cards()) == ["B", "B", "G"]
        if position.kind == "last green among assassins, clue":
            touchable = cards_of(view.touchable(view.seat.other))
            assert sorted(view.key.color(card) for card in touchable) == ["B", "B", "G"]


def test_cards_of_ones_own_bring_every_kind_too():
    words = ["music", "apple", "ice cream", *(f"word{number}" for number in range(40))]
    assert {position.kind for position in every_kind(1, words)} == set(KINDS)


# ------------------------------------------------------------------ sound agents


@pytest.mark.parametrize("spec", ["random", "nearest", "embedding", "person"])
def test_the_built_in_agents_pass(spec):
    report = check_agent(lambda: build_agent(spec), name=spec)
    assert report.ok, str(report)
    assert report.positions >= 200
    assert set(report.kinds) == set(KINDS)
    assert report.refusals == 0


def test_a_sound_agent_passes_and_every_check_was_made():
    report = check_agent(Sound, limit=60.0)
    assert report.ok, str(report)
    assert all(check.passed and not check.failed for check in report.checks.values())
    assert str(report).startswith("Sound: ")
    assert str(report).endswith("\nok")


def test_an_agent_of_two_methods_passes():
    class Bare:
        give_clue = Sound.give_clue
        guess = Sound.guess

    assert check_agent(Bare).ok


def test_more_positions_are_asked_for():
    assert check_agent(Sound, positions=400).positions >= 400


def test_the_seed_says_which_positions():
    reports = [check_agent(Asks, seed=seed) for seed in (1, 1, 2)]
    first, same, other = (report.checks["clue"].first.view for report in reports)
    assert first == same != other


# ------------------------------------------------------------------ faults


class Asks(Sound):
    """Offers a clue that is none."""

    def give_clue(self, view):
        return "clue?"


class Illegal(Sound):
    """Says words of the board, a new one each time."""

    def give_clue(self, view):
        return Clue(view.visible()[len(view.refused)], 1)


class TooMany(Sound):
    """Says a number that does not exist."""

    def give_clue(self, view):
        return Clue(super().give_clue(view).word, 10)


class Wild(Sound):
    """Aims beyond the board."""

    def give_clue(self, view):
        return Advice(super().give_clue(view), targets=(25,))


class Lawless(Sound):
    """Breaks the law where that only costs a token."""

    def give_clue(self, view):
        return Clue(view.visible()[0], 1) if view.rules.clue_law == "penalty" else super().give_clue(view)


class Stubborn(Sound):
    """Does not hear a refusal."""

    def give_clue(self, view):
        return Clue("10", 1)


class Forgetful(Sound):
    """Touches found cards."""

    def guess(self, view):
        return Guess(0) if view.phase is Phase.GUESS else super().guess(view)


class Hasty(Sound):
    """Stops before it has touched a card."""

    def guess(self, view):
        return Stop() if view.phase is Phase.GUESS else super().guess(view)


class Shy(Sound):
    """Always leaves sudden death to its partner."""

    def guess(self, view):
        return Yield() if view.phase is Phase.SUDDEN else super().guess(view)


class Stopper(Sound):
    """Stops in sudden death."""

    def guess(self, view):
        return Stop() if view.phase is Phase.SUDDEN and not view.must_guess else super().guess(view)


class Monoglot(Sound):
    """Cannot read cards of two words."""

    def give_clue(self, view):
        for word in view.words:
            if " " in word:
                raise KeyError(word)
        return super().give_clue(view)


class Quitter(Sound):
    """Ends the whole program."""

    def guess(self, view):
        raise SystemExit(3)


class Deserter(Sound):
    """Leaves the table as only a person may."""

    def guess(self, view):
        raise LeftTheTable


class Unseeded(Sound):
    """Draws from where no seed reaches."""

    def guess(self, view):
        return Guess(random.SystemRandom().choice(view.open_cards()))


class Counting(Sound):
    """Plays by how many games it has had."""

    games = 0

    def new_game(self, view, seed):
        self.games += 1

    def guess(self, view):
        return Guess(view.open_cards()[self.games % len(view.open_cards())])


class Numbered(Sound):
    """Plays by how many of its kind there are."""

    made = itertools.count()

    def __init__(self):
        self.number = next(self.made)

    def guess(self, view):
        return Guess(view.open_cards()[self.number % len(view.open_cards())])


class Scribbler(Sound):
    """Writes into its view, deep down."""

    def guess(self, view):
        card = super().guess(view)
        object.__setattr__(view.key, "greens", 0)
        return card


class Vandal(Sound):
    """Leaves something in its view that cannot be compared."""

    def guess(self, view):
        card = super().guess(view)
        object.__setattr__(view, "words", np.array(view.words))
        return card


class Cheerful(Sound):
    """Has nothing to say after a defeat."""

    def end(self, outcome, reason, key_a, key_b):
        assert outcome == "won", outcome


class Once(Sound):
    """Plays one game in its life."""

    fresh = True

    def new_game(self, view, seed):
        if not self.fresh:
            raise RuntimeError("again?\n\tno")
        self.fresh = False


class Sleepy(Sound):
    """Takes a while over digits."""

    def guess(self, view):
        time.sleep(0.05 if view.clue == Clue("7", 2) else 0)
        return super().guess(view)


class Unshowable(Sound):
    """Answers what cannot even be printed."""

    def __repr__(self):
        raise ValueError("not me")

    def guess(self, view):
        return self


FAULTS = {
    Asks: {"clue"},
    Illegal: {"clue"},
    TooMany: {"clue"},
    Wild: {"clue"},
    Lawless: {"clue"},
    Stubborn: {"refused"},
    Forgetful: {"guess"},
    Hasty: {"guess"},
    Shy: {"sudden_death"},
    Stopper: {"sudden_death"},
    Monoglot: {"answers"},
    Quitter: {"answers"},
    Deserter: {"answers"},
    Unseeded: {"repeats", "again"},
    Counting: {"again"},
    Numbered: {"repeats"},
    Scribbler: {"view"},
    Vandal: {"view"},
    Cheerful: {"end"},
    Once: {"new_game"},
    Sleepy: {"time"},
    Unshowable: {"guess", "sudden_death"},
}


@pytest.mark.parametrize("agent", FAULTS, ids=lambda agent: agent.__name__)
def test_a_fault_fails_its_check_and_no_other(agent):
    report = check_agent(agent, limit=0.04 if agent is Sleepy else None)
    failed = {check.name for check in report.checks.values() if check.failed}
    assert failed == FAULTS[agent], str(report)
    assert not report.ok
    for name in failed:
        first = report.checks[name].first
        assert str(first) in str(report)
        assert "\n" not in first.why
        assert first.kind in KINDS


def test_a_failure_can_be_seen_again():
    report = check_agent(Forgetful)
    failure = report.failures[0]
    view = read_view(json.loads(json.dumps(failure.view)))
    assert Forgetful().guess(view).card not in view.open_cards()
    assert "out of play" in failure.why
    assert failure.seed == check_agent(Forgetful).failures[0].seed


def test_a_failure_in_a_kind_tells_the_kind():
    report = check_agent(Monoglot)
    assert {failure.kind for failure in report.failures} == {
        "cards of several words, clue",
        "cards of several words, guess",
    }


def test_a_word_refused_once_and_mended_is_a_warning():
    class Mending(Sound):
        def give_clue(self, view):
            return super().give_clue(view) if view.refused else Clue(view.visible()[0], 1)

    report = check_agent(Mending)
    failed = {check.name for check in report.checks.values() if check.failed}
    assert failed == {"clue"}  # where it costs a token
    assert {failure.view["law"] for failure in report.failures} == {"penalty"}
    assert report.refusals > 20
    assert "against the law" in report.warnings[0]


def test_a_slow_answer_is_a_warning():
    report = CheckReport("x", 0)
    report.seconds["guess"] += [0.1, 2.5]
    assert report.warnings == ("slow: the longest answer took 2.5 s",)


def test_a_report_is_json():
    document = json.loads(json.dumps(check_agent(Hasty).to_json(), allow_nan=False))
    assert document["schema"] == 1
    assert document["ok"] is False
    assert document["positions"] == sum(document["kinds"].values())
    guess = next(check for check in document["checks"] if check["name"] == "guess")
    assert guess["failed"] == len(document["failures"])
    assert document["failures"][0]["view"]["phase"] == "GUESS"
    assert document["seconds"]["guess"]["longest"] >= document["seconds"]["guess"]["mean"]


def test_a_failure_reads_as_one_line():
    failure = Failure("guess", "number 0", "guess", "B", 7, "illegal Stop()")
    assert str(failure) == "number 0, seat B, guess: illegal Stop()"
    assert failure.to_json()["view"] is None


# ------------------------------------------------------------------ what cannot be checked


def test_an_agent_that_cannot_start_is_no_report():
    def broken():
        raise OSError("no camera")

    with pytest.raises(AgentFailure, match="cannot start: OSError: no camera"):
        check_agent(broken)
    with pytest.raises(AgentFailure, match="cannot start: TypeError"):
        check_agent(Sound())
    with pytest.raises(AgentFailure, match="has no method give_clue"):
        check_agent(object)
    with pytest.raises(AgentFailure, match="is a class"):
        check_agent(lambda: Sound)
    with pytest.raises(UnknownName):
        check_agent(lambda: build_agent("nobody"))
    with pytest.raises(InvalidSetup, match="at least 1"):
        check_agent(Sound, positions=0)


# ------------------------------------------------------------------ the command


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working folder with a module of agents."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "players_here.py").write_text(
        "from test_conformance import Chatty, Hasty, Sound\n\ndef broken():\n    raise AttributeError('no engine')\n"
    )
    return tmp_path


def test_agents_check_prints_the_report(here):
    told = run("agents", "check", "py:players_here:Sound")
    assert told.code == 0
    assert told.out.startswith("py:players_here:Sound: ")
    assert told.out.endswith("\nok\n")
    assert told.err == ""


def test_agents_check_exits_with_1_for_a_fault(here):
    told = run("agents", "check", "py:players_here:Hasty", "--seed", 5, "--positions", 100, "--json")
    assert told.code == 1
    document = told.document()
    assert (document["agent"], document["ok"], document["seed"]) == ("py:players_here:Hasty", False, 5)


@pytest.mark.parametrize(
    ("spec", "code", "says"),
    [
        ("nobody", 2, "unknown agent 'nobody'"),
        ("random:speed=9", 2, "no option 'speed'"),
        ("human", 2, "human"),
        ("py:nowhere:X", 2, "is not there"),
        ("py:players_here:Nobody", 2, "is not there"),
        ("py:players_here:broken", 4, "cannot start: AttributeError: no engine"),
        ("py:json:JSONDecoder", 4, "has no method give_clue"),
        ("nearest:model=nowhere.txt", 3, "nowhere.txt"),
    ],
)
def test_agents_check_of_what_cannot_start(here, spec, code, says):
    refused = run("agents", "check", spec)
    assert refused.code == code
    assert says in refused.error()


def test_what_an_agent_prints_is_not_the_result(here):
    told = run("agents", "check", "py:players_here:Chatty", "--json", "--limit", 60)
    assert told.document()["ok"] is True
    assert "hmm" in told.err


def test_agents_check_wants_a_position():
    assert run("agents", "check", "random", "--positions", 0).code == 2
