"""The best clue for a board, by our searches and by others' ways, against streaming the same bytes.

The words are those of a shipped mind, most frequent first; the boards are drawn from the shipped list. A board is
`hot` when it was searched just before, `fresh` when its rows come from memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Any

import numba
import numpy as np
from clock import race
from gensim.models import KeyedVectors

from brushpass.duet.agents import kernel
from brushpass.duet.agents.compiled import ENGINE
from brushpass.duet.core.cards import ALL_CARDS, CARD_COUNT, mask_of
from brushpass.lexicon.wordlists import load_wordlist
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.mind import Mind

SIZES = (10_000, 30_000, 50_000)
BOARDS = 60
LOOPED = 500
"""Clue words that the loop over `.similarity` is timed on; its time is in proportion to them."""
ROLES = mask_of(range(9)), mask_of(range(9, 22)), mask_of(range(22, 25))
STAKES = np.array([[1.0] * 4, [0.5] * 4, [4.0] * 4], np.float32)
MOST = 4


@numba.njit(nogil=True, fastmath=True)  # type: ignore[untyped-decorator]
def stream(table: np.ndarray, rows: np.ndarray) -> float:
    """Read the rows and do next to nothing with them."""
    total = np.float32(0)
    for place in rows:
        row = table[place]
        for word in range(row.shape[0]):
            total += row[word]
    return total


def measure(size: int, model: str = "glove") -> dict[str, Any]:
    """Microseconds a search over `size` clue words, and what they are in each other's terms."""
    mind = load_mind(model)
    clues = mind.space.words[:size]
    words = load_wordlist("english").words
    weights, scores = _tables(mind, clues, words)
    draw = Random(0)
    boards = [np.array(draw.sample(range(len(words)), CARD_COUNT)) for _ in range(BOARDS)]
    places = np.arange(0, len(clues), 25)
    ends = np.arange(1, CARD_COUNT + 1) * len(places) // CARD_COUNT
    barred = places, ends, ALL_CARDS, np.empty(0, np.intp)

    def searches(rows: Iterator[np.ndarray]) -> dict[str, Callable[[], object]]:
        return {
            "stream": lambda: stream(weights, next(rows)),
            "expected": lambda: ENGINE.expected_clue(weights, next(rows), *ROLES, *barred, STAKES, MOST),
            "margin": lambda: ENGINE.margin_clue(scores, next(rows), *ROLES, *barred, 3),
        }

    hot = race(searches(cycle(boards[:1])), calls=50, seconds=2)
    fresh = race(searches(cycle(boards)), calls=BOARDS, seconds=2)
    slow = race(
        {
            "numpy": lambda: kernel.expected_clue(weights, boards[0], *ROLES, *barred, STAKES, MOST),
            "numpy margin": lambda: kernel.margin_clue(scores, boards[0], *ROLES, *barred, 3),
        },
        calls=3,
        seconds=1,
    )
    peers = _peers(mind, clues, [words[place] for place in boards[0]])
    return {
        "words": len(clues),
        "microseconds": {
            **{f"{name}, hot": 1e6 * time for name, time in hot.items()},
            **{f"{name}, fresh": 1e6 * time for name, time in fresh.items()},
            **{name: 1e6 * time for name, time in (*slow.items(), *peers.items())},
        },
        "ratios": {
            "expected / stream, hot": hot["expected"] / hot["stream"],
            "expected / stream, fresh": fresh["expected"] / fresh["stream"],
            "numpy / expected": slow["numpy"] / fresh["expected"],
            "most_similar / expected": peers["most_similar over 36 pairs"] / fresh["expected"],
            "similarity loop / expected": peers["similarity loop"] / fresh["expected"],
        },
    }


def _tables(mind: Mind, clues: tuple[str, ...], words: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    scores = np.full((len(words) + 1, -(-len(clues) // 16) * 16), 0, np.float32)
    scores[:-1, : len(clues)] = mind.scores(clues, words).T
    scores[-1] = -np.inf
    return np.exp(scores / np.float32(0.7 * mind.temperature)), scores


def _peers(mind: Mind, clues: tuple[str, ...], cards: list[str]) -> dict[str, float]:
    """What others do with gensim: one query a pair of green cards, or the similarity of every word to every card."""
    both = [*dict.fromkeys((*clues, *cards))]
    vectors = KeyedVectors(mind.space.dim)
    vectors.add_vectors(both, mind.space.matrix(both))
    vectors.fill_norms()
    greens = cards[:9]
    pairs = [(one, other) for place, one in enumerate(greens) for other in greens[place + 1 :]]
    step = len(clues) // LOOPED
    times = race(
        {"most_similar": lambda: [vectors.most_similar(positive=[*pair], topn=10) for pair in pairs]},
        calls=1,
        seconds=1,
    )
    looped = race(
        {"loop": lambda: [vectors.similarity(clue, card) for clue in clues[::step] for card in cards]},
        calls=1,
        seconds=1,
    )
    timed = len(clues[::step])
    return {
        "most_similar over 36 pairs": times["most_similar"],
        "similarity loop": looped["loop"] * len(clues) / timed,
    }
