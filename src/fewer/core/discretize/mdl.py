"""The entropy discretizer of Fayyad and Irani."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.discretize.cuts import Cuts
from fewer.core.discretize.discretizer import Discretizer, columns_of
from fewer.core.kernels.cutpoints import mdl_cuts
from fewer.core.records.errors import RequirementError

# Columns copied together.
TOGETHER = 16


class MDLDiscretizer(Discretizer):
    """Cut each feature where it tells the classes apart, as often as the description length allows.

    The cut with the least class entropy divides the values in two, then each part is divided again; a cut of n values S
    into S1 and S2 is accepted if its information gain exceeds

        (ln(n - 1) + ln(3^k - 2) - k H(S) + k1 H(S1) + k2 H(S2)) / n

    where k, k1 and k2 are the numbers of classes present. Cuts lie halfway between two values; of equally good ones the
    leftmost is taken. A feature without an accepted cut has one level. Sample weights play no part: the criterion
    counts examples.

    Attributes
    ----------
    cuts_ : Cuts
        Edges and levels of every feature.

    See Also
    --------
    EqualFrequency : Needs no classes.

    References
    ----------
    .. [1] U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued attributes for
       classification learning", IJCAI, 1993.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [11.0], [12.0], [13.0], [14.0]]
    >>> MDLDiscretizer().fit(X, [0, 0, 0, 0, 1, 1, 1, 1]).cuts_.of(0).tolist()
    [7.5]
    """

    def _learn(self, data: Any) -> Cuts:
        block = data.whole()
        if block.y is None or block.y.dtype.kind not in "iu" or data.n_classes < 1:
            raise RequirementError(
                "MDLDiscretizer needs classes, but the target is missing or numeric; pass class labels as y or use "
                "EqualFrequency."
            )
        m = np.arange(block.n_rows + 1, dtype=np.float64)
        xlogx = m * np.log(np.maximum(m, 1.0))

        def work(start: int, stop: int) -> list[np.ndarray]:
            columns = columns_of(block.X, start, stop)
            orders = np.argsort(columns, axis=1)
            found = []
            for column, order, nominal in zip(columns, orders, data.nominal[start:stop]):
                order = order[: np.count_nonzero(column == column)]
                edges = np.empty(0 if nominal else len(order))
                used = 0 if nominal else mdl_cuts(column[order], block.y[order], data.n_classes, xlogx, edges)
                found.append(np.sort(edges[:used]))
            return found

        parts = data.run.scan(work, data.n_features, TOGETHER)
        return Cuts.from_lists([edges for part in parts for edges in part])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
