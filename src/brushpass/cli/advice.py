"""What a person may ask at the table: a hint, and why the bot did what it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from brushpass.duet.core.cards import Card, Seat
    from brushpass.duet.observation import Observation
    from brushpass.duet.render import Turn
    from brushpass.semantics.mind import Mind

CLUES: Final = 3
"""How many clues a hint names."""
CARDS: Final = 6
"""How many cards a hint names."""
TURNS: Final = 2
"""How many turns back `why` goes."""


def hint_lines(view: Observation, mind: Mind, clues: str) -> Iterator[str]:
    """What a player who thinks in `mind` and says words of the vocabulary `clues` would do at this seat."""
    from brushpass.duet.core.phase import Phase
    from brushpass.errors import InvalidSetup

    try:
        yield from _cards(view, mind) if view.phase in {Phase.GUESS, Phase.SUDDEN} else _clues(view, mind, clues)
    except InvalidSetup as nothing:
        yield f"No hint: {nothing}."


def _clues(view: Observation, mind: Mind, clues: str) -> Iterator[str]:
    from brushpass.duet.agents.suggest import Table, suggest
    from brushpass.lexicon.vocabulary import load_vocabulary

    yield "Clues I would give here, best first, and the chance that each touch is one of your agents:"
    for one in suggest(mind, load_vocabulary(clues), Table.of_view(view), CLUES):
        yield (
            f"  {one.word} {one.number} for {', '.join(one.targets)}: "
            f"{one.success:.0%}; an assassin {_percent(one.assassin_risk)}"
        )


def _cards(view: Observation, mind: Mind) -> Iterator[str]:
    from brushpass.duet.agents.foresee import agents, heard
    from brushpass.duet.core.actions import Guess, Stop

    ranked, action = agents(mind, heard(view, None))
    yield "How likely each card is the partner's agent, by its color on your key and every clue so far:"
    for one in ranked[:CARDS]:
        yield f"  {one.word}: {one.probability:.0%}; an assassin {_percent(one.assassin or 0.0)}"
    match action:
        case Guess(card):
            yield f"I would touch {view.words[card]}."
        case Stop():
            yield "I would stop here."
        case _:
            yield "I would yield."


def _percent(chance: float) -> str:
    return f"{chance:.0%}" if chance >= 0.01 else "under 1%" if chance else "0%"


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What the partner meant with each of the game's clues, and whether this is `practice`.

    What is told must help nobody: an intention only in practice, or when none of the partner's words is left. What
    ties a clue to a card that was touched is the same whatever the key says.
    """

    targets: Sequence[Sequence[Card]]
    practice: bool


def why_lines(view: Observation, mind: Mind | None, partner: str, thoughts: Thoughts) -> Iterator[str]:
    """Why the partner said and touched what it did in the last turns that are over."""
    from brushpass.duet.core.phase import Phase
    from brushpass.duet.render import turns_of

    if mind is None:
        yield f"This {partner} gives no reasons."
        return
    turns = [(number, turn) for number, turn in enumerate(turns_of(view.history)) if turn.clue]
    if view.phase is Phase.GUESS:
        turns = turns[:-1]
    if not turns:
        yield "No turn is over yet."
    tells = thoughts.practice or view.seat.other in view.finished
    hidden = False
    for number, turn in turns[-TURNS:]:
        ours = turn.clue is not None and turn.clue.seat is view.seat
        told = tells and not ours
        yield from _turn(number, turn, view, mind, partner, thoughts.targets[number] if told else ())
        hidden |= not told and not ours
    if hidden:
        yield f"What the {partner} meant is told when it helps no more: at the end, or when all its words are found."


def _turn(
    number: int, turn: Turn, view: Observation, mind: Mind, partner: str, targets: Sequence[Card]
) -> Iterator[str]:
    from brushpass.semantics.explain import because

    clue = turn.clue
    if clue is None:
        return
    said = f"{clue.word.upper()} {clue.number}"
    cards: list[tuple[Seat, Card]] = [(touch.seat, touch.card) for touch in turn.touches]
    yield f"{number + 1}. {'you' if clue.seat is view.seat else partner} {said}" + (
        f", meant {', '.join(view.words[card] for card in targets)}" if targets else ""
    )
    told = [card for _, card in cards]
    for card in dict.fromkeys((*told, *targets)):
        yield f"  {because(mind, clue.word, view.words[card])}"


def strange(mind: Mind | None, word: str, partner: str) -> str:
    """What the partner has to say of a clue it does not know as it is; nothing if it does.

    A form of a known word is as good as known.
    """
    if mind is None or mind.knows(word):
        return ""
    from brushpass.lexicon.families import kin
    from brushpass.lexicon.normalize import fold
    from brushpass.semantics.backoff import near_spellings

    taken = mind.taken_for(word)
    if taken != word:
        same = kin(fold(word)).keys & kin(fold(taken)).keys
        return "" if same else f"The {partner} does not know {word!r} and takes it for {taken!r}"
    if mind.understands(word):
        return ""
    near = near_spellings(fold(word)[:40], mind.space.index)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"The {partner} does not know {word!r}: to it all cards are alike{meant}"
