"""The notebooks run top to bottom, and lie in git without outputs."""

import contextlib
import io
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_and_show_something(path):
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    names = {}
    for cell in cells:
        assert not cell["outputs"], "outputs are stripped in git"
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec("".join(cell["source"]), names)  # noqa: S102 - our own notebook
        assert shown.getvalue().strip()
