"""Any estimator by cross-validation, against cross_val_score."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from subset_cases import classes_of, codes_of, levels, numbers, target_of, truth, view_of

from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.criteria.recognise import recognise
from fewer.core.records.errors import InputError, ParameterError, RequirementError

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.fixture
def data():
    X = numbers(0)
    return X, classes_of(X, 0, 3)


@pytest.mark.parametrize("scoring", [None, "accuracy", "f1_macro", "neg_log_loss", make_scorer(accuracy_score)])
@pytest.mark.parametrize("estimator", [TREE, make_pipeline(StandardScaler(), GaussianNB())])
def test_equals_cross_val_score(data, estimator, scoring):
    X, y = data
    view, criterion = view_of(X, y), CrossValidated(estimator, scoring, 4)
    for subset in ([3], [5, 0, 1], range(7)):
        expected = truth(estimator, X, y, subset, scoring, 4)
        assert criterion.fold_values(view, subset).tolist() == expected.tolist()
        assert criterion.value(view, subset) == expected.mean()
    joined = [truth(estimator, X, y, [2, 4, j], scoring, 4).mean() for j in (6, 0)]
    assert criterion.values_added(view, [4, 2], [6, 0]).tolist() == joined
    left = [truth(estimator, X, y, {1, 2, 3} - {j}, scoring, 4).mean() for j in (3, 1)]
    assert criterion.values_removed(view, [1, 2, 3], [3, 1]).tolist() == left


@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error"])
def test_regression(scoring):
    X, tree = numbers(1), DecisionTreeRegressor(max_depth=3, random_state=0)
    y = target_of(X, 1)
    criterion = CrossValidated(tree, scoring, KFold(3))
    assert criterion.value(view_of(X, y), [1, 0]) == truth(tree, X, y, [0, 1], scoring, KFold(3)).mean()


@pytest.mark.parametrize("scoring", [None, "balanced_accuracy", "neg_log_loss"])
def test_no_feature_is_the_majority_class(data, scoring):
    X, y = data
    expected = cross_val_score(DummyClassifier(strategy="prior"), X, y, scoring=scoring, cv=4)
    for criterion in (CrossValidated(TREE, scoring, 4), recognise(GaussianNB(), scoring, 4)):
        view = view_of(X, y)
        assert criterion.fold_values(view, []).tolist() == expected.tolist()
        assert criterion.values_removed(view, [2], [2]).tolist() == [expected.mean()]


def test_no_feature_is_the_mean_of_the_target():
    X = numbers(2)
    y = target_of(X, 2)
    expected = cross_val_score(DummyRegressor(), X, y, cv=3).mean()
    for criterion in (CrossValidated(DecisionTreeRegressor(), cv=3), recognise(Ridge(), cv=3)):
        assert criterion.value(view_of(X, y), ()) == pytest.approx(expected, rel=1e-11)


def test_all_subsets_see_the_same_random_splits(data):
    X, y = data
    view, criterion = view_of(X, y), CrossValidated(TREE, cv=ShuffleSplit(5))
    first = criterion.fold_values(view, [0, 1])
    criterion.value(view, [2])
    assert criterion.fold_values(view, [1, 0]).tolist() == first.tolist()


def test_given_splits_and_generators(data):
    X, y = data
    splits = list(KFold(3).split(X))
    expected = truth(TREE, X, y, [0, 2], cv=splits)
    criterion = CrossValidated(TREE, cv=iter(splits))
    for _ in range(2):
        assert criterion.fold_values(view_of(X, y), [0, 2]).tolist() == expected.tolist()
    masks = [(np.isin(np.arange(60), train), np.isin(np.arange(60), test)) for train, test in splits]
    for estimator in (TREE, KNeighborsClassifier()):
        got = recognise(estimator, cv=masks).fold_values(view_of(X, y), [0, 2])
        assert got.tolist() == truth(estimator, X, y, [0, 2], cv=splits).tolist()


@pytest.mark.parametrize("estimator", [TREE, KNeighborsClassifier()])
def test_groups(data, estimator):
    X, y = data
    groups = np.arange(60) % 7
    criterion = recognise(estimator, cv=GroupKFold(3), groups=groups)
    expected = truth(estimator, X, y, [0, 2], cv=GroupKFold(3), groups=groups)
    assert criterion.fold_values(view_of(X, y), [0, 2]).tolist() == expected.tolist()


def test_weights_go_to_fit(data):
    X, y = data
    weight = np.random.default_rng(0).exponential(size=60)
    criterion = CrossValidated(TREE, cv=3)
    expected = truth(TREE, X, y, [0, 2], cv=3, params={"sample_weight": weight})
    assert criterion.fold_values(view_of(X, y, weight), [0, 2]).tolist() == expected.tolist()
    with pytest.raises(RequirementError, match="KNeighborsClassifier takes no sample_weight"):
        recognise(KNeighborsClassifier(), cv=3).value(view_of(X, y, weight), [0])


def test_metadata_routing(data):
    X, y = data
    weight, groups = np.random.default_rng(0).exponential(size=60), np.arange(60) % 5
    with sklearn.config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier(max_depth=2, random_state=0).set_fit_request(sample_weight=True)
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        cv = GroupKFold(3).set_split_request(groups=True)
        criterion = CrossValidated(tree, scorer, cv, groups=groups)
        expected = cross_val_score(
            tree, X[:, [0, 2]], y, scoring=scorer, cv=cv, params={"sample_weight": weight, "groups": groups}
        )
        assert criterion.fold_values(view_of(X, y, weight), [0, 2]).tolist() == expected.tolist()


@pytest.mark.parametrize("estimator", [LogisticRegression(), KNeighborsClassifier()])
def test_sparse_data(data, estimator):
    X, y = data
    X = X * (np.abs(X) > 0.5)
    criterion = recognise(estimator, cv=3)
    expected = truth(estimator, scipy.sparse.csr_array(X), y, [0, 2, 3], cv=3)
    assert criterion.fold_values(view_of(scipy.sparse.csc_array(X), y), [3, 0, 2]).tolist() == expected.tolist()


def test_codes(data):
    X = levels(0)
    y = data[1]
    for estimator in (TREE, GaussianNB()):
        got = recognise(estimator, cv=3).fold_values(codes_of(X, y), [3, 0, 2])
        assert got.tolist() == truth(estimator, X, y, [0, 2, 3], cv=3).tolist()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("threads", [1, 3])
def test_giving_up_finds_the_same_best(seed, threads):
    """Book ch. 13, section 13.4: the rule returns the same winner as full evaluation, with fewer fits."""
    X = numbers(seed, d=12)
    y = classes_of(X, seed, 2)
    full, early = CrossValidated(TREE, cv=10), CrossValidated(TREE, cv=10, give_up=True)
    others = np.arange(2, 12)
    exact, bounds = (c.values_added(view_of(X, y, n_jobs=threads), [0], others) for c in (full, early))
    assert bounds.argmax() == exact.argmax()
    assert bounds.max() == exact.max()
    assert (bounds >= exact - 1e-12).all()
    assert early.fits < full.fits


class Echo(ClassifierMixin, BaseEstimator):
    """Answers with what stands in the last column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, -1].astype(int)


@pytest.mark.parametrize("n_folds", [2, 3, 5])
def test_a_candidate_that_can_still_win_is_not_given_up(n_folds):
    y = np.tile([0, 1], 10 * n_folds)
    folds = np.repeat(np.arange(n_folds), 20)
    # The first is good in all folds; the second poor in the first fold, and perfect from then on.
    right = np.stack([np.tile(np.arange(20) < 14, n_folds), (folds > 0) | (np.arange(20 * n_folds) < 10)], axis=1)
    X = np.where(right, y[:, None], 1 - y[:, None]).astype(float)
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(n_folds)]
    early = CrossValidated(Echo(), "accuracy", splits, give_up=True)
    assert early.values_added(view_of(X, y), [], [0, 1]) == pytest.approx([0.7, 1 - 0.5 / n_folds])


def test_giving_up_needs_a_bound():
    with pytest.raises(ParameterError, match="known highest value"):
        CrossValidated(TREE, make_scorer(accuracy_score), give_up=True)
    assert CrossValidated(Ridge(), "neg_mean_squared_error", give_up=True).give_up


class Picky(ClassifierMixin, BaseEstimator):
    """Fails on some training data."""

    def __init__(self, limit=0.0):
        self.limit = limit

    def fit(self, X, y):
        if X[0, 0] > self.limit:
            raise ValueError("too large")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_failing_fits(data):
    X, y = data
    X = X.copy()
    X[:, 0], X[:, 1] = np.arange(60), -1.0
    view, criterion = view_of(X, y), CrossValidated(Picky(), cv=KFold(3))
    with pytest.warns(UserWarning, match="ValueError: too large"):
        values = criterion.values_added(view, [], [0, 1])
    assert values[0] == -np.inf
    assert values[1] > 0
    with (
        pytest.warns(UserWarning, match="too large"),
        pytest.raises(InputError, match="Picky could not be fitted on any of 3 folds"),
    ):
        CrossValidated(Picky(-9.0), cv=3).value(view_of(X, y), [0])


def test_candidates_must_fit(data):
    view, criterion = view_of(*data), CrossValidated(TREE, cv=3)
    with pytest.raises(ParameterError, match="are in the subset already"):
        criterion.values_added(view, [1, 2], [2, 3])
    with pytest.raises(ParameterError, match="are not in the subset"):
        criterion.values_removed(view, [1, 2], [3])
    assert len(criterion.values_added(view, [1], [])) == 0
    assert len(recognise(GaussianNB(), cv=3).values_added(view, [1], [])) == 0


def test_the_estimator_is_left_alone(data):
    tree = DecisionTreeClassifier()
    CrossValidated(tree, cv=3).value(view_of(*data), [0])
    assert not hasattr(tree, "tree_")


def test_views_keep_apart(data):
    X, y = data
    criterion = recognise(LinearDiscriminantAnalysis(), cv=3)
    one, two = view_of(X, y), view_of(X[:40], y[:40])
    first = criterion.value(one, [0, 1])
    assert criterion.value(two, [0, 1]) == truth(LinearDiscriminantAnalysis(), X[:40], y[:40], [0, 1], cv=3).mean()
    assert criterion.value(one, [0, 1]) == first
