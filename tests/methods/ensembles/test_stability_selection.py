"""StabilitySelection: bounds against the published formulas, halves and frequencies against plain loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import lasso_path

import fewer
from fewer.core.records.errors import FewerError, InputError, ParameterError
from fewer.methods.ensembles import _stability_bounds as bounds
from fewer.methods.ensembles._half_samples import HalfSamples, l1_order
from fewer.methods.ensembles._stability_result import Frequencies, artificial_threshold
from oracles import stability_bounds as oracle

CASES = [(10, 200, 50), (4, 20, 50), (2, 10, 10), (30, 1000, 25), (1, 3, 5), (12, 20, 50)]


def problem(n=120, p=12, seed=0, classes=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    y = 2 * X[:, 3] - 1.5 * X[:, 5] + rng.normal(size=n)
    return X, (y > 0).astype(int) if classes else y


@pytest.mark.parametrize(("q", "p", "n_pairs"), CASES)
def test_bounds_are_the_published_formulas(q, p, n_pairs):
    for k in range(n_pairs + 1, 2 * n_pairs + 1):
        tau = k / (2 * n_pairs)
        any_data = oracle.meinshausen_buhlmann(tau, q, p)
        assert bounds.expected_false(tau, q, p, n_pairs, "markov") == pytest.approx(any_data)
        printed = oracle.unimodal(tau, q, p, n_pairs)
        got = bounds.expected_false(tau, q, p, n_pairs, "unimodal")
        assert got == pytest.approx(any_data if printed is None else printed)


def test_figures_that_follow_from_the_formulas():
    assert bounds.expected_false(0.9, 10, 200, 50, "markov") == pytest.approx(0.625)
    assert bounds.expected_false(0.75, 10, 200, 50, "unimodal") == pytest.approx(25 / 49)
    assert bounds.expected_false(1.0, 10, 200, 50, "unimodal") == pytest.approx(1 / 51)
    assert bounds.expected_false(0.5, 10, 200, 50, "markov") == np.inf
    assert bounds.q_for(1.0, 20) == 4


@pytest.mark.parametrize(
    ("mean", "at_least", "n", "r"),
    [(0.05, 6, 12, -0.25), (0.1, 8, 12, -0.5), (0.0025, 5, 12, -0.5), (0.2, 7, 12, -0.25), (0.05, 12, 12, -0.25)],
)
def test_tails_are_those_of_a_grid(mean, at_least, n, r):
    found, slow = bounds.largest_tail(mean, at_least, n, r), oracle.tail_by_grid(mean, at_least, n, r)
    assert slow <= found * (1 + 1e-9)
    assert found <= slow * 1.03 + 1e-12


@pytest.mark.parametrize("r", [-0.5, -0.25])
def test_no_r_concave_distribution_has_a_larger_tail(r):
    rng = np.random.default_rng(0)
    for _ in range(150):
        n = int(rng.integers(4, 14))
        weights = oracle.r_concave_weights(rng, n, r)
        mean, at_least = float(np.arange(n + 1) @ weights) / n, int(rng.integers(1, n + 1))
        assert weights[at_least:].sum() <= bounds.largest_tail(mean, at_least, n, r) * (1 + 1e-6)


def test_stronger_assumptions_give_smaller_bounds_and_thresholds():
    for tau in (0.6, 0.75, 0.9):
        found = [bounds.expected_false(tau, 10, 200, 50, name) for name in ("markov", "unimodal", "r_concave")]
        assert found == sorted(found, reverse=True)
    lines = [bounds.threshold_for(1.0, 10, 200, 50, name, "here") for name in ("markov", "unimodal", "r_concave")]
    assert lines == sorted(lines, reverse=True)
    for line, name in zip(lines, ("markov", "unimodal", "r_concave")):
        assert bounds.expected_false(line, 10, 200, 50, name) <= 1.0
        assert line == 0.51 or bounds.expected_false(line - 0.01, 10, 200, 50, name) > 1.0


def test_an_error_rate_out_of_reach_is_refused_in_one_sentence():
    X, y = problem()
    with pytest.raises(ParameterError, match=r"pfer=0.001.*smaller q or a larger pfer") as caught:
        fewer.StabilitySelection(q=8, pfer=0.001, random_state=0).fit(X, y)
    assert ". " not in str(caught.value)


@pytest.mark.parametrize("classes", [False, True])
def test_frequencies_are_those_of_a_loop_over_halves(classes):
    X, y = problem(classes=classes)
    ranker = "FTest" if classes else "Pearson"
    found = fewer.StabilitySelection(ranker=ranker, q=3, threshold=0.8, n_pairs=8, random_state=5).fit(X, y)
    selected = []
    for pair in range(8):
        order = np.random.default_rng([5, pair]).permutation(len(X))
        for half in (order[:60], order[60:]):
            kept = fewer.get(ranker)(3).fit(X[np.sort(half)], y[np.sort(half)]).selection_.indices
            selected.append(np.isin(np.arange(X.shape[1]), kept))
    selected = np.array(selected)
    np.testing.assert_allclose(found.scores_, selected.mean(axis=0))
    np.testing.assert_allclose(found.selection_.columns["together"], (selected[0::2] & selected[1::2]).mean(axis=0))
    assert set(found.selection_.indices) == set(np.flatnonzero(selected.mean(axis=0) >= 0.8))
    assert found.selection_.meta["expected_false"] == pytest.approx(oracle.unimodal(0.8, 3, 12, 8))


def test_the_l1_path_is_that_of_coordinate_descent():
    for seed in range(5):
        X, y = problem(60, 10, seed)
        order = l1_order(X, y[:, None], 4)
        Z = (X - X.mean(axis=0)) / np.sqrt(((X - X.mean(axis=0)) ** 2).sum(axis=0))
        alphas = np.abs(Z.T @ (y - y.mean())).max() / len(y) * np.geomspace(1.0, 1e-3, 500)
        _, coefs, _ = lasso_path(Z, y - y.mean(), alphas=alphas, tol=1e-10, max_iter=10**5)
        inside = coefs != 0
        first = np.where(inside.any(axis=1), inside.argmax(axis=1), 10**6)
        assert order.tolist() == np.argsort(first, kind="stable")[:4].tolist()


def test_halves_of_a_pair_share_no_row_and_have_two_classes():
    X, _ = problem(21)
    y = np.r_[np.ones(3, int), np.zeros(18, int)]
    made = fewer.StabilitySelection(q=2, n_pairs=6, random_state=1).fit(X, y)
    assert made.selection_.meta["q"] == 2

    class Rows:
        n_rows = 21

        def whole(self):
            return type("Block", (), {"y": y})

    halves = HalfSamples(Rows(), None, 2, 1)
    for pair in range(6):
        a, b = halves.rows(2 * pair), halves.rows(2 * pair + 1)
        assert len(a) == len(b) == 10
        assert not set(a) & set(b)
        assert len(set(y[a])) == len(set(y[b])) == 2


def test_artificial_features_choose_the_threshold():
    rng = np.random.default_rng(2)
    for _ in range(30):
        real, copies = rng.integers(0, 21, 8) / 20, rng.integers(0, rng.integers(2, 22), 8) / 20
        found = Frequencies(real, real, real, copies, 3, 10, "unimodal")
        threshold, fraction = oracle.artificial_threshold(real, copies, np.arange(1, 21) / 20)
        got = artificial_threshold(found)
        assert got == threshold if fraction < 1 else got > 1
    X, y = problem()
    selection = fewer.StabilitySelection(threshold="artificial", n_pairs=10, random_state=0).fit(X, y).selection_
    assert {3, 5} <= set(selection.indices.tolist())
    assert selection.meta["expected_false"] is None
    assert "permuted ones" in selection.tables["curve"].columns


def test_where_artificial_features_are_as_good_nothing_is_kept():
    kept = []
    for seed in range(6):
        X, y = np.random.default_rng(seed).normal(size=(60, 10)), np.random.default_rng(99 + seed).normal(size=60)
        found = fewer.StabilitySelection(threshold="artificial", n_pairs=8, random_state=0).fit(X, y)
        kept.append(len(found.selection_))
    assert 0 in kept


def test_copies_are_redundant_and_constants_irrelevant():
    X, y = problem()
    X = np.column_stack([X, X[:, 3], np.ones(len(X))])
    selection = fewer.StabilitySelection(n_pairs=10, random_state=0).fit(X, y).selection_
    assert selection.reason(12).kind == "redundant"
    assert selection.reason(12).related == ("x3",)
    assert selection.reason(13).kind == "irrelevant"
    assert "constant" in selection.reason(13).note
    assert selection.meta["n_columns"] == 12


def test_several_classes_and_selectors_with_a_random_part():
    X, y = problem()
    classes = np.digitize(y, [-1.5, 1.5])
    assert {3, 5} <= set(fewer.StabilitySelection(n_pairs=10, random_state=0).fit(X, classes).selection_.indices)
    made = fewer.StabilitySelection(ranker=fewer.RandomRanking(), q=2, threshold=0.6, n_pairs=10, random_state=0)
    a, b = made.fit(X, y).scores_, made.fit(X, y).scores_
    np.testing.assert_array_equal(a, b)
    assert a.sum() == pytest.approx(2.0)
    assert len(made.selection_) == 0


def test_nominal_columns_reach_a_selector_that_takes_them():
    X, y = problem(classes=True)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(12)])
    frame["f3"] = np.where(frame["f3"] > 0, "high", "low")
    made = fewer.StabilitySelection(ranker=fewer.InformationGain(bins=2), n_pairs=5, random_state=0)
    assert "f3" in made.fit(frame, y).selection_.kept_names
    with pytest.raises(FewerError, match="nominal"):
        fewer.StabilitySelection(n_pairs=5, random_state=0).fit(frame, y)


def test_a_run_that_was_stopped_goes_on(tmp_path):
    X, y = problem()
    path = tmp_path / "halves"
    made = {"q": 3, "random_state": 0, "checkpoint": path}
    fewer.StabilitySelection(n_pairs=4, **made).fit(X, y)
    before = path.read_bytes()
    more = fewer.StabilitySelection(n_pairs=7, **made).fit(X, y)
    assert path.read_bytes().startswith(before)
    assert len(path.read_bytes().splitlines()) == 15
    straight = fewer.StabilitySelection(n_pairs=7, q=3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(more.scores_, straight.scores_)
    with pytest.raises(FewerError, match="other work"):
        fewer.StabilitySelection(n_pairs=7, **{**made, "q": 4}).fit(X, y)


def test_a_number_of_features_has_no_bound():
    X, y = problem()
    made = {"q": 3, "n_pairs": 10, "random_state": 0}
    by_line = fewer.StabilitySelection(threshold=1.0, **made).fit(X, y).selection_
    assert by_line.meta["expected_false"] > 0
    assert "at least 20 of 20 halves needed, for at most" in by_line.reasons.rule
    counted = fewer.StabilitySelection(6, threshold=1.0, **made).fit(X, y).selection_
    assert len(counted) == 6
    assert counted.meta["expected_false"] is None
    assert "false ones" not in counted.reasons.rule


def test_numbers_on_the_edge():
    assert bounds.q_for(1.0, 10, 0.7) == 2
    assert bounds.q_for(1.0, 80) == 8
    X, y = problem()
    found = fewer.StabilitySelection(q=12, threshold=0.55, n_pairs=4, random_state=0).fit(X, y).selection_
    assert found.meta["expected_false"] == 12
    with pytest.raises(ParameterError, match="threshold"):
        fewer.StabilitySelection(threshold=True).fit(X, y)


@pytest.mark.parametrize("ranker", [np.mean, fewer.ReliefF, 3, "nothing"])
def test_what_selects_no_features_is_refused(ranker):
    with pytest.raises(ParameterError) as caught:
        fewer.StabilitySelection(ranker=ranker).fit(*problem())
    assert "\n" not in str(caught.value)


def test_too_few_rows_and_too_large_q_are_refused():
    X, y = problem()
    with pytest.raises(InputError, match="four rows"):
        fewer.StabilitySelection().fit(X[:3], y[:3])
    with pytest.raises(ParameterError, match="at most 12"):
        fewer.StabilitySelection(q=13).fit(X, y)
    with pytest.raises(InputError, match="all 2 columns of X are constant"):
        fewer.StabilitySelection().fit(np.ones((9, 2)), np.arange(9.0))
