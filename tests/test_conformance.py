"""The conformance suite: sound agents pass, and each fault is found by the check that is meant for it."""

# ruff: noqa: ARG001 - a fixture may only set the scene
import json
import sys

import pytest
from cli_runner import run
from faulty_agents import FAULTS, Asks, Forgetful, Hasty, Monoglot, Sleepy, Sound

from brushpass import Clue, build_agent, check_agent, read_view
from brushpass.duet.testing import apart
from brushpass.duet.testing.positions import KINDS
from brushpass.duet.testing.report import CheckReport, Failure
from brushpass.errors import AgentFailure, InvalidSetup, UnknownName

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
        "from faulty_agents import Chatty, Dreamer, Forgetful, Hasty, Sound, Vanisher\n"
        "def broken():\n    raise AttributeError('no engine')\n"
    )
    (tmp_path / "players_elsewhere.py").write_text("import engine_of_theirs\n")
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
        ("py::Sound", 2, "is not py:module:Class"),
        ("py:players_elsewhere:Sound", 4, "cannot start: ModuleNotFoundError: No module named 'engine_of_theirs'"),
        ("py:players_here:broken", 4, "cannot start: AttributeError: no engine"),
        ("py:json:JSONDecoder", 4, "has no method give_clue"),
        ("nearest:model=nowhere.txt", 3, "nowhere.txt"),
    ],
)
def test_agents_check_of_what_cannot_start(here, spec, code, says):
    refused = run("agents", "check", spec)
    assert refused.code == code
    assert says in refused.error()


def test_what_an_agent_prints_is_not_the_result(here, capfd):
    told = run("agents", "check", "py:players_here:Chatty", "--json", "--limit", 60)
    assert told.document()["ok"] is True
    assert "hmm" in capfd.readouterr().err


def test_a_report_from_elsewhere_is_the_same_report(here):
    elsewhere = run("agents", "check", "py:players_here:Forgetful", "--json").document()
    here_asked = check_agent(Forgetful, limit=30.0, name=elsewhere["agent"]).to_json()
    del elsewhere["seconds"], here_asked["seconds"]
    assert elsewhere == here_asked


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("Dreamer", "its process was ended, here or later in this game: it gave no sign of life for 2.5 seconds"),
        ("Vanisher", "its process was ended, here or later in this game: lost its worker; it ended with exit code 0"),
    ],
)
def test_an_agent_that_hangs_or_ends_its_process_fails_where_it_does(here, monkeypatch, player, why):
    monkeypatch.setattr(apart, "SPARE", 0.5)
    monkeypatch.setattr("brushpass.duet.testing.report.MOST_LOST", 1)
    told = run("agents", "check", f"py:players_here:{player}", "--limit", 2, "--json")
    assert told.code == 1
    document = told.document()
    assert "given up" in document["warnings"][0]
    assert why in {failure["why"] for failure in document["failures"]}
    assert {failure["check"] for failure in document["failures"]} == {"answers"}


def test_an_agent_that_never_answers_in_time_is_given_up(monkeypatch):
    class Late(Sound):
        def guess(self, _):
            raise TimeoutError("no answer")

    assert check_agent(Late).positions > 50
    monkeypatch.setattr("brushpass.duet.testing.report.PATIENCE", 0.0)
    report = check_agent(Late)
    assert 0 < report.positions < 10
    assert report.warnings[0].startswith("given up")


def test_agents_check_wants_a_position():
    assert run("agents", "check", "random", "--positions", 0).code == 2
