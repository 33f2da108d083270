"""Keeps one program: starts it, and when it or our parent ends, ends all that came of it.

Run as a script, by a bare interpreter: `keeper.py LEASH MEMORY PROGRAM ARGS…`. `LEASH` is a socket to our parent: it
hears there, in one line, how the program ended; when the parent lets go of its end, or dies, the program is ended.
`MEMORY` is how many bytes of its own each process may take. The working folder is the program's, and is removed.

Where the system lets us (Linux), orphans of the program become our children, whatever session they went to, so that
all are found; elsewhere those of its process group are.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
from contextlib import suppress

ADOPT, END_WITH_PARENT = 36, 1
"""PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG of Linux's prctl."""
HINTS = {
    errno.ENOENT: "; is the interpreter that its first line names there?",
    errno.ENOEXEC: "; its first line should name an interpreter, as in #!/usr/bin/env python3",
}


def main() -> None:
    """Keep the program that the command line names."""
    leash, memory, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.set_inheritable(leash, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _process_control(ADOPT, 1)
    bell = _bell()
    started = os.fork()
    if started == 0:
        _become(program, memory, leash)
    for stream in (0, 1, 2):  # they are the program's: its end must show in them
        os.close(stream)
    how = _watch(started, leash, bell)
    _end_all(started)
    with suppress(OSError):
        os.write(leash, how.encode() + b"\n")
    _sweep()


def _process_control(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _bell() -> int:
    """A file that can be read when a child has ended."""
    bell, clapper = os.pipe()
    os.set_blocking(clapper, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(clapper, warn_on_full_buffer=False)
    return bell


def _become(program: list[str], memory: int, leash: int) -> None:
    """Turn this process into the program, in a group of its own."""
    import resource

    try:
        os.setsid()
        _process_control(END_WITH_PARENT, signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for limit, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CORE, 0)):
            with suppress(ValueError, OSError):  # it is below already
                resource.setrlimit(limit, (most, most))
        os.execv(program[0], program)  # noqa: S606 - that is what we are for
    except OSError as error:
        os.write(leash, f"cannot start: {error.strerror}{HINTS.get(error.errno or 0, '')}\n".encode())
    finally:
        os._exit(127)


def _watch(program: int, leash: int, bell: int) -> str:
    """Wait until the program has ended, and tell how; or until our parent wants an end of it."""
    waits = select.poll()
    waits.register(leash, select.POLLIN)
    waits.register(bell, select.POLLIN)
    while True:
        if leash in {file for file, _ in waits.poll()}:
            return "was ended"
        os.read(bell, 512)
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                return _told(os.waitstatus_to_exitcode(ended[1]))


def _told(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _end_all(program: int) -> None:
    """End the program's group, and then all who became our children, until none is left."""
    with suppress(OSError):
        os.killpg(program, signal.SIGKILL)
    while children := _children():
        for child in children:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        os.wait()


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as listed:  # noqa: PTH123 - pathlib takes longer to import than all of this to run
            return [*map(int, listed.read().split())]
    except OSError:
        return []


def _sweep() -> None:
    """Remove the working folder."""
    folder = os.getcwd()  # noqa: PTH109 - as above
    try:
        os.rmdir(folder)  # noqa: PTH106 - as above
    except OSError:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
