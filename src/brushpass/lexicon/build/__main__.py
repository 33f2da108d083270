"""Make the word data anew: `python -m brushpass.lexicon.build`, from the repository's root."""

from __future__ import annotations

from pathlib import Path

from brushpass.lexicon.build import clues, glosses, law, wordnet
from brushpass.lexicon.build.sayable import LEVELS
from brushpass.lexicon.vocabulary import PERSON


def main(root: Path = Path("wordlists")) -> None:
    """Write the data under `root`, each file from those before it; what is frozen is only written if missing."""
    for name in (*clues.NOTES, *LEVELS):
        path = root / "clues" / f"{name}.txt"
        if name != PERSON or not path.exists():
            path.write_text(clues.text(name), encoding="utf-8")
    (root / "dictionary" / "glosses.txt").write_text(glosses.table(), encoding="utf-8")
    (root / "law" / "wordnet.txt").write_text(wordnet.table(), encoding="utf-8")
    (root / "law" / "families.txt").write_text(law.table(), encoding="utf-8")


if __name__ == "__main__":
    main()
