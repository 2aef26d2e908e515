"""G and chi-squared within strata: against scipy stratum by stratum, and the same on every runner."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from independence_cases import RUNNERS, Y, codes_on, random_codes

from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import Answers
from oracles import independence as oracle

GIVEN = [(), (1,), (Y,), (2, 3), (4, 5, 10), (1, 2, 3, 4, 5)]
LAMBDA = {"g": "log-likelihood", "chi2": "pearson"}


def column(codes, y, j):
    return (y if j == Y else codes[:, j]).tolist()


def assert_as_oracle(found, codes, y, candidates, given, target, statistic="g", h=5.0):
    for k, j in enumerate(candidates):
        columns = [column(codes, y, j), column(codes, y, target)]
        others = [column(codes, y, z) for z in given]
        p, value, dof = oracle.stratified_test(*columns, others, LAMBDA[statistic])
        assert found.dof[k] == dof
        np.testing.assert_allclose(found.statistic[k], value, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(found.pvalue[k], p, rtol=1e-8, atol=1e-300)
        assert found.reliable[k] == (len(codes) >= h * oracle.n_cells(*columns, *others))


def assert_equal(one: Answers, other: Answers):
    for a, b in zip(one, other):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("statistic", ["g", "chi2"])
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_answers_agree_with_scipy_in_every_stratum(rng, given, statistic):
    codes, y = random_codes(rng)
    view, test = codes_on("one thread", codes, y), GTest(statistic=statistic)
    for target in {Y, 7, 0} - set(given):
        candidates = [j for j in range(Y, 12) if j not in (*given, target)]
        found = test.pvalues(view, candidates, given, None if target == Y else target)
        assert_as_oracle(found, codes, y, candidates, given, target, statistic)


@for_all(st.data())
def test_small_and_degenerate_tables(data):
    n, d = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 5))
    rows = data.draw(st.lists(st.lists(st.integers(0, 3), min_size=d, max_size=d), min_size=n, max_size=n))
    codes = np.array(rows)
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    given = data.draw(st.sets(st.integers(1, d - 1)))
    runner = data.draw(st.sampled_from(["one thread", "stream"]))
    test = GTest(h=data.draw(st.sampled_from([0.0, 0.5, 5.0])))
    found = test.pvalues(codes_on(runner, codes, y, spare=1), [0], given)
    assert_as_oracle(found, codes, y, [0], sorted(given), Y, h=test.h)


@pytest.mark.dask
@pytest.mark.parametrize("sparse", [False, True], ids=["codes", "sparse codes"])
@pytest.mark.parametrize("runner", RUNNERS[1:])
def test_every_runner_gives_the_same_bits(rng, runner, sparse, cluster):
    codes, y = random_codes(rng, n=257)
    codes[:, 11] = rng.integers(0, 200, 257)
    for statistic in LAMBDA:
        one = codes_on("one thread", codes, y)
        # Streams keep a level for missing values that may not occur.
        view = codes_on(runner, codes, y, sparse=sparse, spare=1, client=cluster)
        test = GTest(statistic=statistic)
        for given in (*GIVEN[:-1], (9, 11)):
            candidates = [j for j in range(12) if j not in given]
            target = None if Y not in given else candidates.pop()
            assert_equal(test.pvalues(view, candidates, given, target), test.pvalues(one, candidates, given, target))


@pytest.mark.parametrize("runner", ["one thread", "stream"])
@pytest.mark.parametrize("sparse", [False, True], ids=["codes", "sparse codes"])
def test_whole_weights_count_rows(rng, runner, sparse):
    codes, y = random_codes(rng, n=120)
    weight = rng.integers(1, 4, 120)
    often = np.repeat(np.arange(120), weight)
    plain = codes_on("one thread", codes[often], y[often])
    weighted = codes_on(runner, codes, y, weight.astype(float), sparse=sparse)
    for given in GIVEN[:4]:
        candidates = [j for j in range(12) if j not in given]
        target = None if Y not in given else candidates.pop()
        found = GTest().pvalues(weighted, candidates, given, target)
        assert_equal(found, GTest().pvalues(plain, candidates, given, target))


def test_rows_of_weight_zero_make_no_strata(rng):
    codes, y = random_codes(rng, n=90)
    weight = np.r_[np.ones(60), np.zeros(30)]
    blocks = codes_on("stream", codes, y, weight)
    found = GTest().pvalues(blocks, [0, 1, 5], (2, 3))
    assert_equal(found, GTest().pvalues(codes_on("one thread", codes[:60], y[:60]), [0, 1, 5], (2, 3)))


def test_fractional_weights_scale_the_statistic(rng):
    codes, y = random_codes(rng, n=200)
    plain = GTest().pvalues(codes_on("one thread", codes, y), [1, 5], (2,))
    tenths = GTest().pvalues(codes_on("one thread", codes, y, np.full(200, 0.1)), [1, 5], (2,))
    np.testing.assert_allclose(tenths.statistic, 0.1 * plain.statistic, rtol=1e-9)
    np.testing.assert_array_equal(tenths.dof, plain.dof)


def test_g_is_exactly_symmetric_and_blind_to_names_of_levels(rng):
    codes, y = random_codes(rng)
    renamed = codes.copy()
    renamed[:, 5] = 5 - codes[:, 5]
    for given in [(), (2, 3)]:
        one = GTest().pvalues(codes_on("one thread", codes), [5], given, 4)
        other = GTest().pvalues(codes_on("one thread", renamed), [4], given, 5)
        assert_equal(one, other)


def test_more_cells_than_rows_is_an_answer_and_not_independence(rng):
    codes = rng.integers(0, 50, (40, 4))
    codes[:, 1] = codes[:, 0]
    view = codes_on("one thread", codes, rng.integers(0, 2, 40))
    found = GTest().pvalues(view, [1, 2], target=0)
    # The p-value alone would call a copy independent.
    assert found.pvalue[0] > 0.99
    assert not found.reliable.any()
    assert not GTest().pvalues(view, [1], (2, 3), 0).reliable[0]
    assert GTest(h=0.0).pvalues(view, [1], (2, 3), 0).reliable[0]


def test_constants_copies_and_one_class(rng):
    codes, y = random_codes(rng)
    codes[:, 6] = y
    view = codes_on("one thread", codes, y)
    constant = GTest().pvalues(view, [0])
    assert constant.pvalue[0] == 1.0
    assert constant.statistic[0] == constant.dof[0] == 0.0
    assert constant.reliable[0]
    copy = GTest().pvalues(view, [6])
    entropy = -sum(f * np.log(f) for f in np.bincount(y) / 300)
    np.testing.assert_allclose(copy.statistic[0], 2 * 300 * entropy, rtol=1e-9)
    # What is known determines y: nothing is left to depend on.
    assert GTest().pvalues(view, [3], (6,)).pvalue[0] == 1.0
    one_class = codes_on("one thread", codes, np.zeros(300, np.int64))
    assert (GTest().pvalues(one_class, [1, 2, 3]).pvalue == 1.0).all()


def test_one_pass_holds_a_bounded_number_of_tables(rng, monkeypatch):
    import fewer.core.criteria.g_test as module

    codes, y = random_codes(rng)
    whole = GTest().pvalues(codes_on("stream", codes, y), range(2, 12), (1,))
    for name in ("PASS_BYTES", "TASK_BYTES"):
        monkeypatch.setattr(module, name, 1000)
    for runner in ("stream", "two threads"):
        assert_equal(GTest().pvalues(codes_on(runner, codes, y), range(2, 12), (1,)), whole)
