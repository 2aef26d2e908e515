"""Costs of errors in the scores of impurity: the definition, every runner, refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest

import fewer
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import InputError, RequirementError
from oracles import measures as oracle

COSTS = [[0, 1, 2], [3, 0, 1], [5, 1, 0]]
MEASURES = {
    "InformationGain": oracle.cost_information_gain,
    "GainRatio": oracle.cost_gain_ratio,
    "GiniGain": oracle.cost_gini_gain,
}
every = pytest.mark.parametrize("name", MEASURES)


def levels(rng, n=200):
    y = np.sort(rng.integers(0, 3, n))
    X = rng.integers(0, 4, (n, 6))
    X[:, 1], X[:, 4] = y == 0, (y == 2) + 1
    return X, np.array(["ash", "birch", "cedar"])[y]


def by_definition(name, X, y, weight=None):
    weight, labels = np.ones(len(y)) if weight is None else weight, sorted(set(y))
    tables = [[[weight[(x == a) & (y == c)].sum() for c in labels] for a in range(x.max() + 1)] for x in X.T]
    return [MEASURES[name](table, COSTS) for table in tables]


@every
def test_scores_follow_the_definition_with_and_without_weights(name, rng):
    X, y = levels(rng)
    got = fewer.get(name)(2, discretizer=None, cost_matrix=COSTS).fit(X, y)
    np.testing.assert_allclose(got.scores_, by_definition(name, X, y), rtol=1e-9, atol=1e-12)
    weight = rng.random(len(y))
    got.fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(got.scores_, by_definition(name, X, y, weight), rtol=1e-9, atol=1e-12)


@every
def test_threads_and_streamed_rows_give_the_same(name, rng):
    X, y = levels(rng)
    X = X + rng.random(X.shape)
    made = fewer.get(name)(3, cost_matrix=COSTS)
    memory = made.fit(X, y).selection_
    threads = fewer.get(name)(3, cost_matrix=COSTS, n_jobs=2).fit(X, y).selection_
    table = ArrayTable(X, np.unique(y, return_inverse=True)[1], classes=np.unique(y), batch_rows=37)
    for other in (threads, made.fit(table).selection_):
        np.testing.assert_array_equal(other.scores, memory.scores)
        np.testing.assert_array_equal(other.order, memory.order)


@every
def test_equal_costs_keep_the_scores_and_none_keeps_the_p_values(name, rng):
    X, y = levels(rng)
    plain = fewer.get(name)(2, discretizer=None).fit(X, y)
    equal = fewer.get(name)(2, discretizer=None, cost_matrix=1 - np.eye(3)).fit(X, y)
    np.testing.assert_allclose(equal.scores_, plain.scores_, rtol=1e-9, atol=1e-12)
    assert "pvalue" in plain.selection_.columns
    assert "pvalue" not in equal.selection_.columns


@every
def test_rules_by_p_values_are_refused_and_probes_are_not(name, rng):
    X, y = levels(rng)
    with pytest.raises(RequirementError, match="p-values"):
        fewer.get(name)("fdr:0.05", cost_matrix=COSTS).fit(X, y)
    kept = fewer.get(name)("probes:0.05", discretizer=None, cost_matrix=COSTS).fit(X, y).selection_.indices
    assert {1, 4} <= set(kept.tolist())


@every
@pytest.mark.parametrize("bad", [np.ones((2, 2)), -np.ones((3, 3)), np.zeros((3, 3)), [1, 2, 3]])
def test_costs_that_make_no_sense_are_refused(name, bad, rng):
    with pytest.raises(InputError, match=f"{name} got a cost_matrix"):
        fewer.get(name)(2, cost_matrix=bad).fit(*levels(rng))


def test_costs_change_which_feature_comes_first(rng):
    X, y = levels(rng)
    dear = np.array([[0, 9, 9], [1, 0, 1], [1, 1, 0]])
    first = [fewer.InformationGain(1, cost_matrix=c).fit(X, y).selection_.indices[0] for c in (dear, dear[::-1, ::-1])]
    assert first == [4, 1]


def test_costs_are_typed_row_after_row(tmp_path, rng, capsys):
    from fewer.cli.main import main

    X, y = levels(rng)
    path = tmp_path / "trees.csv"
    rows = [",".join([*map(str, x), label]) for x, label in zip(X, y)]
    path.write_text("\n".join(["a,b,c,d,e,f,tree", *rows]), encoding="utf-8")
    costs = ",".join(str(c) for line in COSTS for c in line)
    words = ["rank", str(path), "--target", "tree", "--method", "GiniGain", "--cost-matrix", costs, "--json"]
    assert main(words) == 0
    shown = {f["feature"]: f["score"] for f in json.loads(capsys.readouterr().out)["features"]}
    expected = fewer.GiniGain(None, cost_matrix=COSTS).fit(X, y).scores_
    np.testing.assert_allclose([shown[name] for name in "abcdef"], expected)
