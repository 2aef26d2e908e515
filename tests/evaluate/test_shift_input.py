"""What a shift cannot be computed of is refused in one sentence."""

from __future__ import annotations

import pytest
from sklearn.linear_model import LogisticRegression

from fewer.core.records.errors import FewerError
from fewer.evaluate.shift import linear_shift, network_shift
from fewer.synth import asia_network

CHAIN = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
ONES = [1, 1, 1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([[0, 1], [0]], ONES, ONES, 1, [0]), "no numbers in lines of equal length"),
        (([["a"]], ONES, ONES, 1, [0]), "no numbers"),
        (([[0, float("nan")], [0, 0]], [1, 1], [1, 1], 1, [0]), "NaN or infinity"),
        ((CHAIN, [1, 1], ONES, 1, [0]), r"noise=\[1, 1\], but needs a variance of 0 or more for each of the 3"),
        ((CHAIN, ONES, [1, -1, 1], 1, [0]), r"shifted=\[1, -1, 1\]"),
        ((CHAIN, ONES, "abc", 1, [0]), "shifted='abc'"),
        ((CHAIN, ONES, ONES, 3, [0]), "variable 3, but variables are 0 to 2"),
        ((CHAIN, ONES, ONES, 1, [-1]), "variable -1"),
        ((CHAIN, ONES, ONES, 1, ["x"]), "variable 'x'"),
        ((CHAIN, ONES, ONES, 1, [0, 1]), "the target or a feature, once"),
        ((CHAIN, ONES, ONES, 1, [0, 0]), "the target or a feature, once"),
        ((CHAIN, [0, 1, 1], ONES, 1, [0]), "determine each other"),
    ],
)
def test_linear_models_that_are_none_are_refused(given, words):
    with pytest.raises(FewerError, match=words):
        linear_shift(*given)


def test_without_features_the_variance_is_the_error():
    assert linear_shift(CHAIN, ONES, [4, 1, 1], 1, []) == (2.0, 5.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"network": "asia"}, "got str as network"),
        ({"target": "lungs"}, "no node 'lungs'.*Did you mean lung"),
        ({"manipulated": "xray"}, "manipulated='xray', but takes a list"),
        ({"manipulated": ["ray"]}, "no node 'ray'"),
        ({"sets": {"leak": ["lung", "xray"]}}, "set 'leak' with 'lung'"),
        ({"sets": {"one": "xray"}}, "the set 'one' of 'xray'"),
        ({"sets": {"one": ["rays"]}}, "no node 'rays'"),
        ({"n_samples": 0}, "n_samples=0, but takes a whole number of at least 1"),
        ({"n_samples": 10.5}, "n_samples=10.5"),
        ({"random_state": -1}, "random_state=-1"),
        ({"estimator": "tree"}, "estimator='tree', but takes a classifier"),
    ],
)
def test_networks_that_cannot_be_shifted_are_refused(change, words):
    given = {"network": asia_network(), "target": "lung", "manipulated": ["xray"], "n_samples": 50}
    with pytest.raises(FewerError, match=words):
        network_shift(**(given | change))


def test_another_classifier_may_be_given():
    found = network_shift(asia_network(), "bronc", ["dysp"], n_samples=400, estimator=LogisticRegression())
    assert set(found) == {"causes", "blanket", "all"}
