"""The named searches: the same choice as scikit-learn, the optimum where they can reach it, and what users may ask."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris, load_wine, make_classification, make_regression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from fewer.core.criteria.shapes import SubsetScore
from fewer.core.records.errors import FewerError, ParameterError, RequirementError
from fewer.methods.wrappers.annealing import AnnealingSelector, RMHCSelector
from fewer.methods.wrappers.birs import BIRS
from fewer.methods.wrappers.climbing import BestFirstSelector, HillClimbingSelector
from fewer.methods.wrappers.complete import BranchAndBoundSelector, ExhaustiveSelector
from fewer.methods.wrappers.distribution import DependenceTreeSelector, EBNASelector
from fewer.methods.wrappers.genetic import GeneticSelector
from fewer.methods.wrappers.las_vegas import LVF, LVW
from fewer.methods.wrappers.randomized_elimination import RVE, RVErS
from fewer.methods.wrappers.rank_search import RankSearch
from fewer.methods.wrappers.sequential import FloatingSelector, SequentialSelector
from fewer.synth import make_parity
from oracles.wrappers import best_subset, score

DETERMINISTIC = (SequentialSelector, FloatingSelector, BestFirstSelector)
RANDOM = (
    HillClimbingSelector,
    AnnealingSelector,
    RMHCSelector,
    GeneticSelector,
    DependenceTreeSelector,
    EBNASelector,
    LVW,
    RVErS,
)


def problem(seed: int = 0, n_rows: int = 90, n_features: int = 8):
    return make_classification(
        n_rows, n_features, n_informative=4, n_redundant=2, n_classes=3, n_clusters_per_class=1, random_state=seed
    )


def made(kind, *args, **params):
    return kind(*args, **params, random_state=0) if kind in (*RANDOM, LVF, RVE) else kind(*args, **params)


class Counted(DecisionTreeClassifier):
    """A tree that counts its fits, and may be stopped by the user."""

    fits = 0
    stop_after = None

    # scikit-learn 1.7 makes no scorer for a tree whose fit does not name check_input.
    def fit(self, X, y, sample_weight=None, check_input=True):
        Counted.fits += 1
        if Counted.stop_after is not None and Counted.fits > Counted.stop_after:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight, check_input)


@pytest.fixture
def counted():
    Counted.fits, Counted.stop_after = 0, None
    yield Counted(max_depth=3, random_state=0)
    Counted.fits, Counted.stop_after = 0, None


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    "estimator",
    [
        KNeighborsClassifier(3),
        GaussianNB(),
        LinearDiscriminantAnalysis(),
        DecisionTreeClassifier(max_depth=3, random_state=0),
        make_pipeline(StandardScaler(), GaussianNB()),
    ],
    ids=["knn", "nb", "lda", "tree", "pipeline"],
)
def test_same_choice_as_scikit_learn(estimator, direction):
    # Of ties the two remove different features: log loss and features that no others span hardly ever tie.
    X, y = make_classification(
        90, 7, n_informative=4, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=3
    )
    cv, k, scoring = StratifiedKFold(4), 3, None if direction == "forward" else "neg_log_loss"
    if direction == "backward" and isinstance(estimator, (KNeighborsClassifier, DecisionTreeClassifier)):
        pytest.skip("votes of few rows tie")
    theirs = SequentialFeatureSelector(
        estimator, n_features_to_select=k, direction=direction, cv=cv, scoring=scoring
    ).fit(X, y)
    ours = SequentialSelector(estimator, k, direction=direction, cv=cv, scoring=scoring).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.get_support())
    value = cross_val_score(estimator, X[:, ours.support_], y, cv=cv, scoring=scoring).mean()
    assert ours.selection_.meta["value"] == pytest.approx(value, abs=1e-10)


def test_same_choice_as_scikit_learn_for_numbers():
    X, y = make_regression(80, 9, n_informative=4, noise=5.0, random_state=1)
    theirs = SequentialFeatureSelector(Ridge(), n_features_to_select=4, cv=5).fit(X, y)
    ours = SequentialSelector(None, 4).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.get_support())


def test_tolerance_stops_where_scikit_learn_stops():
    X, y = problem(1, 120, 10)
    theirs = SequentialFeatureSelector(GaussianNB(), n_features_to_select="auto", tol=0.02, cv=5).fit(X, y)
    ours = SequentialSelector(GaussianNB(), "gain:0.02", cv=5).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.get_support())
    by_parameter = SequentialSelector(GaussianNB(), tol=0.02, cv=5).fit(X, y)
    np.testing.assert_array_equal(by_parameter.support_, ours.support_)


def test_evaluations_of_forward_selection_are_those_of_the_formula():
    """Choosing k of N takes sum over j < k of N - j evaluations (book ch. 8); nothing at all is one more."""
    X, y = problem()
    fitted = SequentialSelector(GaussianNB(), 3).fit(X, y)
    assert fitted.n_iter_ == 8 + 7 + 6 + 1
    assert sum(step.evaluations for step in fitted.selection_.trace) == fitted.n_iter_


def test_giving_up_changes_no_choice_and_fits_less(counted):
    X, y = problem(2)
    plain = SequentialSelector(counted, 3, cv=5).fit(X, y)
    fits = Counted.fits
    Counted.fits = 0
    quick = SequentialSelector(counted, 3, cv=5, give_up=True).fit(X, y)
    np.testing.assert_array_equal(quick.selection_.indices, plain.selection_.indices)
    assert Counted.fits < fits
    with pytest.raises(ParameterError, match="step=1"):
        SequentialSelector(counted, step=2, give_up=True).fit(X, y)


@cache
def optimum(seed: int) -> float:
    X, y = problem(seed, 60, 6)
    return best_subset(GaussianNB(), X, y, StratifiedKFold(5), range(1, 7))[0]


@pytest.mark.parametrize("kind", [*DETERMINISTIC, *RANDOM], ids=lambda k: k.__name__)
@pytest.mark.parametrize("seed", [0, 1])
def test_never_worse_than_a_part_and_never_better_than_the_optimum(kind, seed):
    X, y = problem(seed, 60, 6)
    best = optimum(seed)
    found = made(kind, GaussianNB(), cv=5).fit(X, y).selection_
    value = score(GaussianNB(), X, y, found.indices, StratifiedKFold(5))
    assert found.meta["value"] == pytest.approx(value, abs=1e-12)
    assert value <= best + 1e-12
    singles = max(score(GaussianNB(), X, y, [j], StratifiedKFold(5)) for j in range(6))
    full = score(GaussianNB(), X, y, range(6), StratifiedKFold(5))
    # Forward searches start with single features, eliminations with everything.
    assert value >= (full if kind is RVErS else singles) - 1e-12
    if kind in (GeneticSelector, DependenceTreeSelector, EBNASelector, LVW):
        assert value == pytest.approx(best, abs=1e-12)


def test_exhaustive_finds_what_loops_find():
    X, y = problem(5, 60, 6)
    best, subset = best_subset(LinearDiscriminantAnalysis(), X, y, StratifiedKFold(5), range(2, 5))
    found = ExhaustiveSelector(LinearDiscriminantAnalysis(), (2, 4), cv=5).fit(X, y)
    assert found.selection_.meta["value"] == pytest.approx(best, abs=1e-12)
    assert tuple(sorted(found.selection_.indices.tolist())) == subset


@pytest.mark.parametrize("criterion", ["separability", "mahalanobis", "mutual_information", "inconsistency"])
def test_branch_and_bound_finds_the_optimum_with_fewer_evaluations(criterion):
    X, y = problem(4, 150, 8)
    whole = ExhaustiveSelector(criterion, 4, bins=3).fit(X, y)
    bound = BranchAndBoundSelector(criterion, 4, bins=3).fit(X, y)
    assert bound.selection_.meta["value"] == pytest.approx(whole.selection_.meta["value"], rel=1e-12)
    assert len(bound.selection_) == 4


def test_branch_and_bound_refuses_what_may_fall():
    with pytest.raises(RequirementError, match="monotone"):
        BranchAndBoundSelector(GaussianNB(), 2).fit(*problem())


def test_groups_move_as_one_and_fixed_features_stay():
    X, y = problem(6)
    groups = [[0, 1], [2, 3, 4]]
    for kind in (SequentialSelector, GeneticSelector, FloatingSelector, RankSearch):
        kept = set(made(kind, None, 2, feature_groups=groups, fixed_features=[7]).fit(X, y).selection_.indices.tolist())
        assert 7 in kept
        for group in groups:
            assert kept.issuperset(group) or not kept.intersection(group)
        # Two units: the fixed one and another.
        assert kept - {7} in ({0, 1}, {2, 3, 4}, {5}, {6})
    first = SequentialSelector(None, 3, fixed_features=[7]).fit(X, y).selection_
    assert first.indices[0] == 7
    assert "always in" in str(first.reason(7))


def test_features_are_named_by_the_frame():
    frame, y = load_wine(return_X_y=True, as_frame=True)
    kept = SequentialSelector(None, 3, fixed_features=["ash"], feature_groups=[["hue", "proline"]]).fit(frame, y)
    names = kept.selection_.kept_names
    assert names[0] == "ash"
    assert ("hue" in names) == ("proline" in names)
    with pytest.raises(ParameterError, match="prolin"):
        SequentialSelector(None, 3, fixed_features=["prolin"]).fit(frame, y)


def test_ranges_shares_and_texts_mean_the_same():
    X, y = problem(7)
    a = ExhaustiveSelector(None, (2, 3)).fit(X, y).selection_
    b = ExhaustiveSelector(None, "2-3").fit(X, y).selection_
    np.testing.assert_array_equal(a.indices, b.indices)
    assert 2 <= len(a) <= 3
    assert len(SequentialSelector(None, 0.5).fit(X, y).selection_) == 4
    assert len(SequentialSelector(None, (5, 30)).fit(X, y).selection_) >= 5
    assert len(SequentialSelector(None, None).fit(X, y).selection_) == 8
    assert len(SequentialSelector(None, 99).fit(X, y).selection_) == 8


def test_parsimonious_is_the_smallest_within_one_standard_error():
    X, y = load_wine(return_X_y=True)
    cv = StratifiedKFold(5)
    found = SequentialSelector(GaussianNB(), "parsimonious", patience=None, cv=cv).fit(X, y).selection_
    path: list[int] = []
    by_size = []
    for step in SequentialSelector(GaussianNB(), None, cv=cv).fit(X, y).selection_.trace:
        path += step.added
        if path:
            by_size.append(cross_val_score(GaussianNB(), X[:, sorted(path)], y, cv=cv))
    means = np.array([s.mean() for s in by_size])
    best = int(np.argmax(means))
    enough = means[best] - by_size[best].std(ddof=1) / np.sqrt(5)
    assert len(found) == int(np.flatnonzero(means >= enough)[0]) + 1
    assert len(found) < best + 1


def test_checkpoint_is_used_again(tmp_path, counted):
    X, y = problem(8)
    params = {"population": 10, "generations": 4, "random_state": 3, "checkpoint": tmp_path / "run"}
    first = GeneticSelector(counted, **params).fit(X, y)
    assert Counted.fits > 0
    Counted.fits = 0
    again = GeneticSelector(counted, **params).fit(X, y)
    # The subsets along the way are scored once more by fold, for cv_results_.
    assert Counted.fits <= 5 * 2 + 5 * len(again.cv_results_["features"])
    np.testing.assert_array_equal(again.selection_.indices, first.selection_.indices)
    with pytest.raises(FewerError, match="other work"):
        GeneticSelector(counted, **{**params, "random_state": 4}).fit(X, y)
    with pytest.raises(ParameterError, match="random_state"):
        GeneticSelector(counted, **{**params, "random_state": None}).fit(X, y)


def test_a_search_that_was_stopped_goes_on_to_the_same_end(tmp_path, counted):
    X, y = problem(9)
    whole = GeneticSelector(counted, population=10, generations=4, random_state=1).fit(X, y)
    Counted.fits, Counted.stop_after = 0, 60
    file = tmp_path / "run"
    part = GeneticSelector(counted, population=10, generations=4, random_state=1, checkpoint=file).fit(X, y)
    assert "stopped" in part.selection_.meta["stopped"]
    Counted.fits, Counted.stop_after = 0, None
    rest = GeneticSelector(counted, population=10, generations=4, random_state=1, checkpoint=file).fit(X, y)
    np.testing.assert_array_equal(rest.selection_.indices, whole.selection_.indices)
    assert rest.selection_.meta["value"] == whole.selection_.meta["value"]


@pytest.mark.parametrize("kind", [SequentialSelector, LVW, AnnealingSelector], ids=lambda k: k.__name__)
def test_ctrl_c_returns_the_best_so_far(kind, counted):
    X, y = problem(10)
    Counted.stop_after = 73
    selection = made(kind, counted, cv=5).fit(X, y).selection_
    Counted.stop_after = None
    assert selection.meta["stopped"] == "the user stopped it"
    assert len(selection) >= 1
    assert selection.meta["value"] == pytest.approx(
        cross_val_score(counted, X[:, np.sort(selection.indices)], y, cv=5).mean(), abs=1e-12
    )


def test_budgets_end_a_search():
    X, y = problem(11)
    for params in ({"max_evaluations": 12}, {"n_features_to_select": "evaluations:12"}):
        fitted = LVW(GaussianNB(), random_state=0, **params).fit(X, y)
        assert fitted.n_iter_ == 12
        assert "12 evaluations" in fitted.selection_.meta["stopped"]
    assert GeneticSelector(max_seconds=1e-9, random_state=0).fit(X, y).n_iter_ >= 1


def test_seeds_reproduce():
    X, y = problem(12, n_features=12)
    for kind in RANDOM:
        a, b = made(kind).fit(X, y).selection_, made(kind).fit(X, y).selection_
        np.testing.assert_array_equal(a.indices, b.indices)
        assert a.meta["evaluations"] == b.meta["evaluations"]


def test_steps_move_several_at_once():
    X, y = problem(13, n_features=12)
    sizes = np.cumsum(
        [len(s.added) - len(s.removed) for s in SequentialSelector(None, 9, step=3).fit(X, y).selection_.trace]
    )
    assert sizes.tolist() == [0, 3, 6, 9]
    for direction in ("bidirectional", "alternating"):
        assert len(SequentialSelector(None, 4, direction=direction).fit(X, y).selection_) == 4


def test_weights_reach_the_estimator_and_groups_the_splitter():
    X, y = problem(14)
    rng = np.random.default_rng(0)
    weight, groups = rng.random(len(X)), rng.integers(0, 6, len(X))
    fitted = SequentialSelector(GaussianNB(), 2, cv=GroupKFold(3)).fit(X, y, sample_weight=weight, groups=groups)
    scores = []
    for train, test in GroupKFold(3).split(X, y, groups):
        model = GaussianNB().fit(X[train][:, fitted.support_], y[train], sample_weight=weight[train])
        scores.append(model.score(X[test][:, fitted.support_], y[test]))
    assert fitted.selection_.meta["value"] == pytest.approx(np.mean(scores), abs=1e-12)
    # A number of folds keeps groups together, too.
    assert len(SequentialSelector(None, 2, cv=3).fit(X, y, groups=groups).selection_) == 2
    with pytest.raises(RequirementError, match="sample_weight"):
        SequentialSelector(KNeighborsClassifier(), 2).fit(X, y, sample_weight=weight)
    with pytest.raises(ParameterError, match="groups"):
        SequentialSelector("cfs", 2).fit(X, y, groups=groups)


def test_metadata_are_routed():
    X, y = problem(15)
    weight = np.random.default_rng(0).random(len(X))
    plain = SequentialSelector(GaussianNB(), 2).fit(X, y, sample_weight=weight)
    default = SequentialSelector(None, 2).fit(X, y, sample_weight=weight)
    with sklearn.config_context(enable_metadata_routing=True):
        model = GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        routed = make_pipeline(SequentialSelector(model, 2)).fit(X, y, sample_weight=weight)[0]
        np.testing.assert_array_equal(routed.selection_.indices, plain.selection_.indices)
        assert routed.selection_.meta["value"] == plain.selection_.meta["value"]
        again = SequentialSelector(None, 2).fit(X, y, sample_weight=weight)
        assert again.selection_.meta["value"] == default.selection_.meta["value"]
        asked = SequentialSelector(None, 2).set_fit_request(sample_weight=True)
        piped = make_pipeline(asked).fit(X, y, sample_weight=weight)[0]
        assert piped.selection_.meta["value"] == default.selection_.meta["value"]


def test_estimators_decide_what_data_are_taken():
    X, y = problem(16)
    X[3, 2] = np.nan
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    assert len(SequentialSelector(tree, 2).fit(X, y).selection_) == 2
    with pytest.raises(ValueError, match="NaN"):
        SequentialSelector(None, 2).fit(X, y)
    assert len(SequentialSelector("cfs", 2).fit(X, y).selection_) == 2
    with pytest.raises(ValueError, match="classes"):
        SequentialSelector(GaussianNB(), 2).fit(np.nan_to_num(X), y + 0.5)


def test_a_regressor_takes_few_whole_numbers_as_numbers():
    X, y = load_iris(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))
    found = SequentialSelector(Ridge(), 1).fit(X[rows], y[rows]).selection_
    assert found.meta["task"] == "regression"
    assert found.meta["value"] == pytest.approx(
        cross_val_score(Ridge(), X[rows][:, found.indices], y[rows].astype(float)).mean(), abs=1e-9
    )


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"estimator": "cf"}, "Did you mean cfs"),
        ({"estimator": 3}, "takes an estimator"),
        ({"n_features_to_select": "bst"}, "allowed are"),
        ({"n_features_to_select": (4, 2)}, "range"),
        ({"n_features_to_select": "fdr:0.05"}, "search"),
        ({"n_features_to_select": 0}, "allowed are"),
        ({"direction": "sideways"}, "direction"),
    ],
)
def test_wrong_parameters_are_explained_before_any_work(params, words):
    with pytest.raises(ValueError, match=words):
        SequentialSelector(**params).fit(*problem())


def test_rules_of_gain_are_refused_where_there_are_no_steps():
    with pytest.raises(RequirementError, match="SequentialSelector"):
        GeneticSelector(n_features_to_select="gain:0.1").fit(*problem())
    with pytest.raises(ParameterError, match="RVErS"):
        RVE(n_features_to_select="best").fit(*problem())


def test_las_vegas_filter_finds_the_two_bits_of_a_parity():
    """Book ch. 3: on the cube of bits with irrelevant ones it finds {1, 2}; sizes never grow, rates stay allowed."""
    data = make_parity(2, 5)
    for sampling in ("size_first", "uniform"):
        fitted = LVF(discretizer=None, sampling=sampling, random_state=0).fit(data.X, data.y)
        assert set(fitted.selection_.indices.tolist()) == set(data.relevant)
        assert fitted.selection_.meta["value"] == 1.0
        sizes = np.cumsum([len(s.added) - len(s.removed) for s in fitted.selection_.trace])
        assert (np.diff(sizes) <= 0).all()


def test_las_vegas_filter_keeps_everything_that_is_not_good_enough():
    X, y = np.array([[0, 0], [0, 0], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    assert len(LVF(discretizer=None, threshold=1.0, random_state=0).fit(X, y).selection_) == 2


def test_las_vegas_wrapper_improves_by_score_then_size():
    trace = LVW(random_state=0).fit(*load_wine(return_X_y=True)).selection_.trace
    sizes = np.cumsum([len(s.added) - len(s.removed) for s in trace])
    pairs = [(step.value, -size) for step, size in zip(trace, sizes)]
    assert pairs == sorted(pairs)
    assert len(set(pairs)) == len(pairs)


class Relevant(SubsetScore):
    """The fraction of some features that is in a subset: what a perfect learner would find."""

    by_one = False

    def __init__(self, relevant):
        self.relevant = tuple(relevant)

    def value(self, view, subset):
        return len(set(self.relevant).intersection(int(j) for j in subset)) / len(self.relevant)


@pytest.mark.parametrize("seed", range(5))
def test_elimination_keeps_what_a_perfect_learner_needs(seed):
    """Book ch. 3: a perfect learner never loses a relevant variable."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 30)), np.arange(20) % 2
    wanted = set(rng.choice(30, 3, replace=False).tolist())
    known = RVE(Relevant(wanted), 3, random_state=seed).fit(X, y)
    assert set(known.selection_.indices.tolist()) == wanted
    unknown = RVErS(Relevant(wanted), random_state=seed).fit(X, y)
    assert wanted <= set(unknown.selection_.indices.tolist())
    assert len(unknown.selection_) <= 5


def test_few_features_count_in_the_fitness_of_set_gen():
    X, y = load_wine(return_X_y=True)
    plain = GeneticSelector(random_state=0).fit(X, y).selection_
    small = GeneticSelector(size_weight=0.25, random_state=0).fit(X, y).selection_
    assert len(small) < len(plain)
    accuracy = cross_val_score(GaussianNB(), X[:, np.sort(small.indices)], y).mean()
    assert small.meta["value"] == pytest.approx(0.75 * accuracy + 0.25 * (1 - len(small) / 13), abs=1e-12)


def test_reasons_name_the_features_that_say_the_same():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = rng.normal(size=(200, 4))
    X[:, 0] += 3 * y
    X[:, 3] = X[:, 0]
    selection = SequentialSelector(LinearDiscriminantAnalysis(), "best").fit(X, y).selection_
    assert selection.indices[0] == 0
    assert selection.reason(3).kind == "redundant"
    assert selection.reason(3).related == ("x0",)
    assert BIRS(LinearDiscriminantAnalysis()).fit(X, y).selection_.reason(3).kind == "redundant"
