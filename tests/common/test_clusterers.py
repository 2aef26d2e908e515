"""What every method that groups rows promises, over the registry."""

from __future__ import annotations

import inspect
import pickle
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import fewer
from common.cases import CLUSTERERS, QUICK
from fewer import registry
from fewer.core.records.errors import FewerError


def made(name, **more):
    kind = registry.load(name)
    params = {**QUICK.get(name, {}), **more}
    if "random_state" in inspect.signature(kind).parameters:
        params.setdefault("random_state", 0)
    return kind(**params)


def blobs(n_rows=60, seed=0):
    """Three groups of positive numbers that two of five columns tell apart."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, 5))
    group = np.arange(n_rows) % 3
    X[:, 1] += 4.0 * group
    X[:, 3] += 4.0 * (2 - group)
    return X


@pytest.mark.parametrize("name", CLUSTERERS)
def test_docstring_lists_the_parameters_of_clusterers(name):
    kind = registry.load(name)
    text = inspect.getdoc(kind)
    listed = text.split("Parameters\n----------\n")[1].split("\n\n")[0]
    names = [line.split(" : ")[0] for line in listed.splitlines() if not line.startswith(" ")]
    assert names == list(inspect.signature(kind.__init__).parameters)[1:]
    for section in ("Attributes", "References", "Examples"):
        assert f"\n{section}\n---" in text
    assert "labels_ :" in text


@pytest.mark.parametrize("name", CLUSTERERS)
def test_a_seed_reproduces_and_data_stay_as_they_are(name):
    X = blobs()
    X.setflags(write=False)
    first = made(name).fit(X)
    np.testing.assert_array_equal(first.labels_, made(name).fit(np.asfortranarray(X)).labels_)
    assert first.labels_.shape == (len(X),)
    assert first.labels_.dtype.kind == "i"


@pytest.mark.parametrize("name", CLUSTERERS)
def test_the_table_of_clusters_counts_the_rows(name):
    fitted = made(name).fit(blobs())
    table = fitted.clusters_
    assert {"cluster", "rows"} <= set(table.columns)
    rows = dict(zip(table.columns["cluster"], table.columns["rows"]))
    for cluster in np.unique(fitted.labels_[fitted.labels_ >= 0]).tolist():
        # Clusters of subspaces may share rows; a label is the largest of them.
        assert rows[cluster] >= np.count_nonzero(fitted.labels_ == cluster)


@pytest.mark.parametrize("name", CLUSTERERS)
def test_names_come_from_frames(name):
    X = pd.DataFrame(blobs(), columns=["a", "b", "c", "d", "e"])
    fitted, plain = made(name).fit(X), made(name).fit(X.to_numpy())
    np.testing.assert_array_equal(fitted.labels_, plain.labels_)
    if hasattr(fitted, "selection_"):
        selection = fitted.selection_
        assert selection.names == tuple(X.columns)
        again = fewer.Selection.from_json(selection.to_json())
        assert again.kept_names == selection.kept_names
        assert set(again.tables) == set(selection.tables)
        assert all(str(selection.reason(j)) == str(again.reason(j)) for j in range(5))


@pytest.mark.parametrize("name", CLUSTERERS)
def test_a_fitted_clusterer_is_pickled(name):
    X = blobs()
    fitted = made(name).fit(X)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.labels_, fitted.labels_)
    if hasattr(fitted, "predict"):
        np.testing.assert_array_equal(again.predict(X), fitted.predict(X))


@pytest.mark.parametrize("name", [n for n in CLUSTERERS if registry.load(n).method_tags.handles_sparse])
def test_sparse_rows_are_grouped_as_dense_ones(name):
    rng = np.random.default_rng(1)
    X = rng.poisson(0.4, (50, 12)) + 5.0 * (np.arange(50)[:, None] % 2 == np.arange(12) % 2) * (
        rng.random((50, 12)) < 0.6
    )
    X[X.sum(axis=1) == 0, 0] = 1
    X[0, X.sum(axis=0) == 0] = 1
    dense, sparse = made(name).fit(X), made(name).fit(scipy.sparse.csr_array(X))
    np.testing.assert_array_equal(dense.labels_, sparse.labels_)


def degenerate():
    rng = np.random.default_rng(2)
    yield "one row", rng.random((1, 4))
    yield "two rows", rng.random((2, 4))
    yield "one column", rng.random((20, 1))
    yield "all rows equal", np.ones((10, 3))
    yield "a constant column", np.column_stack([np.full(30, 7.0), blobs(30)])
    yield "rows twice", np.repeat(blobs(15), 2, axis=0)
    yield "small units", 1e-150 * blobs(30)
    yield "large units", 1e100 * blobs(30)
    yield "an offset", 1e8 + blobs(30)
    yield "one far row", np.vstack([blobs(30), np.full((1, 5), 1e9)])
    yield "more columns than rows", rng.random((8, 40))


@pytest.mark.parametrize("name", CLUSTERERS)
@pytest.mark.parametrize("case", list(degenerate()), ids=lambda c: c[0])
def test_odd_data_are_grouped_or_refused_in_one_sentence(name, case):
    X = case[1]
    try:
        with np.errstate(all="raise", under="ignore"):
            fitted = made(name).fit(X)
    except FewerError as error:
        words = str(error)
        assert words.count(". ") == 0, words
        assert re.match(rf"{name}\b", words), words
        return
    assert fitted.labels_.shape == (len(X),)
    if hasattr(fitted, "selection_") and fitted.selection_.scores is not None:
        assert np.isfinite(fitted.selection_.scores).all()
