"""Columns that repeat another one."""

from __future__ import annotations

import numpy as np

from fewer.core.hygiene.examine import copies_of
from fewer.core.hygiene.strata import look_at
from fewer.core.views.view import View
from fewer.methods.hygiene._filter import TAGS, ColumnsFound, HygieneFilter


class DuplicateFilter(HygieneFilter):
    """Leave out columns with the same value as an earlier one in every row.

    The score is 1 for a column that is the first of its kind, and 0 for a copy. Constant columns are no copies of each
    other. Nominal columns are compared by their levels, whatever these are called. Found by a fingerprint of 128 bits
    per column that adds up over row blocks, so that one pass over the rows is enough.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); of the columns
        that are not left out. None keeps all of them.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    keep : str, list of str or int, or None, default=None
        Columns that are not left out, whatever is found of them: names or numbers, or "all".
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.CorrelationFilter : Leaves out columns that are nearly, or up to their units, the same.

    Examples
    --------
    >>> selection = DuplicateFilter().fit([[1, 5, 1], [2, 5, 2], [3, 6, 3]]).selection_
    >>> selection.indices.tolist()
    [0, 1]
    >>> print(selection.reason(2))
    x2 is redundant to x0 by 1: rank 3; score 0; the same values in every row.
    """

    method_tags = TAGS
    kind = "duplicate"

    def _found(self, data: View) -> ColumnsFound:
        copies = copies_of(data, look_at(data))
        scores = np.ones(data.n_features)
        scores[list(copies)] = 0.0
        return ColumnsFound(scores, dict.fromkeys(copies, "the same values in every row"), copies)
