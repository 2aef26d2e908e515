"""Nearest neighbours whose distance counts features by their weights of ReliefF."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.estimators.classifier import VotingClassifier
from fewer.core.estimators.regressor import BaseRegressor
from fewer.core.records.tags import MethodTags
from fewer.methods.local._relief_model import WeighedNeighbours

TAGS = MethodTags(
    targets=("classes",),
    views=("dense",),
    handles_nan=True,
    handles_nominal=True,
    invariance=("scale", "row_order_untied"),
    cost="n^2*d",
)


class ReliefKNN(WeighedNeighbours, VotingClassifier):
    r"""Classify by the nearest rows, where a feature counts by its weight of ReliefF.

    The distance is :math:`\sum_i \max(W_i, 0)\, d_i(x, x')` (section 9.7.3 of [1]_), with the weight :math:`W_i` of
    `ReliefF` and its difference :math:`d_i`: a fraction of the range of the fitted rows for numbers, 0 or 1 for levels;
    with the Euclidean metric :math:`d_i` is squared. No threshold is needed: what does not tell classes apart counts
    little or nothing. Features that matter only together, as in an exclusive or, keep their weight.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that vote.
    relief_neighbors : int, default=10
        Number of nearest rows, of each class where there are classes, from which the weights are learned.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        How the differences add up to the distance by which rows are near.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself.
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
    relief_weights_ : ndarray of shape (n_features,)
        The weights of ReliefF, also negative ones.
    feature_weights_ : ndarray of shape (n_features,)
        What features count in the distance: the weights above 0, 0 for the others; all 1 if there are none.
    selection_ : Selection
        The features that count, those of largest weight first.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    ReliefF : The weights alone.
    ReliefKNNRegressor : The same for a numeric target.

    Notes
    -----
    The text names lazy learning and says that weights are used directly; that negative ones are cut to 0, and that
    all features count alike, with a warning, if none is left, is ours. Numbers beyond the fitted range count as its
    ends, which changes no order of distances, unless they are squared or a ramp is asked for. A missing value takes
    the mean difference over the known values: of the class of its row for a fitted row, as in ReliefF, of all fitted
    rows for a new one, whose class is what is asked for. A level that was not fitted differs from all others. Of
    equal distances the lower row number is nearer, of equally many votes the first class wins.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008.
    .. [2] D. Wettschereck, D. W. Aha and T. Mohri, "A review and empirical evaluation of feature weighting methods for
       a class of lazy learning algorithms", Artificial Intelligence Review 11, 1997.

    Examples
    --------
    Two features that matter together, among eight that do not matter:

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((400, 10))
    >>> y = (X[:, 2] < 0.5) ^ (X[:, 7] < 0.5)
    >>> made = ReliefKNN().fit(X[:300], y[:300])
    >>> sorted(made.selection_.indices[:2].tolist())
    [2, 7]
    >>> made.score(X[300:], y[300:]) > 0.9
    True
    """

    method_tags = TAGS

    @property
    def _codes(self) -> np.ndarray:
        """Class numbers of the fitted rows, by which neighbors are told."""
        return self._targets

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        nearest = self._nearest(rows, self.n_neighbors)[1]
        return (self._targets[nearest][:, :, None] == np.arange(len(self.classes_))).sum(axis=1)


class ReliefKNNRegressor(WeighedNeighbours, BaseRegressor):
    r"""Predict the mean of the nearest rows, where a feature counts by its weight of RReliefF.

    As `ReliefKNN`, with the weights of `RReliefF` (section 9.7.3 of [1]_): the distance is
    :math:`\sum_i \max(W_i, 0)\, d_i(x, x')`, and the prediction the mean target of the nearest rows.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows whose mean is predicted.
    relief_neighbors : int, default=10
        Number of nearest rows, of each class where there are classes, from which the weights are learned.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        How the differences add up to the distance by which rows are near.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    relief_weights_, feature_weights_, selection_, n_features_in_, feature_names_in_
        As those of `ReliefKNN`.

    See Also
    --------
    RReliefF : The weights alone.
    ReliefKNN : The same for classes, with notes on missing values, levels and ranges.

    Notes
    -----
    A missing value takes the mean difference over all known values of its feature, in fitted and in new rows.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(400, 8))
    >>> y = X[:, 1] * X[:, 4]
    >>> made = ReliefKNNRegressor().fit(X[:300], y[:300])
    >>> sorted(made.selection_.indices[:2].tolist())
    [1, 4]
    >>> made.score(X[300:], y[300:]) > 0.8
    True
    """

    method_tags = replace(TAGS, targets=("numbers",))

    def _answers(self, rows: np.ndarray) -> np.ndarray:
        return self._targets[self._nearest(rows, self.n_neighbors)[1]].mean(axis=1)
