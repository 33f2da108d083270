"""docs/models.md: the converter it shows makes files that `evaluate humans` reads."""

import re
import subprocess
import sys
from pathlib import Path

from brushpass.semantics.guesses import read_items

PAGE = Path(__file__).parents[1] / "docs" / "models.md"
ROWS = """source,game,board,clue,number,targets,guesses,ordered,assassins
mine,1,apple|crown|river|desk,fruit,1,apple,apple,true,desk
mine,1,apple|crown|river|desk,fruit,1,apple,river,true,desk
mine,2,apple|crown|river|desk,wet,2,river|crown,river|apple,false,
"""


def test_the_converter_makes_items_of_a_spreadsheet(tmp_path):
    (script,) = re.findall(r"```python\n(# convert\.py\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "convert.py").write_text(script, encoding="utf-8")
    (tmp_path / "guesses.csv").write_text(ROWS, encoding="utf-8")
    command = [sys.executable, "convert.py", "guesses.csv"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    (tmp_path / "guesses.jsonl").write_text(made.stdout, encoding="utf-8")
    first, second = read_items([tmp_path / "guesses.jsonl"])
    assert (first.clue, first.guesses, first.assassins, first.ordered) == ("fruit", ((0,), (2,)), {3}, True)
    assert (second.number, second.targets, second.guesses, second.ordered) == (2, {1, 2}, ((2, 0),), False)
