"""A norm of one's own: association data that one holds, as a norm and a mind that thinks with it."""

from __future__ import annotations

import shutil
from pathlib import Path

from brushpass.atomic import replacing
from brushpass.errors import InvalidSetup, UnknownData
from brushpass.registry import unknown
from brushpass.semantics.blendfiles import keep_parts
from brushpass.semantics.catalog import MindInfo, enter_mind, list_minds, read_manifest
from brushpass.semantics.importing import entering, norm_file, opinion_files, refuse_taken
from brushpass.semantics.responses import norm_text, read_responses
from brushpass.semantics.space import Space

OWN_NORM = "brushpass-norm"
"""The ingredient that an imported norm takes the place of."""


def import_norm(
    source: Path, name: str, folder: Path, *, model: str, licence: str = "unknown", replace: bool = False
) -> MindInfo:
    """Make the association data in `source` a norm in `folder`, and a mind of that name: `model` with this norm.

    The new mind has the vectors and the weights of `model`; the weights were fitted with another norm, so they may
    be fitted anew on people's guesses.

    Args:
        source: a table that `responses` reads.
        name: letters, digits, `-` and `_`.
        folder: where `manifest.json` lies or is to lie.
        model: a mind that has a norm.
        licence: of the data.
        replace: take the place of the mind of that name in `folder`.

    Raises:
        InvalidSetup: a name that is taken or cannot be one, or a model without a norm.
        UnknownName: no such model.
        CorruptData: the data is missing or malformed.
        OSError: the folder cannot be written.
    """
    refuse_taken(name, folder, replace=replace)
    minds = {info.name: info for info in list_minds()}
    if model not in minds:
        raise unknown("model", model, minds, UnknownData)
    base = minds[model]
    if base.blend is None:
        raise InvalidSetup(f"model {model} thinks without a norm; choose --model default, glove-norm or glove-use")
    text = norm_text(read_responses(source), name, licence, source.name)
    with entering(name, folder, replace=replace) as stem:
        norm, vectors, beside = norm_file(stem), f"{stem}.npz", base.blend.opinions
        with replacing(folder / norm) as file:
            file.write(text.encode(errors="replace"))
        _copy(base.path, folder / vectors)
        opinions = opinion_files(stem)[: len(beside)]
        for (path, _), opinion in zip(beside, opinions, strict=True):
            _copy(path, folder / opinion)
        _, entry = keep_parts(folder, stem, norm, f"norm/{stem}.npz", Space.open(folder / vectors), opinions)
        enter_mind(
            folder,
            name,
            anew=True,
            file=vectors,
            sha256=base.sha256,
            bytes=base.size,
            dim=base.dim,
            words=base.words,
            licence=f"{base.licence}; norm: {licence}",
            source=f"{base.source}; norm: {source.name}",
            ingredients=[
                *(each for each in base.ingredients if each != OWN_NORM),
                f"norm {str(entry['norm_sha256'])[:12]}",
            ],
            built=f"{model} with a norm imported from {source.name}",
            temperature=base.temperature,
            blend=entry | base.blend.fitted,
        )
    return next(info for info in read_manifest(folder) if info.name == name)


def _copy(path: Path, to: Path) -> None:
    with replacing(to) as file, path.open("rb") as given:
        shutil.copyfileobj(given, file)
