"""The sample package of `examples/steady`: built, installed and found, as any package with an agent is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import run

from brushpass import Mission, Plan, run_bench
from brushpass.duet import bench

pytestmark = pytest.mark.slow

SAMPLE = Path(__file__).parents[1] / "examples" / "steady"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package installed in it, as pip does it without a network."""
    made = tmp_path_factory.mktemp("package")
    shutil.copytree(SAMPLE, made / "source")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation")
    command = (sys.executable, "-m", "pip", "install", *quiet, "--target", made / "here", made / "source")
    subprocess.run(command, check=True, timeout=120)
    return made / "here"


@pytest.fixture(autouse=True)
def _on_the_path(installed, monkeypatch):
    monkeypatch.syspath_prepend(installed)


def test_an_installed_agent_is_listed_and_checked_like_our_own():
    rows = {row["name"]: row for row in run("agents", "list", "--json").document()["agents"]}
    assert (rows["steady"]["package"], rows["steady"]["version"]) == ("brushpass-steady", "1.0")
    checked = run("agents", "check", "steady:model=minilm", "--positions", "40")
    assert checked.code == 0, checked.out
    assert "no option 'nope'; known: model" in run("agents", "check", "steady:nope=1").error()


def test_no_package_takes_a_name_of_ours(tmp_path, monkeypatch):
    about = tmp_path / "rival-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: rival\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[brushpass.agents]\nrandom = rival:make\nrival = rival:make\n")
    (tmp_path / "rival.py").write_text("raise SystemExit('no')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    rows = {row["name"]: row["package"] for row in run("agents", "list", "--json").document()["agents"]}
    assert (rows["random"], rows["rival"]) == ("brushpass", "rival")
    assert run("play", "--partner", "rival", "--plain").error() == "agent 'rival' cannot start: SystemExit: no"


def test_an_installed_agent_plays_in_workers(monkeypatch):
    monkeypatch.setattr(bench, "compile_kernels", lambda: None)
    plan = Plan([("steady", "random"), ("random", "steady:model=minilm")], mission=Mission(3, 3), games=2)
    for pair in run_bench(plan, workers=1).to_json()["pairs"]:
        assert (pair["games"], pair["failures"]) == (2, 0)
