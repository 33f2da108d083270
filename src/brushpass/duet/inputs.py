"""What a run plays with, by hash: so that workers elsewhere play with the same, or say what differs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from brushpass import __version__
from brushpass.arena.executors import WorkersLost
from brushpass.duet.agents.options import thinking_of
from brushpass.duet.suite import load_suite
from brushpass.errors import BrushpassError, CorruptData
from brushpass.lexicon.vocabulary import DEFAULT, PERSON, load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist
from brushpass.registry import Spec
from brushpass.semantics.catalog import list_minds, verify_mind


@dataclass(frozen=True)
class Inputs:
    """The words or suite, minds and clue vocabularies of a run: kind, name or an agent's spec, SHA-256."""

    version: str
    hashes: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, words: str, specs: Iterable[str], *, suite: str | None = None) -> Inputs:
        """Those of a run with that word list (or suite) and those agents, every file read to its end.

        Raises:
            UnknownName, CorruptData: one of them is missing or damaged.
        """
        specs = sorted(set(specs))
        named = {Spec.parse(spec).options.get("vocabulary") or DEFAULT for spec in specs}
        wanted = [
            ("word list", words) if suite is None else ("suite", suite),
            *(("model", spec) for spec in specs if thinking_of(spec)),
            *(("clue vocabulary", name) for name in sorted({*named, PERSON})),
        ]
        return cls(__version__, tuple((kind, name, _sha256(kind, name)) for kind, name in wanted))

    def check(self) -> None:
        """Compare with what is on this machine.

        Raises:
            WorkersLost: this is another version of brushpass.
            CorruptData: names the first that is missing or another, with both hashes.
        """
        if self.version != __version__:
            raise WorkersLost(f"brushpass is {__version__} here, {self.version} where the run began: install that")
        for kind, name, sha256 in self.hashes:
            try:
                found = _sha256(kind, name)
            except BrushpassError as error:
                raise CorruptData(f"{_told(kind, name)} with sha256 {sha256} cannot be had: {error}") from error
            if found != sha256:
                raise CorruptData(
                    f"{_told(kind, name)} has sha256 {found} here, {sha256} where the run began: copy the file there"
                )


def _told(kind: str, name: str) -> str:
    return f"the model of agent {name}" if kind == "model" else f"{kind} {name}"


def _sha256(kind: str, name: str) -> str:
    match kind:
        case "word list":
            return load_wordlist(name).sha256
        case "suite":
            return load_suite(name).sha256
        case "clue vocabulary":
            return load_vocabulary(name).sha256
    thinking = thinking_of(name)
    if thinking is None:
        raise CorruptData(f"agent {name} has no model")
    for info in list_minds():
        if (info.name, info.mind_sha256) == (thinking.name, thinking.sha256):
            verify_mind(info)
    return thinking.sha256
