"""Weight of evidence for one of two classes, and what it adds up to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CodesScore
from fewer.core.measures.evidence_weights import evidence_weights, information_value
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.summaries.counts import TargetCounts
from fewer.core.views.view import View
from fewer.methods.univariate._criteria import CountScore
from fewer.methods.univariate._tags import CODES


class InformationValue(CodesScore):
    r"""Keep features whose levels speak most for or against one of two classes.

    With :math:`p_j` and :math:`q_j` the fractions of the rows of the second and of the first class at level j, the
    weight of evidence of the level is :math:`\ln (p_j / q_j)`, and the score is :math:`\sum_j (p_j - q_j) \ln (p_j /
    q_j)` (chapter 6 of [1]_; Jeffreys' divergence of the classes). Below 0.02 it is called useless, up to 0.1 weak, up
    to 0.3 medium.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    Chi2 : Tests the same tables.
    PopulationStability : The same sum for old and new rows in place of two classes.

    Notes
    -----
    Half a row is added to both classes at every level that occurs, so that levels of one class have a finite weight.
    Rows of each level, and its weight, are in ``selection_.tables["weights of evidence"]`` for the features that are
    kept. Missing values are a level of their own, the last one. Half a row is no fraction of a weight, so that
    weights are refused.

    References
    ----------
    .. [1] N. Siddiqi, "Credit Risk Scorecards", Wiley, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> InformationValue(2).fit(X, y).selection_.indices.tolist()
    [22, 23]
    """

    method_tags = replace(
        CODES, targets=("classes",), binary_only=True, handles_weights=False, weights_count_rows=False
    )
    criterion = CountScore(information_value)

    def _select_in(self, view: View, data: View, parts: Parts) -> Selection:
        selection = super()._select_in(view, data, parts)
        counts = view.fold(TargetCounts(view.n_classes))
        weights, rows = evidence_weights(counts), counts.table.sum(axis=1)
        places = [np.arange(counts.offsets[j], counts.offsets[j + 1]) for j in selection.indices]
        here = np.concatenate([*places, np.empty(0, np.int64)])
        feature = np.repeat(selection.indices, [len(one) for one in places])
        columns = {
            "feature": feature,
            "level": here - counts.offsets[feature],
            "rows": rows[here],
            "weight of evidence": weights[here],
        }
        occurs = rows[here] > 0
        table = ResultTable(
            "Weights of evidence for the second class",
            {name: values[occurs] for name, values in columns.items()},
            "rows",
            ("feature",),
        )
        return selection.with_tables(**{"weights of evidence": table})
