"""Words as points of a plane: the two directions in which their vectors differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from brushpass.errors import InvalidSetup
from brushpass.semantics.mind import Mind


@dataclass(frozen=True, slots=True)
class Plane:
    """Words with their points (n, 2), and the share of the variance of their vectors that the plane keeps."""

    mind: str
    words: tuple[str, ...]
    points: npt.NDArray[np.float64]
    kept: float


def plane_of(mind: Mind, words: Sequence[str]) -> Plane:
    """Principal components of the unit vectors of those `words` that `mind` knows; a norm has no part in it.

    Raises:
        InvalidSetup: it knows fewer than three of them.
    """
    from sklearn.decomposition import KernelPCA

    known = tuple(word for word in words if mind.knows(word))
    if len(known) < 3:
        raise InvalidSetup(f"model {mind.name} knows {len(known)} of these words; a plane needs three")
    cosines = mind.cosines(known, known).astype(np.float64)
    principal = KernelPCA(n_components=2, kernel="precomputed")
    points = principal.fit_transform(cosines)
    points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)
    spread = float(np.trace(cosines) - cosines.sum() / len(known))
    return Plane(mind.name, known, points, float(principal.eigenvalues_.sum()) / spread)
