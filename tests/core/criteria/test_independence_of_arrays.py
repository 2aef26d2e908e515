"""`fewer.independence.test` on plain arrays, and facts of the catalogue about the tests."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fewer
from fewer.core.records.errors import FewerError, InputError, ParameterError
from fewer.independence import FisherZ, GTest, RegressionTest
from oracles import independence as oracle

ask = fewer.independence.test


def test_levels_may_have_any_names(rng):
    x, y, z = rng.integers(0, 3, (3, 200))
    y = np.where(rng.random(200) < 0.2, x, y)
    names = np.array(["a", "b", "c"])
    named = ask(names[x], y.astype(float) - 7.5, names[z])
    assert named == ask(x, y, z)
    p, statistic, dof = oracle.stratified_test(x.tolist(), y.tolist(), [z.tolist()])
    np.testing.assert_allclose([named.pvalue, named.statistic, named.dof], [p, statistic, dof], rtol=1e-9)
    assert named.reliable is True


def test_missing_values_are_a_level(rng):
    x, y = rng.integers(0, 3, (2, 100))
    holes, mixed = x.astype(float), x.astype(object)
    holes[x == 2], mixed[x == 2] = np.nan, None
    assert ask(holes, y) == ask(mixed, y) == ask(x, y)


def test_several_columns_and_several_given(rng):
    X, y, Z = rng.integers(0, 2, (150, 4)), rng.integers(0, 2, 150), rng.integers(0, 2, (150, 2))
    found = ask(X, y, Z)
    assert found.pvalue.shape == (4,)
    assert found.pvalue.tolist() == [ask(x, y, Z).pvalue for x in X.T]
    assert ask(X, y, Z, GTest(h=10.0)).reliable.tolist() == [False] * 4
    assert ask(X[:, 0], y, np.empty((150, 0))) == ask(X[:, 0], y)


@pytest.mark.parametrize(
    ("question", "error", "words"),
    [
        (([0, 1], [0, 1, 1]), InputError, "test got 2 rows of x, 3 rows of y, but"),
        (([], []), InputError, "at least one"),
        (([0, 1], [[0, 1], [1, 0]]), InputError, "test got y of 2 columns, but tests against one"),
        ((3, [0, 1]), InputError, r"test got x of shape \(\), but takes one column or a table"),
        (([0, 1], [0, 1], None, "t"), ParameterError, "test got kind='t', but knows 'g', 'chi2', 'fisher_z'"),
        ((["a", "b"], [0, 1], None, "fisher_z"), InputError, "values of x that are no numbers"),
    ],
)
def test_what_cannot_be_tested_is_refused(question, error, words):
    with pytest.raises(error, match=words):
        ask(*question)


def test_mixed_columns_are_compared_by_regressions(rng):
    n = 300
    city, warm = rng.choice(["Bonn", "Rome", "Oslo"], n), rng.random(n) < 0.5
    degrees = rng.normal(size=n) + 2.0 * (city == "Rome")
    bill = 3.0 * degrees + rng.normal(size=n)
    # A level explained by a number, a number by a number given levels, and a level by a level.
    assert ask(degrees, city, kind="mixed").pvalue < 1e-6
    assert ask(bill, city, kind="mixed").pvalue < 1e-6
    assert ask(bill, city, degrees, "mixed").pvalue > 0.01
    found = ask(warm, city, kind="mixed")
    assert found.dof == 2
    given = np.column_stack([np.ones(n), city == "Rome", city == "Oslo"]).astype(float)
    left = [
        ((bill - D @ np.linalg.lstsq(D, bill, rcond=None)[0]) ** 2).sum()
        for D in (given, np.column_stack([given, degrees]))
    ]
    seen = ask(degrees, bill, city, "mixed")
    np.testing.assert_allclose([seen.statistic, seen.dof], [n * np.log(left[0] / left[1]), 1], rtol=1e-9)
    assert ask(degrees, bill, city, RegressionTest()) == seen
    assert not ask(degrees, bill, city, RegressionTest(h=100)).reliable


def test_mixed_frames_keep_the_kind_of_every_column(rng):
    n = 200
    code = rng.integers(0, 3, n)
    frame = pd.DataFrame({"code": code, "level": pd.Categorical(code), "text": np.array(["a", "b", "c"])[code]})
    y = np.where(code == 1, 5.0, 0.0) + rng.normal(size=n)
    found = ask(frame, y, kind="mixed")
    # As a number one coefficient, as levels two.
    assert found.dof.tolist() == [1.0, 2.0, 2.0]
    assert found.statistic[1] == found.statistic[2] == ask(frame["level"], y, kind="mixed").statistic
    rows = [[float(c), "abc"[c]] for c in code]
    assert ask(rows, y, kind="mixed").dof.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (["a", None, "b", "a"], "missing values in x"),
        (pd.Series([1, None, 2, 3], dtype="Int64"), "missing (or infinite )?values"),
        ([1.0, np.nan, 2.0, 3.0], "RegressionTest got missing or infinite values"),
        (np.array(["2020-01-01"] * 4, "M8[D]"), r"got datetime64\[D\] in x"),
        (np.zeros((2, 2, 2)), "takes one column or a table"),
        ([[1], [1, 2], [1], [1]], "lines of several lengths"),
    ],
)
def test_mixed_columns_that_cannot_be_used_are_refused(x, words):
    with pytest.raises(FewerError, match=words):
        ask(x, [1.0, 2.0, 3.0, 4.0], kind="mixed")


# Catalogue, book chapter 4, "Conditional-independence tests".


def test_g_is_twice_the_rows_times_the_conditional_information(rng):
    x, y, z = rng.integers(0, 3, (3, 400))
    y = (y + x * z) % 3

    def bits(*columns):
        fractions = np.unique(np.column_stack(columns), axis=0, return_counts=True)[1] / 400
        return -float(fractions @ np.log2(fractions))

    information = bits(x, z) + bits(y, z) - bits(x, y, z) - bits(z)
    np.testing.assert_allclose(ask(x, y, z).statistic, 2 * 400 * np.log(2) * information, rtol=1e-9)


@pytest.mark.parametrize("kind", ["g", "chi2", "fisher_z"])
def test_p_is_about_uniform_under_independence(rng, kind):
    z = rng.integers(0, 2, (1500, 1)).astype(float)
    draw = rng.integers(0, 3, (1500, 300)) if kind != "fisher_z" else rng.normal(size=(1500, 300))
    y = (rng.random(1500) < 0.3 + 0.3 * z[:, 0]).astype(float)
    # Columns depend on z, as y does, but not on y given z.
    found = ask(draw + z, y, z, kind)
    assert stats.kstest(found.pvalue, "uniform").pvalue > 0.001
    assert found.reliable.all()


def test_fisher_z_is_the_formula():
    x, y, z = np.random.default_rng(3).normal(size=(3, 60))
    x, y = x + z, y - z
    rho = oracle.partial_correlation(x, y, [z])
    expected = abs(0.5 * np.log((1 + rho) / (1 - rho))) * np.sqrt(60 - 1 - 3)
    np.testing.assert_allclose(ask(x, y, z, "fisher_z").statistic, expected, rtol=1e-9)


def test_reliable_means_five_rows_per_cell():
    x, y = np.tile([0, 0, 1, 1], 5), np.tile([0, 1, 0, 1], 5)
    assert ask(x, y).reliable
    assert not ask(x[:-1], y[:-1]).reliable
    assert not ask(x, y, np.arange(20) % 2).reliable


def test_spouse_and_simpson_of_figure_4_1(rng):
    n = 200_000
    spouse, y = rng.normal(size=n), rng.choice([-1.0, 1.0], n)
    child = y + spouse + 0.2 * rng.normal(size=n)
    assert ask(spouse, y, None, "fisher_z").pvalue > 0.01
    z = ask(spouse, y, child, "fisher_z").statistic
    np.testing.assert_allclose(np.tanh(z / np.sqrt(n - 4)), 1 / 1.04, atol=1e-3)
    cause = rng.choice([-1.0, 1.0], n)
    other, effect = 2 * cause + rng.normal(size=(2, n))
    z = ask(other, effect, None, FisherZ()).statistic
    np.testing.assert_allclose(np.tanh(z / np.sqrt(n - 3)), 4 / 5, atol=5e-3)
    assert ask(other, effect, cause, "fisher_z").pvalue > 0.01


def test_the_blankets_of_the_five_boolean_example():
    """Book chapter 17: C = F1 and F2, F3 = not F2, F5 = not F4; {F3} is a blanket of F2, the empty set none of F4."""
    f1, f2, f4 = np.tile(np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1), 50)
    c, f3, f5 = f1 & f2, 1 - f2, 1 - f4
    assert ask(np.column_stack([c, f1, f4, f5]), f2, f3).pvalue.tolist() == [1.0] * 4
    assert ask(c, f2, np.column_stack([f1])).pvalue < 1e-6
    assert ask(c, f4).pvalue == 1.0
    assert ask(f5, f4).pvalue < 1e-6
