"""What raw vectors need before their cosines mean association: centring, and the loss of their commonest directions."""

from __future__ import annotations

import numpy as np

from brushpass.semantics.space import Floats

FREQUENT = 30_000
"""How many of the most frequent words tell what all words have in common (MODELS recipe, step 3)."""

SPOKEN = 10_000
"""How many of them decide which dimensions are worth keeping: about as many as are said in play. Fitted on these
rather than on all words, 160 dimensions foresee people's guesses a little better (log-likelihood +.006 to +.015)."""


def clean(vectors: Floats, components: int, frequent: int = FREQUENT) -> Floats:
    """Centre `vectors` (n, d), take out the first principal components, and make each row unit length.

    Mean and components are those of the first `frequent` rows: words come most frequent first.
    """
    from sklearn.decomposition import PCA

    pca = PCA(n_components=components, svd_solver="covariance_eigh").fit(vectors[:frequent].astype(np.float64))
    centred = vectors - pca.mean_
    return unit(centred - (centred @ pca.components_.T) @ pca.components_)


def reduce(vectors: Floats, dim: int) -> Floats:
    """Unit `vectors` (n, d) in the `dim` directions in which the first `SPOKEN` rows vary most, unit length again."""
    from sklearn.decomposition import PCA

    pca = PCA(n_components=dim, svd_solver="covariance_eigh").fit(vectors[:SPOKEN].astype(np.float64))
    return unit(vectors @ pca.components_.T)


def unit(vectors: Floats) -> Floats:
    """Rows divided by their lengths, as float32."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)
