"""Agents on small minds made here: what each must do in positions a player would know."""

import dataclasses
import random

import numpy as np
import pytest
from msgspec.structs import replace

from brushpass.duet.agent import Player
from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.nearest import Nearest
from brushpass.duet.agents.person import Person
from brushpass.duet.agents.value import BLACKS, TANS, Place, fixed, stakes
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import CARD_COUNT, Seat, cards_of
from brushpass.duet.core.deal import deal
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission
from brushpass.duet.core.phase import Phase, Reason
from brushpass.duet.core.state import Setup
from brushpass.duet.observe import observe
from brushpass.duet.record import read_record, verify
from brushpass.duet.referee import play_game
from brushpass.errors import AgentFailure, InvalidSetup
from brushpass.lexicon.vocabulary import make_vocabulary
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space

F1 = KeyCard.parse("GGGGGGGGGTTTTTBBBTTTTTTTT", "GGGTTTTTBGGGGGGBTBTTTTTTT")
CARDS = (
    *("anchor", "badge", "canyon", "desert", "engine", "falcon", "guitar", "harbor", "island", "jungle"),
    *("kettle", "ladder", "magnet", "needle", "orchid", "pepper", "quartz", "rocket", "saddle", "temple"),
    *("umbrella", "violin", "walnut", "yogurt", "zipper"),
)
CLUES = (
    *("ocean", "metal", "music", "nature", "kitchen", "space", "travel", "insect", "winter", "animal"),
    *("vehicle", "church", "fruit", "clothing", "castle", "doctor", "school", "winner", "garden", "paper"),
)
STANDARD = Mission(9, 9)


def mind_of(cards, clues, seed=0, unknown=()):
    """A mind of random vectors in which the first clues sit right beside chosen cards."""
    rng = np.random.default_rng(seed)
    words = [word for word in (*cards, *clues) if word not in unknown]
    vectors = rng.normal(size=(len(words), 40))
    return Mind(
        f"toy{seed}",
        f"toy{seed}-{unknown}-{hash((*cards, *clues))}",
        Space.from_vectors(words, vectors, "float32"),
        temperature=0.1,
    )


def near(mind, clue, cards, weight=2.0):
    """The same mind with `clue` moved to the mean of `cards`."""
    words = list(mind.space.words)
    vectors = mind.space.matrix(words)
    vectors[words.index(clue)] = sum(vectors[words.index(card)] for card in cards) * weight
    changed = f"{mind.sha256}+{clue}-{'-'.join(cards)}"
    return dataclasses.replace(mind, space=Space.from_vectors(words, vectors, "float32"), sha256=changed)


def position(first=Seat.A, mission=STANDARD, cards=CARDS):
    return rules.new_game(Setup(Board(cards), F1, mission, first))


def play(state, *moves):
    history = ()
    for seat, action in moves:
        state, events = rules.step(state, seat, action)
        history += events
    return state, history


def view_of(seat, state, history=()):
    return observe(state, seat, history)


def agents(mind, vocabulary):
    return [
        Embedding(mind, vocabulary),
        Nearest(mind, vocabulary),
        Person(mind, vocabulary, guess_noise=0, clue_noise=0),
    ]


@pytest.mark.parametrize("which", range(3))
def test_a_clue_beside_two_greens_is_said_for_two_and_understood(which):
    mind = near(mind_of(CARDS, CLUES), "ocean", CARDS[3:5])
    agent = agents(mind, make_vocabulary(CLUES))[which]
    state = position()
    agent.new_game(view_of(Seat.A, state), 1)
    advice = agent.give_clue(view_of(Seat.A, state))
    assert advice.clue.word == "ocean"
    assert set(advice.targets[:2]) == {3, 4}
    state, history = play(state, (Seat.A, Clue("ocean", 2)))
    agent.new_game(view_of(Seat.B, state), 1)
    first = agent.guess(view_of(Seat.B, state, history))
    assert first.card in {3, 4}
    state, more = rules.step(state, Seat.B, first)
    second = agent.guess(view_of(Seat.B, state, history + more))
    assert {first.card, second.card} == {3, 4}


@pytest.mark.parametrize("which", [0, 2])
def test_a_clue_beside_a_green_and_the_assassin_is_not_said(which):
    mind = near(near(mind_of(CARDS, CLUES), "ocean", (CARDS[3], CARDS[14])), "metal", (CARDS[4],))
    agent = agents(mind, make_vocabulary(CLUES))[which]
    state = position()
    agent.new_game(view_of(Seat.A, state), 1)
    assert agent.give_clue(view_of(Seat.A, state)).clue.word == "metal"


def test_embedding_repeats_only_when_every_word_is_said_and_fails_clearly_when_none_is_legal():
    agent = Embedding(mind_of(CARDS, CLUES), make_vocabulary(CLUES[:3]))
    state, history, said = position(), (), []
    agent.new_game(view_of(Seat.A, state), 1)
    for _ in range(4):
        clue = agent.give_clue(view_of(Seat.A, state, history)).clue
        said.append(clue.word)
        history += rules.step(state, Seat.A, clue)[1]
    assert len(set(said[:3])) == 3
    assert said[3] in said[:3]
    refused = tuple((word, "because") for word in CLUES[:3])
    with pytest.raises(AgentFailure, match="no legal clue"):
        agent.give_clue(observe(state, Seat.A, history, refused))


def test_what_the_partner_said_in_capitals_is_said_already():
    mind = near(mind_of(CARDS, CLUES), "ocean", CARDS[3:5])
    agent = Embedding(mind, make_vocabulary(("ocean", "metal")))
    state, history = play(position(Seat.B), (Seat.B, Clue("Ocean", 1)), (Seat.A, Guess(18)))
    agent.new_game(view_of(Seat.A, state), 1)
    assert view_of(Seat.A, state, history).said() == ("ocean",)
    assert agent.give_clue(view_of(Seat.A, state, history)).clue.word == "metal"


def test_words_of_a_vocabulary_that_are_no_clue_or_mean_nothing_are_not_said():
    clues = ("ice cream", "x.y", "blorptang", "ocean")
    mind = mind_of((*CARDS, "ice", "cream"), ("ocean",))
    for agent in agents(mind, make_vocabulary(clues)):
        state = position()
        agent.new_game(view_of(Seat.A, state), 1)
        assert agent.give_clue(view_of(Seat.A, state)).clue.word == "ocean"


@pytest.mark.parametrize("which", range(3))
def test_refused_words_are_not_offered_again(which):
    agent = agents(mind_of(CARDS, CLUES), make_vocabulary(CLUES))[which]
    state = position()
    agent.new_game(view_of(Seat.A, state), 5)
    refused = ()
    for _ in range(4):
        word = agent.give_clue(observe(state, Seat.A, (), refused)).clue.word
        assert word not in dict(refused)
        refused += ((word, "because"),)


@pytest.mark.parametrize("which", range(3))
def test_forms_of_the_cards_on_the_table_are_not_said(which):
    clues = ("anchors", "engines", "harbour", "islands", "rockets", "ocean")
    mind = mind_of(CARDS, clues)
    for clue, card in zip(clues, ("anchor", "engine", "harbor", "island", "rocket"), strict=False):
        mind = near(mind, clue, [card])
    agent = agents(mind, make_vocabulary(clues))[which]
    state = position()
    agent.new_game(view_of(Seat.A, state), 1)
    assert agent.give_clue(view_of(Seat.A, state)).clue.word in {"ocean", "harbour"}


def test_an_unknown_card_is_never_a_target():
    mind = mind_of(CARDS, CLUES, unknown=CARDS[:4])
    agent = Embedding(mind, make_vocabulary(CLUES))
    state = position()
    agent.new_game(view_of(Seat.A, state), 1)
    advice = agent.give_clue(view_of(Seat.A, state))
    assert advice.targets
    assert not {0, 1, 2, 3} & set(advice.targets)


def test_multi_word_cards_are_understood_through_their_parts():
    cards = ("ice cream", "new york", *CARDS[2:])
    mind = mind_of(("ice", "cream", "york", *CARDS[2:]), CLUES)
    mind = near(mind, "winter", ("ice", "cream"))
    agent = Embedding(mind, make_vocabulary(CLUES))
    state = position(cards=cards)
    agent.new_game(view_of(Seat.A, state), 1)
    advice = agent.give_clue(view_of(Seat.A, state))
    assert advice.clue.word == "winter"
    assert advice.targets[0] == 0


def test_embedding_stops_where_only_danger_is_left_and_goes_on_for_an_old_clue():
    mind = near(near(mind_of(CARDS, CLUES), "ocean", CARDS[3:6]), "metal", CARDS[6:7])
    agent = Embedding(mind, make_vocabulary(CLUES))
    moves = [(Seat.A, Clue("ocean", 3)), (Seat.B, Guess(3)), (Seat.B, Guess(18))]
    moves += [(Seat.B, Clue("school", 1)), (Seat.A, Guess(9)), (Seat.A, Stop())]
    moves += [(Seat.A, Clue("metal", 1)), (Seat.B, Guess(6))]
    state, history = play(position(), *moves)
    agent.new_game(view_of(Seat.B, state), 1)
    again = agent.guess(view_of(Seat.B, state, history))
    assert again.card in {4, 5}, "two cards of the first clue are still open, and a miss costs no more than a stop"


def test_a_mistake_costs_what_the_tokens_say():
    free = stakes(Place(check=0, bystander=9, own=5, theirs=5, mine=False))
    assert free[TANS] == pytest.approx([0, 0, 0, 0], abs=1e-6)  # it is the token that a stop costs, too
    last = stakes(Place(check=1, bystander=0, own=1, theirs=2, mine=False))
    assert last[TANS][:2] == pytest.approx(last[BLACKS][:2])  # a token is owed that nobody has: as an assassin, the end
    assert (last[BLACKS][:2] > 0).all()


# ------------------------------------------------------------------ the simulated person, INTERFACES §7


def sharp_person(mind, clues=CLUES, **options):
    return Person(mind, make_vocabulary(clues), guess_noise=0, clue_noise=0, **options)


def test_person_touches_until_the_number_then_stops_and_takes_one_guess_for_zero():
    mind = near(mind_of(CARDS, CLUES), "ocean", CARDS[3:6])
    person = sharp_person(mind)
    for number, hits in ((2, 2), (0, 1), (1, 1)):
        state, history = play(position(), (Seat.A, Clue("ocean", number)))
        person.new_game(view_of(Seat.B, state), 1)
        for _ in range(hits):
            guess = person.guess(view_of(Seat.B, state, history))
            state, events = rules.step(state, Seat.B, guess)
            history += events
        assert person.guess(view_of(Seat.B, state, history)) == Stop()


def test_person_takes_the_lowest_card_on_ties_and_for_unknown_clues():
    person = sharp_person(mind_of(CARDS, CLUES))
    state, history = play(position(), (Seat.A, Clue("unheard", 2)))
    person.new_game(view_of(Seat.B, state), 1)
    assert person.guess(view_of(Seat.B, state, history)) == Guess(0)


def test_person_yields_in_sudden_death_unless_sure_or_bound():
    mind = near(mind_of(CARDS, CLUES), "ocean", CARDS[3:6])
    person = sharp_person(mind)
    moves = [(Seat.A, Clue("ocean", 3)), (Seat.B, Guess(18))]
    state, history = play(position(mission=Mission(1, 1)), *moves)
    assert state.phase == "SUDDEN"
    person.new_game(view_of(Seat.B, state), 1)
    assert person.guess(view_of(Seat.B, state, history)).card in {3, 4, 5}
    assert person.guess(view_of(Seat.A, state, history)) == Yield(), "A never received a clue"
    bound = replace(view_of(Seat.A, state, history), must_guess=True)
    assert person.guess(bound) == Guess(0)
    taken = replace(state, found=state.found.put(Seat.B, 0b111000))
    assert person.guess(view_of(Seat.B, taken, history)) == Yield(), "the best open card is not among its top two"


def test_person_noise_is_drawn_once_a_clue_and_comes_from_the_seed():
    mind = mind_of(CARDS, CLUES)
    noisy = Person(mind, make_vocabulary(CLUES), guess_noise=3, clue_noise=3)
    state, history = play(position(), (Seat.A, Clue("ocean", 3)))
    view = view_of(Seat.B, state, history)
    guesses = set()
    for seed in range(30):
        noisy.new_game(view, seed)
        first = noisy.guess(view)
        assert noisy.guess(view) == first
        noisy.new_game(view, seed)
        assert noisy.guess(view) == first
        guesses.add(first.card)
    assert len(guesses) > 5


def test_person_clue_is_the_best_of_the_words_by_its_formula():
    mind = mind_of(CARDS, CLUES)
    person = sharp_person(mind)
    state = position()
    view = view_of(Seat.A, state)
    person.new_game(view, 1)
    advice = person.give_clue(view)
    weights = np.exp(mind.scores(CARDS, CLUES).astype(float) / (0.7 * mind.temperature))
    worth = {
        (CLUES[place], number): _expected(weights[:, place], number)
        for place in range(len(CLUES))
        for number in (1, 2, 3)
    }
    best = max(worth, key=worth.__getitem__)
    assert (advice.clue.word, advice.clue.number) == best


def _expected(weights, number):
    """E[greens before the first miss, at most number] - 2 P(assassin), by recursion over F1's A side."""

    def value(open_cards, left):
        if not left:
            return 0.0
        total, worth = sum(weights[card] for card in open_cards), 0.0
        for card in open_cards:
            p = weights[card] / total
            if card < 9:
                worth += p * (1 + value(open_cards - {card}, left - 1))
            elif card in {14, 15, 16}:
                worth -= 2 * p
        return worth

    return value(frozenset(range(CARD_COUNT)), number)


# ------------------------------------------------------------------ whole games


@pytest.mark.parametrize("mission", [Mission(9, 9), Mission(8, 0), Mission(7, 2), Mission(1, 1)])
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_never_forfeit_and_verify(mission, seed):
    mind, other = mind_of(CARDS, CLUES, seed), mind_of(CARDS, CLUES, seed + 100)
    vocabulary = make_vocabulary(CLUES)
    for a, b in ((Embedding(mind, vocabulary), Person(other, vocabulary)), (Nearest(mind, vocabulary),) * 2):
        record = play_game(a, b, Setup(Board(CARDS), F1, mission, Seat.A), seed=seed)
        assert record.reason != "forfeit", record.trace[-1]
        verify(read_record(record.to_line()))
        again = play_game(a, b, Setup(Board(CARDS), F1, mission, Seat.A), seed=seed)
        assert again.to_line() == record.to_line()


class Rude(Player):
    """Says numbers and words that help nobody, again and again; touches what is green to `partner`, mostly."""

    def __init__(self, partner):
        self.partner = partner

    def new_game(self, _, seed):
        self.rng = random.Random(seed)

    def give_clue(self, view):
        return Clue(
            self.rng.choice(("7", "Ocean", "blorptang", "ocean", *view.said())), self.rng.choice((0, 0, 1, 2, 9))
        )

    def guess(self, view):
        if not view.must_guess and self.rng.random() < 0.3:
            return Yield() if view.phase is Phase.SUDDEN else Stop()
        greens = cards_of(self.partner.greens & view.touchable())
        return Guess(self.rng.choice(greens if greens and self.rng.random() < 0.8 else view.open_cards()))


def test_a_partner_may_be_as_rude_as_the_law_allows():
    bot = Embedding(mind_of(CARDS, CLUES, unknown=(*CARDS[:3], *CLUES[:3])), make_vocabulary(CLUES))
    lasted = 0
    with np.errstate(all="raise", under="ignore"):
        for seed in range(16):
            rng = random.Random(seed)
            mission = Mission(turns := rng.randint(1, 11), rng.randint(0, turns))
            keys = KeyCard.deal(rng)
            record = play_game(bot, Rude(keys.a), Setup(Board(CARDS), keys, mission), seed=seed)
            assert record.reason != "forfeit", record.trace[-1]
            said = [move.action.word for move in record.moves if isinstance(move.action, Clue) and move.seat is Seat.A]
            assert len({*said}) == len(said)
            lasted += len(said) > 3
    assert lasted


class _AskedAgain(Player):
    """A bot beside which a fresh one is asked whatever it is asked."""

    def __init__(self, mind, vocabulary):
        self.bot, self.fresh = Embedding(mind, vocabulary), lambda: Embedding(mind, vocabulary)

    def give_clue(self, view):
        return self.bot.give_clue(view)

    def guess(self, view):
        answer = self.bot.guess(view)
        assert answer == self.fresh().guess(view), view.to_json()
        return answer


def test_a_bot_asked_in_the_middle_of_a_turn_answers_as_one_that_was_there():
    vocabulary = make_vocabulary(CLUES)
    for seed in range(30):
        mind = mind_of(CARDS, CLUES, seed % 4)
        record = play_game(*(_AskedAgain(mind, vocabulary) for _ in range(2)), deal(CARDS, STANDARD, seed=seed))
        assert record.reason is not Reason.FORFEIT, record.trace[-1]


def test_at_fixed_stakes_a_bot_plays_alike_with_many_tokens_and_with_few():
    mind, clues = mind_of(CARDS, CLUES), make_vocabulary(CLUES)
    plain, clever = Embedding(mind, clues, CARDS, weigh=fixed), Embedding(mind, clues, CARDS)
    rich, poor = (view_of(Seat.A, position(mission=mission)) for mission in (Mission(11, 11), Mission(1, 1)))
    assert plain.give_clue(rich) == plain.give_clue(poor)
    assert clever.give_clue(rich) != clever.give_clue(poor)


def test_stakes_have_names():
    assert Embedding.from_options({"model": "glove", "stakes": "fixed"}, CARDS).giver.weigh is fixed
    with pytest.raises(InvalidSetup, match="embedding: stakes=bold is none of value, fixed"):
        Embedding.from_options({"model": "glove", "stakes": "bold"}, CARDS)
