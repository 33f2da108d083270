"""The minds there are: those a `models/manifest.json` names, and any vector file by its path."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from brushpass import paths
from brushpass.atomic import file_sha256, locked, replacing
from brushpass.errors import CorruptData, InvalidSetup, UnknownData
from brushpass.registry import unknown
from brushpass.semantics.blend import OPINIONS, Blend, features_with, reference_rows
from brushpass.semantics.blendfiles import read_scales
from brushpass.semantics.mind import DEFAULT_TEMPERATURE, Mind
from brushpass.semantics.norm import Norm
from brushpass.semantics.space import Space

FOLDER = "models"
MANIFEST = "manifest.json"
PATIENCE = 60.0
"""Seconds to wait for another program that is changing a manifest."""
SUFFIXES = frozenset({".bin", ".gz", ".kv", ".model", ".npz", ".txt", ".vec"})
"""What makes a bare name a file's."""


@dataclass(frozen=True)
class MindInfo:
    """What a manifest says of a mind."""

    name: str
    path: Path
    sha256: str
    licence: str = "unknown"
    source: str = "unknown"
    ingredients: tuple[str, ...] = ()
    temperature: float = DEFAULT_TEMPERATURE
    size: int = 0
    """Bytes of the file."""
    dim: int = 0
    words: int = 0
    built: str = ""
    """How the file was made."""
    fit: dict[str, Any] = field(default_factory=dict, compare=False)
    """On what the temperature was fitted: n, standard error, log-likelihood."""
    blend: BlendInfo | None = None
    """How the mind uses a norm of associations, if it does."""

    @property
    def files(self) -> dict[Path, str]:
        """The hash of each file the mind is made of."""
        return {self.path: self.sha256} | ({} if self.blend is None else self.blend.files)

    @property
    def mind_sha256(self) -> str:
        """The mind's own hash: its file's, or one of file, norm, graph, further spaces and weights."""
        blend = self.blend
        if blend is None:
            return self.sha256
        opinions = (sha256 for _, sha256 in blend.opinions)
        return _digest(self.sha256, blend.norm_sha256, blend.graph_sha256, *opinions, *blend.weights)


@dataclass(frozen=True)
class BlendInfo:
    """What a manifest says of a mind's norm: the files it goes with, weights by feature, sharpness."""

    norm: Path
    norm_sha256: str
    graph: Path
    graph_sha256: str
    scales: Path
    scales_sha256: str
    weights: tuple[float, ...]
    sharpness: tuple[float, ...]
    opinions: tuple[tuple[Path, str], ...] = ()
    """The file of each further space, and its hash."""

    @property
    def files(self) -> dict[Path, str]:
        """The hash of each."""
        files = {self.norm: self.norm_sha256, self.graph: self.graph_sha256, self.scales: self.scales_sha256}
        return files | dict(self.opinions)

    @property
    def fitted(self) -> dict[str, object]:
        """Weights and sharpness as the manifest has them."""
        weights = dict(zip(features_with(len(self.opinions)), self.weights, strict=True))
        return {"weights": weights, "sharpness": list(self.sharpness)}


def list_minds() -> tuple[MindInfo, ...]:
    """The minds of all data folders, by name; of equal names the first folder's counts.

    Raises:
        CorruptData: a manifest that is unreadable or incomplete.
    """
    minds: dict[str, MindInfo] = {}
    for root in paths.data_roots():
        for info in read_manifest(root / FOLDER):
            minds.setdefault(info.name, info)
    return tuple(minds[name] for name in sorted(minds))


def read_manifest(folder: Path) -> tuple[MindInfo, ...]:
    """The minds that the manifest in `folder` names; none without a manifest.

    Raises:
        CorruptData: the manifest is unreadable or incomplete.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return ()
    try:
        entries = json.loads(path.read_bytes())["minds"]
        return tuple(_info(folder, name, entry) for name, entry in entries.items())
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise CorruptData(f"cannot read {path}: {error}") from error
    except KeyError as error:
        raise CorruptData(f"{path} lacks the key {error}") from error


def load_mind(name_or_path: str | Path, *, max_words: int | None = None, trust_pickle: bool = False) -> Mind:
    """The mind of that name, or the one made of the vector file at that path.

    A file in our own `.npz` format is opened as it is; any other is converted once (see `loaders`). Opening the
    same mind again in one process gives the same object.

    Args:
        name_or_path: a name of `list_minds()`, or a path; a name wins over a file of that name.
        max_words: use the file's first (most frequent) words only.
        trust_pickle: allow gensim's `.kv`, which can run code when it is opened.

    Raises:
        UnknownName: neither a name nor a path.
        CorruptData: the file is missing or malformed.
        InvalidSetup: `max_words` below 1.
    """
    if max_words is not None and max_words < 1:
        raise InvalidSetup(f"max words is {max_words}; it must be at least 1")
    text = os.fspath(name_or_path)
    minds = {info.name: info for info in list_minds()}
    if text in minds and isinstance(name_or_path, str):
        return _open_named(minds[text], max_words)
    path = Path(text).expanduser()
    if not isinstance(name_or_path, Path) and not _looks_like_path(text) and not path.is_file():
        raise unknown("model", text, minds, UnknownData)
    try:
        state = path.stat()
    except OSError as error:
        raise CorruptData(f"cannot read model {path}: {error.strerror}") from error
    if not path.is_file():
        raise CorruptData(f"cannot read model {path}: not a file")
    return _open_file(path.resolve(), (state.st_size, state.st_mtime_ns), max_words, trust_pickle)


def verify_mind(info: MindInfo) -> None:
    """Compare a shipped file with its manifest entry, every byte of it.

    Raises:
        CorruptData: the file is missing, or another than the manifest says.
    """
    for path, sha256 in info.files.items():
        found = _file_sha256(info.name, path)
        if found != sha256:
            raise CorruptData(f"{path} has sha256 {found}; {info.name}'s manifest says {sha256}: get the file again")
    space = Space.open(info.path)
    space.check()
    if (len(space), space.dim) != (info.words, info.dim):
        raise CorruptData(f"{info.path} holds {len(space)} words of {space.dim} numbers; its manifest says otherwise")


def record_mind(folder: Path, name: str, *, anew: bool = False, **entry: object) -> None:
    """Write or change the manifest entry `name` in `folder`; keys that are not given stay, unless it begins `anew`.

    Raises:
        CorruptData: the manifest that is there is unreadable or incomplete.
        OSError: the folder cannot be written, or another program is writing the manifest.
    """
    with changing(folder):
        enter_mind(folder, name, anew=anew, **entry)


@contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Alone with the manifest in `folder`: what others change at the same time is not lost."""
    with locked(folder / MANIFEST, PATIENCE):
        yield


def enter_mind(folder: Path, name: str, *, anew: bool = False, **entry: object) -> None:
    """`record_mind`, by one who is `changing` the folder already."""
    read_manifest(folder)
    path = folder / MANIFEST
    manifest: dict[str, Any] = {"schema": 1, "minds": {}}
    if path.is_file():
        manifest = json.loads(path.read_bytes())
    old = {} if anew else manifest["minds"].get(name, {})
    manifest["minds"][name] = {**old, **entry}
    with replacing(path) as file:
        file.write(json.dumps(manifest, indent=2, ensure_ascii=False).encode(errors="replace") + b"\n")


def _info(folder: Path, name: str, entry: dict[str, Any]) -> MindInfo:
    return MindInfo(
        name=name,
        path=folder / entry["file"],
        sha256=entry["sha256"],
        licence=entry["licence"],
        source=entry["source"],
        ingredients=tuple(entry["ingredients"]),
        temperature=_positive(entry.get("temperature", DEFAULT_TEMPERATURE)),
        size=entry["bytes"],
        dim=entry["dim"],
        words=entry["words"],
        built=entry.get("built", ""),
        fit=entry.get("fit", {}),
        blend=_blend_info(folder, entry["blend"]) if "blend" in entry else None,
    )


def _blend_info(folder: Path, entry: dict[str, Any]) -> BlendInfo:
    opinions = [name for name in OPINIONS if name in entry]
    return BlendInfo(
        norm=folder / entry["norm"],
        norm_sha256=entry["norm_sha256"],
        graph=folder / entry["graph"],
        graph_sha256=entry["graph_sha256"],
        scales=folder / entry["scales"],
        scales_sha256=entry["scales_sha256"],
        weights=tuple(float(entry["weights"][feature]) for feature in features_with(len(opinions))),
        sharpness=tuple(_positive(factor) for factor in entry["sharpness"]) or (1.0,),
        opinions=tuple((folder / entry[name], entry[f"{name}_sha256"]) for name in opinions),
    )


def _positive(value: Any) -> float:  # noqa: ANN401 - whatever the manifest says
    if not 0 < float(value) < math.inf:
        raise ValueError(f"{value} is not a number above 0")
    return float(value)


def _looks_like_path(text: str) -> bool:
    return "/" in text or os.sep in text or Path(text).suffix in SUFFIXES


@lru_cache(maxsize=8)
def _open_named(info: MindInfo, max_words: int | None) -> Mind:
    """The mind of a manifest entry. The hash is not taken anew (`verify_mind` does that), the size is compared."""
    try:
        size = info.path.stat().st_size
    except OSError as error:
        raise CorruptData(f"cannot read model {info.name}: {info.path}: {error.strerror}") from error
    if size != info.size:
        raise CorruptData(f"{info.path} has {size} bytes; its manifest says {info.size}: get the file again")
    return _mind(info, Space.open(info.path), max_words)


@lru_cache(maxsize=8)
def _open_file(
    path: Path,
    state: tuple[int, int],  # noqa: ARG001 - size and time of change, so that a new file is no cached mind
    max_words: int | None,
    trust_pickle: bool,
) -> Mind:
    from brushpass.semantics.conversions import open_file

    space, sha256 = open_file(path, max_words=max_words, trust_pickle=trust_pickle)
    try:
        beside = read_manifest(path.parent)
    except CorruptData:
        beside = ()  # some other program's manifest
    info = next((info for info in beside if info.sha256 == sha256), None)
    ingredient = f"file {sha256[:12]}"
    return _mind(
        info or MindInfo(path.stem, path, sha256, source=path.name, ingredients=(ingredient,)), space, max_words
    )


def _mind(info: MindInfo, space: Space, max_words: int | None) -> Mind:
    sha256 = info.mind_sha256
    if max_words is not None:
        space = space.head(max_words)
        sha256 = _digest(sha256, max_words)
    mind = Mind(info.name, sha256, space, info.temperature, info.ingredients, info.licence, info.source)
    if info.blend is None:
        return mind
    return replace(mind, blend=_open_blend(info.blend, space, max_words), sharpness=info.blend.sharpness)


def _open_blend(info: BlendInfo, space: Space, max_words: int | None) -> Blend:
    norm, graph = _open_norm(info.norm, info.norm_sha256), _open_space(info.graph, info.graph_sha256)
    opinions = tuple(_open_space(*file) for file in info.opinions)
    scales = None if max_words else read_scales(info.scales, norm, len(opinions))
    return Blend(norm, graph, space, info.weights, reference_rows(space), scales, opinions)


@lru_cache(maxsize=4)
def _open_norm(path: Path, sha256: str) -> Norm:  # noqa: ARG001 - so that a new file is no cached norm
    return Norm(path)


@lru_cache(maxsize=8)
def _open_space(path: Path, sha256: str) -> Space:  # noqa: ARG001 - so that a new file is no cached space
    return Space.open(path)


def _file_sha256(name: str, path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        raise CorruptData(f"cannot read model {name}: {path}: {error.strerror}") from error


def _digest(*parts: object) -> str:
    return hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()
