"""Elimination in rounds with the scores for which it was made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import fewer
from fewer.core.records.errors import RequirementError
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.rrelieff import RReliefF
from fewer.methods.univariate.entropy_scores import InformationGain
from fewer.methods.univariate.impurity_scores import MDLScore
from oracles.turf import eliminate


@pytest.mark.parametrize("drop", [1, 0.25])
def test_relieff_is_computed_anew_in_every_round(rng, drop):
    X, y = rng.normal(size=(60, 12)), rng.integers(0, 2, 60)
    X[:, 7] += y
    part = ReliefF(n_neighbors=5)
    got = fewer.Selector(part, "turf", 3, drop=drop).fit(X, y).selection_
    kept, gone, last = eliminate(lambda some: clone(part).fit(some, y).scores_, X, 3, drop)
    assert got.indices.tolist() == kept
    assert got.order.tolist() == kept + gone[::-1]
    np.testing.assert_allclose(got.scores, last, atol=1e-12)
    assert not np.allclose(got.scores, clone(part).fit(X, y).scores_)


def test_interacting_features_rise_when_noise_leaves(shared_data):
    """Two of 1,000 features make the class, and only together; ten neighbours are too few to find them at once."""
    data = shared_data("gametes_2way_1000")
    X, y, relevant = data["X"], data["y"], data["relevant"]
    once = ReliefF(None, n_neighbors=10).fit(X, y).ranking_[relevant]
    rounds = fewer.Selector(ReliefF(n_neighbors=10), "turf", 10, drop=0.5).fit(X, y).ranking_[relevant]
    assert rounds.max() < once.max()
    assert rounds.max() <= 4


def test_selectors_bring_their_own_view_and_target(rng):
    X = rng.normal(size=(80, 6))
    y = X[:, 1] + 0.1 * rng.normal(size=80)
    assert fewer.Selector(RReliefF(), "turf", 1, drop=2).fit(X, y).selection_.indices.tolist() == [1]
    classes = (y > 0).astype(int)
    for search in ("top", "turf", "greedy"):
        part = InformationGain(discretizer="uniform", bins=4)
        got = fewer.Selector(part, search, 3).fit(X, classes).selection_
        assert (
            got.indices.tolist()
            == InformationGain(3, discretizer="uniform", bins=4).fit(X, classes).selection_.indices.tolist()
        )
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(g=np.where(classes == 1, "yes", "no"))
    frame.loc[3, "a"] = np.nan
    assert fewer.Selector(ReliefF(), "turf", 1, drop=3).fit(frame, classes).selection_.kept_names == ["g"]


def test_parts_of_a_selector_are_checked_and_cloned(rng):
    X, y = rng.normal(size=(30, 4)), np.tile([0, 1], 15)
    chosen = fewer.Selector(ReliefF(n_neighbors=3), "turf", 2)
    assert clone(chosen).set_params(criterion__n_neighbors=7).criterion.n_neighbors == 7
    with pytest.raises(ValueError, match="n_neighbors"):
        fewer.Selector(ReliefF(n_neighbors=0), "turf", 2).fit(X, y)
    with pytest.raises(RequirementError, match="p-values"):
        fewer.Selector(MDLScore(), n_features_to_select="fdr:0.1").fit(X, y)
    tested = fewer.Selector(fewer.FTest(), n_features_to_select="fdr:0.9").fit(X, y).selection_
    np.testing.assert_array_equal(tested.columns["pvalue"], fewer.FTest().fit(X, y).selection_.columns["pvalue"])
