"""Truth tables and the facts about them that the literature states."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from fewer.core.records.errors import ParameterError
from fewer.synth import make_boolean_redundant, make_corral, make_m_of_n, make_monks, make_parity, make_xor


def determined(X, y):
    """Return whether equal rows always have equal labels."""
    seen = {}
    return all(seen.setdefault(tuple(row), label) == label for row, label in zip(X.tolist(), y.tolist()))


def independent(X, y):
    """Return whether every combination of values has the same fraction of each class."""
    shares = {y[(row == X).all(axis=1)].mean() for row in np.unique(X, axis=0)}
    return len(shares) == 1


@pytest.mark.parametrize("n_relevant", [1, 2, 3, 4])
def test_parity_is_determined_by_all_relevant_bits_and_by_nothing_less(n_relevant):
    s = make_parity(n_relevant, 2)
    assert s.X.shape == (2 ** (n_relevant + 2), n_relevant + 2)
    assert len(np.unique(s.X, axis=0)) == len(s.X)
    assert determined(s.X[:, list(s.relevant)], s.y)
    for size in range(1, s.n_features + 1):
        for subset in combinations(range(s.n_features), size):
            if not set(s.relevant) <= set(subset):
                assert independent(s.X[:, list(subset)], s.y)


def test_parity_repeats_and_samples():
    assert make_parity(2, 1, copies=11).X.shape == (88, 3)
    s = make_parity(5, 5, n_samples=1124, random_state=0)
    assert s.X.shape == (1124, 10)
    np.testing.assert_array_equal(s.y, s.X[:, :5].sum(axis=1) % 2)
    with pytest.raises(ParameterError, match="n_samples"):
        make_parity(20, 5)


@pytest.mark.parametrize(("m", "n", "p"), [(1, 3, 4), (3, 3, 4), (2, 4, 4), (3, 7, 9), (1, 1, 2)])
def test_m_of_n_row_by_row(m, n, p):
    s = make_m_of_n(m, n, p)
    assert s.X.shape == (2**p, p)
    assert len(np.unique(s.X, axis=0)) == 2**p
    assert [bool(label) for label in s.y] == [list(row[:n]).count(1) >= m for row in s.X.tolist()]
    assert s.y.sum() == 2 ** (p - n) * sum(comb(n, i) for i in range(m, n + 1))
    assert (s.relevant, s.irrelevant) == (tuple(range(n)), tuple(range(n, p)))
    assert determined(s.X[:, :n], s.y)
    for j in range(n):
        assert not determined(np.delete(s.X, j, axis=1), s.y)


def test_m_of_n_is_or_and_and_at_its_ends():
    one, all_of_them = make_m_of_n(1, 3, 5), make_m_of_n(3, 3, 5)
    np.testing.assert_array_equal(one.y, one.X[:, 0] | one.X[:, 1] | one.X[:, 2])
    np.testing.assert_array_equal(all_of_them.y, all_of_them.X[:, 0] & all_of_them.X[:, 1] & all_of_them.X[:, 2])


def test_the_default_is_the_rule_of_the_stored_data(shared_data):
    """3 of 7 of 10: the rule of the generator labels every row of the data set of that name."""
    stored, table = shared_data("mofn_3_7_10"), make_m_of_n()
    relevant = stored["relevant"].tolist()
    rest = [j for j in range(stored["X"].shape[1]) if j not in relevant]
    assert (len(relevant), len(rest)) == (len(table.relevant), len(table.irrelevant))
    label = {tuple(row): y for row, y in zip(table.X.tolist(), table.y.tolist())}
    rows = stored["X"][:, [*relevant, *rest]].astype(int).tolist()
    assert [label[tuple(row)] for row in rows] == stored["y"].tolist()


def test_m_of_n_samples_and_refuses():
    s = make_m_of_n(2, 5, 30, n_samples=4000, random_state=0)
    assert s.X.shape == (4000, 30)
    assert s.y.mean() == pytest.approx(1 - 6 / 32, abs=0.03)
    for wrong, words in (((4, 3, 5), "m must be a whole number from 1 to 3"), ((1, 6, 5), "n must be .* from 1 to 5")):
        with pytest.raises(ParameterError, match=words):
            make_m_of_n(*wrong)
    with pytest.raises(ParameterError, match=r"make_m_of_n got 21 bits.*n_samples"):
        make_m_of_n(3, 7, 21)


def test_xor_of_bits():
    s = make_xor(4000, random_state=0)
    np.testing.assert_array_equal(s.y, s.X[:, 0] ^ s.X[:, 1])
    # Section 1.1 of Liu and Motoda (2008): neither input alone tells anything.
    for j in range(s.n_features):
        assert abs(np.corrcoef(s.X[:, j], s.y)[0, 1]) < 0.07


@pytest.mark.parametrize("n_relevant", [2, 3, 4, 5])
def test_xor_of_uniform_values(n_relevant):
    # Equation (15) of Quevedo, Bahamonde and Luaces (2007).
    s = make_xor(3000, n_relevant, 3, kind="uniform", random_state=1)
    assert np.abs(s.X).max() <= 1
    np.testing.assert_array_equal(2 * s.y - 1, np.sign(np.prod(s.X[:, :n_relevant], axis=1)))
    assert abs(s.y.mean() - 0.5) < 0.05
    for j in range(s.n_features):
        assert abs(np.corrcoef(s.X[:, j], s.y)[0, 1]) < 0.08


def test_xor_of_one_feature_is_this_feature():
    bits, values = make_xor(50, 1, 2, random_state=0), make_xor(50, 1, 2, kind="uniform", random_state=0)
    np.testing.assert_array_equal(bits.y, bits.X[:, 0])
    np.testing.assert_array_equal(values.y, values.X[:, 0] > 0)
    assert "two or more" in (make_xor.__doc__ or "")


def test_xor_of_many_uniform_values_does_not_underflow():
    s = make_xor(50, 2000, 0, kind="uniform", random_state=0)
    assert 0 < s.y.mean() < 1


def test_xor_refuses_other_kinds():
    with pytest.raises(ParameterError, match="'bits', 'uniform'"):
        make_xor(kind="bit")


@pytest.mark.parametrize("function", ["and", "or", "xor", lambda a, b: a & (1 - b)])
def test_five_bits_have_exactly_two_best_subsets(function):
    # Liu and Motoda (2008), section 17.2.1.
    s = make_boolean_redundant(function)
    assert s.X.shape == (8, 5)
    np.testing.assert_array_equal(s.X[:, 2], 1 - s.X[:, 1])
    np.testing.assert_array_equal(s.X[:, 4], 1 - s.X[:, 3])
    best = [pair for pair in combinations(range(5), 2) if determined(s.X[:, list(pair)], s.y)]
    assert best == [(0, 1), (0, 2)]
    assert not any(determined(s.X[:, [j]], s.y) for j in range(5))
    assert not determined(s.X[:, 1:], s.y)  # the first bit is strongly relevant
    assert independent(s.X[:, 3:], s.y)
    assert s.relevant == (0, 1)
    assert s.irrelevant == (3, 4)
    assert s.origin(2) == 1


def test_five_bits_sampled():
    s = make_boolean_redundant("or", n_samples=300, random_state=0)
    assert len(np.unique(s.X, axis=0)) == 8
    np.testing.assert_array_equal(s.y, s.X[:, 0] | s.X[:, 1])
    with pytest.raises(ParameterError, match="'and', 'or', 'xor'"):
        make_boolean_redundant("nand")


def test_corral():
    s = make_corral()
    assert s.X.shape == (128, 6)
    a0, a1, b0, b1, irrelevant, correlated = s.X.T
    np.testing.assert_array_equal(s.y, (a0 & a1) | (b0 & b1))
    assert s.y.sum() == 56  # 7/16 of the rows
    assert (correlated == s.y).sum() == 96
    assert independent(irrelevant[:, None], s.y)
    # Alone the misleading feature predicts best, yet the four relevant ones need no help.
    for bit in (a0, a1, b0, b1):
        assert (bit == s.y).mean() == 0.6875
    assert determined(s.X[:, :4], s.y)
    assert not any(determined(np.delete(s.X[:, :4], j, axis=1), s.y) for j in range(4))


def test_corral_sampled():
    s = make_corral(8000, random_state=0)
    assert abs((s.X[:, 5] == s.y).mean() - 0.75) < 0.02
    assert abs(s.y.mean() - 7 / 16) < 0.02


# Class sizes of the 432 test rows in the UCI repository.
@pytest.mark.parametrize(("problem", "positive"), [(1, 216), (2, 142), (3, 228)])
def test_monks_truth_tables(problem, positive):
    s = make_monks(problem, noise=0.0)
    assert {tuple(row) for row in s.X.tolist()} == set(
        product((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2))
    )
    assert len(s.X) == 432
    assert s.y.sum() == positive
    assert determined(s.X[:, list(s.relevant)], s.y)
    for j in s.relevant:
        assert not determined(s.X[:, [i for i in s.relevant if i != j]], s.y)
    assert s.nominal == (0, 1, 2, 3, 4, 5)


def test_monks_rules_row_by_row():
    rules = {
        1: lambda a: a[0] == a[1] or a[4] == 1,
        2: lambda a: list(a).count(1) == 2,
        3: lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
    }
    for problem, rule in rules.items():
        s = make_monks(problem, noise=0.0)
        assert [bool(label) for label in s.y] == [bool(rule(row)) for row in s.X.tolist()]


def test_third_monk_has_five_percent_noise():
    clean = make_monks(3, noise=0.0)
    for seed in (0, 1):
        assert (make_monks(3, random_state=seed).y != clean.y).sum() == 22
    assert not np.array_equal(make_monks(3, random_state=0).y, make_monks(3, random_state=1).y)
    np.testing.assert_array_equal(make_monks(2, random_state=0).y, make_monks(2, random_state=1).y)


def test_monks_samples_do_not_repeat_rows():
    s = make_monks(1, n_samples=124, random_state=0)
    assert len(np.unique(s.X, axis=0)) == 124
    with pytest.raises(ParameterError, match="from 1 to 432"):
        make_monks(1, n_samples=433)
    with pytest.raises(ParameterError, match="1, 2, 3"):
        make_monks(4)
