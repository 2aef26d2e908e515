"""A decision tree for ordered classes that is cut by rank mutual information (REMT)."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.measures._ordered import side_weights
from fewer.core.measures.monotone import rank_loss
from fewer.core.records.numerals import numeral
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.ordinal._growth import Growth, RankTree, grow
from fewer.methods.ordinal._order import ORDINAL_CONSTRAINTS, from_lowest, view_directions


class MonotoneTree(BaseClassifier):
    r"""Classify into ordered classes by a tree that is cut where the rank mutual information is largest.

    A cut of feature f at c makes a feature of two values, 1 up to c and 2 above; of all cuts of all features that with
    the largest rank mutual information with the class among the rows of the node is taken (REMT [1]_). Rows above the
    cut are thereby expected to have higher classes. A leaf predicts the median class of its rows.

    Parameters
    ----------
    max_depth : int, default=None
        Largest number of cuts on the way to a leaf; None for no limit.
    min_samples_leaf : int, default=1
        Smallest number of rows of a leaf.
    min_information : float, default=0.01
        A node is not cut if no cut has this much rank mutual information, in nats.
    side : {"ascending", "descending", "both"}, default="ascending"
        Whether the sets of the rank mutual information hold the rows above, those below, or the mean is taken.
    monotone : None, "auto", array-like of int or dict, default=None
        1 for features that rise with the class, -1 for those that fall, 0 for those that do neither; a dictionary names
        those that do not rise. None: all rise. "auto": as more pairs of rows say.
    class_order : array-like, default=None
        The classes, the lowest first; needed for text labels without an order of their own.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes, the lowest first.
    tree_ : RankTree
        Cuts, children, labels and class counts of the nodes.
    directions_ : ndarray of int, shape (n_features,)
        The direction of every feature.
    feature_importances_ : ndarray of shape (n_features,)
        Rank mutual information of the cuts by each feature, by rows of the node, as fractions.
    selection_ : Selection
        The features that the tree cuts by, those of most importance first.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    RankMutualInformation : Ranks features by the same information, without cuts.

    Notes
    -----
    Where the median lies between two classes, a leaf takes the worse one if it is the low child of its parent and the
    better one otherwise, as in the text, which says so of two classes with equally many rows. Cuts lie in the middle
    between two values. A feature of direction 0 may rise or fall in every node again.

    A row that is at least as large as another in every feature is not always given at least its class: the tree looks
    for monotone cuts but does not force different branches to agree. `fewer.measures.violations` counts
    how often predictions, or the data themselves, break the order.

    Text labels are refused unless ``class_order`` is given, as their alphabetical order is hardly ever meant.

    References
    ----------
    .. [1] Q. Hu, X. Che, L. Zhang, D. Zhang, M. Guo and D. Yu, "Rank entropy-based decision trees for monotonic
       classification", IEEE TKDE 24(11), 2012.

    Examples
    --------
    >>> X = [[1, 5], [2, 1], [3, 4], [4, 2], [5, 3], [6, 1]]
    >>> tree = MonotoneTree(class_order=["low", "mid", "high"]).fit(X, ["low", "low", "mid", "mid", "high", "high"])
    >>> tree.predict([[0, 0], [3.2, 9], [9, 9]]).tolist()
    ['low', 'mid', 'high']
    >>> print(tree.to_text())
    feature 0 > 4.5: high (2 of 2)
    else
      feature 0 > 2.5: mid (2 of 2)
      else: low (2 of 2)
    """

    method_tags = MethodTags(
        targets=("ordered classes",),
        views=("dense",),
        invariance=("scale", "row_order"),
        cost="n*log(n)*d*depth",
    )
    # Its classes must rise with some feature.
    poor_score = True
    _parameter_constraints: dict = {
        "max_depth": [None, Interval(Integral, 0, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "min_information": [Interval(Real, 0, None, closed="left")],
        "side": [StrOptions({"ascending", "descending", "both"})],
        **ORDINAL_CONSTRAINTS,
    }

    def __init__(
        self,
        max_depth: int | None = None,
        *,
        min_samples_leaf: int = 1,
        min_information: float = 0.01,
        side: str = "ascending",
        monotone: Any = None,
        class_order: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_information = min_information
        self.side = side
        self.monotone = monotone
        self.class_order = class_order

    def _placed(self, data: View) -> View:
        return from_lowest(type(self).__name__, data, self.class_order)

    def _learn(self, data: View) -> None:
        block, name = data.whole(), type(self).__name__
        self.directions_ = view_directions(name, self.monotone, data)
        shares = side_weights(name, self.side)
        rules = Growth(self.max_depth, self.min_samples_leaf, float(self.min_information), *shares)
        self.tree_ = grow(block.X, block.y, data.n_classes, self.directions_, rules)
        self.feature_importances_ = _importances(self.tree_, data.n_features)

    def _selection(self, data: View) -> Selection:
        """Return the features that the tree cuts by, those that tell most first."""
        scores = self.feature_importances_
        order = np.argsort(-scores, kind="stable")
        kept = order[: np.count_nonzero(scores)]
        rule = f"the tree cuts by {len(kept)} of {data.n_features} features"
        return Selection.build(kept, order, Reasons.of_kept(data.n_features, kept, NOT_REACHED, rule=rule), scores)

    def apply(self, X: Any) -> np.ndarray:
        """Return the number of the leaf that every row comes to."""
        rows = self._rows(X)
        return self.tree_.leaves(rows)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of every row: the median class of its leaf."""
        leaves = self.apply(X)
        return self.classes_[np.array(self.tree_.label)[leaves]]

    def rank_loss(self, X: Any, y: Any) -> float:
        """Return the mean number of classes by which predictions are off, counted in the order of `classes_`."""
        return rank_loss(np.asarray(y), self.predict(X), self.classes_)

    def to_text(self) -> str:
        """Return the tree as indented lines, with the rows of the predicted class out of all rows of each leaf."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", [f"feature {j}" for j in range(self.n_features_in_)])
        return "\n".join(_lines(self.tree_, names, self.classes_))


def _importances(tree: RankTree, n_features: int) -> np.ndarray:
    rows = np.array([counts.sum() for counts in tree.counts])
    inner = np.array(tree.feature) >= 0
    gained = np.bincount(np.array(tree.feature)[inner], (rows * tree.information)[inner], n_features)
    return gained / gained.sum() if gained.any() else gained


def _lines(tree: RankTree, names: Any, classes: np.ndarray) -> Iterator[str]:
    """Yield the lines of a tree, of every cut the higher classes first."""
    ahead = [(0, "", "")]
    while ahead:
        node, indent, words = ahead.pop()
        if tree.feature[node] < 0:
            label, counts = tree.label[node], tree.counts[node]
            yield f"{indent}{words}{': ' if words else ''}{classes[label]} ({counts[label]} of {counts.sum()})"
            continue
        if words:
            yield indent + words
            indent += "  "
        sign = ">" if tree.direction[node] > 0 else "<="
        test = f"{names[tree.feature[node]]} {sign} {numeral(tree.cut[node])}"
        ahead += [(tree.low[node], indent, "else"), (tree.high[node], indent, test)]
