"""The causal family on made and real data: blankets, roles, reasons, graphs, and the same on every runner."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.graphs.dag import DAG
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import FewerError, InputError, MissingExtraError, ParameterError
from fewer.independence import DSeparation, GTest, RegressionTest
from fewer.report import page
from fewer.results import Selection, to_networkx
from fewer.synth import make_boolean_redundant, make_chessboard, make_lung_cancer, make_simpson, make_spouse

WHOLE = ["GrowShrink", "IAMB", "InterIAMB", "FastIAMB"]
BLANKETS = [*WHOLE, "HITON", "MMMB", "PC"]
NEAR = ["HITONPC", "MMPC"]


@pytest.fixture(scope="module")
def lungs():
    data = make_lung_cancer(5000, random_state=0)
    return data, pd.DataFrame(data.X, columns=list(data.names))


def names_of(selection):
    return set(selection.kept_names)


@pytest.mark.parametrize("name", [*BLANKETS, *NEAR, "RelevanceClasses"])
def test_the_blanket_of_the_lung_cancer_network_is_found(name, lungs):
    data, frame = lungs
    found = getattr(fewer, name)().fit(frame, data.y).selection_
    near = {"Smoking", "GeneticFactor1", "Coughing", "Metastasis", "Biomarker1"}
    assert names_of(found) == (near if name in NEAR else {data.names[j] for j in data.relevant})


@pytest.mark.parametrize("name", BLANKETS)
def test_the_blanket_of_lucas_is_found(name, shared_data):
    stored = shared_data("lucas0")
    found = getattr(fewer, name)().fit(stored["X"], stored["y"]).selection_
    assert sorted(found.indices.tolist()) == sorted(stored["markov_blanket"].tolist())


def test_reasons_name_the_test_that_decided(lungs):
    data, frame = lungs
    found = fewer.HITON().fit(frame, data.y).selection_
    assert "independent of y given {Smoking}: p = 0." in str(found.reason("Anxiety"))
    assert found.reason("Anxiety").related == ("Smoking",)
    assert "depends on y given {Coughing}: p = " in str(found.reason("Allergy"))
    again = Selection.from_json(found.to_json())
    assert [str(again.reason(j)) for j in range(10)] == [str(found.reason(j)) for j in range(10)]
    # Among more features the names of the given ones move along.
    wide = found.on(np.arange(3, 13), 13).with_names(("a", "b", "c", *data.names))
    assert "given {Smoking}" in str(wide.reason("Anxiety"))


def test_roles_and_graph_of_pc(lungs):
    data, frame = lungs
    found = fewer.PC().fit(frame, data.y).selection_
    roles = found.tables["roles"].named(found.feature_names)
    roles = dict(zip(roles["feature"], roles["role"]))
    assert roles["Smoking"] == roles["GeneticFactor1"] == "cause"
    assert roles["Coughing"] == roles["Biomarker1"] == "effect"
    assert roles["Allergy"] == "spouse"
    assert roles["Anxiety"] == "outside the blanket"
    assert set(found.tables["roles"].columns["confounding"]) == {"not examined"}
    graph = found.tables["graph"].named(found.feature_names)
    edges = set(zip(graph["from"], graph["to"], graph["edge"]))
    assert {("Smoking", "y", "->"), ("y", "Coughing", "->"), ("Allergy", "Coughing", "->")} <= edges
    assert {("Anxiety", "Smoking", "--")} <= edges
    assert len(edges) == 10


def test_children_with_spouses_are_effects(lungs):
    data, frame = lungs
    found = fewer.HITON().fit(frame, data.y).selection_
    roles = dict(zip(*list(found.tables["roles"].named(found.feature_names).values())[:2]))
    assert (roles["Coughing"], roles["Smoking"], roles["Allergy"]) == ("effect", "parent or child", "spouse")


def test_graphs_are_drawn_and_exported(lungs, monkeypatch):
    data, frame = lungs
    found = fewer.HITON().fit(frame, data.y).selection_
    shown = page.render(found)
    assert "<svg" in shown.split("Graph around the target")[1]
    ax = found.plot.graph()
    assert {text.get_text() for text in ax.texts} >= {"y", "Smoking", "Allergy"}
    with pytest.raises(InputError, match="graphs of this selection are graph"):
        found.plot.graph("roles")
    with pytest.raises(InputError, match="are graph; pass one"):
        to_networkx(found, "tree")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingExtraError, match="networkx"):
        to_networkx(found)


def test_the_graph_of_networkx_has_both_ends(lungs):
    networkx = pytest.importorskip("networkx")
    data, frame = lungs
    graph = to_networkx(fewer.PC().fit(frame, data.y).selection_)
    assert isinstance(graph, networkx.DiGraph)
    assert graph.has_edge("Smoking", "y")
    assert not graph.has_edge("y", "Smoking")
    assert graph.has_edge("Anxiety", "Smoking")
    assert graph.has_edge("Smoking", "Anxiety")


def plain(selection):
    reasons = [str(selection.reason(j)).split(": ", 1)[1] for j in range(selection.n_features)]
    return selection.indices.tolist(), selection.scores.tolist(), selection.columns["pvalue"].tolist(), reasons


@pytest.mark.parametrize("name", ["IAMB", "FastIAMB", "HITON", "MMMB", "PC"])
def test_counting_tests_say_the_same_on_every_runner(name):
    data = make_lung_cancer(600, random_state=1)
    expected = plain(getattr(fewer, name)(n_jobs=1).fit(data.X, data.y).selection_)
    assert repr(plain(getattr(fewer, name)(n_jobs=2).fit(data.X, data.y).selection_)) == repr(expected)
    streamed = ArrayTable(data.X, data.y, names=[f"x{j}" for j in range(10)], batch_rows=97)
    assert repr(plain(getattr(fewer, name)().fit(streamed).selection_)) == repr(expected)


@pytest.mark.dask
def test_counting_tests_say_the_same_on_a_cluster(cluster):
    import dask.array as da

    data = make_lung_cancer(600, random_state=1)
    few = data.X[:, [1, 2, 7, 8]]
    for made in (fewer.FastIAMB(), fewer.HITON(max_k=1)):
        expected = made.fit(few, data.y).selection_
        with cluster.as_current(), fewer.use(cluster):
            X, y = (da.from_array(part, chunks=(200, -1)[: part.ndim]) for part in (few, data.y))
            found = made.fit(X, y).selection_
        assert found.indices.tolist() == expected.indices.tolist()
        np.testing.assert_array_equal(found.scores, expected.scores)


def numbers(n=400, seed=0):
    """A chain 0 -> 1 -> y -> 2 <- 3 of numbers, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 1] += X[:, 0]
    y = X[:, 1] + rng.normal(size=n)
    X[:, 2] += y + X[:, 3]
    return X, y


@pytest.mark.parametrize("name", [*BLANKETS, "HITONPC"])
def test_numbers_are_tested_by_partial_correlation(name):
    X, y = numbers()
    memory = getattr(fewer, name)(alpha=0.01).fit(X, y).selection_
    assert sorted(memory.indices.tolist()) == ([1, 2] if name == "HITONPC" else [1, 2, 3])
    assert "FisherZ" in memory.reasons.rule
    streamed = getattr(fewer, name)(alpha=0.01).fit(ArrayTable(X, y, batch_rows=83)).selection_
    assert streamed.indices.tolist() == memory.indices.tolist()
    np.testing.assert_allclose(streamed.columns["pvalue"], memory.columns["pvalue"], rtol=0, atol=1e-10)


def test_mixed_columns_are_tested_by_regressions():
    X, y = numbers()
    X[:, 4] = np.digitize(y + np.random.default_rng(1).normal(size=400), [0.0])
    found = fewer.HITON(categorical_features=[4], alpha=0.01).fit(X, y).selection_
    assert "RegressionTest" in found.reasons.rule
    assert sorted(found.indices.tolist()) == [1, 2, 3, 4]


def test_too_few_rows_are_said():
    data = make_lung_cancer(60, random_state=0)
    found = fewer.HITON(h=200).fit(data.X, data.y).selection_
    assert len(found) == 0
    for j in range(10):
        assert found.reason(j).kind == "not reached"
        assert "too few rows to tell whether it depends on y" in str(found.reason(j))
    assert found.meta["tests"]["too_few_rows"] == 10
    # Rows that suffice alone, but not given others: what is inside stays, what is outside is not called independent.
    some = fewer.IAMB().fit(data.X, data.y).selection_
    assert any("too few rows" in str(some.reason(j)) for j in range(10))


def test_what_classical_filters_miss_and_what_these_miss():
    spouse = make_spouse(2000, random_state=0)
    assert fewer.FTest("fdr:0.05").fit(spouse.X, spouse.y).selection_.indices.tolist() == [0]
    assert sorted(fewer.HITON().fit(spouse.X, spouse.y).selection_.indices.tolist()) == [0, 1]
    simpson = make_simpson(2000, random_state=0)
    assert len(fewer.Pearson("fdr:0.05").fit(simpson.X, simpson.y).selection_) == 2
    assert fewer.HITON(alpha=0.01).fit(simpson.X, simpson.y).selection_.indices.tolist() == [0]
    # Neither coordinate of a chessboard tells anything alone: unfaithful, and not found.
    board = make_chessboard(2000, 2, random_state=0)
    assert len(fewer.IAMB(alpha=0.01, bins=2).fit(board.X, board.y).selection_) == 0


def test_the_wrapper_drops_what_the_estimator_does_not_miss(lungs):
    data, frame = lungs
    whole, left = (fewer.HITON(wrapper=w).fit(frame, data.y).selection_ for w in (False, True))
    assert names_of(left) < names_of(whole)
    dropped = next(iter(names_of(whole) - names_of(left)))
    assert "the estimator does as well without it" in str(left.reason(dropped))
    assert len(left.trace) > 1
    assert left.tables["roles"].columns == whole.tables["roles"].columns


def test_relevance_of_features(lungs):
    data, frame = lungs
    found = fewer.RelevanceClasses().fit(frame, data.y).selection_
    words = dict(zip(data.names, found.tables["relevance"].columns["relevance"]))
    assert (words["Smoking"], words["Allergy"], words["Anxiety"]) == ("strong", "strong", "weak")
    bits = make_boolean_redundant("and")
    exact = fewer.RelevanceClasses(exact=True).fit(bits.X, bits.y).selection_
    assert exact.indices.tolist() == [0, 1]
    assert exact.reason(3).kind == "irrelevant"
    with pytest.raises(InputError, match="at most 16"):
        fewer.RelevanceClasses(exact=True).fit(np.zeros((4, 17)), [0, 1, 0, 1])


def test_copies_stand_for_each_other(lungs):
    """Each of two copies separates the other from y; the lower number stays."""
    data, _ = lungs
    X = np.column_stack([data.X, data.X[:, data.relevant]])
    for name in BLANKETS:
        found = getattr(fewer, name)().fit(X, data.y).selection_
        assert sorted(found.indices.tolist()) == list(data.relevant), name


def test_a_test_of_ones_own_is_asked():
    graph = DAG.of_edges(4, [(0, 3), (3, 1), (2, 1)])
    X, y = np.zeros((6, 3)), np.array([0, 1] * 3)
    assert sorted(fewer.HITON(test=DSeparation(graph)).fit(X, y).selection_.indices.tolist()) == [0, 1, 2]
    data = make_lung_cancer(600, random_state=1)
    strict = fewer.IAMB(test=GTest(h=1e9)).fit(data.X, data.y).selection_
    assert len(strict) == 0
    mixed = fewer.IAMB(test=RegressionTest()).fit(data.X, data.y).selection_
    assert "RegressionTest" in mixed.reasons.rule


def test_what_is_refused_in_a_sentence():
    X, y = numbers(60)
    with pytest.raises(ParameterError, match="HITON got test='pearson'.*'fisher_z'"):
        fewer.HITON(test="pearson").fit(X, y)
    with pytest.raises(FewerError, match="classes"):
        fewer.HITON(test="g").fit(X, y)
    with pytest.raises(FewerError, match="y of 3 classes"):
        fewer.HITON(test="fisher_z").fit(X, np.digitize(y, [-1, 1]))
    with pytest.raises(FewerError, match="memory"):
        fewer.HITON(test="mixed").fit(ArrayTable(X, y, batch_rows=20))
