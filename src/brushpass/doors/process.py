"""A program in a process of its own that answers questions, as JSON lines over its stdin and stdout.

It gets the words of `ENVIRONMENT` from our environment and nothing else of it, a temporary folder to work in, and the
limits of its `Command`. Whatever it does wrong, it is ended, with all that came of it: see `keeper`.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NoReturn

from brushpass.doors import keeper
from brushpass.doors.command import Command
from brushpass.errors import AgentFailure

ENVIRONMENT: Final = (
    *("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
)
"""The variables of our environment that a program gets; HOME and TMPDIR are its working folder."""
LONGEST_ANSWER: Final = 1 << 20
"""Bytes that an answer may have."""
FAREWELL_SECONDS: Final = 1.0
"""What a program may take to quit."""
GLANCE_SECONDS: Final = 0.5
_PATIENT_SECONDS: Final = 10.0
_CHUNK: Final = 1 << 16
_LOG_BYTES: Final = 2000
_SHOWN: Final = 120


class Process:
    """A running program. `beat` is called while it is waited for.

    Raises:
        AgentFailure: it cannot be started.
    """

    def __init__(self, command: Command, beat: Callable[[], object] = lambda: None) -> None:
        self._command = command
        self._beat = beat
        self._asked = 0
        self._unsent = b""
        self._heard = bytearray()
        self._log = b""
        folder = tempfile.mkdtemp(prefix="brushpass-")
        self._keeper, self._leash = _start(command, folder)
        streams = (self._keeper.stdin, self._keeper.stdout, self._keeper.stderr)
        self._stdin, self._stdout, self._stderr = (stream.fileno() for stream in streams if stream is not None)
        self._waits = select.poll()
        for file in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(file, False)
        for file in (self._stdout, self._stderr):
            self._waits.register(file, select.POLLIN)
        self._let_go = weakref.finalize(self, _let_go, self._keeper, self._leash, folder)

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON
        """The result of `method`.

        Raises:
            AgentFailure: there is none. The program has been ended then.
        """
        self._asked += 1
        line = self._exchange(method, self._question(method, params))
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            self._fail(f"answered {method} with {_brief(line)}, which is not JSON")
        if not isinstance(answer, dict) or type(said := answer.get("id")) is not int or said != self._asked:
            self._fail(f"answered {method}, whose id is {self._asked}, with {_brief(line)}, which has not that id")
        if (error := answer.get("error")) is not None:
            self._fail(f"answered {method} with an error: {error.get('message') if isinstance(error, dict) else error}")
        if "result" not in answer:
            self._fail(f"answered {method} with {_brief(line)}, which has no result")
        return answer["result"]

    def quit(self) -> None:
        """Ask the program to end, then see to it."""
        if not self._let_go.alive:
            return
        self._asked += 1
        with suppress(OSError):
            os.write(self._stdin, self._question("quit", {}))
        if self._keeper.stdin is not None:
            self._keeper.stdin.close()
        waits = select.poll()
        waits.register(self._leash, select.POLLIN)
        waits.poll(1000 * FAREWELL_SECONDS)
        self._read_log()
        self._let_go()

    def _question(self, method: str, params: Mapping[str, Any]) -> bytes:
        question = {"id": self._asked, "method": method, "params": params}
        return json.dumps(question, separators=(",", ":")).encode() + b"\n"

    def _exchange(self, method: str, question: bytes) -> bytes:
        """The next line, after the question has been sent."""
        seconds = self._command.start if self._asked == 1 else self._command.answer
        latest = monotonic() + seconds
        self._unsent = question
        self._send()
        while (end := self._heard.find(b"\n")) < 0:
            if len(self._heard) > LONGEST_ANSWER:
                self._fail(f"answered {method} with more than {LONGEST_ANSWER >> 20} MB in one line")
            left = latest - monotonic()
            if left <= 0:
                self._fail(f"gave no answer to {method} within {seconds:g} seconds")
            self._beat()
            for file, _ in self._waits.poll(1000 * min(left, GLANCE_SECONDS)):
                if file == self._stdin:
                    self._waits.unregister(file)
                    self._send()
                elif file == self._stderr:
                    if not self._read_log():
                        self._waits.unregister(file)
                elif chunk := os.read(file, _CHUNK):
                    self._heard += chunk
                else:
                    self._fail(self._ended(method))
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        return line

    def _send(self) -> None:
        """Send what the program takes now; wait for it to take the rest."""
        try:
            sent = os.write(self._stdin, self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:  # it reads no more; whether it answers shows
            sent = len(self._unsent)
        self._unsent = self._unsent[sent:]
        if self._unsent:
            self._waits.register(self._stdin, select.POLLOUT)

    def _read_log(self) -> bytes:
        """Take in what it has written to its log."""
        try:
            chunk = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            chunk = b""
        self._log = (self._log + chunk)[-_LOG_BYTES:]
        if self._command.log is not None:
            with self._command.log.open("ab") as file:
                file.write(chunk)
        return chunk

    def _ended(self, method: str) -> str:
        """How it ended, from its keeper."""
        waits = select.poll()
        waits.register(self._leash, select.POLLIN)
        told = "closed its output"
        if waits.poll(1000 * FAREWELL_SECONDS):
            told = self._leash.recv(_CHUNK).decode(errors="replace").partition("\n")[0] or "lost its keeper"
        return told if told.startswith("cannot start") else f"{told} before it answered {method}"

    def _fail(self, what: str) -> NoReturn:
        self._read_log()
        self._let_go()
        words = self._log.decode(errors="replace").split("\n")
        last = next((line for line in map(str.strip, reversed(words)) if line), "")
        raise AgentFailure(f"its program {what}" + (f"; the last line of its log: {last[:_SHOWN]}" if last else ""))


def _start(command: Command, folder: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A keeper that starts the program in `folder`, and our end of its leash."""
    ours, theirs = socket.socketpair()
    told = {name: value for name in ENVIRONMENT if (value := os.environ.get(name)) is not None}
    try:
        started = subprocess.Popen(  # noqa: S603 - the program is the user's own
            [sys.executable, "-I", "-S", keeper.__file__, str(theirs.fileno()), str(command.memory), *command.argv],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
            cwd=folder,
            env=told | {"HOME": folder, "TMPDIR": folder},
            start_new_session=True,
        )
    except OSError as error:
        ours.close()
        shutil.rmtree(folder)
        raise AgentFailure(f"its program cannot be started: {error.strerror}") from error
    finally:
        theirs.close()
    return started, ours


def _let_go(started: subprocess.Popen[bytes], leash: socket.socket, folder: str) -> None:
    """Have the keeper end the program and remove the folder; wait until it has."""
    with suppress(OSError):
        leash.shutdown(socket.SHUT_RDWR)  # closing alone would not do if a fork of ours held it, too
    leash.close()
    try:
        started.wait(_PATIENT_SECONDS)
    except subprocess.TimeoutExpired:
        started.kill()
        started.wait()
    if started.returncode:  # something has ended the keeper
        shutil.rmtree(folder, ignore_errors=True)
    for stream in (started.stdin, started.stdout, started.stderr):
        if stream is not None:
            stream.close()


def _brief(line: bytes) -> str:
    text = line.decode(errors="replace")
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
