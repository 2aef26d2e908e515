"""Correlation of powers with the target, then orthogonalisation against redundancy."""

from __future__ import annotations

import time
from dataclasses import replace
from numbers import Integral, Real

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.measures import pearson
from fewer.core.records.params import Interval
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.stop import Stop
from fewer.core.stop.sizes import All, Count
from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.views.spread import check_products, check_target
from fewer.core.views.view import View
from fewer.methods.redundancy._expansion import MonomialProducts, expanded, powers
from fewer.methods.redundancy._projections import Projections


class SPECriterion(RankingCriterion):
    """Score the largest squared correlation of any power of the feature with the target, or with any class."""

    requires = ("dense",)

    def __init__(self, degree: int) -> None:
        self.degree = degree

    def scores(self, view: View) -> Ranking:
        """Score all features (eq. 10)."""
        y = view.whole().y
        # With two classes the second indicator only turns the sign of the first.
        classes = range(1 if view.n_classes == 2 else view.n_classes)
        targets = [y] if view.classes is None else [(y == c).astype(float) for c in classes]
        columns = expanded(view, powers(np.arange(view.n_features), self.degree))
        squares = np.zeros((self.degree, view.n_features))
        for target in targets:
            products = columns.with_target(target).fold(MonomialProducts())
            check_target(products)
            r = pearson(products)
            squares = np.maximum(squares, r.reshape(squares.shape) ** 2)
        return Ranking(squares.max(axis=0), columns={"power": squares.argmax(axis=0) + 1.0})


class SPERanker(BaseSelector):
    r"""Keep features of which some power correlates with the target and which others do not span.

    Features are ranked by :math:`\max_{j \le d} \rho^2(x^j, y)` (eq. 10 of [1]_). Then the ranking is walked from the
    top: each feature joins a basis, all others are projected on what is orthogonal to it, and those of which less than
    a fraction :math:`\delta` of the length is left are redundant and leave. With m features still to be evaluated,
    :math:`\delta = \frac12 (1 + \sum_j \|x'_j\| / \|x_j\|) / (1 + m)` (eq. 14), again at every step.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that are not redundant.
    degree : int, default=2
        Highest power of a feature that is tried.
    redundancy : bool, default=True
        Whether to look for redundant features; False leaves the ranking as it is.
    xi : float, default=2/3
        Redundancy is looked for until the basis has this fraction of as many features as there are rows, because later
        ones would be spanned by mere algebra.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    GramSchmidtRanker : Takes the chosen features out of the target, too.

    Notes
    -----
    Classes are compared one against the rest and the largest correlation counts; the text has two classes only.
    Powers are those of the values as given (algorithm 1), so the square of a feature far from zero says the same as
    the feature: centre such features first. A redundant feature is said to be so to the feature along whose direction
    most of it lies, by the fraction of its squared length that all features of the basis explain. Constant features
    score 0, are never kept and do not count in :math:`\delta`.

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> selection = SPERanker().fit(X, y).selection_
    >>> selection.indices.tolist()
    [2, 0, 1]
    >>> print(selection.reason(3))
    x3 is redundant to x2 by 0.92711: rank 4; score 0.787379.
    """

    method_tags = MethodTags(targets=("classes", "numbers"), views=("dense",), cost="n*d*(degree + min(d, xi*n))")
    _parameter_constraints: dict = {
        # as_stop reads it and says in one sentence what is allowed.
        "n_features_to_select": "no_validation",
        "degree": [Interval(Integral, 1, None, closed="left")],
        "redundancy": ["boolean"],
        "xi": [Interval(Real, 0, 1, closed="right")],
        "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        degree: int = 2,
        redundancy: bool = True,
        xi: float = 2 / 3,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.degree = degree
        self.redundancy = redundancy
        self.xi = xi
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> SPECriterion:
        return SPECriterion(self.degree)

    def _select(self, data: View, parts: Parts) -> Selection:
        begin, stop = time.perf_counter(), parts.size
        ranking = parts.criterion.scores(data)
        plain = data.with_target(np.zeros(data.n_rows)).fold(ProductsWithTarget())
        check_products(data, plain)
        projections = Projections(data, plain)
        # What is found against features below the cut is never told, so a fixed number of features ends the walk.
        most = stop.n if isinstance(stop, Count) else data.n_features
        spanned = self._walk(projections, ranking.order, most) if self.redundancy else {}
        candidates = projections.varies.copy()
        candidates[list(spanned)] = False
        kept, reasons = _cut(ranking, stop, candidates)
        told = {j: found for j, found in spanned.items() if found[0] <= len(kept)}
        reasons.kind[list(told)] = REDUNDANT
        reasons.kind[~projections.varies] = IRRELEVANT
        reasons = replace(
            reasons,
            related={j: projections.relatives(j, n_chosen) for j, (n_chosen, _) in told.items()},
            amount={j: amount for j, (_, amount) in told.items()},
            note={int(j): "the column is constant" for j in np.flatnonzero(~projections.varies)},
        )
        rest = ranking.order[reasons.kind[ranking.order] != KEPT]
        last = np.isin(rest, list(told)) + 2 * ~projections.varies[rest]
        seconds = time.perf_counter() - begin
        step = Step(tuple(kept.tolist()), (), float(ranking.scores[kept].sum()), data.n_features, seconds)
        order = rest[np.argsort(last, kind="stable")]
        return Selection.build(kept, order, reasons, ranking.scores, Trace([step]), ranking.columns)

    def _walk(self, projections: Projections, order: np.ndarray, most: int) -> dict[int, tuple[int, float]]:
        """Return for each redundant feature how many were in the basis then, and how much of it they explained."""
        open_to_choice, spanned = projections.varies.copy(), {}
        most = min(most, int(np.ceil(self.xi * projections.view.n_rows)))
        for k in order:
            if not open_to_choice[k]:
                continue
            if len(projections.chosen) >= most:
                break
            projections.include(int(k))
            open_to_choice[k] = False
            judged = np.flatnonzero(open_to_choice)
            lengths = np.sqrt(projections.left[judged])
            delta = 0.5 * (1.0 + lengths.sum()) / (1.0 + len(lengths))  # eq. 14
            for j in judged[lengths < delta]:
                spanned[int(j)] = (len(projections.chosen), float(1.0 - projections.left[j]))
                open_to_choice[j] = False
            progress.report("looking for redundancy", len(projections.chosen), most)
        return spanned


def _cut(ranking: Ranking, stop: Stop, candidates: np.ndarray) -> tuple[np.ndarray, Reasons]:
    """Cut the ranking of the candidates; return the kept features, best first, and the reasons of all."""
    n_features, numbers = len(ranking.scores), np.flatnonzero(candidates)
    cut = stop.cut(Ranking(ranking.scores[numbers]))
    rule = "all that are not redundant were asked for" if isinstance(stop, All) else cut.rule
    threshold = np.full(n_features, np.nan)
    threshold[numbers] = cut.threshold
    kept = numbers[cut.kept]
    kept = kept[np.argsort(-ranking.scores[kept], kind="stable")]
    reasons = Reasons.of_kept(n_features, kept, NOT_REACHED, threshold=threshold, rule=rule)
    reasons.kind[numbers[cut.irrelevant]] = IRRELEVANT
    return kept, reasons
