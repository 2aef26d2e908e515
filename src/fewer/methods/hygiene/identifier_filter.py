"""Columns that number or name the rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.hygiene.identifiers import identifiers
from fewer.core.hygiene.strata import look_at
from fewer.core.views.view import View
from fewer.methods.hygiene._filter import TAGS, ColumnsFound, HygieneFilter


class IdentifierFilter(HygieneFilter):
    """Leave out columns that number or name the rows.

    An identifier is text with nearly one value per row; or whole numbers, nearly all different, that also rise or fall
    steadily with the row number, fill their range without gaps, or bear the name of an identifier, such as id, index or
    patient_no. None of a block of similar columns is one: counts of genes are whole numbers, nearly all different, too.
    The score is 0 for an identifier, and 1 for all other columns. With fewer than 20 rows there are none.

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
    Different values are counted exactly up to 4,096, beyond that to about two percent. Columns of sparse matrices are
    not looked at.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).integers(0, 9, (50, 3))
    >>> X[:, 1] = np.arange(50)
    >>> IdentifierFilter().fit(X).selection_.indices.tolist()
    [0, 2]
    """

    method_tags = replace(TAGS, invariance=())
    kind = "identifier"

    def _found(self, data: View) -> ColumnsFound:
        wrong = identifiers(data, look_at(data))
        scores = np.ones(data.n_features)
        scores[list(wrong)] = 0.0
        return ColumnsFound(scores, wrong)
