"""Conditional mutual information with permutations, and regressions for mixed columns."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from independence_cases import Y, codes_on, random_codes
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.information_test import ConditionalInformation
from fewer.core.criteria.regression_test import RegressionTest
from fewer.core.reading.memory import read_memory
from fewer.core.records.errors import FewerError, ParameterError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.strata import CountsInStrata
from fewer.independence import test as independent
from fewer.methods.information.mim import MIM
from oracles import independence as oracle


def test_g_is_two_n_times_the_information(rng):
    codes, y = random_codes(rng)
    g = GTest(h=1.0).pvalues(codes_on("one thread", codes, y), range(3, 9), (1, 2))
    found = ConditionalInformation(0).pvalues(codes_on("one thread", codes, y), range(3, 9), (1, 2))
    np.testing.assert_allclose(found.statistic * 600, g.statistic)
    np.testing.assert_array_equal(found.pvalue, g.pvalue)
    shuffled = ConditionalInformation(19).pvalues(codes_on("one thread", codes, y), range(3, 9), (1, 2))
    np.testing.assert_allclose(shuffled.statistic, found.statistic)


def test_permutations_stay_within_strata():
    """x and y agree only through z: shuffled among all rows they would not, shuffled within strata they must."""
    z = np.repeat([0, 1], 50)
    x, y = z.copy(), z.copy()
    x[:3], y[-3:] = 1, 0
    assert independent(x, y, kind=ConditionalInformation(99)).pvalue == 0.01
    assert independent(x, y, z, kind=ConditionalInformation(99)).pvalue > 0.5
    assert independent(z, y, z, kind=ConditionalInformation(9)).pvalue == 1.0


def test_permuted_p_values_hold_where_chi_squared_is_far_off():
    rng = np.random.default_rng(0)
    small = {0: 0, 199: 0}
    for _ in range(150):
        x, y = rng.integers(0, 3, 40), rng.integers(0, 3, 40)
        z = rng.integers(0, 4, 40)
        for n in small:
            test = ConditionalInformation(59 if n else 0, h=0.0)
            small[n] += independent(x, y, z, kind=test).pvalue <= 0.05
    assert small[199] <= 16 < small[0]


def shuffled_pvalue(x, y, z, n_permutations, rng):
    """Shuffle rows within strata, one by one."""

    def information(y):
        return oracle.stratified_test(x, y, [z])[1]

    seen, more = information(y), 0
    for _ in range(n_permutations):
        other = y.copy()
        for level in np.unique(z):
            other[z == level] = rng.permutation(other[z == level])
        more += information(other) >= seen - 1e-9
    return (1 + more) / (1 + n_permutations)


def test_drawn_tables_are_as_frequent_as_those_of_shuffled_rows():
    rng = np.random.default_rng(5)
    for _ in range(2):
        x, y, z = rng.integers(0, 3, (3, 50))
        slow, fast = shuffled_pvalue(x, y, z, 300, rng), independent(x, y, z, kind=ConditionalInformation(4000)).pvalue
        assert abs(fast - slow) < 4.5 * np.sqrt(fast * (1 - fast) / 300) + 1e-3


def test_the_time_of_permutations_does_not_grow_with_the_rows(rng, monkeypatch):
    """No row is moved and counted again: one table per question is counted, the others are drawn."""
    counted, tables = [], CountsInStrata.tables

    def spied(self, *given):
        counted.append(self.given)
        return tables(self, *given)

    monkeypatch.setattr(CountsInStrata, "tables", spied)
    codes, y = random_codes(rng)
    view, test = codes_on("one thread", codes, y), ConditionalInformation(99)
    test.pvalues(view, range(1, 12), (0,))
    assert len(counted) == 1
    many = ConditionalInformation(99).pvalues(codes_on("one thread", codes, y), [5, 3], (0,))
    assert many.pvalue.tolist() == [test.pvalues(view, [j], (0,)).pvalue[0] for j in (5, 3)]


def test_permutations_are_not_made_where_rows_are_too_few(rng):
    codes, y = random_codes(rng)
    view, test = codes_on("one thread", codes, y), ConditionalInformation(99, h=5.0)
    place, found = test.first_separating(view, 3, Y, [(1, 2, 4, 5), (1,)], 1.0)
    assert (place, found.reliable.tolist(), test.memory(view).computed) == (-1, [False, True], 1)
    assert np.isnan(found.pvalue[0])
    assert test.most_given(view, 3, Y, [4, 5, 10, 11]) == GTest(5.0).most_given(view, 3, Y, [4, 5, 10, 11])


def test_permutations_refuse_what_they_cannot_take():
    with pytest.raises(ParameterError, match="n_permutations=-1"):
        ConditionalInformation(-1)
    codes = np.zeros((4, 2), np.int64)
    view = codes_on("one thread", codes, np.array([0, 1, 0, 1]), np.ones(4))
    with pytest.raises(FewerError, match="weights"):
        ConditionalInformation().pvalues(view, [0])


def mixed_view(X, y, nominal):
    return read_memory(MIM(), X, y, None, MIM.method_tags, nominal, ThreadRunner(1))


@pytest.fixture
def mixed():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 5))
    X[:, 2] = rng.integers(0, 3, 200)
    X[:, 3] = rng.integers(0, 2, 200)
    X[:, 1] += (X[:, 2] == 1) * 2.0
    y = np.digitize(X[:, 1] + X[:, 0] + rng.normal(size=200), [-0.5, 1.0])
    return mixed_view(X, y, [2, 3]), X, y


def deviance(columns, y):
    design = np.column_stack([np.ones(len(y)), *columns])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=5000).fit(design, y)
    return 2 * log_loss(y, model.predict_proba(design), normalize=False)


def test_a_nominal_one_of_the_pair_is_explained_by_a_logistic_regression(mixed):
    view, X, y = mixed
    dummies = [X[:, 2] == 1, X[:, 2] == 2]
    found = RegressionTest().pvalues(view, [1, 2], (0,))
    assert found.statistic[0] == pytest.approx(deviance([X[:, 0]], y) - deviance([X[:, 0], X[:, 1]], y), abs=1e-3)
    # Of two nominal ones with three levels y is explained.
    assert found.statistic[1] == pytest.approx(deviance([X[:, 0]], y) - deviance([X[:, 0], *dummies], y), abs=1e-3)
    assert found.dof.tolist() == [2.0, 4.0]
    back = RegressionTest().pvalues(mixed_view(X, y, [2, 3]), [Y], (0,), 1)
    assert back.statistic[0] == pytest.approx(found.statistic[0])


def test_two_numbers_are_compared_by_linear_regressions(mixed):
    view, X, _ = mixed
    found = RegressionTest().pvalues(view, [0], (2,), 1)
    Z = np.column_stack([np.ones(200), X[:, 2] == 1, X[:, 2] == 2])
    left = [
        ((X[:, 1] - D @ np.linalg.lstsq(D, X[:, 1], rcond=None)[0]) ** 2).sum()
        for D in (Z, np.column_stack([Z, X[:, 0]]))
    ]
    assert found.statistic[0] == pytest.approx(200 * np.log(left[0] / left[1]))


def test_separated_classes_and_determined_columns_have_answers(rng):
    x = rng.normal(size=60)
    X = np.column_stack([x, 2 * x, rng.normal(size=60)])
    view = mixed_view(X, (x > 0).astype(int), None)
    found = RegressionTest().pvalues(view, [0, 2])
    assert found.statistic[0] == pytest.approx(83.1, abs=0.2)
    assert RegressionTest().pvalues(view, [1], (0,)).pvalue[0] == 1.0
    assert not RegressionTest(h=40).pvalues(view, [0]).reliable[0]


def test_regressions_refuse_missing_values():
    X = np.array([[1.0, np.nan], [2.0, 1.0], [3.0, 0.0]])
    with pytest.raises(FewerError, match="missing or infinite"):
        RegressionTest().pvalues(mixed_view(X, np.array([0, 1, 0]), None), [1])
