"""Boundary matrices against loops, and against the exact numbers of chapter 6 of the book."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fewer
from fewer.core.borders.contract import GivenBorder
from fewer.core.borders.kernel_machines import KernelDecision
from fewer.core.records.errors import FewerError
from fewer.measures import edbfm, edbfm_exact
from fewer.methods.projection.boundary_matrix import mean_square, near_matrix, pair_matrix, trimmed
from fewer.synth import lee_landgrebe_density, make_lee_landgrebe, make_three_rectangles, three_rectangles_density
from oracles.border_axes import plain_edbfm, plain_svmdba


def two_classes(seed, n=40, p=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, p)) * (1 + y[:, None]) + 0.8 * y[:, None], y


@pytest.mark.parametrize("seed", range(4))
def test_sampling_agrees_with_loops(seed):
    X, y = two_classes(seed)

    def h(x):
        return np.sin(x[0]) - 0.4 * x[1] * x[2] + 0.2 - x[1]

    expected = plain_edbfm(h, X[y == 0], X[y == 1])
    found = edbfm(X, y, lambda rows: np.array([h(x) for x in rows]))
    assert np.trace(found) == pytest.approx(1)
    # A curved border may cross a segment more than once, and the crossings that are found then differ.
    np.testing.assert_allclose(found, expected, atol=0.06)
    w = np.array([-1, -2, 0.5])
    flat = plain_edbfm(lambda x: x @ w, X[y == 0], X[y == 1])
    np.testing.assert_allclose(edbfm(X, y, lambda r: r @ w), flat, atol=1e-7)


@pytest.mark.parametrize("seed", range(2))
def test_classifiers_agree_with_loops_over_their_decision_function(seed):
    X, y = two_classes(seed)
    fitted = fewer.DecisionBoundary(estimator=QuadraticDiscriminantAnalysis()).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    model = QuadraticDiscriminantAnalysis().fit(Z, y)
    expected = plain_edbfm(lambda x: -model.decision_function(x[None])[0], Z[y == 0], Z[y == 1])
    np.testing.assert_allclose(fitted.matrix_, expected, atol=1e-6)


@pytest.mark.parametrize("r", [0.3, 1.0])
def test_svmdba_agrees_with_loops(r):
    X, y = two_classes(7)
    fitted = fewer.SVMDecisionBoundary(border_fraction=r).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    model = SVC().fit(Z, y == 0)
    expected = plain_svmdba(lambda x: model.decision_function(x[None])[0], Z, r)
    np.testing.assert_allclose(fitted.matrix_, expected, atol=1e-6)


def test_svmdba_of_several_classes_adds_machines_by_their_class():
    X, y = np.random.default_rng(3).normal(size=(90, 3)), np.arange(90) % 3
    X[:, :2] += np.array([[0, 0], [2, 0], [0, 2]])[y]
    fitted = fewer.SVMDecisionBoundary(standardize=False, border_fraction=0.4).fit(X, y)
    total = 0
    for c in range(3):
        border = KernelDecision(SVC(coef0=1.0).fit(X, y == c)).pair(1, 0)
        total = total + near_matrix(border, X, 0.4) / 3
    np.testing.assert_allclose(fitted.matrix_, total, atol=1e-12)
    assert len(fitted.machines_) == 3


def test_pairs_of_classes_count_by_their_priors():
    """Catalogue, ch. 6: the sum over pairs of P_i P_j times the matrix of the pair, brought to trace 1."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [24, 12, 8])
    X = rng.normal(size=(44, 2)) + 1.5 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    fitted = fewer.DecisionBoundary(estimator=QuadraticDiscriminantAnalysis(), standardize=False).fit(X, y)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    total = np.zeros((2, 2))
    for i, j in ((0, 1), (0, 2), (1, 2)):

        def h(x, i=i, j=j):
            return np.diff(model.decision_function(x[None])[0][[j, i]])[0]

        total += np.mean(y == i) * np.mean(y == j) * plain_edbfm(h, X[y == i], X[y == j])
    np.testing.assert_allclose(fitted.matrix_, total / np.trace(total), atol=1e-6)


@pytest.mark.parametrize(
    "made", [fewer.SVMDecisionBoundary(kernel="linear"), fewer.DecisionBoundary(estimator=LogisticRegression())]
)
def test_a_linear_border_has_rank_one(made):
    """Catalogue, ch. 6: linear kernel -> rank 1, u_1 = w / |w|, eigenvalue 1."""
    X, y = two_classes(1)
    fitted = made.fit(X, y)
    model = fitted.machines_[0] if hasattr(fitted, "machines_") else fitted.estimator_
    w = model.coef_[0] / np.linalg.norm(model.coef_[0])
    assert fitted.eigenvalues_.tolist() == [1.0, 0.0, 0.0]
    assert abs(fitted.axes_[0] @ w) == pytest.approx(1)
    assert fitted.components_.shape == (1, 3)
    assert fitted.explained_fraction_ == 1.0


def test_the_exact_matrix_of_three_rectangles():
    """Catalogue, ch. 6: 5.6 / 35.2 = 0.15909 and 0.84091; the text prints 0.1591 and 0.841."""
    density = lambda X: three_rectangles_density(X).sum(axis=1)  # noqa: E731
    found = edbfm_exact(density, lambda X: X.min(axis=1), [[-9.8, 9.8], [-1.8, 1.8]], (98, 18), (980, 180))
    np.testing.assert_allclose(found, np.diag([5.6 / 35.2, 29.6 / 35.2]), atol=1e-9)


def test_the_exact_matrix_of_lee_and_landgrebe():
    """Book, section 6.5.1: 0.56 on x2, 0.44 on x1, 0 on x3; line integrals along the border 0.55726, 0.44274."""
    at_zero = lambda X: lee_landgrebe_density(np.c_[X, np.zeros(len(X))])  # noqa: E731
    scores = lambda X: np.log(at_zero(X))  # noqa: E731
    found = edbfm_exact(lambda X: at_zero(X).sum(axis=1), scores, [[-14, 14]] * 2, 60, 10_000)
    np.testing.assert_allclose(found, np.diag([0.442741, 0.557259]), atol=1e-4)
    box = [[-14, 14], [-14, 14], [-12, 12]]
    density, logs = (lambda X: lee_landgrebe_density(X).sum(axis=1)), (lambda X: np.log(lee_landgrebe_density(X)))
    whole = edbfm_exact(density, logs, box, (60, 60, 2), (160, 160, 8))
    np.testing.assert_allclose(whole, np.diag([0.442741, 0.557259, 0.0]), atol=4e-3)


def test_the_exact_matrix_of_an_ellipse_is_its_line_integral():
    turns = (np.arange(200_000) + 0.5) * 2 * np.pi / 200_000
    ways = np.c_[-3 * np.sin(turns), np.cos(turns)]
    length = np.linalg.norm(ways, axis=1)
    normals = np.c_[ways[:, 1], -ways[:, 0]] / length[:, None]
    p = np.exp(-3 * np.cos(turns) / 2)
    expected = (normals * (p * length)[:, None]).T @ normals / (p * length).sum()
    inside = lambda X: 1 - X[:, 0] ** 2 / 9 - X[:, 1] ** 2  # noqa: E731
    found = edbfm_exact(lambda X: np.exp(-X[:, 0] / 2), inside, [[-4, 4], [-2, 2]], 50, 2000)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    line = edbfm_exact(lambda X: np.ones(len(X)), lambda X: X[:, 0], [[-1, 1]])
    np.testing.assert_allclose(line, [[1.0]])


def signed_distance(X):
    right, up = X.T
    corner = np.hypot(right, up)
    far = np.minimum(np.where(up >= 0, np.abs(right), corner), np.where(right >= 0, np.abs(up), corner))
    return np.where((up > 0) & (right > 0), far, -far)


def test_sampled_eigenvalues_of_three_rectangles():
    """Catalogue, ch. 6, recomputed tables 6.2 and 6.3: .305; .156/.150/.141/.135/.289 by r; +- .015."""
    border = GivenBorder(signed_distance, lambda X: np.eye(2)[(X[:, 0] > X[:, 1]).astype(int)], np.full(2, 1e-6))
    found = []
    for seed in range(24):
        data = make_three_rectangles(2000, random_state=seed)
        X, y = data.X, data.y
        all_rows = pair_matrix(border, X[y == 0], X[y == 1])[0, 0]
        found.append([all_rows, *[near_matrix(border, X, r)[0, 0] for r in (0.2, 0.4, 0.6, 0.8, 1.0)]])
    expected = [0.305, 0.156, 0.150, 0.141, 0.135, 0.289]
    np.testing.assert_allclose(np.mean(found, axis=0), expected, atol=0.015)


def test_sampled_eigenvalues_of_lee_and_landgrebe_with_the_true_densities():
    """Catalogue, ch. 6: the sampled pairwise algorithm with the true h gave 0.62 and 0.38, 500 per class; +- .03."""
    found = np.zeros((3, 3))
    for seed in range(3):
        data = make_lee_landgrebe(1500, random_state=seed)
        parts = [data.X[data.y == c] for c in range(3)]
        for i, j in ((0, 1), (0, 2), (1, 2)):
            h = lambda X: -np.diff(np.log(lee_landgrebe_density(X))[:, [i, j]], axis=1)[:, 0]  # noqa: B023, E731
            found += pair_matrix(GivenBorder(h, None, np.full(3, 1e-5)), parts[i], parts[j]) / 9
    assert found[1, 1] == pytest.approx(0.62, abs=0.03)
    assert found[0, 0] == pytest.approx(0.38, abs=0.03)
    assert found[2, 2] < 1e-6


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_perceptrons_find_two_axes_and_both_normals_agree():
    """Catalogue, ch. 6: MLPFE and ADBFE agree on the same network; two axes are needed."""
    data = make_lee_landgrebe(900, random_state=0)
    model = MLPClassifier((10,), activation="logistic", solver="lbfgs", alpha=0.01, max_iter=300, random_state=0)
    made = [fewer.DecisionBoundary(estimator=model, normals=n) for n in ("analytic", "differences")]
    analytic, numeric = (one.fit(data.X, data.y) for one in made)
    np.testing.assert_allclose(analytic.matrix_, numeric.matrix_, atol=1e-6)
    assert analytic.eigenvalues_[2] < 0.05
    plain = fewer.DecisionBoundary(2, random_state=0).fit(data.X, data.y)
    assert np.abs(plain.axes_[:, 2]).max() < 0.2
    assert plain.selection_.indices.tolist() == [1, 0]


def test_trimming_keeps_rows_within_the_radius(rng):
    from scipy.stats import chi2

    mine, others = rng.normal(size=(200, 2)), 3 * rng.normal(size=(300, 2))
    inside = trimmed(others, mine, 0.95)
    mean, inverse = mine.mean(axis=0), np.linalg.inv(np.cov(mine.T, bias=True))
    expected = [o for o in others if (o - mean) @ inverse @ (o - mean) <= chi2.ppf(0.95, 2)]
    np.testing.assert_array_equal(inside, expected)
    assert len(trimmed(others + 100, mine, 0.95)) == 5
    border = GivenBorder(lambda X: 4 - (X**2).sum(axis=1), None, np.full(2, 1e-6))
    first, second = mine[border.values(mine) > 0], others[border.values(others) <= 0]
    by_hand = mean_square(border, first, trimmed(second, first, 0.5))
    by_hand = by_hand + mean_square(border, second, trimmed(first, second, 0.5))
    np.testing.assert_allclose(pair_matrix(border, mine, others, 0.5), by_hand / 2)
    assert not np.allclose(pair_matrix(border, mine, others), by_hand / 2)


def test_scaled_inside_or_outside_and_fitted_before_is_the_same():
    X, y = two_classes(2)
    Z = StandardScaler().fit_transform(X)
    outside = fewer.DecisionBoundary(estimator=SVC(), standardize=False).fit(Z, y)
    own = fewer.DecisionBoundary(estimator=SVC()).fit(X, y)
    frozen = fewer.DecisionBoundary(estimator=FrozenEstimator(SVC().fit(Z, y)), standardize=False).fit(Z, y)
    np.testing.assert_allclose(own.matrix_, outside.matrix_, atol=1e-9)
    np.testing.assert_allclose(frozen.matrix_, outside.matrix_, atol=1e-12)
    np.testing.assert_allclose(
        own.transform(X), outside.transform(Z) - outside.mean_ @ outside.components_.T, atol=1e-9
    )
    with_step = fewer.DecisionBoundary(estimator=make_pipeline(StandardScaler(), SVC())).fit(X, y)
    np.testing.assert_allclose(with_step.matrix_, own.matrix_, atol=1e-9)


@pytest.mark.parametrize("shift", [(1.0, 1e9), (1e-200, 0.0), (1e200, 0.0)])
@pytest.mark.parametrize("name", ["SVMDecisionBoundary", "DecisionBoundary", "BVQFE", "CanonicalAnalysis"])
def test_units_and_origins_do_not_matter(name, shift):
    X, y = two_classes(5)
    made = getattr(fewer, name)(2)
    if name == "DecisionBoundary":
        # A network settles in another of its optima when rows are rounded in another way.
        made.set_params(estimator=QuadraticDiscriminantAnalysis())
    if hasattr(made, "random_state"):
        made.set_params(random_state=0)
    if hasattr(made, "max_iter"):
        made.set_params(max_iter=2000)
    plain = made.fit(X, y).eigenvalues_
    np.testing.assert_allclose(made.fit(X * shift[0] + shift[1], y).eigenvalues_, plain, atol=1e-2)


def test_fractions_say_how_many_axes():
    X, y = two_classes(3, p=5)
    values = fewer.SVMDecisionBoundary(None).fit(X, y).eigenvalues_
    for wanted in (0.3, 0.6, 0.95, 1.0):
        fitted = fewer.SVMDecisionBoundary(wanted).fit(X, y)
        k = len(fitted.components_)
        assert fitted.explained_fraction_ >= wanted - 1e-9
        assert k == 1 or values[: k - 1].sum() < wanted
    assert fewer.SVMDecisionBoundary(99).fit(X, y).transform(X).shape == (40, 5)


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda X, y: fewer.DecisionBoundary(estimator=RandomForestClassifier()).fit(X, y), "constant piece by piece"),
        (lambda X, y: fewer.DecisionBoundary(estimator="svm").fit(X, y), "no classifier; pass one"),
        (lambda X, y: fewer.DecisionBoundary().fit(X, np.zeros(len(X))), "class"),
        (lambda X, y: fewer.SVMDecisionBoundary(kernel="linear", C=1e-9).fit(X[:3], [0, 0, 1]), "raise C"),
        (lambda X, y: edbfm(X, y, lambda r: np.ones(len(r))), "found no point of the border"),
        (lambda X, y: edbfm(X, y[:3], lambda r: r[:, 0]), "one class per row"),
        (lambda X, y: edbfm_exact(lambda r: r[:, 0], lambda r: r[:, 0], [[1, 0]]), "larger upper end"),
        (lambda X, y: edbfm_exact(lambda r: r[:, 0], lambda r: r[:, 0], [[1, 2]]), "widen the box"),
    ],
)
def test_refusals_are_sentences(work, words):
    X, y = two_classes(0)
    with pytest.raises(FewerError, match=words) as error:
        work(X, y)
    assert "\n" not in str(error.value)
