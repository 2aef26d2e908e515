"""MRMR and JMI by nearest rows against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from oracles.small_filters import near_information


def greedy(X, y, classes, k, size, joint, quotient=False):
    """Choose one by one by the definitions."""
    columns = list(X.T)
    relevance = [near_information([x], y, k, classes) for x in columns]
    chosen, total = [int(np.argmax(np.round(relevance, 10)))], np.zeros(len(columns))
    scores = [max(relevance)]
    while len(chosen) < size:
        s = columns[chosen[-1]]
        if joint:
            total += [near_information([x, s], y, k, classes) for x in columns]
            score = total / len(chosen)
        else:
            # A column that shares its class with no other row has no relevance, but its distances count here.
            total += [near_information([x], s, k, False) for x in columns]
            mean = total / len(chosen)
            score = np.array(relevance) / np.maximum(mean, 1e-12) if quotient else np.array(relevance) - mean
        score = np.where(np.isin(np.arange(len(columns)), chosen), -np.inf, np.round(score, 10))
        chosen.append(int(np.argmax(score)))
        scores.append(score[chosen[-1]])
    return chosen, scores


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("method", ["difference", "quotient", "JMI"])
def test_choice_by_plain_loops(rng, classes, rounded, method):
    X = rng.normal(size=(40, 5))
    X[:, 3] = X[:, 0] + 0.3 * rng.normal(size=40)
    y = X[:, 0] + X[:, 1] * X[:, 2]
    y = np.digitize(y, [-0.5, 0.5]) if classes else y
    X = np.rint(X) if rounded else X
    if rounded:
        X[:, 4] = 1.0
    joint = method == "JMI"
    made = fewer.JMI if joint else fewer.MRMR
    params = {} if joint else {"scheme": method}
    found = made(4, information="neighbors", n_neighbors=2, **params).fit(X, y).selection_
    expected, scores = greedy(X, y, classes, 2, 4, joint, method == "quotient")
    assert found.indices.tolist() == expected
    np.testing.assert_allclose([step.value for step in found.trace], scores, rtol=1e-7, atol=1e-8)


def test_rows_that_are_alone_in_their_class_count_between_features(rng):
    X = np.round(rng.normal(size=(12, 4)), 1)
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4, 5])
    found = fewer.MRMR(4, information="neighbors", n_neighbors=2).fit(X, y).selection_
    expected, scores = greedy(X, y, True, 2, 4, False)
    assert found.indices.tolist() == expected
    np.testing.assert_allclose([step.value for step in found.trace], scores, rtol=1e-7, atol=1e-8)


def test_what_nearest_rows_cannot_take_is_refused(rng):
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, 30)
    near = fewer.MRMR(2, information="neighbors")
    with pytest.raises(ValueError, match="weight"):
        near.fit(X, y, sample_weight=np.arange(1.0, 31))
    gaps = X.copy()
    gaps[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        near.fit(gaps, y)
    assert len(fewer.JMI(2, information="neighbors", n_neighbors=99).fit(X, y).selection_) == 2
