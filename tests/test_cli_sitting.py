import json
import random
import re

import pytest
from cli_runner import run
from conftest import WORDS

from brushpass.cli.advice import strange, why_lines
from brushpass.cli.screen import PUSHED
from brushpass.duet.agents.human import COMMANDS
from brushpass.duet.agents.options import DEFAULT_MIND
from brushpass.duet.core.cards import cards_of
from brushpass.duet.core.deal import deal
from brushpass.duet.record import read_record, verify
from brushpass.lexicon.vocabulary import load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist
from brushpass.semantics.catalog import load_mind
from brushpass.semantics.explain import because

GAME = "\n".join(line for number in range(1, 26) for line in ("zebra 1", str(number)))
BOT = ("--partner", "embedding:model=glove")


@pytest.fixture(autouse=True)
def games(tmp_path, monkeypatch):
    """The folder of games."""
    monkeypatch.setenv("BRUSHPASS_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "games"


@pytest.fixture
def play(words):
    """Play with a bot on a board of its own, seat A first."""

    def played(*typed, args=(), bot=BOT, first="me"):
        lines = "".join(f"{line}\n" for line in typed)
        return run("play", "--words", words, *bot, "--first", first, "--seed", 5, *args, typed=lines)

    return played


def answers(told):
    """What was said between one prompt and the next."""
    return [part.strip() for part in re.split(r"(?:clue|guess|sudden death)> ", told.out)]


# ------------------------------------------------------------------ what may be asked


def test_a_hint_names_clues_with_targets_chance_and_risk(play):
    hint = answers(play("hint"))[1]
    assert hint.startswith("Clues I would give")
    clues, _, reasons = hint.partition("\nWhat ties ")
    lines = clues.splitlines()[1:]
    assert len(lines) == 3
    for line in lines:
        assert re.fullmatch(r" *\S+ \d for [a-z, ]+: <?\d+ %, an assassin <?\d+ %", line)
    best, targets = re.match(r" *(\S+) \d for ([a-z, ]+):", lines[0]).groups()
    head, *told = reasons.splitlines()
    assert head == f"{best} and its cards:"
    assert [line.partition(":")[0].strip() for line in told] == targets.split(", ")


def test_a_hint_names_cards_with_their_chances_and_what_to_do(play):
    told = play("hint", first="bot")
    hint = answers(told)[1].splitlines()
    assert hint[0].startswith("The chance that a card is an agent")
    assert re.fullmatch(r" +[a-z, ]+: [<>]?\d+ %, an assassin [<>]?\d+ %", hint[1])
    advised = next(line for line in hint if line.startswith("I would touch "))
    clue = re.search(r"The bot said (\S+) \d", told.out)[1]
    reason = next(line for line in hint if line.startswith(f"What ties it to {clue}: "))
    card = advised.removeprefix("I would touch ").rstrip(".")
    assert reason.partition(": ")[2] == because(load_mind(DEFAULT_MIND), clue, card).told


def test_asking_changes_nothing(play):
    asked = play("hint", "why", "save", "help", "board", "log", "zebra 1", "hint", "why", "log")
    plain = play("log", "zebra 1", "log")
    assert answers(asked)[-2] == answers(plain)[-2]


def test_why_tells_what_ties_a_clue_to_what_was_touched_but_not_what_was_meant(play):
    told = play("music 1", "why", "2", "why")
    assert "1. you MUSIC 1" in told.out
    assert re.search(r"  (violin|guitar): ", told.out)
    assert "meant " not in told.out.replace("tells what it meant when", "")
    assert "The bot tells what it meant when that helps no more" in told.out


def test_in_practice_why_tells_what_was_meant(play):
    told = play("music 1", "2", "why", args=("--practice",))
    assert re.search(r"2\. bot \S+ \d, meant \w+", told.out)


def test_a_bot_without_a_mind_gives_no_reasons(play):
    assert "gives no reasons" in play("why", bot=("--partner", "random")).out


def test_why_says_the_same_whatever_the_bot_meant(play, monkeypatch):
    seen = []
    monkeypatch.setattr("brushpass.cli.sitting.why_lines", lambda *args, **named: seen.append((args, named)) or [])
    play("music 1", "why")
    (view, mind, partner, _), named = seen[0]
    assert not named["practice"]
    said = [list(why_lines(view, mind, partner, targets, practice=False)) for targets in ([], [(1,), (2, 3)])]
    assert said[0] == said[1]


# ------------------------------------------------------------------ what is typed


def test_a_clue_the_bot_does_not_know_is_said_only_when_typed_again(play):
    told = play("kjrwqz 2", "log", "kjrwqz 2", "log")
    said = answers(told)
    assert "The bot does not know 'kjrwqz'" in said[1]
    assert said[2] == "No clue yet."
    assert "You said kjrwqz 2." in said[3]


def test_a_misspelt_clue_is_answered_with_what_the_bot_takes_it_for():
    mind = load_mind("glove")
    assert strange(mind, "mountian", "bot") == "The bot does not know 'mountian' and takes it for 'mountain'"
    assert strange(mind, "mountains", "bot") == strange(mind, "mountain", "bot") == strange(None, "kjrwqz", "bot") == ""


@pytest.mark.parametrize(
    ("typed", "first", "told"),
    [
        ("hlep", "me", "did you mean help"),
        ("ocean", "me", "such as: ocean 2"),
        ("sotp", "bot", "did you mean stop"),
        ("anchro", "bot", "did you mean anchor"),
        ("la wa", "bot", "No card"),
        ("undo", "me", "--practice"),
    ],
)
def test_a_slip_is_answered_and_nothing_happens(play, typed, first, told):
    said = answers(play("log", typed, "log", first=first))
    assert told in said[2]
    assert said[1] == said[3]


def test_ten_thousand_lines_of_garbage_change_nothing(play):
    rng = random.Random(7)
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789 @#%&!~^*()[]{}<>|'\"`\t.,;:?-éß漢字🙂\x00\x07\x1b"

    def garbage():
        text = "".join(rng.choices(alphabet, k=rng.randrange(1, 12)))
        kind = rng.randrange(4)
        return (
            text,
            f"{rng.choice(WORDS)[: rng.randrange(9)]}{text}",
            f"{rng.choice(COMMANDS)}{text}",
            f"{text} {rng.randrange(-99, 99)}",
        )[kind]

    def acts(text):
        """Whether a line might be an action, or leave: by the card's number, word or first letters alone."""
        word = " ".join("".join(ch if ch.isprintable() else " " for ch in text).casefold().split())
        return (
            word.removeprefix("/") in COMMANDS
            or (word.isdecimal() and int(word) <= 25)
            or any(card.startswith(word) for card in WORDS)
        )

    lines = [line for line in (garbage() for _ in range(11_500)) if not acts(line)][:10_000]
    assert len(lines) == 10_000
    told = play("log", *lines, "log", first="bot")
    assert told.code == 0
    assert "Traceback" not in told.out + told.err
    said = answers(told)
    assert said[1] == said[-2] != ""
    assert told.out.count("You touched") == 0


# ------------------------------------------------------------------ left, and gone on with


def test_a_game_goes_on_where_it_was_left(play, games):
    play("music 1", "2")
    assert len([*games.iterdir()]) == 1
    more = run("play", "--resume", typed="weapon 1\n3\nlog\n")
    assert "goes on" in more.out
    whole = play("music 1", "2", "weapon 1", "3", "log")
    assert answers(more)[-2] == answers(whole)[-2]
    assert "So far:\n1. you MUSIC 1" in more.out
    assert more.out.count("You said music") == 0


def test_a_whole_game_left_after_every_line_gives_the_same_record(words):
    lines = [line for number in range(1, 26) for line in ("zebra 1", str(number))]
    begin = ("play", "--words", words, "--partner", "embedding:model=glove", "--seed", 5, "--first", "me", "--json")
    whole = run(*begin, typed="\n".join(lines))
    record = read_record(whole.out)
    verify(record)
    left = run(*begin, typed="zebra 1\n")
    for _ in range(60):
        if left.out.startswith('{"schema":1,"id"'):
            break
        left = run("play", "--resume", "--json", typed=_next(left, lines))
    assert json.loads(left.out) == json.loads(whole.out)


def _next(left, lines):
    """One line that does something where the game stands."""
    asked = left.err.splitlines()
    return "\n".join(lines) if not asked else f"{_card(left.err)}\n" if "guess> " in left.err else "zebra 1\n"


def _card(told):
    return re.findall(r"^(\d+)\. \w+: (?:agent|bystander|assassin)(?:, bot missed)?$", told, re.MULTILINE)[0]


def test_a_finished_game_is_not_kept(play, games):
    lines = [line for number in range(1, 26) for line in ("zebra 1", str(number))]
    assert "Both sides of the key" in play(*lines, bot=("--partner", "random")).out
    assert [*games.iterdir()] == []


def test_a_game_in_which_a_person_did_nothing_is_not_kept(play, games):
    assert "--seed 5" in play("hint", first="bot").out
    assert not games.exists()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--seed", "6"), "play-Prague-5"),
        (("--partner", "random"), "--partner embedding:model=glove, not random"),
        (("--city", "Paris"), "--city Prague, not Paris"),
        (("--turns", "3"), "without --turns"),
        (("--order", "free"), "--order alternate, not free"),
        (("--practice",), "--practice"),
    ],
)
def test_another_game_than_the_one_kept_is_refused(play, games, args, told):
    play("music 1")
    (file,) = games.iterdir()
    before = file.read_bytes()
    refused = run("play", "--resume", *args, typed="log\n")
    assert refused.code == 2
    assert told in refused.error()
    assert file.read_bytes() == before
    same = run("play", "--resume", "--seed", 5, "--partner", BOT[1], "--city", "prague", typed="log\n")
    assert same.code == 0


def test_a_table_without_mistakes_is_dealt_again_as_it_was(play):
    told = play("hint", args=("--turns", 3, "--mistakes", 0))
    assert "--turns 3 --mistakes 0" in told.out.splitlines()[1]
    play("music 1", args=("--turns", 3, "--mistakes", 0))
    assert run("play", "--resume", "--turns", 3, "--mistakes", 0, typed="log\n").code == 0


def test_a_game_of_one_s_own_file_is_kept_there_and_never_written_over(play, games, tmp_path):
    file = tmp_path / "mine.jsonl"
    play("music 1", args=("--file", file))
    assert not games.exists()
    assert "already" in play(args=("--file", file)).error()
    assert "1. you MUSIC 1" in run("play", "--resume", "--file", file, typed="log\n").out
    assert run("replay", file, "--reveal").code == run("verify", file).code == 0
    other = tmp_path / "other.txt"
    other.write_text("hello\n")
    assert str(other) in run("play", "--resume", "--file", other, typed="").error()


def test_a_game_killed_at_its_end_still_shows_it(play, games):
    lines = [line for number in range(1, 26) for line in ("zebra 1", str(number))]
    record = json.loads(play(*lines, bot=("--partner", "random"), args=("--json",)).out)
    record["saved"] = {"schema": 1, "practice": False, "options": {"partner": "random"}}
    (games / "play-Prague-5.jsonl").write_text(json.dumps(record))
    told = run("play", "--resume", typed="")
    assert told.code == 0
    assert "Both sides of the key" in told.out
    assert [*games.iterdir()] == []


def test_a_bot_says_common_words_where_asked(play, words):
    record = json.loads(run("play", "--words", words, "--seed", 5, "--clues", "easy", "--json", typed=GAME).out)
    easy = set(load_vocabulary("easy").words)
    assert record["agents"] == ["human", "embedding:vocabulary=easy"]
    assert {word for kind, seat, word, *_ in record["actions"] if (kind, seat) == ("clue", "B")} <= easy
    assert "--clues easy" in play(args=("--clues", "easy")).out
    assert "--clues goes with" in play(bot=("--partner", "random"), args=("--clues", "easy")).error()
    assert play(args=("--clues", "nope")).code == 3


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        (["human", "cmd:rm x"], "--partner 'cmd:rm x'"),
        (["py:os:abort", "human"], "py:os:abort"),
        (["random"] * 2, "no seat"),
    ],
)
def test_a_file_starts_no_program_unless_told_so(play, tmp_path, seats, told):
    file = tmp_path / "mine.jsonl"
    play("music 1", args=("--file", file))
    file.write_text(json.dumps(json.loads(file.read_text()) | {"agents": seats}))
    assert told in run("play", "--resume", "--file", file, typed="").error()
    assert told in run("play", "--resume", "--file", file, "--partner", "random", typed="").error()


def test_a_server_out_of_reach_leaves_a_game_that_goes_on(play, monkeypatch):
    pytest.importorskip("httpx")
    monkeypatch.setenv("BRUSHPASS_LLM_URL", "http://127.0.0.1:9/v1")
    told = play("zebra 1", bot=("--partner", "llm:model=x,retries=0"))
    assert "cannot be reached" in told.err
    assert "kept: brushpass play --resume goes on" in told.out


def test_where_nothing_can_be_kept_it_is_said_once_and_the_game_goes_on(play, tmp_path):
    (tmp_path / "data").write_text("a file, no folder")
    told = play("music 1", "2", "log")
    assert told.out.count("cannot be kept") == 1
    assert "You touched canyon" not in told.out
    assert "left unfinished; brushpass play" in told.out


def test_a_game_of_a_campaign_goes_on_and_is_noted_once(words):
    def campaign(*args, typed=""):
        return run("campaign", *args, typed=typed)

    campaign("new")
    assert "no unfinished game" in campaign("play", "--resume").error()
    begin = ("play", "--partner", "random", "--words", words, "--first", "me", "--seed", 5)
    assert "brushpass campaign play --resume goes on" in campaign(*begin, typed="zebra 1\n").out
    assert "leave out city" in campaign("play", "Prague", "--resume").error()
    assert "no unfinished game" in run("play", "--resume", typed="").error()
    more = campaign("play", "--resume", typed=GAME)
    assert "Prague goes on, attempt 1" in more.out
    assert "1. you ZEBRA 1" in more.out
    assert campaign("status", "--json").document()["campaign"]["games"] == 1
    assert "no unfinished game" in campaign("play", "--resume").error()


def test_campaigns_of_one_name_in_two_files_keep_their_games_apart(words, tmp_path):
    one, two = (("--file", tmp_path / name) for name in ("one.json", "two.json"))
    for file in (one, two):
        run("campaign", "new", *file)
    begin = ("campaign", "play", "--partner", "random", "--words", words, "--first", "me", "--seed", 5, *one)
    assert "goes on with it" in run(*begin, typed="zebra 1\n").out
    assert "no unfinished game" in run("campaign", "play", "--resume", *two, typed="").error()
    assert "Prague goes on" in run("campaign", "play", "--resume", *one, typed="").out


# ------------------------------------------------------------------ practice, two people, two bots


def test_practice_is_taken_back_and_does_not_count(play):
    told = play("music 1", "undo", "log", args=("--practice",))
    said = answers(told)
    assert "does not count" in said[0]
    assert said[-2] == "No clue yet."
    assert "Taken back." in said[2]


def test_of_two_people_the_one_who_lost_takes_it_back(words):
    setup = deal(load_wordlist(words).words, seed=5)
    assassin = setup.board.words[cards_of(setup.keys.a.blacks)[0]]
    lines = ["", "zebra 1", "", assassin, "undo", "log", "quit"]
    args = ("--partner", "human", "--first", "me", "--seed", 5, "--practice", "--words", words)
    told = run("play", *args, typed="".join(f"{line}\n" for line in lines)).out
    after = told.partition("type undo")[2]
    assert "1. partner ZEBRA 1" in after
    assert "Your clue" not in after


def test_two_people_share_a_screen_and_neither_sees_the_other_s_key(play):
    told = play("", "music 2", "", "2", bot=("--partner", "human"))
    a, b = told.out.split("Player B plays now; player A, look away.")
    assert "Player A plays now; player B, look away." in a
    assert a.endswith("\n" * PUSHED)
    boards = [re.findall(r"^\d+\. \w+: (\w+)", part, re.MULTILINE) for part in (a, b)]
    assert [board.count("agent") for board in boards] == [9, 9]
    assert boards[0] != boards[1]
    assert "The partner said music 2." in b


def test_how_their_game_ended_is_told_to_both_people_by_seat(words):
    setup = deal(load_wordlist(words).words, seed=5)
    assassin = setup.board.words[cards_of(setup.keys.a.blacks)[0]]
    args = ("--partner", "human", "--first", "me", "--seed", 5, "--words", words)
    told = run("play", *args, typed=f"\nzebra 1\n\n{assassin}\n").out
    end = told.rpartition("guess> ")[2]
    assert f"B touches {assassin}: an assassin." in end
    assert "Lost: an assassin was touched." in end
    assert "The partner" not in end


def test_a_table_of_one_s_own_is_called_by_what_it_allows(play):
    assert play("quit", args=("--turns", 11)).out.startswith("A table of 11 turns: you play")
    assert play("quit", args=("--turns", 8, "--mistakes", 2)).out.startswith("A table of 8 turns, 2 mistakes: you")


def test_a_question_mark_asks_for_help(play):
    assert "Find all 15 agents" in answers(play("?"))[1]


def test_two_bots_are_watched(words):
    args = ("play", "--watch", "--words", words, "--seed", 5)
    told = run(*args, "--bots", "random", "random")
    assert told.code == 0
    assert re.search(r"^\d+\. anchor: A \w+, B \w+$", told.out, re.MULTILINE)
    assert re.search(r"^[AB] says \w+ \d\.$", told.out, re.MULTILINE)
    assert "Won:" in told.out or "Lost:" in told.out
    assert "You " not in told.out
    assert "The bot" not in told.out
    record = read_record(run(*args, "--bots", "random", "random", "--json").out)
    verify(record)
    assert record.agents == ("random", "random")
