import os
import signal
import subprocess
import sys
import time

import pytest
from cli_runner import run

from brushpass import __version__

COMMANDS = (
    *(("play",), ("clue",), ("bench",), ("verify",)),
    *(("models", "list"), ("agents", "list")),
)


def program(*args, **options):
    return subprocess.run(
        [sys.executable, "-m", "brushpass", *args], capture_output=True, text=True, timeout=120, check=False, **options
    )


def test_version_is_told():
    assert run("--version").out == f"brushpass {__version__}\n"


def test_without_a_command_the_help_is_shown():
    shown = run()
    assert shown.code == 2
    assert "clue" in shown.out + shown.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_and_takes_json_quiet_and_verbose(command):
    shown = run(*command, "--help")
    assert shown.code == 0
    for option in ("--json", "-q", "-v"):
        assert option in shown.out


@pytest.mark.parametrize(
    "args", [("nope",), ("clue", "--nope"), ("verify",), ("models", "nope"), ("clue", "--top", "x")]
)
def test_wrong_usage_leaves_with_2(args):
    refused = run(*args)
    assert refused.code == 2
    assert refused.out == ""
    assert "Traceback" not in refused.err


def test_python_m_brushpass_is_the_command_line():
    assert program("--version").stdout == f"brushpass {__version__}\n"


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    games = tmp_path / "games.jsonl"
    games.write_text("rubbish\n" * 20_000)
    with subprocess.Popen(
        [sys.executable, "-m", "brushpass", "verify", str(games)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as telling:
        assert telling.stdout.readline().startswith(b"line 1: ")
        telling.stdout.close()
        assert telling.stderr.read() == b""
    assert telling.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_leaves_with_130_and_one_line():
    with subprocess.Popen(
        [sys.executable, "-m", "brushpass", "play", "--partner", "random", "--first", "me"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as playing:
        for line in playing.stdout:
            if line.startswith("Your clue"):
                break
        time.sleep(0.1)
        playing.send_signal(signal.SIGINT)
        _, err = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert err == "brushpass: error: interrupted\n"
