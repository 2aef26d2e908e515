"""BVQ, its axes, canonical analysis, risk and weights: loops, and the facts of chapter 6 of the book."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import fewer
from fewer.core.kernels import border_codes
from fewer.core.records.errors import FewerError
from fewer.measures import bayes_rule, dbfe_feature_weights, misclassification_risk
from fewer.methods.projection._labelled_quantizer import on_plane, plane_offset
from fewer.methods.projection.border_pieces import face_volumes, sample_counts
from fewer.methods.projection.bvq import per_class
from fewer.methods.projection.bvqfe import code_matrix
from fewer.synth import lee_landgrebe_density, make_lee_landgrebe
from oracles.border_axes import bvq_update, grid_areas, plain_counts

FIG_63 = np.array([[0, 0], [2, 0], [-2, 0], [0, 8], [0, -8]], dtype=float)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("costly", [False, True])
def test_the_loop_agrees_with_single_updates(seed, costly):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 3, 50)
    costs = rng.integers(0, 5, (3, 3)) * (1 - np.eye(3)) if costly else 1 - np.eye(3)
    code, labels = rng.normal(size=(6, 3)), np.arange(6) % 3
    drawn, rates = rng.integers(0, 50, 300), rng.random(300) * 2
    expected = code.copy()
    for row, rate in zip(drawn, rates):
        expected = bvq_update(X[row], y[row], expected, labels, costs, rate, 1.0)
    moved = border_codes.bvq_steps(X, y, drawn, code, labels, costs, rates, 0.5)
    assert 0 < moved < 300
    np.testing.assert_allclose(code, expected, atol=1e-8)


def test_an_update_draws_the_right_vector_near_and_drives_the_other_away():
    """Catalogue, ch. 6: with a step below |m_i - m_j|, the vector of the same class comes nearer to t_ij."""
    code, labels = np.array([[0.0, 0.0], [2.0, 0.0], [9.0, 9.0]]), np.array([0, 1, 1])
    t = np.array([[1.2, 0.5]])
    for u, near, far in ((0, 0, 1), (1, 1, 0)):
        new = code.copy()
        foot = on_plane(t, code[1], code[0])[0]
        border_codes.bvq_steps(t, np.array([u]), np.array([0]), new, labels, 1 - np.eye(2), np.array([0.5]), 0.5)
        assert np.linalg.norm(new[near] - foot) < np.linalg.norm(code[near] - foot)
        assert np.linalg.norm(new[far] - foot) > np.linalg.norm(code[far] - foot)
        assert (new[2] == code[2]).all()
    for u, these, half in ((2, labels, 0.5), (0, np.array([0, 0, 1]), 0.5), (0, labels, 0.1)):
        new = code.copy()
        border_codes.bvq_steps(t, np.array([u]), np.array([0]), new, these, 1 - np.eye(3), np.array([0.5]), half)
        np.testing.assert_array_equal(new, code)


def test_projections_on_a_plane_are_equally_far(rng):
    a, b, rows = rng.normal(size=4), rng.normal(size=4), rng.normal(size=(30, 4))
    feet = on_plane(rows, a, b)
    np.testing.assert_allclose(np.linalg.norm(feet - a, axis=1), np.linalg.norm(feet - b, axis=1))
    expected = (((rows - b) ** 2).sum(axis=1) - ((rows - a) ** 2).sum(axis=1)) / (2 * np.linalg.norm(a - b))
    np.testing.assert_allclose(plane_offset(rows, a, b), expected)


def test_the_nearest_code_vector_answers(rng):
    X, y = rng.normal(size=(80, 3)), np.array(list("abc"))[np.arange(80) % 3]
    fitted = fewer.BVQ(7, standardize=False, max_iter=500, random_state=0).fit(X, y)
    plain = KNeighborsClassifier(1).fit(fitted.code_vectors_, fitted.classes_[fitted.code_labels_])
    np.testing.assert_array_equal(fitted.predict(X), plain.predict(X))
    assert fitted.risk_ == pytest.approx(np.mean(fitted.predict(X) != y))
    assert (
        fitted.risk_ <= fewer.BVQ(7, standardize=False, max_iter=500, keep_best=False, random_state=0).fit(X, y).risk_
    )


def test_training_lowers_the_risk_and_the_error_is_that_of_the_catalogue():
    """Catalogue, ch. 6: (.5, .25, 100k) .168 and .176, text .1694; the printed sign makes errors of .45 and more."""
    found = []
    for seed in range(2):
        data = make_lee_landgrebe(6000, random_state=seed)
        fitted = fewer.BVQ(20, standardize=False, random_state=seed).fit(data.X[:1500], data.y[:1500])
        found.append(1 - fitted.score(data.X[1500:], data.y[1500:]))
    assert np.mean(found) == pytest.approx(0.172, abs=0.012)


def test_costs_move_the_border():
    X = np.random.default_rng(0).normal(size=(400, 1))
    y = (X[:, 0] + np.random.default_rng(1).normal(size=400) > 0).astype(int)
    cheap = fewer.BVQ(2, random_state=0).fit(X, y)
    dear = fewer.BVQ(2, cost_matrix=[[0, 1], [8, 0]], random_state=0).fit(X, y)
    assert (dear.predict(X) == 1).sum() > (cheap.predict(X) == 1).sum() + 40
    risk = misclassification_risk(y, dear.predict(X), [[0, 1], [8, 0]])
    assert dear.risk_ == pytest.approx(risk)
    assert risk < misclassification_risk(y, cheap.predict(X), [[0, 1], [8, 0]])


def test_places_of_the_code_are_dealt_by_class():
    assert per_class(np.array([50, 1, 1]), 3).tolist() == [1, 1, 1]
    assert per_class(np.array([2, 2]), 4).tolist() == [2, 2]
    X, y = np.arange(12.0)[:, None], np.r_[np.zeros(10), 1, 1]
    assert set(fewer.BVQ(2, random_state=0).fit(X, y).code_labels_) == {0, 1}
    assert fewer.BVQ(3, init="first", max_iter=1).fit(X, y).code_labels_.tolist() == [0, 0, 0]
    with pytest.raises(FewerError, match="raise n_prototypes"):
        fewer.BVQ(1).fit(X, y)


def test_figure_63():
    """Book, section 6.4: the border is a rectangle of 2 by 8; unweighted 0.5 and 0.5, by length 0.8 and 0.2."""
    labels = np.array([0, 1, 1, 1, 1])
    areas = face_volumes(FIG_63, labels, np.array([[-20.0, 20.0]] * 2))
    np.testing.assert_allclose(areas[0], [0, 8, 8, 2, 2])
    matrix = code_matrix(FIG_63, areas)
    np.testing.assert_allclose(matrix / np.trace(matrix), np.diag([0.8, 0.2]), atol=1e-12)
    matrix = code_matrix(FIG_63, (areas > 0).astype(float))
    np.testing.assert_allclose(matrix / np.trace(matrix), np.diag([0.5, 0.5]), atol=1e-12)


@pytest.mark.parametrize("p", [2, 3])
def test_areas_agree_with_a_grid(p, rng):
    code, labels = rng.random((6, p)), np.array([0, 1, 2, 0, 1, 2])
    box = np.array([[0.0, 1.0]] * p)
    exact = face_volumes(code, labels, box)
    near = grid_areas(code, labels, box, 90 if p == 2 else 26, 0.05 if p == 2 else 0.08)
    np.testing.assert_allclose(exact, near, atol=0.05)
    assert exact.sum() > 0.5
    line = face_volumes(np.array([[0.0], [1.0], [3.0]]), np.array([0, 1, 0]), np.array([[-1.0, 1.5]]))
    assert line.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("seed", range(3))
def test_counts_of_rows_agree_with_loops(seed):
    rng = np.random.default_rng(seed)
    rows, code, labels = rng.normal(size=(80, 3)), rng.normal(size=(7, 3)), np.array([0, 1, 2, 0, 1, 2, 2])
    np.testing.assert_array_equal(sample_counts(rows, code, labels, 0.6), plain_counts(rows, code, labels, 0.6))
    narrow = sample_counts(rows, code, labels, 1e-9)
    assert narrow.sum() > 0
    far = np.r_[np.zeros((3, 2)), np.ones((3, 2)) * 50] + rng.normal(size=(6, 2))
    apart = sample_counts(far[[0, 3]], far, np.array([0, 0, 0, 1, 1, 1]), 0.5)
    assert apart.sum() == 2
    assert (apart[3:] == 0).all()


def test_axes_of_codes_on_three_classes():
    """Catalogue, ch. 6: lambda_3 < 0.2 and |u_3 e_3| > 0.95 held in all 15 runs."""
    for seed in range(2):
        data = make_lee_landgrebe(1500, random_state=seed)
        fitted = fewer.BVQFE(3, standardize=False, random_state=seed).fit(data.X, data.y)
        assert fitted.eigenvalues_[2] < 0.2
        assert abs(fitted.axes_[2, 2]) > 0.95
        assert fitted.eigenvalues_.sum() == pytest.approx(1)


@pytest.mark.parametrize("weighting", ["samples", "volume", "uniform"])
@pytest.mark.parametrize("pair_priors", [True, False])
def test_the_matrix_is_the_weighted_sum_of_normals(weighting, pair_priors):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], [60, 30, 30])
    X = rng.normal(size=(120, 2)) + 2 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    plain = {"n_prototypes": 6, "standardize": False, "max_iter": 500, "random_state": 0}
    fitted = fewer.BVQFE(2, weighting=weighting, pair_priors=pair_priors, **plain).fit(X, y)
    code, labels = fitted.quantizer_.code_vectors_, fitted.quantizer_.code_labels_
    weights = plain_counts(X, code, labels, 0.5)
    if weighting == "volume":
        weights = face_volumes(code, labels, np.stack([X.min(axis=0), X.max(axis=0)], axis=1))
    if weighting == "uniform":
        weights = (weights > 0).astype(float)
    total, priors = np.zeros((2, 2)), [0.5, 0.25, 0.25]
    for k, z in zip(*np.nonzero(weights)):
        way = (code[k] - code[z]) / np.linalg.norm(code[k] - code[z])
        total += weights[k, z] * (priors[labels[k]] * priors[labels[z]] if pair_priors else 1) * np.outer(way, way)
    np.testing.assert_allclose(fitted.matrix_, total / np.trace(total), atol=1e-12)
    with pytest.raises(FewerError, match='pass weighting="samples"'):
        fewer.BVQFE(weighting="volume").fit(np.random.default_rng(0).normal(size=(20, 7)), np.arange(20) % 2)


def test_pima_with_two_code_vectors(shared_data):
    """Book, table 6.1 and line 2010: error 0.24, one eigenvalue that is not 0, glucose before body mass."""
    held = shared_data("pima")
    X, y = held["X"], held["y"]
    fitted = fewer.BVQFE(1, n_prototypes=2, window=0.3, random_state=0).fit(X, y)
    assert fitted.eigenvalues_[0] == pytest.approx(1)
    weights = dbfe_feature_weights(fitted.eigenvalues_, fitted.axes_, "first")
    assert weights.sum() == pytest.approx(100)
    assert weights.argmax() == 1
    scores = cross_val_score(fewer.BVQ(2, window=0.3, random_state=0), X, y, cv=6)
    assert 1 - scores.mean() == pytest.approx(0.24, abs=0.025)


def test_table_61_is_the_first_axis_in_percent():
    """Book, table 6.1: weights sum to 100 and are absolute parts of the only eigenvector."""
    table = np.array([15.07, 47.35, 13.15, 2.47, 0.21, 15.94, 2.94, 2.87])
    axis = table * [1, -1, 1, 1, 1, -1, 1, 1]
    axis = axis / np.linalg.norm(axis)
    np.testing.assert_allclose(dbfe_feature_weights([1.0], axis[None], "first"), table, atol=1e-9)
    np.testing.assert_allclose(dbfe_feature_weights([1.0], axis[None]), table, atol=1e-9)
    squared = dbfe_feature_weights([0.7, 0.3], [[1, 0], [0, 1]], "squared")
    np.testing.assert_allclose(squared, [70, 30])
    for given in (([1.0], [1.0]), ([0.5], [[1, 0], [0, 1]])):
        with pytest.raises(FewerError, match="of one fit"):
            dbfe_feature_weights(*given)
    with pytest.raises(FewerError, match="pass one"):
        dbfe_feature_weights([1.0], [[1.0]], "cubed")


@pytest.mark.parametrize("seed", range(4))
def test_canonical_axes_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], [40, 30, 20])
    X = rng.normal(size=(90, 4)) @ rng.normal(size=(4, 4)) + np.array([[0] * 4, [1, 2, 0, 0], [0, 0, 1, 3]])[y]
    fitted = fewer.CanonicalAnalysis(l2=0).fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    np.testing.assert_allclose(fitted.eigenvalues_[:2], theirs.explained_variance_ratio_, atol=1e-9)
    for mine, other in zip(fitted.components_, theirs.scalings_[:, :2].T):
        assert abs(mine @ other) / np.linalg.norm(mine) / np.linalg.norm(other) == pytest.approx(1)
    Z = fitted.transform(X)
    within = np.mean([((Z[y == c] - Z[y == c].mean(axis=0)) ** 2).sum(axis=0) / 90 for c in range(3)], axis=0) * 3
    np.testing.assert_allclose(within, 1.0)


def test_canonical_axes_of_equal_means_are_noise():
    """Book, table 6.4: canonical analysis finds no axis here; 1-NN errors as in the catalogue."""
    data = make_lee_landgrebe(6000, random_state=0)
    X, y, X_test, y_test = data.X[:1500], data.y[:1500], data.X[1500:], data.y[1500:]

    def error(columns):
        return 1 - KNeighborsClassifier(1).fit(X[:, columns], y).score(X_test[:, columns], y_test)

    for columns, expected in (([0, 1], 0.207), ([0, 1, 2], 0.216), ([1], 0.416), ([0], 0.490)):
        assert error(columns) == pytest.approx(expected, abs=0.02)
    assert fewer.CanonicalAnalysis().fit(X, y).ratios_.sum() < 0.02


def test_bayes_rule_and_its_error():
    """Catalogue, ch. 6: the error of Bayes rule on the three classes is 0.1412 +- 0.002."""
    data = make_lee_landgrebe(400_000, random_state=0)
    said = bayes_rule(lee_landgrebe_density(data.X))
    assert misclassification_risk(data.y, said) == pytest.approx(0.1412, abs=0.002)


@pytest.mark.parametrize("seed", range(3))
def test_risk_and_rule_agree_with_loops(seed):
    rng = np.random.default_rng(seed)
    costs = rng.random((3, 3)) * (1 - np.eye(3))
    posterior = rng.dirichlet(np.ones(3), 40)
    expected = [min(range(3), key=lambda j: sum(costs[i, j] * p[i] for i in range(3))) for p in posterior]
    assert bayes_rule(posterior, costs).tolist() == expected
    assert bayes_rule(posterior, classes=list("abc")).tolist() == [list("abc")[p.argmax()] for p in posterior]
    y = rng.integers(0, 3, 40)
    risk = sum(costs[u, s] for u, s in zip(y, expected)) / 40
    assert misclassification_risk(y, expected, costs, [0, 1, 2]) == pytest.approx(risk)
    assert misclassification_risk(y, expected) == pytest.approx(np.mean(y != expected))
    with pytest.raises(FewerError, match="same length"):
        misclassification_risk(y, expected[:3])
    with pytest.raises(FewerError, match="name all classes"):
        misclassification_risk(y, y, costs[:2, :2] + 1, [0, 1])


def test_two_class_rule_is_a_threshold():
    """Book, section 6.1.1: decide the first iff P(1|x) / P(2|x) > b(2, 1) / b(1, 2)."""
    p = np.linspace(0.001, 0.999, 97)
    said = bayes_rule(np.c_[p, 1 - p], [[0, 2], [7, 0]])
    np.testing.assert_array_equal(said == 0, p / (1 - p) > 7 / 2)
