"""Accuracy and key words of clusters; documents made ready for them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import scipy.sparse

from fewer.core.reading.porter import stem
from fewer.evaluate.cluster_accuracy import clustering_accuracy
from fewer.evaluate.cluster_words import cluster_keywords
from fewer.evaluate.text_terms import clustering_terms


@pytest.mark.parametrize("seed", range(5))
def test_accuracy_is_the_best_over_all_matchings(seed):
    rng = np.random.default_rng(seed)
    k = 4
    classes = rng.integers(0, k, 60)
    labels = np.where(rng.random(60) < 0.5, (classes + 1) % k, rng.integers(-1, k, 60))
    best = max(
        np.mean([label >= 0 and matched[label] == c for label, c in zip(labels, classes)])
        for matched in permutations(range(k))
    )
    assert clustering_accuracy(labels, classes) == pytest.approx(best)
    names = np.array(["d", "a", "c", "b"])[classes]
    assert clustering_accuracy(labels, names) == pytest.approx(best)
    by_majority = sum(np.bincount(classes[labels == c]).max() for c in range(k) if (labels == c).any()) / 60
    assert clustering_accuracy(labels, classes, "majority") == pytest.approx(by_majority)
    assert by_majority >= best


def test_accuracy_with_other_numbers_of_clusters_than_classes():
    assert clustering_accuracy([0, 1, 2, 3], [0, 0, 0, 0]) == 0.25
    assert clustering_accuracy([0, 1, 2, 3], [0, 0, 0, 0], "majority") == 1
    assert clustering_accuracy([7, 7, 7, 7], [0, 0, 1, 1]) == 0.5
    assert clustering_accuracy([-1, -1], [0, 1]) == 0
    with pytest.raises(ValueError, match="got labels of shape"):
        clustering_accuracy([0, 1], [0])
    with pytest.raises(ValueError, match="got matching="):
        clustering_accuracy([0], [0], "best")


def test_key_words_leave_out_what_is_absent_or_constant():
    counts = np.array([[1, 0, 2, 1, 3], [2, 0, 2, 0, 1], [0, 3, 0, 1, 1], [0, 1, 0, 2, 1]])
    weights = np.array([[0.3, 0.4, 0.2, 2e-7, 0.1], [0.3, 0.2, 0.3, 0.15, 0.05]])
    for form in (np.asarray, scipy.sparse.csr_array):
        first, second = cluster_keywords(form(counts), [0, 0, 1, 1], weights, list("abcde"))
        assert first.words == ["a", "e"]
        assert first.weights == [0.3, 0.1]
        assert first.n_absent == 1
        assert first.constant == ["c"]
        assert first.selected.tolist() == [0, 4]
        assert second.words == ["b", "d"]
        assert second.constant == ["e"]
        assert second.n_absent == 2
    assert sum(first.decades.values()) == 3
    assert first.decades[(1e-7, 1e-6)] == 1
    assert first.decades[(0.1, 1.0)] == 1
    assert first.decades[(0.01, 0.1)] == 1
    only = cluster_keywords(counts, [0, 0, 1, 1], weights, list("abcde"), top=1, nouns={"e", "d"})
    assert [found.words for found in only] == [["e"], ["d"]]


def test_decades_of_figure_10_2():
    """Interval counts as in the figure: 8, 280, 433, 188 and 32 words, 220 of them above 1e-6."""
    rng = np.random.default_rng(0)
    parts = [(8, -9, -8), (280, -8, -7), (433, -7, -6), (188, -6, -5), (32, -5, 0)]
    weights = np.concatenate([10 ** rng.uniform(low + 0.01, high - 0.01, n) for n, low, high in parts] + [np.ones(381)])
    counts = np.zeros((2, len(weights)))
    counts[0, :941] = 1
    (found,) = cluster_keywords(counts, [0, 0], weights[None], [str(j) for j in range(len(weights))])
    assert found.n_absent == 381
    assert len(found.selected) == 188 + 32 == 220
    below = [n for (_, high), n in found.decades.items() if high <= 1.01e-5]
    assert below == [8, 280, 433, 188]
    assert sum(found.decades.values()) - sum(below) == 32


# Of the tables of the paper of 1980.
STEMS = """
    caresses caress ponies poni ties ti caress caress cats cat feed feed agreed agre plastered plaster bled bled
    motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing
    hiss fizzed fizz failing fail filing file happy happi sky sky relational relat conditional condit rational ration
    valenci valenc hesitanci hesit digitizer digit conformabli conform radicalli radic differentli differ vileli vile
    analogousli analog vietnamization vietnam predication predic operator oper feudalism feudal decisiveness decis
    hopefulness hope callousness callous formaliti formal sensitiviti sensit sensibiliti sensibl triplicate triplic
    formative form formalize formal electriciti electr electrical electr hopeful hope goodness good revival reviv
    allowance allow inference infer airliner airlin gyroscopic gyroscop adjustable adjust defensible defens irritant
    irrit replacement replac adjustment adjust dependent depend adoption adopt homologou homolog communism commun
    activate activ angulariti angular homologous homolog effective effect bowdlerize bowdler probate probat rate rate
    cease ceas controll control roll roll generalizations gener oscillators oscil
"""


def test_stems_of_the_published_examples():
    words = STEMS.split()
    assert [stem(word) for word in words[::2]] == words[1::2]


def test_terms_are_stemmed_bounded_and_weighted():
    names = ["the", "ball", "balls", "star", "rare", "common"]
    counts = np.array([[5, 1, 2, 0, 1, 1], [1, 0, 1, 1, 0, 1], [1, 0, 0, 2, 0, 2], [0, 1, 0, 1, 0, 1]])
    X, terms = clustering_terms(scipy.sparse.csr_array(counts), names, 3, fewest_documents=2)
    assert terms.tolist() == ["ball", "star"]
    np.testing.assert_allclose(X.toarray(), np.array([[3, 0], [1, 1], [0, 2], [1, 1]]) * np.log(4 / 3))
    unit, _ = clustering_terms(counts, names, 3, fewest_documents=2, unit_rows=True)
    np.testing.assert_allclose((unit.toarray() ** 2).sum(axis=1), 1)
    plain, words = clustering_terms(counts, names, 4, fewest_documents=1, stop_words=(), stems=False)
    assert words.tolist() == sorted(names)
    assert plain.shape == (4, 6)
    with pytest.raises(ValueError, match="needs a name per column"):
        clustering_terms(counts, names[:2], 3)
