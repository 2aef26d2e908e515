"""Cross-validation by sums over folds, against scikit-learn and plain loops on the same folds."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, kruskal, spearmanr
from sklearn.linear_model import Ridge

import fewer
from fewer.core.discretize.codes import codes_view
from fewer.core.discretize.named import as_discretizer
from fewer.core.folds.curve import Curve, sizes_up_to
from fewer.core.folds.deal import deal, folds_of
from fewer.core.folds.fit import fit_folds
from fewer.core.folds.orders import by_gain
from fewer.core.folds.relevance import _chi2_moments, relevance
from fewer.core.summaries.results import Counts
from fewer.methods.recipe import DefaultRecipe
from oracles import folds as oracle


def view_of(X, y, **given):
    """Return the view that the recipe works on."""
    seen = {}

    class Look(DefaultRecipe):
        def _select(self, data, parts):
            seen["view"] = data
            return super()._select(data, parts)

    Look(1).fit(X, y, **given)
    return seen["view"]


@pytest.fixture(scope="module")
def classes():
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1, 2], [40, 30, 20]))
    X = rng.normal(size=(90, 6))
    X[:, 1] += y
    X[:, 4] -= 0.7 * (y == 1)
    X[:, 5] = np.round(X[:, 1])
    return X, y


QUANTILE = as_discretizer("quantile", 10)


def test_scores_of_classes_are_those_of_plain_loops(classes):
    X, y = classes
    view = view_of(X, y)
    fitted = fit_folds(view, QUANTILE)
    target = deal(view).view.whole().y
    codes = codes_view(view, QUANTILE).whole().rows
    Z = (X - X.mean(axis=0)) / X.std(axis=0)

    def prior(t):
        return np.bincount(t, minlength=3) / len(t)

    for s, k in enumerate(fitted.curve.sizes):
        order = fitted.orders[:, :k]
        bayes = oracle.naive_bayes(codes, y, target["fold"], order, prior)
        linear = oracle.discriminant(Z, y, target["fold"], order, prior)
        np.testing.assert_allclose(fitted.curve.pooled[:, s], [linear.mean(), bayes.mean()])
        for f in range(5):
            here = target["fold"] == f
            np.testing.assert_allclose(fitted.curve.scores[:, f, s], [linear[here].mean(), bayes[here].mean()])


def test_scores_of_numbers_are_those_of_ridge(classes):
    X, _ = classes
    y = X[:, 0] - X[:, 2] + np.random.default_rng(1).normal(size=90)
    view = view_of(X, y)
    fitted = fit_folds(view, QUANTILE)
    fold = deal(view).view.whole().y["fold"]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    for s, k in enumerate(fitted.curve.sizes):
        errors, guesses = 0.0, 0.0
        for f in range(5):
            train, test, chosen = fold != f, fold == f, fitted.orders[f, :k]
            model = Ridge(0.01 * train.sum()).fit(Z[train][:, chosen], y[train])
            errors += np.sum((y[test] - model.predict(Z[test][:, chosen])) ** 2)
            guesses += np.sum((y[test] - y[train].mean()) ** 2)
        assert fitted.curve.pooled[0, s] == pytest.approx(1 - errors / guesses, abs=1e-10)


def test_the_order_of_a_fold_does_not_know_its_rows(classes):
    X, y = classes
    fitted = fit_folds(view_of(X, y), QUANTILE)
    rows = np.flatnonzero(deal(view_of(X, y)).view.whole().y["fold"] == 3)
    # Columns keep their values, and so their bins, and rows their folds.
    other = X.copy()
    other[rows] = X[np.roll(rows, 1)]
    again = fit_folds(view_of(other, y), QUANTILE)
    np.testing.assert_array_equal(fitted.orders[3], again.orders[3])
    assert not np.array_equal(fitted.found.rank, again.found.rank)


@pytest.mark.parametrize("period", [2, 5, 10])
def test_rows_are_dealt_evenly_whatever_their_order(period):
    y = np.arange(203) % 3
    made = deal(view_of(np.random.default_rng(0).normal(size=(203, 2)), y)).view.whole().y
    table = np.zeros((5, 3), int)
    np.add.at(table, (made["fold"], y), 1)
    assert (table.max(axis=0) - table.min(axis=0)).max() <= 1
    folds = folds_of(np.arange(10_000), 5)
    assert np.bincount(folds).tolist() == [2000] * 5
    # Neither neighbours nor every fifth row share a fold more often than others do.
    assert np.mean(folds[:-period] == folds[period:]) < 0.22


def test_groups_stay_together_and_fill_all_folds():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 23, 200)
    made = deal(view_of(rng.normal(size=(200, 2)), rng.integers(0, 2, 200), groups=groups)).view.whole().y
    assert all(len(np.unique(made["fold"][groups == g])) == 1 for g in range(23))
    assert set(made["fold"]) == set(range(5))


def test_relevance_is_that_of_known_tests(classes, monkeypatch):
    X, y = classes
    codes = codes_view(view_of(X, y), QUANTILE).whole()
    tables = [
        np.array([np.bincount(y[codes.rows[:, j] == k], minlength=3) for k in range(n)])
        for j, n in enumerate(codes.n_levels)
    ]
    counts = Counts(np.concatenate(tables), np.concatenate([[0], np.cumsum(codes.n_levels)]))
    missing, numeric = np.zeros(6, bool), np.ones(6, bool)
    found = relevance(counts, numeric, missing, False)
    for j in range(6):
        order = kruskal(*(codes.rows[y == c, j] for c in range(3))).pvalue
        levels = relevance(counts, ~numeric, missing, False).pvalue[j]
        assert found.pvalue[j] == pytest.approx(min(1.0, 2 * min(order, levels)))
        # Nearly the usual test, where cells are not too empty.
        assert levels == pytest.approx(chi2_contingency(tables[j])[1], abs=0.08)
    monkeypatch.setattr("fewer.core.folds.relevance.MOST_CELLS", 50)
    in_parts = relevance(counts, numeric, missing, False)
    np.testing.assert_array_equal(in_parts.rank, found.rank)
    np.testing.assert_array_equal(in_parts.pvalue, found.pvalue)
    both = relevance(Counts(tables[1], np.array([0, len(tables[1])])), numeric[:1], missing[:1], True)
    assert 0 < both.strength[0] < spearmanr(codes.rows[:, 1], y)[0] ** 2 + 0.05


def test_mean_and_variance_of_chi_squared_over_all_permutations():
    levels, target = np.array([0, 0, 1, 1, 1, 2, 2]), np.array([0, 0, 0, 0, 1, 1, 1])
    values = []
    for rows in itertools.permutations(range(7)):
        table = np.zeros((3, 2))
        np.add.at(table, (levels, target[list(rows)]), 1)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / 7
        values.append(((table - expected) ** 2 / expected).sum())
    one = np.ones(1)
    mean, variance = _chi2_moments(7 * one, 3 * one, 2 * one, one * (1 / 2 + 1 / 3 + 1 / 2), one * (1 / 4 + 1 / 3))
    assert mean[0] == pytest.approx(np.mean(values))
    assert variance[0] == pytest.approx(np.var(values))


def test_a_twin_comes_late_and_ties_go_to_the_lower_number():
    shared = np.eye(4)
    shared[0, 1] = shared[1, 0] = 0.99
    order = by_gain(np.array([0.5, 0.49, 0.2, 0.2]), shared, 4)
    assert order.tolist() == [0, 2, 3, 1]
    assert by_gain(np.array([0.5, 0.49, 0.2, 0.2]), shared, 2).tolist() == [0, 1, 2, 3]


def curve(means, spread=0.01):
    rng = np.random.default_rng(0)
    scores = np.asarray(means) + spread * rng.normal(size=(2, 5, len(means)))
    return Curve(np.arange(1, len(means) + 1), scores, np.tile(means, (2, 1)), 0.5, 0.02, "accuracy")


def test_which_size_is_taken():
    assert curve([0.6, 0.7, 0.8, 0.75]).taken(1, 4, 4, "best") == 2
    # Of sizes that are as good the largest.
    assert curve([0.6, 0.8001, 0.8, 0.75]).taken(1, 4, 4, "best") == 2
    # Not more than the relevant ones, unless clearly better.
    assert curve([0.6, 0.7, 0.7, 0.701]).taken(1, 4, 2, "best") == 1
    assert curve([0.6, 0.7, 0.7, 0.9]).taken(1, 4, 2, "best") == 3
    assert curve([0.6, 0.798, 0.8, 0.803], 0.05).taken(1, 4, 4, "parsimonious") == 1
    assert curve([0.6, 0.7, 0.8, 0.75]).taken(4, 4, 1, "best") == 3
    assert sizes_up_to(30, (9, 40)).tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 22, 27, 30]


def test_noise_beyond_the_relevant_is_not_taken():
    # As good as the best, and beyond what is relevant: not by tolerance.
    assert curve([0.7, 0.7, 0.8, 0.7999]).taken(1, 4, 2, "best") == 2
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(1000, 50)), rng.integers(0, 2, 1000)
    assert len(fewer.select(X, y)) <= 1


def test_relevance_to_numbers_has_one_scale():
    """A bent relation is measured by its bins, a straight one by its order: both as a fraction of variance."""
    rng = np.random.default_rng(0)
    x, bent = rng.normal(size=(2, 2000))
    y = bent**2 + 0.3 * rng.normal(size=2000)
    scores = fewer.select(np.column_stack([bent, x, bent**2 + 0.1 * rng.normal(size=2000)]), y).scores
    # Bins of a parabola tell nearly as much as its values do.
    assert scores[0] == pytest.approx(scores[2], abs=0.1)
    ranks = np.argsort(np.argsort(y))
    bins = np.argsort(np.argsort(bent)) // 200
    means = np.array([ranks[bins == b].mean() for b in range(10)])
    assert scores[0] == pytest.approx(means.var() / ranks.var(), abs=0.02)


def test_a_size_that_was_asked_for_is_no_better_for_it():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(120, 6)), np.arange(120) % 2
    for asked in (2, None):
        found = fewer.select(X, y, n_features_to_select=asked)
        assert len(found) == (asked or 6)
        assert not found.meta["score"]["better_than_guess"]
        assert "as many as were asked for, but not shown to be better than a guess (" in found.meta["score"]["words"]
    X[:, 1] += 2 * y
    found = fewer.select(X, y, n_features_to_select=2)
    assert found.meta["score"]["better_than_guess"]
    assert "asked for" not in found.meta["score"]["words"]


def test_rows_that_are_not_in_memory_are_said_not_to_be_looked_through(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    frame["y"] = (frame["a"] + 0.3 * rng.normal(size=200) > 0).astype(int)
    frame.to_csv(tmp_path / "some.csv", index=False)
    table = fewer.open_table(tmp_path / "some.csv", target="y")
    assert any("not looked through for exact copies" in note for note in fewer.select(table).meta["data"]["notes"])
    here = fewer.select(frame[["a", "b", "c"]], frame["y"])
    assert not any("looked through" in note for note in here.meta["data"].get("notes", ()))
