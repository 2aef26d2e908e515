"""The made data hold what their answers say: nobody could give these answers otherwise."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from real_life.all_cases import CASES, CLEAN, MESSY
from real_life.case import Case
from real_life.truth import Known


@pytest.fixture(autouse=True)
def quiet():
    # Classes of two rows are fewer than the folds, which is the point of one of the data sets.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_there_are_forty():
    assert (len(MESSY), len(CLEAN), len(CASES)) == (25, 15, 40)
    assert not any(case.answer.findings for case in CLEAN)


@pytest.mark.parametrize("name", CASES)
def test_signals_are_strong_and_noise_is_noise(name):
    case, known = CASES[name], Known.of(CASES[name])
    answer = case.honest or case.answer
    for feature in answer.signals:
        assert known.pvalue(feature) < 1e-6, feature
    noise = known.pvalues(answer.noise)
    every = np.array([*noise, *known.pvalues(answer.signals)])
    taken = stats.false_discovery_control(every)[: len(noise)] < 0.1
    assert taken.sum() <= answer.noise_kept
    # The smallest p-value of so many, and that of a set in which nothing may be found, are not remarkable.
    assert not len(noise) or noise.min() * len(noise) > (0.3 if answer.nothing else 0.05)


@pytest.mark.parametrize("name", [name for name, c in CASES.items() if len((c.honest or c.answer).keep) > 1])
def test_none_of_those_to_keep_can_be_spared(name):
    known, keep = Known.of(CASES[name]), list((CASES[name].honest or CASES[name].answer).keep)
    whole = known.score(keep)
    for one in keep:
        assert known.score([feature for feature in keep if feature != one]) < whole - 0.05, one


def _holds(known: Known, case: Case, feature: str, kind: str) -> bool:
    column = known.frame[feature]
    if kind == "leak":
        honest = known.score(list(case.honest.keep))
        return max(known.score([feature], tree=tree) for tree in (True, False)) > 0.99 > honest + 0.03
    if kind == "date":
        return pd.to_datetime(column, errors="coerce").notna().all()
    if kind == "duplicate":
        before = known.frame.columns[: known.frame.columns.get_loc(feature)]
        return any(column.equals(known.frame[other]) for other in before)
    return {
        "identifier": known.different(feature) == 1.0,
        "constant": column.nunique(dropna=False) == 1,
        "near-constant": column.nunique() > 1 and known.most_frequent(feature) >= 0.995,
        "mostly missing": 0.9 < known.missing(feature) < 1.0,
        "drift": known.shift(feature) > 0.9,
    }[kind]


@pytest.mark.parametrize("name", [case.name for case in MESSY if case.answer.findings])
def test_findings_are_there(name):
    known, case = Known.of(CASES[name]), CASES[name]
    for feature, kind in case.answer.findings.items():
        assert _holds(known, case, feature, kind), feature


@pytest.mark.parametrize("name", [case.name for case in CLEAN])
def test_nothing_to_find(name):
    known, case = Known.of(CASES[name]), CASES[name]
    columns = list(known.frame.columns)
    assert not known.frame.isna().any(axis=None)
    assert not known.frame.T.duplicated().any()
    for feature in columns:
        assert known.most_frequent(feature) < 0.9, feature
        assert case.name == "sorted_by_target" or known.shift(feature) < 0.4, feature
    for feature in case.answer.signals:
        assert known.score([feature], tree=True) < 0.99, feature
