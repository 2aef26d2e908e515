"""Nearest neighbours by weights of ReliefF against loops, scikit-learn and facts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import fewer
from fewer.core.records.errors import InputError, NothingFoundWarning
from oracles import relief_models as oracle


def xor(seed, n_rows=300, n_features=8, pair=(1, 4)):
    X = np.random.default_rng(seed).random((n_rows, n_features))
    return X, ((X[:, pair[0]] < 0.5) ^ (X[:, pair[1]] < 0.5)).astype(int)


def awkward(rng, kind, n=26):
    X, nominal = rng.normal(size=(n, 4)), np.zeros(4, bool)
    if kind != "numbers":
        nominal[[1, 3]] = True
        X[:, [1, 3]] = rng.integers(0, 4, (n, 2))
    if kind == "missing":
        X[rng.random(X.shape) < 0.2] = np.nan
    return X, nominal


@pytest.mark.filterwarnings("ignore:.*count alike")
@pytest.mark.parametrize("kind", ["numbers", "mixed", "missing"])
@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize(("metric", "ramp"), [("manhattan", None), ("euclidean", None), ("manhattan", (0.05, 0.3))])
def test_neighbours_agree_with_loops(kind, target, metric, ramp):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, nominal = awkward(rng, kind)
        classes = target == "classes"
        y = rng.integers(0, 3, len(X)) if classes else rng.normal(size=len(X)) + np.nan_to_num(X[:, 0])
        made = (fewer.ReliefKNN if classes else fewer.ReliefKNNRegressor)(
            4,
            relief_neighbors=3,
            metric=metric,
            ramp=ramp,
            categorical_features=np.flatnonzero(nominal).tolist() or None,
        )
        made.fit(X, y)
        if not nominal.any():
            ranked = (fewer.ReliefF if classes else fewer.RReliefF)(None, n_neighbors=3, ramp=ramp).fit(X, y)
            np.testing.assert_allclose(made.relief_weights_, ranked.scores_, atol=1e-12)
        new, _ = awkward(np.random.default_rng(seed + 100), kind, 9)
        new[:, 0] *= 3.0
        power = 2 if metric == "euclidean" else 1
        more = {"ramp": ramp, "power": power, "classes": classes}
        weights = made.feature_weights_
        truth = [oracle.nearest_rows(X, y.tolist(), row, weights, nominal, 4, **more) for row in new]
        distance, index = made.kneighbors(new)
        np.testing.assert_array_equal(index, truth)
        first = [
            oracle.weighted_distance(X, y.tolist(), near[0], row, weights / weights.max(), nominal, **more)
            for near, row in zip(truth, new)
        ]
        np.testing.assert_allclose(distance[:, 0] ** power, first, atol=1e-8)


def test_complete_numbers_are_neighbours_of_scaled_columns():
    X, y = xor(0)
    made = fewer.ReliefKNN().fit(X[:200], y[:200])
    low, span = X[:200].min(axis=0), np.ptp(X[:200], axis=0)
    scaled = (X - low) / span * made.feature_weights_
    theirs = KNeighborsClassifier(5, metric="manhattan").fit(scaled[:200], y[:200])
    np.testing.assert_array_equal(made.predict(X[200:]), theirs.predict(scaled[200:]))
    np.testing.assert_allclose(made.predict_proba(X[200:]), theirs.predict_proba(scaled[200:]))
    z = X[:, 1] * X[:, 4]
    made = fewer.ReliefKNNRegressor().fit(X[:200], z[:200])
    scaled = (X - low) / span * made.feature_weights_
    theirs = KNeighborsRegressor(5, metric="manhattan").fit(scaled[:200], z[:200])
    np.testing.assert_allclose(made.predict(X[200:]), theirs.predict(scaled[200:]))


def test_weights_help_where_plain_neighbours_drown_in_noise():
    gains = []
    for seed in range(5):
        X, y = xor(seed, 400, 12)
        plain = KNeighborsClassifier(5, metric="manhattan").fit(X[:300], y[:300]).score(X[300:], y[300:])
        gains.append(fewer.ReliefKNN().fit(X[:300], y[:300]).score(X[300:], y[300:]) - plain)
    assert min(gains) > 0.1


def test_selection_holds_weights_above_zero_with_reasons():
    X, y = xor(1)
    made = fewer.ReliefKNN().fit(X, y)
    found = made.selection_
    assert set(found.indices[:2].tolist()) == {1, 4}
    np.testing.assert_array_equal(found.scores, made.relief_weights_)
    assert found.support.tolist() == (made.relief_weights_ > 0).tolist()
    np.testing.assert_array_equal(made.feature_weights_, np.maximum(made.relief_weights_, 0.0))
    worst = int(np.argmin(made.relief_weights_))
    assert str(found.reason(worst)).count("needed more than 0")


def test_without_weights_above_zero_all_features_count_alike():
    X, y = np.array([[0.0, 0.0], [1.0, 1.0], [0.1, 0.1], [0.9, 0.9]]), [0, 0, 1, 1]
    with pytest.warns(NothingFoundWarning, match="count alike"):
        made = fewer.ReliefKNN(1, relief_neighbors=1).fit(X, y)
    assert (made.relief_weights_ < 0).all()
    assert made.feature_weights_.tolist() == [1.0, 1.0]
    assert not made.selection_.support.any()
    assert made.predict([[0.02, 0.0], [0.88, 0.9]]).tolist() == [0, 1]


def test_frames_with_levels_gaps_and_unknown_levels(rng):
    n = 60
    frame = pd.DataFrame({"a": rng.choice(["u", "v", "w"], n), "b": rng.normal(size=n)})
    y = np.where(frame["a"] == "u", "yes", "no")
    frame.loc[3, "a"], frame.loc[5, "b"] = None, np.nan
    made = fewer.ReliefKNN(3).fit(frame, y)
    new = pd.DataFrame({"a": ["u", "w", "never seen", None], "b": [0.0, 0.0, 0.0, np.nan]})
    assert made.predict(new)[:2].tolist() == ["yes", "no"]
    assert made.predict_proba(new).shape == (4, 2)


def test_a_class_without_known_values_takes_those_of_all_rows():
    # The middle class has no value of the first feature; with differences of 0 it would be near to everything.
    X = np.array([[0.0], [0.1], [0.05], [np.nan], [np.nan], [1.0], [0.9], [0.95]])
    y = [0, 0, 0, 1, 1, 2, 2, 2]
    made = fewer.ReliefKNN(3, relief_neighbors=2).fit(X, y)
    assert made.relief_weights_[0] > 0
    assert made.predict([[0.02], [0.98]]).tolist() == [0, 2]
    expected = np.mean([abs(0.02 - v) for v in X[~np.isnan(X)]])
    distance, index = made.kneighbors([[0.02]], 8)
    np.testing.assert_allclose(distance[0][np.isin(index[0], [3, 4])], expected, atol=1e-8)


def test_scales_and_extreme_units_change_nothing():
    X, y = xor(2, 120, 5)
    new = X[:20] + 0.01
    truth = fewer.ReliefKNN().fit(X, y).kneighbors(new)[1]
    for scale, origin in ((1e-200, 0.0), (1e200, 0.0), (2.0**20, 1e9)):
        made = fewer.ReliefKNN().fit(X * scale + origin, y)
        np.testing.assert_array_equal(made.kneighbors(new * scale + origin)[1], truth)


def test_small_data_and_errors():
    assert fewer.ReliefKNN(1).fit([[0.0], [1.0]], ["a", "b"]).predict([[0.2], [0.9]]).tolist() == ["a", "b"]
    made = fewer.ReliefKNN().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 0.0]], [0, 1, 1])
    with pytest.raises(InputError, match="looks for 5 neighbours, but was fitted on n_samples = 3"):
        made.predict([[0.0, 0.0]])
    X, y = xor(3, 40, 5)
    with pytest.raises(InputError, match="ramp"):
        fewer.ReliefKNN(ramp=(0.5, 0.1)).fit(X, y)
    with pytest.raises(InputError, match="n_samples=41"):
        fewer.ReliefKNN(n_samples=41).fit(X, y)
    drawn = [fewer.ReliefKNN(n_samples=20, random_state=s).fit(X, y).relief_weights_ for s in (0, 0, 1)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
