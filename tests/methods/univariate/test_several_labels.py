"""Several labels per row: the counting filters take the mean of what they say of each label."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.utils import get_tags

import fewer
from common.cases import NAMES, tags_of
from fewer import registry
from fewer.core.records.errors import InputError, RequirementError

# Scores of terms have classes of their own, see tests/methods/text.
TAKING = [n for n in NAMES if "several labels" in tags_of(n).targets]
COUNTING = [n for n in TAKING if registry.entry(n).family == "univariate"]
LABELS = ["north", "south", "west"]


def data(n=90, d=6):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d))
    noise = rng.normal(size=(n, 3))
    Y = np.column_stack([X[:, 0] + noise[:, 0] > 0.3, X[:, 1] + noise[:, 1] > 0, X[:, 0] - X[:, 2] + noise[:, 2] > 1])
    return X, Y.astype(int)


def test_the_counting_filters_take_several_labels():
    counting = ["InformationGain", "GainRatio", "DistanceGain", "SymmetricalUncertainty", "GiniGain", "MDLScore"]
    moments = ["FTest", "TTest", "WelchTest", "SignalToNoise", "FisherScore", "RankSum", "KruskalWallis", "FeatureAUC"]
    assert [*counting, "MyopicRelief", "Chi2", *moments] == [n for n in COUNTING if n != "ScoreSelector"]
    assert get_tags(fewer.Chi2()).target_tags.multi_output
    assert not get_tags(fewer.MRMR()).target_tags.multi_output


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_the_mean_of_single_fits(name, weighted):
    if weighted and not tags_of(name).handles_weights:
        pytest.skip("takes no weights")
    X, Y = data()
    more = {"sample_weight": np.random.default_rng(0).integers(0, 4, len(X))} if weighted else {}
    single = [fewer.get(name)(n_features_to_select=None).fit(X, y, **more) for y in Y.T]
    found = fewer.get(name)(n_features_to_select=None).fit(X, pd.DataFrame(Y, columns=LABELS), **more)
    np.testing.assert_array_equal(found.scores_, np.mean([one.scores_ for one in single], axis=0))
    columns = found.selection_.columns
    for label, one in zip(LABELS, single):
        np.testing.assert_array_equal(columns[f"score of {label}"], one.scores_)
    if "pvalue" in single[0].selection_.columns:
        smallest = np.min([one.selection_.columns["pvalue"] for one in single], axis=0)
        np.testing.assert_array_equal(columns["pvalue"], np.minimum(3 * smallest, 1.0))
    counted = Y if not weighted else Y[more["sample_weight"] > 0]
    assert found.selection_.meta["data"]["labels"] == dict(zip(LABELS, counted.sum(axis=0).tolist()))


def test_every_way_to_give_labels_is_read_alike():
    X, Y = data()
    sets = [{LABELS[k] for k in np.flatnonzero(row)} for row in Y]
    expected = fewer.InformationGain(None).fit(X, Y).scores_
    for y in (Y.astype(bool), Y.tolist(), scipy.sparse.csc_array(Y), sets, [list(s) for s in sets], pd.Series(sets)):
        np.testing.assert_array_equal(fewer.InformationGain(None).fit(X, y).scores_, expected)
    found = fewer.InformationGain(None).fit(scipy.sparse.csr_array(np.round(X)), sets)
    assert f"score of {LABELS[0]}" in found.selection_.columns


def test_sizes_and_reasons_are_those_of_the_mean():
    X, Y = data()
    line = float(np.sort(fewer.GiniGain().fit(X, Y).scores_)[2:4].mean())
    one = fewer.GiniGain(f"threshold:{line}").fit(X, Y).selection_
    assert len(one) == 3
    assert set(one.indices) == set(np.flatnonzero(one.scores > line))
    dropped = int(one.order[-1])
    assert one.reason(dropped).kind == "irrelevant"
    assert one.reason(dropped).score == one.scores[dropped]
    kept = fewer.Chi2("p:0.05").fit(X, Y).selection_
    assert set(kept.indices) == set(np.flatnonzero(kept.columns["pvalue"] <= 0.05))
    assert 0 in fewer.InformationGain("probes:0.05").fit(X, Y).selection_.indices
    # A copy of all labels changes neither scores nor what they are compared with.
    twice = fewer.InformationGain(2).fit(X, np.hstack([Y, Y])).selection_
    np.testing.assert_allclose(twice.scores, fewer.InformationGain(2).fit(X, Y).scores_, rtol=1e-15)


def test_the_combined_p_value_keeps_its_promise_for_independent_features():
    rng, wrong = np.random.default_rng(0), 0
    for _ in range(60):
        Y = rng.integers(0, 2, (80, 4))
        wrong += len(fewer.Chi2("p:0.05", bins=2).fit(rng.normal(size=(80, 20)), Y).selection_)
    assert wrong / 1200 <= 0.065


def test_labels_of_all_rows_or_none_are_left_out():
    X, Y = data()
    more = np.column_stack([np.ones(len(X), int), Y, np.zeros(len(X), int)])
    found = fewer.GainRatio(None).fit(X, more)
    np.testing.assert_array_equal(found.scores_, fewer.GainRatio(None).fit(X, Y).scores_)
    with pytest.raises(InputError, match="labels that some rows have and others have not, but all 2 labels"):
        fewer.GainRatio().fit(X, more[:, [0, 4]])


def test_costs_are_those_of_having_a_label_or_not():
    X, Y = data()
    costs = [[0, 1], [5, 0]]
    single = [fewer.InformationGain(None, cost_matrix=costs).fit(X, y).scores_ for y in Y.T]
    found = fewer.InformationGain(None, cost_matrix=costs).fit(X, Y).scores_
    np.testing.assert_array_equal(found, np.mean(single, axis=0))


@pytest.mark.parametrize("discretizer", ["mdl", "relief"])
def test_levels_that_fit_one_target_are_refused(discretizer):
    X, Y = data()
    with pytest.raises(RequirementError, match=f"'{discretizer}' cuts where one target changes, but y holds"):
        fewer.InformationGain(discretizer=discretizer).fit(X, Y)


def test_dask_targets_of_several_columns_are_refused():
    import dask.array as da

    X, Y = data()
    with pytest.raises(InputError, match="Chi2 takes one value per row of a Dask target, but y has 2 dimensions"):
        fewer.Chi2().fit(da.from_array(X, chunks=(30, 6)), da.from_array(Y, chunks=(30, 3)))


def test_selectors_made_of_parts_take_them_too():
    X, Y = data()
    expected = fewer.InformationGain(2).fit(X, Y).selection_
    assert fewer.Selector(fewer.InformationGain(), n_features_to_select=2).fit(X, Y).selection_.indices.tolist() == (
        expected.indices.tolist()
    )
    chain = fewer.Chain([fewer.Chi2(4), fewer.InformationGain(2)]).fit(X, Y).selection_
    assert set(chain.indices) == set(expected.indices)
    assert fewer.ScoreSelector("Chi2", 3).fit(X, Y).scores_.tolist() == fewer.Chi2(3).fit(X, Y).scores_.tolist()
