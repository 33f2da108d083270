"""An agent in plain Python that knows nothing of brushpass: it answers JSON lines (docs/agents.md).

`brushpass agents check "cmd:python3 coin.py"`. Its clues mean nothing, and it touches any card it may.
"""

import json
import random
import sys

WORDS = ("algebra", "ballot", "candor", "dogma", "envy", "folly", "gossip", "hubris", "irony", "jargon")

rng = random.Random(0)


def hello(params: dict) -> dict:
    return {"name": "coin", "version": "1", "reuse": True}  # one process may play game after game


def new_game(params: dict) -> dict:
    rng.seed(params["seed"])
    return {}


def clue(params: dict) -> dict:
    cards = " ".join(params["view"]["words"])
    refused = {answer["word"] for answer in params.get("refused", ())}
    return {"word": rng.choice([word for word in WORDS if word not in refused and word not in cards]), "number": 1}


def guess(params: dict) -> dict:
    view = params["view"]
    if not view["must_guess"]:
        return {"yield": True} if view["phase"] == "SUDDEN" else {"stop": True}
    gone = {*view["found"], *view["marks"][view["seat"]]}
    return {"card": rng.choice([card for card in range(25) if card not in gone])}


def end(params: dict) -> dict:
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "quit":
        break
    answer = {"hello": hello, "new_game": new_game, "clue": clue, "guess": guess, "end": end}[request["method"]]
    print(json.dumps({"id": request["id"], "result": answer(request["params"])}), flush=True)
