"""Survival scores: oracles, published numbers, forms of the target, refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import InputError
from oracles.survival import cox_z, harrell

# Remission times in weeks of Freireich et al. (1963), treated and placebo, as printed by Cox (1972).
TREATED = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
SEEN = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]


def target(event, time):
    out = np.empty(len(time), dtype=[("event", bool), ("time", float)])
    out["event"], out["time"] = event, time
    return out


def leukaemia():
    return np.repeat([[0.0], [1.0]], 21, axis=0), target([*SEEN, *[1] * 21], [*TREATED, *PLACEBO])


@pytest.mark.parametrize("seed", range(6))
def test_scores_are_those_of_loops(seed):
    rng = np.random.default_rng(seed)
    n = [2, 5, 12, 40, 40, 60][seed]
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 3, n), np.ones(n), 1e9 + rng.normal(size=n)])
    X = np.column_stack([X, 1e-200 * X[:, 0]])
    time = rng.integers(1, 8, n).astype(float) if seed % 2 else rng.random(n)
    event = rng.random(n) < 0.7
    event[0] = True
    y, scaled = target(event, time), X.copy()
    scaled[:, 4] = X[:, 0]
    for ties in ("efron", "breslow", "hypergeometric"):
        z = fewer.CoxScore(None, tied_events=ties).fit(X, y).selection_.columns["statistic"]
        expected = [cox_z(x - x.mean(), time, event, ties) for x in scaled.T]
        np.testing.assert_allclose(z, expected, rtol=1e-6, atol=1e-7)
    middle = np.sort(X, axis=0)[(n - 1) // 2]
    split = np.where((middle < X).any(axis=0), middle < X, middle <= X).astype(float)
    z = fewer.LogRank(None).fit(X, y).selection_.columns["statistic"]
    np.testing.assert_allclose(z, [cox_z(x, time, event, "hypergeometric") for x in split.T], rtol=1e-9, atol=1e-12)
    found = fewer.Concordance(None).fit(X, y).selection_.columns["concordance"]
    np.testing.assert_allclose(found, [harrell(x, time, event) for x in X.T], rtol=1e-14)


@pytest.mark.parametrize("ties", ["efron", "breslow", "hypergeometric"])
def test_a_row_that_is_never_at_risk_changes_nothing(rng, ties):
    x, time = rng.normal(size=30), rng.integers(1, 9, 30).astype(float)
    x -= time
    event = rng.random(30) < 0.8
    without = fewer.CoxScore(None, tied_events=ties).fit(x[:, None], target(event, time)).selection_
    first = target([False, *event], [0.5, *time])
    beside = fewer.CoxScore(None, tied_events=ties).fit(np.append(1e9, x)[:, None], first).selection_
    np.testing.assert_allclose(beside.columns["statistic"], without.columns["statistic"], rtol=1e-12)
    assert beside.columns["pvalue"][0] < 1e-3


def test_published_numbers_of_the_leukaemia_trial():
    X, y = leukaemia()
    # Printed by R (survival): survdiff and coxph with ties by Efron and by Breslow.
    assert fewer.LogRank(1).fit(X, y).scores_[0] ** 2 == pytest.approx(16.79, abs=0.005)
    assert fewer.CoxScore(1).fit(X, y).scores_[0] ** 2 == pytest.approx(17.25, abs=0.005)
    assert fewer.CoxScore(1, tied_events="breslow").fit(X, y).scores_[0] ** 2 == pytest.approx(15.93, abs=0.005)
    # Placebo means early relapse.
    assert fewer.CoxScore(1).fit(X, y).selection_.columns["statistic"][0] > 0


def test_every_form_of_the_target_is_read_alike():
    X, y = leukaemia()
    expected = fewer.CoxScore(1).fit(X, y).scores_
    for given in (
        y[["time", "event"]],
        pd.DataFrame({"weeks": y["time"], "relapse": y["event"].astype(int)}),
        np.column_stack([y["event"], y["time"]]),
    ):
        assert fewer.CoxScore(1).fit(X, given).scores_ == expected
    everyone = target(np.ones(42, bool), y["time"])
    assert fewer.CoxScore(1).fit(X, y["time"]).scores_ == fewer.CoxScore(1).fit(X, everyone).scores_
    assert fewer.select(X, y).meta["method"] == "CoxScore"


@pytest.mark.parametrize(
    ("event", "time", "words"),
    [([0, 0, 0], [1, 2, 3], "none was seen"), ([1, 0, 1], [1, np.nan, 3], "not all finite")],
)
def test_what_is_no_survival_target_is_refused(event, time, words):
    with pytest.raises(InputError, match=words):
        fewer.Concordance().fit(np.eye(3), target(event, time))


def test_other_methods_name_one_that_takes_it():
    X, y = leukaemia()
    with pytest.raises(InputError, match="an event and a time per row.*such as CoxScore"):
        fewer.JMI().fit(X, y)


def test_comparisons_refuse_files_with_such_targets_in_a_sentence(tmp_path, rng):
    path = tmp_path / "trial.csv"
    frame = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("pqr"))
    frame.assign(days=np.abs(frame["p"]) + 1.5, died=rng.integers(0, 2, 40)).to_csv(path, index=False)
    survival = fewer.open_table(path, event="died", time="days")
    several = fewer.open_table(path, target=["p", "days"])
    for table, words in ((survival, "an event and a time per row"), (several, "several numbers per row")):
        for methods in (["CoxScore"], None):
            with pytest.raises(InputError, match=f"compare takes one class per row or one number.*{words}"):
                fewer.compare(table, methods=methods)
    with pytest.raises(InputError, match="an event and a time per row"):
        fewer.get("MC1")().fit(survival.load())
