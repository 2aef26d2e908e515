"""Arrays of other libraries, and targets that methods do not take."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from common.cases import QUICK, tags_of
from fewer import registry
from fewer.core.records.errors import InputError

TAKE_TARGETS = [
    e.name
    for e in registry.METHODS
    if tags_of(e.name).needs_target
    and "survival" not in tags_of(e.name).targets
    and not {"texts", "sequences"} & set(tags_of(e.name).views)
]


class Foreign:
    """As much of the array API standard as an array needs to come in and to be given back."""

    def __init__(self, values, device="cpu"):
        self.values, self.device = np.asarray(values), device
        self.shape, self.dtype, self.ndim = self.values.shape, self.values.dtype, self.values.ndim

    def __array_namespace__(self, api_version=None):
        return Space

    def __array__(self, dtype=None, copy=None):
        if self.device != "cpu":
            raise TypeError("not in memory")
        if self.values.dtype == object:
            raise TypeError("no such numbers")
        return self.values


class Space:
    @staticmethod
    def asarray(values, device=None):
        return Foreign(values, device)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    return X, (X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("name", ["FTest", "MRMR", "SequentialSelector", "ReliefF"])
def test_an_array_of_another_library_comes_back_as_one(name, data):
    X, y = data
    plain = registry.load(name)(n_features_to_select=2).fit(X, y)
    made = registry.load(name)(n_features_to_select=2).fit(Foreign(X), Foreign(y))
    assert made.selection_.indices.tolist() == plain.selection_.indices.tolist()
    out = made.transform(Foreign(X))
    assert isinstance(out, Foreign)
    assert np.array_equal(out.values, plain.transform(X))
    assert made.set_output(transform="pandas").transform(Foreign(X)).shape == (40, 2)


def test_weights_of_another_library_are_read(data):
    X, y = data
    weight = np.arange(40) % 3
    found = fewer.JMI(2).fit(Foreign(X), Foreign(y), sample_weight=Foreign(weight)).selection_
    assert found.indices.tolist() == fewer.JMI(2).fit(X, y, sample_weight=weight).selection_.indices.tolist()
    assert fewer.select(Foreign(X), y, method="FTest").n_features == 4
    groups = np.arange(40) // 4
    found = fewer.SequentialSelector(n_features_to_select=2).fit(X, y, groups=Foreign(groups))
    plain = fewer.SequentialSelector(n_features_to_select=2).fit(X, y, groups=groups)
    assert np.array_equal(found.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"])


def test_numbers_that_numpy_has_not_are_refused_as_such(data):
    X, y = data
    with pytest.raises(
        InputError, match=r"that numpy cannot read \(no such numbers\), but reads dense arrays of numbers"
    ):
        fewer.FTest().fit(Foreign(X.astype(object)), y)


def test_an_array_on_a_device_is_refused_in_one_sentence(data):
    X, y = data
    with pytest.raises(InputError, match="on the device gpu, but reads arrays in the memory of the machine; move it"):
        fewer.FTest().fit(Foreign(X, "gpu"), y)
    with pytest.raises(InputError, match="on the device gpu"):
        fewer.FTest(1).fit(X, y).transform(Foreign(X, "gpu"))


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_real_libraries(library, data):
    xp = pytest.importorskip(library)
    X, y = data
    made = fewer.FTest(2).fit(xp.asarray(X), xp.asarray(y))
    out = made.transform(xp.asarray(X))
    assert type(out) is type(xp.asarray(X))
    assert np.array_equal(np.asarray(out), fewer.FTest(2).fit(X, y).transform(X))


@pytest.mark.parametrize("name", TAKE_TARGETS)
def test_a_survival_target_is_refused_in_one_sentence(name):
    rng = np.random.default_rng(0)
    X = np.abs(rng.normal(size=(30, 4)))
    y = np.zeros(30, dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = rng.random(30) > 0.4, rng.random(30) + 1
    with pytest.raises(InputError, match="an event and a time per row; give the time, or the event, alone") as caught:
        registry.load(name)(**QUICK.get(name, {})).fit(X, y)
    assert str(caught.value).count(". ") == 0
