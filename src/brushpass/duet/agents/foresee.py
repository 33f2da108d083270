"""Which card a clue points at: of plain words the next guess, of a whole table what the embedding player believes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from brushpass.duet.agents.belief import BLACK, GREEN
from brushpass.duet.agents.guesser import Guesser
from brushpass.duet.agents.lookup import card_scores
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.events import ClueGiven
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation
from brushpass.errors import InvalidSetup
from brushpass.lexicon.normalize import fold
from brushpass.lexicon.vocabulary import make_vocabulary
from brushpass.semantics.choice import probabilities
from brushpass.semantics.mind import Mind


@dataclass(frozen=True, slots=True)
class Ranked:
    """A card and its chance: to be touched next, or to be green on the partner's side (and then, to be black)."""

    word: str
    probability: float
    assassin: float | None = None


def next_guess(mind: Mind, clue: Clue, words: Sequence[str]) -> list[Ranked]:
    """The chances that someone who thinks in `mind` touches each of `words` next, best first; they sum to 1.

    Luce's choice at the mind's own temperature for that number. A clue of number 0 says what to stay away from: then
    the words far from it come first. Of a clue that `mind` does not understand nothing follows: all are alike.

    Raises:
        InvalidSetup: no words, two alike once folded, or one that is no word.
    """
    if not words:
        raise InvalidSetup("there is no card to guess; give --words or --board")
    seen: set[str] = set()
    for word in words:
        if not fold(word):
            raise InvalidSetup(f"card {word!r} is not a word")
        if fold(word) in seen:
            raise InvalidSetup(f"card {word!r} is given twice")
        seen.add(fold(word))
    scores = mind.scores([clue.word], words)[0]
    chances = probabilities(scores if clue.number else -scores, mind.heat(clue.number))
    return _best_first([Ranked(word, float(chance)) for word, chance in zip(words, chances, strict=True)])


def heard(view: Observation, clue: Clue | None) -> Observation:
    """`view` as its seat guesses: `clue`, if given, was just said by the partner.

    Raises:
        InvalidSetup: this seat has nothing to guess there, or `clue` is not what the view says.
    """
    partner = view.seat.other
    if view.phase in {Phase.WON, Phase.LOST}:
        raise InvalidSetup("the game of this view is over: there is nothing to guess")
    if partner in view.finished:
        raise InvalidSetup("all of the partner's words are found in this view: there is nothing to guess")
    if view.phase is Phase.SUDDEN:
        if clue is not None:
            raise InvalidSetup("this view is in sudden death, where no clue is given; leave out --clue and --number")
        return view
    if view.phase is Phase.GUESS:
        if view.giver is not partner or view.clue is None:
            raise InvalidSetup("in this view it is the partner who guesses")
        if clue is not None and (fold(clue.word), clue.number) != (fold(view.clue.word), view.clue.number):
            said = f"{view.clue.word} {view.clue.number}"
            raise InvalidSetup(f"this view has the clue {said}, not {clue.word} {clue.number}; leave out --clue")
        return view if view.clue in view.heard() else _saying(view, view.clue)
    if clue is None:
        raise InvalidSetup("there is no clue to guess in this view; give --clue and --number")
    return _saying(replace(view, phase=Phase.GUESS, giver=partner, clue=clue, hits=0, must_guess=True), clue)


def agents(mind: Mind, view: Observation) -> tuple[list[Ranked], Guess | Stop | Yield]:
    """The chances that each card this seat may touch is green on the partner's side, best first, and what to do.

    It is what the embedding player believes whose partner thinks in `mind`: the exact prior from the own side of the
    key and all that was touched, and every clue of the partner so far. `view` is one of `heard`.
    """
    said = make_vocabulary(tuple(clue.word for clue in view.heard()))
    guesser = Guesser(card_scores(mind, said, view.words, mind.temperature))
    belief = guesser.believed(view)
    ranked = [
        Ranked(view.words[card], float(belief[GREEN, card]), float(belief[BLACK, card])) for card in view.open_cards()
    ]
    return _best_first(ranked), guesser.guess(view)


def _saying(view: Observation, clue: Clue) -> Observation:
    return replace(view, history=(*view.history, ClueGiven(view.seat.other, clue.word, clue.number)))


def _best_first(ranked: list[Ranked]) -> list[Ranked]:
    return sorted(ranked, key=lambda one: (-one.probability, one.assassin or 0.0))
