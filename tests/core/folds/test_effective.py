"""Weights and groups of like rows do not make noise relevant."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import fewer

WEIGHTS = {
    "equal": lambda rng: np.full(200, 1000),
    "exponential": lambda rng: rng.exponential(size=200) ** 2,
    "whole": lambda rng: rng.integers(100, 3000, 200),
}


def select(*data, **given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fewer.select(*data, **given)


@pytest.mark.parametrize("kind", WEIGHTS)
def test_weights_neither_keep_noise_nor_invent_drift(kind):
    kept = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 20)), rng.integers(0, 2, 200)
        found = select(X, y, sample_weight=WEIGHTS[kind](rng))
        kept += len(found) > 0
        assert not found.meta["findings"]
    assert kept <= 3


def test_equal_weights_are_as_good_as_none():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 20)), rng.integers(0, 2, 200)
    X[:, 3] += y
    a, b = select(X, y), select(X, y, sample_weight=np.full(200, 1000))
    np.testing.assert_allclose(a.columns["pvalue"], b.columns["pvalue"])
    np.testing.assert_array_equal(a.indices, b.indices)


def test_rows_of_weight_zero_are_absent():
    rng = np.random.default_rng(0)
    X, y, here = rng.normal(size=(300, 4)), rng.integers(0, 2, 300), np.arange(300) < 200
    X[~here] += 100.0
    X[:, 1] += y
    a, b = select(X[here], y[here]), select(X, y, sample_weight=here.astype(float))
    np.testing.assert_allclose(a.columns["pvalue"], b.columns["pvalue"])
    assert [one["kind"] for one in b.meta["findings"]] == [one["kind"] for one in a.meta["findings"]]


def test_groups_of_like_rows_count_once():
    """Each of 30 groups has ten nearly equal rows."""
    kept, group = 0, np.repeat(np.arange(30), 10)
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 10))[group] + 0.1 * rng.normal(size=(300, 10))
        kept += len(select(X, rng.integers(0, 2, 30)[group], groups=group)) > 0
    assert kept <= 3


def test_groups_of_unlike_rows_take_no_power():
    rng = np.random.default_rng(0)
    X, y, sites = rng.normal(size=(300, 10)), rng.integers(0, 2, 300), np.repeat(np.arange(6), 50)
    X[:, 3] += 0.6 * y
    assert select(X, y, groups=sites).indices.tolist()[:1] == [3]
