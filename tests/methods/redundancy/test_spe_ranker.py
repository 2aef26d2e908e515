"""The SPE ranker against least squares at every step, and the facts of its text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.records.errors import InputError, RequirementError
from fewer.core.summaries.products import ProductsWithTarget
from fewer.methods.redundancy._projections import Projections
from fewer.methods.redundancy.spe_ranker import SPERanker
from fewer.synth import make_anticorrelated, make_polynomial
from oracles.orthogonal import spe_scores, spe_walk


def kinds(selection):
    return [selection.reason(j).kind for j in range(selection.n_features)]


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("n_classes", [2, 4, 0])
def test_scores_are_the_largest_squared_correlations(rng, degree, n_classes):
    X = rng.uniform(-1, 1, size=(80, 7)) + rng.normal(size=7)
    y = rng.integers(0, n_classes, 80) if n_classes else X[:, 2] ** 2 + rng.normal(size=80)
    targets = [y == c for c in range(n_classes)] if n_classes else [y]
    got = SPERanker(degree=degree, redundancy=False).fit(X, y)
    want = spe_scores(X, [t.astype(float) for t in targets], degree)
    np.testing.assert_allclose(got.scores_, want, rtol=1e-9)
    np.testing.assert_array_equal(got.selection_.indices, np.argsort(-want, kind="stable"))


def test_text_labels_are_classes_and_two_classes_are_read_as_their_numbers(rng):
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 3, 60)
    text = SPERanker().fit(X, np.array(["b", "c", "a"])[y]).scores_
    np.testing.assert_array_equal(text, SPERanker().fit(X, y).scores_)
    numbers = SPERanker(degree=1).fit(X, (y == 1) + 1e-9 * rng.normal(size=60)).scores_
    np.testing.assert_allclose(SPERanker(degree=1).fit(X, y == 1).scores_, numbers, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("xi", [2 / 3, 0.2, 1.0])
def test_redundant_features_equal_those_of_least_squares(seed, xi):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(8, 40)), int(rng.integers(2, 16))
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 100 * rng.normal(size=d)
    y = X[:, 0] + rng.normal(size=n)
    selection = SPERanker(xi=xi).fit(X, y).selection_
    order = np.argsort(-spe_scores(X, [y], 2), kind="stable").tolist()
    basis, redundant = spe_walk(X, order, xi)
    assert selection.indices.tolist() == [j for j in order if j not in redundant]
    assert {j for j, kind in enumerate(kinds(selection)) if kind == "redundant"} == set(redundant)
    for j, (then, left) in redundant.items():
        reason = selection.reasons
        assert reason.amount[j] == pytest.approx(1 - left, abs=1e-8)
        assert set(reason.related[j]) <= set(then)


@given(st.integers(0, 10_000), st.floats(0.01, 1e4), st.floats(-100, 100))
def test_duplicates_and_rescaled_columns_are_always_redundant(seed, factor, shift):
    """Text, section 3.2: what lies in the span of the basis leaves it with length zero."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 6)), rng.integers(0, 2, 40)
    X = np.column_stack([X, X[:, :3], -factor * X[:, 3:] + shift])
    selection = SPERanker().fit(X, y).selection_
    for j in range(6):
        pair = [selection.reason(j).kind, selection.reason(j + 6).kind]
        assert pair.count("kept") <= 1
        assert "redundant" in pair
    plain = SPERanker(redundancy=False).fit(X, y).selection_
    assert set(kinds(plain)) == {"kept"}


def orthonormal(rng, n_rows, n_columns):
    """Centred columns of length one without any correlation."""
    X = rng.normal(size=(n_rows, n_columns))
    return np.linalg.qr(X - X.mean(axis=0))[0]


def test_a_copy_names_its_original_and_a_sum_both_parts(rng):
    a, b, c = orthonormal(rng, 50, 3).T
    X = np.column_stack([a, b, c, 5 * a + 1, a - b])
    selection = SPERanker(degree=1).fit(X, 3 * a + 2 * b).selection_
    assert selection.reasons.related[3] == (0,)
    assert set(selection.reasons.related[4]) == {0, 1}
    assert selection.reasons.amount == {3: pytest.approx(1), 4: pytest.approx(1)}


@pytest.mark.parametrize(("r", "kept"), [(0.5, 2), (-0.92, 2), (0.92, 2), (-0.95, 1), (0.95, 1), (1.0, 1)])
def test_two_features_are_redundant_by_their_correlation(rng, r, kept):
    """Text, section 5.2: correct below 0.92, one discarded above 0.95. Eq. 14 gives sqrt(8)/3 = 0.943 for a pair."""
    a, b = orthonormal(rng, 200, 2).T
    X = np.column_stack([a, r * a + np.sqrt(1 - r**2) * b])
    assert len(SPERanker().fit(X, rng.integers(0, 2, 200)).selection_) == kept


@pytest.mark.parametrize(("ratio", "kept"), [(0.41, 1), (0.55, 2)])
@pytest.mark.parametrize("sigma", [1.0, 2.0, 3.0])
def test_anticorrelated_pairs_of_the_text(ratio, kept, sigma):
    """Section 5.2 and figure 10: always redundant for d < 0.42 sigma, never for d > 0.54 sigma; 100 rows per class."""
    for seed in range(30):
        data = make_anticorrelated(100, sigma, ratio * sigma, random_state=seed)
        assert len(SPERanker().fit(data.X, data.y).selection_) == kept


def test_with_few_rows_only_so_many_features_are_judged(rng):
    """Text, section 3.2: 4 rows and 100 features must not make 96 of them redundant by algebra."""
    X, y = rng.normal(size=(4, 100)), np.array([0, 1, 0, 1])
    few = SPERanker(xi=0.5).fit(X, y).selection_
    everything = SPERanker(xi=1.0).fit(X, y).selection_
    assert len(few) > 40
    assert len(everything) <= 4


@pytest.mark.parametrize(("xi", "kept"), [(0.5, 5), (0.43, 5), (0.42, 6)])
def test_the_basis_grows_until_it_has_the_share_of_the_rows(rng, xi, kept):
    """Algorithm 1: stop when the columns of q are at least xi times the rows; 0.43 of 7 rows are more than 3."""
    X = orthonormal(rng, 7, 5)
    y = X @ [5.0, 4.0, 3.0, 2.0, 1.0]
    X = np.column_stack([X, X[:, 3]])
    got = SPERanker(degree=1, xi=xi).fit(X, y).selection_
    assert len(got) == kept


def test_a_number_of_features_counts_those_that_are_not_redundant(rng):
    X = rng.normal(size=(60, 4))
    y = X @ [4.0, 3.0, 2.0, 1.0]
    X = np.column_stack([X, X[:, 0], X[:, 3]])
    two = SPERanker(2, degree=1).fit(X, y).selection_
    assert two.indices.tolist() == [0, 1]
    assert kinds(two) == ["kept", "kept", "not reached", "not reached", "redundant", "not reached"]
    assert two.order.tolist() == [0, 1, 2, 3, 5, 4]
    share = SPERanker(0.5, degree=1).fit(X, y).selection_
    assert share.indices.tolist() == two.indices.tolist()
    assert kinds(share) == kinds(two)
    strict = SPERanker("threshold:0.2", degree=1).fit(X, y).selection_
    assert strict.reason(3).kind == "irrelevant"
    assert strict.reason(3).threshold == 0.2
    with pytest.raises(RequirementError, match="p-values"):
        SPERanker("fdr:0.05").fit(X, y)


def test_constant_columns_score_nothing_and_are_never_kept(rng):
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, 30)
    X[:, 1] = 1e9
    X = np.column_stack([X, np.sign(X[:, 0])])
    got = SPERanker().fit(X, y)
    assert got.scores_[1] == 0
    assert got.selection_.order[-1] == 1
    assert str(got.selection_.reason(1)).endswith("the column is constant.")
    assert np.isfinite(got.scores_).all()


def test_large_and_shifted_numbers_are_ranked_as_small_ones(rng):
    X, y = rng.normal(size=(50, 5)), rng.integers(0, 2, 50)
    X = np.column_stack([X, X[:, 0] + 0.1 * X[:, 1]])
    plain = SPERanker(degree=3).fit(X, y)
    large = SPERanker(degree=3).fit(X * 1e140, y)
    np.testing.assert_allclose(large.scores_, plain.scores_, rtol=1e-9)
    assert large.selection_.reasons.related == plain.selection_.reasons.related
    offset = SPERanker(degree=1).fit(X + 1e8, y).selection_
    assert offset.reasons.related == SPERanker(degree=1).fit(X, y).selection_.reasons.related
    with pytest.raises(InputError, match="overflow"):
        SPERanker().fit(X * 1e200, y)


def test_directions_are_orthonormal_whatever_the_columns_are(rng):
    X = np.vander(np.linspace(1, 2, 60), 8)[:, :-1] + 1e5
    view = ReadOnly().fit(X, rng.normal(size=60)).view
    projections = Projections(view, view.fold(ProductsWithTarget()))
    for j in range(7):
        projections.include(j)
    np.testing.assert_allclose(projections.directions @ projections.directions.T, np.eye(7), atol=1e-13)
    np.testing.assert_allclose(projections.directions.sum(axis=1), 0, atol=1e-13)
    np.testing.assert_allclose(projections.left, 0, atol=1e-12)


class ReadOnly(SPERanker):
    """Keeps the view it is given."""

    def _select(self, data, parts):
        self.view = data
        return super()._select(data, parts)


def test_squares_find_what_correlation_does_not(rng):
    X = rng.uniform(-1, 1, size=(200, 10))
    y = (X[:, 4] ** 2 > 0.3).astype(int)
    got = SPERanker(1).fit(X, y).selection_
    assert got.indices.tolist() == [4]
    assert got.columns["power"][4] == 2
    data = make_polynomial(100, 50, 5, degree=2, n_copies=2, random_state=0)
    redundant = SPERanker().fit(data.X, data.y).selection_.reasons.related
    assert all(data.origin(j) == data.origin(to[0]) for j, to in redundant.items() if j in data.redundant)
