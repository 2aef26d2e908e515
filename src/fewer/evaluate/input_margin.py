"""How near training rows come to the border of a classifier, in the space of the features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_is_fitted

from fewer.core.records.errors import InputError


@dataclass(frozen=True)
class InputSpaceMargin:
    """The smallest distance of rows from a border.

    Attributes
    ----------
    margin : float
        The smallest root mean square difference between a row and the nearest point of the border, eq. 11.27.
    row : int
        The row that has it; of equal ones the first.
    foot : ndarray of shape (n_features,)
        The point of the border.
    weighted : float or None
        The distance of both with the weights of that row, eq. 11.28, if weights were given; never less than the margin
        if they come from the gradient of the border there.
    """

    margin: float
    row: int
    foot: np.ndarray
    weighted: float | None


def input_space_margin(estimator: Any, X: Any, weights: Any = None) -> InputSpaceMargin:
    r"""Return the input-space margin of a classifier of two classes with a smooth decision function.

    :math:`IM = \min_s \sqrt{\frac{1}{N} \sum_i (s_i - d_i)^2}` over rows s, d being the nearest points of the border
    [1]_.

    Parameters
    ----------
    estimator : classifier
        Fitted, of two classes, such as ``SVC``, ``LogisticRegression`` or ``MLPClassifier``.
    X : array-like of shape (n_samples, n_features)
        The training rows.
    weights : array-like of shape (n_samples, n_features), optional
        Weights of the features at every row, each row summing to 1, such as those of `LaMaNNa.local_relevance`.

    Returns
    -------
    InputSpaceMargin

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.4.4.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]], [0, 0, 1, 1]
    >>> round(input_space_margin(SVC(kernel="linear").fit(X, y), X).margin, 3)
    0.707
    """
    from fewer.core.borders.foot_points import foot_points
    from fewer.core.borders.smooth_classifiers import decision_of

    check_is_fitted(estimator)
    rows = check_array(X, dtype=np.float64, input_name="X")
    decision = decision_of(estimator, rows, "input_space_margin")
    if decision.n_classes != 2:
        raise InputError(
            f"input_space_margin takes a classifier of two classes, but {type(estimator).__name__} has "
            f"{decision.n_classes}; fit one for each pair of classes."
        )
    found = foot_points(decision.pair(0, 1), rows, rows)
    row = int(np.argmin(found.distances))
    if not np.isfinite(found.distances[row]):
        raise InputError(
            f"No point of the border of {type(estimator).__name__} was found from any of {len(rows)} rows; pass the "
            "rows it was fitted to, of both classes."
        )
    away, weighted = rows[row] - found.points[row], None
    if weights is not None:
        given = check_array(weights, dtype=np.float64, input_name="weights")
        if given.shape != rows.shape or (given < 0).any():
            raise InputError(
                f"input_space_margin got weights of shape {given.shape} for rows of shape {rows.shape}; pass one "
                "weight per row and feature, not negative."
            )
        weighted = float(np.sqrt((given[row] * away**2).sum()))
    return InputSpaceMargin(float(found.distances[row] / np.sqrt(rows.shape[1])), row, found.points[row], weighted)
