"""A program that plays as an agent, with the fault its command line names: `faulty_program.py KIND [MARK]`.

Run it with a bare interpreter (`-I -S`). `FAULTS` tells what is said of each in the record of its forfeit; those of
`HARMLESS` play on, and `logs` writes down what it hears. `MARK` is for the processes it leaves behind, which can so be
found.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

FAULTS = {
    "absent": "ended with exit code 0 before it answered hello",
    "nameless": "no result of hello",
    "slow start": "gave no answer to hello within 0.8 seconds",
    "hang": "gave no answer to guess within 1.5 seconds",
    "drip": "gave no answer to guess within 1.5 seconds",
    "crash": "ended with exit code 1 before it answered guess; the last line of its log: ZeroDivisionError",
    "killed": "was killed by SIGKILL before it answered guess",
    "leaves": "ended with exit code 0 before it answered guess",
    "leaves a child": "ended with exit code 0 before it answered guess",
    "silent": "closed its output before it answered guess",
    "prose": "answered guess with 'the third card', which is not JSON",
    "bytes": "which is not JSON",
    "deep": "which is not JSON",
    "digits": "which is not JSON",
    "huge": "more than 1 MB in one line",
    "flood": "more than 1 MB in one line",
    "noise": "answered guess with 'thinking...', which is not JSON",
    "blank line": "answered guess with '', which is not JSON",
    "wrong id": "which has not that id",
    "true id": "which has not that id",
    "list": "which has not that id",
    "extra line": "which has not that id",
    "no result": "which has no result",
    "error": "answered guess with an error: no idea",
    "rubbish": "no result of guess",
    "maybe": "no result of guess",
    "long word": "no result of clue",
    "card 25": "illegal Guess(card=25)",
    "half a card": "illegal Guess(card=0.5)",
    "glutton": "MemoryError",
}
HARMLESS = (
    *("sound", "slow", "stays", "children", "escapes"),
    *("chatty", "closes its log", "litters", "undying", "no error"),
)

SAYS = {
    "prose": "the third card\n",
    "bytes": "\xff\xfe\0\n",
    "deep": "[" * 100_000 + "]" * 100_000 + "\n",
    "digits": "1" * 10_000 + "\n",
    "huge": '"' + "x" * (2 << 20) + '"\n',
    "noise": "thinking...\nGOOD\n",
    "blank line": "\nGOOD\n",
    "wrong id": '{"id": 1, "result": {"card": 0}}\n',
    "true id": '{"id": true, "result": {}}\n',
    "list": "[1, 2]\n",
    "extra line": "GOOD\nGOOD\n",
    "no result": '{"id": ID}\n',
    "error": '{"id": ID, "error": {"message": "no\\nidea"}}\n',
    "no error": '{"id": ID, "error": null, "result": {"card": CARD}}\n',
    "rubbish": '{"id": ID, "result": null}\n',
    "maybe": '{"id": ID, "result": {"stop": false}}\n',
    "card 25": '{"id": ID, "result": {"card": 25}}\n',
    "half a card": '{"id": ID, "result": {"card": 0.5}}\n',
}
"""What they say instead of a guess; GOOD stands for a right answer, CARD for its card, ID for the question's id."""


def say(text):
    data = text.encode("latin-1")
    while data:
        data = data[os.write(1, data) :]


def drip():
    while True:
        say(" ")
        time.sleep(0.05)


def flood():
    while True:
        say("x" * 65536)


def eat():
    kept = []
    while True:
        kept.append(bytearray(1 << 24))


def close_output():
    os.close(1)
    time.sleep(1000)


def leave(mark):
    spawn(mark, away=True)
    sys.exit(0)


def spawn(mark, *, away):
    """A process that is deaf to SIGTERM; if `away`, in a session of its own, and without us as its parent."""
    if os.fork():
        return
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if away:
        os.setsid()
        if os.fork():
            os._exit(0)
    sleeper = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)", mark]
    os.execve(sys.executable, sleeper, {})  # noqa: S606 - its environment is empty, so that no mark of ours is on it


DOES = {
    "hang": lambda _: time.sleep(1000),
    "drip": lambda _: drip(),
    "crash": lambda _: 1 / 0,
    "killed": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "leaves": lambda _: sys.exit(0),
    "leaves a child": leave,
    "silent": lambda _: close_output(),
    "flood": lambda _: flood(),
    "glutton": lambda _: eat(),
}
"""What they do instead of a guess."""
BEGINS = {
    "children": lambda mark: spawn(mark, away=False),
    "escapes": lambda mark: spawn(mark, away=True),
    "chatty": lambda _: os.write(2, b"I wonder...\n" * 20_000),
    "closes its log": lambda _: os.close(2),
    "slow": lambda _: time.sleep(3.5),
    "litters": lambda _: Path("left.txt").write_text("here", encoding="utf-8"),
}
"""What they do when a game begins."""


def guess(kind, request, mark):
    view = request["params"]["view"]
    gone = {*view["found"], *view["marks"][view["seat"]]}
    card = next(card for card in range(25) if card not in gone)
    good = json.dumps({"id": request["id"], "result": {"card": card}})
    if kind in DOES:
        DOES[kind](mark)
    say(SAYS.get(kind, "GOOD\n").replace("GOOD", good).replace("ID", str(request["id"])).replace("CARD", str(card)))


def play(kind, mark):
    name = {} if kind == "nameless" else {"name": kind, "version": "1", "reuse": kind == "stays"}
    word = "z" * 900_000 if kind == "long word" else "2024"
    results = {"hello": name, "new_game": {}, "clue": {"word": word, "number": 1}, "end": {}}
    for line in sys.stdin:
        if kind == "logs":
            sys.stderr.write(line)
        request = json.loads(line)
        method = request["method"]
        if method == "new_game" and kind in BEGINS:
            BEGINS[kind](mark)
        if method == "guess":
            guess(kind, request, mark)
        elif method != "quit":
            say(json.dumps({"id": request["id"], "result": results[method]}) + "\n")
        elif kind != "undying":
            return
    time.sleep(1000)


def tell():
    """What surrounds this process."""
    import resource

    limits = [resource.getrlimit(limit)[0] for limit in (resource.RLIMIT_DATA, resource.RLIMIT_CORE)]
    around = {"environment": dict(os.environ), "folder": str(Path.cwd()), "limits": limits, "argv": sys.argv}
    sys.stderr.write(json.dumps(around) + "\n")


if __name__ == "__main__":
    if sys.argv[1] in {"logs", "stays"}:
        tell()
    if sys.argv[1] == "slow start":
        time.sleep(1000)
    if sys.argv[1] != "absent":
        play(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
