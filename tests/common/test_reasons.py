"""Reasons of every method of the registry, recomputed from the numbers that they print, on every runner."""

from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone

from common.cases import NAMES, case, is_classification, tags_of
from fewer import registry
from fewer.core.discretize.named import EqualFrequency
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import FewerError
from oracles import information, redundancy

every = pytest.mark.parametrize("name", NAMES)
RULES = [3, "default", "threshold:0.05", "gap", "p:0.2", "5|fdr:0.2", "probes:0.2", "threshold:0", "gain:0.01"]
INFORMATION = [n for n in NAMES if registry.entry(n).family == "information" and n != "GaussianMRMR"]
NUMBER = r"(-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf))"
BESIDE = re.compile(rf"{NUMBER}(?: nats)?; needed (more than |at most |){NUMBER}")
CONSTANT = ("column is constant", "it has one value in all rows", "it has one level in all rows", "all rows have it")


def problem(name, missing=True):
    """The planted features among noise, copies of two features, and a constant; one value is missing, or a few are."""
    c = case(name, n_rows=150)
    X = np.column_stack([c.X, c.X[:, 3], np.full(150, 2.0), c.X[:, 1]])
    if missing and tags_of(name).handles_nan:
        X[4, 0] = np.nan
        X[::11, 7] = np.nan
    return c, X


def selections(name, rules=RULES):
    """Make a selection by every rule that the method takes; numbers and the default any method takes."""
    c, X = problem(name)
    for rule in rules:
        made = c.make(**({} if rule == "default" else {"n_features_to_select": rule}))
        try:
            yield made, made.fit(X, c.y).selection_
        except FewerError:
            assert rule not in (1, 2, 3, 5, "default")


def levels(X):
    """Ten levels of equal frequency, and one for missing values."""
    codes = np.full(X.shape, -1)
    for j, x in enumerate(X.T):
        there = x == x
        codes[there, j] = EqualFrequency(10).fit_transform(x[there, None]).ravel()
    return codes


@every
def test_reasons_are_borne_out_by_their_numbers(name):
    X = problem(name)[1]
    for _, selection in selections(name):
        kept, kinds = set(selection.indices.tolist()), selection.reasons.kind
        for j in range(X.shape[1]):
            reason = selection.reason(j)
            assert (reason.kind == "kept") == (j in kept)
            assert bool(reason.related) == (reason.kind == "redundant")
            decided = reason.threshold is not None or reason.needed is not None
            assert decided <= (reason.kind == "irrelevant")
            if reason.kind == "irrelevant":
                assert_on_the_wrong_side(reason)
                constant = any(words in reason.note for words in CONSTANT) and len(set(X[:, j].tolist())) == 1
                assert decided or constant, str(reason)
            if reason.kind == "redundant":
                assert all(kinds[i] in (0, 2) for i in selection.reasons.related[j])


def assert_on_the_wrong_side(reason):
    """What is printed beside a line misses it, as a number and as it is printed."""
    pairs = [(reason.score, reason.threshold), (reason.measured, reason.needed)]
    printed = [tuple(map(float, found.group(1, 3))) for found in BESIDE.finditer(str(reason))]
    if reason.quantity == "p-value":
        shown, line = (re.search(words, str(reason))[1] for words in (rf"p-value {NUMBER}", rf"p <= {NUMBER} needed"))
        printed.append((float(shown), float(line)))
    for measured, needed in [pair for pair in pairs if pair[1] is not None] + printed:
        missed = {"at least": measured < needed, "more than": measured <= needed, "at most": measured > needed}
        assert missed[reason.how], str(reason)
    assert len(printed) == (reason.threshold is not None or reason.needed is not None)


@every
def test_a_number_of_features_makes_none_irrelevant(name):
    """The planted features and a copy are never called irrelevant because enough others were found."""
    ((_, few),) = selections(name, [1])
    assert {few.reason(j).kind for j in (3, 5, 10)} <= {"kept", "redundant", "not reached"}


@pytest.mark.parametrize("name", INFORMATION)
def test_information_reasons_by_plain_counting(name):
    """Degrees of freedom are of the levels that occur, missing values being one, and of the classes less one."""
    c, X = problem(name)
    selection = c.make(n_features_to_select=2).fit(X, c.y).selection_
    for j, (kind, first, second) in information.reasons(levels(X), c.y, selection.indices.tolist()).items():
        reason = selection.reason(j)
        assert reason.kind == kind
        if kind == "irrelevant":
            assert (reason.quantity, reason.unit) == ("information about the target", "nats")
            assert (reason.measured, reason.needed) == (pytest.approx(first), pytest.approx(second))
        elif kind == "redundant":
            assert (reason.related, reason.amount) == ((f"x{first}",), pytest.approx(second))


def amounts(name, selection, X, y):
    """By how much features are redundant, from the definition."""
    codes = levels(X)
    for j, to in selection.reasons.related.items():
        s = to[0]
        if name in ("FCBF", "CFS"):
            yield j, redundancy.uncertainty(codes[:, j], codes[:, s])
        elif name == "RBF":
            yield j, redundancy.combined(codes, y, s, j)
        elif name == "GaussianMRMR":
            yield j, -0.5 * np.log1p(-min(np.corrcoef(X[:, j], X[:, s])[0, 1] ** 2, 1 - 1e-12))
        elif name in ("GramSchmidtRanker", "GSRelief"):
            basis = np.column_stack([np.ones(len(X)), X[:, selection.indices]])
            rest = X[:, j] - basis @ np.linalg.lstsq(basis, X[:, j], rcond=None)[0]
            yield j, 1 - rest.var() / X[:, j].var()
        elif name in ("MarkovBlanketFilter", "InformationBlanketOrder"):
            alone = information.mutual(codes[:, j], y)
            yield j, alone - information.conditional(codes[:, j], y, codes[:, s])


@pytest.mark.parametrize(
    "name",
    ["FCBF", "CFS", "RBF", "GaussianMRMR", "GramSchmidtRanker", "GSRelief", "MarkovBlanketFilter",
     "InformationBlanketOrder"],
)  # fmt: skip
def test_amounts_by_definition(name):
    c, X = problem(name, missing=False)
    selection = c.make(n_features_to_select=3).fit(X, c.y).selection_
    found = dict(amounts(name, selection, X, c.y))
    assert found, "the copies are redundant"
    for j, amount in found.items():
        assert selection.reason(j).amount == pytest.approx(amount, abs=1e-9)


def same_reasons(first, second):
    np.testing.assert_array_equal(second.reasons.kind, first.reasons.kind)
    assert dict(second.reasons.related) == dict(first.reasons.related)
    for j in range(first.n_features):
        a, b = first.reason(j), second.reason(j)
        # The divergence of what is left is known only in memory.
        notes = [re.sub(", with divergence.*", "", reason.note) for reason in (a, b)]
        assert (a.rule, notes[0], a.quantity, a.how) == (b.rule, notes[1], b.quantity, b.how)
        for field in ("amount", "threshold", "measured", "needed"):
            x, z = getattr(a, field), getattr(b, field)
            assert (x is None) == (z is None)
            assert x is None or z == pytest.approx(x, rel=1e-9, abs=1e-12)


STREAMS = pytest.mark.parametrize("name", [n for n in NAMES if tags_of(n).streams])


@STREAMS
def test_streamed_rows_give_the_same_reasons(name):
    c, X = problem(name)
    table = ArrayTable(X, c.y, classes=np.unique(c.y) if is_classification(name) else None, batch_rows=37)
    for made, memory in selections(name, [1, 2, 5, "default", "threshold:0.05", "p:0.2"]):
        same_reasons(memory, clone(made).fit(table).selection_)


@STREAMS
def test_dask_gives_the_same_reasons(name):
    dask = pytest.importorskip("dask.array")
    c, X = problem(name)
    memory = c.make(n_features_to_select=3).fit(X, c.y).selection_
    made = c.make(n_features_to_select=3)
    there = made.fit(dask.from_array(X, chunks=(37, -1)), None if c.y is None else dask.from_array(c.y, chunks=37))
    assert there.selection_.meta["runner"] == "dask"
    same_reasons(memory, there.selection_)


@pytest.mark.parametrize("name", [n for n in NAMES if tags_of(n).handles_sparse])
def test_sparse_columns_give_the_same_reasons(name):
    c, X = problem(name, missing=False)
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    dense = c.make(n_features_to_select=3).fit(X, c.y).selection_
    same_reasons(dense, c.make(n_features_to_select=3).fit(scipy.sparse.csr_array(X), c.y).selection_)


@pytest.mark.parametrize("name", [n for n in NAMES if tags_of(n).handles_weights])
def test_weights_of_one_give_the_same_reasons(name):
    c, X = problem(name)
    plain = c.make(n_features_to_select=3).fit(X, c.y).selection_
    same_reasons(plain, c.make(n_features_to_select=3).fit(X, c.y, sample_weight=np.ones(len(X))).selection_)


@pytest.mark.parametrize(
    "name", ["FCBF", "RBF", "CFS", "Consistency", "RedundancyTree", "SPERanker", "GramSchmidtRanker", "GSRelief"]
)
def test_a_filter_that_finds_the_size_keeps_no_constant(name):
    """Also where nothing else says anything: then it keeps nothing, or noise, never the constant."""
    c, X = problem(name, missing=False)
    assert 11 not in c.make().fit(X, c.y).selection_.indices
    grid = np.array([(1.0, a, b) for a in range(3) for b in range(4) for _ in range(12)])
    y = np.tile(np.arange(2) if tags_of(name).binary_only else np.arange(3), 144)[:144]
    found = c.make().fit(grid, y if is_classification(name) else y.astype(float)).selection_
    assert 0 not in found.indices


@pytest.mark.parametrize("name", ["FCBF", "RBF", "CFS", "Consistency"])
def test_fractional_weights_make_no_constant_vary(name):
    """Sums of such weights round, which left constants an entropy of 1e-16 instead of 0."""
    c = case(name)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y, weight = np.tile(rng.integers(0, 3, 40), 2), np.tile(0.3 * rng.random(40), 2)
        # The first column is independent of the class, to the last digit on paper.
        X = np.column_stack([np.repeat([0, 1], 40), np.full(80, 1), np.full(80, 3)])
        for size in (None, 3):
            kept = c.make(n_features_to_select=size, discretizer=None).fit(X, y, sample_weight=weight).selection_
            assert not {1, 2} & set(kept.indices.tolist())
