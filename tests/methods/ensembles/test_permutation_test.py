"""PermutationTest: both kinds against plain loops."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import fewer
from fewer.core.importance.models import seeded
from fewer.core.records.errors import FewerError, InputError, NothingFoundWarning
from fewer.methods.ensembles._importance_fits import seed_of
from fewer.methods.ensembles._permutation_scores import bagged, losses, null_pvalues, z_scores
from oracles import shadows

SMALL = {"n_permutations": 19, "n_trees": 20, "n_estimators": 25, "random_state": 0}


def problem(n=120, p=6, seed=0, classes=True):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    y = X[:, 1] + X[:, 4] + 0.3 * rng.normal(size=n)
    return X, (y > 0).astype(int) if classes else y


class Named(ClassifierMixin, BaseEstimator):
    """Importances that follow from the target alone: how often it agrees with itself in a few places."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.feature_importances_ = np.array([(y[: 4 * (j + 1)] == 1).sum() for j in range(X.shape[1])], dtype=float)
        self.n_features_in_ = X.shape[1]
        return self


def test_null_importances_are_counted_with_ties_against_the_feature():
    X, y = problem(n=40)
    got = fewer.PermutationTest(estimator=Named(), n_permutations=19, random_state=3).fit(X, y).selection_
    actual = Named().fit(X, y).feature_importances_
    null = [
        Named().fit(X, y[np.random.default_rng([3, number, 1]).permutation(40)]).feature_importances_
        for number in range(1, 20)
    ]
    expected = [shadows.null_pvalue(actual[j], [row[j] for row in null]) for j in range(6)]
    np.testing.assert_allclose(got.columns["pvalue"], expected)
    np.testing.assert_allclose(got.scores, (actual - np.mean(null, axis=0)) / np.std(null, axis=0))
    assert null_pvalues(np.array([1.0]), np.ones((4, 1))).tolist() == [1.0]
    assert null_pvalues(np.array([2.0]), np.ones((4, 1))).tolist() == [0.2]


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("kind", ["target", "oob"])
def test_relevant_features_have_the_smallest_pvalues(kind, classes):
    X, y = problem(classes=classes)
    found = fewer.PermutationTest(kind=kind, **SMALL).fit(X, y).selection_
    assert {1, 4} <= set(found.indices.tolist())
    assert set(found.order[:2].tolist()) == {1, 4}
    if kind == "target":
        assert found.columns["pvalue"].min() == pytest.approx(1 / 20)


@pytest.mark.parametrize("classes", [True, False])
def test_losses_out_of_bag_are_those_of_a_loop(classes):
    X, y = problem(40, classes=classes)
    model, n_models, size = bagged(None, 5, classes, len(y))
    assert (n_models, size) == (5, 40)
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    for number in range(5):
        rng = np.random.default_rng([7, number])
        bag = rng.integers(40, size=40)
        out = [i for i in range(40) if i not in set(bag.tolist())]
        tree = seeded(kind(max_features="sqrt"), seed_of(7, number)).fit(X[bag], y[bag])

        def error(rows, tree=tree, out=out):
            found = tree.predict(rows)
            return np.mean(found != y[out]) if classes else np.mean((found - y[out]) ** 2)

        expected = []
        for j in range(6):
            order, rows = rng.permutation(len(out)), X[out].copy()
            rows[:, j] = rows[order, j]
            expected.append(error(rows) - error(X[out]))
        got = losses(model, X, y, {}, 40, 7, number)
        np.testing.assert_allclose(got, expected, atol=1e-12)
        unused = np.setdiff1d(np.arange(6), tree.tree_.feature)
        assert (got[unused] == 0).all()


def test_z_and_pvalues_are_those_of_the_formula():
    rng = np.random.default_rng(0)
    found = np.column_stack([rng.normal(0.2, 1, 30), np.zeros(30), np.full(30, 0.1), rng.normal(size=30)])
    z, p = z_scores(found)
    np.testing.assert_allclose(np.column_stack([z, p])[[0, 3]], np.array(shadows.tree_test(found))[[0, 3]])
    # What never varies proves nothing, whether it is 0 or rounding.
    assert z[1:3].tolist() == [0, 0]
    assert p[1:3].tolist() == [1, 1]


def test_more_models_inflate_z():
    """The mean loss stays the same, and z grows with the root of the number of models."""
    X, y = problem()
    few, many = (
        fewer.PermutationTest(kind="oob", n_estimators=n, random_state=0).fit(X, y).scores_[[1, 4]] for n in (25, 225)
    )
    assert 2 < (many / few).mean() < 4.5
    assert "inflate" in fewer.PermutationTest.__doc__


def test_of_a_forest_its_trees_are_taken():
    forest = RandomForestClassifier(7, max_depth=2, max_samples=0.5, class_weight="balanced_subsample", random_state=3)
    tree, n_models, size = bagged(forest, 100, True, 60)
    assert (n_models, size) == (7, 30)
    assert (tree.max_depth, tree.max_features, tree.class_weight) == (2, "sqrt", "balanced")
    assert tree.random_state is None
    assert bagged(RandomForestRegressor(4, max_samples=9), 100, False, 60)[1:] == (4, 9)
    X, y = problem()
    found = fewer.PermutationTest(kind="oob", estimator=clone(forest).set_params(n_estimators=25), **SMALL).fit(X, y)
    assert set(found.selection_.order[:2].tolist()) == {1, 4}


def test_weights_of_classes_and_numbers_of_any_kind_reach_the_trees():
    weight = {0: 1.0, 1: 3.0}
    tree, _, size = bagged(RandomForestClassifier(7, class_weight=weight, max_samples=np.int64(9)), 100, True, 60)
    assert tree.class_weight == weight
    assert (size, type(size)) == (9, int)
    X, y = problem()
    forest = RandomForestClassifier(10, class_weight=weight)
    assert len(fewer.PermutationTest(2, kind="oob", estimator=forest, random_state=0).fit(X, y).selection_) == 2


@pytest.mark.parametrize("rule", ["p:0.05", "bonferroni:0.05", "fdr:0.05"])
def test_too_few_permutations_are_told_with_the_number_needed(rule):
    X, y = problem()
    made = fewer.PermutationTest(rule, n_trees=10, random_state=0, n_permutations=5)
    with pytest.warns(
        NothingFoundWarning, match=r"no p-value is below 0.167; pass n_permutations=\d+ or more"
    ) as caught:
        made.fit(X, y)
    told = next(str(one.message) for one in caught if "n_permutations=5 " in str(one.message))
    number = int(re.search(r"n_permutations=(\d+) or more", told)[1])
    assert number >= 19
    best = np.where(made.selection_.columns["pvalue"] <= 1 / 6 + 1e-9, 1, 0).sum()
    assert number == {"p:0.05": 19, "bonferroni:0.05": 119, "fdr:0.05": int(np.ceil(6 / best / 0.05)) - 1}[rule]


def test_any_model_serves_out_of_bag():
    X, y = problem(classes=False)
    found = fewer.PermutationTest(kind="oob", estimator=LinearRegression(), **SMALL).fit(X, y).selection_
    assert set(found.order[:2].tolist()) == {1, 4}
    X, y = problem()
    found = fewer.PermutationTest(kind="oob", estimator=KNeighborsClassifier(), **SMALL).fit(X, y).selection_
    assert set(found.order[:2].tolist()) == {1, 4}


def test_equal_columns_share_and_constant_ones_are_irrelevant():
    X, y = problem()
    X = np.column_stack([X, X[:, 1], np.zeros(len(X))])
    for kind in ("target", "oob"):
        found = fewer.PermutationTest(kind=kind, **SMALL).fit(X, y).selection_
        assert found.scores[1] == found.scores[6]
        assert found.columns["pvalue"][7] == 1
        assert found.reason(7).kind == "irrelevant"


def test_a_run_that_was_stopped_goes_on(tmp_path):
    X, y = problem()
    for kind, more in (("target", "n_permutations"), ("oob", "n_estimators")):
        path = tmp_path / kind
        made = {**SMALL, "kind": kind, "checkpoint": path}
        fewer.PermutationTest(**{**made, more: 5}).fit(X, y)
        first = path.read_bytes()
        whole = fewer.PermutationTest(**made).fit(X, y)
        assert path.read_bytes().startswith(first)
        assert len(path.read_bytes().splitlines()) == 1 + SMALL[more] + (kind == "target")
        np.testing.assert_array_equal(whole.scores_, fewer.PermutationTest(kind=kind, **SMALL).fit(X, y).scores_)


def test_what_cannot_be_done_is_said_in_one_sentence():
    X, y = problem()
    refused = [
        (lambda: fewer.PermutationTest(**SMALL).fit(np.ones((30, 2)), y[:30]), InputError, "constant"),
        (lambda: fewer.PermutationTest(kind="oob", **SMALL).fit(X[:2], y[:2]), FewerError, "two classes|one class"),
        (lambda: fewer.PermutationTest(estimator=3).fit(X, y), FewerError, "estimator=3"),
    ]
    for act, kind, words in refused:
        with pytest.raises(kind, match=words) as caught:
            act()
        assert "\n" not in str(caught.value)
