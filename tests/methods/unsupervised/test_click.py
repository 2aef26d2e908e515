"""CLICK and its normalised cuts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.normalized_cut import cut_in_two, cut_rows, robust_columns, similar_rows
from fewer.core.records.errors import FewerError
from oracles import coclusters as oracle


@pytest.mark.parametrize("seed", range(10 * EXAMPLES))
def test_the_value_of_a_cut_is_as_by_loops_and_clear_groups_are_cut_best(seed):
    rng = np.random.default_rng(seed)
    side = np.arange(9) % 2 == 1
    W = similar_rows(rng.normal(size=(9, 3)) + 6.0 * side[:, None])
    found, value = cut_in_two(W)
    assert value == pytest.approx(oracle.cut_value(W, found))
    every = [np.array(bits, bool) for bits in itertools.product([0, 1], repeat=9) if 0 < sum(bits) < 9]
    assert value == pytest.approx(min(oracle.cut_value(W, bits) for bits in every))
    assert (found == side).all() or (found == ~side).all()


def planted(seed, n=50, d=30, gap=8.0):
    """Two groups eight deviations apart: blankets leave one feature, on which nearer groups would share a few rows."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 2, n)
    X = rng.normal(size=(n, d))
    X[:, [3, 7, 9]] += gap * group[:, None]
    return X, group


@pytest.mark.parametrize("seed", range(4 * EXAMPLES))
def test_planted_groups_are_found_also_beside_one_far_row(seed):
    X, group = planted(seed)
    found = fewer.CLICK(2, n_features_to_select=3).fit(X)
    assert fewer.evaluate.nmi(found.labels_, group) == 1.0
    assert found.converged_
    assert found.selection_.indices[0] in (3, 7, 9)
    far = fewer.CLICK(2, n_features_to_select=3).fit(np.vstack([X, np.full((1, 30), 1e9)]))
    assert fewer.evaluate.nmi(far.labels_[:-1], group) == 1.0


def test_units_offsets_and_the_order_of_rows_do_not_matter():
    X, _ = planted(1)
    wanted = fewer.CLICK(2).fit(X).labels_
    for other in (1e-150 * X, 1e120 * X, 2.0**20 + X):
        assert fewer.evaluate.nmi(fewer.CLICK(2).fit(other).labels_, wanted) == 1.0
    order = np.random.default_rng(0).permutation(len(X))
    assert fewer.evaluate.nmi(fewer.CLICK(2).fit(X[order]).labels_, wanted[order]) == 1.0


def test_the_selection_is_that_of_the_last_partition():
    X, _ = planted(2)
    found = fewer.CLICK(2, n_features_to_select=3).fit(X)
    again = fewer.InformationBlanketOrder(3).fit(robust_columns(X), found.labels_)
    assert found.selection_.indices.tolist() == again.selection_.indices.tolist()
    assert found.progress_.columns["rows changed"][-1] == 0


def test_rows_that_are_all_alike_are_one_cluster():
    found = fewer.CLICK(2).fit(np.ones((12, 3)))
    assert found.labels_.tolist() == [0] * 12
    assert not hasattr(found, "selection_")
    assert cut_rows(np.repeat([[0.0], [1.0]], 6, axis=0), 4)[0].max() == 1


def test_too_many_rows_are_refused():
    with pytest.raises(FewerError, match="10001 rows"):
        fewer.CLICK(2).fit(np.zeros((10001, 1)))
    with pytest.raises(FewerError, match="n_clusters=5"):
        fewer.CLICK(5).fit(np.zeros((3, 1)))


def test_one_far_number_is_brought_to_the_next():
    x = np.append(np.arange(20.0), 1e12)[:, None]
    out = robust_columns(x)
    assert out.max() == out[19, 0] == out[20, 0]
    assert (robust_columns(np.full((15, 2), 3.0)) == 0).all()


def test_states_are_fitted_once_whatever_the_number_of_partitions(monkeypatch):
    from fewer.core.discretize import mixtures
    from fewer.methods.unsupervised import click

    fits, fit = [], mixtures.fit_mixtures

    def counted(*given, **more):
        fits.append(1)
        return fit(*given, **more)

    monkeypatch.setattr(mixtures, "fit_mixtures", counted)
    monkeypatch.setattr(click, "fit_mixtures", counted)
    found = fewer.CLICK(2, n_features_to_select=5).fit(np.random.default_rng(0).normal(size=(40, 60)))
    assert found.n_iter_ > 2
    assert len(fits) == 1


def test_two_clusters_of_leukemias_are_those_of_t_cells_and_the_others(shared_data):
    """The eight of the 27 ALL that are of T cells, by their numbers in the training set of Golub et al."""
    found = fewer.CLICK(2).fit(shared_data("leukemia_golub3051")["X"])
    assert (np.flatnonzero(found.labels_) + 1).tolist() == [2, 3, 6, 9, 10, 11, 14, 23]
