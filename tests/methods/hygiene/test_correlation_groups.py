"""CorrelationFilter and PopulationStability against their entries in docs/small_filters.md."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import mutual_info_score

import fewer
from oracles import small_filters as plain


def blocks(rng, n=80):
    """Columns in groups, some of few values, one constant."""
    base = rng.normal(size=(n, 4))
    noisy, turned = base + 0.3 * rng.normal(size=(n, 4)), 0.1 * rng.normal(size=(n, 2)) - base[:, :2]
    X = np.hstack([base, noisy, turned, base[:, :1]])
    X[:, 5] = 3.0
    return X


def similarity(X, kind):
    if kind in ("pearson", "spearman"):
        values = X if kind == "pearson" else stats.rankdata(X, axis=0)
        with np.errstate(all="ignore"):
            return np.nan_to_num(np.abs(np.corrcoef(values.T)))
    columns = [x.tolist() for x in X.T]
    if kind == "cramer":
        return np.array([[plain.cramers_v(a, b) for b in columns] for a in columns])
    h = [mutual_info_score(a, a) for a in columns]
    pairs = [[2 * mutual_info_score(a, b) for b in columns] for a in columns]
    return np.array(pairs) / np.maximum(np.add.outer(h, h), 1e-12)


@pytest.mark.parametrize("kind", ["pearson", "spearman", "cramer", "su"])
@pytest.mark.parametrize("line", [0.3, 0.9])
def test_groups_by_plain_loops_in_any_order_of_columns(rng, kind, line):
    X = blocks(rng)
    X = np.clip(np.rint(X), -1, 1) + 1 if kind in ("cramer", "su") else X
    similar = np.round(similarity(X, kind), 11)
    np.fill_diagonal(similar, 0.0)
    worth = [
        (round(sum(s for s in row if s >= line), 8), -round(sum(s for s in row if s < line), 8)) for row in similar
    ]
    kept, stands = plain.kept_columns(similar, worth, line)
    made = fewer.CorrelationFilter(max_correlation=line, similarity=kind, discretizer=None)
    found = made.fit(X).selection_
    assert sorted(found.indices) == sorted(kept)
    names = found.feature_names or [f"x{j}" for j in range(X.shape[1])]
    assert all(found.reason(j).related == (names[s],) for j, s in stands.items())
    assert all(found.reason(j).amount == pytest.approx(similar[j][s]) for j, s in stands.items())
    assert all(similar[a][b] < line for a in kept for b in kept if a != b)
    order = rng.permutation(X.shape[1])
    moved = made.fit(X[:, order]).selection_
    values = {X[:, j].tobytes() for j in found.indices}
    assert {np.ascontiguousarray(X[:, order[j]]).tobytes() for j in moved.indices} == values


@pytest.mark.parametrize("kind", ["pearson", "spearman", "cramer", "su"])
@pytest.mark.parametrize("classes", [True, False])
def test_the_column_most_similar_to_the_target_is_kept(rng, kind, classes):
    X, noise = blocks(rng), rng.normal(size=80)
    y = X[:, 4] + 0.2 * noise
    y = np.digitize(y, [-0.5, 0.5]) if classes else y
    found = fewer.CorrelationFilter(max_correlation=0.3, similarity=kind, representative="relevant", bins=4).fit(X, y)
    assert 4 in found.selection_.indices
    assert 0 not in found.selection_.indices
    without = fewer.CorrelationFilter(max_correlation=0.3, representative="relevant")
    with pytest.raises(ValueError, match="y"):
        without.fit(X)


@pytest.mark.parametrize("line", [0.1, 0.3, 0.6, 0.7, 0.9])
def test_a_correlation_on_the_line_reaches_it(line):
    # Rank correlations of five rows are tenths: 1 less the sum of squared differences over 20.
    rows = next(p for p in permutations(range(5)) if np.isclose(1 - sum((np.arange(5) - p) ** 2) / 20, line))
    X = np.column_stack([np.arange(5), rows])
    found = fewer.CorrelationFilter(max_correlation=line, similarity="spearman").fit(X).selection_
    assert found.kept_names == ["x0"]


def test_what_is_correlated_on_the_line_makes_a_column_central():
    X = np.array([[0, 1, 2, 3, 4], [0, 1, 3, 4, 2], [1, 2, 3, 4, 0]]).T
    np.testing.assert_allclose(stats.spearmanr(X).statistic[1], [0.7, 1.0, 0.7])
    assert fewer.CorrelationFilter(max_correlation=0.7, similarity="spearman").fit(X).selection_.kept_names == ["x1"]


def test_correlation_groups_of_nominal_columns_and_gaps():
    X = pd.DataFrame({"a": list("xyxyz") * 8, "b": list("pqpqr") * 8, "c": list("uuvvuvuv") * 5})
    X.loc[0, "c"] = None
    assert fewer.CorrelationFilter(similarity="cramer").fit(X).selection_.kept_names == ["a", "c"]
    assert fewer.CorrelationFilter(similarity="su").fit(X).selection_.kept_names == ["a", "c"]
    with pytest.raises(ValueError, match="nominal|text"):
        fewer.CorrelationFilter().fit(X)


def bins_of(old, values, bins):
    ordered = np.sort(old)
    edges = sorted({ordered[int(np.ceil(len(old) * b / bins)) - 1] for b in range(1, bins)})
    return [sum(v > e for e in edges) for v in values]


def test_population_stability_by_counting(rng):
    old, new = rng.normal(size=(200, 3)), rng.normal(size=(120, 3))
    new[:, 1] += 0.8
    found = fewer.PopulationStability(reference=old).fit(new).selection_
    expected = [-plain.divergence(bins_of(a, a, 10), bins_of(a, b, 10)) for a, b in zip(old.T, new.T)]
    np.testing.assert_allclose(found.scores, expected)
    assert sorted(found.indices) == [0, 2]
    assert "population stability index" in str(found.reason(1))
    halves = fewer.PopulationStability().fit(np.vstack([old[:120], new])).selection_
    expected = [-plain.divergence(bins_of(a, a, 10), bins_of(a, b, 10)) for a, b in zip(old[:120].T, new.T)]
    np.testing.assert_allclose(halves.scores, expected)
    np.testing.assert_allclose(fewer.PopulationStability(reference=old).fit(old).scores_, 0.0, atol=1e-12)


def test_a_column_that_had_one_value_and_has_another_drifts(rng):
    old = np.column_stack([np.zeros(50), np.full(50, 0.1), np.zeros(50), rng.normal(size=50)])
    new = np.column_stack([np.full(40, 5.0), np.full(40, 0.1), rng.normal(size=40), rng.normal(size=40)])
    found = fewer.PopulationStability(reference=old).fit(new).selection_
    sides = [["same"] * 50, np.where(new[:, 2] < 0, "below", "above").tolist()]
    expected = [plain.divergence(sides[0], ["above"] * 40), 0.0, plain.divergence(*sides)]
    np.testing.assert_allclose(-found.scores[:3], expected)
    assert sorted(found.indices) == [1, 3]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_population_stability_of_frames_with_levels_and_gaps(frame):
    old = frame({"b": [1.0, 2.0, 3.0, None] * 10, "a": list("uvuv") * 10})
    new = frame({"a": list("uwww") * 10, "b": [1.0, 2.0, 3.0, 3.0] * 10})
    found = fewer.PopulationStability(reference=old, keep="a").fit(new).selection_
    expected = plain.divergence(list("uvuv") * 10, list("uwww") * 10)
    assert found.kept_names == ["b", "a"]
    assert -found.scores[0] == pytest.approx(expected)
    assert -found.scores[1] == pytest.approx(plain.divergence([1, 2, 3, 0] * 10, [1, 2, 3, 3] * 10))


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        (np.zeros((5, 2)), "the same columns"),
        (pd.DataFrame({"a": [1.0, 2.0]}), "both data frames"),
    ],
)
def test_other_references_are_refused_in_one_sentence(rng, reference, words):
    with pytest.raises(ValueError, match=words):
        fewer.PopulationStability(reference=reference).fit(rng.normal(size=(20, 3)))
    with pytest.raises(ValueError, match="other columns, such as 'a'"):
        fewer.PopulationStability(reference=pd.DataFrame({"a": [1.0]})).fit(pd.DataFrame({"b": [1.0, 2.0]}))


def test_columns_to_keep_stay_beside_the_one_that_stands_for_their_group(rng):
    x = rng.normal(size=30)
    X = np.column_stack([x, 2.0 * x, -x, rng.normal(size=30)])
    assert sorted(fewer.CorrelationFilter().fit(X).selection_.indices) == [0, 3]
    assert sorted(fewer.CorrelationFilter(keep=[2]).fit(X).selection_.indices) == [0, 2, 3]


def test_the_first_half_has_the_middle_row(rng):
    X = rng.normal(size=(41, 2))
    halves = fewer.PopulationStability(keep="all").fit(X).scores_
    np.testing.assert_array_equal(halves, fewer.PopulationStability(reference=X[:21], keep="all").fit(X[21:]).scores_)


def test_cramers_v_is_by_the_fewer_levels():
    few, more = np.array([0, 0, 1] * 6), np.array([0, 1, 2] * 6)
    made = fewer.CorrelationFilter(similarity="cramer", discretizer=None, max_correlation=1.0)
    found = made.fit(np.column_stack([few, more])).selection_
    assert found.kept_names == ["x0"]
    assert found.reason(1).amount == pytest.approx(plain.cramers_v(few.tolist(), more.tolist()))
