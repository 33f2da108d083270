"""The file of replies: what a language model was paid for once is never asked again, so that runs repeat."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from brushpass.atomic import locked
from brushpass.errors import Suspended

PATIENCE: Final = 30.0
"""Seconds to wait for another process that has the file."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and the tokens it took; `cost` is in the currency of the price that was named."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """Both kinds together."""
        return self.prompt_tokens + self.completion_tokens


def key_of(server: str, body: Mapping[str, Any]) -> str:
    """The name of a question: a hash of the server's address and all that it is asked."""
    text = json.dumps([server, body], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Replies:
    """The replies in the file at `path`: JSON lines `{"key", "model", "text", "prompt_tokens", …}`, only ever added to.

    Any number of processes may share the file. Of two replies to one question the first counts, for all of them; what
    the second has cost counts too. A line cut short by a kill is passed over.

    Raises:
        Suspended: the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self.tokens = 0
        self.cost = 0.0
        self._models: set[str] = set()
        self._replies: dict[str, Reply] = {}
        self._read_to = 0
        self._catch_up()

    def get(self, key: str) -> Reply | None:
        """The reply to a question, if it was ever given."""
        if key not in self._replies:
            self._catch_up()
        return self._replies.get(key)

    def knows(self, model: str) -> bool:
        """Whether the model has ever answered."""
        return model in self._models

    def add(self, key: str, model: str, reply: Reply) -> Reply:
        """Keep a reply; returns the one that counts, which another process may have been quicker to get."""
        line = json.dumps({"key": key, "model": model, **asdict(reply)}).encode() + b"\n"
        try:
            with locked(self.path, PATIENCE), self.path.open("a+b") as file:
                if end := file.tell():
                    file.seek(end - 1)
                    line = line if file.read(1) == b"\n" else b"\n" + line
                file.write(line)
        except OSError as error:
            raise self._trouble("write", error) from None
        self._catch_up()  # which finds nothing where somebody has removed the file
        return self._replies.setdefault(key, reply)

    def _catch_up(self) -> None:
        """Read what was added since, up to the last whole line."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._read_to)
                lines, end, _ = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._trouble("read", error) from None
        self._read_to += len(lines) + len(end)
        for line in lines.split(b"\n"):
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            data = json.loads(line)
            key, model = str(data["key"]), str(data["model"])
            reply = Reply(str(data["text"]), *(data[name] for name in ("prompt_tokens", "completion_tokens", "cost")))
            tokens, cost = self.tokens + reply.tokens, self.cost + reply.cost
        except (ValueError, TypeError, AttributeError, KeyError):
            return  # cut short, or no line of ours
        self.count, self.tokens, self.cost = self.count + 1, tokens, cost
        self._models.add(model)
        self._replies.setdefault(key, reply)

    def _trouble(self, what: str, error: OSError) -> Suspended:
        return Suspended(f"cannot {what} the file of replies {self.path}: {error.strerror}")
