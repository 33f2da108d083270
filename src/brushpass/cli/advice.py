"""What a person may ask at the table: a hint, and why the bot did what it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from brushpass.duet.core.cards import Card
    from brushpass.duet.core.events import ClueGiven
    from brushpass.duet.observation import Observation
    from brushpass.semantics.mind import Mind

CLUES: Final = 3
"""How many clues a hint names."""
ROWS: Final = 6
"""How many lines of cards a hint has."""
ALIKE: Final = 4
"""How many cards of the same chances a line names."""
OPEN: Final = 1e-9
"""What is believed of a card is never quite sure."""
EVEN: Final = 0.5
"""The chance below which touching on asks for a reason."""
TURNS: Final = 2
"""How many turns back `why` goes."""


def hint_lines(view: Observation, mind: Mind, clues: str) -> Iterator[str]:
    """What a player who thinks in `mind` and says words of the vocabulary `clues` would do at this seat.

    Raises:
        InvalidSetup: nothing can be said here.
    """
    from brushpass.duet.core.phase import Phase

    return _cards(view, mind) if view.phase in {Phase.GUESS, Phase.SUDDEN} else _clues(view, mind, clues)


def _clues(view: Observation, mind: Mind, clues: str) -> Iterator[str]:
    from brushpass.duet.agents.suggest import Table, suggest
    from brushpass.duet.storytext import percent
    from brushpass.lexicon.vocabulary import load_vocabulary
    from brushpass.semantics.explain import because

    yield "Clues I would give, best first, with the chance that every touch is a hit:"
    found = suggest(mind, load_vocabulary(clues), Table.of_view(view), CLUES)
    for one in found:
        yield (
            f"  {one.word} {one.number} for {', '.join(one.targets)}: "
            f"{percent(one.success)}, an assassin {percent(one.assassin_risk)}"
        )
    best = found[0]
    yield f"What ties {best.word} and its cards:"
    for target in best.targets:
        yield f"  {because(mind, best.word, target)}"


def _cards(view: Observation, mind: Mind) -> Iterator[str]:
    from brushpass.duet.agents.foresee import agents, heard
    from brushpass.duet.core.actions import Guess, Stop
    from brushpass.duet.core.phase import Phase
    from brushpass.duet.storytext import percent
    from brushpass.semantics.explain import because

    ranked, action = agents(mind, heard(view, None))
    yield "The chance that a card is an agent for your partner, by your key and every clue:"
    rows: dict[str, list[str]] = {}
    for one in ranked:
        if one.probability > OPEN:
            hit, lost = (percent(min(max(chance, OPEN), 1 - OPEN)) for chance in (one.probability, one.assassin or 0.0))
            rows.setdefault(f"{hit}, an assassin {lost}", []).append(one.word)
    for chances, words in list(rows.items())[:ROWS]:
        more = [f"{len(words) - ALIKE} more"] if len(words) > ALIKE else []
        yield f"  {', '.join([*words[:ALIKE], *more])}: {chances}"
    match action:
        case Guess(card):
            yield f"I would touch {view.words[card]}."
            if view.clue and (reason := because(mind, view.clue.word, view.words[card])).found:
                yield f"What ties it to {view.clue.word}: {reason.told}"
            doubtful = any(one.word == view.words[card] and one.probability < EVEN for one in ranked)
            if doubtful and view.phase is Phase.GUESS and not view.must_guess and view.bystander:
                yield "A miss costs one token, as stopping does; an assassin loses the game."
        case Stop():
            yield "I would stop here."
        case _:
            yield "I would yield."


def why_lines(
    view: Observation, mind: Mind | None, partner: str, targets: Sequence[Sequence[Card]], *, practice: bool
) -> Iterator[str]:
    """What lay behind the last turns that are over; `targets` are what each clue of the game was for.

    What is told must help nobody: an intention only in practice, or when none of the partner's words is left. What
    ties a clue to a card that was touched is the same whatever the key says.
    """
    from brushpass.duet.core.phase import Phase
    from brushpass.duet.render import turns_of

    if mind is None:
        yield f"This {partner} gives no reasons."
        return
    turns = list(enumerate(turns_of(view.history)))
    if view.phase is Phase.GUESS:
        turns = turns[:-1]
    if not turns:
        yield "No turn is over yet."
    else:
        yield "What ties clue and card: how soon one brings up the other; what goes with both."
    tells = practice or view.seat.other in view.finished
    hidden = False
    for place, turn in turns[-TURNS:]:
        if turn.clue is None:
            continue
        theirs = turn.clue.seat is not view.seat
        meant = targets[place] if theirs and tells and place < len(targets) else ()
        yield from _reasons(place + 1, turn.clue, [touch.card for touch in turn.touches], meant, view, mind, partner)
        hidden |= theirs and not tells
    if hidden:
        yield f"The {partner} tells what it meant when that helps no more:"
        yield "at the end, or when all its words are found."


def _reasons(
    number: int,
    clue: ClueGiven,
    touched: Sequence[Card],
    meant: Sequence[Card],
    view: Observation,
    mind: Mind,
    partner: str,
) -> Iterator[str]:
    from brushpass.duet.render import who
    from brushpass.semantics.explain import because

    aims = f", meant {', '.join(view.words[card] for card in meant)}" if meant else ""
    yield f"{number}. {who(clue.seat, view.seat, partner)} {clue.word.upper()} {clue.number}{aims}"
    for card in dict.fromkeys((*touched, *meant)):
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
