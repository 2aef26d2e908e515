"""Votes of pipelines: the numbers of book ch. 19, and every step against doing it by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GroupKFold, ShuffleSplit, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import fewer
from fewer.core.measures.relative_error import relative_absolute_error
from fewer.evaluate.robustness import cross_dataset_robustness
from fewer.methods.ensembles._pipelines import SECONDARY, grid, principal_columns
from fewer.methods.ensembles._spectra import gap_bins, normalized_values, representatives, z_scores
from fewer.methods.ensembles._votes import feature_votes, incremental_set
from oracles import voting as oracle

# Coordinates of the chapter: the six features with most votes (section 19.6).
SIX = [245.24466, 261.88643, 435.07512, 2.8548732, 433.90794, 222.41828]
FAST = {"normalizations": ["none", "nv"], "secondary": ["none", "cfs_greedy"], "classifiers": ["naive_bayes"], "cv": 3}


@pytest.fixture(scope="module")
def spectra():
    """Sixty rows of 40 intensities, of which those around two coordinates differ between the classes."""
    rng = np.random.default_rng(5)
    coordinates = np.sort(rng.uniform(0, 30, 40))
    y = np.arange(60) % 2
    X = rng.gamma(2.0, 1.0, (60, 40))
    X[:, np.abs(coordinates - 10) < 1] += 4.0 * y[:, None]
    X[:, np.abs(coordinates - 22) < 1] += 3.0 * (1 - y)[:, None]
    return X, y, coordinates


def test_example_of_the_catalogue():
    sets = [np.array([0, 1]), np.array([0]), np.array([0, 1, 2, 3])]
    found = feature_votes(sets, np.array([0.9, 0.8, 1.0]), 4)
    np.testing.assert_allclose(found.s, [2.7, 1.9, 1.0, 1.0])
    np.testing.assert_allclose(found.ws, [1.5, 0.7, 0.25, 0.25])
    assert found.count.tolist() == [3, 2, 1, 1]


def test_votes_add_up_and_agree_with_the_definition(rng):
    for _ in range(50):
        p, n = rng.integers(1, 9), rng.integers(1, 12)
        sets = [np.flatnonzero(rng.random(p) < 0.4) for _ in range(n)]
        a = np.where([len(chosen) > 0 for chosen in sets], rng.random(n), np.nan)
        found = feature_votes(sets, a, p)
        s, ws = oracle.votes([chosen for chosen in sets if len(chosen)], a[~np.isnan(a)], p)
        np.testing.assert_allclose(found.s, s, atol=1e-12)
        np.testing.assert_allclose(found.ws, ws, atol=1e-12)
        assert found.ws.sum() == pytest.approx(np.nansum(a))
        assert found.s.sum() == pytest.approx(sum(len(c) * v for c, v in zip(sets, a) if len(c)))


def test_features_within_one_are_merged_and_the_most_voted_stands_for_them():
    """433.908 and 435.075 are 1.167 apart and stay two; 245.24 and 245.83 become one."""
    coordinates = np.array([*SIX, 245.8296])
    sets = [np.array([0, 2]), np.array([6, 4]), np.array([6]), np.array([0, 6])]
    found = feature_votes(sets, np.ones(4), 7, coordinates)
    assert found.stands_for.tolist() == [6, 1, 2, 3, 4, 5, 6]
    assert found.count.tolist() == [0, 0, 1, 0, 1, 0, 4]
    # The last pipeline has one feature after merging, so that the sum stays that of the accuracies.
    np.testing.assert_allclose(found.ws, [0, 0, 0.5, 0, 0.5, 0, 3.0])
    apart = feature_votes(sets, np.ones(4), 7, coordinates, 0.5)
    assert apart.stands_for.tolist() == list(range(7))


def test_table_19_1_has_192_pipelines_and_102_different_choices():
    asked = fewer.FeatureVoting(secondary="all", classifiers="all")._options()
    assert len(asked) == 192
    assert len(SECONDARY) == 8
    ways = {option.chooses_by for option in asked}
    # 6 x (1 + 3 + 1) choices without a classifier, 6 x 3 with each of the four.
    assert len(ways) == 30 + 18 * 4
    assert len(grid(["none"], ["min_p"], ["none"], 1)) == 1


@pytest.mark.parametrize("axis", [0, 1])
def test_normalisations(axis, rng):
    X = rng.normal(size=(6, 5)) * 100
    X[2 if axis == 1 else (slice(None), 3)] = 4.0
    nv, z = normalized_values(X, axis), z_scores(X, axis)
    assert nv.min() == 0
    assert nv.max() == 1
    same = (slice(None), 3) if axis == 0 else 2
    assert (nv[same] == 0).all()
    assert (z[same] == 0).all()
    if axis == 0:
        keep = [0, 1, 2, 4]
        np.testing.assert_allclose(z[:, keep], StandardScaler().fit_transform(X[:, keep]))
    else:
        np.testing.assert_allclose(z[0], (X[0] - X[0].mean()) / X[0].std())


def test_scaling_columns_changes_neither_the_test_nor_its_bins(spectra):
    X, y, coordinates = spectra
    params = {**FAST, "secondary": ["none"], "bin_representatives": ["min_p"], "axis": "columns"}
    found = [
        fewer.FeatureVoting(4, coordinates=coordinates, **{**params, "normalizations": [how]}).fit(X, y).selection_
        for how in ("none", "nv", "zscore")
    ]
    assert {tuple(np.flatnonzero(one.columns["votes"])) for one in found} == {
        tuple(np.flatnonzero(found[0].columns["votes"]))
    }


def test_bins_are_those_of_walking_up(rng):
    for _ in range(40):
        coordinates = rng.uniform(0, 20, rng.integers(1, 30)).round(1)
        found = gap_bins(coordinates, 1.0)
        groups = oracle.bins(coordinates, 1.0)
        assert [sorted(np.flatnonzero(found == b).tolist()) for b in range(found.max() + 1)] == [
            sorted(g) for g in groups
        ]
        worth = rng.integers(0, 3, len(coordinates)).astype(float)
        best = sorted(max(sorted(g), key=lambda j: worth[j]) for g in groups)
        assert representatives(found, worth).tolist() == best
    # Strictly closer: a gap of exactly 1 divides.
    assert gap_bins(np.array([0.0, 1.0, 1.5, 2.4]), 1.0).tolist() == [0, 1, 1, 1]


def test_preselection_and_bins_of_a_pipeline_are_those_by_hand(spectra):
    X, y, coordinates = spectra
    for kind in ("min_p", "max_mean"):
        made = fewer.FeatureVoting(
            None,
            coordinates=coordinates,
            normalizations=["nv"],
            bin_representatives=[kind],
            secondary=["none"],
            classifiers=["naive_bayes"],
            preselect=15,
            cv=3,
        )
        found = made.fit(X, y).selection_
        N = normalized_values(X)
        left = oracle.preselected(N, y, 15)
        groups = oracle.bins(coordinates[left], 1.0)
        if kind == "max_mean":
            worth = N[:, left].mean(axis=0)
        else:
            worth = [-fewer.RankSum(None).fit(N[:, [j]], y).selection_.columns["pvalue"][0] for j in left]
        best = sorted(left[max(sorted(g), key=lambda i: worth[i])] for g in groups)
        assert np.flatnonzero(found.columns["votes"]).tolist() == best
        table = found.tables["pipelines"].columns
        accuracy = cross_val_score(GaussianNB(), N[:, best], y, cv=StratifiedKFold(3)).mean()
        assert table["accuracy"] == [pytest.approx(accuracy)]
        np.testing.assert_allclose(found.scores[best], accuracy / len(best))


def test_principal_columns_cover_95_percent(rng):
    X = rng.normal(size=(80, 6))
    X[:, 5] = X[:, 4] + 0.01 * rng.normal(size=80)
    X = np.column_stack([X, np.ones(80)])
    Z = StandardScaler().fit_transform(X[:, :6])
    values, vectors = np.linalg.eigh(np.cov(Z.T))
    values, vectors = values[::-1], vectors[:, ::-1]
    k = int(np.flatnonzero(np.cumsum(values) / values.sum() >= 0.95)[0]) + 1
    weight = (vectors[:, :k] ** 2 * values[:k]).sum(axis=1)
    assert principal_columns(X).tolist() == sorted(np.argsort(-weight)[:k].tolist())
    assert len(principal_columns(np.ones((5, 2)))) == 0


def test_best_first_never_ends_below_greedy_on_the_same_merit(spectra):
    X, y, _ = spectra
    for second in ("cfs", "wrapper"):
        values = []
        for search in ("greedy", "best_first"):
            params = {**FAST, "normalizations": ["none"], "secondary": [f"{second}_{search}"]}
            chosen = np.flatnonzero(
                fewer.FeatureVoting(1, preselect=12, **params).fit(X, y).selection_.columns["votes"]
            )
            if second == "wrapper":
                values.append(cross_val_score(GaussianNB(), X[:, chosen], y, cv=StratifiedKFold(5)).mean())
            else:
                criterion = fewer.CFS(discretizer="mdl")
                found = fewer.Selector(criterion, "exhaustive", len(chosen)).fit(X[:, chosen], y).selection_
                values.append(found.meta["value"])
        assert values[1] >= values[0] - 1e-12


def test_relative_absolute_error():
    y = np.array([0, 1, 1, 1])
    assert relative_absolute_error(np.full(4, 0.75), y) == 1.0
    assert relative_absolute_error(y, y) == 0.0
    assert relative_absolute_error(np.array([1, 0, 0, 0]), y) == pytest.approx(4 / 1.5)
    with pytest.raises(ValueError, match="all alike"):
        relative_absolute_error([0, 1], [1, 1])


def test_the_final_set_ends_where_neither_improves(rng):
    for _ in range(60):
        curve = [(float(rng.integers(0, 4)), float(rng.integers(0, 4))) for _ in range(rng.integers(1, 9))]
        patience = int(rng.integers(0, 3))
        found = incremental_set(np.arange(len(curve)), lambda kept, curve=curve: curve[len(kept) - 1], patience)
        assert found.size == oracle.incremental(curve, patience)
    # Accuracy is 1 with four features; only the error falls until the sixth, as in the chapter.
    curve = [(0.9, 0.5), (0.95, 0.4), (0.97, 0.3), (1.0, 0.2), (1.0, 0.15), (1.0, 0.1), (1.0, 0.1), (1.0, 0.1)]
    assert incremental_set(np.arange(8), lambda kept: curve[len(kept) - 1]).size == 6


@pytest.mark.parametrize("model", [GaussianNB(), SVC(kernel="linear")])
def test_the_curve_is_that_of_cross_validation(model, spectra):
    X, y, coordinates = spectra
    found = fewer.FeatureVoting(coordinates=coordinates, estimator=model, patience=1, **FAST).fit(X, y).selection_
    curve = found.tables["curve"].columns
    proba = hasattr(model, "predict_proba")
    for k, accuracy, error in zip(curve["features"], curve["accuracy"], curve["RAE"]):
        columns = found.order[:k]
        how = "predict_proba" if proba else "predict"
        p = cross_val_predict(model, X[:, columns], y, cv=StratifiedKFold(3), method=how)
        assert accuracy == pytest.approx(np.mean((p.argmax(1) if proba else p) == y))
        assert error == pytest.approx(relative_absolute_error(p[:, 1] if proba else p, y))
    assert len(found) == oracle.incremental(list(zip(curve["accuracy"], curve["RAE"])), 1)


def test_reasons_tables_and_repeats(spectra):
    X, y, coordinates = spectra
    made = fewer.FeatureVoting(coordinates=coordinates, preselect=10, random_state=0, **FAST)
    found = made.fit(X, y).selection_
    dropped = int(np.flatnonzero(found.columns["votes"] == 0)[-1])
    assert "pipelines that voted for it 0" in str(found.reason(dropped))
    assert found.reason(dropped).kind == "irrelevant"
    np.testing.assert_array_equal(clone(made).set_params(n_jobs=2).fit(X, y).scores_, found.scores)
    again = fewer.Selection.from_json(found.to_json())
    assert again.tables["pipelines"].columns["features"] == found.tables["pipelines"].columns["features"]
    assert fewer.FeatureVoting(3, weighting="s", **FAST).fit(X, y).selection_.scores.max() >= found.scores.max()


def test_nested_accuracies_choose_again_in_every_fold():
    """Noise: chosen on all rows it seems to predict, chosen in every fold it does not."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 300)), np.arange(60) % 2
    params = {**FAST, "normalizations": ["none"], "secondary": ["none"], "preselect": 10}
    seen, honest = (
        fewer.FeatureVoting(3, choose_in_folds=again, **params)
        .fit(X, y)
        .selection_.tables["pipelines"]
        .columns["accuracy"][0]
        for again in (False, True)
    )
    assert seen > 0.75
    assert honest < 0.7


def test_wrappers_genetic_and_four_classifiers_run(spectra):
    X, y, _ = spectra
    made = fewer.FeatureVoting(
        2,
        normalizations=["none"],
        bin_representatives=["min_p"],
        secondary=["cfs_genetic", "wrapper_genetic", "wrapper_best_first"],
        classifiers=["naive_bayes"],
        preselect=6,
        cv=3,
        random_state=0,
    )
    found = made.fit(X, y).selection_
    assert min(found.tables["pipelines"].columns["accuracy"]) > 0.8
    np.testing.assert_array_equal(made.fit(X, y).scores_, found.scores)
    others = ["svm", "neural_net", DecisionTreeClassifier(max_depth=2, random_state=0)]
    table = made.set_params(secondary=["none"], classifiers=others).fit(X, y).selection_.tables["pipelines"].columns
    assert table["classifier"] == ["svm", "neural_net", "DecisionTreeClassifier"]
    assert min(table["accuracy"]) > 0.8


def test_a_checkpoint_is_gone_on_from(tmp_path, monkeypatch, spectra):
    from fewer.methods.ensembles import _pipelines

    X, y, _ = spectra
    made = fewer.FeatureVoting(3, checkpoint=tmp_path / "votes", random_state=0, **FAST)
    first = made.fit(X, y).scores_
    monkeypatch.setattr(_pipelines.Pipelines, "choose", None)
    monkeypatch.setattr(_pipelines.Pipelines, "accuracy", None)
    np.testing.assert_array_equal(made.fit(X, y).scores_, first)


def test_names_as_coordinates(spectra):
    import pandas as pd

    X, y, coordinates = spectra
    frame = pd.DataFrame(X, columns=[str(c) for c in coordinates])
    by_name = fewer.FeatureVoting(3, coordinates="names", **FAST).fit(frame, y).selection_
    given = fewer.FeatureVoting(3, coordinates=coordinates, **FAST).fit(X, y).selection_
    np.testing.assert_array_equal(by_name.scores, given.scores)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"secondary": ["cfs"]}, "takes a list of 'none', 'cfs_greedy'"),
        ({"normalizations": "nv"}, "takes a list of 'none', 'nv'"),
        ({"classifiers": ["forest"]}, "or classifiers, or 'all'"),
        ({"classifiers": []}, "or classifiers, or 'all'"),
        ({"coordinates": [1, 2]}, "one finite number for each of the 30 features"),
        ({"coordinates": "names"}, "one finite number for each of the 30 features"),
        ({"estimator": StandardScaler()}, "takes a classifier or None"),
        ({"estimator": 3}, "takes a classifier or None"),
        ({"classifiers": [3]}, "or classifiers, or 'all'"),
        ({"cv": "2x3"}, "evaluates the final set by splits that test every row once"),
        ({"cv": ShuffleSplit(3, random_state=0)}, "evaluates the final set by splits that test every row once"),
        ({"cv": GroupKFold(2)}, "cannot split these rows"),
        ({"n_features_to_select": "parsimonious"}, "pass 'best', a range or a number"),
        ({"n_features_to_select": "gap"}, "needs a ranking"),
    ],
)
def test_what_does_not_fit_is_refused(params, words):
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(ValueError, match=words):
        fewer.FeatureVoting(**params).fit(X, y)


def test_splits_that_overlap_serve_a_given_number(spectra):
    X, y, _ = spectra
    assert len(fewer.FeatureVoting(2, **{**FAST, "cv": "2x3"}).fit(X, y).selection_) == 2


def test_of_constant_columns_none_is_kept():
    found = fewer.FeatureVoting(**FAST).fit(np.ones((20, 3)), np.arange(20) % 2).selection_
    assert len(found) == 0
    assert "no pipeline voted" in found.reasons.rule


def test_a_class_of_one_row_is_refused(rng):
    with pytest.raises(ValueError, match="at least two rows of each"):
        fewer.FeatureVoting().fit(rng.normal(size=(9, 3)), [1] + [0] * 8)


def test_robustness_of_one_data_set_is_its_cross_validation(spectra):
    X, y, coordinates = spectra
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    table = cross_dataset_robustness({"a": [0, 3], "b": [5]}, (X, y), (X, y), classifiers=models).columns
    assert table["drop"] == [0.0] * 4
    assert table["set"] == ["a", "a", "b", "b"]
    wanted = cross_val_score(GaussianNB(), X[:, [0, 3]], y, cv=StratifiedKFold(10)).mean()
    assert table["accuracy elsewhere"][0] == pytest.approx(wanted)
    # The same columns in another order are found by their coordinates.
    order = np.argsort(np.sin(np.arange(40)))
    moved = (coordinates, coordinates[order] + 0.001)
    other = cross_dataset_robustness({"a": [0, 3]}, (X, y), (X[:, order], y), classifiers=models, coordinates=moved)
    assert other.columns["drop"] == [0.0] * 2
    with pytest.raises(ValueError, match="no column of the other data set within 1"):
        cross_dataset_robustness({"a": [0]}, (X, y), (X, y), coordinates=(coordinates, coordinates + 99))
    with pytest.raises(ValueError, match="at least one column that both"):
        cross_dataset_robustness({"a": [40]}, (X, y), (X, y))


def test_halves_of_arcene_stand_in_for_the_two_data_sets(shared_data):
    """Chosen on one half, the set does better than chance on the other; the spectra of the chapter cannot be had."""
    held = shared_data("arcene")
    X, y = held["X"].astype(float)[:, ::10], held["y"].astype(int)
    halves = (X[::2], y[::2]), (X[1::2], y[1::2])
    made = fewer.FeatureVoting(13, cv=5, secondary=["none", "cfs_greedy"], random_state=0, preselect=40)
    found = made.fit(*halves[0]).selection_
    table = cross_dataset_robustness({"13": found.indices}, *halves, classifiers={"nb": GaussianNB()}, cv=5).columns
    assert table["accuracy elsewhere"][0] > 0.6
    assert len(found) == 13


def test_a_cluster_votes_the_same(cluster, spectra):
    X, y, coordinates = spectra
    made = fewer.FeatureVoting(3, coordinates=coordinates, random_state=0, **FAST)
    here = made.fit(X, y).scores_
    with fewer.use(cluster):
        np.testing.assert_array_equal(made.fit(X, y).scores_, here)
