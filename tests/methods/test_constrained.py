"""Features that are always kept and groups that are kept whole, with selectors of every family."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine

import fewer
from fewer.core.records.errors import ParameterError, RequirementError

X, Y = load_wine(return_X_y=True)
X, Y = X[::2], Y[::2]
GROUPS = [[0, 1], [5, 6, 7]]
SELECTORS = [
    fewer.FTest(3), fewer.FTest("fdr:1e-10"), fewer.FTest("gap"), fewer.FTest("4|p:0.05"), fewer.JMI(3), fewer.CMIM(3),
    fewer.GaussianMRMR(3), fewer.ReliefF(3), fewer.FCBF(3), fewer.CFS(), fewer.SequentialSelector(None, 3, cv=2),
    fewer.Selector(fewer.CFS.criterion, "sequential", "best"), fewer.Selector(fewer.JMI(), "greedy", 3),
    fewer.Selector(fewer.GiniGain.criterion, "top", 3), fewer.IAMB(), fewer.ConstantFilter(),
]  # fmt: skip


@pytest.mark.parametrize("selector", SELECTORS)
def test_fixed_features_are_kept_and_groups_are_whole(selector):
    made = fewer.Constrained(selector, fixed_features=[2], feature_groups=GROUPS).fit(X, Y)
    kept = set(made.selection_.indices.tolist())
    assert 2 in kept
    for group in GROUPS:
        assert len(kept.intersection(group)) in (0, len(group))
    size = selector.get_params().get("n_features_to_select")
    if isinstance(size, int):
        units = {next((k for k, g in enumerate(GROUPS) if j in g), -1 - j) for j in kept}
        # FCBF admits fewer than asked for.
        assert len(units) == size or (isinstance(selector, fewer.FCBF) and len(units) < size)
    assert "kept always" in str(made.selection_.reason(2))


@pytest.mark.parametrize("selector", [fewer.FTest(4), fewer.FTest("p:1e-5"), fewer.JMI(4), fewer.ReliefF(4)], ids=str)
def test_without_constraints_it_is_the_selector(selector):
    plain, made = clone(selector).fit(X, Y).selection_, fewer.Constrained(selector).fit(X, Y).selection_
    assert made.order.tolist() == plain.order.tolist()
    assert [str(made.reason(j)) for j in range(13)] == [str(plain.reason(j)) for j in range(13)]


def test_a_ranking_scores_a_group_as_its_best_member_with_its_p_value_times_the_members():
    plain = fewer.FTest(None).fit(X, Y).selection_
    made = fewer.Constrained(fewer.FTest("p:1e-3"), feature_groups=GROUPS).fit(X, Y).selection_
    group = GROUPS[1]
    np.testing.assert_allclose(made.columns["pvalue"][group], 3 * plain.columns["pvalue"][group].min())
    best = {j: max(plain.scores[group]) if j in group else plain.scores[j] for j in (6, 9, 12)}
    assert [j for j in made.order if j in best] == sorted(best, key=lambda j: -best[j])


def test_steps_see_what_is_fixed():
    made = fewer.Constrained(fewer.JMI(2), fixed_features=[12]).fit(X, Y).selection_
    assert made.indices[0] == 12
    pairs = [fewer.JMI(None).fit(X[:, [12, j]], Y).selection_.trace[1].value for j in range(12)]
    assert made.indices[1] == int(np.argmax(pairs))


def test_groups_by_name_label_and_dictionary_are_the_same():
    labels = [0, 0, 2, 3, 4, 1, 1, 1, 8, 9, 10, 11, 12]
    found = [
        fewer.Constrained(fewer.FTest(2), feature_groups=given).fit(X, Y).selection_.indices.tolist()
        for given in (GROUPS, labels, {"a": GROUPS[0], "b": GROUPS[1]})
    ]
    assert found[0] == found[1] == found[2]
    assert fewer.select(X, Y, "FTest", n_features_to_select=2, feature_groups=GROUPS).indices.tolist() == found[0]


@pytest.mark.parametrize(
    ("made", "error", "words"),
    [
        (fewer.Constrained(fewer.JMI(2), fixed_features=[0, 1, 2]), ParameterError, "ask for at least 3"),
        (fewer.Constrained("JMI"), RequirementError, "takes a selector of fewer"),
        (fewer.Constrained(fewer.FTest("probes:0.05"), fixed_features=[0]), RequirementError, "have no groups"),
        (fewer.Constrained(fewer.FTest(3), fixed_features=[99]), ParameterError, "names the column 99"),
    ],
)
def test_what_cannot_be_done_is_refused(made, error, words):
    with pytest.raises(error, match=words):
        made.fit(X, Y)


@pytest.mark.parametrize(
    "selector", [fewer.CFS(6), fewer.Consistency(6), fewer.StabilitySelection(n_features_to_select=6, random_state=0)]
)
def test_a_method_that_adds_to_its_own_set_does_so_with_groups(selector):
    assert len(clone(selector).fit(X, Y).selection_.indices) == 6
    made = fewer.Constrained(selector, fixed_features=[2], feature_groups=GROUPS).fit(X, Y).selection_
    kept = set(made.indices.tolist())
    units = {next((k for k, g in enumerate(GROUPS) if j in g), -1 - j) for j in kept}
    assert 2 in kept
    assert len(units) == 6
