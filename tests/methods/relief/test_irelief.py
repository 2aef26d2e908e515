"""I-Relief against plain loops, the facts of chapter 12, and data on which the text's iteration alternates."""

from __future__ import annotations

import warnings
from functools import partial
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold

from fewer.core.kernels import margins
from fewer.core.measures.margins_closed import closed_form_weights, relief_margin_weights, relief_margins
from fewer.core.records.errors import InputError
from fewer.core.runners.threads import ThreadRunner
from fewer.evaluate.kernel_width import NEIGHBOURS, select_sigma_cv
from fewer.methods.relief._soft_margins import SoftMargins
from fewer.methods.relief.irelief import FixedPoint, IRelief
from fewer.synth import make_ringnorm, make_twonorm, make_waveform
from oracles import margins as oracle

ANCHOR_X = np.array([[0, 0.1, 0.9], [0.1, 0.8, 0.2], [0.2, 0.4, 0.5], [0.9, 0.3, 0.4], [1, 0.9, 0], [0.8, 0, 1]])
ANCHOR_Y = np.array([0, 0, 0, 1, 1, 1])


class Recorder(BaseEstimator):
    """Has fixed weights and notes what it was fitted on."""

    fits: ClassVar[list] = []

    def __init__(self, weights, sigma=None, n_features_to_select=None):
        self.weights, self.sigma, self.n_features_to_select = weights, sigma, n_features_to_select

    def fit(self, X, y):
        self.fits.append(X)
        self.scores_ = np.asarray(self.weights)
        return self


def soft(X, y, sigma, average=False, threads=1):
    y = np.asarray(y)
    return SoftMargins(np.ascontiguousarray(X, float), y, int(y.max()) + 1, average, sigma, ThreadRunner(threads))


def xor(seed, n=600, p=6):
    X = np.random.default_rng(seed).random((n, p))
    return X, (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("sigma", [1e-4, 0.05, 1.0, 1e6])
@pytest.mark.parametrize("n", [9, 70, 131])
def test_expected_margins_agree_with_loops(rng, n, sigma, average):
    """70 and 131 rows make more than one tile; at 1e-4 the exponents of a tile do not share a shift."""
    X, y = rng.random((n, 5)), rng.permutation(np.arange(n) % 3)
    w = np.array([0.5, 0.0, 0.2, 0.8, 0.1])
    nu, trust = soft(X, y, sigma, average).all_rows(w)
    expected, gamma = oracle.expected_margins(X, y, w, sigma, average)
    np.testing.assert_allclose(nu, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(trust, gamma, rtol=1e-9, atol=1e-300)


@given(st.integers(0, 10_000), st.integers(4, 20), st.integers(1, 4), st.floats(1e-3, 1e3), st.booleans())
def test_ties_and_duplicates_agree_with_loops(seed, n, p, sigma, average):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (n, p)) / 2.0, np.concatenate([[0, 0, 1, 1], rng.integers(0, 4, n - 4)])
    y = np.unique(y, return_inverse=True)[1]
    w = rng.integers(0, 3, p) / 2.0
    nu, trust = soft(X, y, sigma, average).all_rows(w)
    expected, gamma = oracle.expected_margins(X, y, w, sigma, average)
    np.testing.assert_allclose(nu, expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(trust, gamma, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("p", [1, margins.LANES - 1, 2 * margins.LANES + 3])
def test_long_rows_and_a_row_alone_agree(rng, p):
    X, y, w = rng.random((13, p)), np.arange(13) % 2, rng.random(p)
    expected, _ = oracle.expected_margins(X, y, w, 2.0)
    machine = soft(X, y, 2.0)
    np.testing.assert_allclose(machine.all_rows(w)[0], expected, rtol=1e-9, atol=1e-11)
    for i in range(13):
        pi, _ = oracle.row_margin(X, y, i, w, 2.0, False)
        np.testing.assert_allclose(machine.one_row(i, w), pi, rtol=1e-9, atol=1e-12)


def test_worked_example():
    """Catalogue, chapter 12, I-Relief: gamma, nu and weights of six points."""
    nu, trust = soft(ANCHOR_X, ANCHOR_Y, 1.0).all_rows(np.full(3, 1 / 3))
    np.testing.assert_allclose(trust, [0.44072834, 0.44075686, 0.44278216, 0.42157729, 0.42255333, 0.40427281])
    np.testing.assert_allclose(nu, [1.71360181, -0.42272273, -0.41971615], atol=5e-9)
    nu, trust = soft(ANCHOR_X, ANCHOR_Y, 1e9).all_rows(np.full(3, 1 / 3))
    np.testing.assert_allclose(trust, 0.4)
    np.testing.assert_allclose(nu, [1.6, -0.346667, -0.346667], atol=1e-6)
    np.testing.assert_array_equal(IRelief(None).fit(ANCHOR_X, ANCHOR_Y).scores_, [1, 0, 0])
    wide = IRelief(None, sigma=1e9).fit(ANCHOR_X, ANCHOR_Y)
    # A mean over rows, of columns that were scaled to [0, 1].
    expected = np.array([1.6, -0.346667, -0.346667]) / 6 / np.ptp(ANCHOR_X, axis=0)
    np.testing.assert_allclose(wide.selection_.columns["margin"], expected, atol=1e-6)


def test_a_wide_kernel_converges_in_one_step(rng):
    """Section 12.3.2: alpha = 1/|M|, beta = 1/|H|; the second iteration only notices."""
    X, y = rng.random((40, 4)), np.arange(40) % 2
    X[:, 1] += y
    got = IRelief(None, sigma=1e12, damping=1.0).fit(X, y)
    assert got.n_iter_ == 2
    U, nu = oracle.unit(X), 0.0
    for n in range(40):
        rows = [np.abs(U[n] - U[i]) for i in range(40) if i != n and y[i] != y[n]]
        hits = [np.abs(U[n] - U[i]) for i in range(40) if i != n and y[i] == y[n]]
        nu = nu + 19 / 39 * (np.mean(rows, axis=0) - np.mean(hits, axis=0))
    np.testing.assert_allclose(got.scores_, oracle.positive_unit(nu), rtol=1e-9)


def test_a_narrow_kernel_is_relief_of_trusted_rows(rng):
    """Section 12.3.2: sigma -> 0 leaves the nearest hit and miss; gamma is 1 where the nearest row is a hit, else 0."""
    X, y = oracle.unit(rng.random((50, 3))), np.arange(50) % 2
    nu, trust = soft(X, y, 1e-9).all_rows(np.ones(3))
    expected = np.zeros(3)
    for n in range(50):
        hit = oracle.nearest(X, y, n, np.ones(3), True, 1)
        miss = oracle.nearest(X, y, n, np.ones(3), False, 1)
        margin = np.abs(X[n] - X[miss]) - np.abs(X[n] - X[hit])
        assert trust[n] == pytest.approx(float(margin.sum() > 0))
        expected += margin * (margin.sum() > 0)
    np.testing.assert_allclose(nu, expected, rtol=1e-9)


@pytest.mark.parametrize("sigma", [0.5, 2.0])
@pytest.mark.parametrize("average", [False, True])
def test_weights_agree_with_the_iteration_by_loops(rng, sigma, average):
    y = np.arange(36) % 3
    X = rng.random((36, 4)) + 0.6 * np.column_stack([y, 2 - y, 0 * y, 0 * y])
    expected, iterations = oracle.irelief(oracle.unit(X), y, sigma, average)
    kind = "average" if average else "min"
    got = IRelief(None, sigma=sigma, multiclass=kind, damping=1.0).fit(X, y)
    np.testing.assert_allclose(got.scores_, expected, atol=1e-9)
    assert got.n_iter_ == iterations < 100
    assert np.linalg.norm(got.scores_) == pytest.approx(1.0)
    assert (got.scores_ >= 0).all()


def test_two_classes_make_both_kinds_equal_and_three_do_not(rng):
    """Catalogue: C = 2 gives I-Relief for I-Relief-1 and I-Relief-2."""
    X, three = rng.random((60, 5)), np.repeat([0, 1, 2], [30, 18, 12])
    X[:, 0] += three
    for y, same in ((three > 0, True), (three, False)):
        a, b = (IRelief(None, multiclass=kind).fit(X, y).scores_ for kind in ("min", "average"))
        assert np.allclose(a, b, rtol=1e-9) == same


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sigma", [0.05, 0.5, 1.0])
def test_damping_converges_where_the_text_alternates(seed, sigma):
    """Catalogue: on clean XOR the batch map jumps; with 0.3 of the new nu it ends near (.71, .71, 0, ...) before 50."""
    X, y = xor(seed)
    if sigma == 0.5:
        with pytest.warns(ConvergenceWarning, match="did not converge"):
            jumping = IRelief(None, sigma=sigma, damping=1.0, max_iter=60).fit(X, y)
        assert jumping.steps_[-10:].min() > 0.5
    for damping in (0.3, "auto"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            got = IRelief(None, sigma=sigma, damping=damping, tol=1e-6).fit(X, y)
        assert got.n_iter_ < 60
        np.testing.assert_allclose(got.scores_[:2], np.sqrt(0.5), atol=0.03)
        # A fixed point of the undamped map.
        nu, _ = soft(oracle.unit(X), y.astype(int), sigma).all_rows(got.scores_)
        np.testing.assert_allclose(oracle.positive_unit(nu), got.scores_, atol=2e-5)


@pytest.mark.parametrize("seed", range(3))
def test_twonorm_converges_and_every_feature_is_found(seed):
    """Catalogue: few iterations, fewer for wider kernels; the area of recovery is 1."""
    data = make_twonorm(400, n_irrelevant=50, random_state=seed)
    iterations = []
    for sigma in (0.2, 0.5, 1.0, 2.0, 5.0):
        got = IRelief(20, sigma=sigma, damping=1.0).fit(data.X, data.y)
        assert got.steps_[-1] < 1e-5
        iterations.append(got.n_iter_)
    assert got.selection_.support[:20].all()
    assert iterations == sorted(iterations, reverse=True)
    assert iterations[0] <= 10


@pytest.mark.parametrize("make", [make_twonorm, make_ringnorm, make_waveform])
def test_too_narrow_a_kernel_does_not_converge_undamped(make):
    """Text, section 12.7.3 for waveform; catalogue for the other two: sigma = 0.05 diverges."""
    data = make(400, n_irrelevant=50, random_state=0)
    with pytest.warns(ConvergenceWarning):
        IRelief(None, sigma=0.05, damping=1.0, max_iter=40).fit(data.X, np.minimum(data.y, 1))


def test_the_start_does_not_matter(rng):
    """Theorem 12.2: the same weights from any start, if the map contracts."""
    data = make_twonorm(150, n_irrelevant=10, random_state=1)
    machine = soft(oracle.unit(data.X), data.y, 1.0)
    ends = []
    for start in (np.full(30, 1 / 30), rng.random(30), np.eye(30)[29]):
        point = FixedPoint(machine.all_rows, damping=1.0, tol=1e-10)
        ends.append(point.solve(start))
        assert point.converged
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-8)
    np.testing.assert_allclose(ends[2], ends[0], atol=1e-8)


def test_contraction_bounds_the_error():
    """Ineq. 12.5 with q estimated from the steps: the distance from the end is at most q / (1 - q) of the last step."""
    data = make_twonorm(150, n_irrelevant=10, random_state=2)
    machine = soft(oracle.unit(data.X), data.y, 0.5)
    path = [np.full(30, 1 / 30)]
    for _ in range(25):
        path.append(closed_form_weights(machine.all_rows(path[-1])[0]))
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    kept = steps[1:8] > 1e-12
    q = (steps[1:8] / steps[:7])[kept].max()
    assert q < 1
    for t in range(1, 7):
        assert np.linalg.norm(path[t] - path[-1]) <= 1.01 * q / (1 - q) * steps[t - 1] + 1e-12


def test_mislabelled_rows_are_trusted_less():
    data = make_twonorm(300, random_state=3)
    y = data.y.copy()
    y[:15] = 1 - y[:15]
    trust = IRelief(sigma=0.2).fit(data.X, y).trust_
    assert trust[:15].mean() < 0.5 * trust[15:].mean()


def test_a_class_of_one_row_only_serves_as_miss(rng):
    X, y = rng.random((21, 3)), np.repeat([0, 1, 2], [10, 10, 1])
    for average in (False, True):
        nu, trust = soft(X, y, 0.7, average).all_rows(np.ones(3))
        assert np.isnan(trust).tolist() == [False] * 20 + [True]
        np.testing.assert_allclose(nu, oracle.expected_margins(X, y, np.ones(3), 0.7, average)[0], rtol=1e-9)
    with pytest.raises(InputError, match="only one row"):
        IRelief().fit(X[:3], [0, 1, 2])


def test_constant_columns_and_more_features_than_rows(rng):
    X, y = rng.normal(size=(12, 900)), np.arange(12) % 2
    X[:, 7], X[:, 3] = 5.0, 10 * y + rng.random(12)
    got = IRelief(5).fit(X, y)
    assert got.selection_.indices[0] == 3
    assert got.scores_[7] == got.selection_.columns["margin"][7] == 0


def test_duplicated_rows_are_handled(rng):
    X, y = rng.random((20, 4)), np.arange(20) % 2
    X[:, 2] += y
    X, y = np.repeat(X, 3, axis=0), np.repeat(y, 3)
    for sigma in (1e-3, 1.0):
        got = IRelief(None, sigma=sigma).fit(X, y)
        assert np.isfinite(got.scores_).all()
        assert got.selection_.indices[0] == 2


def test_where_nothing_widens_the_margin_one_feature_stays():
    """Catalogue: the closed form fails if no z > 0; the maximiser is then one-hot at the largest, ties to the first."""
    X, y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]), [0, 0, 1, 1]
    with pytest.warns(UserWarning, match="No feature widens"):
        got = IRelief(None).fit(X, y)
    np.testing.assert_array_equal(got.scores_, [1, 0])
    with pytest.warns(UserWarning, match="No feature widens"):
        np.testing.assert_array_equal(closed_form_weights(np.array([-3.0, -1.0, -1.0])), [0, 1, 0])
    np.testing.assert_allclose(closed_form_weights(np.array([3e-200, -1.0, 4e-200])), [0.6, 0, 0.8])


@pytest.mark.parametrize("kind", ["min", "average"])
def test_threads_change_no_bit(rng, kind):
    X, y = rng.normal(size=(300, 11)), rng.integers(0, 3, 300)
    X[:, 4] += y
    one, two = (IRelief(None, multiclass=kind, n_jobs=jobs).fit(X, y) for jobs in (1, 3))
    np.testing.assert_array_equal(one.scores_, two.scores_)
    np.testing.assert_array_equal(one.trust_, two.trust_)


def test_labels_units_and_orders_do_not_matter(rng):
    X, y = rng.normal(size=(90, 6)), rng.integers(0, 3, 90)
    X[:, 2] += y
    scores = IRelief(None).fit(X, y).scores_
    rows, columns = rng.permutation(90), rng.permutation(6)
    factors = np.array([1e-3, 5.0, 40.0, 1.0, 1e6, 2.0])
    for changed in (
        IRelief(None).fit(X * factors - 3, y).scores_,
        IRelief(None).fit(-X, y).scores_,
        IRelief(None).fit(X, np.array(["c", "a", "b"])[y]).scores_,
        IRelief(None).fit(X[rows], y[rows]).scores_,
    ):
        np.testing.assert_allclose(changed, scores, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(IRelief(None).fit(X[:, columns], y).scores_, scores[columns], rtol=1e-9)


@given(st.integers(0, 10_000))
def test_closed_form_of_relief(seed):
    """Eq. 12.1-12.2: z are Relief's weights, their order is kept, the best objective is |(z)+|."""
    rng = np.random.default_rng(seed)
    # Eighths and sixteenths: sums are exact, so that ties are ties.
    X, y = rng.integers(0, 9, (30, 5)) / 8, np.append(rng.integers(0, 2, 28), [0, 1])
    X[:, 0] = (X[:, 0] + y) / 2
    z = relief_margins(X, y)
    np.testing.assert_allclose(z, oracle.relief_z(X, y), atol=1e-12)
    w = relief_margin_weights(X, y)
    np.testing.assert_allclose(w, oracle.positive_unit(z))
    assert w @ z == pytest.approx(np.linalg.norm(np.maximum(z, 0)))
    others = np.abs(rng.normal(size=(200, 5)))
    assert (others @ z / np.linalg.norm(others, axis=1) <= w @ z + 1e-12).all()


def test_parameters_are_checked():
    for bad in ({"sigma": 0}, {"damping": 1.5}, {"damping": "no"}, {"multiclass": "max"}, {"max_iter": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            IRelief(**bad).fit(ANCHOR_X, ANCHOR_Y)
    with pytest.raises(ValueError, match="IRelief"):
        IRelief("probes:0.1").fit(ANCHOR_X, ANCHOR_Y)


def test_sigma_by_cross_validation():
    data = make_twonorm(120, n_irrelevant=10, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        choice = select_sigma_cv(IRelief(), data.X, data.y, (0.02, 1.0), cv=4, random_state=0)
    assert choice.value == min(choice.errors, key=choice.errors.get)
    assert set(choice.errors) == {0.02, 1.0}
    assert choice.errors[1.0] < 0.15
    fixed = select_sigma_cv(IRelief(), data.X, data.y, [1.0], cv=4, n_neighbors=3, random_state=0)
    assert (fixed.value, fixed.n_neighbors) == (1.0, 3)
    with pytest.raises(InputError, match="no candidates"):
        select_sigma_cv(IRelief(), data.X, data.y, [])


def test_weights_that_stand_still_have_converged_at_any_tolerance():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = IRelief(None, tol=0.0).fit(ANCHOR_X, ANCHOR_Y)
    assert got.steps_[-1] == 0.0
    assert got.n_iter_ < 100


@pytest.mark.parametrize("estimator", [Recorder([0.0, 1.0]), Recorder([1.0, -5.0]), Recorder([1.0, 0.6])])
def test_sigma_is_judged_in_the_weighted_space(estimator):
    """Weights from the training folds, negative ones 0, in the L1 norm of columns scaled by the training rows."""
    rng = np.random.default_rng(3)
    X, y = rng.random((40, 2)) * [1.0, 50.0], rng.integers(0, 2, 40)
    Recorder.fits.clear()
    choice = select_sigma_cv(estimator, X, y, ["a", "b"], n_neighbors=3, cv=4, random_state=0)
    seed = int(np.random.default_rng(0).integers(2**31))
    folds = list(StratifiedKFold(4, shuffle=True, random_state=seed).split(X, y))
    assert [fit.tolist() for fit in Recorder.fits] == 2 * [X[train].tolist() for train, _ in folds]
    wrong = 0
    for train, test in folds:
        low, high = X[train].min(axis=0), X[train].max(axis=0)
        Z = (X - low) / (high - low) * np.maximum(estimator.weights, 0.0)
        for i in test:
            near = train[np.argsort(np.abs(Z[train] - Z[i]).sum(axis=1), kind="stable")[:3]]
            wrong += np.bincount(y[near], minlength=2).argmax() != y[i]
    assert choice.errors == {"a": wrong / 40, "b": wrong / 40}
    assert choice.value == "a"


def test_neighbours_of_the_judge_are_chosen_with_all_features():
    data = make_twonorm(80, n_irrelevant=20, random_state=5)
    judged = partial(select_sigma_cv, Recorder(np.ones(40)), data.X, data.y, ["a"], cv=4, random_state=1)
    by_k = {k: judged(n_neighbors=k).errors["a"] for k in NEIGHBOURS}
    assert len(set(by_k.values())) > 1
    assert judged().n_neighbors == min(by_k, key=by_k.get)
