"""ConstraintProjection, RCA and XingMetric against full matrices and generic solvers, and facts of their entries."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline

import fewer
from fewer.core.records.errors import InputError, RequirementError
from oracles import pair_metrics as oracle

# The example of the entry in the catalogue.
X6 = np.array([(0, 0, 0), (1, 0, 1), (4, 1, 0), (5, 1, 2), (2, 6, 1), (3, 7, 1)], dtype=float)
MUST6, CANNOT6 = [(0, 1), (2, 3), (4, 5)], [(0, 2), (1, 4), (3, 5)]


def problem(seed, n_rows=None, n_features=None, whole=False):
    rng = np.random.default_rng(seed)
    n = n_rows or int(rng.integers(8, 25))
    d = n_features or int(rng.integers(1, 12))
    X = rng.integers(0, 4, (n, d)).astype(float) if whole else rng.normal(size=(n, d)) * rng.exponential(1, d)
    labels = rng.integers(0, 3, n)
    pairs = np.array([rng.choice(n, 2, replace=False) for _ in range(int(rng.integers(4, 3 * n)))])
    same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    return X, fewer.Pairs(n, pairs[same], pairs[~same])


def test_worked_example_of_the_projection():
    Q = oracle.projection_matrix(X6, MUST6, CANNOT6) * 2
    np.testing.assert_array_equal(Q, [[18, -3, -1], [-3, 72, -6], [-1, -6, -4]])
    pairs = fewer.Pairs(6, MUST6, CANNOT6)
    wanted = {0.5: [72.62611909, 17.91227965, -4.53839874], 0.0: [73.58522461, 21.07364102, 0.34113437]}
    wanted[1.0] = [-0.0814774, -1.7003359, -7.2181867]
    for beta, values in wanted.items():
        found = fewer.ConstraintProjection(3, beta=beta, axes="all").fit(X6, pairs=pairs)
        np.testing.assert_allclose(found.eigenvalues_ * (2 if beta == 0.5 else 1), values, atol=5e-8)
    best = fewer.ConstraintProjection(2).fit(X6, pairs=pairs)
    assert 2 * best.eigenvalues_.sum() == pytest.approx(90.53839874, abs=1e-8)
    rng = np.random.default_rng(0)
    for _ in range(500):
        P = np.linalg.qr(rng.normal(size=(3, 2)))[0]
        assert np.trace(P.T @ Q @ P) <= 90.53839875


def test_null_directions_come_before_those_that_draw_together():
    """N = 50 with 5 cannot- and 3 must-links: the 6th eigenvalue of Q is 0."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(16, 50))
    pairs = fewer.Pairs(16, [(0, 1), (2, 3), (4, 5)], [(6, 7), (8, 9), (10, 11), (12, 13), (14, 15)])
    with pytest.warns(UserWarning, match="of which the pairs say nothing"):
        found = fewer.ConstraintProjection(6, axes="all").fit(X, pairs=pairs)
    assert (found.eigenvalues_[:5] > 0).all()
    assert found.eigenvalues_[5] == 0
    assert len(fewer.ConstraintProjection(6).fit(X, pairs=pairs).components_) == 5


@pytest.mark.parametrize("seed", range(40))
def test_projection_is_the_top_of_the_eigenproblem(seed):
    X, pairs = problem(seed, whole=seed % 3 == 0)
    beta, k = [0.5, 0.1, 0.9, 0.0][seed % 4], 1 + seed % 5
    Q = oracle.projection_matrix(X, pairs.must, pairs.cannot, beta)
    values = np.linalg.eigvalsh(Q)[::-1]
    positive = values[: min(k, int((values > 1e-9 * abs(values).max()).sum()))]
    if not len(positive):
        with pytest.raises(RequirementError, match="draws apart"):
            fewer.ConstraintProjection(k, beta=beta).fit(X, pairs=pairs)
        return
    for data in (X, scipy.sparse.csr_array(X), X + 1000.0):
        found = fewer.ConstraintProjection(k, beta=beta).fit(data, pairs=pairs)
        np.testing.assert_allclose(found.eigenvalues_, positive, rtol=1e-6, atol=1e-6 * abs(values).max())
        P = found.components_
        np.testing.assert_allclose(P @ P.T, np.eye(len(P)), atol=1e-6)
        assert np.trace(P @ Q @ P.T) == pytest.approx(positive.sum(), rel=1e-6)
    np.testing.assert_allclose(found.transform(X), X @ P.T)


def test_signs_and_order_of_a_pair_do_not_matter():
    X, pairs = problem(3, 20, 6)
    first = fewer.ConstraintProjection(3).fit(X, pairs=pairs)
    turned = fewer.ConstraintProjection(3).fit(X, pairs=fewer.Pairs(20, pairs.must[:, ::-1], pairs.cannot[::-1, ::-1]))
    np.testing.assert_allclose(first.components_, turned.components_, atol=1e-9)
    largest = np.abs(first.components_).argmax(axis=1)
    assert (np.take_along_axis(first.components_, largest[:, None], axis=1) > 0).all()


def test_merged_groups_draw_their_centres_apart():
    X, _ = problem(5, 20, 4)
    pairs = fewer.Pairs(20, [(0, 1), (1, 2), (5, 6)], [(2, 6), (0, 9), (5, 1), (9, 10)])
    means = {0: X[[0, 1, 2]].mean(axis=0), 5: X[[5, 6]].mean(axis=0), 9: X[9], 10: X[10]}
    D = np.array([means[0] - means[5], means[0] - means[9], means[9] - means[10]])
    values = np.linalg.eigvalsh(D.T @ D)[::-1]
    for data in (X, scipy.sparse.csr_array(X)):
        found = fewer.ConstraintProjection(2, must_link="merge").fit(data, pairs=pairs)
        np.testing.assert_allclose(found.eigenvalues_, values[:2], rtol=1e-9)
    alone = fewer.Pairs(20, None, [(0, 9), (3, 4)])
    merged = fewer.ConstraintProjection(2, must_link="merge").fit(X, pairs=alone)
    plain = fewer.ConstraintProjection(2, beta=0).fit(X, pairs=alone)
    np.testing.assert_allclose(merged.components_, plain.components_, atol=1e-9)


def test_worked_example_of_rca():
    found = fewer.RCA().fit([[0, 0], [2, 0], [0, 3], [0, 5]], pairs=([(0, 1), (2, 3)], None))
    np.testing.assert_allclose(found.components_, np.diag([2**0.5, 2**0.5]))


@pytest.mark.parametrize("seed", range(20))
def test_rca_makes_the_spread_within_groups_equal(seed):
    X, pairs = problem(seed, 40, 1 + seed % 4)
    X = X * 10.0 ** (seed % 7 - 3) + 50
    C = oracle.within_covariance(X, pairs.must)
    found = fewer.RCA().fit(X, pairs=pairs)
    np.testing.assert_allclose(found.components_ @ C @ found.components_.T, np.eye(len(C)), atol=1e-8)
    np.testing.assert_allclose(found.components_, found.components_.T, rtol=1e-9, atol=1e-12)
    k = 1 + seed % len(C)
    total = np.cov(X.T, bias=True).reshape(C.shape)
    few = fewer.RCA(k).fit(X, pairs=pairs)
    values, axes = oracle.generalised_axes(total, C, k)
    spread = np.diag(few.components_ @ total @ few.components_.T)
    np.testing.assert_allclose(spread, values, rtol=1e-6)
    np.testing.assert_allclose(few.components_ @ C @ few.components_.T, np.eye(k), atol=1e-8)
    cosines = np.einsum("kj,kj->k", axes, few.components_) / np.linalg.norm(few.components_, axis=1)
    np.testing.assert_allclose(np.abs(cosines / np.linalg.norm(axes, axis=1)), 1, rtol=1e-6)


def test_rca_needs_rows_that_differ_in_all_directions():
    X, _ = problem(0, 20, 10)
    pairs = fewer.Pairs(20, [(0, 1), (2, 3)])
    with pytest.raises(RequirementError, match="do not differ in all directions of 10 features"):
        fewer.RCA().fit(X, pairs=pairs)
    assert np.isfinite(fewer.RCA(3, l2=0.1).fit(X, pairs=pairs).components_).all()


@pytest.mark.parametrize("seed", range(25))
def test_diagonal_metric_is_that_of_a_generic_solver(seed):
    X, pairs = problem(seed, whole=seed % 4 == 0)
    if not len(pairs.must) or not len(pairs.cannot) or not (X[pairs.cannot[:, 0]] != X[pairs.cannot[:, 1]]).any():
        pytest.skip("nothing to learn")
    X = X * 10.0 ** (seed % 5 - 2)
    a, loss = oracle.diagonal_metric(X, pairs.must, pairs.cannot, 0.01)
    for data in (X, scipy.sparse.csr_array(X)):
        found = fewer.XingMetric(tol=1e-9, max_iter=20000).fit(data, pairs=pairs)
        near = np.array([(X[i] - X[j]) ** 2 for i, j in pairs.must]).sum(axis=0)
        bound = near + 0.01 * near.mean()
        apart = np.sqrt([(X[i] - X[j]) ** 2 @ found.weights_ for i, j in pairs.cannot]).sum()
        # At the optimum the sum over must-links is 1/2.
        assert bound @ found.weights_ == pytest.approx(0.5, rel=1e-9)
        assert bound @ found.weights_ - np.log(apart) <= loss + 1e-7
        # No feature would gain by more weight, nor those that have some by less: the optimum of a convex loss.
        grad = oracle.diagonal_gradient(X, pairs.cannot, bound, found.weights_)
        assert (grad >= -1e-4).all()
        assert (grad * found.weights_ * bound <= 1e-4).all()
    np.testing.assert_allclose(found.transform(X), X * np.sqrt(found.weights_))
    assert scipy.sparse.issparse(found.transform(scipy.sparse.csr_array(X)))


@pytest.mark.parametrize("seed", range(6))
def test_full_metric_is_not_beaten_by_a_generic_solver(seed):
    X, pairs = problem(seed, 20, 2 + seed % 2)
    found = fewer.XingMetric("full", tol=1e-8, max_iter=20000).fit(X, pairs=pairs)
    ours = oracle.full_lengths(X, pairs.must, pairs.cannot, found.metric_, 0.01)
    theirs = oracle.full_metric(X, pairs.must, pairs.cannot, 0.01)
    assert ours >= theirs * (1 - 1e-6)
    assert theirs >= ours * (1 - 1e-3)
    np.testing.assert_allclose(found.components_ @ found.components_, found.metric_, atol=1e-9 * found.metric_.max())


@pytest.mark.parametrize("name", ["ConstraintProjection", "RCA", "XingMetric"])
def test_without_pairs_they_say_what_they_need(name):
    with pytest.raises(InputError, match=f"{name} learns from .* but got none; pass"):
        getattr(fewer, name)().fit(X6)
    with pytest.raises(InputError, match="learns from"):
        getattr(fewer, name)().fit(X6, pairs=fewer.Pairs(6))


def test_one_kind_of_pairs_is_refused_where_both_are_needed():
    with pytest.raises(InputError, match="both pairs"):
        fewer.XingMetric().fit(X6, pairs=([(0, 1)], None))
    with pytest.raises(InputError, match="must-links"):
        fewer.RCA().fit(X6, pairs=(None, [(0, 1)]))
    with pytest.raises(RequirementError, match="rows that are equal"):
        fewer.XingMetric().fit(np.vstack([X6, X6]), pairs=([(0, 1)], [(2, 8)]))


def test_labels_stand_for_pairs():
    y = [0, 0, 1, -1, 1, None]
    pairs = fewer.Pairs.of_labels(y)
    assert pairs.must.tolist() == [[0, 1], [2, 4]]
    assert len(pairs.cannot) == 4
    by_labels = fewer.ConstraintProjection(2).fit(X6, y)
    np.testing.assert_array_equal(by_labels.components_, fewer.ConstraintProjection(2).fit(X6, pairs=pairs).components_)


def test_pairs_survive_folds_and_pipelines():
    from sklearn import config_context
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 5))
    X[:, 2] += 3 * y
    numbers = np.array([rng.choice(60, 2, replace=False) for _ in range(200)])
    same = y[numbers[:, 0]] == y[numbers[:, 1]]
    pairs = fewer.Pairs(60, numbers[same], numbers[~same])
    with config_context(enable_metadata_routing=True):
        projection = fewer.ConstraintProjection(1).set_fit_request(pairs=True)
        model = make_pipeline(projection, LogisticRegression())
        found = cross_validate(model, X, y, cv=3, params={"pairs": pairs}, return_estimator=True)
    assert found["test_score"].mean() > 0.85
    # The pairs of the rows at hand, and not other ones, made the axis.
    assert all(one[0].selection_.indices[0] == 2 for one in found["estimator"])


@pytest.mark.parametrize("name", ["ConstraintProjection", "RCA", "XingMetric"])
@pytest.mark.parametrize("unit", [1e-150, 1e-8, 1e8, 1e150])
def test_units_do_not_change_the_selection(name, unit):
    X, pairs = problem(11, 30, 4)
    made = getattr(fewer, name)
    plain, other = made().fit(X, pairs=pairs).selection_, made().fit(X * unit, pairs=pairs).selection_
    assert plain.indices.tolist() == other.indices.tolist()
    np.testing.assert_allclose(plain.scores, other.scores, rtol=1e-6)
