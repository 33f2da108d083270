"""What a notebook shows of our objects."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from test_reading import TABLE

import brushpass
from brushpass import Board, Seat, deal, opening, play_game
from brushpass.duet import display
from brushpass.duet.agents.reading import read_clue
from brushpass.duet.agents.suggest import Suggestion
from brushpass.duet.bench import run_bench
from brushpass.duet.core.cards import Color
from brushpass.duet.core.mission import find_cities
from brushpass.duet.plan import Plan
from brushpass.duet.runfolder import read_run
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.explain import Because

SETUP = deal(seed=3)


class Read(HTMLParser):
    """The text of a piece of HTML, and whether its tags are well nested."""

    def __init__(self, html):
        super().__init__()
        self.open, self.words, self.hidden = [], [], 0
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, _):
        if tag not in {"br", "wbr"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))


class Shell:
    """What IPython gives an extension."""

    def __init__(self):
        from IPython.core.formatters import DisplayFormatter

        self.display_formatter = DisplayFormatter()

    def html(self, shown):
        data, _ = self.display_formatter.format(shown)
        return data.get("text/html")


@pytest.fixture
def shell():
    pytest.importorskip("IPython")
    made = Shell()
    brushpass.load_ipython_extension(made)
    return made


def test_a_board_has_its_words_five_a_row(shell):
    html = shell.html(SETUP.board)
    assert html.count('class="card"') == 25
    assert all(word in Read(html).text for word in SETUP.board.words)


def test_a_setup_has_both_sides_of_the_key_and_a_view_its_own(shell):
    both, own = Read(shell.html(SETUP)).text, Read(shell.html(opening(SETUP, Seat.A))).text
    for card, word in enumerate(SETUP.board.words):
        a, b = (display.SYMBOLS.of(SETUP.keys.side(seat).color(card)) for seat in Seat)
        assert f"{a} {word} {b}" in both
        assert f"{a} {word} " in own
    assert own.count("✗") == 3 + 1
    assert own.count("◆") == 9 + 1


def test_a_view_tells_what_became_of_a_card(shell):
    record = play_game(brushpass.build_agent("random"), brushpass.build_agent("random"), SETUP, seed=1)
    state = list(brushpass.replay(record))[-1][1]
    from brushpass.duet.observe import observe

    told = Read(shell.html(observe(state, Seat.A, ()))).text
    assert "missed" in told or "found" in told.partition("What A sees")[0]


def test_clues_alone_and_in_a_list(shell):
    one = Suggestion("sailor", 2, ("ship", "ocean"), (0.5, 0.4), 1.5, 0.01, 1.2, 0.6)
    for shown in (one, [one]):
        told = Read(shell.html(shown)).text
        assert "sailor 2" in told
        assert "◆ ship" in told
        assert "1.50" in told
    reading = read_clue(load_mind("glove"), TABLE, "sailor", 2)
    assert f"The likeliest mistake is {reading.danger}" in Read(shell.html(reading)).text.replace(" :", ":")
    assert "times" in Read(shell.html([reading])).text
    assert "because" in Read(shell.html([Because("sailor", "ship", 1.0, (("sea", 0.5),))])).text


@pytest.mark.parametrize("shown", [[], [1, 2], ["a"], [Color.GREEN], {"a": 1}])
def test_other_lists_are_left_alone(shown, shell):
    assert shell.html(shown) is None


def test_of_a_clue_that_says_nothing_no_targets_are_told(shell):
    told = Read(shell.html(read_clue(load_mind("glove"), TABLE, "qqzzx", 2))).text
    assert "glove makes nothing of qqzzx" in told
    assert "is for" not in told


def test_a_game_is_told_turn_by_turn(shell):
    record = play_game(brushpass.build_agent("random"), brushpass.build_agent("random"), SETUP, seed=1)
    told = Read(shell.html(record)).text
    assert ("Won" in told) or ("Lost" in told)
    assert told.count(" %") == len({*range(record.turns_used)})
    broken = replace(record, moves=record.moves[1:])
    assert str(record.id) in Read(shell.html(broken)).text


def test_a_report_and_a_run_have_their_pairs(shell, tmp_path):
    plan = Plan(pairs=[("random", "random")], cities=find_cities("tokyo"), games=2)
    report = run_bench(plan, out=tmp_path / "run")
    for shown in (report, read_run(tmp_path / "run")):
        told = Read(shell.html(shown)).text
        assert "random random 2" in told
        assert "95 %" in told


def test_words_are_only_text_and_colors_those_of_the_page():
    words = (*SETUP.board.words[:24], "<script>alert(1)</script>")
    html = display.board(Board(words))
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    style = html.partition("<style>")[2].partition("</style>")[0]
    assert "background: #" not in style.replace("background: #0077bb", "")
    assert not re.search(r"(^|[^-])color: #", style)
