import random
from collections import deque

import pytest
from conftest import F1_A, F1_B, WORDS
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from brushpass.duet.agent import LeftTheTable
from brushpass.duet.agents.human import Human, Page, Unclear, doubt_of, find_card, read_clue, read_guess
from brushpass.duet.agents.random import RandomAgent
from brushpass.duet.core import rules
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.board import Board
from brushpass.duet.core.cards import Seat
from brushpass.duet.core.keycard import KeyCard
from brushpass.duet.core.mission import Mission, standard
from brushpass.duet.core.phase import Phase
from brushpass.duet.core.state import Setup
from brushpass.duet.core.table import LawMode, TableRules
from brushpass.duet.observe import observe
from brushpass.duet.record import read_record, verify
from brushpass.duet.referee import play_game
from brushpass.errors import InvalidSetup
from brushpass.lexicon.normalize import fold

KEYS = KeyCard.parse(F1_A, F1_B)
CLUES = ("zebra", "quantum", "velvet", "marble", "tundra", "oxygen", "piano", "lantern", "cotton", "meteor", "glacier")


class Typed:
    """A console whose lines are known beforehand."""

    def __init__(self, *lines):
        self.lines = deque(lines)
        self.told = []
        self.pages = []
        self.views = []

    def show(self, view):
        self.views.append(view)

    def ask(self, view):
        assert view is self.views[-1]
        if not self.lines:
            raise LeftTheTable
        return self.lines.popleft()

    def tell(self, line):
        self.told.append(line)

    def page(self, page, view):
        assert view is self.views[-1]
        self.pages.append(page)


def setup_of(f1, first=Seat.A, mission=None, table=None, words=WORDS):
    return Setup(Board(words), f1, mission or standard(), first, table or TableRules())


def position(f1, *moves, seat=Seat.A, **options):
    state, history = rules.new_game(setup_of(f1, **options)), ()
    for by, action in moves:
        state, events = rules.step(state, by, action)
        history += events
    return observe(state, seat, history)


@pytest.fixture
def cluing(f1):
    return position(f1)


@pytest.fixture
def guessing(f1):
    return position(f1, (Seat.B, Clue("zebra", 2)), first=Seat.B)


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("zebra 2", Clue("zebra", 2)),
        ("  ZEBRA   2 ", Clue("zebra", 2)),
        ("zebra, 2", Clue("zebra", 2)),
        ("zebra:0", Clue("zebra", 0)),
        ("8 2", Clue("8", 2)),
        ("big apple 3", Clue("big apple", 3)),
        ("o'clock 1", Clue("o'clock", 1)),
    ],
)
def test_a_clue_is_a_word_and_a_number(text, clue):
    assert read_clue(fold(text)) == clue


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("zebra", "a word and a number"),
        ("2", "a word and a number"),
        ("zebra two", "a word and a number"),
        ("zebra2", "a word and a number"),
        ("zebra 10", "0 to 9"),
        ("zebra -1", "0 to 9"),
        ("zebra 2.5", "0 to 9"),
        ("zebra ∞", "a word and a number"),
        ("z" * 500 + " 2", "a word and a number"),
        ("stop", "your turn to give a clue"),
    ],
)
def test_what_is_no_clue_is_told_apart(text, why):
    with pytest.raises(Unclear, match=why):
        read_clue(text)


@pytest.mark.parametrize(
    ("text", "card"),
    [("1", 0), ("25", 24), ("anchor", 0), ("ANCHOR", 0), ("anc", 0), ("ka", None), ("ke", 10), ("la", 11)],
)
def test_a_card_is_a_number_a_word_or_its_first_letters(text, card):
    if card is None:
        with pytest.raises(Unclear):
            find_card(fold(text), WORDS)
    else:
        assert find_card(fold(text), WORDS) == card


def test_what_may_be_several_cards_is_never_one():
    words = ("bank", "banana", "7", *WORDS[:22])
    for text, names in (("ban", "bank .* or banana"), ("7", r"7 \(3\) or .*\(7\)")):
        with pytest.raises(Unclear, match=names):
            find_card(text, words)
    assert find_card("bank", words) == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", "1 to 25"),
        ("26", "1 to 25"),
        ("anchro", "did you mean anchor"),
        ("anchor, 3", "One card at a time"),
        ("a", "No card"),
    ],
)
def test_what_is_no_card_is_answered_with_help(text, why):
    with pytest.raises(Unclear, match=why):
        find_card(text, WORDS)


def test_a_guess_needs_a_card_that_can_be_touched(f1):
    view = position(
        f1,
        *((Seat.B, Clue("zebra", 2)), (Seat.A, Guess(9)), (Seat.A, Guess(18)), (Seat.A, Clue("velvet", 1))),
        first=Seat.B,
    )
    with pytest.raises(Unclear, match="jungle is found already"):
        read_guess("jungle", view)
    with pytest.raises(Unclear, match="saddle has your bystander mark"):
        read_guess("19", view)


def test_stop_needs_a_hit_and_yield_needs_sudden_death(f1, guessing):
    for text in ("stop", "pass", "/stop"):
        with pytest.raises(Unclear, match="at least one card"):
            read_guess(text, guessing)
    with pytest.raises(Unclear, match="no yield"):
        read_guess("yield", guessing)
    hit = position(f1, (Seat.B, Clue("zebra", 2)), (Seat.A, Guess(9)), first=Seat.B)
    assert read_guess("stop", hit) == Stop()
    sudden = position(f1, (Seat.B, Clue("zebra", 1)), (Seat.A, Guess(18)), first=Seat.B, mission=Mission(1, 1))
    assert sudden.phase is Phase.SUDDEN
    assert read_guess("yield", sudden) == Yield()
    with pytest.raises(Unclear, match=r"no stop.*touch a card or yield"):
        read_guess("stop", sudden)


def test_where_one_may_not_yield_nobody_is_told_to(f1):
    alone = replace(
        position(f1, (Seat.B, Clue("zebra", 1)), (Seat.A, Guess(18)), first=Seat.B, mission=Mission(1, 1)),
        must_guess=True,
    )
    for text in ("stop", "yield"):
        with pytest.raises(Unclear, match=r"touch a card$"):
            read_guess(text, alone)


def test_a_card_misspelt_is_no_clue(cluing, f1):
    with pytest.raises(Unclear, match="'anchro' looks like ANCHOR misspelt"):
        doubt_of(Clue("anchro", 1), cluing)
    costly = position(f1, table=TableRules(clue_law=LawMode.PENALTY))
    assert "looks like ANCHOR misspelt" in doubt_of(Clue("anchro", 1), costly)
    assert "looks like" not in doubt_of(Clue("zbera", 1), cluing)


def test_an_illegal_clue_is_refused_with_the_word_it_meets(cluing):
    with pytest.raises(Unclear, match=r"L3.*ANCHOR"):
        doubt_of(Clue("anchors", 1), cluing)
    with pytest.raises(Unclear, match="L1"):
        doubt_of(Clue("big apple", 1), cluing)
    assert doubt_of(Clue("zebra", 1), cluing) == ""


def test_illegal_clues_never_reach_the_referee(f1):
    console = Typed(*["anchors 1"] * 10, "zebra 1")
    record = play_or_leave(f1, console)
    assert record is None
    assert len(console.told) == 10


def play_or_leave(f1, console, **options):
    try:
        return play_game(Human(console), RandomAgent(CLUES), setup_of(f1, **options), seed=4)
    except LeftTheTable:
        return None


def test_a_doubtful_clue_is_said_only_when_typed_again(f1):
    console = Typed("zbera 2", "zebra 2", "zbera 2", "zbera 2")
    view = position(f1)
    human = Human(console)
    assert human.give_clue(view) == Clue("zebra", 2)
    assert human.give_clue(view) == Clue("zbera", 2)
    assert "not in the dictionary" in console.told[0]


def test_where_illegal_clues_cost_a_token_they_are_said_only_when_typed_again(f1):
    view = position(f1, table=TableRules(clue_law=LawMode.PENALTY))
    console = Typed("anchors 1", "anchors 1")
    assert Human(console).give_clue(view) == Clue("anchors", 1)
    assert "costs a token" in console.told[0]


def test_pages_may_be_asked_for_at_any_time(cluing, guessing):
    console = Typed("help", "LOG", "/board", "", "zebra 2", "log", "3")
    human = Human(console)
    assert human.give_clue(cluing) == Clue("zebra", 2)
    assert human.guess(guessing) == Guess(2)
    assert console.pages == [Page.HELP, Page.LOG, Page.BOARD, Page.LOG]
    assert console.told == []


@pytest.mark.parametrize("word", ["stop", "log", "quit"])
def test_a_card_called_like_a_command_needs_its_number(f1, word):
    view = position(f1, (Seat.B, Clue("zebra", 2)), first=Seat.B, words=(word, *WORDS[1:]))
    console = Typed(word, "1")
    assert Human(console).guess(view) == Guess(0)
    assert "a card and a command" in console.told[0]


@pytest.mark.parametrize("text", ["quit", "exit", "/quit"])
def test_quit_leaves_the_table(guessing, text):
    with pytest.raises(LeftTheTable):
        Human(Typed(text)).guess(guessing)


@given(st.text(max_size=80))
def test_whatever_is_typed_is_a_legal_action_or_unclear(text):
    state = rules.new_game(Setup(Board(WORDS), KEYS, standard(), Seat.B))
    state, events = rules.step(state, Seat.B, Clue("zebra", 2))
    view = observe(state, Seat.A, events)
    try:
        action = read_guess(fold(text), view)
        rules.step(state, Seat.A, action)
    except Unclear:
        pass
    opening = rules.new_game(Setup(Board(WORDS), KEYS, standard(), Seat.A))
    try:
        clue = read_clue(fold(text))
        doubt_of(clue, observe(opening, Seat.A, ()))
    except Unclear:
        return
    rules.step(opening, Seat.A, clue)


def test_a_whole_game_is_played_among_rubbish(f1):
    rng = random.Random(2)
    lines = []
    for number in range(400):
        lines += ["".join(rng.choices("@#%&! ~", k=rng.randrange(20))) for _ in range(3)]
        lines += [f"{rng.choice(CLUES)} 1", str(number % 25 + 1)]
    console = Typed(*lines)
    record = play_or_leave(f1, console)
    assert record is not None
    verify(read_record(record.to_line()))


def test_a_spec_cannot_make_a_person():
    with pytest.raises(InvalidSetup, match="play"):
        Human.from_options({}, ())
