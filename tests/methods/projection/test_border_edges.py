"""Axes across borders where features say nothing, and numbers that no border has."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sklearn.neighbors import NearestCentroid
from sklearn.neural_network import MLPClassifier

import fewer
from fewer.core.borders.contract import GivenBorder
from fewer.core.borders.kernel_machines import KernelDecision
from fewer.core.records.errors import FewerError
from fewer.measures import bayes_rule, dbfe_feature_weights
from fewer.methods.projection.boundary_matrix import near_matrix
from fewer.synth import lee_landgrebe_density


@pytest.fixture
def rows():
    X = np.random.default_rng(0).normal(size=(60, 3))
    return X, (X[:, 0] + X[:, 1] ** 2 > 0.8).astype(int)


@pytest.mark.parametrize(
    "made",
    [
        fewer.DecisionBoundary(None, random_state=0),
        fewer.DecisionBoundary(None, estimator=MLPClassifier((20,), max_iter=20, random_state=0)),
        fewer.SVMDecisionBoundary(None, kernel="poly", standardize=False),
        fewer.BVQFE(None, max_iter=500, random_state=0),
        fewer.BVQFE(None, weighting="volume", n_prototypes=5, max_iter=500, random_state=0),
    ],
    ids=["default", "relu", "svm", "samples", "volume"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_constant_features_have_no_part(made, rows):
    """A network keeps some weight on them, and a polynomial kernel has a slope along them."""
    X, y = rows
    fitted = made.fit(np.c_[X, np.full((60, 4), 7.0)], y)
    np.testing.assert_array_equal(fitted.matrix_[3:], 0.0)
    assert np.trace(fitted.matrix_) == pytest.approx(1.0)
    assert set(fitted.selection_.indices.tolist()) <= {0, 1, 2}


def test_areas_do_not_know_of_constant_features(rows):
    X, y = rows
    made = fewer.BVQFE(None, weighting="volume", n_prototypes=5, max_iter=500, random_state=0)
    plain = made.fit(X, y).matrix_
    np.testing.assert_allclose(made.fit(np.c_[X, np.ones((60, 5))], y).matrix_[:3, :3], plain, atol=1e-12)


def test_centroids_have_a_linear_border(rows):
    """The decision function of scikit-learn, unlike its answers, divides features by their spread within classes."""
    X, y = rows
    fitted = fewer.DecisionBoundary(None, estimator=NearestCentroid(), standardize=False).fit(X, y)
    way = np.subtract(*fitted.estimator_.centroids_) / fitted.estimator_.within_class_std_dev_**2
    assert fitted.eigenvalues_[0] == pytest.approx(1.0)
    assert abs(fitted.axes_[0] @ way) == pytest.approx(np.linalg.norm(way), rel=1e-6)


@pytest.mark.parametrize("costs", [None, [[0, 1], [5, 0]]])
@pytest.mark.parametrize("given", [[0.2, 0.8], [[0.2, np.nan]], [[-0.2, 1.2]], [[np.inf, 1.0]]])
def test_no_rule_without_probabilities(given, costs):
    with pytest.raises(FewerError, match="bayes_rule got probabilities of shape .* finite and not negative; give"):
        bayes_rule(given, costs)


def test_labels_of_the_rule_are_one_for_each_column():
    with pytest.raises(FewerError, match="bayes_rule got classes of shape"):
        bayes_rule([[0.2, 0.8]], classes=["a"])


@pytest.mark.parametrize("given", [([-0.5], [[0, 1]]), ([np.nan], [[0, 1]]), ([0.5], [[0, np.nan]])])
@pytest.mark.parametrize("kind", ["first", "absolute"])
def test_no_weights_without_numbers(given, kind):
    with pytest.raises(FewerError, match="finite axes and eigenvalues of at least 0; pass"):
        dbfe_feature_weights(*given, kind)
    assert dbfe_feature_weights([1.0, -1e-17], np.eye(2)).tolist() == [100.0, 0.0]


def test_line_integrals_of_lee_and_landgrebe():
    """The border in one quadrant: three arcs that meet in (3.534814, 2.863803); all others are below 1e-14."""
    logs = lambda z: np.log(lee_landgrebe_density(np.array([[*z, 0.0]]))[0])  # noqa: E731

    def slope(z, i, j):
        steps = 1e-5 * np.eye(2)
        return np.array([np.subtract(*(logs(z + s) - logs(z - s))[[i, j]]) / 2e-5 for s in steps])

    def arc(i, j, begin, end, feature):
        def ahead(_, state):
            z = state[:2]
            across = slope(z, i, j)
            normal, h = across / np.hypot(*across), np.subtract(*logs(z)[[i, j]])
            back = 5.0 * h * across / (across @ across)
            along = np.array([-normal[1], normal[0]])
            along = along if side > 0 else -along
            return [*(along - back), *(np.exp(logs(z)).sum() * normal**2)]

        across = slope(np.array(begin), i, j)
        side = np.sign(np.array([-across[1], across[0]]) @ (np.array(end) - begin))
        reached = lambda _, state: state[feature] - end[feature]  # noqa: E731
        reached.terminal = True
        return solve_ivp(ahead, (0, 30), [*begin, 0, 0], rtol=1e-8, atol=1e-11, events=reached).y[2:, -1]

    meet = (3.5348137065, 2.8638027795)
    total = arc(0, 1, (2.9289319413, 0.0), meet, 1) + arc(0, 2, (0.0, 3.3679798853), meet, 0)
    total += arc(1, 2, meet, (12.8806564617, 0.0), 1)
    np.testing.assert_allclose(total / total.sum(), [0.442741, 0.557259], atol=2e-6)


def test_machines_count_by_the_frequency_of_their_class(rows):
    X, y = rows[0], np.where(rows[0][:, 2] > 1, 2, rows[1])
    fitted = fewer.SVMDecisionBoundary(None, standardize=False, border_fraction=0.5).fit(X, y)
    parts = [near_matrix(KernelDecision(m).pair(1, 0), X, 0.5) for m in fitted.machines_]
    total = sum(np.mean(y == c) * part for c, part in enumerate(parts))
    assert len(set(np.bincount(y).tolist())) > 1
    np.testing.assert_allclose(fitted.matrix_, total / np.trace(total), atol=1e-12)


def test_a_fraction_of_rows_is_rounded_up():
    """Of 7 rows 0.3 are 3; the third nearest to the circle is the only one across x2."""
    X = np.array([[1.01, 0.0], [0.98, 0.0], [0.0, 1.2], [0.0, 2.0], [0.0, 3.0], [4.0, 0.0], [5.0, 0.0]])
    border = GivenBorder(lambda r: (r**2).sum(axis=1) - 1, lambda r: 2 * r, np.full(2, 1e-6))
    np.testing.assert_allclose(near_matrix(border, X, 2 / 7), np.diag([1.0, 0.0]), atol=1e-12)
    assert near_matrix(border, X, 0.3)[1, 1] > 0.1
