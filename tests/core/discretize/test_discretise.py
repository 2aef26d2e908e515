from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewer.core.discretize.named import (
    EqualFrequency,
    EqualWidth,
    ForeignDiscretizer,
    LocalData,
    MDLDiscretizer,
    MixtureLevels,
    SigmaLevels,
    UserEdges,
    as_discretizer,
)
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import DenseBlock, SparseBlock
from oracles.discretise import equal_frequency_edges, equal_width_edges, mdl_edges, sigma_levels

ALL = [EqualWidth(), EqualFrequency(), SigmaLevels(), MDLDiscretizer(), MixtureLevels(), UserEdges([0.0, 1.0])]


@dataclass
class Streamed:
    """Rows that are never together."""

    blocks: list[Any]
    run: StreamRunner
    nominal: np.ndarray

    @property
    def kind(self):
        return self.blocks[0].kind

    @property
    def n_features(self):
        return self.blocks[0].n_features

    def known(self, key):
        return None

    def fold(self, summary):
        return self.run.fold(summary, self.blocks)

    def whole(self):
        raise RequirementError("the rows are not in memory")


def mixed_table(n=120, d=9, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 1] = rng.integers(0, 4, size=n)
    X[:, 2] = 0.1
    X[:, 3] = np.nan
    X[:, 4] = np.where(rng.random(n) < 0.2, np.nan, X[:, 4])
    X[:, 5] = np.where(rng.random(n) < 0.8, 0.0, X[:, 5])
    y = (X[:, 0] + 0.3 * rng.normal(size=n) > 0).astype(int) + (X[:, 6] > 1)
    return X, y


def sparse_block(X, y=None, weight=None):
    matrix = sparse.csc_matrix(X)
    matrix.sort_indices()
    return SparseBlock(matrix, y, weight)


def same(one, other):
    return all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("edges", "offsets", "states", "n_levels")
    )


@parametrize_with_checks(ALL)
def test_is_a_scikit_learn_transformer(estimator, check):
    check(estimator)


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
def test_transform_is_searchsorted_through_states(discretizer):
    X, y = mixed_table()
    fitted = clone(discretizer).fit(X, y)
    new = np.random.default_rng(1).normal(size=(50, X.shape[1])) * 5
    new[0], new[1], new[2] = 1e300, -1e300, np.nan
    codes = fitted.transform(new)
    assert codes.dtype == np.int64
    for j in range(X.shape[1]):
        edges, states = fitted.cuts_.of(j), fitted.cuts_.states_of(j)
        assert (np.diff(edges) > 0).all()
        assert codes[2, j] == fitted.cuts_.n_levels[j]
        assert codes[0, j] == states[-1]
        assert codes[1, j] == states[0]
        assert (np.delete(codes[:, j], 2) == states[np.searchsorted(edges, np.delete(new[:, j], 2), "left")]).all()


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
def test_sparse_equals_dense(discretizer):
    X, y = mixed_table()
    X[:, 6:] = np.where(X[:, 6:] < 0.5, 0.0, X[:, 6:])
    dense, thin = clone(discretizer).fit(X, y), clone(discretizer).fit(sparse.csr_matrix(X), y)
    assert (dense.cuts_.offsets == thin.cuts_.offsets).all()
    np.testing.assert_allclose(thin.cuts_.edges, dense.cuts_.edges, rtol=1e-12)
    assert (dense.transform(X) == thin.transform(sparse.csr_matrix(X))).all()


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
def test_threads_row_order_nominal_and_purity(discretizer):
    X, y = mixed_table(d=150)
    block = DenseBlock(X, y)
    with ThreadRunner(1) as one, ThreadRunner(4) as four:
        single = discretizer.cuts(LocalData(block, one, 3))
        assert same(single, discretizer.cuts(LocalData(block, four, 3)))
        turned = discretizer.cuts(LocalData(DenseBlock(X[::-1].copy(), y[::-1].copy()), one, 3))
        assert (single.offsets == turned.offsets).all()
        np.testing.assert_allclose(single.edges, turned.edges, rtol=1e-12)
        data = LocalData(block, one, 3)
        nominal = np.arange(150) % 2 == 0
        half = discretizer.cuts(WithNominal(data, nominal))
    for j in range(150):
        assert half.of(j).tolist() == ([] if nominal[j] else single.of(j).tolist())
    assert not hasattr(discretizer, "cuts_")


@dataclass
class WithNominal:
    """Data some of whose columns are nominal."""

    data: LocalData
    nominal: np.ndarray

    def __getattr__(self, name):
        return getattr(self.data, name)


@pytest.mark.parametrize("discretizer", [EqualWidth(7), EqualFrequency(7), SigmaLevels()], ids=str)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("weighted", [False, True])
def test_streamed_rows_give_the_same_cuts(discretizer, kind, weighted):
    X, _ = mixed_table()
    weight = np.random.default_rng(2).integers(0, 4, size=len(X)) / 4 if weighted else None
    make = sparse_block if kind == "sparse" else DenseBlock
    bounds = [0, 1, 50, 93, 120]
    blocks = [make(X[a:b].copy(), weight=None if weight is None else weight[a:b]) for a, b in zip(bounds, bounds[1:])]
    nominal = np.zeros(X.shape[1], bool)
    with ThreadRunner(2) as threads, StreamRunner() as stream:
        together = discretizer.cuts(LocalData(make(X, weight=weight), threads))
        apart = discretizer.cuts(Streamed(blocks, stream, nominal))
    if isinstance(discretizer, SigmaLevels):
        assert (together.offsets == apart.offsets).all()
        np.testing.assert_allclose(together.edges, apart.edges, rtol=1e-12, atol=1e-12)
    else:
        assert same(together, apart)


@pytest.mark.parametrize("discretizer", [MDLDiscretizer(), MixtureLevels()], ids=str)
def test_rows_not_in_memory_are_refused(discretizer):
    with StreamRunner() as run, pytest.raises(RequirementError):
        discretizer.cuts(Streamed([DenseBlock(np.ones((3, 2)))], run, np.zeros(2, bool)))


@pytest.mark.parametrize("bins", [1, 2, 5, 10])
def test_edges_equal_the_slow_ones(bins):
    X, _ = mixed_table()
    width, frequency = EqualWidth(bins).fit(X), EqualFrequency(bins).fit(X)
    for j in range(X.shape[1]):
        assert frequency.cuts_.of(j).tolist() == equal_frequency_edges(X[:, j], bins)
        assert width.cuts_.of(j) == pytest.approx(equal_width_edges(X[:, j], bins))


@pytest.mark.parametrize("n", [700, 3000])
def test_long_columns_are_not_sorted_but_give_the_same_edges(n):
    rng = np.random.default_rng(n)
    X = np.column_stack(
        [rng.normal(size=n), rng.integers(0, 6, size=n), np.exp(30 * rng.normal(size=n)), rng.choice([-0.0, 0.0, 1], n)]
    )
    X[::5] = np.nan
    cuts = EqualFrequency(9).fit(X).cuts_
    for j in range(4):
        assert cuts.of(j).tobytes() == np.array(equal_frequency_edges(X[:, j], 9)).tobytes()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=40), st.integers(2, 8))
def test_equal_frequency_does_not_change_under_increasing_maps(values, bins):
    X = np.array(values)[:, None].round(2)
    assert (EqualFrequency(bins).fit_transform(X) == EqualFrequency(bins).fit_transform(np.exp(X / 10))).all()


# Two-valued, ratings and counts; both zeros are one value.
FEW = st.lists(
    st.sampled_from([-3.5, -1.0, -0.0, 0.0, 1e-300, 1.0, 2.0, 1e9, 1e9 + 1e-6, np.nan]), min_size=2, max_size=40
)


def levels_everywhere(X, bins, weight=None):
    """Return the cuts of the same rows in memory, sparse, streamed and streamed sparse."""
    bounds = sorted({0, len(X) // 3, len(X) - 1, len(X)})
    out, nominal = [], np.zeros(X.shape[1], bool)
    with ThreadRunner(2) as threads, StreamRunner() as stream:
        for make in (DenseBlock, sparse_block):
            out.append(EqualFrequency(bins).cuts(LocalData(make(X, weight=weight), threads)))
            pieces = [(X[a:b].copy(), None if weight is None else weight[a:b]) for a, b in zip(bounds, bounds[1:])]
            blocks = [make(rows, weight=w) for rows, w in pieces]
            out.append(EqualFrequency(bins).cuts(Streamed(blocks, stream, nominal)))
    return out


@settings(max_examples=60, deadline=None)
@given(FEW, st.integers(2, 12), st.booleans())
def test_few_values_are_a_level_each_on_every_runner(values, bins, weighted):
    X = np.array(values)[:, None]
    weight = np.where(np.arange(len(X)) % 3 == 1, 0.0, 0.5) if weighted else None
    present = X[:, 0] if weight is None else X[weight > 0, 0]
    distinct = np.unique(present[~np.isnan(present)] + 0.0)
    cuts = levels_everywhere(X, bins, weight)
    if len(distinct) <= bins:
        assert cuts[0].of(0).tolist() == distinct[:-1].tolist()
        assert np.signbit(cuts[0].of(0)).tolist() == np.signbit(distinct[:-1]).tolist()
    assert all(same(cuts[0], other) for other in cuts[1:])


@settings(max_examples=60, deadline=None)
@given(FEW, st.integers(10, 12))
def test_turning_a_column_of_few_values_around_turns_its_levels_around(values, bins):
    X = np.array(values)[:, None]
    up, down = EqualFrequency(bins).fit_transform(X), EqualFrequency(bins).fit_transform(-X)
    here = ~np.isnan(X)
    assert (up[here] == up[here].max(initial=0) - down[here]).all()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=60), st.integers(-9, 9), st.integers(0, 900), st.integers(2, 6)
)
def test_only_constants_have_one_level_and_none_more_than_asked_for(values, heavy, times, bins):
    X = np.array([*values, *([heavy] * times)], dtype=float)[:, None]
    cuts = levels_everywhere(X, bins)
    assert min(2, len(np.unique(X))) <= cuts[0].n_levels[0] <= bins
    assert cuts[0].of(0).tolist() == equal_frequency_edges(X[:, 0], bins)
    assert all(same(cuts[0], other) for other in cuts[1:])
    assert (EqualFrequency(bins).fit_transform(X) == EqualFrequency(bins).fit_transform(np.exp(X))).all()


@pytest.mark.parametrize("low_tail", [0, 15, 30])
def test_a_value_of_nearly_all_rows_is_a_level_of_its_own(low_tail):
    rare = np.arange(30.0)
    X = np.concatenate([rare[:low_tail], np.full(970, low_tail - 0.5), rare[low_tail:]])[:, None]
    codes = EqualFrequency(10).fit_transform(X)[:, 0]
    heavy = codes[X[:, 0] == low_tail - 0.5]
    assert len(set(heavy)) == 1
    assert heavy[0] not in codes[X[:, 0] != low_tail - 0.5]


def test_equal_frequency_levels_are_equally_full_without_ties():
    codes = EqualFrequency(5).fit_transform(np.random.default_rng(0).normal(size=(1000, 3)))
    assert (np.apply_along_axis(np.bincount, 0, codes) == 200).all()


def test_equal_width_of_a_range_beyond_the_largest_float():
    edges = EqualWidth(4).fit(np.array([[-1.5e308], [1.5e308]])).cuts_.of(0)
    np.testing.assert_allclose(edges, [-0.75e308, 0.0, 0.75e308], atol=1e290)


@pytest.mark.parametrize(("width", "ddof"), [(0.5, 1), (0.5, 0), (0.0, 1), (2.0, 1)])
def test_sigma_levels_equal_the_book(width, ddof):
    X, _ = mixed_table()
    codes = SigmaLevels(width, ddof).fit_transform(X)
    for j in (0, 1, 4, 5, 8):
        want = sigma_levels(X[:, j].tolist(), width, ddof)
        assert codes[:, j].tolist() == [3 if level is None else level + 1 for level in want]


def test_sigma_boundaries_belong_to_the_middle_and_a_constant_has_one_level():
    # Mean 0 and variance 16/4 = 4 exactly; book ch. 17: both boundaries belong to the middle bin.
    X = np.array([[-2.0], [-2.0], [2.0], [2.0], [0.0]])
    assert SigmaLevels(1.0).fit_transform(X).ravel().tolist() == [1, 1, 1, 1, 1]
    beyond = [[np.nextafter(-2, -3)], [-2.0], [2.0], [np.nextafter(2, 3)]]
    assert SigmaLevels(1.0).fit(X).transform(beyond).ravel().tolist() == [0, 1, 1, 2]
    for constant in (0.1, -7e9, 0.0):
        assert SigmaLevels().fit(np.full((77, 1), constant)).cuts_.n_levels.tolist() == [1]


def test_sigma_levels_follow_shift_and_positive_scale():
    X = np.random.default_rng(3).normal(size=(200, 10))
    assert (SigmaLevels().fit_transform(X) == SigmaLevels().fit_transform(8 * X + 3)).all()


def test_mdl_edges_equal_the_recursion():
    X, y = mixed_table()
    cuts = MDLDiscretizer().fit(X, y).cuts_
    for j in range(X.shape[1]):
        assert cuts.of(j) == pytest.approx(mdl_edges(X[:, j].tolist(), y.tolist()))
    assert cuts.n_levels.max() > 1


def test_mdl_on_iris_finds_the_published_cuts():
    # The values that the R package "discretization" prints for mdlp(iris).
    from sklearn.datasets import load_iris

    cuts = MDLDiscretizer().fit(*load_iris(return_X_y=True)).cuts_
    want = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    assert [cuts.of(j) == pytest.approx(want[j]) for j in range(4)] == [True] * 4


def test_mdl_needs_classes():
    with pytest.raises(ValueError):
        MDLDiscretizer().fit(np.ones((4, 2)))
    with ThreadRunner() as run, pytest.raises(RequirementError, match="needs classes"):
        MDLDiscretizer().cuts(LocalData(DenseBlock(np.ones((4, 2)), np.ones(4)), run))


def test_user_edges_by_name_and_number():
    import pandas as pd

    X = pd.DataFrame({"a": [0.0, 1.0], "b": [2.0, 3.0], "c": [4.0, 5.0]})
    cuts = UserEdges({"b": [2.5], 2: [1.0, 4.5]}).fit(X).cuts_
    assert [cuts.of(j).tolist() for j in range(3)] == [[], [2.5], [1.0, 4.5]]
    out = UserEdges([0.5]).set_output(transform="pandas").fit_transform(X)
    assert out.columns.tolist() == ["a", "b", "c"]
    with pytest.raises(ParameterError, match="Did you mean bbb"):
        UserEdges({"bbc": [1.0]}).fit(X.rename(columns={"b": "bbb"}))
    with pytest.raises(ParameterError, match="from 0 to 2"):
        UserEdges({3: [1.0]}).fit(X)
    for bad in ([2.0, 1.0], [1.0, 1.0], [np.nan]):
        with pytest.raises(ParameterError, match="larger than the one before"):
            UserEdges(bad).fit(X)


def test_names_stand_for_discretisers():
    for name, kind in {
        "quantile": EqualFrequency,
        "uniform": EqualWidth,
        "mdl": MDLDiscretizer,
        "sigma": SigmaLevels,
        "mixture": MixtureLevels,
    }.items():
        assert isinstance(as_discretizer(name, 4), kind)
    assert as_discretizer("quantile", 4).bins == 4
    assert as_discretizer("uniform").bins == 10
    own = EqualWidth(3)
    assert as_discretizer(own, 7) is own


def test_unknown_names_are_refused_with_a_hint():
    with pytest.raises(ParameterError, match="Did you mean quantile"):
        as_discretizer("quantiles", 10)
    for bad in (3, None, EqualWidth):
        with pytest.raises(ParameterError, match="choose one"):
            as_discretizer(bad, 10)


@pytest.mark.parametrize("bins", [2, 3, 5, 10])
def test_equal_widths_do_not_depend_on_the_unit(bins):
    """Whole numbers lie on edges, where rounding in another unit moved them to the next level."""
    X = np.arange(31.0)[:, None]
    plain = EqualWidth(bins).fit_transform(X)
    # By hand, in whole numbers: x is left of edge k if bins * x <= 30 k.
    assert plain.ravel().tolist() == [sum(bins * x > 30 * k for k in range(1, bins)) for x in range(31)]
    for other in (X * 0.1, X / 3 - 7, X * 1e-7, 1e9 + X * 0.1, X * 2.0**-660, 1e9 + X * 2.0**-23, -1e9 + X * 2.0**-23):
        np.testing.assert_array_equal(EqualWidth(bins).fit_transform(other), plain)


@pytest.mark.parametrize("power", [-660, 660])
def test_mean_and_deviation_out_of_range_are_refused(power):
    X = np.random.default_rng(0).normal(size=(50, 2)) * [1.0, 2.0**power]
    holed = np.vstack([X, [0.0, np.nan]])
    for data in (X, holed):
        with pytest.raises(InputError, match="Column 1 .*flow"):
            SigmaLevels().fit(data)
    constant = np.column_stack([X[:, 0], np.full(50, 2.0**power)])
    assert SigmaLevels().fit(constant).cuts_.n_levels.tolist() == [3, 1]
    np.testing.assert_array_equal(
        MixtureLevels().fit_transform(np.sign(X)), MixtureLevels().fit_transform(np.sign(X) * 2.0**power)
    )


def test_foreign_transformers_give_codes():
    X, y = mixed_table()
    X = X[:, :2].copy()
    spec = KBinsDiscretizer(4, encode="ordinal", strategy="uniform")
    with ThreadRunner() as run:
        data = LocalData(DenseBlock(X, y), run, 3)
        foreign = as_discretizer(spec, 10)
        assert isinstance(foreign, ForeignDiscretizer)
        codes = foreign.codes(data)
        assert codes.dtype == np.int64
        assert (codes == clone(spec).fit_transform(X)).all()
        assert not hasattr(spec, "bin_edges_")
        with pytest.raises(InputError, match="encode='ordinal'"):
            as_discretizer(KBinsDiscretizer(4, encode="onehot", strategy="uniform"), 10).codes(data)
        from sklearn.preprocessing import StandardScaler

        with pytest.raises(InputError, match="not whole numbers"):
            as_discretizer(StandardScaler(), 10).codes(data)


def test_parameters_are_checked_on_both_ways_in():
    X = np.ones((4, 2))
    with ThreadRunner() as run:
        for bad in (EqualWidth(0), EqualFrequency(2.5), SigmaLevels(-1.0), MixtureLevels(0)):
            with pytest.raises(ValueError, match="parameter"):
                bad.fit(X)
            with pytest.raises(ValueError, match="parameter"):
                bad.cuts(LocalData(DenseBlock(X), run))
