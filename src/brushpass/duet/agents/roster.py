"""Who can sit down: agents by spec. Built-ins and strangers register alike, as `brushpass.agents` entry points.

An entry point names a factory: called with the spec's options and the words expected on boards, it returns a
player. `py:module:Class` needs no registering; the module may lie in the working folder. `cmd:PROGRAM ARGS` is a
program of its own.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from brushpass.duet.agent import Agent, Teammate, as_agent
from brushpass.errors import AgentFailure, BrushpassError, InvalidSetup, UnknownName
from brushpass.lexicon.wordlists import DEFAULT, load_wordlist
from brushpass.registry import Spec, unknown

GROUP: Final = "brushpass.agents"

Factory = Callable[[Mapping[str, str], Sequence[str]], Teammate]


def agent_list() -> dict[str, EntryPoint]:
    """The registered agents by name; our own names are ours, whichever package takes one of them, too."""
    points = sorted(entry_points(group=GROUP), key=lambda point: (_is_ours(point), point.value))
    listed = {point.name: point for point in points}
    return {name: listed[name] for name in sorted(listed)}


def is_stranger(spec: str) -> bool:
    """Whether `spec` names Python code that is not brushpass's own: it may hang or end the process it is in.

    Raises:
        UnknownName: no such agent.
        InvalidSetup: not a spec.
    """
    name = Spec.parse(spec).name
    if name in {"py", "cmd"}:
        return name == "py"
    return not _is_ours(_registered(name))


def build_agent(spec: str, words: Sequence[str] | None = None) -> Agent:
    """The agent that `spec` names; `words` are the cards it may expect, by default the English list.

    Raises:
        UnknownName: no such agent, model or vocabulary.
        InvalidSetup: a spec or an option that makes no sense.
        AgentFailure: the agent cannot start.
        CorruptData: its model cannot be read.
    """
    parsed = Spec.parse(spec)
    try:
        if parsed.name == "cmd":
            return _program(parsed.target)
        if parsed.name == "py":
            return _python_agent(parsed.target)
        factory: Factory = _registered(parsed.name).load()
        return as_agent(factory(parsed.options, load_wordlist(DEFAULT).words if words is None else words))
    except BrushpassError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentFailure(f"agent {spec!r} cannot start: {type(error).__name__}: {error}") from error


def _is_ours(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == "brushpass"


def _registered(name: str) -> EntryPoint:
    listed = agent_list()
    if name not in listed:
        raise unknown("agent", name, listed)
    return listed[name]


def _program(command: str) -> Agent:
    from brushpass.doors.command import Command
    from brushpass.duet.agents.external import External

    return External(Command.parse(command))


def _python_agent(target: str) -> Agent:
    module, _, name = target.partition(":")
    if not module or not name:
        raise InvalidSetup(f"agent 'py:{target}' is not py:module:Class")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not f"{module}.".startswith(f"{error.name}."):
            raise  # it is there, but not all that it needs
        raise UnknownName(f"agent 'py:{target}' is not there: {error}") from None
    make: Callable[[], Teammate] | None = getattr(found, name, None)
    if make is None:
        raise UnknownName(f"agent 'py:{target}' is not there: module {module!r} has no {name!r}")
    return as_agent(make())
