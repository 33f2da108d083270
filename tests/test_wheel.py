"""The built wheel, in a clean environment and another folder, plays a game."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command, cwd, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "BRUSHPASS", "COVERAGE"))}
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, env=clean | environment, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_works_alone_in_another_folder(tmp_path):
    run(sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path / "dist"), str(ROOT), cwd=tmp_path)
    wheel = next((tmp_path / "dist").glob("*.whl"))
    assert wheel.stat().st_size < 60_000_000
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(str(scripts / "python"), "-m", "pip", "install", "--quiet", str(wheel), cwd=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    brushpass = str(scripts / "brushpass")
    places = {"BRUSHPASS_CACHE": str(tmp_path / "cache")}
    shown = run(
        brushpass, "bench", "--city", "Prague", "--games", "2", "--seed", "1", "--json", cwd=elsewhere, **places
    )
    report = json.loads(shown)
    assert [pair["games"] for pair in report["pairs"]] == [2, 2]
    assert sum(pair["failures"] for pair in report["pairs"]) == 0
    frozen = ("--suite", "duet-1", "--agent", "random", "--city", "prague", "--games", "1", "--workers", "1", "--json")
    assert json.loads(run(brushpass, "bench", *frozen, cwd=elsewhere, **places))["suite"]["deals"] == 1
    models = json.loads(run(brushpass, "models", "list", "--json", cwd=elsewhere, **places))
    assert {model["name"] for model in models["models"]} >= {"glove", "minilm"}
    clues = json.loads(run(brushpass, "clue", "--green", "ocean,ship", "--json", cwd=elsewhere, **places))
    assert clues["clues"][0]["targets"]
