"""The clue law, rule by rule (DUET §8 and the cases Q01 to Q16)."""

import random

import pytest

from brushpass.duet.core.cluelaw import ClueLaw, Ruling, explain
from brushpass.errors import UnknownName
from brushpass.lexicon.families import barred_by
from brushpass.lexicon.vocabulary import load_vocabulary, make_vocabulary
from brushpass.lexicon.wordlists import load_wordlist

VISIBLE = ("BREAK", "NIGHT", "HORSESHOE", "BEAR", "NEW YORK", "MOUSE", "SNOWMAN", "FRANCE")
LAW = ClueLaw()


@pytest.mark.parametrize(
    ("clue", "code"),
    [
        *[("break", "L2"), ("BREAK", "L2"), (" Break ", "L2")],  # Q01
        *[("broken", "L3"), ("breaking", "L3"), ("broke", "L3"), ("breaks", "L3")],  # Q02
        ("mice", "L3"),  # Q03
        *[("shoe", "L4"), ("horse", "L4"), ("snow", "L4")],  # Q04
        *[("horses", "L4"), ("shoes", "L4"), ("men", "L4"), ("horseshoes", "L3")],  # Q05
        ("ear", None),  # Q06
        ("knight", None),  # Q07
        *[("york", "L2"), ("yorker", "L3"), ("new", "L2"), ("newyork", "L2")],  # Q08
        *[("big apple", "L1"), ("big-apple", "L1")],  # Q09
        *[("tonight", "L4"), ("midnight", "L4")],  # Q11
        *[("french", "L3"), ("frenchman", "L3")],  # Q14
        *[
            ("", "L1"),
            ("   ", "L1"),
            ("42!", "L1"),
            ("-", "L1"),
            ("'", "L1"),
            ("a.b", "L1"),
            ("mp3", "L1"),
            ("a" * 101, "L1"),
        ],  # Q15
        *[("8", None), ("42", None), ("x", None)],  # Q16
        *[("it's", None), ("o'clock", None), ("café", None), ("night's", "L3"), ("mouse\u2019s", "L3")],
    ],
)
def test_rulings_among_the_words_of_the_rules_page(clue, code):
    assert LAW.check(clue, VISIBLE).code == code


@pytest.mark.parametrize("clue", [None, 8, 2.5, b"word", ["word"], True])
def test_what_is_not_text_has_no_shape(clue):
    assert LAW.check(clue, VISIBLE) == Ruling("L1")


FORMS = """
knife knives | wife wives | wolf wolves | leaf leaves | leave leaves | shelf shelves | half halves
thief thieves | child children | tooth teeth | foot feet | goose geese | man men | woman women | ox oxen
louse lice | die dice | penny pence | person people | cactus cacti | city cities | box boxes | bus buses
bus busses | potato potatoes | run ran | run running | run runner | swim swam | swim swum | swim swimmer
sing sang | sing singer | fly flew | fly flown | fly flight | break breakage | freeze frozen | steal stole
steal stealing | speak speech | speak spoke | buy bought | teach taught | teach teacher | catch caught
think thought | go went | eat ate | drink drunk | drive driver | bake baker | bake bakery | write writer
write wrote | dance dancer | rob robber | sail sailor | act actor | act actress | wait waitress | host hostess
god goddess | lion lioness | duke duchess | emperor empire | king kingdom | prince princess | death dead
death die | death dying | choice choose | choose chosen | strength strong | length long | width wide
depth deep | heat hot | truth true | youth young | hunger hungry | anger angry | fire fiery | ice icy
sun sunny | snow snowy | cheese cheesy | spice spicy | magic magician | music musician | piano pianist
science scientist | spain spanish | spain spaniard | germany german | china chinese | greece greek | rome roman
london londoner | paris parisian | turkey turkish | poland polish | italy italian | wales welsh | denmark danish
sweden swede | peru peruvian | ireland irish | switzerland swiss | netherlands dutch | naples neapolitan
egypt egyptian | norway norwegian | portugal portuguese | colour color | grey gray | theatre theater
harbour harbor | tyre tire | doughnut donut | mum mom | jewellery jewel | phone telephone | bicycle bike
photo photograph | gym gymnasium | plane airplane | lab laboratory | happy happiness | beauty beautiful
danger dangerous | friend friendly | friend friendship | invent inventor | electric electricity | able ability
history historical | poison poisonous | wood wooden | gold golden | king kings | play player | colour colourful
eight 8 | three third | three 3 | café cafe
"""


@pytest.mark.parametrize("pair", [pair for line in FORMS.strip().splitlines() for pair in line.split("|")])
def test_forms_of_one_word_bar_each_other(pair):
    one, other = pair.split()
    assert LAW.check(other, [one.upper()]) == Ruling("L3", one.upper())
    assert LAW.check(one, [other.upper()]) == Ruling("L3", other.upper())


PARTS = """
sunflower sun | sunflower flower | firefly fire | firefly fly | butterfly butter | butterfly fly
butterfly flies | carpet car | carpet pet | tonight night | midnight night | nightmare night | horseshoe horse
horseshoe shoe | snowman snow | snowman men | snowball balls | snowmen snow | airport port | football foot
football feet | fireman fire | toothbrush tooth | toothbrush teeth | toothpaste tooth | bookworm worm
bookworm books | rainbow rain | rainbow bow | earthquake earth | eyelash eye | pancake cakes | newspaper paper
newspaper news | keyboard key | doorbell bell | waterfall water | waterfall fell | lighthouse house
lighthouse light | screwdriver drive | bookkeeper keep | goldfish fish | understand stand | today day
upset set | income come | bypass pass | unhappy happy | island land | handcuffs cuff | strawberry straw
blackboard board | blackboard black | grandmother mother | anybody body | starfish stars
"""


@pytest.mark.parametrize("pair", [pair for line in PARTS.strip().splitlines() for pair in line.split("|")])
def test_a_compound_and_its_parts_bar_each_other(pair):
    whole, part = pair.split()
    assert not LAW.check(part, [whole.upper()]).legal
    assert not LAW.check(whole, [part.upper()]).legal
    assert LAW.check(part, [whole.upper()]).code == ("L3" if whole == "unhappy" else "L4")


DIFFERENT = """
university universe | organ organization | general generous | police policy | new news | past paste
wand wander | iron irony | bear bare | bear beard | knight night | ear bear | plane planet | car scarf
pan panda | ant plant | moth mother | corn corner | flow flower | tow tower | let letter | butt butter
numb number | show shower | mat matter | cell cello | compass compassion | caste castle | cast castle
bell belly | crow crown | crow crowd | star start | pit pity | bat battle | can candle | king kin | ring spring
rat rate | moral morale | secret secretary | audit auction | hospital hospitality | animal animation
admiral admire | author authority | capital captain | station stationery | organ organic | lung lunge
mine mineral | pearl pear | decade decadent | sing song | moon lunar | dog canine | sun solar | king royal
car vehicle | cat kitten | france gallic | holland dutch | coin coincidence | pole police | bar bark | tea teal
pea peach | raven ravenous | rout route | design designate | bank banana | cap cape | sole soul | flour flower
spade spay | cola colon | bank blank
"""


@pytest.mark.parametrize("pair", [pair for line in DIFFERENT.strip().splitlines() for pair in line.split("|")])
def test_different_words_may_be_said_whatever_they_share(pair):
    one, other = pair.split()
    assert LAW.check(one, [other.upper()]).legal
    assert LAW.check(other, [one.upper()]).legal


@pytest.mark.parametrize(
    ("clue", "card", "code"),
    [
        ("cream", "ICE CREAM", "L2"),
        ("creamy", "ICE CREAM", "L3"),
        ("icecream", "ICE CREAM", "L2"),
        ("icing", "ice-cream", "L3"),
        ("sundae", "ICE CREAM", None),
        ("ray", "X-RAY", "L2"),
        ("xray", "X-RAY", "L2"),
        ("states", "United States of America", "L2"),
        ("american", "United States of America", "L3"),
        ("of", "United States of America", "L2"),
        ("yorkshire", "New York", "L3"),
        ("hounds", "Basset-Hound", "L3"),
        ("greenhouse", "GREEN TEA", "L4"),
    ],
)
def test_cards_of_several_words_are_judged_token_by_token(clue, card, code):
    assert LAW.check(clue, [card]).code == code


def test_the_lowest_code_wins_then_the_first_word():
    assert LAW.check("horse", ["HORSESHOE", "HORSES", "HORSE"]) == Ruling("L2", "HORSE")
    assert LAW.check("horse", ["HORSESHOE", "SEAHORSE"]) == Ruling("L4", "HORSESHOE")


def test_covered_words_bar_nothing_and_half_marked_ones_do():
    assert LAW.check("break", [word for word in VISIBLE if word != "BREAK"]).legal  # Q12: L11
    assert LAW.check("break", VISIBLE).code == "L2"  # Q13: whoever asks passes the words with one marker


def test_strict_bars_words_that_contain_one_another():
    strict = ClueLaw(strict=True)
    assert strict.check("ear", VISIBLE) == Ruling("L5", "BEAR")
    assert strict.check("bearded", ["BEAR"]).code == "L5"
    assert strict.check("mice", VISIBLE).code == "L3"
    assert strict.check("in", ["KING"]).legal  # two letters are no word's trace


@pytest.mark.parametrize(
    ("relaxation", "clue", "legal"),
    [
        ("proper-names", "big apple", True),  # Q09
        ("proper-names", "Peter-Pan", True),
        ("proper-names", "U.S.A.", False),
        ("compounds", "mother-in-law", True),
        ("compounds", "ice cream!", False),
        ("compounds", "42 12", False),
        ("acronyms", "U.S.A.", True),
        ("acronyms", "AT&T", True),
        ("acronyms", "big apple", False),
        ("acronyms", "...", False),
    ],
)
def test_relaxations_lift_the_shape_rule_alone(relaxation, clue, legal):
    law = ClueLaw(frozenset({relaxation}))
    assert LAW.check(clue, VISIBLE).code == "L1"
    assert law.check(clue, VISIBLE).legal is legal


def test_relaxed_clues_still_obey_the_other_rules():
    law = ClueLaw(frozenset({"proper-names", "compounds", "acronyms"}))
    assert law.check("new deal", VISIBLE) == Ruling("L2", "NEW YORK")
    assert law.check("grizzly bears", VISIBLE).code == "L3"
    assert law.check("snow white", VISIBLE).code == "L4"
    assert law.check("n.i.g.h.t", VISIBLE).code == "L2"


def test_an_unknown_relaxation_is_named():
    with pytest.raises(UnknownName, match=r"propper.*did you mean proper-names"):
        ClueLaw(frozenset({"propper-names"}))


def test_a_law_is_a_value():
    assert ClueLaw() == ClueLaw(frozenset())
    assert hash(ClueLaw(strict=True)) == hash(ClueLaw(strict=True))
    assert ClueLaw() != ClueLaw(strict=True)


def test_notes_for_the_table_to_judge():
    assert LAW.check("8", ["OCTOPUS"]).note == "judge"  # Q16: L8
    assert LAW.check("q", ["OCTOPUS"]).note == "judge"
    assert LAW.check("8", ["EIGHT"]).code == "L3"  # said aloud, they are one word
    assert LAW.check("knight", VISIBLE).note == "homophone"  # L9
    assert LAW.check("castle", VISIBLE).note is None


@pytest.mark.parametrize(
    ("clue", "words", "line"),
    [
        ("mice", ["mouse"], "L3: 'mice' is a form of MOUSE"),
        ("york", ["New York"], "L2: 'york' is a word of NEW YORK"),
        ("Mouse", ["MOUSE"], "L2: 'Mouse' is on the table"),
        ("shoe", ["horseshoe"], "L4: 'shoe' is part of HORSESHOE"),
        ("horseshoe", ["shoe"], "L4: 'horseshoe' is a compound with SHOE"),
        ("two words", ["shoe"], "L1: a clue is one word of letters, or a number in digits, not 'two words'"),
        ("castle", ["shoe"], ""),
    ],
)
def test_refusals_are_explained(clue, words, line):
    assert explain(LAW.check(clue, words), clue) == line


@pytest.mark.parametrize("strict", [False, True])
def test_barred_words_are_those_the_law_refuses(strict):
    rng = random.Random(7)
    vocabulary = load_vocabulary()
    cards = [*rng.sample(load_wordlist("english").words, 12), "ice cream", "NEW YORK", "Zanzibar-quux", "handcuffs"]
    law = ClueLaw(strict=strict)
    for card in cards:
        barred = set(barred_by(card, vocabulary, strict))
        near = {place for place in barred if rng.random() < 0.5}
        for place in {*near, *rng.sample(range(len(vocabulary)), 300)}:
            word = vocabulary.words[place]
            assert law.check(word, [card]).legal is (place not in barred), (word, card)


def test_barred_words_of_a_list_with_unlisted_and_compound_words():
    words = ("snowmen", "ice-cream", "ice cream", "glorpsnow", "quuxes", "quux", "creams", "42", "castle")
    vocabulary = make_vocabulary(words)
    law = ClueLaw(frozenset({"compounds"}))
    for card in ("ICE CREAM", "SNOW", "quuxes", "CREAM", "42", "glorp"):
        refused = tuple(place for place, word in enumerate(vocabulary.words) if not law.check(word, [card]).legal)
        assert barred_by(card, vocabulary) == refused, card
