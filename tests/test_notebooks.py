"""The notebooks run top to bottom in a kernel of their own, and lie in git without outputs."""

import ast
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

FOLDER = Path(__file__).parents[1] / "notebooks"
GLOVE, MINILM, PERSON = "embedding:model=glove", "embedding:model=minilm", "person:model=minilm"
SMALL = {
    "01_exploring_clues": {"MIND": "glove-norm", "OTHERS": ["glove"]},
    "02_benchmarking_agents": {
        "GAMES": 1,
        "CITIES": "prague,tokyo",
        "BOARDS": 2,
        "PAIRS": [(GLOVE, GLOVE), (GLOVE, MINILM), (GLOVE, PERSON), ("nearest:model=glove", PERSON)],
    },
    "03_minds_and_people": {"GAMES": 1, "EPOCHS": 2, "BOT": "glove", "MINDS": ["glove"]},
}
"""What stands in for the parameters of a notebook, so that it is quick."""
FIGURE, HTML, WIDGET = "image/svg+xml", "text/html", "application/vnd.jupyter.widget-view+json"


def read(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def executed(name, folder, *, before=None, **parameters):
    """The code cells after the notebook ran in `folder`, with `parameters` in place of its own.

    With the heading `before` it runs only as far as that.
    """
    notebook = read(name)
    if before is not None:
        (end,) = [place for place, cell in enumerate(notebook.cells) if cell.source.startswith(before)]
        del notebook.cells[end:]
    (asked,) = [cell for cell in code_cells(notebook) if "parameters" in cell.metadata.get("tags", [])]
    assert parameters.keys() <= {node.targets[0].id for node in ast.parse(asked.source).body}
    asked.source += "".join(f"\n{key} = {value!r}" for key, value in parameters.items())
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return code_cells(notebook)


def shown(cells):
    """What the cells show, in order: kinds of the richest form of each output."""
    kinds = []
    for cell in cells:
        for output in cell.outputs:
            assert output.output_type != "error"
            data = output.get("data", {})
            kinds += [next((kind for kind in (WIDGET, FIGURE, HTML) if kind in data), "text")]
    return kinds


def said(cells):
    return "".join(output.get("text", "") for cell in cells for output in cell.outputs)


def test_there_are_three_and_they_lie_without_outputs():
    assert [path.stem for path in sorted(FOLDER.glob("*.ipynb"))] == list(SMALL)
    for name in SMALL:
        notebook = read(name)
        nbformat.validate(notebook)
        for cell in code_cells(notebook):
            assert not cell.outputs
            assert cell.execution_count is None


@pytest.mark.parametrize("name", SMALL)
def test_a_notebook_calls_the_library_and_defines_nothing(name):
    for cell in code_cells(read(name)):
        lines = [line for line in cell.source.splitlines() if not line.startswith("%")]
        for node in ast.walk(ast.parse("\n".join(lines))):
            assert not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda)


def test_exploring_clues_shows_why(tmp_path):
    cells = executed("01_exploring_clues", tmp_path, **SMALL["01_exploring_clues"])
    kinds = shown(cells)
    assert (kinds.count(HTML), kinds.count(FIGURE), kinds.count(WIDGET)) == (6, 6, 1)
    told = "".join(output.get("data", {}).get(HTML, "") for cell in cells for output in cell.outputs)
    assert "likeliest mistake" in told
    assert "because" in told


def test_benchmarking_agents_shows_who_plays_well(tmp_path):
    cells = executed("02_benchmarking_agents", tmp_path, **SMALL["02_benchmarking_agents"])
    assert shown(cells) == [HTML, *[FIGURE] * 7]


def test_minds_and_people_skips_what_is_not_there(tmp_path):
    cells = executed("03_minds_and_people", tmp_path, **SMALL["03_minds_and_people"])
    assert "no guess sets in guesses: skipped" in said(cells)
    assert [kind for kind in shown(cells) if kind != "text"] == [FIGURE, HTML, HTML, FIGURE]


def test_minds_are_held_against_guess_sets(tmp_path):
    (tmp_path / "guesses").mkdir()
    line = '{"source":"mine","game":"%d","board":["apple","crown","river","desk"],"clue":"fruit","number":1,'
    line += '"targets":["apple"],"guesses":[["apple"],["crown"]],"ordered":true,"assassins":[],"bystanders":[]}\n'
    (tmp_path / "guesses" / "mine.jsonl").write_text("".join(line % game for game in range(3)))
    cells = executed("03_minds_and_people", tmp_path, before="## A small mind", **SMALL["03_minds_and_people"])
    assert "3 items in 1 files" in said(cells)
    assert shown(cells) == ["text", FIGURE, FIGURE, FIGURE]
