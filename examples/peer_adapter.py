"""Seats an outside bot that can only say which words fit a clue best: `"cmd:python3 peer_adapter.py"`.

It runs in the bot's own environment and knows nothing of brushpass (docs/agents.md). To seat another bot, replace
`rank` and, with words your bot knows, `VOCABULARY`.
"""

import difflib
import json
import sys

VOCABULARY = ("algebra", "ballot", "candor", "dogma", "envy", "folly", "gossip", "hubris", "irony", "jargon", "karma")
MOST = 3


def rank(words: list, clue: str) -> list:
    """The words, best first. This stands for the outside bot: it goes by the letters that a word and the clue share."""
    return sorted(words, key=lambda word: -difflib.SequenceMatcher(None, word.lower(), clue).ratio())


def ranked_cards(view: dict, cards: list, clue: str) -> list:
    """The cards as the bot ranks their words; those it leaves out come last, and what is no card is passed over."""
    by_word = {view["words"][card].casefold(): card for card in cards}
    named = [by_word.get(word.casefold()) for word in rank([view["words"][card] for card in cards], clue)]
    return [card for card in dict.fromkeys([*named, *cards]) if card is not None]


def touchable(view: dict, seat: str) -> list:
    return [card for card in range(25) if card not in view["found"] and card not in view["marks"][seat]]


def hello(params: dict) -> dict:
    return {"name": "peer", "version": "1", "reuse": True}


def new_game(params: dict) -> dict:
    return {}


def clue(params: dict) -> dict:
    """The word for which the bot itself would touch the most of our agents before it touches anything else."""
    view = params["view"]
    cards = touchable(view, "B" if view["seat"] == "A" else "A")
    refused = {answer["word"] for answer in params.get("refused", ())}
    best, targets = None, []
    for word in VOCABULARY:
        if word in refused or any(word in card.lower() for card in view["words"]):
            continue
        hit = []
        for card in ranked_cards(view, cards, word):
            if view["key"][card] != "G" or len(hit) == MOST:
                break
            hit.append(card)
        if best is None or len(hit) > len(targets):
            best, targets = word, hit
    return {"word": best, "number": max(len(targets), 1), "targets": targets}


def guess(params: dict) -> dict:
    """The best card for the partner's last clue, until as many are found as it was for."""
    view = params["view"]
    if view["clue"] and view["hits"] >= max(view["clue"]["number"], 1):
        return {"stop": True}
    heard = [event[2] for event in view["history"] if event[0] == "clue" and event[1] != view["seat"]]
    return {"card": ranked_cards(view, touchable(view, view["seat"]), heard[-1] if heard else "")[0]}


def end(params: dict) -> dict:
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "quit":
        break
    answer = {"hello": hello, "new_game": new_game, "clue": clue, "guess": guess, "end": end}[request["method"]]
    print(json.dumps({"id": request["id"], "result": answer(request["params"])}), flush=True)
