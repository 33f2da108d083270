"""Reading an agent's `key=value` options, with one clear line for each wrong one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from brushpass.errors import InvalidSetup
from brushpass.lexicon.vocabulary import DEFAULT, Vocabulary, load_vocabulary
from brushpass.registry import Spec
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.mind import Mind

T = TypeVar("T")
DEFAULT_MIND: Final = "default"
"""The shipped mind that predicts people best."""
LEAST_TEMPERATURE: Final = 0.02
"""Below this a choice is certain, and exponentials run over."""
PANEL: Final = ("default", "glove-norm", "glove", "minilm", "use")
"""The minds that a partner may think like, if no panel is named."""
MINDFUL: Final = frozenset({"cautious", "eager", "embedding", "nearest", "person"})
"""The built-in agents that think in a mind."""


def mind_of(spec: str) -> Mind | None:
    """The mind the built-in agent of `spec` thinks in; None for an agent without, or a stranger.

    For `embedding` that is its `partner`, if it assumes one: it plays by nothing else.
    """
    parsed = Spec.parse(spec)
    if parsed.name not in MINDFUL:
        return None
    assumed = parsed.options.get("partner") if parsed.name == "embedding" else None
    return load_mind(assumed or parsed.options.get("model") or DEFAULT_MIND)


def panel_of(options: Mapping[str, str]) -> dict[str, Mind]:
    """The minds that `embedding` with `memory` takes its partner to think like, its own first."""
    own = options.get("partner") or options.get("model") or DEFAULT_MIND
    named = [name for name in options.get("panel", "").split("+") if name]
    return {name: load_mind(name) for name in (own, *(named or PANEL))}


@dataclass(frozen=True, slots=True)
class Thinking:
    """What tables say of the minds that one agent thinks in."""

    name: str
    sha256: str
    ingredients: tuple[str, ...]


def thinking_of(spec: str) -> Mind | Thinking | None:
    """The mind, or the minds as one, that the built-in agent of `spec` thinks in; None as for `mind_of`."""
    parsed = Spec.parse(spec)
    if parsed.name != "embedding" or "memory" not in parsed.options:
        return mind_of(spec)
    minds = [*panel_of(parsed.options).values()]
    return Thinking(
        "+".join(mind.name for mind in minds),
        hashlib.sha256("".join(mind.sha256 for mind in minds).encode()).hexdigest(),
        tuple(dict.fromkeys(part for mind in minds for part in mind.ingredients)),
    )


def unknown_to(spec: str, cards: Iterable[str]) -> list[str]:
    """The cards that the mind of `spec` does not know: it never aims at them."""
    mind = mind_of(spec)
    return [] if mind is None else [card for card in cards if not mind.knows(card)]


def vocabulary_of(spec: str) -> str | None:
    """The hash of the vocabulary that `spec` names, if it names one."""
    named = Spec.parse(spec).options.get("vocabulary")
    return None if named is None else load_vocabulary(named).sha256


class Options:
    """The options of the agent called `name`; each read names its default, `done` refuses what nobody read."""

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        self._name = name
        self._options = options
        self._known: list[str] = []

    def _get(self, key: str) -> str | None:
        self._known.append(key)
        return self._options.get(key)

    def mind(self, key: str, default: Mind | None = None) -> Mind:
        """A mind by name or path."""
        named = self._get(key)
        return default if named is None and default is not None else load_mind(named or DEFAULT_MIND)

    def vocabulary(self, default: str = DEFAULT) -> Vocabulary:
        """`vocabulary`: the clue words, by name or path."""
        return load_vocabulary(self._get("vocabulary") or default)

    def number(self, key: str, default: float, *, least: float = 0.0) -> float:
        """A finite number of at least `least`."""
        text = self._get(key)
        if text is None:
            return default
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value < float("inf"):
            raise InvalidSetup(f"{self._name}: {key}={text} is not a number of at least {least:g}")
        return value

    def choice(self, key: str, among: Mapping[str, T]) -> T:
        """One of `among` by its name; the first if none is named."""
        named = self._get(key) or next(iter(among))
        if named not in among:
            raise InvalidSetup(f"{self._name}: {key}={named} is none of {', '.join(among)}")
        return among[named]

    def given(self, key: str) -> bool:
        """Whether it is given."""
        return self._get(key) is not None

    def text(self, key: str, default: str | None = None) -> str:
        """Some text.

        Raises:
            InvalidSetup: it is not given, and there is no default.
        """
        text = self._get(key)
        if text is None and default is None:
            raise InvalidSetup(f"{self._name} needs {key}: write {self._name}:{key}=…")
        return text or default or ""

    def done(self) -> None:
        """Refuse options that were not read.

        Raises:
            InvalidSetup: names the first of them and the known ones.
        """
        for key in self._options:
            if key not in self._known:
                known = ", ".join(dict.fromkeys(self._known)) or "none"
                raise InvalidSetup(f"{self._name} has no option {key!r}; known: {known}")
