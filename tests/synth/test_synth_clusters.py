"""Clusters that some features show and others hide."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from fewer.core.records.errors import InputError, ParameterError
from fewer.synth import (
    make_cluster_irrelevant,
    make_cluster_redundant,
    make_dim_dependent_clusters,
    make_noise_feature_clusters,
    make_subspace_clusters,
    make_uniform_cube,
    unit_box_counts,
)


def best_k(X):
    """Return the number of Gaussians of the least BIC."""
    return min(range(1, 6), key=lambda k: GaussianMixture(k, n_init=3, random_state=0).fit(X).bic(X))


def test_the_number_of_clusters_depends_on_the_features():
    data = make_dim_dependent_clusters(random_state=0)
    assert best_k(data.X[:, :1]) == 2
    assert best_k(data.X) == 3
    centres = [data.X[data.y == c].mean(axis=0) for c in range(3)]
    np.testing.assert_allclose(centres, [[0, 0], [0, 6], [6, 3]], atol=0.4)


def test_an_irrelevant_feature_has_one_mode_and_a_redundant_one_repeats():
    data = make_cluster_irrelevant(random_state=0)
    assert (best_k(data.X[:, :1]), best_k(data.X[:, 1:])) == (2, 1)
    assert data.irrelevant == (1,)
    data = make_cluster_redundant(random_state=0)
    assert (best_k(data.X[:, :1]), best_k(data.X[:, 1:])) == (2, 2)
    assert np.corrcoef(data.X.T)[0, 1] > 0.99
    assert data.redundant == {1: 0}
    assert data.irrelevant == ()


def test_compact_clusters_beside_uniform_noise():
    data = make_noise_feature_clusters(300, n_irrelevant=2, random_state=0)
    found = KMeans(2, n_init=5, random_state=0).fit(data.X[:, :2]).labels_
    assert adjusted_rand_score(data.y, found) == 1.0
    noise = data.X[:, 2:]
    assert -2 <= noise.min() < -1.8
    assert 7.8 < noise.max() <= 8
    # Nothing about the clusters.
    assert np.abs(noise[data.y == 0].mean(axis=0) - noise[data.y == 1].mean(axis=0)).max() < 1.0


def test_clusters_are_narrow_in_their_own_features_only():
    data = make_subspace_clusters(500, 3, 2, 3, 80, random_state=0)
    assert np.bincount(data.y).tolist() == [140, 140, 140, 80]
    assert data.relevant == tuple(range(6))
    for c in range(4):
        spread = data.X[data.y == c].std(axis=0)
        own = (2 * c, 2 * c + 1) if c < 3 else ()
        for j in range(9):
            assert (spread[j] < 0.03) == (j in own)
            assert j in own or 0.24 < spread[j] < 0.34
    with pytest.raises(ParameterError, match="smaller n_background"):
        make_subspace_clusters(10, 3, n_background=8)


def test_a_unit_box_is_ever_emptier():
    data = make_uniform_cube(40_000, 4, random_state=0)
    found = unit_box_counts(data.X)
    for k, count in enumerate(found, 1):
        expected = 40_000 / 2**k
        assert abs(count - expected) < 4 * np.sqrt(expected * (1 - 1 / 2**k))
    small = make_uniform_cube(random_state=3)
    assert small.X.shape == (25, 3)
    counts = unit_box_counts(small.X)
    assert counts.tolist() == [int((small.X[:, : k + 1] <= 1).all(axis=1).sum()) for k in range(3)]
    assert (np.diff(counts) <= 0).all()
    # The same first coordinates, whatever their number.
    np.testing.assert_array_equal(make_uniform_cube(25, 2, random_state=3).X, small.X[:, :2])
    with pytest.raises(InputError, match="1 dimension"):
        unit_box_counts([1.0, 2.0])
    with pytest.raises(InputError, match="numbers"):
        unit_box_counts([["a", "b"]])
