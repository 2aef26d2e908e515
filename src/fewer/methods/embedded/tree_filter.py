"""TreeFilter: the features that a pruned decision tree splits on."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fewer.core.criteria.folds import make_folds
from fewer.core.criteria.splitters import splitter
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import NothingFoundWarning
from fewer.core.records.params import Interval, StrOptions, whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners.fits import run_fits
from fewer.core.stop import All, Stop
from fewer.core.views.spread import check_varies
from fewer.core.views.view import View
from fewer.methods.embedded._tree_splits import TreeSplits, places_of, splits_of

# Most penalties that are tried; of longer paths as many are taken, evenly.
MOST_PENALTIES = 20


class TreeFilter(BaseSelector):
    """Keep the features that a pruned decision tree splits on.

    A tree is grown until its leaves are pure and pruned by its size: of all its subtrees that with the smallest
    impurity plus ``ccp_alpha`` per leaf stays. The features it still splits on are kept, those first that lower the
    impurity most.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        Here all that the tree splits on; features that it does not split on are never kept.
    ccp_alpha : float or "cv", default="cv"
        What a leaf costs, of numbers in units of their variance; "cv" takes the largest cost whose cross-validated
        score is within one standard error of the best.
    impurity : {"gini", "entropy"}, default="gini"
        Impurity of classes; that of numbers is their variance.
    max_depth : int or None, default=None
        Largest number of splits on the way to a leaf; None for no limit.
    min_samples_leaf : int, default=1
        Smallest number of rows of a leaf.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds.
    n_jobs : int or None, default=None
        Number of threads. Folds are shared out to them.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FromModel : Ranks by the importances of any model, such as a forest.
    IPE : Tests importances of many trees against those of noise.

    Notes
    -----
    The text in [1]_ names the filter and no tree; this is a tree of scikit-learn (CART [2]_), pruned by the rule of one
    standard error. It reads the place of a value in its column in place of the value, which parts rows alike and keeps
    all digits. Of features that part the rows of a node alike the lowest counts, where scikit-learn draws one.
    If pruning leaves no split, the feature of the first split is kept, with a warning. ``selection_.tables["splits"]``
    holds the splits.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", in "A Practical Approach to Microarray Data
       Analysis", 2003, section 2.
    .. [2] L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and Regression Trees", 1984.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = TreeFilter().fit(X, y).selection_
    >>> found.indices.tolist()
    [2, 3]
    >>> print(found.reason(2).note)
    it splits 2 nodes, first at depth 0: 50 rows up to 2.45, 100 above
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        handles_nan=True,
        invariance=("scale", "monotone"),
        cost="n*log(n)*d*depth",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "ccp_alpha": [StrOptions({"cv"}), Interval(Real, 0, None, closed="left")],
        "impurity": [StrOptions({"gini", "entropy"})],
        "max_depth": [None, whole_from(1)],
        "min_samples_leaf": [whole_from(1)],
        "cv": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        ccp_alpha: float | str = "cv",
        impurity: str = "gini",
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ccp_alpha = ccp_alpha
        self.impurity = impurity
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _select(self, data: View, parts: Parts) -> Selection:
        X, y = np.asarray(data.whole().X, dtype=np.float64), self._target(data)
        places = places_of(X)
        whole = self._tree(data).fit(places, y)
        alpha = self._penalty(data, whole, places, y) if isinstance(self.ccp_alpha, str) else float(self.ccp_alpha)
        tree = clone(whole).set_params(ccp_alpha=alpha).fit(places, y)
        found = splits_of(tree.tree_, X, places)
        used = len(np.unique(found.feature))
        words = f"the tree, pruned with {alpha:.3g} per leaf, splits on {used} of {data.n_features} features"
        if not len(found.feature) and whole.tree_.node_count > 1:
            warnings.warn(
                f"TreeFilter: pruned with {alpha:.3g} per leaf the tree of {data.n_features} features has no split "
                "left; the feature of its first split is kept: lower ccp_alpha to keep more.",
                NothingFoundWarning,
                stacklevel=5,
            )
            found = splits_of(clone(whole).set_params(max_depth=1).fit(places, y).tree_, X, places)
            words = "pruning left no split, and the first one was kept"
        selection = _selection(found, splits_of(whole.tree_, X, places), data.n_features, parts.size, words)
        return selection.with_meta(ccp_alpha=alpha, n_leaves=int(tree.get_n_leaves()))

    def _tree(self, data: View) -> BaseEstimator:
        rules = {"max_depth": self.max_depth, "min_samples_leaf": self.min_samples_leaf, "random_state": 0}
        if data.classes is None:
            return DecisionTreeRegressor(**rules)
        return DecisionTreeClassifier(criterion=self.impurity, **rules)

    def _target(self, data: View) -> np.ndarray:
        """Return classes as they are, numbers with variance 1, so that a leaf costs the same in all units."""
        y = data.whole().y
        if data.classes is not None:
            return y
        check_varies(type(self).__name__, y)
        y = (y - y[0]) / (y.max() - y.min())
        return (y - y.mean()) / y.std()

    def _penalty(self, data: View, whole: Any, X: np.ndarray, y: np.ndarray) -> float:
        """Return the largest cost of a leaf whose score on held-out rows is within one standard error of the best."""
        path = np.unique(whole.cost_complexity_pruning_path(X, y).ccp_alphas.clip(0.0))
        # Between two knots of the path the tree is the same; the middle serves the trees of folds best.
        middles = np.append(np.sqrt(path[:-1] * path[1:]), path[-1])
        tried = middles[np.unique(np.linspace(0, len(middles) - 1, MOST_PENALTIES).round().astype(int))]
        groups = {} if data.groups is None else {"groups": data.groups}
        splits = make_folds(data, splitter(self.cv, data), data.classes is not None, groups).splits
        work = FoldTrees(X, y, whole, tried, splits)
        scores = np.stack(run_fits(data.run, work, range(len(splits)), what="pruning trees"))
        means = scores.mean(axis=0)
        best = int(np.argmax(means))
        error = scores[:, best].std(ddof=1) / np.sqrt(len(splits)) if len(splits) > 1 else 0.0
        return float(tried[np.flatnonzero(means >= means[best] - error)[-1]])


@dataclass(frozen=True, eq=False)
class FoldTrees:
    """Scores trees of several penalties on the test rows of the split with a number."""

    X: np.ndarray
    y: np.ndarray
    tree: Any
    penalties: np.ndarray
    splits: list[Any]

    def __call__(self, number: int) -> np.ndarray:
        """Fit the trees on the training rows of one split."""
        train, test = self.splits[number]
        X, y, scores = self.X[test], self.y[test], []
        for alpha in self.penalties:
            tree = clone(self.tree).set_params(ccp_alpha=alpha).fit(self.X[train], self.y[train])
            # Squared errors, which a single row has, too, in place of the share of the variance.
            scores.append(tree.score(X, y) if is_classifier(tree) else -np.square(tree.predict(X) - y).mean())
        return np.array(scores)


def _selection(found: TreeSplits, grown: TreeSplits, n_features: int, stop: Stop, words: str) -> Selection:
    """Return the features that the tree splits on, or the best of them, with what their splits say."""
    scores = found.scores(n_features)
    candidates = np.zeros(n_features, dtype=bool)
    candidates[found.feature] = True
    numbers = np.flatnonzero(candidates)
    kept, rule = numbers, words
    if len(numbers) and not isinstance(stop, All):
        cut = stop.cut(Ranking(scores[numbers]))
        kept, rule = numbers[cut.kept], f"{cut.rule}; {words}"
    kept = kept[np.argsort(-scores[kept], kind="stable")]
    note = {int(j): found.note(int(j)) for j in numbers}
    pruned = np.setdiff1d(grown.feature, numbers)
    note |= {int(j): "only branches that were pruned split on it" for j in pruned}
    order = np.argsort(-scores, kind="stable")
    reasons = Reasons.of_kept(n_features, kept, NOT_REACHED, rule=rule, note=note)
    tables = {"splits": found.table()}
    return Selection.build(kept, order[~np.isin(order, kept)], reasons, scores, tables=tables)
