"""The same tables and games whatever processor reckons them: an older one is this one with loops left unused."""

import hashlib
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from brushpass.lexicon.wordlists import load_wordlist

# OpenBLAS, numpy and glibc each choose their loops when they are loaded.
HASWELL = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4,AVX512_ICL,AVX512_SPR"}
NEHALEM = {
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4,AVX512_ICL,AVX512_SPR",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-FMA4",
}
AGENTS = ("embedding", "person:model=minilm", "embedding:memory=3,panel=minilm")


def played(folder: Path, processor: dict[str, str]) -> tuple[list[bytes], dict[str, str]]:
    """Games of every two of `AGENTS`, and the tables that they were played with, as hashes by name."""
    folder.mkdir()
    (folder / "words.txt").write_text("\n".join(load_wordlist("food").words[:25]))
    bench = [sys.executable, "-m", "brushpass", "bench", "--words", "words.txt", "--city", "prague", "--games", "3"]
    made = subprocess.run(
        [*bench, "--cross", *AGENTS, "--workers", "1", "--out", "run", "--quiet"],
        cwd=folder,
        env=os.environ | {"BRUSHPASS_CACHE": str(folder)} | processor,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    games = sorted((folder / "run" / "games.jsonl").read_bytes().splitlines())
    return games, {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (folder / "affinity").iterdir()}


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return played(tmp_path_factory.mktemp("here") / "run", {})


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="plays processors of this family")
@pytest.mark.parametrize("processor", [HASWELL, NEHALEM], ids=["haswell", "nehalem"])
def test_another_processor_plays_the_same_games(here, tmp_path, processor):
    games, tables = played(tmp_path / "run", processor)
    assert len(games) == 27
    assert len(tables) >= 3
    assert tables == here[1]
    assert games == here[0]
