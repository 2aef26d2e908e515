"""Columns that give the target away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.hygiene.examine import bins_for
from fewer.core.hygiene.leaks import errors_avoided, leaks
from fewer.core.hygiene.strata import look_at, strata
from fewer.core.views.view import View
from fewer.methods.hygiene._filter import TAGS, ColumnsFound, HygieneFilter


class LeakSuspects(HygieneFilter):
    """Leave out columns that alone predict the target perfectly or nearly so, or by what is missing in them.

    Each column is put into bins of equal frequency, and the most frequent class of a bin predicts its rows, each by the
    others. The score is the fraction of the errors of a guess that are left, so 1 is a column that tells nothing. A
    suspect leaves next to none, more than chance among so many columns makes, and is far ahead of all columns that are
    no suspects: the best of many good columns is none. A column is one, too, if nearly all rows in which it is missing,
    or in which it is not, are of one class.

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

    Notes
    -----
    A target of numbers is put into ten bins of equal frequency. With fewer than 20 rows there are no suspects.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = rng.normal(size=(200, 3))
    >>> X[:, 1] += 0.5 * y
    >>> X[:, 2] = y + rng.normal(scale=0.01, size=200)
    >>> LeakSuspects().fit(X, y).selection_.kept_names
    ['x0', 'x1']
    """

    method_tags = replace(TAGS, targets=("classes", "numbers"), invariance=("row_order",))
    kind = "leak"

    def _found(self, data: View) -> ColumnsFound:
        looks = look_at(data)
        counted = strata(data, looks, bins_for(looks))
        wrong = leaks(data, looks, counted, looks.constant)
        return ColumnsFound(np.clip(1 - errors_avoided(counted), 0.0, 1.0), wrong)
