"""Weight matrix, weight array and MDD: probabilities, and what they reduce to."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency
from sklearn.base import clone

import fewer
from fewer.methods.sequences.mdd import dependence
from oracles import sequences as slow

MODELS = [fewer.WeightMatrix(), fewer.WeightArray(), fewer.MDD(min_leaf=5, significance=0.5)]


def drawn(rng, n=120, length=4, letters="ACGTN"):
    texts = ["".join(rng.choice(list(letters), length)) for _ in range(n)]
    return texts, np.array([int(t[0] == t[1]) for t in texts])


def test_the_weight_matrix_agrees_with_loops(rng):
    texts, y = drawn(rng)
    made = fewer.WeightMatrix(alpha=0.7).fit(texts, y)
    found = made.log_likelihood(texts[:20])
    for c in (0, 1):
        mine = [t for t, label in zip(texts, y) if label == c]
        np.testing.assert_allclose(found[:, c], [slow.weight_matrix(mine, t, 0.7) for t in texts[:20]])
    odds = found[:, 1] - found[:, 0] + np.log(y.sum() / (len(y) - y.sum()))
    np.testing.assert_allclose(made.decision_function(texts[:20]), odds)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_probabilities_of_all_sequences_add_up_to_one(model, rng):
    texts, y = drawn(rng, letters="ACGT", length=4)
    made = clone(model).fit(texts, y)
    every = slow.all_texts(4)
    np.testing.assert_allclose(np.exp(made.log_likelihood(every)).sum(axis=0), 1.0)
    np.testing.assert_allclose(made.predict_proba(every).sum(axis=1), 1.0)
    if not isinstance(model, fewer.WeightArray):
        # An unknown letter is the sum over all letters.
        several = np.exp(made.log_likelihood([f"AC{x}G" for x in "ACGT"])).sum(axis=0)
        np.testing.assert_allclose(np.exp(made.log_likelihood(["ACNG"]))[0], several)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_models_keep_the_contract(model, rng):
    texts, y = drawn(rng)
    labels = np.array(["no", "yes"])[y]
    made = clone(model).fit(texts, labels)
    assert made.classes_.tolist() == ["no", "yes"]
    assert set(made.predict(texts)) <= {"no", "yes"}
    frame = pd.DataFrame([list(t) for t in texts])
    np.testing.assert_array_equal(clone(model).fit(frame, labels).predict(frame), made.predict(texts))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(made)).predict(texts), made.predict(texts))
    order = rng.permutation(len(texts))
    again = clone(model).fit([texts[i] for i in order], labels[order])
    np.testing.assert_allclose(again.decision_function(texts), made.decision_function(texts))
    three = clone(model).fit(texts, np.arange(len(texts)) % 3)
    assert three.decision_function(texts).shape == (len(texts), 3)
    with pytest.raises(ValueError, match="those of fit had 4"):
        made.predict(["ACG"])
    with pytest.raises(ValueError, match="requires y"):
        clone(model).fit(texts, None)
    with pytest.raises(ValueError, match="one class"):
        clone(model).fit(texts, np.zeros(len(texts)))
    with pytest.raises(ValueError, match="alphabet"):
        clone(model).set_params(alphabet="A").fit(texts, y)


def test_the_weight_array_of_independent_letters_is_the_weight_matrix():
    """All texts of three letters, some twice as often by their third letter alone (section 18.2.2)."""
    texts = [t for t in slow.all_texts(3) for _ in range(1 + (t[2] == "A"))]
    y = [0] * len(texts) + [1] * 64
    every = texts + slow.all_texts(3)
    matrix, array = (make(alpha=1e-9).fit(every, y) for make in (fewer.WeightMatrix, fewer.WeightArray))
    np.testing.assert_allclose(array.log_likelihood(every), matrix.log_likelihood(every), atol=1e-6)


def test_the_weight_array_sees_neighbours_and_the_tree_sees_others(rng):
    texts = ["".join(rng.choice(list("ACGT"), 5)) for _ in range(4000)]
    beside, apart = (np.array([int(t[1] == t[2]) for t in texts]), np.array([int(t[0] == t[3]) for t in texts]))
    train, test = slice(0, 3000), slice(3000, None)

    def right(model, y):
        return np.mean(model.fit(texts[train], y[train]).predict(texts[test]) == y[test])

    assert right(fewer.WeightArray(), beside) > 0.98 > right(fewer.WeightMatrix(), beside)
    assert right(fewer.WeightArray(), apart) < 0.8
    tree = fewer.MDD(min_leaf=30).fit(texts[train], apart[train])
    assert tree.models_[1].position in (0, 3)
    assert np.mean(tree.predict(texts[test]) == apart[test]) > 0.85


def test_the_chain_agrees_with_loops(rng):
    texts, y = drawn(rng, letters="ACGT")
    made = fewer.WeightArray(alpha=0.5).fit(texts, y)
    mine = [t for t, label in zip(texts, y) if label == 1]
    alone = [{s: (sum(t[i] == s for t in mine) + 0.5) / (len(mine) + 2.0) for s in "ACGT"} for i in range(4)]
    for text, found in zip(texts[:30], made.log_likelihood(texts[:30])[:, 1]):
        want = np.log(alone[0][text[0]])
        for i in range(1, 4):
            both = sum(t[i - 1] == text[i - 1] and t[i] == text[i] for t in mine)
            before = sum(t[i - 1] == text[i - 1] for t in mine)
            want += np.log((both + 2.0 * alone[i][text[i]]) / (before + 2.0))
        assert found == pytest.approx(want)


def test_dependence_is_pearsons_chi2(rng):
    first, second = rng.integers(0, 4, (50, 3)), rng.integers(0, 3, (70, 3))
    statistic, dof = dependence(first, second, 4)
    for i in range(3):
        table = np.array([np.bincount(first[:, i], minlength=4), np.bincount(second[:, i], minlength=4)])
        want = chi2_contingency(table[:, table.sum(axis=0) > 0], correction=False)
        assert (statistic[i], dof[i]) == (pytest.approx(want.statistic), want.dof)


def test_a_tree_without_dependence_is_a_weight_matrix(rng):
    texts = ["".join(rng.choice(list("ACGT"), 4)) for _ in range(600)]
    y = rng.integers(0, 2, 600)
    tree, matrix = fewer.MDD(significance=1e-9).fit(texts, y), fewer.WeightMatrix().fit(texts, y)
    np.testing.assert_allclose(tree.log_likelihood(texts), matrix.log_likelihood(texts))
    small = fewer.MDD(min_leaf=5, significance=0.9).fit(texts, y)

    def leaves(node):
        return [node.n_rows] if node.matrix is not None else leaves(node.match) + leaves(node.other)

    assert min(leaves(small.models_[0])) >= 5
    assert len(leaves(small.models_[0])) > 1
    assert sum(leaves(small.models_[0])) == (y == 0).sum()


def test_independent_letters_make_no_split():
    """A position would always depend on itself."""
    rng = np.random.default_rng(0)
    texts = ["".join(row) for row in rng.choice(list("ACGT"), (400, 5), p=[0.4, 0.3, 0.2, 0.1])]
    made = fewer.MDD(min_leaf=20).fit(texts, np.arange(400) % 2)
    assert all(model.matrix is not None for model in made.models_)
