"""Orthogonal forward regression on powers and products of features, against least squares and facts of the text."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import InputError
from fewer.core.search import greedy_forward
from fewer.methods.redundancy._expansion import MOST_COLUMNS, monomials, n_monomials, powers
from fewer.methods.redundancy.gram_schmidt import GramSchmidtRanker, probe_risks
from fewer.synth import make_m_of_n, make_xor
from oracles.orthogonal import expanded_regression, products

BOTH = pytest.mark.parametrize("expansion", ["simplified", "full"])


def data(seed, n=40, d=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    y = X[:, 0] ** 2 - X[:, 1] * X[:, 2] + 0.5 * X[:, d - 1] ** 3 + rng.normal(size=n)
    return X, y


@BOTH
@pytest.mark.parametrize(("degree", "seed"), [(2, 0), (2, 1), (2, 2), (3, 3), (3, 4)])
def test_features_have_the_rank_and_gain_of_their_first_column(expansion, degree, seed):
    X, y = data(seed)
    got = GramSchmidtRanker(None, degree=degree, expansion=expansion).fit(X, y).selection_
    joined, gains, order = expanded_regression(X, y, degree, expansion == "full")
    assert got.indices.tolist() == list(joined)
    np.testing.assert_allclose(got.scores[list(joined)], [gain for _, gain in joined.values()], rtol=1e-6)
    np.testing.assert_allclose(got.trace.values, [gain for _, gain in joined.values()], rtol=1e-6)
    assert got.columns["degree"][list(joined)].tolist() == [len(factors) for factors, _ in joined.values()]
    places = [order.index(products(X.shape[1], degree, expansion == "full").index(f)) for f, _ in joined.values()]
    risks = probe_risks(gains, len(y))
    np.testing.assert_allclose(got.columns["probe_risk"][list(joined)], risks[places], rtol=1e-6, atol=1e-12)


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3])
def test_sizes_count_features_and_smaller_ones_are_prefixes(expansion, n):
    X, y = data(5, d=5)
    every = GramSchmidtRanker(None, degree=2, expansion=expansion).fit(X, y).selection_
    some = GramSchmidtRanker(n, degree=2, expansion=expansion).fit(X, y).selection_
    assert some.indices.tolist() == every.indices[:n].tolist()
    assert [some.reason(j).kind for j in some.order].count("kept") == n
    assert sorted(some.order.tolist()) == list(range(5))
    assert some.order[:n].tolist() == some.indices.tolist()


def test_later_powers_of_a_chosen_feature_are_no_new_feature():
    """y is made of x0 and its square; both columns are chosen before the one of x1."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = 6 * X[:, 0] + 2 * X[:, 0] ** 2 + X[:, 1] + 0.01 * rng.normal(size=80)
    got = GramSchmidtRanker(None, degree=2).fit(X, y).selection_
    assert got.indices.tolist()[:2] == [0, 1]
    plain = GramSchmidtRanker(None).fit(np.column_stack([X, X**2]), y).selection_
    assert plain.indices.tolist()[:3] == [0, 3, 1]
    np.testing.assert_allclose(got.scores[[0, 1]], plain.scores[[0, 1]], rtol=1e-9)
    np.testing.assert_allclose(got.columns["probe_risk"][1], plain.columns["probe_risk"][1], atol=1e-12)


@BOTH
def test_degree_one_is_the_plain_ranker(expansion):
    X, y = data(6)
    plain, one = GramSchmidtRanker(3).fit(X, y), GramSchmidtRanker(3, degree=1, expansion=expansion).fit(X, y)
    assert one.selection_.trace.values == plain.selection_.trace.values
    np.testing.assert_array_equal(one.scores_, plain.scores_)
    np.testing.assert_array_equal(one.selection_.order, plain.selection_.order)
    assert str(one.selection_.explain()) == str(plain.selection_.explain())
    assert list(one.selection_.columns) == ["probe_risk"]


@pytest.mark.parametrize(("m", "d", "n_columns"), [(150, 3, 585_275), (200, 3, 1_373_700), (4, 2, 14), (3, 1, 3)])
def test_numbers_of_columns_of_the_text(m, d, n_columns):
    """Section 3.1: 585,275 dimensions for 150 variables and degree 3, 1,373,700 for 200."""
    assert n_monomials(m, d) == math.comb(m + d, d) - 1 == n_columns
    if n_columns < 100:
        assert len(monomials(np.arange(m), d)) == n_columns
        assert len(powers(np.arange(m), d)) == m * d


def test_too_many_columns_are_refused_before_any_work(rng):
    X, y = rng.normal(size=(5, 150)), rng.normal(size=5)
    with pytest.raises(InputError, match=f"585,275 columns of 150 features, but takes at most {MOST_COLUMNS:,}"):
        GramSchmidtRanker(degree=3, expansion="full").fit(X, y)
    assert len(GramSchmidtRanker(2, degree=3).fit(X, y).selection_) == 2
    # A number of hundreds of digits; few columns, but each of very many factors.
    with pytest.raises(InputError, match="makes more than 1,000,000,000,000,000 columns of 150 features"):
        GramSchmidtRanker(degree=5000, expansion="full").fit(X, y)
    with pytest.raises(InputError, match="150,000 columns of 150 features, each of up to 1000 factors, but"):
        GramSchmidtRanker(degree=1000).fit(X, y)
    with pytest.raises(InputError, match="20000 factors, but takes at most 100,000,000 factors"):
        GramSchmidtRanker(degree=20_000, expansion="full").fit(X[:, :1], y)


@pytest.mark.parametrize("degree", [2, 3])
def test_only_the_full_expansion_finds_an_exclusive_or(degree):
    """Section 5: a full expansion would let the ranker detect the product of the relevant variables."""
    found = {"simplified": 0, "full": 0}
    for seed in range(5):
        xor = make_xor(150, n_relevant=degree, n_irrelevant=6, random_state=seed).shuffled(np.random.default_rng(seed))
        for expansion in found:
            got = GramSchmidtRanker(degree, degree=degree, expansion=expansion).fit(xor.X, xor.y).selection_
            found[expansion] += set(got.indices.tolist()) == set(np.asarray(xor.relevant).tolist())
    assert found["full"] == 5
    assert found["simplified"] <= 1


def test_a_product_is_named_in_the_reasons():
    xor = make_xor(150, n_irrelevant=4, random_state=0)
    frame = pd.DataFrame(xor.X, columns=[f"gene {j}" for j in range(xor.X.shape[1])])
    got = GramSchmidtRanker(2, degree=2, expansion="full").fit(frame, xor.y).selection_
    assert "it joined as gene 0*gene 1" in str(got.reason("gene 1"))
    X, y = data(7)
    power = GramSchmidtRanker(1, degree=3).fit(X, X[:, 2] ** 3).selection_
    assert power.indices.tolist() == [2]
    assert "it joined as x2^3" in str(power.reason(2))


@BOTH
@pytest.mark.parametrize(("degree", "seed"), [(2, 8), (2, 9), (2, 10), (3, 8), (3, 9)])
def test_rescaled_copies_of_features_never_join(expansion, degree, seed):
    X, y = data(seed, n=60)
    many = np.column_stack([X, 3.3 * X[:, 0], -0.7 * X[:, 1], np.full(60, 3.0), X[:, 3]])
    plain = GramSchmidtRanker(None, degree=degree, expansion=expansion).fit(X, y).selection_
    got = GramSchmidtRanker(None, degree=degree, expansion=expansion).fit(many, y).selection_
    assert got.indices.tolist() == plain.indices.tolist()
    np.testing.assert_allclose(got.scores[plain.indices], plain.scores[plain.indices], rtol=1e-6)
    # A copy may lie mostly along a product that has the original as a factor.
    assert all(original in got.reasons.related[j] for j, original in ((4, 0), (5, 1), (7, 3)))
    assert got.reasons.amount[4] == pytest.approx(1.0)
    assert (got.reason(6).kind, got.scores[6]) == ("irrelevant", 0.0)
    assert "constant" in str(got.reason(6))


def test_a_feature_that_the_columns_span_is_redundant_to_their_features():
    rng = np.random.default_rng(9)
    X = rng.normal(size=(300, 4))
    X[:, 3] = 2 * X[:, 0] * X[:, 1] + X[:, 2]
    y = 3 * X[:, 0] * X[:, 1] - 2 * X[:, 2]
    got = GramSchmidtRanker(None, degree=2, expansion="full").fit(X, y).selection_
    assert got.indices.tolist() == [0, 1, 2]
    reason = got.reason(3)
    assert (reason.kind, reason.related) == ("redundant", ("x0", "x1"))
    assert reason.amount == pytest.approx(1.0)
    assert "explain all" in str(got.reason(0))
    simple = GramSchmidtRanker(None, degree=2).fit(X, y).selection_
    assert set(simple.indices.tolist()) == {2, 3}


@BOTH
def test_a_spanned_feature_whose_other_columns_explain_more_is_not_redundant(expansion):
    """x1 = x2 - x0, but its square, or its product with x0, tells of y what x0 and x2 do not."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    X[:, 2] = X[:, 0] + X[:, 1]
    y = 2 * X[:, 0] + 1.5 * X[:, 1] + X[:, 0] * X[:, 1]
    two = GramSchmidtRanker(2, degree=2, expansion=expansion).fit(X, y).selection_
    assert two.indices.tolist() == [2, 0]
    reason = two.reason(1)
    assert (reason.kind, reason.related, reason.amount) == ("not reached", (), None)
    three = GramSchmidtRanker(3, degree=2, expansion=expansion).fit(X, y).selection_
    assert three.indices.tolist() == [2, 0, 1]
    assert GramSchmidtRanker(2, degree=1).fit(X, y).selection_.reason(1).kind == "redundant"


@pytest.mark.parametrize("options", [{}, {"degree": 2}, {"degree": 2, "expansion": "full"}])
def test_round_off_explains_nothing(options):
    """All rows of six bits, of which three count: products with the others have no share but that of rounding."""
    table = make_m_of_n(2, 3, 6)
    got = GramSchmidtRanker(10, **options).fit(table.X, table.y).selection_
    assert got.indices.tolist() == [0, 1, 2]
    assert got.scores[3:].tolist() == [0.0, 0.0, 0.0]
    assert "explain all that can be explained" in str(got.reason(0))


@BOTH
def test_the_probe_counts_columns_and_reasons_keep_to_it(expansion):
    X, y = data(10, n=100, d=6)
    free = GramSchmidtRanker(None, degree=2, expansion=expansion).fit(X, y).selection_
    got = GramSchmidtRanker(None, degree=2, expansion=expansion, probe=0.05).fit(X, y).selection_
    risks = free.columns["probe_risk"][free.indices]
    assert 0 < len(got) < 6
    assert got.indices.tolist() == free.indices[risks <= 0.05].tolist()
    for j in set(range(6)) - set(got.indices.tolist()):
        reason = got.reason(j)
        assert reason.kind == "irrelevant"
        assert reason.score < reason.threshold


@BOTH
def test_rules_that_go_back_leave_the_features_after_the_kept_ones(expansion):
    X, y = data(11, d=5)
    every = GramSchmidtRanker(None, degree=2, expansion=expansion).fit(X, y).selection_
    back = GramSchmidtRanker("patience:2", degree=2, expansion=expansion).fit(X, y).selection_
    assert back.order.tolist()[: len(back)] == back.indices.tolist() == every.indices[: len(back)].tolist()
    assert len(back) < len(every)
    assert back.order.tolist()[len(back)] == every.indices[len(back)]
    few = GramSchmidtRanker("threshold:0.05", degree=2, expansion=expansion).fit(X, y).selection_
    assert (few.scores[few.indices] >= 0.05).all()


def test_the_columns_are_those_of_a_table_made_by_hand(rng, monkeypatch):
    """Tiles of columns and threads change nothing; numbers beyond the range of powers do not overflow."""
    X, y = data(12, n=50, d=8)
    whole = GramSchmidtRanker(5, degree=3, expansion="full").fit(X, y)
    huge = GramSchmidtRanker(5, degree=3, expansion="full", n_jobs=2).fit(X * 2.0**400, y)
    np.testing.assert_array_equal(huge.scores_, whole.scores_)
    monkeypatch.setattr("fewer.core.summaries.summary.TILE_BYTES", 16 * 50 * 7)
    tiles = GramSchmidtRanker(5, degree=3, expansion="full").fit(X, y)
    np.testing.assert_allclose(tiles.scores_, whole.scores_, rtol=1e-9)
    assert tiles.selection_.indices.tolist() == whole.selection_.indices.tolist()


def test_budgets_see_the_columns_that_were_passed():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = 6 * X[:, 0] + 2 * X[:, 0] ** 2 + X[:, 1] + 0.01 * rng.normal(size=80)
    seen = []

    def watched(view, criterion, stop):
        found = greedy_forward(view, criterion, stop)
        seen.append(found.trace)
        return found

    import fewer.methods.redundancy.gram_schmidt as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "greedy_forward", watched)
        got = GramSchmidtRanker(None, degree=3).fit(X, y).selection_
    assert got.trace.evaluations == seen[0].evaluations
    assert got.trace.seconds == pytest.approx(seen[0].seconds)
    assert len(got.trace) < len(seen[0])


@BOTH
def test_the_selection_survives_json_and_the_command_line(expansion, tmp_path, capsys):
    from fewer.cli.main import main

    X, y = data(14, d=5)
    selection = GramSchmidtRanker(3, degree=2, expansion=expansion).fit(X, y).selection_
    again = fewer.Selection.from_json(selection.to_json())
    assert str(again.explain()) == str(selection.explain())
    assert [str(again.reason(j)) for j in range(5)] == [str(selection.reason(j)) for j in range(5)]
    path = tmp_path / "data.csv"
    pd.DataFrame(np.column_stack([X, y]), columns=[*"abcde", "y"]).to_csv(path, index=False)
    words = ["select", str(path), "--target", "y", "--method", "GramSchmidtRanker", "-n", "3", "--degree", "2"]
    assert main([*words, "--expansion", expansion, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [shown["names"][j] for j in shown["indices"]] == ["abcde"[j] for j in selection.indices]


@BOTH
def test_nothing_to_choose(expansion, rng):
    X = rng.normal(size=(20, 3))
    made = GramSchmidtRanker(None, degree=2, expansion=expansion)
    assert len(made.fit(X, np.ones(20)).selection_) == 0
    flat = made.fit(np.ones((20, 3)), X[:, 0]).selection_
    assert len(flat) == 0
    assert {flat.reason(j).kind for j in range(3)} == {"irrelevant"}
    with pytest.raises(ValueError, match="NaN|infinity"):
        made.fit(np.where(X > 2, np.inf, X) * [1, 1, np.nan], X[:, 0])


@pytest.mark.parametrize("bad", [{"degree": 0}, {"degree": 1.5}, {"expansion": "none"}])
def test_bad_expansions_are_refused(bad, rng):
    with pytest.raises(ValueError, match=next(iter(bad))):
        fewer.GramSchmidtRanker(**bad).fit(rng.normal(size=(9, 2)), rng.normal(size=9))
