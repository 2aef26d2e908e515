"""Searches that learn a distribution of good subsets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree
from search_problems import Asked, view_of

from fewer.core.records.errors import ParameterError
from fewer.core.search.bayes_net import EBNA, bic_gains, learn_network
from fewer.core.search.dependence_tree import DependenceTree, bit_information, draw_from_tree, spanning_tree
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.outcome import run_search
from oracles.search import bit_information as information_oracle
from oracles.search import network_bic


def pairs_of(bits):
    bits = bits.astype(float)
    return bits.T @ bits / len(bits)


@given(st.integers(0, 1000), st.integers(1, 6), st.integers(1, 40))
def test_information_of_bits(seed, n, m):
    rng = np.random.default_rng(seed)
    bits = rng.random((m, n)) < rng.random(n)
    got, expected = bit_information(pairs_of(bits)), information_oracle(bits)
    off = ~np.eye(n, dtype=bool)
    np.testing.assert_allclose(got[off], expected[off], atol=1e-12)


@given(st.integers(0, 1000), st.integers(1, 9))
def test_tree_has_the_largest_weight(seed, n):
    weights = np.random.default_rng(seed).random((n, n))
    weights = weights + weights.T
    edges = spanning_tree(weights)
    assert edges[0] == (0, -1)
    seen = {0}
    for child, parent in edges[1:]:
        assert parent in seen
        seen.add(child)
    assert seen == set(range(n))
    total = sum(weights[c, p] for c, p in edges[1:])
    # scipy looks for the smallest tree and reads 0 as no edge.
    best = -minimum_spanning_tree(-weights * ~np.eye(n, dtype=bool)).sum()
    assert total == pytest.approx(best)


def test_tree_draws_what_it_learned():
    rng = np.random.default_rng(0)
    first = rng.random(4000) < 0.3
    second = first ^ (rng.random(4000) < 0.1)
    third = ~second ^ (rng.random(4000) < 0.2)
    bits = np.stack([first, second, third, np.ones(4000, bool), np.zeros(4000, bool)], axis=1)
    drawn = draw_from_tree(pairs_of(bits), 4000, rng)
    np.testing.assert_allclose(pairs_of(drawn), pairs_of(bits), atol=0.04)


def test_dependence_tree_uses_pairs():
    # Pairs of neighbours pay only together; bits alone cost: independent bits say little.
    def value(s):
        return float(sum((j in s) == (j + 1 in s) for j in range(0, 12, 2)) + 0.5 * (0 in s) - 0.01 * len(s))

    ev = Evaluations(view_of(12), Asked(value))
    out = run_search(DependenceTree(population=200, generations=40, patience=10), ev, 0)
    assert out.found.value == pytest.approx(6.5 - 0.02)


def test_dependence_tree_ends_when_nothing_is_new():
    ev = Evaluations(view_of(3), Asked(lambda s: 1.0))
    run_search(DependenceTree(population=200, patience=50, generations=50), ev, 0)
    assert len(ev.trace) == 2
    with pytest.raises(ParameterError, match="4096"):
        run_search(DependenceTree(), Evaluations(view_of(5000), Asked(lambda s: 1.0)))


@given(st.integers(0, 1000), st.integers(2, 5))
def test_bic_gain_is_the_difference_of_two_networks(seed, n):
    rng = np.random.default_rng(seed)
    bits = rng.random((60, n)) < 0.5
    bits[:, -1] ^= bits[:, 0]
    before = [[] for _ in range(n)]
    for parents in ([], [1] if n > 2 else []):
        before[0] = parents
        gains = bic_gains(bits, 0, parents)
        for extra in range(1, n):
            if extra not in parents:
                after = [[*parents, extra], *before[1:]]
                assert gains[extra] == pytest.approx(network_bic(bits, after) - network_bic(bits, before), abs=1e-8)


@given(st.integers(0, 1000), st.integers(2, 6), st.integers(1, 3))
@settings(max_examples=25)
def test_network_has_no_circle_and_no_arc_could_be_added(seed, n, most):
    rng = np.random.default_rng(seed)
    bits = rng.random((80, n)) < 0.5
    for j in range(1, n):
        if rng.random() < 0.7:
            bits[:, j] = bits[:, int(rng.integers(j))] ^ (rng.random(80) < 0.2)
    net = learn_network(bits, most, 0.0)
    place = {j: at for at, j in enumerate(net.order)}
    assert sorted(net.order) == list(range(n))
    assert all(place[p] < place[j] for j in range(n) for p in net.parents[j])
    assert all(len(p) <= most for p in net.parents)
    empty = [[] for _ in range(n)]
    assert network_bic(bits, net.parents) >= network_bic(bits, empty) - 1e-9

    def ancestors(j):
        return {a for p in net.parents[j] for a in {p} | ancestors(p)}

    for child in range(n):
        for parent in set(range(n)) - {child} - set(net.parents[child]):
            if len(net.parents[child]) < most and child not in ancestors(parent):
                assert bic_gains(bits, child, net.parents[child])[parent] <= 1e-9


def test_without_arcs_bits_are_drawn_as_often_as_they_were_set():
    """Book ch. 3: with no arcs allowed it is UMDA."""
    rng = np.random.default_rng(0)
    bits = rng.random((200, 5)) < np.array([0.1, 0.3, 0.5, 0.9, 1.0])
    bits[:, 1] = bits[:, 0]
    net = learn_network(bits, 0, 0.0)
    assert net.parents == [[]] * 5
    np.testing.assert_allclose(np.concatenate(net.chances), bits.mean(axis=0))
    np.testing.assert_allclose(net.draw(20_000, rng).mean(axis=0), bits.mean(axis=0), atol=0.02)
    smooth = learn_network(bits, 0, 1.0)
    np.testing.assert_allclose(np.concatenate(smooth.chances), (bits.sum(axis=0) + 1) / 202)
    copied = learn_network(bits, 1, 0.0).draw(1000, rng)
    np.testing.assert_array_equal(copied[:, 0], copied[:, 1])


def test_ebna_keeps_the_best_and_finds_the_optimum():
    def value(s):
        return float(sum((j in s) == (j + 1 in s) for j in range(0, 12, 2)) + 0.5 * (0 in s) - 0.01 * len(s))

    ev = Evaluations(view_of(12), Asked(value))
    out = run_search(EBNA(population=300, generations=40, patience=5), ev, 0)
    assert out.found.value == pytest.approx(6.5 - 0.02)
    values = ev.trace.values
    assert all(b >= a for a, b in zip(values, values[1:]))
    umda = Evaluations(view_of(12), Asked(lambda s: float(len(s))))
    assert len(run_search(EBNA(population=100, max_parents=0, patience=4), umda, 0).found.subset) == 12
