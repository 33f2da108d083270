"""Make the word data anew: `python -m brushpass.lexicon.build`, from the repository's root."""

from __future__ import annotations

from pathlib import Path

from brushpass.lexicon.build import law, wordnet


def main(root: Path = Path("wordlists")) -> None:
    """Write the tables under `root`, each from those before it."""
    (root / "law" / "wordnet.txt").write_text(wordnet.table(), encoding="utf-8")
    (root / "law" / "families.txt").write_text(law.table(), encoding="utf-8")


if __name__ == "__main__":
    main()
