"""Pairs at the limits: one cluster left, pure blocks, very large, very small and very different numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse

from fewer import RCA, ConstrainedCoClustering, ConstraintProjection, Pairs, PCSKMeans, XingMetric
from fewer.core.clustering.apart import PartedUnits
from fewer.core.clustering.directions import group_directions

LINKS = ([(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)], [(0, 2), (3, 4)])
X = np.random.default_rng(0).normal(size=(12, 3))


def places(pairs, near):
    """Return where units go, by trying all clusters."""
    k, placed = near.shape[1], {}

    def allowed(unit):
        taken = {placed[other] for pair in pairs if unit in pair for other in pair if other in placed and other != unit}
        return [c for c in range(k) if c not in taken] or list(range(k))

    for a, b in pairs:
        if a not in placed and b not in placed:
            both = [(near[a, c] + near[b, e], c, e) for c, e in itertools.product(allowed(a), allowed(b)) if c != e]
            alone = (0.0, allowed(a)[0], int(np.argmax(near[b])))
            _, placed[a], placed[b] = max(both) if both else alone
        for unit in (a, b):
            if unit not in placed:
                placed[unit] = max(allowed(unit), key=near[unit].__getitem__)
    return placed


@pytest.mark.parametrize("seed", range(300))
def test_units_go_where_trying_all_clusters_says(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(3, 10)), int(rng.integers(2, 5))
    near = rng.normal(size=(n, k))
    drawn = [tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(int(rng.integers(1, 12)))]
    pairs = list(dict.fromkeys(drawn))
    apart, labels = PartedUnits.of(np.array(pairs)), np.zeros(n, dtype=int)
    apart.place(labels, near[apart.units])
    assert {unit: int(labels[unit]) for unit in apart.units.tolist()} == places(pairs, near)


def test_an_empty_cluster_gets_the_unit_that_fits_worst_where_it_was_settled():
    U = np.array([[1.0, 0.0], [0.999, 0.0447], [0.6, 0.8], [0.97, 0.243]])
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    centres = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])

    def settle(labels, near):
        labels[:] = [0, 1, 0, 0]
        return 0

    # The second row was sent to a centre at a right angle, but is alone there; of the others the third fits worst.
    found = group_directions(U, centres, 1, 0.0, np.array([0, 1, 2, 3]), settle)
    assert found.labels.tolist() == [0, 1, 2, 0]

    def crowded(labels, near):
        labels[:] = [0, 1, 0, 1]
        return 0

    # Of all, the second fits worst where it is now, though the centre nearest to it fits well.
    assert group_directions(U, centres, 1, 0.0, np.arange(4), crowded).labels.tolist() == [0, 2, 0, 1]


def test_a_pair_in_a_pure_block_is_parted():
    blocks = np.kron(np.eye(2), np.ones((4, 3)))
    found = ConstrainedCoClustering(2, random_state=0).fit(blocks, pairs=([], [(0, 1)]))
    assert found.n_violated_ == 0
    assert found.labels_[0] != found.labels_[1]


@pytest.mark.parametrize("scale", [1e-200, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize(
    "made",
    [ConstraintProjection(2), ConstraintProjection(2, must_link="merge"), RCA(), RCA(1), XingMetric(),
     XingMetric("full")],
    ids=str,
)  # fmt: skip
def test_weights_of_features_do_not_know_the_unit(made, scale):
    want = made.fit(X, pairs=LINKS).selection_.scores
    found = made.fit(X * scale, pairs=LINKS)
    np.testing.assert_allclose(found.selection_.scores, want, rtol=1e-6, atol=1e-9)
    assert np.isfinite(found.transform(X * scale)).all()


def test_rca_takes_columns_of_different_units():
    units = np.array([1.0, 1e7, 1e-3])
    W = RCA().fit(X * units, pairs=LINKS).components_
    about = np.vstack([(X[[i, j]] - X[[i, j]].mean(axis=0)) * units for i, j in LINKS[0]])
    np.testing.assert_allclose(W @ (about.T @ about / 10) @ W.T, np.eye(3), atol=1e-4)


def test_a_must_link_far_longer_than_all_cannot_links():
    found = XingMetric().fit([[1.0, 2], [1e200, 2], [3, 4]], pairs=([(0, 1)], [(0, 2)]))
    assert found.selection_.indices.tolist() == [1]


def test_names_of_many_features_need_no_matrix_of_them():
    rng = np.random.default_rng(0)
    text = scipy.sparse.random_array((60, 60_000), density=0.002, random_state=rng, format="csr")
    pairs = Pairs(60, [(i, i + 1) for i in range(0, 30, 2)], [(i, i + 30) for i in range(30)])
    found = XingMetric().fit(text, pairs=pairs)
    assert len(found.get_feature_names_out()) == 60_000
    assert found.gap_ <= 1e-6
    assert scipy.sparse.issparse(found.transform(text))


def test_paired_rows_that_cancel_have_no_cluster():
    rows = np.vstack([X, -X[:1]])
    labels = PCSKMeans(2, random_state=0).fit(rows, pairs=([(0, 12)], [])).labels_
    assert labels[[0, 12]].tolist() == [-1, -1]
    assert (labels[1:12] >= 0).all()
