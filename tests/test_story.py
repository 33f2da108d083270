import json
from io import StringIO

import pytest
from conftest import F1_A, F1_B, WORDS
from rich.console import Console

from brushpass.duet.core.cards import BySeat
from brushpass.duet.record import read_record
from brushpass.duet.render import ASCII, Symbols
from brushpass.duet.story import tell
from brushpass.duet.storytext import percent, story_lines, story_table
from brushpass.errors import CorruptData

GAME = {
    "schema": 1,
    "id": "mine",
    "game": "duet",
    "turns": 9,
    "mistakes": 9,
    "words": list(WORDS),
    "key_a": F1_A,
    "key_b": F1_B,
    "first": "A",
    "outcome": "lost",
    "reason": "assassin",
}
LOST = [
    ["clue", "A", "weather", 2],
    ["guess", "B", 3],
    ["guess", "B", 4],
    ["stop", "B"],
    ["clue", "B", "music", 1],
    ["guess", "A", 18],
    ["clue", "A", "winter", 1],
    ["guess", "B", 15],
]
TRACE = [{"targets": [3, 4]}, {"targets": [9]}, {"targets": [5, "x", 99, True]}]
NAMES = BySeat("you", "the bot")


def game(actions=LOST, **more):
    return read_record(json.dumps({**GAME, "actions": actions, "trace": TRACE, **more}))


def won():
    """Nine turns of two; both sides find what is theirs, all but one miss."""
    a, b = [*range(9)], [9, 10, 11, 12, 13, 14]
    actions = []
    for guesser, cards in (("B", a[:4]), ("A", b[:3]), ("B", a[4:]), ("A", b[3:])):
        giver = "A" if guesser == "B" else "B"
        actions += [["clue", giver, "fog", len(cards)], *(["guess", guesser, card] for card in cards)]
        if cards not in (a[4:], b[3:]):
            actions.append(["stop", guesser])
    return game(actions, outcome="won", reason=None)


def test_a_chapter_a_turn_with_what_was_meant_and_touched():
    story = tell(game())
    assert [chapter.targets for chapter in story.chapters] == [(3, 4), (9,), (5,)]
    assert [chapter.hits for chapter in story.chapters] == [(3, 4), (), ()]
    assert [chapter.miss and chapter.miss.card for chapter in story.chapters] == [None, 18, 15]
    assert [chapter.stopped for chapter in story.chapters] == [True, False, False]
    assert [(chapter.bank, chapter.found) for chapter in story.chapters] == [(8, 2), (7, 2), (7, 2)]


def test_each_chapter_begins_where_the_last_one_ended_and_the_end_is_certain():
    for record, end in ((game(), 0.0), (won(), 1.0)):
        chapters = tell(record).chapters
        assert [one.after for one in chapters[:-1]] == [one.before for one in chapters[1:]]
        assert chapters[-1].after == end
        assert all(0 < one.before < 1 for one in chapters)


def test_the_turn_that_moved_the_chance_most_towards_the_end_decided():
    assert tell(game()).decisive.number == 3
    story = tell(won())
    assert story.decisive.after - story.decisive.before == max(one.after - one.before for one in story.chapters)


def test_a_forfeit_was_decided_by_no_turn():
    story = tell(game(LOST[:3], reason="forfeit"))
    assert story.decisive is None
    assert story.chapters[-1].after > 0


def test_sudden_death_is_a_chapter_of_its_own():
    actions = [["clue", "A", "fog", 1], ["guess", "B", 18], ["guess", "B", 3], ["guess", "A", 9], ["guess", "A", 19]]
    story = tell(game(actions, turns=1, mistakes=1, reason="sudden_death"))
    first, last = story.chapters
    assert last.clue is None
    assert [touch.card for touch in last.touches] == [3, 9, 19]
    assert first.after == last.before
    told = story_lines(story, NAMES)
    assert any(
        "sudden death; the bot found desert; you found jungle and touched temple, a bystander" in one for one in told
    )


def test_the_lines_name_the_sides_and_say_how_it_ended_and_what_decided():
    told = "\n".join(story_lines(tell(game()), NAMES))
    assert "you said WEATHER 2 for desert, engine; the bot found desert, engine and stopped." in told
    assert "the bot said MUSIC 1 for jungle; you touched saddle, a bystander." in told
    assert "Lost: an assassin was touched." in told
    assert "2 of 15 agents were found." in told
    assert "to 0 %: the bot touched pepper, an assassin." in told


def test_the_score_is_told_in_its_parts():
    record = won()
    told = "\n".join(story_lines(tell(record), NAMES))
    assert "The score: 3 for each of 5 tokens left, 1 for each of 4 turns without a bystander." in told


def test_a_game_without_a_move_is_a_story_too():
    story = tell(game([], reason="forfeit"))
    assert story.chapters == ()
    assert story.decisive is None
    assert story_lines(story)[-1].startswith("0 of 15")


def test_a_record_that_breaks_the_rules_is_told_so():
    with pytest.raises(CorruptData):
        tell(game([["stop", "A"]]))


@pytest.mark.parametrize("symbols", [Symbols(), ASCII])
def test_the_table_has_every_turn_and_fits_80_columns(symbols):
    console = Console(width=80, record=True, file=StringIO())
    console.print(story_table(tell(game()), NAMES, symbols))
    text = console.export_text()
    assert "WEATHER 2" in text
    assert f"{symbols.green}desert" in text
    assert f"{symbols.black}pepper" in text
    assert ">3" in text
    assert text.isascii() is (symbols is ASCII)


@pytest.mark.parametrize(
    ("chance", "told"), [(0, "0 %"), (0.001, "<1 %"), (0.5, "50 %"), (0.999, ">99 %"), (1, "100 %")]
)
def test_an_open_game_is_never_called_certain(chance, told):
    assert percent(chance) == told


def test_the_json_form_says_it_all():
    story = tell(game()).to_json()
    assert story["decisive"] == 3
    assert story["turns"][0]["clue"] == ["A", "weather", 2]
    assert story["turns"][2]["touches"] == [["B", 15, "B"]]
    assert json.loads(json.dumps(story)) == story


def test_a_clue_whose_penalty_takes_the_last_token_is_a_chapter_before_sudden_death():
    rules = {"order": "alternate", "clue_law": "penalty", "relax": []}
    actions = [["clue", "A", "anchor", 1, "penalty"], ["guess", "B", 18]]
    story = tell(game(actions, turns=1, mistakes=1, reason="sudden_death", rules=rules))
    clue, sudden = story.chapters
    assert (clue.touches, clue.bank, clue.after) == ((), 0, sudden.before)
    assert sudden.miss.card == 18
    assert "its clue cost a token" in story_lines(story, NAMES)[-1]
