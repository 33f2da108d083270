"""A game for the arena's tests, importable by its workers: what happens in a game is its condition."""

import ctypes
import hashlib
import json
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from brushpass.arena.jobs import Job
from brushpass.arena.pulse import pulse
from brushpass.errors import AgentFailure


def job(index, condition="fair", group="0"):
    return Job(f"{group}-{condition}-{index}", group, condition, index, 1000 + index, ("left", "right"))


def jobs(count, condition="fair", group="0"):
    return [job(index, condition, group) for index in range(count)]


def environment():
    """The environment of a process that can import this file."""
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def record(**fields):
    return json.dumps({"schema": 1, **fields}, separators=(",", ":"))


posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def wait_until(happened, *, seconds=30.0):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return False
    else:
        return state != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def no_worker_left(pids):
    return not any(running(int(path.name)) for path in pids.iterdir())


@dataclass
class Toy:
    seconds: float = 0.0
    cold: str = ""
    pids: str = ""
    warm_at: int = 0

    def warm(self):
        if self.pids:
            Path(self.pids, str(os.getpid())).touch()
        if self.cold == "refuse":
            raise AgentFailure("agent 'left' cannot start: no such model")
        if self.cold == "bug":
            raise KeyError("left")
        if self.cold == "hoard":
            self.hoard = np.zeros(500 << 20, np.uint8)
        if self.cold == "hang":
            time.sleep(3600)
        if self.cold == "die":
            os._exit(7)
        self.warm_at = os.getpid()

    def play(self, job):
        assert self.warm_at == os.getpid(), "played cold"
        time.sleep(self.seconds)
        getattr(self, job.condition)()
        return record(id=job.id, result=hashlib.sha256(str(job.seed).encode()).hexdigest(), note=self.note(job))

    def failed(self, job, reason):
        return record(id=job.id, failed=reason)

    def note(self, job):
        if job.condition == "threads":
            return [os.environ.get("OMP_NUM_THREADS"), os.environ.get("NUMBA_NUM_THREADS")]
        return "two\u2028lines?" if job.condition == "odd" else ""

    def fair(self):
        pass

    odd = threads = fair

    def talks(self):
        print("an agent chatters")  # noqa: T201  # just what must not reach our stdout
        os.write(1, b"and its library too\n")

    def prints(self):
        print("loudly")  # noqa: T201  # as above

    def raises(self):
        raise ZeroDivisionError("an agent\nfell over")

    def leaves(self):
        sys.exit(2)

    def exits(self):
        os._exit(3)

    def killed(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def hangs(self):
        time.sleep(3600)

    def holds(self):
        ctypes.PyDLL(None).sleep(3600)  # no thread of this process gets to run

    def naps(self):
        time.sleep(0.5)

    def plods(self):
        for _ in range(6):
            time.sleep(0.3)
            pulse.beat()

    def interrupts(self):
        raise KeyboardInterrupt

    def hoards(self):
        self.hoard = []
        for _ in range(1 << 12):
            self.hoard.append(np.zeros(1 << 20, np.uint8))

    def needs(self):
        np.zeros(1 << 24, np.uint8)

    def silences(self):
        sys.stdout.close()
        sys.stderr.close()
        os.close(1)

    def closes(self):
        os.closerange(3, 256)

    def reopens(self):
        os.closerange(3, 256)
        for _ in range(20):
            os.open(os.devnull, os.O_RDWR)

    def forgets(self):
        sys.modules.clear()

    def mines(self):
        """End the process later, in whatever game it is then."""
        signal.setitimer(signal.ITIMER_REAL, 0.05)

    def traps(self):
        self.naps()
        self.mines()

    def forks(self):
        if self.note_child() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(3600)

    def clings(self):
        self.forks()
        self.holds()

    def doubles(self):
        self.note_child()  # the child plays on as if it were the worker

    def note_child(self):
        child = os.fork()
        if child:
            Path(self.pids, str(child)).touch()
        return child
