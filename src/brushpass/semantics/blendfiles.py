"""What a blended mind keeps in files beside its vectors: the norm's graph, and the scales of its cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from brushpass.atomic import file_sha256, replacing
from brushpass.errors import CorruptData
from brushpass.semantics.blend import OPINIONS, Blend, features_with, reference_rows
from brushpass.semantics.graph import graph
from brushpass.semantics.norm import Norm
from brushpass.semantics.space import Floats, Space


def keep_parts(
    folder: Path, name: str, norm: str, graph_file: str, space: Space, opinions: Sequence[str] = ()
) -> tuple[Blend, dict[str, object]]:
    """Make and write graph and scales of the norm in `folder`, for vectors `space`.

    Args:
        folder: where the manifest lies; files are named as seen from it.
        name: of the mind.
        norm: the norm's file.
        graph_file: the graph's file to be.
        space: the mind's vectors.
        opinions: the files of further spaces.

    Returns:
        The blend, all its weights 0, and its manifest entry without weights.
    """
    listed = Norm(folder / norm)
    path = graph(listed).save(folder / graph_file)
    weights = (0.0,) * len(features_with(len(opinions)))
    beside = tuple(Space.open(folder / file) for file in opinions)
    blend = Blend(listed, Space.open(path), space, weights, reference_rows(space), opinions=beside)
    scales = np.array([blend.scales_of(card) for card in listed.cards()], np.float32)
    scales_path = folder / f"{name}-scales.npy"
    with replacing(scales_path) as file:
        np.save(file, scales, allow_pickle=False)
    entry: dict[str, object] = {
        "norm": norm,
        "norm_sha256": listed.sha256,
        "graph": graph_file,
        "graph_sha256": file_sha256(path),
        "scales": scales_path.name,
        "scales_sha256": file_sha256(scales_path),
    }
    for feature, opinion in zip(OPINIONS, opinions, strict=False):
        entry |= {feature: opinion, f"{feature}_sha256": file_sha256(folder / opinion)}
    return replace(blend, scales=scales), entry


def read_scales(path: Path, norm: Norm, opinions: int) -> Floats:
    """The scales (cards, 3 + opinions, 2) of the cards of `norm`.

    Raises:
        CorruptData: the file is missing or damaged, or is of another norm.
    """
    try:
        with path.open("rb") as file:
            scales = np.lib.format.read_array(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise CorruptData(f"cannot read {path}: {error}") from error
    shape = len(norm), 3 + opinions, 2
    if scales.shape != shape or scales.dtype != np.float32 or not np.isfinite(scales).all() or not scales[..., 1].all():
        raise CorruptData(f"{path} holds {scales.dtype} {scales.shape}, not the scales of the norm's {len(norm)} cards")
    return np.asarray(scales)
