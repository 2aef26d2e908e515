"""Category utility against plain loops, the facts of its catalogue entry, attention and the wrapper."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering

import fewer
from fewer.core.records.errors import FewerError
from fewer.core.summaries.results import Moments
from fewer.measures import attended, category_utility, normal_category_utility
from fewer.methods.unsupervised import _utility_search
from fewer.methods.unsupervised._clusters import ClusterRows
from oracles import distances as oracle


def table(levels, labels):
    out = np.zeros((max(levels) + 1, max(labels) + 1), int)
    np.add.at(out, (levels, labels), 1)
    return out


@pytest.mark.parametrize("seed", range(10))
def test_measures_agree_with_loops(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 30))
    labels = np.append([0, 1, 2], rng.integers(0, 3, n - 3))
    levels, x = rng.integers(0, 4, n), rng.normal(size=n) * 3
    wanted = oracle.category_utility(levels.tolist(), labels.tolist())
    assert category_utility(table(levels, labels)) == pytest.approx(wanted, abs=1e-12)
    rows = ClusterRows(x[:, None], np.array([False]))
    for acuity in (0.01, 1.0):
        found = normal_category_utility(rows.moments(np.array([0]), labels), acuity)
        assert found[0] == pytest.approx(oracle.normal_category_utility(x, labels, acuity))


def test_facts_of_the_entry():
    """A quarter for two pure clusters of a balanced binary feature; 0 for one cluster, and without dependence."""
    assert category_utility([[5, 0], [0, 5]]) == 0.25
    assert category_utility([[5], [5]]) == 0.0
    assert category_utility([[4, 2], [4, 2]]) == 0.0
    # A cluster without rows is none.
    assert category_utility([[5, 0, 0], [0, 5, 0]]) == 0.25
    one = ClusterRows(np.arange(4.0)[:, None], np.array([False])).moments(np.array([0]), np.zeros(4, int))
    assert normal_category_utility(one, 0.1)[0] == 0.0
    with pytest.raises(FewerError, match="above 0"):
        normal_category_utility(one, 0.0)


def test_category_utility_is_a_sum_over_features(rng):
    levels, labels = rng.integers(0, 3, (40, 4)), rng.integers(0, 3, 40)
    tables = np.stack([table(np.append(levels[:, j], 2), np.append(labels, 2)) for j in range(4)])
    whole = sum(category_utility(t) for t in tables)
    assert category_utility(tables).sum() == pytest.approx(whole)


@pytest.mark.parametrize("seed", range(10))
def test_early_decisions_are_those_of_all_features(seed):
    rng = np.random.default_rng(seed)
    gains = rng.normal(size=(200, 6, 4)) * np.array([9.0, 5, 3, 2, 1, 0.5])[:, None]
    choices, inspected = attended(gains)
    np.testing.assert_array_equal(choices, gains.sum(axis=1).argmax(axis=1))
    assert inspected.min() >= 1
    assert inspected.max() <= 6
    assert inspected.mean() < 6 or seed
    tied, all_of_them = attended(np.zeros((3, 2, 2)))
    assert tied.tolist() == [0, 0, 0]
    assert all_of_them.tolist() == [2, 2, 2]
    assert attended(gains[:, :, :1])[1].tolist() == [0] * 200


@pytest.mark.parametrize("nominal", [True, False])
def test_placements_are_rises_of_the_sum(nominal, rng):
    """K n CU + what does not depend on the cluster, with a row added once more."""
    x = rng.integers(0, 3, 20).astype(float) if nominal else rng.normal(size=20)
    labels = np.append([0, 1], rng.integers(0, 2, 18))
    rows = ClusterRows(x[:, None], np.array([nominal]))

    def inside(values, clusters):
        total = 0.0
        for c in (0, 1):
            here = values[clusters == c]
            if nominal:
                total += (np.unique(here, return_counts=True)[1] ** 2).sum() / len(here)
            else:
                total += len(here) / max(here.std(), 0.1) / (2 * np.sqrt(np.pi))
        return total

    found = rows.placements(0, labels, 0.1, np.arange(20))
    for i in (0, 7):
        for c in (0, 1):
            more = inside(np.append(x, x[i]), np.append(labels, c)) - inside(x, labels)
            assert found[i, c] == pytest.approx(more)


def test_attention_ranks_by_what_features_add():
    rng = np.random.default_rng(0)
    state = np.repeat([0, 1, 2], 30)
    X = np.column_stack([rng.normal(size=90), state + 0.1 * rng.normal(size=90), rng.normal(size=90), np.ones(90)])
    found = fewer.CategoryUtility(1, clusterer=AgglomerativeClustering(3), random_state=0).fit(X)
    assert found.selection_.indices.tolist() == [1]
    assert found.scores_[3] == 0.0
    seen = found.selection_.tables["attention"].columns
    assert seen["feature"][0] == 1
    assert seen["fraction of rows that look"][0] == 1.0
    assert (np.diff(seen["fraction of rows that look"]) <= 0).all()


def test_scores_are_the_measures_of_the_clusters():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": np.repeat(["u", "v"], 20), "b": np.repeat([0.0, 9.0], 20) + rng.normal(size=40)})
    frame["c"] = rng.permutation(frame["a"])
    found = fewer.CategoryUtility(None, clusterer=2, random_state=0).fit(frame)
    labels = np.repeat([0, 1], 20)
    assert found.scores_[0] == pytest.approx(0.25)
    assert found.scores_[2] == pytest.approx(oracle.category_utility(list(frame["c"]), labels.tolist()))
    b = (frame["b"] - frame["b"].mean()) / frame["b"].std(ddof=0)
    assert found.scores_[1] == pytest.approx(oracle.normal_category_utility(b, labels, 0.1))


@pytest.mark.parametrize("search", ["forward", "backward"])
def test_the_wrapper_finds_the_features_that_show_clusters(search):
    rng = np.random.default_rng(2)
    state = np.repeat([0, 1, 2], 30)
    X = (
        np.column_stack([rng.normal(size=90), 5.0 * state, rng.normal(size=90), -4.0 * state])
        + rng.normal(size=(90, 4)) / 3
    )
    found = fewer.CategoryUtility("best", search=search, random_state=0).fit(X).selection_
    assert set(found.indices.tolist()) <= {1, 3}
    assert len(found)
    # What is told of the chosen subset is the utility of its clusters over all features.
    criterion = fewer.CategoryUtility(search=search, random_state=0).criterion
    assert criterion.scope == "all"
    two = fewer.CategoryUtility(2, search=search, scope="subset", random_state=0).fit(X).selection_
    assert set(two.indices.tolist()) == {1, 3}


def test_degenerate_rows_are_answered():
    same = fewer.CategoryUtility(random_state=0).fit(np.ones((4, 3)))
    assert same.scores_.tolist() == [0.0, 0.0, 0.0]
    few = fewer.CategoryUtility(clusterer=9, random_state=0).fit([[0.0, 1.0], [0.0, 1.0], [5.0, 2.0]])
    assert np.isfinite(few.scores_).all()
    noisy = fewer.CategoryUtility(clusterer=DBSCAN(0.1)).fit(np.random.default_rng(0).normal(size=(20, 2)))
    assert np.isfinite(noisy.scores_).all()
    for factor in (1e-150, 1e150):
        X = np.random.default_rng(0).normal(size=(30, 3))
        a, b = (fewer.CategoryUtility(random_state=0).fit(Z).scores_ for Z in (X, X * factor))
        np.testing.assert_allclose(a, b, rtol=1e-9)
    wide = fewer.CategoryUtility(random_state=0).fit([[1e308], [-1e308], [1e308], [0.0]])
    assert np.isfinite(wide.scores_).all()
    for wrong in ("kmeans", 0, True, object()):
        with pytest.raises(FewerError, match="number of clusters for k-means"):
            fewer.CategoryUtility(clusterer=wrong).fit(X)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([[1.0, 2.0]],), "n_options"),
        (([[[np.nan, 1.0]]],), "finite"),
        (([[[5.0, 0.0], [1.0, 2.0]]], [9.0]), "one number per feature"),
        (([[[5.0, 0.0], [1.0, 2.0]]], [5.0, -1.0]), "none below"),
    ],
)
def test_attention_refuses_what_it_cannot_decide_by(given, words):
    with pytest.raises(FewerError, match=words):
        attended(*given)


def test_no_rows_have_no_utility():
    nothing = Moments(np.zeros(2), np.zeros((3, 2)), np.zeros((3, 2)))
    assert normal_category_utility(nothing, 0.1).tolist() == [0.0, 0.0, 0.0]


def test_attention_is_followed_on_fewer_rows_if_features_are_many(monkeypatch):
    X = np.random.default_rng(0).normal(size=(50, 40))
    seen = []
    monkeypatch.setattr(_utility_search, "MOST_GAINS", 40 * 3 * 7)
    monkeypatch.setattr(_utility_search, "attended", lambda gains: (seen.append(gains.shape), attended(gains))[1])
    fewer.CategoryUtility(3, random_state=0).fit(X)
    assert seen == [(7, 40, 3)]
