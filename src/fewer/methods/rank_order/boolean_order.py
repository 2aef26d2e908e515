"""The order of the features of a row as features: one per pair."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.reading.frames import comparable
from fewer.core.records.errors import InputError
from fewer.core.records.params import StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.views.row_ranks import EQUAL, compare_pairs

# Numbers that `transform` returns at once; 2 GB as float32.
MOST_CELLS = 500_000_000


class BooleanOrder(BaseGenerator):
    r"""Turn every row into its boolean order: one new feature per pair, which of the two is smaller.

    Of n features that share one scale of measurement become n (n - 1) / 2 features :math:`b_{ij} = [f_i < f_j]`, i < j
    (Definition 4 of [1]_), 1 where the first is smaller and 0 where it is larger. Only the order inside a row matters,
    so that a change of scale which differs from row to row changes nothing. Whatever learns from numbers can follow,
    and no boolean order feature depends on the features outside its pair.

    Parameters
    ----------
    ties : {"state", "half"}, default="state"
        What equal values become: a third state, 2, or one half.

    Attributes
    ----------
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    Notes
    -----
    The text assumes that no values are equal, and for others names the domain {true, false, =, unknown}. So a pair of
    equal values has a state of its own, and one with a missing value is unknown, NaN. With ``ties="half"`` numbers keep
    the order larger, equal, smaller, as estimators that add up numbers want it. Pairs come in the order (0, 1), (0, 2),
    ..., (1, 2), ... and are named ``a<b``.

    Nothing is learned but the number of features. The result is float32 and takes 2 n (n - 1) bytes per row, nothing
    beside it; more than 500 million numbers at once are refused, which is 100 rows of 3,000 features. As much about the
    classes is in the order of the features itself (Lemma 1): `RankOrderElimination`, `RankOrderNB` and `KendallKNN`
    compare pairs without making them.

    See Also
    --------
    RankOrderNB : Naive Bayes on the boolean order, without making it.
    RankOrderElimination : Keeps features whose order tells the classes apart.

    References
    ----------
    .. [1] D. J. Slotta, J. P. C. Vergara, N. Ramakrishnan and L. S. Heath, "Algorithms for feature selection in
       rank-order spaces", 2005.

    Examples
    --------
    >>> order = BooleanOrder().fit([[20, 40, 65, 33], [50, 25, 55, 99]])
    >>> order.transform([[20, 40, 65, 33], [50, 25, 55, 99]]).astype(int).tolist()
    [[1, 1, 1, 1, 0, 0], [0, 1, 1, 1, 1, 1]]
    >>> order.get_feature_names_out(["a", "b", "c", "d"]).tolist()
    ['a<b', 'a<c', 'a<d', 'b<c', 'b<d', 'c<d']
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("ranks",),
        handles_nan=True,
        invariance=("monotone_together", "row_order"),
        cost="n*d^2",
    )
    _parameter_constraints: dict = {"ties": [StrOptions({"state", "half"})]}

    def __init__(self, *, ties: str = "state") -> None:
        self.ties = ties

    def fit(self, X: Any, y: Any = None) -> BooleanOrder:
        """Learn how many features there are.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers that can be compared with each other, or ordered categoricals of the same categories; NaN or None
            where a value is missing.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted transformer.
        """
        self._validate_params()
        X = validate_data(self, comparable(X, "BooleanOrder"), ensure_all_finite="allow-nan")
        if X.shape[1] < 2:
            raise InputError(
                f"BooleanOrder compares pairs of features, but X has {X.shape[1]} feature(s), and two are the fewest; "
                "give more."
            )
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Compare all pairs of features in every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers that can be compared with each other, or ordered categoricals of the same categories; NaN or None
            where a value is missing.

        Returns
        -------
        ndarray of float32, shape (n_samples, n_features * (n_features - 1) / 2)
            1, 0, the state of equal values, or NaN.
        """
        check_is_fitted(self, "n_features_in_")
        X = validate_data(self, comparable(X, "BooleanOrder"), reset=False, ensure_all_finite="allow-nan")
        n_rows, n_pairs = len(X), self._n_features_out
        if n_rows * n_pairs > MOST_CELLS:
            raise InputError(
                f"BooleanOrder makes {n_pairs:,} numbers of a row with {X.shape[1]:,} features, {n_rows * n_pairs:,} "
                f"in {n_rows:,} rows, but at most {MOST_CELLS:,} at once; pass fewer rows at a time or keep fewer "
                "features first, for instance with RankOrderElimination."
            )
        out = np.empty((n_rows, n_pairs), np.float32)
        compare_pairs(X, out, EQUAL if self.ties == "state" else 0.5, np.nan)
        return out

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ * (self.n_features_in_ - 1) // 2

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the pairs, such as ``x0<x1``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the features; by default those seen during `fit`, or x0, x1, ...

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "n_features_in_")
        names = _check_feature_names_in(self, input_features)
        first, second = np.triu_indices(len(names), 1)
        return names[first] + "<" + names[second]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        # The result is float32, whatever X is.
        tags.transformer_tags.preserves_dtype = []
        return tags
