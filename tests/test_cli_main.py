import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_commands import commands
from cli_runner import run

from brushpass import __version__

COMMANDS = commands()
CLUE = ("--green", "ocean,castle", "--black", "king", "--top", "1")


def program(*args, **options):
    return subprocess.run(
        [sys.executable, "-m", "brushpass", *args], capture_output=True, text=True, timeout=120, check=False, **options
    )


def test_version_is_told():
    assert run("--version").out == f"brushpass {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_and_takes_json_quiet_and_verbose(command):
    shown = run(*command, "--help")
    assert shown.code == 0
    for option in ("--json", "-q", "-v"):
        assert option in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("nope",), "unknown command 'nope'; known: agents, "),
        (("clu",), "did you mean clue?"),
        (("--nope",), "no such option: --nope (see brushpass --help)"),
        (("clue", "--nope"), "no such option: --nope (Possible options: --model, --top) (see brushpass clue --help)"),
        (("verify",), "missing argument 'file' (see brushpass verify --help)"),
        (("verify", "a", "b"), "got unexpected extra argument(s) (b) (see brushpass verify --help)"),
        (("models", "nope"), "no such command 'nope' (see brushpass models --help)"),
        (("clue", "--top", "x"), "invalid value for '--top': 'x' is not a valid int range (see brushpass clue --help)"),
        (("clue", "--top", "0"), "invalid value for '--top': 0 is not in the range x>=1 (see brushpass clue --help)"),
        (("bench", "--games"), "option '--games' requires an argument (see brushpass bench --help)"),
        (("campaign", "travel"), "missing argument 'CITY' (see brushpass campaign travel --help)"),
    ],
)
def test_wrong_usage_leaves_with_2_and_one_line(args, told):
    refused = run(*args)
    assert refused.code == 2
    assert told in refused.error()


@pytest.mark.parametrize("args", [(), ("models",), ("campaign",), ("words",), ("agents",)])
def test_a_group_alone_shows_its_help(args):
    shown = run(*args)
    assert shown.code == 2
    assert shown.err.startswith("Usage: ")
    assert "--help" in shown.err


def test_quiet_and_verbose_go_before_or_after_other_options():
    plain = run("clue", *CLUE, "-q")
    assert plain.err == ""
    told = run("clue", "-v", *CLUE)
    assert told.out == plain.out == run("clue", *CLUE, "-v").out
    assert "temperature" in told.err


def test_python_m_brushpass_is_the_command_line():
    assert program("--version").stdout == f"brushpass {__version__}\n"


def test_a_reader_that_goes_away_is_no_error():
    """The cards are more lines than any pipe holds."""
    cards = [",".join(f"card{number}" for number in range(start, start + 2000)) for start in range(0, 20_000, 2000)]
    asked = ["guess", "--clue", "sea", "--number", "1", "-q", *(part for some in cards for part in ("--words", some))]
    with subprocess.Popen(
        [sys.executable, "-m", "brushpass", *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as telling:
        assert telling.stdout.readline().startswith(b"card ")
        telling.stdout.close()
        assert telling.stderr.read() == b""
    assert telling.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_standard_output_is_told():
    with Path("/dev/full").open("w") as full:
        told = subprocess.run(
            [sys.executable, "-m", "brushpass", "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert told.returncode == 3
    assert told.stderr == f"brushpass: error: standard output: {os.strerror(errno.ENOSPC)}\n"


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a folder in use cannot be removed")
def test_a_folder_that_is_gone_is_told(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    bench = f"{sys.executable} -m brushpass bench --pair random random --games 1 --city Prague"
    telling = ["sh", "-c", f"rmdir {gone}; {bench}"]
    told = subprocess.run(telling, cwd=gone, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 3
    assert told.stderr == f"brushpass: error: the folder you are in: {os.strerror(errno.ENOENT)}\n"


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


# ------------------------------------------------------------------ completion


def completed(line):
    """What bash is told to offer for what is typed so far."""
    words = line.split()
    place = len(words) if line.endswith(" ") else len(words) - 1
    asked = {"_BRUSHPASS_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(place)}
    script = "import sys; sys.argv = ['brushpass']; from brushpass.cli.main import main; main()"
    command = [sys.executable, "-c", script]
    told = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, timeout=60, check=False)
    assert told.stderr == ""
    return told.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("brushpass ", {"play", "campaign", "clue", "guess", "report", "words", "doctor"}),
        ("brushpass gu", {"guess"}),
        ("brushpass clue --", {"--green", "--board", "--json"}),
        ("brushpass models ", {"list", "show", "import", "verify", "build"}),
        ("brushpass campaign play --b", {"--bots"}),
        ("brushpass nope --", {"--version"}),
    ],
)
def test_completion_knows_commands_and_options(line, offered):
    assert offered <= set(completed(line))


def test_completion_opens_only_the_file_of_the_command():
    script = (
        "import os, sys, atexit\n"
        "os.environ.update(_BRUSHPASS_COMPLETE='complete_bash', COMP_WORDS='brushpass clue --', COMP_CWORD='2')\n"
        "opened = lambda: sorted(name for name in sys.modules if name.startswith('brushpass.cli.'))\n"
        "atexit.register(lambda: print(opened(), 'numpy' in sys.modules))\n"
        "sys.argv = ['brushpass']\n"
        "from brushpass.cli.main import main; main()"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert told.stdout.splitlines()[-1] == "['brushpass.cli.clue', 'brushpass.cli.main', 'brushpass.cli.output'] False"


def test_completion_can_be_installed(tmp_path):
    env = {**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    done = program("--install-completion", "bash", env=env)
    assert done.returncode == 0
    (script,) = tmp_path.glob(".bash_completions/*.sh")
    assert "COMPLETE=complete_bash" in script.read_text()


def test_verbose_tells_what_brushpass_does_and_not_what_its_libraries_do(tmp_path):
    vectors = tmp_path / "v.txt"
    vectors.write_text("ocean 1 0\nsea 0.9 0.1\nking 0 1\n")
    told = run("guess", "--clue", "sea", "--number", 1, "--words", "ocean,king", "--model", vectors, "-v")
    assert f"brushpass: converting {vectors}, once\n" in told.err
    assert all(line.startswith("brushpass: ") for line in told.err.splitlines())
    assert "gensim" not in told.err
    assert "lifecycle" not in told.err
