"""Weights and groups reach every wrapper inside a pipeline, the default estimator included."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GroupKFold, KFold, cross_validate
from sklearn.pipeline import make_pipeline

import fewer
from fewer import registry
from fewer.core.estimators.routed import RoutedFit

WITH = {
    "RFE": {"n_features_to_select": 2, "importance": "permutation", "n_repeats": 1},
    "FromModel": {"importance": "permutation", "n_repeats": 1},
    "ExhaustiveSelector": {"n_features_to_select": (1, 2)},
}
SMALL = {"max_evaluations": 12}
WRAPPERS = [e.name for e in registry.METHODS if e.family in ("wrappers", "ensembles") and e.contract == "selector"]
WRAPPERS = [name for name in WRAPPERS if issubclass(registry.load(name), RoutedFit)]
# Criteria that by default use no groups, since they have no folds, and some no weights: metadata of the rest of a
# pipeline pass them by.
UNUSED = {"LVF": ["groups"], "BranchAndBoundSelector": ["groups", "sample_weight"]}


def made_by(name, **params):
    made = registry.load(name)(**WITH.get(name, {}))
    known = made.get_params()
    return made.set_params(**{k: v for k, v in {**SMALL, "random_state": 0, **params}.items() if k in known})


def weighted():
    """Return a scorer that takes weights; of that of a pipeline itself scikit-learn 1.7 does not know what it takes."""
    return make_scorer(accuracy_score).set_score_request(sample_weight=True)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(48, 4))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    return X, y, np.arange(48) // 4, rng.random(48) + 0.5


@pytest.fixture(autouse=True)
def routing():
    with config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("name", WRAPPERS)
def test_groups_and_weights_reach_a_wrapper_with_its_default_estimator(name, data):
    X, y, groups, weight = data
    seen = {}

    class Seen(registry.load(name)):
        def _fit(self, X, y, weight=None, groups=None, fit_params=None):
            seen.update(sample_weight=weight, groups=groups)
            return super()._fit(X, y, weight, groups, fit_params)

    made = Seen(**made_by(name).get_params())
    last = LogisticRegression().set_fit_request(sample_weight=True)
    model, params = make_pipeline(made, last), {"sample_weight": weight, "groups": groups}
    if name in UNUSED:
        # The splitter uses the groups.
        cross_validate(model, X, y, cv=GroupKFold(2), scoring=weighted(), params=params, error_score="raise")
    else:
        model.fit(X, y, **params)
    assert {kind for kind, given in seen.items() if given is None} == set(UNUSED.get(name, []))


@pytest.mark.parametrize("cv", [GroupKFold(3), 3, None])
@pytest.mark.parametrize("estimator", [None, LogisticRegression()])
def test_cross_validation_by_groups_in_a_pipeline(cv, estimator, data):
    X, y, groups, weight = data
    model = make_pipeline(fewer.SequentialSelector(estimator, 2, cv=cv), LogisticRegression())
    found = cross_validate(model, X, y, cv=GroupKFold(3), params={"groups": groups}, return_estimator=True)
    assert len(found["test_score"]) == 3
    for (train, _), one in zip(GroupKFold(3).split(X, y, groups), found["estimator"]):
        alone = fewer.SequentialSelector(estimator, 2, cv=cv).fit(X[train], y[train], groups=groups[train])
        assert one[0].selection_.indices.tolist() == alone.selection_.indices.tolist()


def test_groups_change_the_folds(data):
    X, y, groups, _ = data
    seen = []

    class Splitter(GroupKFold):
        def split(self, X, y=None, groups=None):
            seen.append(None if groups is None else len(groups))
            return super().split(X, y, groups)

    model = make_pipeline(fewer.SequentialSelector(n_features_to_select=2, cv=Splitter(3)), LogisticRegression())
    model.fit(X, y, groups=groups)
    assert seen == [48]


def test_what_is_not_wanted_is_not_taken(data):
    X, y, groups, weight = data
    refusing = fewer.SequentialSelector().set_fit_request(sample_weight=False)
    model = make_pipeline(refusing, LogisticRegression().set_fit_request(sample_weight=True))
    plain = fewer.SequentialSelector().fit(X, y).cv_results_["mean_test_score"]
    assert np.array_equal(model.fit(X, y, sample_weight=weight)[0].cv_results_["mean_test_score"], plain)
    with pytest.raises(TypeError, match="groups"):
        fewer.SequentialSelector(LogisticRegression(), cv=KFold(3)).fit(X, y, groups=groups)


def test_results_by_fold_are_those_of_cross_validation(data):
    X, y, groups, _ = data
    model = LogisticRegression()
    made = fewer.SequentialSelector(model, cv=GroupKFold(3)).fit(X, y, groups=groups)
    found = made.cv_results_
    assert set(found) >= {"mean_test_score", "std_test_score", "rank_test_score", "split2_test_score", "features"}
    for at, subset in enumerate(found["features"]):
        if not subset:
            continue
        given = X[:, list(subset)]
        scores = cross_validate(model, given, y, cv=GroupKFold(3), params={"groups": groups})["test_score"]
        np.testing.assert_allclose([found[f"split{f}_test_score"][at] for f in range(3)], scores)
        np.testing.assert_allclose(found["mean_test_score"][at], scores.mean())
        np.testing.assert_allclose(found["std_test_score"][at], scores.std())
    values = dict(zip(found["features"], found["mean_test_score"]))
    assert np.isclose(values[tuple(sorted(made.selection_.indices.tolist()))], made.selection_.meta["value"])
    assert found["rank_test_score"].min() == 1
    assert np.argmax(found["mean_test_score"]) in np.flatnonzero(found["rank_test_score"] == 1)


def test_results_of_sizes(data):
    X, y, *_ = data
    made = fewer.OrderedFS().fit(X, y)
    curve = made.selection_.tables["curve"].columns
    np.testing.assert_allclose(made.cv_results_["mean_test_score"], curve["mean score"])
    assert made.cv_results_["n_features"].tolist() == curve["features"]


def test_criteria_without_folds_and_stopped_searches_have_none(data):
    X, y, *_ = data
    made = fewer.SequentialSelector().fit(X, y)
    assert hasattr(made, "cv_results_")
    assert not hasattr(made.set_params(estimator="cfs").fit(X, y), "cv_results_")
    assert not hasattr(fewer.SequentialSelector(max_evaluations=2).fit(X, y), "cv_results_")


def test_a_selector_inside_another_is_asked_what_it_wants(data):
    X, y, groups, weight = data
    last = LogisticRegression().set_fit_request(sample_weight=True)
    params = {"sample_weight": weight, "groups": groups}
    inner = fewer.SequentialSelector(n_features_to_select=2)
    model = make_pipeline(fewer.Constrained(inner, fixed_features=[3]), last)
    found = cross_validate(
        model, X, y, cv=GroupKFold(2), scoring=weighted(), params=params, error_score="raise", return_estimator=True
    )
    train = next(GroupKFold(2).split(X, y, groups))[0]
    alone = fewer.SequentialSelector(n_features_to_select=2, fixed_features=[3])
    alone.fit(X[train], y[train], sample_weight=weight[train], groups=groups[train])
    inside = found["estimator"][0][0].selector_
    np.testing.assert_allclose(inside.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])
    # What takes weights and was not asked whether it wants them is told so, as everywhere in scikit-learn.
    with pytest.raises(UnsetMetadataPassedError, match="JMI"):
        make_pipeline(fewer.Constrained(fewer.JMI(2)), last).fit(X, y, sample_weight=weight)
    asked = fewer.Constrained(fewer.JMI(2).set_fit_request(sample_weight=True))
    plain = fewer.JMI(2).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(make_pipeline(asked, last).fit(X, y, sample_weight=weight)[0].scores_, plain.scores_)
    told = fewer.Constrained(fewer.JMI(2)).set_fit_request(sample_weight=True, groups=False)
    np.testing.assert_array_equal(make_pipeline(told, last).fit(X, y, sample_weight=weight)[0].scores_, plain.scores_)
    several, both = fewer.AcrossTargets(fewer.JMI(2), aggregate="rank"), np.column_stack([y, X[:, 2] > 0])
    with pytest.raises(UnsetMetadataPassedError, match="JMI"):
        several.fit(X, both, sample_weight=weight)
    several.selector.set_fit_request(sample_weight=True)
    first, second = several.fit(X, both, sample_weight=weight).selectors_
    np.testing.assert_array_equal(first.scores_, fewer.JMI(4).fit(X, y, sample_weight=weight).scores_)


def test_the_recipe_needs_no_request(data):
    X, y, groups, weight = data
    last = LogisticRegression().set_fit_request(sample_weight=True)
    params = {"sample_weight": weight, "groups": groups}
    found = cross_validate(
        make_pipeline(fewer.DefaultRecipe(2), last),
        X,
        y,
        cv=GroupKFold(2),
        scoring=weighted(),
        params=params,
        return_estimator=True,
    )
    train = next(GroupKFold(2).split(X, y, groups))[0]
    alone = fewer.DefaultRecipe(2).fit(X[train], y[train], sample_weight=weight[train], groups=groups[train])
    np.testing.assert_array_equal(found["estimator"][0][0].scores_, alone.scores_)


def test_weights_reach_shadows_and_groups_pass_them_by(data):
    X, y, groups, weights = data
    last = LogisticRegression().set_fit_request(sample_weight=True)
    small = {"max_iter": 3, "tentative": "keep", "random_state": 0}
    alone = fewer.Shadow(**small).fit(X, y, sample_weight=weights)
    model = make_pipeline(fewer.Shadow(**small), last).fit(X, y, sample_weight=weights)
    assert model[0].selection_.to_dict()["scores"] == alone.selection_.to_dict()["scores"]
    assert model[0].selection_.to_dict()["scores"] != fewer.Shadow(**small).fit(X, y).selection_.to_dict()["scores"]
    params = {"groups": groups, "sample_weight": weights}
    scored = make_pipeline(fewer.Shadow(**small), last)
    cross_validate(scored, X, y, cv=GroupKFold(2), scoring=weighted(), params=params, error_score="raise")
    # An estimator of one's own says whether it wants them, and so can the selector.
    for wanted in (True, False):
        own = fewer.Shadow(estimator=LogisticRegression().set_fit_request(sample_weight=wanted), **small)
        assert own.get_metadata_routing().fit.requests["sample_weight"] is wanted
    assert own.set_fit_request(sample_weight=True).get_metadata_routing().fit.requests["sample_weight"] is True
    with pytest.raises(UnsetMetadataPassedError):
        make_pipeline(fewer.Shadow(estimator=LogisticRegression(), **small), last).fit(X, y, sample_weight=weights)
