"""What methods and estimators see of a fold is what a fit to its rows would see."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from common.cases import NAMES, case, tags_of
from fewer import registry
from fewer.core.runners.threads import ThreadRunner
from fewer.evaluate.data import design, read, refused
from fewer.evaluate.fold_units import fitted, sized


def same(a, b):
    np.testing.assert_array_equal(a.indices, b.indices)
    np.testing.assert_array_equal(a.order, b.order)
    np.testing.assert_array_equal(a.reasons.kind, b.reasons.kind)
    if b.scores is not None:
        np.testing.assert_array_equal(a.scores, b.scores)


@pytest.mark.parametrize("name", [n for n in NAMES if tags_of(n).needs_target])
def test_a_shared_view_gives_the_selection_of_a_fit(name):
    c = case(name)
    # Labels with a gap, of which one is not among the rows.
    y = c.y if tags_of(name).task == "regression" or c.y.dtype.kind == "f" else np.array([2, 5, 9, 11])[c.y]
    rows = np.random.default_rng(1).permutation(len(y))[:70]
    with ThreadRunner(1) as run:
        data = read(c.X, y)
        part = data.rows(rows, run)
        # Another method has read the rows before.
        fitted(sized(c.make(), 3), data, part, 0)
        shared = fitted(sized(c.make(), 4), data, part, 0)
    if not tags_of(name).deterministic:
        pytest.skip("draws its own seed")
    same(shared, sized(c.make(), 4).fit(c.X[rows], y[rows]).selection_)


@pytest.mark.parametrize("name", ["InformationGain", "JMI", "FCBF", "Chi2"])
def test_nominal_and_missing_values_of_a_fold(name, rng):
    n = 90
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    frame["colour"] = rng.choice(["red", "green", "blue", "rare"], n, p=[0.4, 0.3, 0.28, 0.02])
    frame.loc[::9, "a"] = np.nan
    frame.loc[::11, "colour"] = None
    y = np.where(frame["colour"] == "red", "yes", rng.choice(["yes", "no"], n))
    data = read(frame, y)
    rows = np.flatnonzero(frame["colour"] != "rare")[:60]
    with ThreadRunner(1) as run:
        shared = fitted(sized(registry.load(name)(), 2), data, data.rows(rows, run), 0)
    same(shared, registry.load(name)(2).fit(frame.iloc[rows], y[rows]).selection_)


@pytest.mark.parametrize("name", ["FTest", "SymmetricalUncertainty", "JMI"])
def test_sparse_rows(name, rng):
    X = np.where(rng.random((80, 12)) < 0.6, 0.0, rng.normal(size=(80, 12)))
    y = (X[:, 3] > 0).astype(int)
    data, rows = read(scipy.sparse.csr_array(X), y), np.arange(10, 70)
    with ThreadRunner(1) as run:
        shared = fitted(sized(registry.load(name)(), 3), data, data.rows(rows, run), 0)
    same(shared, registry.load(name)(3).fit(scipy.sparse.csr_array(X[rows]), y[rows]).selection_)
    train, test = design(data, rows, np.arange(10), np.array([2, 5]))
    np.testing.assert_array_equal(train, X[rows][:, [2, 5]])
    np.testing.assert_array_equal(test, X[:10, [2, 5]])


def test_estimators_learn_medians_and_levels_of_training_rows_only():
    frame = pd.DataFrame({"size": [1.0, 2.0, np.nan, 9.0, np.nan], "kind": ["b", "a", "b", "c", None]})
    data = read(frame, [0, 1, 0, 1, 0])
    train, test = design(data, np.array([0, 1, 2]), np.array([3, 4]), np.array([0, 1]))
    # The median of 1 and 2; level c was never seen and is none of the known ones.
    np.testing.assert_array_equal(train, [[1.0, 0, 1], [2.0, 1, 0], [1.5, 0, 1]])
    np.testing.assert_array_equal(test, [[9.0, 0, 0], [1.5, 0, 0]])


def test_refusals_are_those_of_fit(rng):
    X, y = rng.normal(size=(30, 4)), rng.integers(0, 3, 30)
    data = read(X, y)
    for name in NAMES:
        tags = tags_of(name)
        if tags.binary_only:
            assert "Only binary classification" in str(refused(name, tags, data))
        elif tags.needs_target:
            assert refused(name, tags, data) is None
    holes = X.copy()
    holes[3, 1] = np.nan
    assert "takes no missing values" in str(refused("FTest", tags_of("FTest"), read(holes, y)))
    assert refused("JMI", tags_of("JMI"), read(holes, y)) is None
    assert "needs classes" in str(refused("FTest", tags_of("FTest"), read(X, X[:, 0])))


def test_the_task_can_be_told(rng):
    X, y = rng.normal(size=(60, 3)), np.arange(60) // 2
    assert read(X, y).task == "regression"
    assert read(X, y, task="classification").n_classes == 30
    assert read(X, y % 4).task == "classification"
    assert read(X, y % 4, task="regression").task == "regression"
