"""Specs and names: how an agent is written on the command line, and how a wrong name is answered."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from brushpass.errors import InvalidSetup, UnknownName


@dataclass(frozen=True)
class Spec:
    """A parsed `NAME:key=value,key=value`; `cmd:` and `py:` keep their whole tail in `target`."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    target: str = ""

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a spec.

        Raises:
            InvalidSetup: no name, an option without `=`, or an option given twice.
        """
        name, colon, tail = text.strip().partition(":")
        if not name:
            raise InvalidSetup(f"agent spec {text!r} has no name; write NAME or NAME:key=value")
        if name in {"cmd", "py"}:
            if not tail.strip():
                raise InvalidSetup(f"agent spec {text!r} names nothing after {name}:")
            return cls(name, target=tail.strip())
        options: dict[str, str] = {}
        for part in tail.split(",") if colon else []:
            key, equals, value = part.strip().partition("=")
            if not (key and equals and value):
                of_path = "; a value holds no comma: give such a file another name" if options and not equals else ""
                raise InvalidSetup(f"agent spec {text!r}: {part!r} is not key=value{of_path}")
            if key in options:
                raise InvalidSetup(f"agent spec {text!r}: {key!r} is given twice")
            options[key] = value
        return cls(name, options)

    def __str__(self) -> str:
        if self.target:
            return f"{self.name}:{self.target}"
        tail = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.name}:{tail}" if tail else self.name


def cut(spec: str, most: int) -> str:
    """A spec as a label: in its middle cut to `most` characters."""
    return spec if len(spec) <= most else f"{spec[: most // 2]}…{spec[1 - most + most // 2 :]}"


def unknown(kind: str, name: str, known: Iterable[str], error: type[UnknownName] = UnknownName) -> UnknownName:
    """The error for a `kind` called `name` that is not among `known`: near matches first, then all."""
    names = sorted(known)
    by_folded = {other.casefold(): other for other in names}
    near = [by_folded[match] for match in difflib.get_close_matches(name.casefold(), by_folded, n=3)]
    guess = f"did you mean {' or '.join(near)}? " if near else ""
    return error(f"unknown {kind} {name!r}; {guess}known: {', '.join(names) or 'none'}")
