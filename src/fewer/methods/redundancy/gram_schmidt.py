"""Orthogonal forward regression: each chosen feature is taken out of the others and of the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from scipy.special import betainc, betaincinv

from fewer.core.criteria.shapes import StepwiseCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.measures import pearson
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.records.trace import Trace
from fewer.core.search import ended, greedy_forward
from fewer.core.stop import Stop
from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.views.spread import check_products
from fewer.core.views.view import View
from fewer.methods.redundancy._expansion import MonomialProducts, expanded, monomials, powers, refuse_too_many
from fewer.methods.redundancy._joined import OnFeatures, selection_of_features
from fewer.methods.redundancy._projections import OF_FEATURES, Projections

# A fraction of a squared length that is left below this is round-off.
NOTHING = 1e-12
# Gains of columns made of features that differ by a smaller fraction than this are equal.
NEARLY = 1e-9
# Gains of features themselves that agree to twelve digits are equal: rounding shall not choose.
ROUNDED = 1e-12


class ExplainedVariance(StepwiseCriterion):
    """Score the fraction of the variance of the target that a feature explains beyond the chosen ones.

    After `explain`, ``gains`` tells what each would explain beyond the kept ones.
    """

    requires = ("dense",)

    def __init__(self, summary: ProductsWithTarget = OF_FEATURES, nearly: float = ROUNDED) -> None:
        self.summary, self.nearly = summary, nearly

    def start(self, view: View) -> np.ndarray:
        """Score every feature by its squared correlation with the target."""
        products = view.fold(self.summary)
        if self.summary is OF_FEATURES:
            check_products(view, products)
        self.projections = Projections(view, products, self.summary)
        # Products of the columns of length one with what is left of a target of length one.
        self.with_target = pearson(products)
        size = np.sqrt(products.m2_y) if self.with_target.any() else 1.0
        self.target = (view.whole().y - products.origin_y - products.mean_y) / size
        self.unexplained = 1.0
        return self._gains()

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Take the feature that joined last out of the others and out of the target."""
        direction, coefficients = self.projections.include(chosen[-1])
        along = float(self.target @ direction)
        self.target -= along * direction
        self.with_target = self.with_target - along * coefficients
        self.unexplained = max(self.unexplained - along**2, 0.0)
        return self._gains()

    def _gains(self) -> np.ndarray:
        left = self.projections.left
        some = (left > NOTHING) & (self.unexplained > NOTHING) & (np.abs(self.with_target) > self.projections.noise)
        gains = np.divide(self.with_target**2, left, out=np.zeros_like(left), where=some)
        # Equal products of copies of features differ in the last digits; of these, too, the first shall win.
        gains[gains >= (1.0 - self.nearly) * gains.max(initial=0.0)] = gains.max(initial=0.0)
        return gains

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Tell constant features and those that the kept ones span."""
        if len(self.projections.chosen) > len(kept):
            # The stop rule went back some steps.
            self.start(self.projections.view)
        for n_chosen in range(len(self.projections.chosen), len(kept)):
            self.add(self.projections.view, kept[: n_chosen + 1].tolist())
        projections = self.projections
        kind, dropped = reasons.kind.copy(), reasons.kind != KEPT
        kind[dropped & ~projections.varies] = IRRELEVANT
        spanned = np.flatnonzero(dropped & projections.varies & (projections.left <= NOTHING))
        kind[spanned] = REDUNDANT
        related = {j: projections.relatives(j, len(kept)) for j in spanned.tolist()}
        amount = {j: float(1.0 - projections.left[j]) for j in related}
        note = {int(j): "the column is constant" for j in np.flatnonzero(~projections.varies)}
        self.gains = self._gains()
        return replace(reasons, kind=kind, related=related, amount=amount, note=note)


def probe_risks(gains: Sequence[float], n_rows: int) -> np.ndarray:
    """Return after every step the probability that a random probe would have ranked before one of the chosen features.

    Parameters
    ----------
    gains : sequence of float
        Fraction of the variance of the target that each chosen feature explained when it joined.
    n_rows : int
        Number of rows.

    Returns
    -------
    ndarray
        H_1, H_2, ...; see the notes of `GramSchmidtRanker`.
    """
    shares = np.asarray(gains, dtype=float)
    unexplained = 1.0 - np.concatenate([[0.0], np.cumsum(shares)[:-1]])
    cos2 = np.clip(np.divide(shares, unexplained, out=np.zeros_like(shares), where=unexplained > NOTHING), 0.0, 1.0)
    dimensions = n_rows - np.arange(1, len(shares) + 1)
    # In one dimension every probe has the direction of the target.
    better = np.where(dimensions > 1, betainc(np.maximum(dimensions - 1, 1) / 2, 0.5, 1.0 - cos2), 1.0)
    return 1.0 - np.cumprod(1.0 - better)


@dataclass(frozen=True)
class EnoughExplained(Stop):
    """End when nothing is left to explain, or when a random probe would rank better with more than a given risk."""

    risk: float | None
    n_rows: int

    abilities: ClassVar[tuple[str, ...]] = ("done",)

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the last step explained nothing or was too risky."""
        if len(trace) == 0:
            return False
        if trace[-1].value <= 0 or self.risk is None:
            return trace[-1].value <= 0
        return bool(probe_risks(trace.values, self.n_rows)[-1] > self.risk)

    def steps_kept(self, trace: Trace) -> int:
        """Leave out the last step if it ended the search."""
        return len(trace) - self.done(trace, 0)

    def blame(self, reasons: Reasons, trace: Trace, gains: Sequence[float]) -> Reasons:
        """Say that the search ended because nothing more can be explained, or only with too much risk."""
        if trace[-1].value <= 0 or self.risk is None:
            return replace(reasons, rule="the chosen features explain all that can be explained")
        kind = reasons.kind.copy()
        kind[~np.isin(kind, (KEPT, REDUNDANT))] = IRRELEVANT
        words = f"the search stopped where a random probe would rank better with a risk above {self.risk:g}"
        return replace(reasons, kind=kind, threshold=self.needed(gains), rule=words)

    def needed(self, gains: Sequence[float]) -> float:
        """Return what the feature after these gains must explain so that the risk is kept."""
        before = probe_risks(gains, self.n_rows)[-1] if len(gains) else 0.0
        dimensions = self.n_rows - len(gains) - 1
        if self.risk is None or dimensions <= 1:
            return float("nan")
        better = (self.risk - before) / (1.0 - before)
        return float((1.0 - sum(gains)) * (1.0 - betaincinv((dimensions - 1) / 2, 0.5, better)))

    def __str__(self) -> str:
        return "explained" if self.risk is None else f"probe:{self.risk:g}"


class GramSchmidtRanker(BaseSelector):
    r"""Keep features that explain most of what the features chosen before leave of the target.

    Of centred columns the one with the largest :math:`\cos^2(x, y) = \langle x, y \rangle^2 / (\|x\|^2 \|y\|^2)` is
    chosen (eq. 7 of [1]_); then the other columns and y are projected on what is orthogonal to it, and so on. The
    score of a feature is the fraction of the variance of y that it explained when it joined; their sum is the squared
    multiple correlation. The search ends early when nothing is left to explain. Whole numbers are read as numbers and
    two text classes as 0 and 1.

    With a ``degree`` above 1 the columns are made of the features, as in the experiments of [1]_: their powers (eq. 9),
    or all their products up to this degree. A feature then has the rank and the score of the first of its columns that
    is chosen; its later columns are taken out of the others and of y as well, but are no new feature.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    probe : float, default=None
        Accepted risk that a random feature would have ranked before a chosen one, between 0 and 1; None accepts any.
    degree : int, default=1
        Highest power of a feature, or degree of a product, that is a column; 1 takes the features as they are.
    expansion : {"simplified", "full"}, default="simplified"
        Whether the columns are the powers of each feature or all products of features up to the degree.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    SPERanker : Uses projections only to drop redundant features.

    Notes
    -----
    With n rows, at step k the centred and projected columns lie in n - k dimensions, where the cos² of a random
    Gaussian column with a fixed one follows a Beta(1/2, (n - k - 1)/2) law. Its upper tail at the cos² of the chosen
    feature is :math:`G_k`, the probability that a random probe ranks better at this step. Over the steps it adds up to
    :math:`H_k = H_{k-1} + (1 - H_{k-1}) G_k`, :math:`H_0 = 0` [2]_; the first feature with :math:`H_k` above the risk
    and all later ones are left out. The sum takes the steps as independent. They are not: a probe that does well at
    one step tends to do well at the next, so that the true probability lies between the largest :math:`G_k` and
    :math:`H_k` and the rule errs on the side of fewer features. The column ``"probe_risk"`` of the selection holds
    :math:`H_k` of the chosen features.

    A feature of which the chosen ones explain all but 1e-12 of the variance is redundant. With an expansion the chosen
    columns must explain the feature itself, and none of its other columns may explain more of y than they do.

    With an expansion ``n_features_to_select`` still counts features, whereas the risk of a probe counts every chosen
    column. Where several features join with one product, the lower number comes first and the score of each is what the
    product explained. The reason of a kept feature names its column, and the column ``"degree"`` of the selection says
    of which degree it is. Only the full expansion finds features that tell nothing alone, such as an exclusive or. It
    has :math:`\binom{m + d}{d} - 1` columns of m features, 585,275 for 150 features and degree 3, and is refused
    above 200,000; either expansion is refused above 100 million factors in all columns. They are made tile by tile, so
    that the memory stays that of the data. Powers are those of the values as given, so the square of a feature far from
    zero says the same as the feature: centre such features first.

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.
    .. [2] H. Stoppiglia, G. Dreyfus, R. Dubois and Y. Oussar, "Ranking a random feature for variable and feature
       selection", JMLR 3, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> GramSchmidtRanker(probe=0.05).fit(X, y).selection_.indices.tolist()
    [2, 8, 3, 4, 1, 5]
    >>> from fewer.synth import make_xor
    >>> data = make_xor(200, n_irrelevant=8, random_state=0)
    >>> print(GramSchmidtRanker(2, degree=2, expansion="full").fit(data.X, data.y).selection_.reason(0))
    x0 was kept: rank 1; score 0.431861; the search stopped (2); it joined as x0*x1.
    """

    method_tags = MethodTags(
        targets=("ordered classes", "numbers"), views=("dense",), invariance=("row_order", "scale"), cost="n*d*k"
    )
    _serves = ("done",)
    _parameter_constraints: dict = {
        # as_stop reads it and says in one sentence what is allowed.
        "n_features_to_select": "no_validation",
        "probe": [Interval(Real, 0, 1, closed="neither"), None],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "expansion": [StrOptions({"simplified", "full"})],
        "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        probe: float | None = None,
        degree: int = 1,
        expansion: str = "simplified",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.probe = probe
        self.degree = degree
        self.expansion = expansion
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        # The square of a feature depends on its origin.
        return self.method_tags if self.degree == 1 else replace(self.method_tags, invariance=("row_order",))

    def _criterion(self) -> ExplainedVariance | None:
        # Columns made of features are the search's own business.
        return ExplainedVariance() if self.degree == 1 else None

    def _select(self, data: View, parts: Parts) -> Selection:
        if self.degree == 1:
            return self._search(data, parts.size, parts.criterion)
        refuse_too_many(type(self).__name__, data.n_features, self.degree, self.expansion)
        products = data.fold(OF_FEATURES)
        check_products(data, products)
        varies = Projections(data, products).varies
        make = monomials if self.expansion == "full" else powers
        on_features = OnFeatures(parts.size, make(np.flatnonzero(varies), self.degree), data.n_features)
        criterion = ExplainedVariance(MonomialProducts(), NEARLY)
        found = self._search(expanded(data, on_features.factors), on_features, criterion)
        names = data.names or [f"x{j}" for j in range(data.n_features)]
        return selection_of_features(found, on_features, varies, names, criterion.gains > 0)

    def _search(self, view: View, stop: Stop, criterion: ExplainedVariance) -> Selection:
        """Choose columns one by one."""
        enough = EnoughExplained(self.probe, view.n_rows)
        found = greedy_forward(view, criterion, stop | enough)
        gains = found.trace.values[: len(found)]
        risk = np.full(view.n_features, np.nan)
        risk[found.indices] = probe_risks(gains, view.n_rows)
        reasons = replace(found.reasons, rule=ended(found, stop, view.n_features - len(found.trace)))
        if enough.done(found.trace, 0):
            reasons = enough.blame(reasons, found.trace, gains)
        return replace(found, reasons=reasons, columns={"probe_risk": risk})
