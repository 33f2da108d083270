"""The house rules that a program can check."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST = {"src": 400, "benchmarks": 400, "examples": 400, "tests": 500}


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\n") if name]


def test_files_stay_short():
    long = {
        str(path.relative_to(ROOT)): lines
        for folder, limit in LONGEST.items()
        for path in tracked(f"{folder}/*.py")
        if path.exists() and (lines := len(path.read_text(encoding="utf-8").splitlines())) > limit
    }
    assert not long, "one noun a file"


def test_no_print_outside_the_command_line():
    printing = [
        path
        for path in tracked("src/*.py")
        if "cli" not in path.parts and path.exists() and "print(" in path.read_text(encoding="utf-8")
    ]
    assert not printing


def test_duet_packages_are_empty_so_that_no_import_pulls_in_what_it_hides():
    for package in ("duet", "duet/core", "duet/agents"):
        assert not (ROOT / "src/brushpass" / package / "__init__.py").read_text(encoding="utf-8").strip()


def test_every_shipped_data_file_is_in_the_notice():
    notice = (ROOT / "NOTICE.md").read_text(encoding="utf-8")
    for path in tracked("models", "wordlists"):
        if path.suffix not in {".json", ".md"}:
            assert path.name in notice, f"{path.name} has no line in NOTICE.md"


def test_shipped_models_stay_small():
    assert sum(path.stat().st_size for path in tracked("models")) <= 50_000_000


def test_every_lint_exception_carries_its_reason():
    bare = [
        f"{path.name}: {line.strip()}"
        for path in tracked("src/*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"# noqa: [A-Z0-9, ]+$", line.rstrip())
    ]
    assert not bare
    ignored = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("ignore = [")[2].partition("]")[0]
    assert all("#" in line for line in ignored.splitlines() if line.strip())


def test_entry_points_name_what_exists():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for target in project["entry-points"]["brushpass.agents"].values():
        module, _, _ = target.partition(":")
        assert (ROOT / "src" / (module.replace(".", "/") + ".py")).exists()


def test_every_module_has_its_place_in_the_architecture():
    told = set(re.findall(r"\w+", (ROOT / "docs/architecture.md").read_text(encoding="utf-8")))
    modules = {path.stem for path in tracked("src/*.py") if not path.stem.startswith("__")}
    assert modules <= told, f"docs/architecture.md does not name {', '.join(sorted(modules - told))}"
