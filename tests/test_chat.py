"""A chat endpoint that misbehaves: what is asked again, what costs a game, what stops a run; and the key in nothing."""

import json
import threading
import time
from email.utils import formatdate
from types import SimpleNamespace

import pytest
from fake_chat import KEY, FakeChat, completion

from brushpass.doors import chat as door
from brushpass.doors import pace as pacing
from brushpass.doors.chat import ChatServer
from brushpass.doors.pace import Pace
from brushpass.errors import AgentFailure, InvalidSetup, MissingExtra, Suspended

BODY = {"model": "fake", "messages": [{"role": "user", "content": "hello"}]}


@pytest.fixture
def chat():
    with FakeChat("well met") as server:
        yield server


@pytest.fixture
def slept(monkeypatch):
    """How long was slept, in place of sleeping."""
    naps = []
    clock = SimpleNamespace(sleep=naps.append, monotonic=time.monotonic, time=lambda: time.time() + sum(naps))
    monkeypatch.setattr(door, "time", clock)
    monkeypatch.setattr(pacing, "time", clock)
    return naps


def server(chat, tmp_path, **how):
    rate = how.pop("rate", None)
    how = {"timeout": 60.0, "retries": 4, "proven": True, **how}
    url = how.pop("url", None) or chat.url
    return ChatServer(url, how.pop("key", KEY), pace=Pace(tmp_path / "next", rate), **how)


def long_naps(slept):
    return [nap for nap in slept if nap > 0.01]


def test_a_question_is_asked_once_with_the_key_and_its_tokens_are_counted(chat, tmp_path):
    chat.script = [completion("hi", 12, 3)]
    reply = server(chat, tmp_path).complete(BODY)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("hi", 12, 3)
    ((path, headers),) = chat.headers
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert chat.questions == [BODY]


def test_a_server_without_a_key_is_asked_without_one(chat, tmp_path):
    server(chat, tmp_path, key="").complete(BODY)
    assert "Authorization" not in chat.headers[0][1]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_a_busy_server_is_asked_again_after_longer_and_longer_rests(chat, tmp_path, slept, status):
    chat.script = [status, status, status]
    assert server(chat, tmp_path).complete(BODY).text == "well met"
    naps = long_naps(slept)
    assert [nap <= bound for nap, bound in zip(naps, (1, 2, 4), strict=True)] == [True] * 3
    assert naps == sorted(naps)


def test_a_server_says_when_it_wants_to_be_asked_again(chat, tmp_path, slept):
    in_a_while = formatdate(time.time() + 47, usegmt=True)
    chat.script = [(429, {"Retry-After": "7"}, {}), (503, {"Retry-After": in_a_while}, {})]
    server(chat, tmp_path).complete(BODY)
    seven, forty = long_naps(slept)
    assert 6 < seven <= 7
    assert 37 < forty <= 40


def test_all_workers_heed_it(chat, tmp_path, slept):
    Pace(tmp_path / "next").hold(9)
    server(chat, tmp_path, rate=6000).complete(BODY)
    assert [round(nap) for nap in slept] == [9]


def test_a_rest_of_hours_stops_the_run(chat, tmp_path, slept):
    chat.script = [(429, {"Retry-After": "7200"}, {})]
    with pytest.raises(Suspended, match="429 and wants to be left alone for 7200 s"):
        server(chat, tmp_path).complete(BODY)
    assert not long_naps(slept)


@pytest.mark.parametrize("seconds", [1, 600])
def test_requests_keep_their_distance_whoever_makes_them(chat, tmp_path, slept, seconds):
    one, two = (server(chat, tmp_path, rate=60 / seconds) for _ in range(2))
    for asking in (one, two, one):
        asking.complete(BODY)
    assert [round(nap) for nap in long_naps(slept)] == [seconds, seconds]


def test_a_pace_from_another_clock_is_not_waited_for(tmp_path, slept):
    (tmp_path / "next").write_text(str(time.time() + 10**6))
    Pace(tmp_path / "next", 60).wait()
    (tmp_path / "next").write_text("soon")
    Pace(tmp_path / "next", 60).wait()
    assert not long_naps(slept)


@pytest.mark.parametrize(
    ("status", "says"), [(401, "check the key"), (402, "nothing left"), (404, "model's name"), (307, "another URL")]
)
def test_what_no_question_can_change_stops_the_run_at_once(chat, tmp_path, status, says):
    chat.always = status
    with pytest.raises(Suspended, match=f"answered {status}.*{says}"):
        server(chat, tmp_path).complete(BODY)
    assert len(chat.questions) == 1


def test_a_server_that_stays_busy_stops_the_run(chat, tmp_path, slept):
    chat.always = 500
    with pytest.raises(Suspended, match=r"answered 500 \(told to answer 500\) \(5 tries\); try again later"):
        server(chat, tmp_path).complete(BODY)
    assert len(long_naps(slept)) == 4


@pytest.mark.usefixtures("slept")
def test_a_server_out_of_reach_stops_the_run(tmp_path):
    with FakeChat() as gone:
        url = gone.url
    with pytest.raises(Suspended, match="cannot be reached"):
        server(None, tmp_path, url=url).complete(BODY)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (400, "answered 400"),
        (403, "answered 403"),
        (418, "answered 418"),
        ((200, {}, {"error": {"message": "overloaded"}}), r"what is no chat completion \(overloaded\)"),
        ((200, {}, b"x" * (2 << 20)), "answered more than 1048576 bytes"),
        ((200, {}, b"<html>"), "what is no chat completion"),
        ((200, {}, b""), "what is no chat completion"),
        ((200, {}, b"[" * 10**5), "what is no chat completion"),
        ((200, {}, []), "what is no chat completion"),
        ((200, {}, {"choices": []}), "what is no chat completion"),
        ((200, {}, {"choices": [{"message": "hi"}]}), "what is no chat completion"),
    ],
)
@pytest.mark.usefixtures("slept")
def test_a_question_without_a_reply_costs_the_game_or_the_run_if_there_never_was_one(chat, tmp_path, answer, says):
    chat.always = answer
    with pytest.raises(AgentFailure, match=says):
        server(chat, tmp_path).complete(BODY)
    with pytest.raises(Suspended, match=says):
        server(chat, tmp_path, proven=False).complete(BODY)
    chat.script = ["hi", answer]
    fresh = server(chat, tmp_path, proven=False)
    fresh.complete(BODY)
    with pytest.raises(AgentFailure, match=says):
        fresh.complete(BODY)


@pytest.mark.usefixtures("slept")
def test_a_reply_that_takes_too_long_is_not_waited_for(chat, tmp_path):
    waiting = threading.Event()

    def drip():
        while not waiting.wait(0.05):
            yield b" "

    def late(_):
        waiting.wait(5)
        return "at last"

    for slow in (late, lambda _: (200, {}, drip())):
        chat.script = [slow, slow]
        with pytest.raises(AgentFailure, match=r"took more than 0.2 s \(2 tries\)"):
            server(chat, tmp_path, timeout=0.2, retries=1).complete(BODY)
    waiting.set()


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": None, "refusal": "I cannot"}, "I cannot"),
        ({"content": None}, ""),
        ({"content": " "}, ""),
        ({"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "hi"}, {"text": 5}]}, "hi"),
        ({"content": None, "tool_calls": [{"function": {"name": "reveal"}}]}, ""),
    ],
)
def test_a_refusal_is_a_reply(chat, tmp_path, message, text):
    chat.always = {"choices": [{"message": message}]}
    assert server(chat, tmp_path).complete(BODY).text == text


@pytest.mark.parametrize(
    "usage", [None, [], {"prompt_tokens": -1}, {"prompt_tokens": True}, {"completion_tokens": 10**400}]
)
def test_tokens_that_are_not_counted_are_guessed_from_the_length(chat, tmp_path, usage):
    chat.always = {**completion("x" * 400), "usage": usage}
    reply = server(chat, tmp_path).complete(BODY)
    assert reply.completion_tokens == 101
    assert reply.prompt_tokens > 5


def test_words_that_are_no_unicode_are_sent_and_taken(chat, tmp_path):
    chat.always = (200, {}, b'{"choices": [{"message": {"content": "\\ud800"}}]}')
    reply = server(chat, tmp_path).complete({**BODY, "messages": [{"role": "user", "content": "\ud800"}]})
    assert reply.text == "\ud800"


@pytest.mark.usefixtures("slept")
def test_the_key_is_in_nothing_that_comes_back(chat, tmp_path):
    asking = server(chat, tmp_path)
    chat.script = [f"your key is {KEY}"]
    assert asking.complete(BODY).text == "your key is ***"
    chat.always = (400, {}, {"error": {"message": f"no such key: {KEY}\n\x1b[31mred"}})
    with pytest.raises(AgentFailure) as refused:
        asking.complete(BODY)
    assert str(refused.value) == "the language model server answered 400 (no such key: *** ?[31mred)"
    assert KEY not in repr(refused.value.__context__)


def test_a_key_that_is_no_secret_hides_nothing(chat, tmp_path):
    chat.script = ['{"word": "monkey", "number": 1}']
    assert "monkey" in server(chat, tmp_path, key="key").complete(BODY).text


@pytest.mark.parametrize(
    ("url", "key"),
    [
        *((url, KEY) for url in (" ", "example", "ftp://host/v1")),
        *((url, "") for url in (f"http://me:{KEY}@host/v1", f"http://host/v1?key={KEY}")),
        *(("http://host/v1", key) for key in (f"{KEY}\nX-Other: 1", "käse")),
    ],
)
def test_a_url_or_key_that_cannot_be_one_is_refused_and_not_repeated(tmp_path, url, key):
    with pytest.raises(InvalidSetup) as refused:
        server(None, tmp_path, url=url, key=key)
    assert KEY not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_httpx_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"pip install 'brushpass\[llm\]'"):
        server(None, tmp_path, url="http://host/v1")


def test_a_body_is_json(chat, tmp_path):
    server(chat, tmp_path).complete(BODY)
    assert json.loads(json.dumps(chat.questions[0])) == BODY
    assert chat.headers[0][1]["Content-Type"] == "application/json"
