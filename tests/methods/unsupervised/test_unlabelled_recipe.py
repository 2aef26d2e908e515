"""Selection without a target: what stands out, what is noise, and what is said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import fewer
from fewer.cli.main import main
from fewer.core.records.errors import InputError, NothingFoundWarning
from fewer.methods.unsupervised import _standing_out
from fewer.methods.unsupervised._standing_out import _pvalues
from fewer.methods.unsupervised._term_weights import are_counts, weight_variances
from oracles import graph_scores as oracle

SAMPLES = 8


def planted(seed, n=200, n_noise=12, more=None):
    """Four features with three clusters, then noise, then what else is asked for."""
    rng = np.random.default_rng(seed)
    centres = np.array([[0, 4, 8], [8, 0, 4], [4, 8, 0], [0, 8, 4]])
    X = rng.normal(size=(n, 4)) + centres[:, rng.integers(0, 3, n)].T
    return np.column_stack([X, rng.normal(size=(n, n_noise)), *([] if more is None else [more(rng, n)])])


KINDS = {
    "noise alone": None,
    "one column of 0 and 1": lambda rng, n: rng.integers(0, 2, (n, 1)),
    "eight columns of 0 and 1": lambda rng, n: rng.integers(0, 2, (n, 8)),
    "skewed columns": lambda rng, n: rng.lognormal(0, 1.5, (n, 4)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_planted_clusters_are_found_whatever_the_noise(kind):
    for seed in range(SAMPLES):
        kept = fewer.select(planted(seed, more=KINDS[kind])).indices
        assert len(kept) >= 1
        assert set(kept) <= {0, 1, 2, 3}


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_called_so(kind):
    false = 0
    for seed in range(3 * SAMPLES):
        X = planted(seed, n=120, more=KINDS[kind])[:, 4:]
        found = fewer.select(X)
        false += len(found) > 0
        assert len(found) or "nothing stands out" in found.reasons.rule
    # 5 % of 24 are 1.2; six or more would be seen once in 800 times.
    assert false <= 5


def test_score_is_the_laplacian_score_on_the_graph_of_the_others():
    X = planted(1, n=60, n_noise=3)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    found = fewer.UnlabelledRecipe().fit(X)
    for j in range(7):
        wanted = 2.0 - oracle.laplacian_score(oracle.weights(np.delete(Z, j, axis=1), 5), X[:, j])
        assert found.scores_[j] == pytest.approx(wanted, rel=1e-9)


def test_pvalues_are_fractions_of_shuffles():
    found = np.array([[5.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 4.0, 0.0], [0.0, 0.0, 3.0]])
    away = (found - found.mean(axis=0)) / found.std(axis=0)
    wanted = [np.mean([max(row) >= x - 1e-9 for row in away]) for x in away[0]]
    assert _pvalues(found).tolist() == wanted
    assert _pvalues(np.ones((4, 2))).tolist() == [1.0, 1.0]


def test_reasons_and_words():
    X = np.column_stack([planted(2), np.ones(200), planted(2)[:, 1], np.arange(200)])
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(19)]).assign(text=["u", "v", "w", "u"] * 50)
    found = fewer.select(frame)
    assert found.meta["method"] == "UnlabelledRecipe"
    assert "beyond chance" in found.reasons.rule
    assert "largest gap" in found.reasons.rule
    assert found.reason("c16").kind == "irrelevant"
    assert found.reason("c7").kind == "irrelevant"
    assert "nominal" in str(found.reason("text"))
    assert found.reason("c17").kind in ("redundant", found.reason("c1").kind)
    assert fewer.Selection.from_json(found.to_json()).to_json() == found.to_json()


def test_what_happens_if_nothing_stands_out(rng):
    X = rng.normal(size=(80, 5))
    assert len(fewer.select(X)) == 0
    with pytest.warns(NothingFoundWarning, match="keeps the one best"):
        assert len(fewer.UnlabelledRecipe().fit(X).selection_) == 1
    with pytest.raises(InputError, match="nothing stands out"):
        fewer.UnlabelledRecipe(if_nothing="error").fit(X)
    assert len(fewer.select(X, n_features_to_select=2)) == 2


def test_gaps_are_taken_for_means_and_sparse_rows_are_like_dense(rng):
    X = planted(3)
    X[np.abs(X) < 0.5] = 0.0
    dense = fewer.select(X)
    np.testing.assert_allclose(fewer.select(scipy.sparse.csr_array(X)).scores, dense.scores, rtol=1e-9)
    gaps = X.copy()
    gaps[rng.random(X.shape) < 0.05] = np.nan
    filled = np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps)
    for rows in (gaps, scipy.sparse.csr_array(gaps)):
        np.testing.assert_allclose(fewer.select(rows).scores, fewer.select(filled).scores, rtol=1e-9)


def test_small_data_are_answered(rng):
    for X in (rng.normal(size=(2, 3)), rng.normal(size=(40, 1)), rng.normal(size=(3, 2))):
        assert len(fewer.select(X, keep="all")) == 0


def test_too_little_data_is_said(rng):
    X = planted(0)
    assert fewer.select(X[:, :1]).reasons.rule.startswith("nothing can stand out: one feature has no others")
    assert fewer.select(X[:2]).reasons.rule == "nothing can stand out: 2 rows are fewer than the 3 that are needed"
    with pytest.raises(InputError, match="All 3 columns of X are constant, so that none tells rows apart"):
        fewer.select(np.ones((20, 3)))


def test_a_gap_with_a_limit_keeps_to_it():
    X = planted(1)
    assert len(fewer.select(X).indices) == 4
    assert len(fewer.select(X, n_features_to_select=fewer.stop.TopGap(max_features=2)).indices) <= 2


def test_a_method_that_needs_a_target_is_refused_without_one(tmp_path, capsys):
    pd.DataFrame(planted(0)[:, :3], columns=list("abc")).to_csv(tmp_path / "rows.csv", index=False)
    assert main(["select", str(tmp_path / "rows.csv"), "--no-target", "--method", "SSelect"]) != 0
    error = capsys.readouterr().err
    assert "SSelect needs a target, but --no-target was given" in error
    assert "or --no-target" not in error


def test_many_rows_are_sampled(monkeypatch):
    monkeypatch.setattr(_standing_out, "MOST_ROWS", 150)
    kept = fewer.select(planted(4, n=400)).indices
    assert len(kept)
    assert set(kept) <= {0, 1, 2, 3}


def test_counts_are_ordered_by_the_variance_of_their_weights(rng):
    counts = rng.poisson(0.2, (50, 12)).astype(float)
    counts[:25, 3] += 6.0
    counts[:, 4] = 1.0
    np.testing.assert_allclose(
        weight_variances(scipy.sparse.csr_array(counts)), oracle.weight_variances(counts), atol=1e-14
    )
    assert are_counts(scipy.sparse.csr_array(counts))
    assert not are_counts(scipy.sparse.csr_array(counts - 0.5))
    assert not are_counts(counts)
    found = fewer.select(scipy.sparse.csr_array(counts))
    assert found.indices[0] == 3
    assert "tf.idf" in found.reasons.rule


def test_command_line(tmp_path, capsys):
    path = str(tmp_path / "a.csv")
    pd.DataFrame(planted(5)).add_prefix("c").to_csv(path, index=False)
    assert main(["select", path, "--no-target"]) == 0
    assert "beyond chance" in " ".join(capsys.readouterr().out.split())
    assert main(["rank", path, "--no-target"]) == 0
    assert "LaplacianScore" in capsys.readouterr().out
    assert main(["select", path]) != 0
    assert "--no-target if there is none" in capsys.readouterr().err
    assert main(["select", path, "--no-target", "--target", "c0"]) != 0
    assert "leave one out" in capsys.readouterr().err
