"""Where data lies and where brushpass may write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

DATA_VARIABLE = "BRUSHPASS_DATA"
CACHE_VARIABLE = "BRUSHPASS_CACHE"


def data_roots() -> Iterator[Path]:
    """The folders searched for `models/` and `wordlists/`, first wins.

    `$BRUSHPASS_DATA`, the user's data folder, the installed package's data, the repository's root.
    """
    if named := os.environ.get(DATA_VARIABLE):
        yield Path(named).expanduser()
    yield user_data()
    package = Path(__file__).parent
    yield package / "data"
    if package.parent.name == "src":
        yield package.parent.parent


def find_data(*parts: str) -> Path | None:
    """The first existing `parts` under the data roots, or None."""
    return next((path for root in data_roots() if (path := root.joinpath(*parts)).exists()), None)


def user_data() -> Path:
    """The user's own models and word lists (not created here)."""
    from platformdirs import user_data_path

    return user_data_path("brushpass", appauthor=False)


def own_data() -> Path:
    """Where what is made or played is kept (not created here): `$BRUSHPASS_DATA`, or the user's data folder."""
    return next(data_roots())


def user_cache() -> Path:
    """Where converted models and tables are kept (not created here): `$BRUSHPASS_CACHE` or the platform's."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("brushpass", appauthor=False)
