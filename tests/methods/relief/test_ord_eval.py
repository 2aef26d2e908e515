"""ordEval against plain loops, and the facts of the catalogue (book ch. 9, section 9.4.3)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import InputError
from fewer.methods.relief import _changes
from fewer.methods.relief.ord_eval import NetChange, OrdEval
from fewer.synth import make_ordinal_kano
from oracles.ord_eval import reinforcement


def survey(rng, n=40, levels=(5, 3, 2, 4), holes=0.0):
    X = np.column_stack([rng.integers(1, k + 1, n) for k in levels]).astype(float)
    X[rng.random(X.shape) < holes] = np.nan
    return X, rng.integers(0, 4, n)


def fitted(X, y, **params):
    return OrdEval(None, **{"n_random": 0, **params}).fit(X, y)


def columns_of(selector, *names):
    return np.column_stack([selector.levels_[name] for name in names])


@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("sigma", [None, 2.0])
@pytest.mark.parametrize("k", [1, 5, 100])
def test_agrees_with_plain_loops(rng, holes, sigma, k):
    X, y = survey(rng, holes=holes)
    weights = {} if sigma is None else {"neighbor_weights": "exponential", "sigma": sigma}
    got = fitted(X, y, n_neighbors=k, **weights)
    truth = reinforcement(X, y, k, sigma)
    np.testing.assert_allclose(columns_of(got, "up", "down", "anchor"), np.vstack([t for t, _ in truth]), atol=1e-7)
    np.testing.assert_allclose(got.selection_.columns["net"], [net for _, net in truth], atol=1e-7)
    np.testing.assert_allclose(got.scores_, np.abs([net for _, net in truth]), atol=1e-7)


def test_one_feature_that_is_the_class(rng):
    """U_j = 1 for j > 1 and D_j = 1 for j < max; the ends compare nothing."""
    y = rng.integers(1, 6, 60)
    got = fitted(y[:, None].astype(float), y, n_neighbors=30)
    up, down = columns_of(got, "up", "down").T
    assert np.isnan(up[0])
    assert np.isnan(down[-1])
    assert up[1:].tolist() == [1.0] * 4
    assert down[:-1].tolist() == [1.0] * 4
    assert got.scores_.tolist() == [1.0]


def test_reversing_class_and_features_swaps_up_and_down(rng):
    X, y = survey(rng, 80, (4, 4, 4))
    a, b = fitted(X, y), fitted(-X, -y)
    up, down = (np.array(a.levels_[name]).reshape(3, 4) for name in ("up", "down"))
    np.testing.assert_allclose(np.array(b.levels_["down"]).reshape(3, 4)[:, ::-1], up)
    np.testing.assert_allclose(np.array(b.levels_["up"]).reshape(3, 4)[:, ::-1], down)
    np.testing.assert_allclose(b.scores_, a.scores_)


def test_reversing_one_feature_uses_the_cross_counts(rng):
    """U of the reversed value is P(y up | F down), which is D for the reversed target."""
    X, y = survey(rng, 80, (4, 4, 4))
    y = y + X[:, 0].astype(int)
    turned = X.copy()
    turned[:, 0] = 5 - X[:, 0]
    a, b = fitted(X, y), fitted(turned, y)
    assert b.selection_.columns["net"][0] == pytest.approx(-a.selection_.columns["net"][0])
    np.testing.assert_allclose(b.scores_, a.scores_)
    np.testing.assert_allclose(b.levels_["up"][:4][::-1], fitted(X, -y).levels_["down"][:4])


def test_chance_alone_gives_the_share_of_higher_classes(rng):
    """U is about P(y_R > y_S), 0.4 for five uniform levels, and so are the bounds."""
    X, y = rng.integers(1, 6, (3000, 4)), rng.integers(1, 6, 3000)
    got = fitted(X, y, n_random=20, random_state=0)
    up, low, high = columns_of(got, "up", "up_low", "up_high").T
    assert np.nanmax(np.abs(up - 0.4)) < 0.05
    assert np.nanmax(np.abs(low - 0.4)) < 0.06
    assert (low[~np.isnan(low)] <= high[~np.isnan(low)]).all()
    assert got.scores_.max() < 0.05
    assert got.selection_.columns["pvalue"].min() > 1 / 21


def test_kano_features_show_where_they_act():
    """Catalogue: U of excitement concentrated at 5, D of basic features at the low values."""
    data = make_ordinal_kano(1500, random_state=4)
    got = OrdEval(4, random_state=0).fit(pd.DataFrame(data.X, columns=data.names), data.y)
    table = pd.DataFrame(got.levels_).set_index(["feature", "level"])
    strong = table.loc["excitement_strong"]
    assert strong["up"].idxmax() == "5"
    assert strong.loc["5", "up"] > strong.loc["5", "up_high"] + 0.2
    assert (strong.loc[["2", "3", "4"], "up"] < strong.loc[["2", "3", "4"], "up_high"] + 0.05).all()
    basic = table.loc["basic_weak"]
    assert basic["down"].idxmax() == "2"
    assert (basic.loc[["1", "2"], "down"] > basic.loc[["1", "2"], "down_high"]).all()
    assert (basic.loc[["3", "4"], "down"] < basic.loc[["3", "4"], "down_high"] + 0.05).all()
    assert (table.loc["basic_strong"].loc[["3", "4"], "down"] > 0.4).all()
    names = [data.names[j] for j in got.selection_.order]
    assert names[0] == "performance_strong"
    assert set(names[-2:]) == {"irrelevant_uniform", "irrelevant_normal"}
    assert got.selection_.columns["pvalue"][:6].max() == pytest.approx(1 / 201)


def test_intervals_are_percentiles_of_shuffled_copies(rng):
    X, y = survey(rng, 30, (3, 4))
    got = fitted(X, y, n_neighbors=4, n_random=7, percentile=0.2, random_state=5)
    seeds = np.random.default_rng(5).integers(2**63, size=7)
    orders = [np.random.default_rng(int(s)).permutation(30) for s in seeds]
    copies = [reinforcement(X, y, 4, copy_of=order) for order in orders]
    shares = np.array([np.vstack([t for t, _ in copy]) for copy in copies])
    for part, name in enumerate(("up", "down", "anchor")):
        for level in range(7):
            values = [v for v in shares[:, level, part] if v == v]
            wanted = np.quantile(values, [0.2, 0.8]) if values else [np.nan, np.nan]
            found = (got.levels_[f"{name}_low"][level], got.levels_[f"{name}_high"][level])
            np.testing.assert_allclose(found, wanted, atol=1e-7)
    net = np.abs([[net for _, net in copy] for copy in copies])
    wanted = (1 + (net >= got.scores_ - 1e-9).sum(axis=0)) / 8
    np.testing.assert_allclose(got.selection_.columns["pvalue"], wanted)


def test_batches_and_tiles_change_nothing(rng, monkeypatch):
    X, y = survey(rng, 200, (3, 3, 3, 3, 3), holes=0.05)
    whole = fitted(X, y, n_random=5, random_state=1, n_jobs=1)
    monkeypatch.setattr(_changes, "MOST_NEAR", 100)
    monkeypatch.setattr(_changes, "FIRST_ROWS", 3)
    monkeypatch.setattr(_changes, "TALLY_BYTES", 3000)
    parts = fitted(X, y, n_random=5, random_state=1, n_jobs=2)
    for name in ("up", "down_low", "anchor_high"):
        np.testing.assert_allclose(whole.levels_[name], parts.levels_[name])
    np.testing.assert_allclose(whole.scores_, parts.scores_)
    np.testing.assert_array_equal(whole.selection_.columns["pvalue"], parts.selection_.columns["pvalue"])


def test_ties_do_not_depend_on_the_order_of_the_rows(rng):
    X, y = survey(rng, 60, (2, 2, 2))
    order = rng.permutation(60)
    np.testing.assert_allclose(fitted(X, y).scores_, fitted(X[order], y[order]).scores_)


def test_some_rows_look_for_neighbours(rng):
    X, y = survey(rng, 40)
    got = fitted(X, y, n_samples=9, random_state=3)
    rows = np.sort(np.random.default_rng(3).choice(40, 9, replace=False))
    truth = reinforcement(X, y, 10, rows=rows.tolist())
    np.testing.assert_allclose(got.selection_.columns["net"], [net for _, net in truth], atol=1e-7)
    np.testing.assert_array_equal(fitted(X, y, n_samples=40).scores_, fitted(X, y).scores_)
    with pytest.raises(InputError, match="at most that many"):
        fitted(X, y, n_samples=41)


def test_many_values_are_cut_into_levels_of_equal_frequency(rng):
    X, y = rng.normal(size=(100, 2)), rng.normal(size=100)
    X[:, 1] = np.round(X[:, 1])
    # Rounding makes both zeros; which of them stands for the level must not be seen.
    assert np.signbit(X[X[:, 1] == 0, 1]).any()
    got = fitted(X, y, bins=8)
    table = pd.DataFrame(got.levels_)
    assert len(table[table["feature"] == "x0"]) == 8
    assert table["level"][0].startswith("≤ ")
    assert set(table[table["feature"] == "x0"]["rows"]) <= {12, 13}
    assert table[table["feature"] == "x1"]["level"].tolist() == [f"{v:g}" for v in np.unique(X[:, 1].astype(int))]
    codes = np.column_stack([np.searchsorted(np.sort(X[:, 0])[[12, 24, 37, 49, 62, 74, 87]], X[:, 0]), X[:, 1]])
    np.testing.assert_allclose(fitted(codes, y).scores_, got.scores_)


def test_degenerate_data(rng):
    X, y = survey(rng, 50, (5, 5, 5))
    X = np.column_stack([X, np.full(50, 3.0), np.full(50, np.nan), X[:, 0]])
    got = fitted(X, y, n_random=3, random_state=0)
    assert got.scores_[3] == got.scores_[4] == 0.0
    assert got.scores_[0] == got.scores_[5]
    assert got.selection_.columns["pvalue"][[3, 4]].tolist() == [1.0, 1.0]
    assert "x4" not in got.levels_["feature"]
    assert np.isfinite(got.scores_).all()
    same = fitted(np.ones((6, 2)), np.arange(6.0))
    assert same.scores_.tolist() == [0.0, 0.0]
    assert fitted(X[:, :3], np.zeros(50)).scores_.tolist() == [0.0, 0.0, 0.0]
    two = fitted(np.array([[1.0, 2.0], [2.0, 1.0]]), [0, 1])
    assert two.selection_.columns["net"].tolist() == [1.0, -1.0]


def test_the_seed_decides_the_intervals_only(rng):
    X, y = survey(rng, 50)
    first, again, other = (fitted(X, y, n_random=20, random_state=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(first.levels_["up_low"], again.levels_["up_low"])
    assert not np.allclose(first.levels_["up_low"], other.levels_["up_low"], equal_nan=True)
    np.testing.assert_array_equal(first.scores_, other.scores_)


def test_stop_rules_and_the_free_product(rng):
    X, y = survey(rng, 120, (4,) * 6)
    y = y + 2 * X[:, 2].astype(int)
    assert OrdEval("fdr:0.1", random_state=0).fit(X, y).selection_.indices.tolist()[0] == 2
    assert 2 in OrdEval("probes:0.05", n_random=0).fit(X, y).selection_.indices
    with pytest.raises(ValueError, match="p-values"):
        OrdEval("fdr:0.1", n_random=0).fit(X, y)
    turf = fewer.Selector(NetChange(), "turf", 1, task="regression", drop=2).fit(X, y)
    assert turf.selection_.indices.tolist() == [2]


def test_levels_survive_json(rng):
    X, y = survey(rng, 30)
    selection = fitted(X, y, n_random=2, random_state=0).selection_
    again = fewer.Selection.from_json(selection.to_json())
    np.testing.assert_array_equal(again.tables["levels"].columns["up"], selection.tables["levels"].columns["up"])
    assert again.tables["levels"].columns["level"] == selection.tables["levels"].columns["level"]


def test_text_classes_have_no_order(rng):
    X, _ = survey(rng, 30)
    with pytest.raises(InputError, match="give numbers"):
        fitted(X, np.array(["low", "mid", "high"])[rng.integers(0, 3, 30)])


def test_a_column_that_is_nearly_constant_keeps_two_levels(rng):
    """No quantile lies below the largest value; the rest still is a level."""
    X, y = np.zeros((300, 2)), rng.integers(0, 3, 300)
    X[:15, 0], X[:15, 1] = -np.arange(1, 16), np.arange(1, 16)
    got = fitted(X, y)
    assert got.levels_["level"] == ["≤ -1", "> -1", "≤ 0", "> 0"]
    assert got.levels_["rows"] == [15, 285, 285, 15]
    assert got.selection_.columns["net"][0] == -got.selection_.columns["net"][1]


def test_labels_tell_levels_apart(rng):
    """Dates as numbers differ in their last digits."""
    X = 20240100 + np.column_stack([rng.integers(1, 4, 90), rng.integers(1, 31, 90)])
    labels = fitted(X, rng.integers(0, 3, 90)).levels_["level"]
    assert labels[:3] == ["20240101", "20240102", "20240103"]
    assert len(set(labels)) == 13


def test_bounds_are_those_of_nanquantile(rng):
    shares = rng.random((11, 30))
    shares[rng.random(shares.shape) < 0.3] = np.nan
    shares[:, 4], shares[1:, 5] = np.nan, np.nan
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        expected = np.nanquantile(shares, [0.1, 0.9], axis=0)
    np.testing.assert_allclose(_changes._bounds(shares, 0.1), expected, rtol=1e-12)
