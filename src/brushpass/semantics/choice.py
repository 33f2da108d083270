"""Luce's choice model: how a mind's scores become the chances of the next guess.

P(card) is in proportion to its weight, exp(score / temperature), over the cards still open; a sequence of guesses is
the same choice made again without the card just taken (Plackett-Luce).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from brushpass.semantics.space import Floats

Doubles = npt.NDArray[np.float64]


def weights(logits: Floats, out: Floats | None = None) -> Floats:
    """exp(logits), into `out` if that is given.

    It is a double's, rounded once: processors differ over that of a single.
    """
    return np.exp(logits, out=np.empty_like(logits) if out is None else out, dtype=np.float64, casting="same_kind")


def log_probabilities(scores: npt.ArrayLike, temperature: float) -> Doubles:
    """Log-chances of the next guess along the last axis of `scores` (…, cards)."""
    logits = np.asarray(scores, dtype=np.float64) / temperature
    logits = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)))


def probabilities(scores: npt.ArrayLike, temperature: float) -> Doubles:
    """Chances of the next guess along the last axis of `scores` (…, cards)."""
    return np.asarray(np.exp(log_probabilities(scores, temperature)))
