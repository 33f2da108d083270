"""The machine a measurement was made on."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from timeit import repeat
from typing import Any

import numba
import numpy as np


def machine() -> dict[str, Any]:
    """Processor, cores this process may use, versions, microseconds of a plain loop, and how busy the machine is."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "loop": round(1e6 * min(repeat(_loop, number=1, repeat=200)), 1),
        "load": load(),
    }


def _loop() -> int:
    """A thousand turns of plain Python: interpreters differ by a factor of two in it, by how they were built."""
    total = 0
    for turn in range(1000):
        total += turn & 1
    return total


def load() -> float | None:
    """Processes that want a core, in the mean of the last minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def peak_memory() -> float | None:
    """The most memory this process has held, in MB; None where the system does not say."""
    return _field("/proc/self/status", r"VmHWM:\s+(\d+) kB", lambda found: int(found) / 1024)


def _processor() -> str:
    name = _field("/proc/cpuinfo", r"model name\s*: (.*)", str) or platform.processor() or platform.machine()
    model = _field("/proc/cpuinfo", r"model\s+: (\d+)", str)
    return f"{name}, model {model}" if model else name


def _field(path: str, pattern: str, read: Any) -> Any:  # noqa: ANN401 - what `read` makes of it
    file = Path(path)
    found = re.search(pattern, file.read_text(encoding="utf-8")) if file.exists() else None
    return read(found[1]) if found else None
