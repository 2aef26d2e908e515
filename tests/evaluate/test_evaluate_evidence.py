"""The same feature has the same p-value, and is relevant or not, in a selection and in a comparison."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import fewer
from fewer.core.folds.orders import FALSE_DISCOVERIES
from fewer.evaluate.data import examined, read
from fewer.evaluate.evidence import gather

pytestmark = pytest.mark.filterwarnings("ignore")


def mixed(rng, n, task):
    """Return columns of all kinds, some with missing values, a copy, a constant and an identifier."""
    a, b = rng.normal(size=(2, n))
    z = a + 0.5 * b**2 + rng.normal(size=n)
    X = pd.DataFrame({"a": a, "b": b, "copy": a, "constant": 1.0, "noise": rng.normal(size=n)})
    X["gaps"] = np.where(rng.random(n) < 0.3, np.nan, a + rng.normal(size=n))
    X["city"] = [f"c{i}" for i in rng.integers(0, 30, n)]
    X["few"] = pd.Categorical(np.where(z > 1, "high", np.array(["low", "none"])[rng.integers(0, 2, n)]))
    X["rare"] = (rng.random(n) < 0.05).astype(float)
    X["counts"] = rng.poisson(2, n)
    X["id"] = [f"row {i}" for i in range(n)]
    return X, z if task == "regression" else np.where(z > 1, "yes", "no")


def random(rng, n, task):
    X = rng.normal(size=(n, 6))
    return X, X[:, 0] + rng.normal(size=n) if task == "regression" else rng.integers(0, 3, n)


def of_both(X, y, **rows):
    """Return p-values and adjusted ones of a comparison, and the selection of the default recipe."""
    selection = fewer.select(X, y, **rows)
    data = examined(read(X, y, weight=rows.get("sample_weight")), None, None)[0]
    object.__setattr__(data, "groups", rows.get("groups"))
    found = gather(data, np.arange(data.n_features))
    return found, selection, data.columns


@pytest.mark.parametrize("make", [random, mixed])
@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("n", [14, 60, 300])
def test_the_p_values_are_those_of_select(make, task, n):
    for seed in range(3):
        X, y = make(np.random.default_rng([seed, n]), n, task)
        found, selection, columns = of_both(X, y)
        np.testing.assert_array_equal(found["alone"][columns], selection.columns["pvalue"][columns])
        assert np.isfinite(found["alone"][columns]).all()


@pytest.mark.parametrize("what", ["sample_weight", "groups"])
def test_weights_and_groups(what, rng):
    X, y = mixed(rng, 120, "classification")
    given = {"sample_weight": rng.random(120) + 0.1, "groups": np.arange(120) // 3}[what]
    found, selection, columns = of_both(X, y, **{what: given})
    np.testing.assert_array_equal(found["alone"][columns], selection.columns["pvalue"][columns])
    assert not np.array_equal(found["alone"], of_both(X, y)[0]["alone"], equal_nan=True)


def test_sparse_rows(rng):
    X = sparse.random(80, 12, 0.3, format="csr", random_state=0)
    y = (X.toarray()[:, 0] + 0.2 * rng.normal(size=80) > 0.1).astype(int)
    found, selection, columns = of_both(X, y)
    np.testing.assert_array_equal(found["alone"][columns], selection.columns["pvalue"][columns])


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_what_is_irrelevant_to_one_is_so_to_the_other(task):
    X, y = mixed(np.random.default_rng(5), 200, task)
    X = X.drop(columns="copy")
    classes = task == "classification"
    method, model = ("SymmetricalUncertainty", "naive Bayes") if classes else ("VarianceReduction", "ridge")
    compared = fewer.compare(X, y, [method], [model], [1], cv=5)
    here, there = compared.selection, fewer.select(X, y)
    assert compared.best().beats_chance
    np.testing.assert_array_equal(compared.evidence["alone"][[0, 1, 3]], there.columns["pvalue"][[0, 1, 3]])
    for name in ("noise", "city", "rare", "counts", "constant"):
        assert (here.reason(name).kind == "irrelevant") == (there.reason(name).kind == "irrelevant")
    irrelevant = compared.evidence["pvalue"] > FALSE_DISCOVERIES
    kinds = np.array([there.reason(j).kind for j in range(len(X.columns))])
    assert ((kinds == "irrelevant")[irrelevant]).all()


def test_a_copy_has_the_p_value_of_its_original_and_a_constant_none(rng):
    X, y = mixed(rng, 80, "classification")
    found = of_both(X, y)[0]
    names = list(X.columns)
    assert found["alone"][names.index("copy")] == found["alone"][names.index("a")]
    assert np.isnan(found["alone"][names.index("constant")])
    assert (names.index("copy"), names.index("a")) in found["copies"]
    assert found["constant"] == [names.index("constant")]


def test_targets_of_extreme_size_are_tested_alike(rng):
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + rng.normal(size=60)
    usual = of_both(X, y)[0]["alone"]
    for power in (-600, 600):
        data = read(X, np.ldexp(y, power), task="regression")
        np.testing.assert_array_equal(gather(data, np.arange(3))["alone"], usual)
