"""`brushpass rules`: how to play, in our own words."""

from __future__ import annotations

from typing import Final

import typer

from brushpass.cli.output import Json, Output, Quiet, Verbose

TEXT: Final = """\
HOW TO PLAY DUET

Two sides play together, against the tokens. 25 words lie on the table. A key
with two faces tells what each word is; you see your face, your partner the
other. On each face 9 words are agents (green), 3 are assassins (black), 13 are
bystanders (tan). Three words are agents on both faces, so there are 15 to find.
Find them all before the tokens run out, and touch no assassin.

THE TWO FACES
  Of your 9 agents the partner sees 3 as agents, 5 as bystanders, 1 as assassin.
  Of your 3 assassins the partner sees one as agent, one as bystander and one as
  assassin. So a word that is black to you may be one you have to find.

A TURN
  1. One side gives a clue: one word, and a number. The number says how many of
     the giver's own agents the word points at, such as "ocean 2".
  2. The other side touches words, one by one. The giver's face judges them:
       agent      it is found, for both; you may touch another, without limit;
       bystander  the turn ends; the word is marked for you, and your partner
                  may still touch it;
       assassin   the game is lost.
     At least one touch is due, even for the number 0. After a hit you may stop.
     Words of earlier clues may be touched as well.
  3. Each turn costs one token, whether it ends by a stop or by a bystander.
     Then the sides change roles.

WHAT MAY BE SAID AS A CLUE
  Any one word that goes by its meaning. Not: a word on the table that is not
  found yet, a form of one (break, broke), or a part of one (shoe for
  horseshoe). What only sounds alike or happens to lie inside (ear in bear) is
  allowed. Numbers go from 0 to 9; 0 says "none of mine has to do with this".
  Beyond word and number nothing is said: no hints, no sighs, no remaining
  counts.

WHEN ALL WORDS OF ONE SIDE ARE FOUND
  That side says so, gives no more clues, and from now on is the only one that
  guesses.

WHEN THE TOKENS ARE SPENT: SUDDEN DEATH
  No more clues. Both sides touch what they still believe in, in any order; the
  first word that is not an agent loses the game. Find all 15 and it is won.

THE SCORE of the standard game, if it is won: 3 for each token left, 1 for each
turn without a bystander, less 1 if it took sudden death.

THE MISSION MAP
  26 cities with two numbers each, such as Berlin 11-2: 11 tokens, 2 of which
  pay for a bystander. Once these 2 are spent each further bystander costs two
  tokens, and if only one is left, the game. Prague, 9-9, is the standard game.

TABLE RULES
  --order 2-1 or free          who gives the next clue
  --clue-law penalty           a wrong clue stands, but costs a token
  --relax proper-names,...     names, acronyms or compounds of several words
  --turns 10 or 11             easier, for a first game; not scored

AND NOW
  brushpass learn              a guided first game, in five minutes
  brushpass play               a game with a bot; "help" explains what to type
  brushpass play --turns 11    a gentler one to begin with
  brushpass campaign new       the mission map, from Prague
"""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def rules(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """Tell how the game is played."""
    out = Output(json, quiet, verbose)
    if json:
        out.document({"schema": 1, "text": TEXT})
    else:
        out.lines([TEXT.rstrip("\n")])
