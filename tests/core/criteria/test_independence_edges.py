"""Tests of independence where nothing varies, where rows are too few, and where values are missing."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

from fewer.core.criteria.d_separation import DSeparation
from fewer.core.graphs.dag import DAG
from fewer.core.reading.memory import plain_view
from fewer.core.reading.on_workers import cut
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.independence import FisherZ, GTest, test


def _view(X):
    return plain_view(X, ThreadRunner(1))


@pytest.mark.parametrize("n", [100, 500, 5000])
@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csc_array])
def test_constant_columns_are_independent_of_each_other_and_take_no_degree_of_freedom(n, kind):
    # The mean of a tenth, summed over many rows, is not a tenth, and constants must not vary by that.
    constants = np.outer(np.ones(n), [0.1, 4.1, 2.9, 1.6, 3.9, 7.1, 9.6])
    X = np.column_stack([constants, np.random.default_rng(0).normal(size=(n, 2))])
    alone = FisherZ().pvalues(_view(kind(X)), range(6), (), 6)
    assert (alone.pvalue == 1).all()
    assert (alone.statistic == 0).all()
    assert FisherZ().pvalues(_view(kind(X)), [7], range(7), 8).dof == n - 3


def test_constant_columns_are_constant_in_batches():
    X = np.outer(np.ones(2000), [0.1, 4.1, 2.9, 1.6])
    whole = _view(X)
    batches = replace(whole, run=StreamRunner(1), blocks=cut(whole.whole(), 3), _memo={})
    assert (FisherZ().pvalues(batches, range(3), (), 3).pvalue == 1).all()


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_a_sparse_column_without_zeros_may_lie_far_from_zero(offset):
    x, y = np.random.default_rng(1).normal(size=(2, 400))
    X = np.column_stack([x + offset, y + x])
    found = FisherZ().pvalues(_view(scipy.sparse.csc_array(X)), [0], (), 1).statistic
    assert found == pytest.approx(np.sqrt(397) * np.arctanh(np.corrcoef(X.T)[0, 1]), rel=1e-6)


@pytest.mark.parametrize("n_given", [7, 8, 9, 10])
def test_as_many_given_columns_as_rows_show_nothing(n_given):
    X = np.random.default_rng(2).normal(size=(10, 14))
    found = FisherZ().pvalues(_view(X), [10, 11], range(n_given), 13)
    assert (found.pvalue == 1).all()
    assert not found.reliable.any()


def test_a_column_that_few_given_columns_determine_is_independent_for_sure():
    X = np.random.default_rng(2).normal(size=(10, 4))
    X[:, 3] = X[:, 0] - X[:, 1]
    assert FisherZ().pvalues(_view(X), [3], [0, 1], 2).reliable.all()


@pytest.mark.parametrize("missing", [None, np.nan])
def test_missing_values_among_objects_are_one_level(missing):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 3, (2, 90))
    objects = x.astype(float).astype(object)
    objects[x == 2] = missing
    assert test(objects, y) == test(x, y)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (([0, 1], [0, 1], np.empty((0, 3))), "0 rows of given"),
        (([0, 1], [0, 1], np.empty((3, 0))), "3 rows of given"),
        (([[0, 1], [1]], [0, 1]), "test got x of lines of several lengths"),
        (([0, 1], [0, np.nan], None, "fisher_z"), "got NaN or infinity in y"),
        (([0, 1j], [0, 1], None, "fisher_z"), "values of x that are no numbers"),
        ((np.arange(65537), np.zeros(65537)), "test got x with a column of 65537 different values"),
    ],
)
def test_arrays_that_hold_no_question_are_refused(question, words):
    with pytest.raises(InputError, match=words):
        test(*question)


def test_options_that_are_no_numbers_are_refused():
    with pytest.raises(ParameterError, match="GTest got h='a'"):
        GTest(h="a")
    with pytest.raises(ParameterError, match="FisherZ got min_dof=None"):
        FisherZ(min_dof=None)


def test_a_target_that_is_missing_is_refused():
    view = _view(np.random.default_rng(4).normal(size=(20, 2)))
    with pytest.raises(RequirementError, match="asked about y, but the view has no target"):
        FisherZ().pvalues(view, [0])
    with pytest.raises(InputError, match="FisherZ got y with NaN"):
        FisherZ().pvalues(view.with_target(np.full(20, np.nan)), [0])


def test_a_graph_refuses_a_view_of_other_columns():
    chain = DSeparation(DAG.of_edges(3, [(0, 1), (1, 2)]))
    with pytest.raises(RequirementError, match="graph of 3 nodes, but got a view of 7 columns"):
        chain.pvalues(_view(np.zeros((3, 7))), [5])


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_numbers_whose_squares_leave_the_range_are_refused_rather_than_taken_for_constants(scale):
    X = np.random.default_rng(5).normal(size=(30, 2))
    with pytest.raises(InputError, match="Column 0 .* squares"):
        FisherZ().pvalues(_view(X * scale), [0], (), 1)
    with pytest.raises(InputError, match=" squares "):
        FisherZ().pvalues(_view(X).with_target(X[:, 0] * scale), [1])
