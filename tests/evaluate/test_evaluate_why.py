"""Reasons in a comparison: what is a copy, a twin, a constant, and what is noise."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.data import read
from fewer.evaluate.evidence import gather, pvalues

N = 160


def table(seed=0):
    rng = np.random.default_rng(seed)
    a, b, weak = rng.normal(size=(3, N))
    y = (2 * a + b + weak > 0).astype(int)
    X = pd.DataFrame(
        {
            "a": a,
            "b": b,
            "copy": a,
            "constant": 1.0,
            "twin": a + 0.1 * rng.normal(size=N),
            "weak": weak,
            "weak twin": weak + 0.1 * rng.normal(size=N),
            **{f"noise {i}": rng.normal(size=N) for i in range(6)},
        }
    )
    return X, y


@pytest.fixture(scope="module")
def found():
    X, y = table()
    return fewer.compare(X, y, {"FCBF": fewer.FCBF(None), "FTest": "FTest"}, "naive Bayes", [1, 2], cv=4, naive=False)


def reasons(found, features):
    """Return the reasons as if the headline kept these features."""
    from dataclasses import replace

    from fewer.evaluate.why import selection_of

    names = list(found.names)
    places = np.array([names.index(name) for name in features])
    head = replace(found.best(), method="FCBF", size=2, features=tuple(places.tolist()), frequency=(1.0,) * len(places))
    return selection_of(found, head)


def test_copies_twins_constants_and_noise(found):
    selection = reasons(found, ["a", "b"])
    assert selection.kept_names == ["a", "b"]
    copy, twin = selection.reason("copy"), selection.reason("twin")
    assert (copy.kind, copy.related, copy.amount) == ("redundant", ("a",), 1.0)
    assert "the same values in every row" in str(copy)
    assert (twin.kind, twin.related) == ("redundant", ("a",))
    assert 0.97 < twin.amount < 1.0
    constant = selection.reason("constant")
    assert constant.kind == "irrelevant"
    assert "one value in all rows" in str(constant)
    for i in range(6):
        noise = selection.reason(f"noise {i}")
        assert noise.kind == "irrelevant"
        assert noise.related == ()


def test_twins_that_are_both_dropped_are_linked(found):
    selection = reasons(found, ["a", "b"])
    for one, other in (("weak", "weak twin"), ("weak twin", "weak")):
        reason = selection.reason(one)
        assert reason.kind == "not reached"
        assert f"nearly the same as {other} (0.99" in str(reason)
        assert "), which is dropped, too" in str(reason)
    original = reasons(found, ["b"]).reason("a")
    assert "the same values as copy in every row" in str(original)


def test_a_copy_in_place_of_its_original(found):
    selection = reasons(found, ["copy", "b"])
    assert selection.reason("a").related == ("copy",)
    assert selection.reason("twin").related == ("copy",)


def test_the_selection_is_that_of_the_headline(found):
    head, selection = found.best(), found.selection
    assert selection.indices.tolist() == list(head.features)
    assert f"chosen in {round(head.frequency[0] * 4)} of 4 folds" in str(selection.reason(int(head.features[0])))
    again = Comparison.from_json(found.to_json()).selection
    assert [str(again.reason(j)) for j in range(13)] == [str(selection.reason(j)) for j in range(13)]


def test_the_stable_choice(found):
    stability = {(m, k): found.stability(m, k).value for m in found.methods for k in found.sizes}
    bound = max(stability.values())
    stable = found.stable(bound)
    assert stable.stability == bound
    assert found.stability(stable.method, stable.size).value == bound
    assert "the best of all" not in stable.sentence
    assert f"the best of those with stability {bound:g} or more" in stable.sentence
    assert found.stable(1.01) is None


@pytest.mark.filterwarnings("ignore:Column:UserWarning")
def test_what_was_left_out_says_only_why():
    rng, y = np.random.default_rng(0), np.arange(80) % 2
    X = pd.DataFrame({"a": rng.normal(size=80) + 2 * y, "b": rng.normal(size=80), "leak": 2.0 * y})
    X["id"] = [f"P{i}" for i in range(80)]
    found = fewer.compare(X, y, ["FTest"], ["naive Bayes"], [1, 2], cv=2, drop="leaks", naive=False)
    for name, start in (("leak", "left out as a leak suspect"), ("id", "left out as an identifier")):
        reason = found.selection.reason(name)
        assert reason.kind == "irrelevant"
        assert str(reason).startswith(f"{name} is irrelevant: {start}")
        assert "best were asked for" not in str(reason)
    assert "adjusted p-value" in str(found.selection.reason("b"))


@pytest.mark.filterwarnings("ignore:Column:UserWarning")
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_text_and_curves_are_told_from_noise(task):
    flagged = np.zeros(5)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n = 400
        city, effect, bent = rng.integers(0, 60, n), rng.normal(size=60), rng.normal(size=n)
        X = pd.DataFrame({"city": [f"c{i}" for i in city], "bent": bent, "id": [f"r{i}" for i in range(n)]})
        X["noise"], X["levels"] = rng.normal(size=n), [f"l{i}" for i in rng.integers(0, 60, n)]
        z = effect[city] + bent**2 + 0.5 * rng.normal(size=n)
        data = read(X, (z > 1).astype(int) if task == "classification" else z, task=task)
        flagged += gather(data, np.arange(5))["pvalue"] < 0.05
    assert flagged[:3].tolist() == [8, 8, 0]
    # One in twenty is promised; of sixteen more than four come once in a thousand times.
    assert flagged[3:].sum() <= 4


def test_p_values_of_many_levels_that_tell_nothing():
    """Means of other rows, tested as if independent, would find a relation in every sixth such column."""
    low = 0
    for seed in range(20):
        rng = np.random.default_rng(1000 + seed)
        X = pd.DataFrame({f"c{i}": [f"l{v}" for v in rng.integers(0, 60, 300)] for i in range(5)})
        low += int((pvalues(read(X, rng.integers(0, 5, 300)).view, np.arange(5)) < 0.05).sum())
    # Of 100 at 5 %, more than 12 come once in a thousand times.
    assert low <= 12


def test_only_the_shared_test_calls_a_feature_irrelevant():
    """The F test does not see what is bent; the test that all methods share does."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(300, 4))
    y = (np.abs(Z[:, 0]) + 0.5 * Z[:, 1] + 0.3 * rng.normal(size=300) > 0.8).astype(int)
    X = pd.DataFrame(Z, columns=["bent", "straight", "noise", "more noise"])
    found = fewer.compare(X, y, {"F": fewer.FTest("fdr:0.05")}, "naive Bayes", cv=4, naive=False)
    assert found.evidence["pvalue"][0] < 1e-6
    bent, noise = found.selection.reason("bent"), found.selection.reason("noise")
    assert bent.kind == "not reached"
    assert noise.kind == "irrelevant"
    assert noise.quantity == "adjusted p-value"
    for reason in (bent, noise):
        # One p-value at most, and the one of the shared test.
        assert str(reason).count("p-value") == (reason is noise)
    assert found.selection.columns["method_pvalue"][0] > 0.05
