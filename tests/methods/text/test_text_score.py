"""TextScore, PIP, SpreadFx and TopDownTextScore against plain counts, pipelines, files and trees."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import fewer
from fewer import measures
from fewer.core.measures.spread_lists import round_order, spread_lists
from fewer.core.measures.term_scores import TERM_SCORES
from oracles import term_truths as truth

TEXTS = ["good film and fun", "good fun", "good naïve story", "bad film and dull", "bad dull", "bad and long story"] * 5
MOODS = np.array([1, 1, 1, 0, 0, 0] * 5)


def corpus(seed=0, n=80, d=12, n_classes=4):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    X = rng.poisson(0.5, (n, d))
    for k in range(n_classes):
        X[:, k] += 2 * (y == k) * rng.integers(0, 2, n)
    return scipy.sparse.csr_matrix(X), y


@pytest.mark.parametrize("vectorizer", [CountVectorizer(), TfidfVectorizer(), CountVectorizer(binary=True)])
def test_names_of_terms_pass_through_a_pipeline(vectorizer):
    model = make_pipeline(vectorizer, fewer.TextScore(4), LogisticRegression()).fit(TEXTS, MOODS)
    assert set(model[:-1].get_feature_names_out()) == {"good", "bad", "fun", "dull"}
    assert model.score(TEXTS, MOODS) == 1.0
    assert scipy.sparse.issparse(model[:-1].transform(TEXTS))


@pytest.mark.parametrize("score", TERM_SCORES)
def test_every_score_is_that_of_its_function_on_sparse_dense_and_streamed_rows(score, tmp_path):
    X, y = corpus()
    counts = measures.count_terms(X, y, occurrences=True)
    wanted = measures.term_scores(counts, score)
    for given_rows in (X, X.tocsc(), X.toarray(), X.toarray().astype(np.float32), X.astype(np.uint16)):
        np.testing.assert_array_equal(fewer.TextScore(5, score=score).fit(given_rows, y).scores_, wanted)
    frame = pd.DataFrame(X.toarray(), columns=[f"w{j}" for j in range(12)]).assign(y=y)
    frame.to_csv(tmp_path / "counts.csv", index=False)
    table = fewer.open_table(tmp_path / "counts.csv", target="y", task="classification", batch_rows=13)
    np.testing.assert_array_equal(fewer.TextScore(5, score=score).fit(table).scores_, wanted)
    for how in ("max", "mean"):
        found = fewer.TextScore(5, score=score, aggregate=how).fit(X, y)
        np.testing.assert_allclose(found.scores_, getattr(np, how)(measures.class_scores(counts, score), axis=0))


def test_information_gain_is_that_of_scikit_learn():
    X, y = corpus(n=200, d=30)
    found = fewer.TextScore(score="ig").fit(X, y).scores_
    np.testing.assert_allclose(found, mutual_info_classif(X > 0, y, discrete_features=True), atol=1e-12)


def test_tables_hold_documents_and_scores_by_class(tmp_path):
    X, y = corpus()
    found = fewer.select(X, np.array(list("abcd"))[y], "TextScore", n_features_to_select=3, score="chi2")
    shown = found.to_frame(table="class_documents")
    for j, row in zip(found.indices, shown.itertuples()):
        column = X[:, j].toarray().ravel() > 0
        assert list(row[2:]) == [column.sum(), *(int(column[y == k].sum()) for k in range(4))]
    again = fewer.Selection.from_json(found.to_json())
    assert again.tables["class_scores"].columns == found.tables["class_scores"].columns
    expected = measures.class_scores(measures.count_terms(X, y), "chi2")
    np.testing.assert_array_equal(found.to_frame(table="class_scores")["c"], expected[2, found.indices])


def test_classes_called_like_the_heads_of_the_table_are_told_apart():
    X, y = corpus(n_classes=2)
    found = fewer.TextScore(2).fit(X, np.array(["term", "documents"])[y]).selection_
    assert len(found.tables["class_documents"].columns) == 4


def test_several_labels_per_document():
    X, y = corpus()
    rng = np.random.default_rng(1)
    Y = np.zeros((80, 4), int)
    Y[np.arange(80), y] = 1
    Y[:, 1] |= rng.integers(0, 2, 80)
    counts = measures.count_terms(X, Y)
    for score in ("bns", "ig", "chi2"):
        found = fewer.TextScore(3, score=score).fit(X, Y)
        np.testing.assert_allclose(found.scores_, Y.mean(axis=0) @ measures.class_scores(counts, score))
    sets = [{"abcd"[k] for k in np.flatnonzero(row)} for row in Y]
    named = fewer.TextScore(3).fit(X, sets).selection_
    assert list(named.tables["class_documents"].columns)[2:] == list("abcd")
    with pytest.raises(ValueError, match="in all rows or in none"):
        fewer.TextScore().fit(X, np.ones((80, 2), int))


def test_limits_on_documents_leave_terms_out_with_a_reason():
    X, y = corpus()
    holding = np.asarray((X > 0).sum(axis=0)).ravel()
    low, high = int(np.sort(holding)[3]), float(np.sort(holding)[-3] / 80)
    found = fewer.TextScore(None, min_df=low, max_df=high).fit(X, y)
    inside = (holding >= low) & (holding <= high * 80)
    assert set(found.selection_.indices) == set(np.flatnonzero(inside))
    rare, frequent = int(np.argmin(holding)), int(np.argmax(holding))
    assert f"needed {low}" in str(found.selection_.reason(rare))
    assert "needed at most" in str(found.selection_.reason(frequent))
    assert found.selection_.reason(rare).kind == "irrelevant"
    plain = fewer.TextScore(None).fit(X, y).scores_
    np.testing.assert_array_equal(found.scores_[inside], plain[inside])
    wider = fewer.TextScore(None, min_df=low - 1).fit(X, y)
    assert set(found.selection_.indices) <= set(wider.selection_.indices)
    with pytest.raises(ValueError, match="widen the limits"):
        fewer.TextScore(min_df=81).fit(X, y)


def test_local_scope_puts_the_best_of_every_class_together():
    X, y = corpus()
    labels = np.array(["a", "b", "c", "d"])
    found = fewer.TextScore(2, scope="local", score="chi2").fit(X, labels[y])
    each = measures.class_scores(measures.count_terms(X, y), "chi2")
    for k, label in enumerate(labels):
        assert found.class_subsets_[label].tolist() == np.argsort(-each[k], kind="stable")[:2].tolist()
    assert set(found.selection_.indices) == {j for terms in found.class_subsets_.values() for j in terms}
    assert not hasattr(found.set_params(scope="global").fit(X, y), "class_subsets_")


def test_one_sided_scores_prefer_terms_of_the_class():
    texts, y = ["x a", "x a", "x b", "x c", "x c", "c"], [1, 1, 1, 0, 0, 0]
    X = CountVectorizer(token_pattern=r"\w").fit_transform(texts)
    each = measures.class_scores(measures.count_terms(X, y), "bns", one_sided=True)
    found = fewer.TextScore(2, one_sided=True, scope="local").fit(X, y)
    np.testing.assert_array_equal(found.scores_, each.max(axis=0))
    assert found.class_subsets_["1"].tolist() == [0, 1]
    assert each[1][2] < 0 < each[0][2]


@given(st.lists(st.permutations(range(6)), min_size=1, max_size=4))
def test_turns_are_those_of_the_definition(lists):
    for skip, how in ((False, "consume"), (True, "skip")):
        assert spread_lists(lists, on_duplicate=how) == truth.merged_turns(lists, skip)
    assert round_order(np.array(lists)).tolist() == truth.merged_turns(lists, False)
    drawn = spread_lists(lists, scheduler="random", random_state=0, weights=[1.0] + [0.0] * (len(lists) - 1))
    assert drawn == list(lists[0])
    assert sorted(spread_lists(lists, scheduler="random", on_duplicate="skip", random_state=1)) == list(range(6))


def test_turns_of_the_example():
    lists = [[1, 2, 3, 4], [1, 3, 5], [6, 2, 1]]
    assert spread_lists(lists) == [1, 6, 2, 3, 5, 4]
    assert spread_lists(lists, on_duplicate="skip") == [1, 3, 6, 2, 5, 4]
    with pytest.raises(ValueError, match="consume"):
        spread_lists(lists, on_duplicate="drop")
    with pytest.raises(ValueError, match="not all 0"):
        spread_lists(lists, scheduler="random", weights=[0, 0, 0])


@pytest.mark.parametrize("how", ["consume", "skip"])
def test_weak_classes_do_not_starve(how):
    """Class 2 has only weak terms; the plain ranking names none of them, turns name one in three."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    X = rng.random((300, 30)) < 0.1
    for j in range(12):
        X[:, j] |= (y == j % 2) & (rng.random(300) < 0.8)
    for j in range(12, 16):
        X[:, j] |= (y == 2) & (rng.random(300) < 0.25)
    weak = set(range(12, 16))
    assert not weak & set(fewer.TextScore(9, score="chi2", aggregate="max").fit(X, y).selection_.indices)
    found = fewer.SpreadFx(9, score="chi2", on_duplicate=how, one_sided=True).fit(X.astype(int), y)
    assert len(weak & set(found.selection_.indices)) >= 3


def test_turns_of_two_classes_are_the_plain_ranking():
    X, y = corpus(n_classes=2)
    for score in ("ig", "chi2", "bns"):
        plain = fewer.TextScore(None, score=score, aggregate="max").fit(X, y).selection_.order
        assert fewer.SpreadFx(None, score=score).fit(X, y).selection_.order.tolist() == plain.tolist()


def test_drawn_turns_follow_the_seed_and_the_class_sizes():
    X, y = corpus(n=200)
    first, again, other = (
        fewer.SpreadFx(None, scheduler="random", random_state=seed).fit(X, y).selection_.order for seed in (0, 0, 5)
    )
    assert first.tolist() == again.tolist() != other.tolist()


def test_inclusion_is_the_mean_probability_and_orders_saturated_terms():
    rng = np.random.default_rng(0)
    y = np.arange(600) % 3
    X = (rng.random((600, 6)) < 0.2).astype(int)
    X[:, 1], X[:, 4] = y == 0, (y == 0) | (rng.random(600) < 0.02)
    found = fewer.PIP(None).fit(X, y)
    factors = measures.class_scores(measures.count_terms(X, y), "pip")
    mean = measures.inclusion_probability(factors).mean(axis=0)
    np.testing.assert_allclose(found.selection_.columns["inclusion"], mean)
    assert mean[1] == mean[4] == 1.0
    assert found.selection_.order[:2].tolist() == [1, 4]
    assert found.scores_[1] > found.scores_[4]
    by_max = fewer.PIP(None, aggregate="max").fit(X, y).scores_
    np.testing.assert_allclose(by_max, factors.max(axis=0))
    two = fewer.PIP(None).fit(X, y == 0)
    np.testing.assert_allclose(two.scores_, measures.class_scores(measures.count_terms(X, y == 0), "pip")[0], rtol=1e-9)


def test_inclusion_is_weighted_by_documents_or_alike():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [60, 25, 5])
    X = rng.poisson(0.3 + 0.4 * (np.arange(8) == y[:, None]))
    for method, score in ((fewer.PIP, "pip"), (fewer.PIPPoisson, "pip_poisson")):
        factors = measures.class_scores(measures.count_terms(X, y, occurrences=True), score)
        probability = 1 / (1 + np.exp(-factors))
        for how, weights in (("weighted", np.array([60, 25, 5]) / 90), ("mean", np.full(3, 1 / 3))):
            found = method(None, aggregate=how).fit(X, y)
            np.testing.assert_allclose(found.selection_.columns["inclusion"], weights @ probability)
            np.testing.assert_allclose(1 / (1 + np.exp(-found.scores_)), weights @ probability)


def test_counts_decide_where_presence_does_not():
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = 1 + rng.poisson(2.0, (100, 4))
    X[:, 2] += 5 * y
    assert fewer.PIPPoisson(1).fit(X, y).selection_.indices.tolist() == [2]
    assert fewer.PIP(None).fit(X, y).scores_.max() < 0


def tree_truth(X, y, tree, node, children, score):
    """Scores at a node: the documents under every child, taken out and counted anew."""
    under = {child: {c for c in set(y) if c == child or tree.get(c) == child} for child in children}
    rows = [i for i in range(len(y)) if any(y[i] in names for names in under.values())]
    target = [next(k for k, names in enumerate(under.values()) if y[i] in names) for i in rows]
    return measures.term_scores(measures.count_terms(X[rows], np.array(target)), score)


@given(st.integers(0, 1000))
@settings(max_examples=5)
def test_nodes_of_a_tree_are_scored_as_their_documents_alone(seed):
    X, y = corpus(seed, n_classes=4)
    labels = np.array(["a.x", "a.y", "b", "c"])[y].tolist()
    found = fewer.TopDownTextScore(3, separator=".", score="ig").fit(X, labels)
    tree = {"a.x": "a", "a.y": "a"}
    for node, children in (("(root)", ["a", "b", "c"]), ("a", ["a.x", "a.y"])):
        wanted = tree_truth(X, labels, tree, node, children, "ig")
        assert found.node_subsets_[node].tolist() == np.argsort(-wanted, kind="stable")[:3].tolist()
    given_tree = {"a.x": "a", "a.y": "a", "a": None, "b": "", "c": ()}
    same = fewer.TopDownTextScore(3, tree=given_tree, score="ig").fit(X, labels)
    assert {n: t.tolist() for n, t in same.node_subsets_.items()} == {
        n: t.tolist() for n, t in found.node_subsets_.items()
    }


def test_a_flat_tree_is_the_flat_task():
    X, y = corpus()
    flat, plain = fewer.TopDownTextScore(4).fit(X, y), fewer.TextScore(4).fit(X, y)
    assert flat.selection_.indices.tolist() == plain.selection_.indices.tolist()
    np.testing.assert_array_equal(flat.scores_, plain.scores_)


def test_documents_at_a_node_are_a_class_of_their_own():
    X, y = corpus(n_classes=3)
    labels = np.array(["a", "a.x", "b"])[y]
    table = fewer.TopDownTextScore(2, separator=".").fit(X, labels).selection_.tables["nodes"].columns
    assert table["children"] == ["a, b", "a.x, a itself"]
    assert table["documents"] == [80, int((y != 2).sum())]
    without = fewer.TopDownTextScore(2, separator=".", stop_class=False).fit(X, labels)
    assert list(without.node_subsets_) == ["(root)"]


def test_classes_under_two_children_are_refused_or_counted_as_told():
    X, y = corpus(n_classes=3)
    labels = np.array(["u", "v", "w"])[y]
    tree = {"u": "p", "v": ["p", "q"], "w": "q"}
    with pytest.raises(ValueError, match="under several children"):
        fewer.TopDownTextScore(tree=tree).fit(X, labels)
    first = fewer.TopDownTextScore(2, tree=tree, duplicates="first", score="chi2").fit(X, labels)
    both = fewer.TopDownTextScore(2, tree=tree, duplicates="both", score="chi2").fit(X, labels)
    split = measures.term_scores(measures.count_terms(X, (y == 2).astype(int)), "chi2")
    assert first.node_subsets_["(root)"].tolist() == np.argsort(-split, kind="stable")[:2].tolist()
    marks = np.column_stack([y != 2, y != 0]).astype(int)
    several = measures.term_scores(measures.count_terms(X, marks), "chi2")
    assert both.node_subsets_["(root)"].tolist() == np.argsort(-several, kind="stable")[:2].tolist()
    with pytest.raises(ValueError, match="without the class 'w'"):
        fewer.TopDownTextScore(tree={"u": "p", "v": "p"}).fit(X, labels)
    with pytest.raises(ValueError, match="lies under itself"):
        fewer.TopDownTextScore(tree={"u": "p", "v": "p", "w": None, "p": "q", "q": "p"}).fit(X, labels)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: fewer.TextScore(aggregate="joint"), "all classes at once"),
        (lambda: fewer.TextScore(score="ig", aggregate="joint", scope="local"), "two-sided and global"),
        (lambda: fewer.TextScore(score="chi2", score_params={"eps": 1}), "takes none"),
        (lambda: fewer.TextScore(score="best"), "score"),
        (lambda: fewer.TextScore(min_df=-1), "min_df"),
        (lambda: fewer.PIP(alphas=(1, 2)), "three numbers"),
        (lambda: fewer.PIP(prior_inclusion=1.0), "prior_inclusion"),
        (lambda: fewer.TopDownTextScore(tree={}, separator="."), "leave one out"),
        (lambda: fewer.TopDownTextScore(separator=""), "empty separator"),
        (lambda: fewer.TopDownTextScore(score_params={"zeta": 1}), "takes backoff, eps, xi"),
    ],
)
def test_wrong_parameters_are_refused(made, words):
    X, y = corpus()
    with pytest.raises(ValueError, match=words):
        made().fit(X, y)


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_what_is_no_amount_is_refused(wrong):
    X, y = corpus()
    X = X.astype(float)
    X.data[3] = wrong
    for rows in (X, X.toarray()):
        with pytest.raises(ValueError, match="counts and weights|NaN|infinity"):
            fewer.TextScore().fit(rows, y)


def test_input_is_not_changed_and_never_densified():
    terms = np.random.default_rng(0).integers(0, 200_000, 20_000)
    X = scipy.sparse.csr_matrix((np.ones(20_000), terms, np.arange(0, 20_001, 40)), shape=(500, 200_000))
    X.sum_duplicates()
    parts, y = [part.copy() for part in (X.data, X.indices, X.indptr)], np.arange(500) % 3
    fewer.TextScore(10).fit(X[:, :100], y)
    tracemalloc.start()
    fewer.TextScore(10).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Dense rows would take 800 MB; the counts by class take 5 and the names of reasons little more.
    assert peak < 60e6
    for part, given_part in zip((X.data, X.indices, X.indptr), parts):
        np.testing.assert_array_equal(part, given_part)


def test_subsets_of_classes_and_nodes_are_whole():
    rng = np.random.default_rng(0)
    X, labels = (
        scipy.sparse.csr_matrix(rng.poisson(0.5, (40, 1500))),
        np.array(["a.x", "a.y", "b", "c"])[np.arange(40) % 4],
    )
    holding = np.asarray((X > 0).sum(axis=0)).ravel()
    for limit, allowed in ((None, np.arange(1500)), (int(np.median(holding)) - 3, None)):
        allowed = np.flatnonzero(holding >= limit) if allowed is None else allowed
        local = fewer.TextScore(None, scope="local", min_df=limit).fit(X, labels)
        tree = fewer.TopDownTextScore(None, separator=".", min_df=limit).fit(X, labels)
        assert len(allowed) > 1000
        for terms in (*local.class_subsets_.values(), *tree.node_subsets_.values()):
            assert sorted(terms.tolist()) == allowed.tolist()
        assert "first 1,000" in local.selection_.tables["class_subsets"].title


def test_a_tree_that_decides_nothing_is_refused():
    X, y = corpus(n_classes=2)
    labels = np.array(["a", "a.x"])[y]
    with pytest.raises(ValueError, match="two children"):
        fewer.TopDownTextScore(separator=".", stop_class=False).fit(X, labels)
    assert list(fewer.TopDownTextScore(separator=".").fit(X, labels).node_subsets_) == ["a"]


def test_options_of_the_score_reach_the_nodes_and_numbers_name_parents():
    X, y = corpus(n_classes=3)
    found = fewer.TopDownTextScore(2, score_params={"backoff": "count"}, tree={0: 7, 1: 7, 2: None}).fit(X, y)
    inside = y < 2
    wanted = measures.term_scores(measures.count_terms(X[inside], y[inside]), "bns", backoff="count")
    assert found.node_subsets_["7"].tolist() == np.argsort(-wanted, kind="stable")[:2].tolist()


def test_labels_of_numpy_and_python_are_sorted_together():
    X, _ = corpus()
    rows = [[np.str_("b")], ["a"], [np.str_("c"), "a"], ["d", np.str_("b")]] * 20
    found = fewer.SpreadFx(2).fit(X, rows)
    assert list(found.selection_.tables["class_documents"].columns)[2:] == list("abcd")
    assert found.counts_.sizes.tolist() == [40, 40, 20, 20]
