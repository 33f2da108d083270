"""Which words are said on 1,000 random boards, and whether the clue law allows them: `python benchmarks/sayable.py`.

For each level of clue words the embedding player says the first clue of a standard game. The tenths are those of the
level by frequency (wordfreq), the commonest first.
"""

from __future__ import annotations

import sys
from collections import Counter

from brushpass.duet.agents.embedding import Embedding
from brushpass.duet.agents.kernel import compile_kernels
from brushpass.duet.agents.options import DEFAULT_MIND
from brushpass.duet.core.deal import deal
from brushpass.duet.core.rules import new_game
from brushpass.duet.observe import observe
from brushpass.lexicon.vocabulary import LEVELS, Vocabulary, load_vocabulary
from brushpass.lexicon.wordlists import load_wordlist
from brushpass.semantics.catalog import load_mind

BOARDS = 1_000
TENTHS = 10


def first_clues(vocabulary: Vocabulary, boards: int) -> tuple[Counter[int], int, int]:
    """How many clues come from each tenth, how many break the law, and how many different ones there are."""
    player = Embedding(load_mind(DEFAULT_MIND), vocabulary, load_wordlist("english").words)
    tenths, said, broken = Counter[int](), set[str](), 0
    for seed in range(boards):
        setup = deal(seed=seed)
        view = observe(new_game(setup), setup.first, ())
        player.new_game(view, 0)
        word = player.give_clue(view).clue.word
        said.add(word)
        tenths[vocabulary.index[word] * TENTHS // len(vocabulary)] += 1
        broken += not setup.law.check(word, setup.board.words).legal
    return tenths, broken, len(said)


def main(boards: int = BOARDS) -> None:
    """Print a line a level."""
    compile_kernels()
    print(f"{boards} boards; of the clues, in %, from each tenth of the words, the commonest first")
    for name in LEVELS:
        tenths, broken, different = first_clues(load_vocabulary(name), boards)
        shares = " ".join(f"{100 * tenths[tenth] / boards:5.1f}" for tenth in range(TENTHS))
        print(f"{name:7}{shares}   against the law {broken}, different words {different}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
