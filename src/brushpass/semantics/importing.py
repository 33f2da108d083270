"""Minds of one's own: a vector file under a name, in our format, in the user's data folder."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from brushpass.atomic import file_sha256
from brushpass.errors import CorruptData, InvalidSetup
from brushpass.semantics.blend import OPINIONS
from brushpass.semantics.catalog import MindInfo, changing, enter_mind, list_minds, read_manifest
from brushpass.semantics.conversions import ZIP, content_hash
from brushpass.semantics.loaders import gathered, read_vectors, sources
from brushpass.semantics.space import Precision, Space
from brushpass.semantics.vectorfile import Block, Progress, starts_with

PRECISIONS: tuple[Precision, ...] = ("int8", "float16")
_NAME = re.compile(r"\w[\w-]*")
_AT_ONCE = 1 << 13


def import_mind(
    source: Path,
    name: str,
    folder: Path,
    *,
    precision: Precision = "int8",
    temperature: float | None = None,
    licence: str | None = None,
    ingredients: Sequence[str] | None = None,
    max_words: int | None = None,
    trust_pickle: bool = False,
    replace: bool = False,
    on_progress: Progress | None = None,
) -> MindInfo:
    """Convert the vector file `source` into `folder` and give it `name` in the manifest there.

    The manifest names the old mind or the new one at any moment: the file is written whole before the entry. What is
    not given here stays as the manifest beside `source`, if it names that file, says.

    Args:
        source: any format that `loaders` reads, or our own.
        name: letters, digits, `-` and `_`.
        folder: where `manifest.json` lies or is to lie.
        precision: of the rows kept.
        temperature: of the choice model; without, the mind has that of a file that states none.
        licence: of the vectors.
        ingredients: what they were made from; by default the file itself.
        max_words: the file's first (most frequent) words only.
        trust_pickle: allow gensim's `.kv`, which can run code when it is opened.
        replace: take the place of the mind of that name in `folder`.
        on_progress: called with the share of the file that is read.

    Raises:
        InvalidSetup: a name that is taken or cannot be one, or a number that makes no sense.
        CorruptData: the file is missing or malformed, or the manifest in `folder` is.
        OSError: the folder cannot be written.
    """
    refuse_taken(name, folder, replace=replace)
    if precision not in PRECISIONS:
        raise InvalidSetup(f"precision {precision!r} is none of {', '.join(PRECISIONS)}")
    if temperature is not None and not (math.isfinite(temperature) and temperature > 0):
        raise InvalidSetup(f"temperature {temperature} is not a number above 0")
    if max_words is not None and max_words < 1:
        raise InvalidSetup(f"max words is {max_words}; it must be at least 1")
    try:
        origin = content_hash(sources(source, trust_pickle=trust_pickle))
        if starts_with(source, ZIP):
            space = gathered(source, _own_blocks(source, max_words), precision)
        else:
            space = read_vectors(
                source,
                max_words=max_words,
                trust_pickle=trust_pickle,
                precision=precision,
                on_progress=on_progress,
            )
    except OSError as error:
        raise CorruptData(f"cannot read model {source}: {error.strerror or error}") from error
    beside = next((info for info in read_manifest(source.parent) if info.sha256 == origin), None)
    if beside is None:
        beside = MindInfo(name, source, origin, ingredients=(f"file {origin[:12]}",))
    with entering(name, folder, replace=replace) as stem:
        path = space.save(folder / f"{stem}.npz")
        enter_mind(
            folder,
            name,
            anew=True,
            file=path.name,
            sha256=file_sha256(path),
            bytes=path.stat().st_size,
            dim=space.dim,
            words=len(space),
            licence=licence or beside.licence,
            source=source.name,
            ingredients=list(ingredients or beside.ingredients),
            built=f"imported from a file with sha256 {origin}, unit rows, {precision}",
            temperature=temperature or beside.temperature,
        )
    return next(info for info in read_manifest(folder) if info.name == name)


def refuse_taken(name: str, folder: Path, *, replace: bool) -> MindInfo | None:
    """Refuse a name that cannot be had; returns the mind that is to be replaced.

    Raises:
        InvalidSetup: the name is taken or cannot be one.
    """
    if not _NAME.fullmatch(name):
        raise InvalidSetup(f"{name!r} cannot name a model; use letters, digits, - and _")
    taken = {info.name: info for info in list_minds()}.get(name)
    if taken is None:
        return None
    if taken.path.parent.resolve() != folder.resolve():
        raise InvalidSetup(f"there is a model {name!r} already, {taken.path}; choose another --name")
    if not replace:
        raise InvalidSetup(f"there is a model {name!r} already; add --replace or choose another --name")
    return taken


@contextmanager
def entering(name: str, folder: Path, *, replace: bool) -> Iterator[str]:
    """Alone with the manifest in `folder`, to write a mind's files and then its entry.

    In the end the files of the old mind are deleted, or, if that fails, those just written. Gives what the files are
    to be called: the mind of that name is in use until the manifest names other files.

    Raises:
        InvalidSetup: the name is taken or cannot be one.
    """
    with changing(folder):
        old = refuse_taken(name, folder, replace=replace)
        stem = _free(folder, name)
        try:
            yield stem
        except BaseException:
            for file in (
                f"{stem}.npz",
                f"{stem}-scales.npy",
                *opinion_files(stem),
                norm_file(stem),
                f"norm/{stem}.npz",
            ):
                (folder / file).unlink(missing_ok=True)
            raise
        for path in () if old is None else old.files:
            path.unlink(missing_ok=True)


def _free(folder: Path, name: str) -> str:
    stem, number = name, 1
    while (folder / f"{stem}.npz").exists() or (folder / norm_file(stem)).exists():
        stem, number = f"{name}-{number}", number + 1
    return stem


def norm_file(stem: str) -> str:
    """Where the norm of a mind whose files are called so lies, as seen from the manifest."""
    return f"norm/{stem}.tsv"


def opinion_files(stem: str) -> tuple[str, ...]:
    """Where the further spaces of such a mind lie, as many as there may be."""
    return tuple(f"{stem}-{name}.npz" for name in OPINIONS)


def _own_blocks(path: Path, max_words: int | None) -> Iterator[Block]:
    space = Space.open(path)
    space.check()
    words = list(space.words[:max_words])
    for start in range(0, len(words), _AT_ONCE):
        block = words[start : start + _AT_ONCE]
        yield block, space.matrix(block)
