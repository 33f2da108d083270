"""A server that speaks OpenAI's chat completions: one question, one reply, whatever the line does in between."""

from __future__ import annotations

import json
import random
import re
import time
import weakref
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from brushpass.doors.pace import LONGEST_HOLD, Pace
from brushpass.doors.replies import Reply
from brushpass.errors import AgentFailure, InvalidSetup, MissingExtra, Suspended

if TYPE_CHECKING:
    import ssl

    import httpx

MOST_BYTES: Final = 1 << 20
"""Of one answer; a longer one is no answer."""
MOST_TOKENS: Final = 10**9
"""A server that counts more counts something else."""
LONGEST_WAIT: Final = 30.0
"""Seconds between two tries, unless the server names its own."""
BUSY: Final = frozenset({408, 409, 425, 429, *range(500, 600)})
"""Statuses after which the same question is asked again."""
SHUT: Final[Mapping[int, str]] = {
    401: "check the key",
    402: "the account has nothing left",
    404: "check the URL and the model's name",
    **dict.fromkeys((301, 302, 303, 307, 308), "the server is at another URL"),
}
"""Statuses that no other question would change, and the remedy."""
SHORTEST_SECRET: Final = 8
"""Characters of a key; a shorter one, such as `none` or `x`, is made up for a server that wants any."""
_HIDDEN: Final = "***"
_QUOTED: Final = 160


class _Trouble(Exception):
    """A request that brought no reply; `again`: it may be asked again; `shut`: so would any other end."""

    def __init__(self, why: str, *, again: bool = False, shut: bool = False, rest: float | None = None) -> None:
        super().__init__(why)
        self.again = again
        self.shut = shut
        self.rest = rest


class ChatServer:
    """A chat endpoint at `url`, the address up to and without `/chat/completions`.

    Args:
        url: http or https.
        key: sent as a bearer token if not empty; a real one appears in nothing that is returned, raised or logged.
        pace: when requests may go out.
        timeout: seconds a reply may take.
        retries: how often a question is asked again when the server is busy, slow or out of reach.
        proven: whether it has answered before; until it has, whatever goes wrong ends the run and not a game.

    Raises:
        MissingExtra: httpx is not installed.
        InvalidSetup: a URL or key that cannot be one.
    """

    def __init__(self, url: str, key: str, *, pace: Pace, timeout: float, retries: int, proven: bool) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingExtra("a language model needs the extra llm: pip install 'brushpass[llm]'") from error
        if not re.fullmatch(r"https?://[^\s@?#/]+(/[^\s@?#]*)?", url):
            raise InvalidSetup("the URL of the language model server is not http(s)://HOST/PATH without user or query")
        if not re.fullmatch(r"[!-~]*", key):
            raise InvalidSetup("the key of the language model server holds a space or a character no key has")
        self.url = url.rstrip("/")
        self._key = key
        self._pace = pace
        self._timeout = timeout
        self._retries = retries
        self._proven = proven
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        self._client = httpx.Client(timeout=timeout, headers=headers, verify=_authorities())
        weakref.finalize(self, self._client.close)

    def complete(self, body: Mapping[str, Any]) -> Reply:
        """The reply to `body` (model, messages, settings), after as many tries as are allowed.

        Raises:
            AgentFailure: this question has no reply: the model took too long each time, or the server refuses it.
            Suspended: no question would have one now.
        """
        for tried in range(self._retries + 1):
            self._pace.wait()
            try:
                reply = self._once(body)
            except _Trouble as trouble:
                if not trouble.again or tried == self._retries:
                    tries = f" ({tried + 1} tries)" if tried else ""
                    why = f"the language model server {trouble}{tries}"
                    if trouble.shut or not self._proven:
                        raise Suspended(f"{why}; try again later" if trouble.again else why) from None
                    raise AgentFailure(why) from None
                self._rest(tried, trouble.rest)
            else:
                self._proven = True
                return reply
        raise AssertionError("unreachable: the last try returns or raises")

    def _rest(self, tried: int, wanted: float | None) -> None:
        """Wait before another try: what the server wants, for everybody; else twice as long each time."""
        if wanted is not None:
            self._pace.hold(wanted)
        else:
            time.sleep(min(2**tried, LONGEST_WAIT) * random.uniform(0.5, 1.0))

    def _once(self, body: Mapping[str, Any]) -> Reply:
        import httpx

        question = json.dumps(body).encode()
        ends = time.monotonic() + self._timeout
        raw = bytearray()
        try:
            with self._client.stream("POST", f"{self.url}/chat/completions", content=question) as response:
                for part in response.iter_bytes():
                    raw += part
                    if len(raw) > MOST_BYTES:
                        raise _Trouble(f"answered more than {MOST_BYTES} bytes")
                    if time.monotonic() > ends:
                        raise _Trouble(f"took more than {self._timeout:g} s", again=True)
        except httpx.TimeoutException as error:
            if isinstance(error, httpx.ConnectTimeout):
                raise _Trouble("cannot be reached: no connection in time", again=True, shut=True) from None
            raise _Trouble(f"took more than {self._timeout:g} s", again=True) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _Trouble(f"cannot be reached: {self._shown(str(error))}", again=True, shut=True) from None
        return self._read(response, bytes(raw), body)

    def _read(self, response: httpx.Response, raw: bytes, body: Mapping[str, Any]) -> Reply:
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            data = None
        status = response.status_code
        if status in BUSY:
            rest = _seconds(response.headers)
            patient = rest is None or rest <= LONGEST_HOLD
            wants = "" if patient else f" and wants to be left alone for {rest:.0f} s"
            raise _Trouble(f"answered {status}{self._told(data)}{wants}", again=patient, shut=True, rest=rest)
        if status in SHUT:
            raise _Trouble(f"answered {status}{self._told(data)}: {SHUT[status]}", shut=True)
        if status != 200:
            raise _Trouble(f"answered {status}{self._told(data)}")
        said = _said(data)
        if said is None:
            raise _Trouble(f"answered what is no chat completion{self._told(data)}", again=True)
        asked = json.dumps(body.get("messages"))
        return Reply(self._without_key(said), _tokens(data, "prompt", asked), _tokens(data, "completion", said))

    def _told(self, data: object) -> str:
        """What the server says of an error, as far as it is worth showing."""
        told = data.get("error") if isinstance(data, dict) else None
        told = told.get("message") if isinstance(told, dict) else told
        return f" ({self._shown(told)})" if isinstance(told, str) and told.strip() else ""

    def _shown(self, text: str) -> str:
        """The text on one line, short, without the key and with nothing that a terminal would obey."""
        line = " ".join(self._without_key(text).split())
        return "".join(char if char.isprintable() else "?" for char in line)[:_QUOTED]

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, _HIDDEN) if len(self._key) >= SHORTEST_SECRET else text


@cache
def _authorities() -> ssl.SSLContext:
    """Whom connections trust: a tenth of a second to read, so read once."""
    import httpx

    return httpx.create_ssl_context()


def _said(data: object) -> str | None:
    """What the model said: its content, or its refusal; None if `data` is no chat completion."""
    match data:
        case {"choices": [{"message": {"content": str(text)}}, *_]} if text.strip():
            return text
        case {"choices": [{"message": {"content": [*parts]}}, *_]}:
            return "".join(
                part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)
            )
        case {"choices": [{"message": {"refusal": str(text)}}, *_]}:
            return text
        case {"choices": [{"message": {}}, *_]}:
            return ""
        case _:
            return None


def _tokens(data: Any, kind: str, text: str) -> int:  # noqa: ANN401 - parsed JSON
    """The tokens that the server counted, or a guess from the length of the text where it counts none."""
    usage = data.get("usage")
    counted = usage.get(f"{kind}_tokens") if isinstance(usage, dict) else None
    if isinstance(counted, int) and not isinstance(counted, bool) and 0 <= counted < MOST_TOKENS:
        return counted
    return len(text) // 4 + 1


def _seconds(headers: httpx.Headers) -> float | None:
    """What `Retry-After` asks for, in seconds; None where it asks for nothing that can be read."""
    wanted = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", wanted):
        return float(wanted)
    try:
        return max(parsedate_to_datetime(wanted).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None
