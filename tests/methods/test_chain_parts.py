"""What a chain says of its parts: refusals before data, a part that keeps nothing, a method that comes twice."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest

import fewer
from fewer.core.records.errors import FewerError, RequirementError

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 3, 60)
X = RNG.normal(size=(60, 6)) + np.outer(Y, [1.0, 0.5, 0.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "part", ["FTest", fewer.FTest, 3, ("first", fewer.FTest()), SelectKBest(), fewer.MC1()], ids=str
)
def test_what_is_no_selector_is_refused_in_a_sentence(part):
    with pytest.raises(RequirementError, match="among its selectors, but takes selectors of fewer"):
        fewer.Chain([fewer.FTest(3), part]).fit(X, Y)


@pytest.mark.parametrize("part", [fewer.JMI(-2), fewer.JMI("fdr:0.05"), fewer.SequentialSelector(cv="bad")], ids=str)
def test_every_part_is_checked_without_data(part):
    with pytest.raises(FewerError):
        fewer.Chain([fewer.FTest(3), part]).check()


def test_a_chain_ends_where_nothing_is_left():
    chain = fewer.Chain([fewer.FTest("p:1e-300"), fewer.JMI(2)]).fit(X, Y)
    assert len(chain.selection_) == 0
    assert len(chain.selectors_) == 1
    assert "p-value" in str(chain.selection_.reason("x0"))


def test_a_method_that_comes_more_than_once_tells_all_its_numbers():
    columns = fewer.Chain([fewer.FTest(5), fewer.FTest(3), fewer.FTest(2)]).fit(X, Y).selection_.columns
    told = {name: int(np.isfinite(values).sum()) for name, values in columns.items() if name.startswith("score")}
    assert told == {"score by selector 2, FTest": 5, "score by selector 3, FTest": 3}
