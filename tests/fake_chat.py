"""A chat endpoint on loopback that plays legally, and misbehaves as it is told to."""

import itertools
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-loopback-9d1f"


def play(question):
    """A legal answer to a question of `brushpass.duet.agents.prompt`: the first card, or a number not refused yet."""
    text = question["messages"][1]["content"]
    if touch := re.search(r"^You may touch: (.*)$", text, re.MULTILINE):
        return json.dumps({"why": "it is first", "touch": json.loads(f"[{touch[1]}]")[0]})
    refused = re.findall(r'another word: "(.*?)"', text)
    word = next(str(number) for number in itertools.count(10) if str(number) not in refused)
    return json.dumps({"why": "it is legal", "word": word, "number": 1, "targets": []})


def completion(text, prompt_tokens=100, completion_tokens=20):
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}], "usage": usage}


class FakeChat:
    """The server; `script` holds what it does next, then it does `always`.

    A step is a dict (the completion), text (the model's words), an int (a status), a tuple (status, headers, body) or
    a function of the question that returns one of these. A body is JSON data, bytes, or parts of bytes as they come.
    """

    def __init__(self, always=play):
        self.always = always
        self.script = []
        self.questions = []
        self.headers = []
        self.times = []
        chat = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # an answer goes out at once

            def do_POST(self):
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with chat.lock:
                    chat.questions.append(question)
                    chat.headers.append((self.path, dict(self.headers)))
                    chat.times.append(time.monotonic())
                    step = chat.script.pop(0) if chat.script else chat.always
                chat.answer(self, step(question) if callable(step) else step)

            def log_message(self, *told):
                pass

        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # a worker that was ended hangs up
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()

    @staticmethod
    def answer(handler, step):
        headers = {}
        if isinstance(step, tuple):
            status, headers, body = step
        elif isinstance(step, int):
            status, body = step, {"error": {"message": f"told to answer {step}"}}
        else:
            status, body = 200, completion(step) if isinstance(step, str) else step
        if isinstance(body, dict | list):
            body = json.dumps(body).encode()
        if isinstance(body, bytes):
            headers = {"Content-Length": str(len(body)), **headers}
            body = [body]
        else:
            headers = {"Connection": "close", **headers}
        try:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.end_headers()
            for part in body:
                handler.wfile.write(part)
                handler.wfile.flush()
        except OSError:
            handler.close_connection = True
