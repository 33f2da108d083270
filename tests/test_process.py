"""Programs as agents: what they are told, where they live, and that whatever one does costs only its own games."""

import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from arena_toy import wait_until
from cli_runner import run
from faulty_program import FAULTS, HARMLESS

from brushpass import (
    BrushpassError,
    Mission,
    Plan,
    build_agent,
    check_agent,
    play_game,
    read_records,
    read_view,
    run_bench,
    verify,
)
from brushpass.doors.command import Command
from brushpass.duet import bench

if sys.platform == "win32":
    pytest.skip("programs as agents need Linux or macOS", allow_module_level=True)

PROGRAM = Path(__file__).parent / "faulty_program.py"
EXAMPLES = Path(__file__).parents[1] / "examples"
PAGE = (EXAMPLES.parent / "docs" / "agents.md").read_text(encoding="utf-8")
FAIR = ("random", "random")
TABLE = Mission(9, 9)
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory limits, orphans and /proc")


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Where the programs' working folders are made: nothing may be left there."""
    made = tmp_path / "folders"
    made.mkdir()
    monkeypatch.setenv("TMPDIR", str(made))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return made


def spec(kind, mark="", *, settings=""):
    return " ".join(f"cmd:{settings} {sys.executable} -I -S {PROGRAM} '{kind}' {mark}".split(" "))


def running(mark):
    """The command lines that hold `mark`."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in command:
                found.append(command)
    return found


@linux
def test_a_batch_with_every_fault_ends_with_every_other_game_as_it_was(tmp_path, folders, monkeypatch):
    monkeypatch.setattr(bench, "compile_kernels", lambda: None)
    monkeypatch.setattr(bench, "ANSWER_SECONDS", 3.0)  # of a worker: it hears from a program that may take longer
    mark = str(tmp_path / "mark")
    settings = {"slow start": "start=0.8", "hang": "answer=1.5", "drip": "answer=1.5", "glutton": "memory=64"}
    specs = {kind: spec(kind, mark, settings=settings.get(kind, "")) for kind in (*FAULTS, *HARMLESS)}
    pairs = [FAIR, *((told, "random") for told in specs.values())]
    report = run_bench(Plan(pairs, mission=TABLE, games=1, seed=4), workers=2, out=tmp_path / "run").to_json()
    assert report["pairs"][0] == run_bench(Plan([FAIR], mission=TABLE, games=1, seed=4)).to_json()["pairs"][0]
    records = {}
    for record in read_records(tmp_path / "run" / "games.jsonl"):
        verify(record)
        records[record.agents[0]] = record
    assert len(records) == 1 + len(specs)
    for kind in HARMLESS:
        assert records[specs[kind]].reason != "forfeit", records[specs[kind]].trace[-1]
    for kind, told in FAULTS.items():
        record = records[specs[kind]]
        assert record.reason == "forfeit", kind
        assert record.trace[-1]["forfeit"] == "A"
        assert told in record.trace[-1]["why"], (kind, record.trace[-1]["why"])
    assert json.dumps(records[specs["crash"]].trace[-1]) in PAGE
    wait_until(lambda: not running(mark) and not list(folders.iterdir()))


def test_a_program_is_told_what_the_protocol_says_and_no_more(tmp_path):
    log = tmp_path / "program.log"
    record = play_game(build_agent(spec("logs", settings=f"log={log}")), build_agent("random"), seed=8)
    _, *requests = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    assert [request["id"] for request in requests] == [*range(1, len(requests) + 1)]
    assert [request["method"] for request in requests[:2]] == ["hello", "new_game"]
    assert [request["method"] for request in requests[-2:]] == ["end", "quit"]
    assert requests[0]["params"] == {"protocol": 1, "game": "duet"}
    assert set(requests[1]["params"]) == {"view", "seed"}
    table = PAGE.partition("| of `view` | is |\n|---|---|\n")[2].partition("\n\n")[0]
    told = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert told == set(requests[1]["params"]["view"])
    hidden = str(record.setup.keys.b)
    for request in requests[1:-2]:
        view = read_view(request["params"]["view"])
        assert (view.seat, view.words, view.key) == ("A", record.setup.board.words, record.setup.keys.a)
        assert hidden not in json.dumps(request)
    assert requests[-2]["params"] == {
        "outcome": record.outcome,
        "reason": record.reason,
        "key_a": str(record.setup.keys.a),
        "key_b": hidden,
    }
    assert requests[-1]["params"] == {}


def test_a_program_gets_no_secrets_and_lives_in_a_folder_of_its_own(tmp_path, folders, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("LANG", "C.UTF-8")
    log = tmp_path / "program.log"
    play_game(build_agent(spec("logs", settings=f"log={log} memory=500")), build_agent("random"), seed=8)
    around = json.loads(log.read_text(encoding="utf-8").splitlines()[0])
    told = around["environment"]
    assert "secret" not in told.values()
    assert set(told) <= {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TMPDIR"} | {
        name for name in told if name.endswith("_NUM_THREADS")
    }
    assert told["PATH"] == os.environ["PATH"]
    assert told["LANG"] == "C.UTF-8"
    assert told["HOME"] == told["TMPDIR"] == around["folder"]
    assert Path(around["folder"]).parent == folders
    assert around["limits"] == [500 << 20, 0]
    assert not list(folders.iterdir())


def test_a_program_is_started_anew_for_each_game_unless_it_may_stay(tmp_path):
    starts = {}
    for kind in ("logs", "stays"):
        log = tmp_path / kind
        agent = build_agent(spec(kind, settings=f"log={log}"))
        for seed in range(3):
            play_game(agent, build_agent("random"), seed=seed)
        starts[kind] = log.read_text(encoding="utf-8").count('"environment"')
    assert starts == {"logs": 3, "stays": 1}


def test_a_program_that_failed_is_started_anew(tmp_path):
    log = tmp_path / "program.log"
    agent = build_agent(spec("card 25", settings=f"log={log}"))
    for seed in range(2):
        record = play_game(build_agent("random"), agent, seed=seed)
        assert record.trace[-1] == {"forfeit": "B", "why": record.trace[-1]["why"]}


@linux
def test_nothing_grows_from_game_to_game():
    agent, other = build_agent(spec("sound")), build_agent(spec("crash"))
    children = Path(f"/proc/self/task/{os.getpid()}/children")

    def held():
        return len(list(Path("/proc/self/fd").iterdir())), children.read_text(encoding="ascii")

    play_game(agent, other, seed=0)
    before = held()
    for seed in range(3):
        play_game(agent, other, seed=seed)
    assert held() == before


@linux
def test_when_brushpass_is_killed_its_programs_end_too(tmp_path, folders):
    mark = str(tmp_path / "mark")
    specs = [spec("escapes", mark), spec("hang", mark)]
    code = f"from brushpass import *; play_game(*map(build_agent, {specs}))"
    with subprocess.Popen([sys.executable, "-c", code]) as started:
        wait_until(lambda: len(running("time.sleep(1000)")) >= 1 and len(running(f"hang\0{mark}")) == 1)
        started.send_signal(signal.SIGKILL)
    wait_until(lambda: not running(mark) and not list(folders.iterdir()))


@linux
def test_a_program_ends_with_its_agent(tmp_path):
    mark = str(tmp_path / "mark")
    agent = build_agent(spec("stays", mark))
    play_game(agent, build_agent("random"), seed=1)
    assert running(mark)
    del agent
    assert not running(mark)


@linux
def test_play_with_a_program_until_the_person_leaves(tmp_path):
    mark = str(tmp_path / "mark")
    left = run("play", "--partner", spec("sound", mark), "--first", "bot", "--seed", "3", "--plain", typed="")
    assert left.code == 0
    assert "2024" in left.out
    gc.collect()
    assert not running(mark)
    failed = run("play", "--partner", spec("absent", mark), "--plain", typed="")
    assert failed.code == 4
    assert failed.err == (
        "brushpass: error: the bot failed: AgentFailure: its program ended with exit code 0 before it answered hello\n"
    )


def test_the_same_games_for_any_number_of_workers_and_after_an_interruption(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "compile_kernels", lambda: None)
    pair = (f"cmd:{sys.executable} {EXAMPLES / 'coin.py'}", "random")
    lines = {}
    for name, workers, parts in (("one", None, (4,)), ("two", 2, (2, 4))):
        for games in parts:
            run_bench(
                Plan([pair], mission=TABLE, games=games, seed=2), workers=workers, out=tmp_path / name, resume=True
            )
        lines[name] = sorted((tmp_path / name / "games.jsonl").read_text(encoding="utf-8").splitlines())
    assert lines["one"] == lines["two"]
    assert len(lines["one"]) == 4
    assert all(json.loads(line)["agents"] == list(pair) for line in lines["one"])


# ------------------------------------------------------------------- samples


def program_of(sample):
    if sample.suffix == ".py":
        return sys.executable
    if node := shutil.which("node"):
        return node
    return pytest.skip("node is not installed: the JavaScript sample is not run")


@pytest.mark.parametrize("sample", ["coin.py", "coin.js"])
def test_samples_conform(sample, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    told = f"cmd:{program_of(EXAMPLES / sample)} {sample}"
    report = check_agent(lambda: build_agent(told), positions=100, name=told)
    assert report.ok, str(report)


def test_the_sample_in_javascript_plays_the_26_cities():
    pair = (f"cmd:{program_of(EXAMPLES / 'coin.js')} {EXAMPLES / 'coin.js'}", "random")
    report = run_bench(Plan([pair], games=1)).to_json()["pairs"][0]
    assert (report["games"], report["failures"]) == (26, 0)


def test_the_page_holds_the_sample():
    assert (EXAMPLES / "coin.py").read_text(encoding="utf-8") in PAGE


def test_samples_know_nothing_of_brushpass():
    for sample in ("coin.py", "coin.js"):
        assert "import brushpass" not in (EXAMPLES / sample).read_text(encoding="utf-8")


# ------------------------------------------------------------------ commands


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text("pass", encoding="utf-8")
    Path("two words.txt").write_text("pass", encoding="utf-8")
    Path("run me").write_text("#!/bin/sh\n", encoding="utf-8")
    Path("run me").chmod(0o755)
    Path("play").mkdir()
    return tmp_path


def test_a_command_is_cut_as_in_a_shell_and_files_are_those_of_here(here):
    command = Command.parse(
        "answer=2.5 start=60 memory=100 log=x.log sh agent.py 'two words.txt' play a,b --at=agent.py ''"
    )
    sh = shutil.which("sh")
    assert command.argv == (sh, f"{here}/agent.py", f"{here}/two words.txt", "play", "a,b", "--at=agent.py", "")
    assert (command.answer, command.start, command.memory) == (2.5, 60.0, 100 << 20)
    assert command.log == here / "x.log"
    assert Command.parse('"./run me" answer=2').argv == (f"{here}/run me", "answer=2")
    assert Command.parse("sh").answer == 30.0


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("cmd:", 2, "names nothing after cmd:"),
        ("cmd:answer=3", 2, "names no program"),
        ("cmd:''", 2, "names no program"),
        ("cmd:'sh", 2, "no closing quotation"),
        ("cmd:speed=3 sh", 2, "'speed' is no setting; known: answer, start, memory, log"),
        ("cmd:answer=3 answer=4 sh", 2, "given twice"),
        ("cmd:answer=0 sh", 2, "answer=0 is not a number above 0"),
        ("cmd:memory=much sh", 2, "memory=much is not a number above 0"),
        ("cmd:nope", 4, "there is no program 'nope' on the PATH"),
        ("cmd:./nope", 4, "there is no program './nope' in "),
        ("cmd:./agent.py", 4, "chmod +x"),
        ("cmd:./play", 4, "cannot be executed"),
        ("cmd:log=nope/x sh", 4, "log 'nope/x' cannot be written"),
        ("cmd:sh a\0b", 2, "null"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_a_command(text, code, told):
    with pytest.raises(BrushpassError) as refused:
        build_agent(text)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.exit_code == code


@pytest.mark.parametrize(("first", "told"), [("echo", "Exec format error"), ("#!/no/such", "interpreter")])
def test_a_program_that_the_system_cannot_start_says_why(first, told, here):
    (here / "run me").write_text(f"{first}\n", encoding="utf-8")
    agent = build_agent("cmd:'./run me'")
    record = play_game(agent, build_agent("random"), seed=1)
    assert "cannot start" in record.trace[-1]["why"]
    assert told in record.trace[-1]["why"]
