"""Seeds by path: a seed is a hash of where it is used, so that adding one thing changes no other.

`child(7, "deal", "Prague", 3)` depends on its arguments alone.
"""

from __future__ import annotations

import hashlib

SEED_BITS = 64


def child(*path: int | str) -> int:
    """The seed at `path`: a 64-bit one-way hash (BLAKE2b) of its parts, in order, types told apart."""
    text = "\x1f".join(f"{type(part).__name__[0]}{part}" for part in path)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=SEED_BITS // 8).digest(), "big")


def salt(seed: int) -> int:
    """The secret from which a run's agents get their seeds.

    Costly on purpose (scrypt, some 50 ms): an agent that knows only its own seed cannot cheaply try
    run seeds one by one to learn the deal (INTERFACES §5).
    """
    digest = hashlib.scrypt(str(seed).encode(), salt=b"brushpass", n=2**14, r=8, p=1, dklen=8)
    return int.from_bytes(digest, "big")
