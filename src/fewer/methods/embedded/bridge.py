"""Bridge: least squares with a power of the coefficients as penalty."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.predicting import RegressingSelector
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.records.needs import MORE_THAN, Need
from fewer.core.records.numerals import numeral
from fewer.core.records.params import number_above, number_from, whole_from
from fewer.core.records.ranking import Ranking, steady
from fewer.core.records.reasons import IRRELEVANT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.embedded._bridge import BridgeFit, BridgeFolds, threshold
from fewer.methods.embedded._columns import UnitColumns
from fewer.methods.embedded._path_choice import errors_along
from fewer.methods.embedded._path_result import ALIKE, QUANTITY


class Bridge(RegressingSelector):
    r"""Keep features with the largest coefficients of bridge regression.

    With columns of mean 0 and length 1, :math:`\|y - X\beta\|^2 + \lambda \sum_j |\beta_j|^q` is minimised by
    coordinate descent [1]_. With q = 2 this is ridge regression, with q = 1 the lasso; with q of at most 1 coefficients
    can be 0, and with q below 1 large ones are hardly shrunk, but the minimum that is found may be a local one.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); no more than have
        coefficients, and those with the largest. None keeps all of them.
    q : float, default=0.5
        The power, above 0.
    penalty : float or None, default=None
        The factor of the penalty, at least 0; None takes the one with the least error on held-out rows.
    n_penalties : int, default=30
        How many penalties to try: for q of at most 1 from one that leaves no feature to a thousandth of it.
    tol : float, default=1e-8
        A fit ends when no coefficient changes by more than this fraction of the length of the target.
    max_iter : int, default=1000
        Most iterations: sweeps over the features in one fit.
    cv : int, str, splitter, iterable or None, default=10
        Splits of the rows, the same for all subsets; None is five folds. Rows held out choose where they are asked.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients of the columns as they were given, of kept features only.
    intercept_ : float
        What is predicted for a row of zeros.
    penalty_ : float
        The penalty in use.
    objective_ : float
        What was minimised, at the minimum, before features were cut.
    start_ : str
        From where the minimum was found.
    n_iter_ : int
        The most sweeps of a fit.

    See Also
    --------
    LarsEN : The lasso and the elastic net, along their whole path.

    Notes
    -----
    A single coefficient with product z of column and residual becomes 0 if :math:`|z| \le \tau`, and otherwise jumps to
    at least :math:`b_0 = [\lambda (1 - q)]^{1/(2-q)}`, :math:`\tau = \frac{2-q}{2(1-q)} b_0`, for q below 1. There fits
    start from that of the next larger penalty and from the lasso with the same threshold, and the better is taken. The
    score is the absolute coefficient in columns of length 1; ``selection_.tables["path"]`` holds the coefficients by
    penalty, from the largest of the grid, and the error on held-out rows where these choose. Where fewer features are
    kept than have coefficients, the model is fitted again to the kept ones, with the same penalty, also in every fold,
    so that errors are those of so many features. A feature without a
    coefficient is called redundant if its absolute correlation with a kept one is 0.9 or more. [1]_ says nothing on how
    to choose the penalty.

    References
    ----------
    .. [1] H. Zou and T. Hastie, "Model building and feature selection with genomic data", in H. Liu and H. Motoda
       (eds.), Computational Methods of Feature Selection, 2008, section 20.2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> Bridge(3).fit(X, y).selection_.indices.tolist()
    [8, 2, 3]
    """

    method_tags = MethodTags(
        targets=("numbers",), views=("dense",), nested=True, invariance=("scale",), cost="n*d*sweeps"
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "q": [number_above(0)],
        "penalty": [None, number_from(0)],
        "n_penalties": [whole_from(2)],
        "tol": [number_above(0)],
        "max_iter": [whole_from(1)],
        # The splitter reads it.
        "cv": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        q: float = 0.5,
        penalty: float | None = None,
        n_penalties: int = 30,
        tol: float = 1e-8,
        max_iter: int = 1000,
        cv: Any = 10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.q = q
        self.penalty = penalty
        self.n_penalties = n_penalties
        self.tol = tol
        self.max_iter = max_iter
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _select(self, data: View, parts: Parts) -> Selection:
        block = data.whole()
        unit, fit = UnitColumns.of(block.X, block.y), BridgeFit(float(self.q), self.tol, self.max_iter)
        data.check_finite(unit.lengths)
        penalties, errors = fit.grid(unit, self.n_penalties), None
        if self.penalty is None:
            X, y = np.asarray(block.X, dtype=np.float64), np.asarray(block.y, dtype=np.float64)

            def folds_of(splits: Any) -> BridgeFolds:
                return BridgeFolds(X, y, splits, fit, penalties, parts.size)

            (found,) = errors_along(data, self.cv, folds_of, 1, type(self).__name__)
            errors = found.mean
        else:
            # Warm starts lead down to the penalty.
            penalties = np.append(penalties[penalties > self.penalty], self.penalty)
        betas, starts, self.n_iter_ = fit.path(unit, penalties)
        at = len(penalties) - 1 if errors is None else self._least(betas, errors)
        self.penalty_, self.start_ = float(penalties[at]), starts[at]
        self.objective_ = fit.objective(unit, betas[at], self.penalty_)
        selection = self._kept(unit, betas[at], parts.size, None if errors is None else float(errors[at]))
        title = f"Bridge regression, q = {numeral(self.q)} (coefficients in columns of length 1)"
        beside = {"features": (betas != 0).sum(axis=1)} | ({} if errors is None else {"error": errors})
        selection = selection.with_tables(path=ResultTable.path(title, "penalty", penalties, betas, None, beside))
        self.coef_, self.intercept_ = unit.given(fit.cut(unit, betas[at], self.penalty_, parts.size))
        found_at = {"penalty": self.penalty_, "objective": self.objective_, "start": self.start_}
        return replace(selection, columns={"coefficient": self.coef_}).with_meta(**found_at)

    def _least(self, betas: np.ndarray, errors: np.ndarray) -> int:
        """Return the largest penalty with the least error, among those with features if there are any."""
        some = (betas != 0).any(axis=1)
        return int(np.argmin(np.where(some, errors, np.inf) if some.any() else errors))

    def _kept(self, unit: UnitColumns, beta: np.ndarray, size: Stop, error: float | None) -> Selection:
        scores = np.abs(beta)
        ranking = Ranking(scores)
        cut = size.cut(ranking)
        kept = ranking.order[(cut.kept & (scores > 0))[ranking.order]]
        rule = f"the penalty is {numeral(self.penalty_)}; {cut.rule}"
        if error is not None:
            rule = f"{rule}; the mean squared error on held-out rows is {numeral(error)}"
        zero = (scores == 0) & ~unit.constant
        left = np.abs(unit.rows @ (unit.target - beta @ unit.rows))
        line = threshold(self.penalty_, float(self.q))[0]
        need = Need(QUANTITY, np.where(zero, left, np.nan), line, how=MORE_THAN, why="to have a coefficient")
        note = {int(j): "the column is constant, its coefficient is 0" for j in np.flatnonzero(unit.constant)}
        lines = {"threshold": cut.threshold, "above": cut.above, "needs": (*cut.needs, need)}
        reasons = Reasons.of_kept(len(beta), kept, NOT_REACHED, rule=rule, note=note, **lines)
        reasons.kind[(scores == 0) | cut.irrelevant] = IRRELEVANT
        related, amount = stand_ins(unit, np.flatnonzero(zero), kept)
        reasons.kind[list(related)] = REDUNDANT
        reasons = replace(reasons, related=related, amount=amount)
        return Selection.build(kept, ranking.order, reasons, scores)


def stand_ins(
    unit: UnitColumns, dropped: np.ndarray, kept: np.ndarray
) -> tuple[dict[int, tuple[int, ...]], dict[int, float]]:
    """Return for dropped features the kept one that says the same, and the absolute correlation of the two."""
    if not len(kept) or not len(dropped):
        return {}, {}
    kept = np.sort(kept)
    alike = np.minimum(np.abs(unit.rows[dropped] @ unit.rows[kept].T), 1.0)
    best = steady(alike).argmax(axis=1)
    found = [(int(j), int(kept[k]), float(r[k])) for j, k, r in zip(dropped, best, alike) if r[k] >= ALIKE]
    return {j: (i,) for j, i, _ in found}, {j: r for j, _, r in found}
