"""Dask, with scheduler and workers as processes of their own."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import pytest
from arena_toy import Toy, environment, job, jobs
from cli_runner import run as cli
from test_executors import play

pytest.importorskip("distributed")
if sys.platform == "win32":
    pytest.skip("signals of POSIX", allow_module_level=True)

from brushpass import __version__
from brushpass.arena import cluster
from brushpass.arena.cluster import DaskCluster
from brushpass.arena.executors import Serial, WorkersLost
from brushpass.arena.journal import Journal
from brushpass.arena.runner import run

MODELS = Path(__file__).parents[1] / "models"
HASH = r"[0-9a-f]{64}"


class Cluster:
    """A scheduler on a free port of this machine, and workers."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.folder = folder
        self.processes = []
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(port))

    def add_worker(self, *, threads=1, nanny=False, **extra):
        kind = "--nanny" if nanny else "--no-nanny"
        return self._start("worker", self.address, "--nthreads", str(threads), kind, **extra)

    def _start(self, *args, **extra):
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + args[0], *args[1:], "--no-dashboard"],
            cwd=self.folder,
            env=environment() | {"OMP_NUM_THREADS": "1", "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"} | extra,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def end(self, *processes):
        for process in processes or self.processes:
            os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None
            process.wait()


@pytest.fixture
def dask(tmp_path):
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.end()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """A cluster of one worker that has its own data folder, and that folder."""
    folder = tmp_path_factory.mktemp("elsewhere")
    data = folder / "data"
    data.mkdir()
    cluster = Cluster(folder)
    cluster.add_worker(BRUSHPASS_DATA=str(data))
    yield cluster, data
    cluster.end()


def bench(address, *args):
    return cli("bench", "--engine", "dask", "--scheduler", address, "--city", "prague", "--games", 1, *args)


def test_a_cluster_plays_the_games_that_local_workers_play(dask, tmp_path):
    for _ in range(2):
        dask.add_worker()
    asked = ("--pair", "random", "random", "--pair", "nearest:model=glove", "person:model=minilm", "--games", 15)
    asked = ("bench", *asked, "--city", "prague,cairo", "--seed", 3, "-q")
    far = ("--engine", "dask", "--scheduler", dask.address, "--workers", 2)
    for name, how in {"far": far, "near": ("--workers", 1)}.items():
        assert cli(*asked, *how, "--out", tmp_path / name).code == 0
    far, near = (sorted((tmp_path / name / "games.jsonl").read_bytes().splitlines()) for name in ("far", "near"))
    assert len(far) == 60
    assert near == far
    grown = cli(*asked, "--out", tmp_path / "far", "--resume", "--games", 17, "--workers", 1)
    assert grown.code == 0, grown.err


def test_workers_killed_in_the_midst_cost_nothing(dask, tmp_path):
    first = dask.add_worker()
    dask.add_worker()
    seen = []

    def watch(*news):
        seen.extend(news[2])
        if len(seen) > 40 and first.poll() is None:
            first.kill()
            first.wait()

    with Journal.open(tmp_path / "run", equal={}) as journal:
        engine = DaskCluster(dask.address, least=2)
        outcome = run(jobs(400), Toy(seconds=0.003), engine=engine, journal=journal, on_progress=watch)
    assert first.returncode == -signal.SIGKILL
    assert (outcome.played, outcome.failed) == (400, 0)
    expected = play(Serial(), jobs(400))[0]
    assert sorted(seen) == sorted((tmp_path / "run/games.jsonl").read_text().splitlines()) == expected


def test_a_game_that_ends_or_holds_its_worker_costs_only_itself(dask):
    dask.add_worker(nanny=True)
    mixed = [job(1, "exits"), job(2, "hangs"), *jobs(10)]
    lines, outcome = play(DaskCluster(dask.address, limit=2.0), mixed)
    failed = sorted(line for line in lines if '"failed"' in line)
    assert outcome.failed == 2
    assert [line[:27] for line in failed] == ['{"schema":1,"id":"0-exits-1', '{"schema":1,"id":"0-hangs-2']
    assert all("its worker was lost: KilledWorker: " in line for line in failed)


@pytest.mark.parametrize(
    ("victim", "told"),
    [("scheduler", "the dask scheduler at .* is gone"), ("worker", "the cluster at .* has lost all its workers")],
)
def test_a_cluster_that_goes_away_ends_the_run_and_fails_no_game(dask, monkeypatch, tmp_path, victim, told):
    victims = {"scheduler": dask.scheduler, "worker": dask.add_worker()}
    seen = []

    def kill(*news):
        victims[victim].kill()
        monkeypatch.setattr(cluster, "GATHER_SECONDS", 0.5)
        seen.extend(news[2])

    with Journal.open(tmp_path / "run", equal={}) as journal, pytest.raises(WorkersLost, match=told) as caught:
        run(jobs(5000), Toy(seconds=0.002), engine=DaskCluster(dask.address), journal=journal, on_progress=kill)
    assert "go on with --resume" in str(caught.value)
    assert caught.value.exit_code == 4
    assert seen == (tmp_path / "run/games.jsonl").read_text().splitlines()
    assert not any('"failed"' in line for line in seen)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_a_server_that_is_no_scheduler_is_not_waited_for(monkeypatch, answer):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            connection.send(answer) if answer else None
            connection.recv(1 << 16)
            ended.wait()
            connection.close()

        ended = threading.Event()
        threading.Thread(target=serve, daemon=True).start()
        port = server.getsockname()[1]
        told = cli("bench", "--engine", "dask", "--scheduler", f"tcp://127.0.0.1:{port}", "--pair", "random", "random")
        ended.set()
    assert told.code == 4
    assert f"no dask scheduler answers at tcp://127.0.0.1:{port}" in told.error()


def test_an_address_that_is_none_is_told_at_once_and_in_one_line(tmp_path):
    command = [sys.executable, "-m", "brushpass", "bench", "--engine", "dask", "--scheduler", "here"]
    told = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr.splitlines()[1:] == []
    assert "'here' is no address" in told.stderr


def test_workers_that_do_not_fit_are_refused_by_name(dask, tmp_path):
    package = tmp_path / "old" / "brushpass-0.0.1.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: brushpass\nVersion: 0.0.1\n")
    old = dask.add_worker(PYTHONPATH=str(package.parent))
    told = bench(dask.address)
    assert told.code == 4
    assert re.search(
        rf"worker tcp://\S+ has brushpass 0\.0\.1, this is {re.escape(__version__)}; install", told.error()
    )
    dask.end(old)
    dask.add_worker(threads=2)
    told = bench(dask.address)
    assert told.code == 4
    assert re.search(r"worker tcp://\S+ has 2 threads; start dask workers with --nthreads 1", told.error())


def test_a_scheduler_without_workers_is_one_line(dask, monkeypatch):
    monkeypatch.setattr(cluster, "GATHER_SECONDS", 0.3)
    told = bench(dask.address, "--workers", 2)
    assert told.code == 4
    assert "has 0 workers, not 2; start more" in told.error()


def put_model(data, name, shipped, *, spoilt=False):
    """A model of a data folder's own: a shipped one under another name, perhaps with a wrong bit."""
    folder = data / "models"
    folder.mkdir(parents=True)
    entry = json.loads((MODELS / "manifest.json").read_text())["minds"][shipped]
    (folder / "manifest.json").write_text(json.dumps({"schema": 1, "minds": {name: entry | {"file": "it.npz"}}}))
    content = bytearray((MODELS / f"{shipped}.npz").read_bytes())
    content[-1000] ^= spoilt
    (folder / "it.npz").write_bytes(content)


def put_words(data, *path):
    file = data.joinpath("wordlists", *path)
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(f"{letter}word" for letter in "abcdefghijklmnopqrstuvwxyz"))


@pytest.mark.parametrize(
    ("theirs", "ours", "model", "told", "hashes"),
    [
        ((put_model, "glove", "glove"), None, "glove", None, 0),
        (
            (lambda data: put_model(data, "glove", "glove", spoilt=True),),
            None,
            "glove",
            "the model of agent .*glove",
            2,
        ),
        ((put_model, "glove", "minilm"), None, "glove", "the model of agent nearest:model=glove", 2),
        (
            None,
            (put_model, "mine", "glove"),
            "mine",
            "the model of agent nearest:model=mine .*: unknown model 'mine'",
            1,
        ),
        ((put_words, "english.txt"), None, "glove", "word list english", 2),
        ((put_words, "clues", "rich.txt"), None, "glove", "clue vocabulary rich", 2),
    ],
    ids=["same", "spoilt", "another", "missing", "words", "vocabulary"],
)
def test_a_worker_of_other_data_is_named_with_both_hashes(
    elsewhere, tmp_path, monkeypatch, theirs, ours, model, told, hashes
):
    away, data = elsewhere
    shutil.rmtree(data, ignore_errors=True)
    here = tmp_path / "here"
    monkeypatch.setenv("BRUSHPASS_DATA", str(here))
    for put, folder in ((theirs, data), (ours, here)):
        if put:
            put[0](folder, *put[1:])
    seed = zlib.crc32(str(tmp_path).encode())  # a run of its own: a worker that is warm for one looks at no file again
    ran = bench(away.address, "--pair", f"nearest:model={model}", "random", "--seed", seed, "--out", tmp_path / "run")
    if told is None:
        assert ran.code == 0, ran.err
        return
    assert ran.code == 3
    assert re.search(rf"worker \S+, process \d+: {told}", ran.error())
    assert len(set(re.findall(HASH, ran.err))) == hashes
    assert not (tmp_path / "run").exists(), "of a run that cannot play nothing is left"


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--engine", "dask"), 2, "--engine dask and --scheduler ADDR go together"),
        (("--scheduler", "tcp://127.0.0.1:1"), 2, "--engine dask and --scheduler ADDR go together"),
        (("--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"), 4, "no dask scheduler answers at tcp://127.0.0.1:1"),
        (("--engine", "dask", "--scheduler", "tcp://127.0.0.1:none"), 2, "'tcp://127.0.0.1:none' is no address"),
        (("--engine", "dask", "--scheduler", "pigeon://here"), 2, "'pigeon://here' is no address"),
    ],
)
def test_a_scheduler_that_is_not_there_is_one_line(args, code, told, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    ran = cli("bench", "--pair", "random", "random", "--games", 1, *args)
    assert ran.code == code
    assert told in ran.error()


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = bench("tcp://127.0.0.1:1")
    assert ran.code == 3
    assert "pip install 'brushpass[dask]'" in ran.error()
