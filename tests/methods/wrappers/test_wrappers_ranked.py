"""Searches along a ranking: BIRS, RankSearch and OrderedFS."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel
from sklearn.datasets import load_wine, make_classification
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, LeaveOneOut, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import fewer
from fewer.core.criteria.shapes import SubsetScore
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.methods.wrappers._ranked_searches import paired_pvalue, prefix_sizes
from fewer.methods.wrappers.birs import BIRS
from fewer.methods.wrappers.ordered_fs import OrderedFS
from fewer.methods.wrappers.rank_search import RankSearch
from fewer.methods.wrappers.sequential import SequentialSelector
from fewer.synth import make_noise
from oracles.wrappers import birs, nested_curve, score


def problem(seed: int = 0, n_rows: int = 90, n_features: int = 9):
    return make_classification(
        n_rows, n_features, n_informative=4, n_redundant=2, n_classes=3, n_clusters_per_class=1, random_state=seed
    )


class Table81(SubsetScore):
    """Accuracies of table 8.1 of the book; what the text calls significant has equal gains in all folds."""

    by_one, has_folds = False, True
    alone = {5: 80, 7: 75, 4: 70, 3: 66, 1: 62, 8: 59, 6: 55, 2: 52, 9: 50}
    together = {
        (5, 7): 82, (4, 5): 81, (3, 5): 83, (1, 5): 84, (1, 5, 8): 84, (1, 5, 6): 86, (1, 2, 5): 89,
        (1, 2, 5, 9): 87,
    }  # fmt: skip
    significant = ((1, 5), (1, 2, 5))

    def __init__(self):
        self.asked = []

    def value(self, view, subset):
        key = tuple(int(j) + 1 for j in subset)
        self.asked.append(key)
        if not key:
            return 0.4
        return (self.alone[key[0]] if len(key) == 1 else self.together[key]) / 100

    def fold_values(self, view, subset):
        key = tuple(int(j) + 1 for j in subset)
        spread = np.array([-0.2, -0.1, 0.0, 0.1, 0.2])
        # Gains that are not significant vary between the folds.
        return self.value(view, subset) + spread * (len(key) > 1 and key not in self.significant)


def test_birs_walks_through_table_8_1():
    """Ranking F5 F7 F4 F3 F1 F8 F6 F2 F9; F1 and F2 join: {F5, F1, F2} after nine evaluations."""
    X, y = np.random.default_rng(0).normal(size=(20, 9)), np.arange(20) % 2
    stub = Table81()
    selection = BIRS(stub).fit(X, y).selection_
    assert (selection.indices + 1).tolist() == [5, 1, 2]
    assert selection.meta["value"] == 0.89
    sizes = [len(key) for key in dict.fromkeys(stub.asked)]
    assert [sizes.count(k) for k in (2, 3, 4)] == [4, 3, 1]
    assert selection.reason(6).kind == "redundant"
    assert selection.reason(6).related == ("x4",)
    assert selection.order.tolist()[3:] == [6, 3, 2, 7, 5, 8]


def test_birs_takes_no_more_than_asked_for():
    X, y = np.random.default_rng(0).normal(size=(20, 9)), np.arange(20) % 2
    assert (BIRS(Table81(), 2).fit(X, y).selection_.indices + 1).tolist() == [5, 1]


def test_the_test_of_birs_is_students_paired_test(rng):
    """Fold differences .02, .03, .05, .04, .06 have t = 5.657 (book ch. 8)."""
    differences = np.array([0.02, 0.03, 0.05, 0.04, 0.06])
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(5))
    assert t == pytest.approx(5.657, abs=5e-4)
    assert paired_pvalue(differences, np.zeros(5)) < 0.1
    for _ in range(20):
        a, b = rng.random(5), rng.random(5)
        assert paired_pvalue(a, b) == pytest.approx(ttest_rel(a, b).pvalue, rel=1e-10)
    assert paired_pvalue(np.full(5, 0.3), np.full(5, 0.2)) == 0.0
    assert paired_pvalue(np.full(5, 0.2), np.full(5, 0.2)) == 1.0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("estimator", [GaussianNB(), KNeighborsClassifier(1), DecisionTreeClassifier(random_state=0)])
def test_birs_equals_plain_loops(estimator, seed):
    X, y = problem(seed)
    cv = StratifiedKFold(5, shuffle=True, random_state=seed)
    ours = BIRS(estimator, cv=cv, alpha=0.1).fit(X, y)
    assert ours.selection_.indices.tolist() == birs(estimator, X, y, cv, 0.1)
    # The ranking and one pass, nothing at all, and the first feature twice.
    assert ours.n_iter_ == 2 * X.shape[1]


def test_filter_form_of_birs_ranks_by_uncertainty_and_needs_an_improvement():
    X, y = problem(1, 200)
    su = fewer.SymmetricalUncertainty(None).fit(X, y)
    merit = BIRS("cfs").fit(X, y)
    np.testing.assert_allclose(merit.scores_, su.scores_, atol=1e-12)
    assert merit.selection_.indices[0] == su.selection_.order[0]
    values = [step.value for step in merit.selection_.trace]
    assert (np.diff(values) > 0.005).all()
    assert len(BIRS("cfs", min_improvement=10.0).fit(X, y).selection_) == 1
    assert len(BIRS("cfs", min_improvement=0.0).fit(X, y).selection_) >= len(merit.selection_)


def test_birs_follows_another_ranking():
    X, y = problem(2)
    order = fewer.FTest(None).fit(X, y).selection_.order
    kept = BIRS(ranker="FTest").fit(X, y).selection_.indices
    assert kept[0] == order[0]
    places = [order.tolist().index(j) for j in kept]
    assert places == sorted(places)


@pytest.mark.parametrize("estimator", [GaussianNB(), "cfs", DecisionTreeClassifier(random_state=0)])
def test_rank_search_takes_the_best_prefix(estimator):
    X, y = problem(3)
    fitted = RankSearch(estimator, ranker="FTest", cv=5).fit(X, y)
    order = fewer.FTest(None).fit(X, y).selection_.order
    k = len(fitted.selection_)
    np.testing.assert_array_equal(fitted.selection_.indices, order[:k])
    if not isinstance(estimator, str):
        values = [score(estimator, X, y, order[: i + 1], StratifiedKFold(5)) for i in range(len(order))]
        assert k == int(np.argmax(values)) + 1
        np.testing.assert_allclose([s.value for s in fitted.selection_.trace], values, atol=1e-12)


def test_sizes_grow_by_steps():
    """Ranked increments add five at a time (book section 17.3.1)."""
    assert prefix_sizes(1, 23, 5) == [5, 10, 15, 20, 23]
    assert prefix_sizes(3, 9, 2) == [3, 5, 7, 9]
    assert prefix_sizes(1, 3, 5) == [3]
    X, y = problem(4, n_features=23)
    sizes = [len(step.added) for step in RankSearch(step=5).fit(X, y).selection_.trace]
    assert sizes == [5, 5, 5, 5, 3]


def test_a_rule_of_the_ranker_limits_the_ranking():
    X, y = problem(5, 60, 12)
    y = (y > 0).astype(int)
    strong = fewer.Pearson("threshold:0.2").fit(X, y).selection_.indices
    for kind in (RankSearch, OrderedFS):
        kept = kind(GaussianNB(), (1, 12), ranker=fewer.Pearson("threshold:0.2"), cv=4).fit(X, y).selection_.indices
        assert set(kept) <= set(strong)
    # A number plays no part.
    assert len(RankSearch(None, 5, ranker=fewer.FTest(2)).fit(X, y).selection_) == 5


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize(
    "estimator", [GaussianNB(), KNeighborsClassifier(3), DecisionTreeClassifier(max_depth=3, random_state=0)]
)
def test_ordered_fs_equals_plain_loops(estimator, nested):
    X, y = problem(6)
    cv = StratifiedKFold(3)
    fitted = OrderedFS(estimator, (1, 6), ranker="JMI", cv=cv, nested=nested).fit(X, y)
    scores = nested_curve(fewer.JMI, estimator, X, y, list(cv.split(X, y)), list(range(1, 7)), nested)
    curve = fitted.selection_.tables["curve"].columns
    np.testing.assert_allclose(curve["mean score"], scores.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(curve["standard error"], scores.std(axis=0, ddof=1) / np.sqrt(3), atol=1e-12)
    k = int(np.argmax(scores.mean(axis=0))) + 1
    np.testing.assert_array_equal(fitted.selection_.indices, fewer.JMI(6).fit(X, y).selection_.order[:k])
    small = OrderedFS(estimator, "parsimonious:1-6", ranker="JMI", cv=cv, nested=nested).fit(X, y)
    enough = scores.mean(axis=0)[k - 1] - scores.std(axis=0, ddof=1)[k - 1] / np.sqrt(3)
    assert len(small.selection_) == int(np.flatnonzero(scores.mean(axis=0) >= enough)[0]) + 1


def test_of_equal_sizes_the_smallest_is_taken():
    y = np.arange(40) % 2
    X = np.column_stack([y + 0.001 * np.arange(40), y, y, np.random.default_rng(0).normal(size=40)])
    assert len(OrderedFS(GaussianNB(), ranker="FTest").fit(X, y).selection_) == 1


def test_only_nested_rankings_are_honest_on_noise():
    """On pure noise the nested estimate stays near chance while the other is biased upward (book section 17.3.2)."""
    data = make_noise(60, 2000, random_state=0)
    best = {}
    for nested in (True, False):
        fitted = OrderedFS(KNeighborsClassifier(3), (1, 30), ranker="FTest", nested=nested, step=5).fit(data.X, data.y)
        best[nested] = np.mean(fitted.selection_.tables["curve"].columns["mean score"])
    assert best[True] < 0.65
    assert best[False] > 0.8


def test_leaving_one_out_and_groups():
    X, y = problem(7, 30, 6)
    assert len(OrderedFS(cv=LeaveOneOut()).fit(X, y).selection_.tables["curve"].columns["mean score"]) == 6
    groups = np.arange(30) // 3
    fitted = OrderedFS(cv=GroupKFold(5), ranker="FTest").fit(X, y, groups=groups)
    scores = nested_curve(fewer.FTest, GaussianNB(), X, y, list(GroupKFold(5).split(X, y, groups)), list(range(1, 7)))
    np.testing.assert_allclose(fitted.selection_.tables["curve"].columns["mean score"], scores.mean(axis=0), atol=1e-12)


def test_weights_reach_ranker_and_estimator():
    X, y = problem(8)
    weight = np.random.default_rng(0).random(len(X))
    a = OrderedFS(None, (1, 5)).fit(X, y, sample_weight=weight).selection_
    b = OrderedFS(None, (1, 5)).fit(X, y).selection_
    assert a.tables["curve"].columns["mean score"] != b.tables["curve"].columns["mean score"]
    with pytest.raises(RequirementError, match="ReliefF takes no sample_weight|takes no sample_weight"):
        OrderedFS(None, (1, 5), ranker="RankSum").fit(X, (y > 0).astype(int), sample_weight=weight)


def test_numbers_as_target():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 6))
    y = X[:, 4] + 0.5 * X[:, 1] + 0.1 * rng.normal(size=150)
    found = OrderedFS(Ridge(), "parsimonious", ranker="Pearson").fit(X, y).selection_
    assert found.indices.tolist() == [4, 1]
    assert RankSearch(None).fit(X, y).selection_.indices.tolist()[:2] == [4, 1]


def test_reasons_are_those_of_the_ranker_for_what_is_kept():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = rng.normal(size=(300, 5))
    X[:, 2] += 3 * y
    X[:, 4] = X[:, 2]
    selection = OrderedFS(None, "parsimonious").fit(X, y).selection_
    assert selection.indices.tolist() == [2]
    assert selection.reason(4).kind == "redundant"
    assert selection.reason(4).related == ("x2",)
    assert selection.reason(0).kind == "irrelevant"
    assert "cross-validation" in str(selection.reason(2))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: OrderedFS("cfs"), "RankSearch"),
        (lambda: OrderedFS(ranker="JMJ"), "Did you mean"),
        (lambda: RankSearch(ranker=3), "takes the name of a method"),
        (lambda: BIRS(ranker=fewer.FTest), "takes the name of a method"),
        (lambda: OrderedFS(n_features_to_select="gain:0.1"), "looks at all sizes"),
    ],
)
def test_wrong_parts_are_explained(make, words):
    with pytest.raises(ParameterError, match=words):
        make().fit(*problem())


def test_a_ranking_saves_evaluations_over_forward_selection():
    X, y = load_wine(return_X_y=True)
    assert RankSearch(None).fit(X, y).n_iter_ == 13
    assert SequentialSelector(None, None).fit(X, y).n_iter_ == 13 * 14 // 2 + 1
