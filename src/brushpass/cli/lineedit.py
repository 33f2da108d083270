"""A line typed on a terminal: it may be edited, earlier ones come back with the arrow keys, Tab completes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress


def read_line(prompt: str, known: Sequence[str]) -> str:
    """The line typed, with its end; empty where the input has ended. `known` are what Tab may complete."""
    try:
        import readline
    except ImportError:  # not everywhere; then the terminal's own editing must do
        pass
    else:
        readline.set_completer_delims("")
        readline.set_completer(lambda typed, place: _completed(typed, known)[place])
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        return f"{input(prompt)}\n"
    except EOFError:
        return ""


def _completed(typed: str, known: Sequence[str]) -> list[str | None]:
    begun = typed.casefold()
    return [*(word for word in known if word.casefold().startswith(begun)), None]


def forget_lines() -> None:
    """No arrow key brings back what was typed so far."""
    with suppress(ImportError):
        import readline

        readline.clear_history()
