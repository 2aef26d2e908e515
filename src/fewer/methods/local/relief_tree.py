"""Trees whose splits are chosen by ReliefF and RReliefF."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.classifier import VotingClassifier
from fewer.core.estimators.regressor import BaseRegressor
from fewer.core.records.numerals import numeral
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.local._relief_splits import TreeBase

TAGS = MethodTags(
    targets=("classes",),
    views=("dense",),
    handles_nan=True,
    handles_nominal=True,
    invariance=("scale_untied", "row_order_untied"),
    cost="n^2*d*depth",
)


class ReliefTree(TreeBase, VotingClassifier):
    r"""Classify by a tree that splits every node on the feature of the largest weight by ReliefF.

    In each node features are weighed by `ReliefF` among the rows of the node (section 9.7.4 of [1]_). The best one is
    split: a number at the boundary, a nominal feature at the level, whose two sides have the largest weight as a
    feature of two values, by the same pairs of near rows. A node without a feature of weight above ``min_weight`` is
    a leaf. Other than impurities, the weights see features that tell classes apart only together: of an exclusive or
    the first split is one of its two features.

    Parameters
    ----------
    max_depth : int, default=None
        Largest number of splits on the way to a leaf; None for no limit.
    n_neighbors : int, default=10
        Number of nearest rows of each class, or all rows of a class of which the node has fewer.
    min_weight : float, default=0.0
        A node is split only if the weight of some feature is above it.
    min_samples_leaf : int, default=5
        Smallest number of rows of a leaf.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all. Those of each
        node are drawn, also by None, where all would make more than about four million pairs.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    tree_ : ReliefGrowth
        Number of rows, split and children of every node.
    feature_importances_ : ndarray of shape (n_features,)
        Weights of the splits on each feature, by rows of the node, as fractions.
    selection_ : Selection
        The features that the tree splits on, those of most importance first; ``selection_.tables["splits"]`` holds the
        splits with the weight of the feature and of the split.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    ReliefTreeRegressor : The same for a numeric target.
    TreeFilter : A tree by impurities.

    Notes
    -----
    The text says that ReliefF was employed in trees, and no more. Ranges and class fractions are those of the rows of
    the node, so that a node is weighed as `ReliefF` would weigh its rows alone, also where a class has few of them.
    The weight of a number is the mean weight of all boundaries in its range, so that the best one weighs no less,
    unless values are missing or ``min_samples_leaf`` forbids it. A nominal feature is split into one level and all
    others. Pairs of rows with a missing value do not count in the weight of a boundary or level. Rows without a value
    go with the larger part, levels that were not fitted with the others. If no split of the best feature weighs more
    than 0 and leaves ``min_samples_leaf`` rows on either side, the next feature is taken, as long as it weighs more
    than ``min_weight``. There is no pruning: the weights near the leaves are those of few rows, and positive ones by
    chance split on; raise ``min_weight`` or ``min_samples_leaf`` against that.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008.
    .. [2] I. Kononenko, E. Šimec and M. Robnik-Šikonja, "Overcoming the myopia of inductive learning algorithms with
       RELIEFF", Applied Intelligence 7, 1997.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((400, 6))
    >>> y = (X[:, 1] < 0.5) ^ (X[:, 4] < 0.5)
    >>> made = ReliefTree(max_depth=2).fit(X, y)
    >>> sorted(made.selection_.indices.tolist())
    [1, 4]
    >>> made.score(X, y) > 0.95
    True
    """

    method_tags = TAGS

    def _learn_leaves(self, data: View, leaf: np.ndarray) -> None:
        self._counts = np.zeros((len(self.tree_.rows), data.n_classes), np.int64)
        np.add.at(self._counts, (leaf, data.whole().y), 1)

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(self._counts[self.tree_.leaves(rows)])

    def _said(self, node: int) -> str:
        return str(self.classes_[int(np.argmax(self._counts[node]))])


class ReliefTreeRegressor(TreeBase, BaseRegressor):
    r"""Predict numbers by a tree that splits every node on the feature of the largest weight by RReliefF.

    As `ReliefTree`, with the weights of `RReliefF` in every node (section 9.7.4 of [1]_); a leaf predicts the mean of
    its rows.

    Parameters
    ----------
    max_depth : int, default=None
        Largest number of splits on the way to a leaf; None for no limit.
    n_neighbors : int, default=10
        Number of nearest rows, or all others of a node that has fewer.
    min_weight : float, default=0.0
        A node is split only if the weight of some feature is above it.
    min_samples_leaf : int, default=5
        Smallest number of rows of a leaf.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all. Those of each
        node are drawn, also by None, where all would make more than about four million pairs.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    tree_, feature_importances_, selection_, n_features_in_, feature_names_in_
        As those of `ReliefTree`.

    See Also
    --------
    ReliefTree : The same for classes, with notes on boundaries, levels and missing values.

    Notes
    -----
    The target is compared by its range in the node.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008.
    .. [2] M. Robnik-Šikonja and I. Kononenko, "Context sensitive attribute estimation in regression", ICML workshop,
       1996.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(400, 6))
    >>> made = ReliefTreeRegressor(max_depth=2).fit(X, np.sign(X[:, 1] * X[:, 4]))
    >>> sorted(made.selection_.indices.tolist())
    [1, 4]
    """

    method_tags = replace(TAGS, targets=("numbers",))

    def _learn_leaves(self, data: View, leaf: np.ndarray) -> None:
        self._means = np.bincount(leaf, data.whole().y, len(self.tree_.rows)) / np.array(self.tree_.rows)

    def _answers(self, rows: Any) -> np.ndarray:
        return np.asarray(self._means[self.tree_.leaves(rows)])

    def _said(self, node: int) -> str:
        return numeral(float(self._means[node]), ".4g")
