"""A subclass may fix in its constructor what it does not offer."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import fewer

RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 60)
X = RNG.normal(size=(60, 5)) + np.outer(Y, [1.0, 0.5, 0.0, 0.0, 0.0])


def fixed(name: str, **given):
    class Fixed(fewer.get(name)):
        """The same with fewer parameters."""

        def __init__(self, extra=1):
            super().__init__(**given)
            self.extra = extra

    return Fixed()


@pytest.mark.parametrize("name", ["JMI", "CFS", "InformationGain", "LVF", "DefaultRecipe", "FTest", "ReliefF"])
def test_levels_and_size_that_a_subclass_fixes_hold(name):
    expected = fewer.get(name)(n_features_to_select=2).fit(X, Y).selection_
    found = clone(fixed(name, n_features_to_select=2)).fit(X, Y).selection_
    assert found.order.tolist() == expected.order.tolist()
    assert len(found) == len(expected)


def test_a_search_that_a_subclass_fixes_holds():
    expected = fewer.SequentialSelector(direction="backward").fit(X, Y).selection_
    found = fixed("SequentialSelector", direction="backward").fit(X, Y).selection_
    assert [step.removed for step in found.trace] == [step.removed for step in expected.trace]
    assert any(step.removed for step in found.trace)
