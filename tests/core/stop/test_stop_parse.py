"""What users write, and what comes back."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.stop import (
    All,
    AnyOf,
    BenjaminiHochberg,
    BenjaminiYekutieli,
    Between,
    Bonferroni,
    Budget,
    Count,
    Fraction,
    Gain,
    Holm,
    Patience,
    Probes,
    PValue,
    Threshold,
    TopGap,
    Wanted,
    as_stop,
)

WRITTEN = [
    (10, Count(10)),
    (np.int64(3), Count(3)),
    (0.2, Fraction(0.2)),
    (np.float32(0.5), Fraction(0.5)),
    (1, Count(1)),
    (1.0, All()),
    (None, All()),
    ("all", All()),
    ("10", Count(10)),
    ("0.2", Fraction(0.2)),
    ("1.0", All()),
    ("threshold:0.1", Threshold(0.1)),
    ("threshold:-2", Threshold(-2)),
    ("gain:1e-3", Gain(1e-3)),
    ("gain", Gain(0.0)),
    ("patience:5", Patience(5)),
    ("patience:5,tol=0.01", Patience(5, 0.01)),
    ("fdr:0.05", BenjaminiHochberg(0.05)),
    ("by:0.05", BenjaminiYekutieli(0.05)),
    ("fwer:0.05", Holm(0.05)),
    ("bonferroni:0.05", Bonferroni(0.05)),
    ("p:0.01", PValue(0.01)),
    ("probes:0.05", Probes(risk=0.05)),
    ("probes:0.1,n_probes=50", Probes(50, 0.1)),
    ("gap", TopGap()),
    ("gap:max_features=9, min_features=2", TopGap(2, 9)),
    ("seconds:60", Budget(seconds=60)),
    ("evaluations:1000", Budget(evaluations=1000)),
    ("seconds:60,evaluations=1000", Budget(60, 1000)),
    ("20|fdr:0.05", Count(20) | BenjaminiHochberg(0.05)),
    (" 20 | GAIN : 0 ", Count(20) | Gain()),
]

RULES = [
    *dict.fromkeys(rule for _, rule in WRITTEN),
    Gain(1 / 3),
    Fraction(1e-7),
    Threshold(123456789.123),
    Count(12345678),
    Budget(evaluations=2_000_000),
]


@pytest.mark.parametrize(("value", "rule"), WRITTEN, ids=[repr(value) for value, _ in WRITTEN])
def test_written_values(value, rule):
    assert as_stop(value) == rule


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_rules_survive(rule):
    assert as_stop(rule) is rule
    assert as_stop(str(rule)) == rule
    assert pickle.loads(pickle.dumps(rule)) == rule
    assert copy.deepcopy(rule) == rule
    assert hash(copy.deepcopy(rule)) == hash(rule)
    assert eval(repr(rule)) == rule
    assert clone(Owner(rule)).rule == rule


class Owner(BaseEstimator):
    def __init__(self, rule=None):
        self.rule = rule


def test_texts_are_short():
    assert str(Count(20) | BenjaminiHochberg(0.05)) == "20|fdr:0.05"
    assert str(Budget(evaluations=1000)) == "evaluations:1000"
    assert str(Probes(risk=0.05)) == "probes:0.05"
    assert str(Gain(1e-3)) == "gain:0.001"
    assert str(TopGap()) == "gap"


def test_numpy_numbers_become_plain_ones():
    assert repr(Count(np.int64(5))) == "Count(n=5)"
    assert repr(Threshold(np.float32(0.5))) == "Threshold(value=0.5)"


def test_different_rules_differ():
    assert Count(1) != Count(2)
    assert Holm(0.05) != Bonferroni(0.05)
    assert BenjaminiHochberg(0.05) != BenjaminiYekutieli(0.05)
    assert AnyOf((Count(1),)) != Count(1)


BAD_VALUES = [True, False, np.True_, 0, -1, 5.0, 1.5, 0.0, -0.1, float("nan"), float("inf"), [3], {}, 1j]
BAD_TEXTS = ["", "0", "-3", "5.0", "nan", "most", "fdrr:0.05", "|", "3|", "all:3", "gap:3", "patience"]
BAD_ARGUMENTS = ["threshold", "threshold:", "threshold:x", "fdr:2", "fdr:0.05,0.1", "fdr:alpha", "seconds:-1"]
BAD_JOINTS = [
    "patience:2.5",
    "patience:3,steps=4",
    "p:0.1,alpha=0.1",
    "gain:0|fdr:0.05",
    "probes:0.05,n_probes=3",
]


@pytest.mark.parametrize("value", [*BAD_VALUES, *BAD_TEXTS, *BAD_ARGUMENTS, *BAD_JOINTS], ids=repr)
def test_bad_values_are_answered(value):
    with pytest.raises(ParameterError) as caught:
        as_stop(value)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith((".", "?"))


def test_messages_say_where_what_and_which_forms():
    with pytest.raises(ParameterError, match=r"k_best got 'many'.*'fdr:0.05'.*joined by '\|'"):
        as_stop("many", where="k_best")
    with pytest.raises(ParameterError, match="Did you mean threshold"):
        as_stop("treshold:0.1")
    with pytest.raises(ParameterError, match="n_features_to_select got True"):
        as_stop(True)
    with pytest.raises(ParameterError, match=r"'fdr:2' fails: BenjaminiHochberg got alpha=2"):
        as_stop("3|fdr:2")


@pytest.mark.parametrize(
    ("given", "rule", "text"),
    [
        ("best", Between(), "best"),
        ("parsimonious", Between(choose="parsimonious"), "parsimonious"),
        ("2-10", Between(2, 10), "2-10"),
        ("best:2 - 10", Between(2, 10), "2-10"),
        ("parsimonious:2-10", Between(2, 10, "parsimonious"), "parsimonious:2-10"),
        ((2, 10), Between(2, 10), "2-10"),
    ],
)
def test_sizes_that_a_search_finds_are_read(given, rule, text):
    assert as_stop(given) == rule
    assert str(rule) == text
    assert as_stop(text) == rule


@pytest.mark.parametrize("given", ["5-2", (0, 3), "0-3", (3, 2), (1, 2, 3), (1.5, 2), (True, 3)])
def test_ranges_that_are_none_are_refused(given):
    with pytest.raises(ParameterError, match="n_features_to_select got"):
        as_stop(given)


def test_every_rule_says_what_a_search_through_subsets_shall_find():
    assert as_stop(5).wanted(3) == Wanted(3, 3)
    assert as_stop(0.5).wanted(10) == Wanted(5, 5)
    assert as_stop(None).wanted(7) == Wanted(7, 7)
    assert as_stop("2-10").wanted(6) == Wanted(2, 6)
    assert as_stop("best").wanted(6) == Wanted(1, 6, free=True)
    assert as_stop("gain:0.1|4|seconds:9").wanted(6) == Wanted(1, 4, gain=0.1, patience=1, seconds=9.0, free=True)
    with pytest.raises(RequirementError, match="search through subsets"):
        as_stop("threshold:0.1").wanted(6)


def test_a_rule_can_be_held_to_a_size():
    assert as_stop(7).at_most(3) == as_stop(0.5).at_most(3) == as_stop(None).at_most(3) == Count(3)
    assert as_stop("parsimonious").at_most(3) == Between(1, 3, "parsimonious")
    assert as_stop("5-9").at_most(3) == Between(3, 3)
    assert as_stop("fdr:0.05").at_most(3) == as_stop("3|fdr:0.05")
