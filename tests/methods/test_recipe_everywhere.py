"""The default recipe gives the same result wherever the data are, and nothing where there is nothing."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import fewer
from fewer.core.records.errors import InputError, NothingFoundWarning
from fewer.methods.recipe import DefaultRecipe

N = 600


@pytest.fixture(scope="module", params=["classes", "numbers"])
def mixed(request):
    """Return numbers with holes and zeros, text, and a target of classes or numbers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 9))
    X[:, 5] = X[:, 2] + 0.1 * rng.normal(size=N)
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 7] = np.where(rng.random(N) < 0.7, 0.0, np.exp(X[:, 8]))
    s = np.nan_to_num(X[:, 2]) + np.nan_to_num(X[:, 3]) ** 2 - 1 + np.nan_to_num(X[:, 7]) + rng.normal(size=N)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(9)])
    frame["word"] = np.array(list("uvw"))[(s + rng.normal(size=N) > 1).astype(int) + (rng.random(N) < 0.1)]
    return frame, s if request.param == "numbers" else np.where(s > 0, "yes", "no")


def check_same(a, b):
    np.testing.assert_array_equal(a.indices, b.indices)
    np.testing.assert_array_equal(a.order, b.order)
    np.testing.assert_array_equal(a.reasons.kind, b.reasons.kind)
    for head, values in a.tables["curve"].columns.items():
        np.testing.assert_allclose(values, b.tables["curve"].columns[head], rtol=0, atol=1e-10)
    np.testing.assert_allclose(a.scores, b.scores, rtol=0, atol=1e-10)
    for name, values in a.columns.items():
        np.testing.assert_allclose(values, b.columns[name], rtol=0, atol=1e-10)


@pytest.mark.parametrize("cache_bytes", [2**20, 0])
def test_streamed_tables(tmp_path, mixed, cache_bytes):
    frame, y = mixed
    path = tmp_path / "t.parquet"
    frame.assign(y=y).to_parquet(path)
    table = fewer.open_table(path, "y", batch_rows=130, cache_bytes=cache_bytes)
    streamed = DefaultRecipe(if_nothing="none").fit(table).selection_
    assert streamed.meta["runner"] == "stream"
    assert len(streamed) >= 3
    check_same(fewer.select(frame, y), streamed)
    check_same(streamed, fewer.select(table))


def test_dask(mixed):
    dd = pytest.importorskip("dask.dataframe")
    frame, y = mixed
    parts = [dd.from_pandas(one, npartitions=4) for one in (frame, pd.Series(y, index=frame.index))]
    found = fewer.select(*parts)
    assert found.meta["runner"] == "dask"
    check_same(fewer.select(frame, y), found)


def test_sparse(mixed):
    frame, y = mixed
    X = np.nan_to_num(np.where(frame.iloc[:, :9] > 0, frame.iloc[:, :9], 0.0).astype(float))
    check_same(fewer.select(X, y), fewer.select(csr_array(X), y))


def test_a_row_of_weight_two_is_as_good_as_two_rows_of_one_group(mixed):
    frame, y = mixed
    times = np.random.default_rng(1).integers(0, 4, N)
    rows = np.repeat(np.arange(N), times)
    weighted = DefaultRecipe().fit(frame, y, sample_weight=times).selection_
    check_same(weighted, DefaultRecipe().fit(frame.iloc[rows], y[rows], groups=rows).selection_)


def test_nothing_is_kept_of_noise_in_nine_of_ten_data_sets():
    """Promised: in at most one of ten; of 100 sets at most 18 (99.5 % of a binomial)."""
    kept = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n, d = int(rng.choice([50, 100, 200, 1000], p=[0.4, 0.3, 0.25, 0.05])), int(rng.choice([3, 20, 60]))
        X = rng.normal(size=(n, d))
        X[:, ::3] = np.exp(X[:, ::3])
        X[:, 1::3] = X[:, 1::3] > 1
        y = (rng.integers(0, 2, n), rng.random(n) < 0.15, rng.integers(0, 4, n), np.exp(rng.normal(size=n)))[seed % 4]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept += len(fewer.select(X, y, keep="all")) > 0
    assert kept <= 18


def noise(n=120):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 6)), rng.integers(0, 2, n)


def test_what_happens_if_nothing_is_better_than_a_guess():
    X, y = noise()
    said = fewer.select(X, y)
    assert len(said) == 0
    assert "nothing is better than a guess" in said.reasons.rule
    assert not said.meta["score"]["better_than_guess"]
    assert {said.reason(j).kind for j in range(6)} == {"irrelevant"}
    with pytest.warns(NothingFoundWarning, match="keeps the one best feature"):
        assert len(DefaultRecipe().fit(X, y).selection_) == 1
    assert DefaultRecipe(if_nothing="none").fit(X, y).transform(X[:3]).shape == (3, 0)
    with pytest.raises(InputError, match="nothing is better than a guess .*if_nothing='best' or 'none'"):
        DefaultRecipe(if_nothing="error").fit(X, y)
    # A number that was asked for is given.
    assert len(DefaultRecipe(2).fit(X, y).selection_) == 2


def test_too_few_rows_of_a_class_are_said_to_be_too_few():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 20)), np.arange(600) % 200 == 7
    said = fewer.select(X, y)
    assert len(said) == 0
    words = "nothing is shown to be better than a guess: only 3 rows are outside the largest class, which one of 20"
    assert said.reasons.rule.startswith(words)
    assert "a test by ten bins needs 4 (balanced accuracy" in said.reasons.rule
    # Nothing is called irrelevant of which no test could have shown the contrary.
    assert {said.reason(j).kind for j in range(20)} == {"not reached"}
    more = np.arange(600) % 100 == 7
    X[:, 0] += 3 * more
    assert fewer.select(X, more).kept_names == ["x0"]
    y = np.arange(600) % 20 == 7
    assert "nothing is better than a guess (" in fewer.select(rng.normal(size=(600, 5)), y).reasons.rule


def test_relevance_beyond_doubt_counts_where_no_score_can_be_better_than_a_guess():
    rng = np.random.default_rng(0)
    y = (rng.random(800) < 0.22).astype(int)
    X = rng.normal(size=(800, 4))
    X[:, 2] += 0.5 * y
    found = fewer.select(X, y)
    assert found.indices.tolist() == [2]
    assert found.meta["value"] <= found.meta["score"]["guess"]
    assert found.reasons.rule.endswith("but relevant by tests")


def test_pipelines_and_grids_go_on():
    X, y = noise()
    model = make_pipeline(DefaultRecipe(), LogisticRegression())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingFoundWarning)
        assert model.fit(X, y).predict(X).shape == (120,)
        grid = GridSearchCV(model, {"defaultrecipe__n_features_to_select": ["best", 3]}, cv=2).fit(X, y)
    assert np.isfinite(grid.cv_results_["mean_test_score"]).all()


def test_leak_suspects_are_kept_and_the_result_without_them_is_told():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = pd.DataFrame(rng.normal(size=(400, 6)), columns=list("abcdef"))
    X["b"] += y
    X["outcome"] = y * 3.0 + 0.01 * rng.normal(size=400)
    found = fewer.select(X, y)
    assert found.kept_names[0] == "outcome"
    assert [finding["kind"] for finding in found.meta["findings"]] == ["leak"]
    assert found.meta["without_leaks"]["kept"] == fewer.select(X.drop(columns="outcome"), y).kept_names == ["b"]
    assert 0.6 < found.meta["without_leaks"]["score"] < 0.9 < found.meta["value"]
    assert "outcome" not in fewer.select(X, y, drop="leaks").kept_names


def test_interactions_without_relevance_are_found_by_the_score():
    """A product of two features tells the classes; the linear model sees it only as a third column."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4))
    y = (X[:, 1] ** 2 > 0.5).astype(int)
    assert fewer.select(X, y).indices.tolist() == [1]
