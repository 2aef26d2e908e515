"""The exact short cuts against cross_val_score with the same estimator and folds."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, LeaveOneOut, RepeatedKFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from subset_cases import CLASSIFIERS, REGRESSORS, classes_of, levels, numbers, target_of, truth, view_of

from fewer.core.criteria.fast import FastCrossValidated
from fewer.core.criteria.linear_scores import Linear
from fewer.core.criteria.naive_bayes import NaiveBayes
from fewer.core.criteria.nearest_rows import NearestRows
from fewer.core.criteria.recognise import recognise

CLOSE = {"rtol": 1e-10, "atol": 1e-10}
CV = StratifiedKFold(4, shuffle=True, random_state=0)


def fast(estimator, *args, **more):
    criterion = recognise(estimator, *args, **more)
    assert isinstance(criterion, FastCrossValidated)
    return criterion


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_accuracy_is_the_same_to_the_last_bit(name, n_classes):
    estimator, make = CLASSIFIERS[name]
    for seed in range(3):
        X = make(seed)
        y = classes_of(X, seed, n_classes)
        view, criterion = view_of(X, y), fast(estimator, "accuracy", CV)
        for subset in ([3], [0, 1], [6, 2, 0, 5], range(7)):
            expected = truth(estimator, X, y, subset, "accuracy", CV)
            assert criterion.fold_values(view, subset).tolist() == expected.tolist()
            assert criterion.value(view, subset) == expected.mean()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_candidates_that_join_and_leave(name):
    estimator, make = CLASSIFIERS[name]
    X = make(5)
    y = classes_of(X, 5, 3)
    view, criterion = view_of(X, y), fast(estimator, cv=CV)
    for subset in ([], [4], [6, 1, 2], range(6)):
        others = [j for j in range(7) if j not in subset]
        joined = [truth(estimator, X, y, [*subset, j], cv=CV).mean() for j in others]
        assert criterion.values_added(view, subset, others).tolist() == joined
        left = [
            truth(estimator, X, y, [i for i in subset if i != j], cv=CV).mean()
            if len(subset) > 1
            else criterion.value(view, [])
            for j in subset
        ]
        assert criterion.values_removed(view, subset, list(subset)).tolist() == left
    # Levels make classes that are equal up to rounding, which only the estimator can settle.
    assert criterion.fits == 0 or name in ("bernoulli", "bernoulli flat", "categorical")


@pytest.mark.parametrize(
    "scoring", ["balanced_accuracy", "f1_macro", "neg_log_loss", "roc_auc_ovr", "matthews_corrcoef"]
)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", ["knn", "gaussian", "bernoulli", "categorical", "discriminant"])
def test_other_scores_of_classes(name, n_classes, scoring):
    estimator, make = CLASSIFIERS[name]
    X = make(2)
    y = classes_of(X, 2, n_classes)
    view, criterion = view_of(X, y), fast(estimator, scoring, CV)
    expected = truth(estimator, X, y, [0, 2, 3], scoring, CV)
    np.testing.assert_allclose(criterion.fold_values(view, [0, 2, 3]), expected, **CLOSE)
    expected = truth(estimator, X, y, [0, 1, 2, 3], scoring, CV).mean()
    np.testing.assert_allclose(criterion.values_added(view, [0, 2, 3], [1]), expected, **CLOSE)


@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision", "accuracy"])
@pytest.mark.parametrize("name", ["gaussian", "discriminant", "ridge classes"])
def test_scores_of_two_numbers(name, scoring):
    estimator, make = CLASSIFIERS[name]
    X = make(3)
    y = (X[:, 0] + X[:, 3] > 0).astype(int)
    view, criterion = view_of(X, y), fast(estimator, scoring, CV)
    np.testing.assert_allclose(
        criterion.fold_values(view, [1, 0, 4]), truth(estimator, X, y, [0, 1, 4], scoring, CV), **CLOSE
    )


@pytest.mark.parametrize("scoring", [None, "r2", "neg_mean_squared_error", "neg_mean_absolute_error", "neg_max_error"])
@pytest.mark.parametrize("name", REGRESSORS)
def test_regression(name, scoring):
    estimator, X = REGRESSORS[name], numbers(4)
    y = target_of(X, 4)
    view, criterion = view_of(X, y), fast(estimator, scoring, 3)
    for subset in ([2], [0, 4, 1], range(7)):
        np.testing.assert_allclose(
            criterion.fold_values(view, subset), truth(estimator, X, y, subset, scoring, 3), **CLOSE
        )
        if len(subset) > 1:
            left = [truth(estimator, X, y, [i for i in subset if i != j], scoring, 3).mean() for j in subset]
            np.testing.assert_allclose(criterion.values_removed(view, subset, list(subset)), left, **CLOSE)
    joined = [truth(estimator, X, y, [0, 4, j], scoring, 3).mean() for j in (1, 2, 3)]
    np.testing.assert_allclose(criterion.values_added(view, [4, 0], [1, 2, 3]), joined, **CLOSE)
    assert criterion.fits == 0


@pytest.mark.parametrize(
    "cv", [LeaveOneOut(), ShuffleSplit(3, random_state=1), RepeatedKFold(n_splits=3, n_repeats=2, random_state=2), 2]
)
@pytest.mark.parametrize("name", ["knn", "gaussian", "categorical", "discriminant", "ridge classes"])
def test_all_kinds_of_splits(name, cv):
    estimator, make = CLASSIFIERS[name]
    X = make(1, n=40)
    y = classes_of(X, 1, 2)
    view, criterion = view_of(X, y), fast(estimator, cv=cv)
    for subset in ([5], [0, 1, 6]):
        assert criterion.fold_values(view, subset).tolist() == truth(estimator, X, y, subset, cv=cv).tolist()
        assert criterion.value(view, subset) == truth(estimator, X, y, subset, cv=cv).mean()


WALKS = st.lists(st.integers(0, 5), min_size=1, max_size=25)


@pytest.mark.parametrize("name", CLASSIFIERS)
@settings(max_examples=12)
@given(WALKS)
def test_the_way_to_a_subset_does_not_matter(name, flips):
    estimator, make = CLASSIFIERS[name]
    X = make(8, n=40, d=6)
    y = classes_of(X, 8, 3)
    view, criterion = view_of(X, y), fast(estimator, cv=3)
    subset: set[int] = set()
    for j in flips:
        before = sorted(subset)
        subset ^= {j}
        change = criterion.values_added if j in subset else criterion.values_removed
        by_change = change(view, before, [j])[0]
        assert by_change == criterion.value(view, subset)
    assert by_change == fast(estimator, cv=3).value(view_of(X, y), subset)


@pytest.mark.parametrize("name", REGRESSORS)
@settings(max_examples=12)
@given(WALKS)
def test_the_way_to_a_subset_does_not_matter_for_numbers(name, flips):
    estimator, X = REGRESSORS[name], numbers(9, n=40, d=6)
    y = target_of(X, 9)
    view, criterion = view_of(X, y), fast(estimator, cv=3)
    subset: set[int] = set()
    for j in flips:
        before = sorted(subset)
        subset ^= {j}
        change = criterion.values_added if j in subset else criterion.values_removed
        np.testing.assert_allclose(change(view, before, [j])[0], criterion.value(view, subset), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_threads_change_nothing(name):
    estimator, make = CLASSIFIERS[name]
    X = make(3, d=12)
    y = classes_of(X, 3, 3)
    one, two = (fast(estimator, cv=3).values_added(view_of(X, y, n_jobs=n), [1, 7], [0, 2, 3, 4, 5, 6]) for n in (1, 3))
    assert one.tolist() == two.tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_class_that_a_fold_does_not_train_on(name):
    estimator, make = CLASSIFIERS[name]
    X = make(6, n=45)
    y = np.repeat(["a", "b", "c"], 15)
    # Sorted classes and plain folds: each fold lacks, or nearly lacks, one class.
    for cv in (KFold(3), KFold(9)):
        view, criterion = view_of(X, y), fast(estimator, cv=cv)
        for subset in ([0], [1, 2, 5]):
            assert criterion.fold_values(view, subset).tolist() == truth(estimator, X, y, subset, cv=cv).tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_constant_and_repeated_columns(name):
    estimator, make = CLASSIFIERS[name]
    X = make(7)
    X[:, 3] = 1.0
    X[:, 4] = X[:, 0]
    y = classes_of(X, 7, 3)
    view, criterion = view_of(X, y), fast(estimator, cv=CV)
    sets = [[0, 4], [0, 3], [0, 1, 2, 3, 4, 5, 6], [2, 3, 4]]
    if "knn" not in name and name != "discriminant":
        sets.append([3])
    for subset in sets:
        assert criterion.fold_values(view, subset).tolist() == truth(estimator, X, y, subset, cv=CV).tolist()
    if name == "discriminant":
        # scikit-learn cannot fit it, and a search should not end because of one such column.
        assert criterion.values_added(view, [], [3, 0])[0] == -np.inf
    # Equal columns are worth the same, so that the lower number wins.
    first, second = criterion.values_added(view, [1], [0, 4])
    assert first == second


@pytest.mark.parametrize("name", ["ridge", "least squares"])
def test_collinear_columns(name):
    estimator, X = REGRESSORS[name], numbers(2)
    X[:, 5] = X[:, 0] + X[:, 1]
    X[:, 6] = 2.5
    y = target_of(X, 2)
    view, criterion = view_of(X, y), fast(estimator, cv=3)
    for subset in ([0, 1, 5], [0, 6], range(7)):
        np.testing.assert_allclose(criterion.fold_values(view, subset), truth(estimator, X, y, subset, cv=3), **CLOSE)
    left = [truth(estimator, X, y, {0, 1, 2, 5} - {j}, cv=3).mean() for j in (0, 2, 5)]
    np.testing.assert_allclose(criterion.values_removed(view, [0, 1, 2, 5], [0, 2, 5]), left, **CLOSE)


@pytest.mark.parametrize("estimator", [Ridge(), LinearRegression()])
def test_columns_of_very_different_size(estimator):
    X = numbers(3) * 10.0 ** np.array([-8, -3, 0, 2, 5, 0, 0]) + np.array([0, 5, 0, 1e4, 0, 0, 0])
    y = X[:, 2] + X[:, 3] / 100 + np.random.default_rng(0).normal(size=len(X))
    view, criterion = view_of(X, y), fast(estimator, cv=3)
    for subset in ([0], [0, 2], [1, 2, 3], range(7)):
        expected = truth(estimator, X, y, subset, cv=3)
        np.testing.assert_allclose(criterion.fold_values(view, subset), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*CLASSIFIERS])
def test_more_columns_than_rows(name):
    estimator, make = CLASSIFIERS[name]
    X = make(4, n=24, d=40)
    y = classes_of(X, 4, 2)
    view, criterion = view_of(X, y), fast(estimator, cv=2)
    for subset in ([1, 30], range(40)):
        expected = truth(estimator, X, y, subset, cv=2)
        got = criterion.fold_values(view, subset) if not np.isnan(expected).all() else expected
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("seed", range(4))
def test_ties_are_settled_as_the_estimator_does(seed):
    """Few distinct values: many rows at the same distance, and classes that are equal up to rounding."""
    X = levels(seed, n=70, most=3)
    y = classes_of(X, seed, 2)
    for estimator in (KNeighborsClassifier(4), KNeighborsClassifier(3, algorithm="brute"), BernoulliNB(), GaussianNB()):
        view, criterion = view_of(X, y), fast(estimator, cv=4)
        for subset in ([0], [1, 2], [0, 3, 4, 5], range(7)):
            assert criterion.fold_values(view, subset).tolist() == truth(estimator, X, y, subset, cv=4).tolist()
    X, y = X / 10, X[:, 0] + X[:, 1]
    view, criterion = view_of(X, y), fast(KNeighborsRegressor(), cv=4)
    for subset in ([0], [1, 2], range(7)):
        expected = truth(KNeighborsRegressor(), X, y, subset, cv=4)
        np.testing.assert_allclose(criterion.fold_values(view, subset), expected, **CLOSE)


def test_ties_by_row_number_need_no_estimator():
    X = levels(0, n=70, most=3)
    y = classes_of(X, 0, 2)
    view, criterion = view_of(X, y), recognise(KNeighborsClassifier(3), cv=LeaveOneOut(), ties="lowest")
    got, subset = criterion.fold_values(view, [1, 2]), X[:, [1, 2]]
    for i in range(70):
        others = np.delete(np.arange(70), i)
        distances = ((subset[others] - subset[i]) ** 2).sum(axis=1)
        near = y[others[np.argsort(distances, kind="stable")[:3]]]
        labels, votes = np.unique(near, return_counts=True)
        assert got[i] == (labels[votes.argmax()] == y[i])
    assert criterion.fits == 0


@pytest.mark.parametrize("name", ["gaussian", "bernoulli", "categorical", "ridge classes"])
def test_weights_of_rows(name):
    estimator, make = CLASSIFIERS[name]
    X = make(2)
    y, weight = classes_of(X, 2, 3), np.random.default_rng(0).exponential(size=60) + 0.1
    view, criterion = view_of(X, y, weight), fast(estimator, cv=CV)
    for subset in ([1], [0, 2, 3]):
        expected = truth(estimator, X, y, subset, cv=CV, params={"sample_weight": weight})
        assert criterion.fold_values(view, subset).tolist() == expected.tolist()
    assert criterion.fits == 0


@pytest.mark.parametrize("name", ["ridge", "least squares"])
def test_weights_of_rows_for_numbers(name):
    estimator, X = REGRESSORS[name], numbers(2)
    y, weight = target_of(X, 2), np.random.default_rng(0).exponential(size=60)
    weight[:5] = 0.0
    view, criterion = view_of(X, y, weight), fast(estimator, cv=4)
    expected = truth(estimator, X, y, [0, 2, 3], cv=4, params={"sample_weight": weight})
    np.testing.assert_allclose(criterion.fold_values(view, [3, 0, 2]), expected, **CLOSE)
    assert criterion.fits == 0


def test_a_level_that_training_never_saw():
    """scikit-learn cannot predict such a row, and the fold has no score."""
    X = levels(3, most=3)
    X[0, 2] = 5.0
    y = classes_of(X, 3, 2)
    view, criterion = view_of(X, y), fast(CategoricalNB(), cv=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(criterion.fold_values(view, [0, 2]), truth(CategoricalNB(), X, y, [0, 2], cv=3))
        assert criterion.values_added(view, [0], [1, 2])[1] == -np.inf
        assert criterion.values_removed(view, [0, 2], [2])[0] == truth(CategoricalNB(), X, y, [0], cv=3).mean()


def test_too_few_rows_for_the_neighbours():
    X = numbers(0, n=12)
    y = np.tile(["a", "b"], 6)
    criterion = fast(KNeighborsClassifier(9), cv=KFold(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(criterion.fold_values(view_of(X, y), [0, 1])).all()
        assert criterion.value(view_of(X, y), [0, 1]) == -np.inf


def test_missing_values_are_left_to_the_estimator():
    X = numbers(0)
    X[3, 2] = np.nan
    y = classes_of(np.nan_to_num(X), 0)
    criterion, view = fast(GaussianNB(), cv=3), view_of(X, y)
    assert criterion.value(view, [0, 1]) == truth(GaussianNB(), X, y, [0, 1], cv=3).mean()
    assert criterion.prepare(view).model is None


def test_single_precision_is_taken_as_double():
    X = numbers(1).astype(np.float32)
    y = target_of(X, 1).astype(float)
    criterion = fast(Ridge(), cv=3)
    expected = truth(Ridge(), X.astype(float), y, [0, 3, 5], cv=3)
    np.testing.assert_allclose(criterion.fold_values(view_of(X, y), [0, 3, 5]), expected, **CLOSE)


def test_whole_numbers():
    X = np.random.default_rng(0).integers(-40, 40, size=(60, 5))
    y = target_of(X / 40, 0)
    criterion = fast(LinearRegression(), cv=3)
    expected = truth(LinearRegression(), X, y, [0, 3, 4], cv=3)
    np.testing.assert_allclose(criterion.fold_values(view_of(X, y), [0, 3, 4]), expected, **CLOSE)


@pytest.mark.parametrize("kind", [NearestRows, NaiveBayes, Linear])
def test_recognised_kinds(kind):
    known = {NearestRows: KNeighborsClassifier(), NaiveBayes: GaussianNB(), Linear: Ridge()}
    assert type(recognise(known[kind])) is kind


@pytest.mark.parametrize("ties", ["estimator", "lowest"])
@pytest.mark.parametrize("seed", range(4))
def test_neighbours_among_those_that_were_near_before(seed, ties):
    """With many rows only those nearest so far are looked at when a feature joins; the answer is that of all rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(240, 8)) ** 3
    X[:, 2:4] = np.round(X[:, 2:4])
    X[:, 4] = 0.0
    X[:120, 5] = 1e6
    X[7, 6] = 1e9
    y = np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")
    for k in (1, 5, 17):
        view, criterion = view_of(X, y), recognise(KNeighborsClassifier(k), cv=4, ties=ties)
        for subset in ([0], [2], [4], [5], [6], [0, 1, 2], [2, 3, 4]):
            others = [j for j in range(8) if j not in subset]
            joined = [criterion.value(view, [*subset, j]) for j in others]
            assert criterion.values_added(view, subset, others).tolist() == joined
            if ties == "estimator":
                assert joined[0] == truth(criterion.estimator, X, y, [*subset, others[0]], cv=4).mean()


@pytest.mark.parametrize("name", ["wine", "vehicle", "glass"])
def test_real_data(shared_data, name):
    stored = shared_data(name)
    X, y = stored["X"].astype(float), np.unique(stored["y"], return_inverse=True)[1]
    view = view_of(X, y)
    for estimator, _ in CLASSIFIERS.values():
        if isinstance(estimator, CategoricalNB) or estimator.get_params().get("n_neighbors") == 20:
            continue
        criterion = fast(estimator, cv=CV)
        assert criterion.value(view, [0, 2, 5]) == truth(estimator, X, y, [0, 2, 5], cv=CV).mean()
        joined = truth(estimator, X, y, [0, 2, 5, 7], cv=CV).mean()
        assert criterion.values_added(view, [0, 2, 5], [1, 7])[1] == joined


def test_huge_likelihoods_leave_no_trace():
    X = numbers(1, n=50, d=4)
    # In one class the values hardly vary, in the other they are far away.
    X[:25, 3], X[25:, 3] = 1e-9 * X[:25, 3], 1e12 * X[25:, 3]
    y = np.repeat(["a", "b"], 25)
    estimator = GaussianNB(var_smoothing=1e-30)
    view, criterion = view_of(X, y), fast(estimator, "neg_log_loss", 4)
    expected = truth(estimator, X, y, [0, 1, 2], "neg_log_loss", 4).mean()
    criterion.value(view, [0, 1, 2, 3])
    np.testing.assert_allclose(criterion.values_removed(view, [0, 1, 2, 3], [3]), expected, **CLOSE)
    np.testing.assert_allclose(criterion.value(view, [0, 1, 2]), expected, **CLOSE)


@pytest.mark.parametrize("ties", ["estimator", "lowest"])
def test_a_huge_feature_leaves_no_trace(ties):
    X = np.round(numbers(0, n=50, d=4))
    X[:, 3] *= 1e9
    y = classes_of(X, 0)
    criterion = recognise(KNeighborsClassifier(3), cv=4, ties=ties)
    view, clean = view_of(X, y), view_of(X, y)
    expected = criterion.value(clean, [0, 1])
    criterion.value(view, [0, 1, 2, 3])
    assert criterion.value(view, [0, 1]) == expected
    assert criterion.values_removed(view, [0, 1, 3], [3])[0] == expected


@pytest.mark.parametrize("seed", range(4))
def test_ties_between_neighbours_that_change_votes_but_not_the_winner(seed):
    # Scores of probabilities see every vote; which of equally distant rows count is up to the search tree.
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(60, 5)) * 3)
    y = np.digitize(X[:, 0] + rng.normal(size=60), [-1.8, 1.8])
    model = KNeighborsClassifier()
    for scoring in ("neg_log_loss", "roc_auc_ovr"):
        got = fast(model, scoring, CV).values_added(view_of(X, y), [0, 3], [1, 2, 4])
        want = [truth(model, X, y, [0, 3, j], scoring, CV).mean() for j in (1, 2, 4)]
        np.testing.assert_allclose(got, want, **CLOSE)
