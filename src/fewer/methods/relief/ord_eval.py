"""ordEval: what each level of an ordered feature does to an ordered target, between rows that are alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase, halved_scores, probe_scores
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import INVARIANCES, MethodTags
from fewer.core.search import top_ranked
from fewer.core.stop import Stop
from fewer.core.views.knockoffs import knockoffs_of
from fewer.core.views.view import View
from fewer.methods.relief._changes import Asked, Changes, changes


@dataclass(frozen=True)
class NetChange(RankingCriterion):
    """How much more often the target moves with a feature than against it, between a row and its neighbours."""

    n_neighbors: int = 10
    neighbor_weights: str = "equal"
    sigma: float = 20.0
    n_samples: int | None = None
    n_random: int = 0
    percentile: float = 0.025
    bins: int = 10
    seed: Any = None

    requires = ("dense",)

    @property
    def has_pvalues(self) -> bool:  # type: ignore[override]
        """Whether there are random copies to compare with."""
        return self.n_random > 0

    def changes(self, view: View) -> Changes:
        """Compare rows with their neighbours."""
        ranks = np.arange(1, self.n_neighbors + 1, dtype=float)
        # Relative to the first rank, so that not all weights are 0 if sigma is small.
        decay = np.exp((1.0 - ranks**2) / self.sigma**2)
        weights = decay if self.neighbor_weights == "exponential" else np.ones_like(ranks)
        asked = Asked(weights, self.n_samples, self.n_random, self.percentile, self.bins)
        return changes(view, asked, np.random.default_rng(self.seed))

    def scores(self, view: View) -> Ranking:
        """Return the absolute net change of every feature, with what it is made of."""
        found = self.changes(view)
        tables = {"levels": _table(found)}
        return Ranking(np.abs(found.by_feature["net"]), found.pvalues, found.by_feature, tables=tables)


class OrdEval(ScoreBase):
    r"""Keep ordered features that an ordered target follows between rows that are otherwise alike.

    For every row R and its nearest neighbours S the changes from S to R are counted, by the level j that feature i has
    at R: the upward reinforcement is :math:`U_{i,j} = P(y_R > y_S | x_{R,i} > x_{S,i})` (eq. 9.14), the downward one
    :math:`D_{i,j} = P(y_R < y_S | x_{R,i} < x_{S,i})` (eq. 9.15), the anchoring :math:`A_{i,j} = P(y_R = y_S | x_{R,i}
    = x_{S,i})`. They stand in ``levels_``, beside the interval in which they would lie by chance. The score of a
    feature is the absolute net change, :math:`|P(y \text{ moves with } x) - P(y \text{ moves against } x)|` over all
    pairs that differ in it: 1 if the target always follows, 0 if it goes either way.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_neighbors : int, default=10
        Number of nearest rows of all classes; about 70 suit "exponential". Those at equal distance share the last
        places.
    neighbor_weights : {"equal", "exponential"}, default="equal"
        Whether neighbours count alike, or less with their rank r, as :math:`\exp(-(r / \sigma)^2)`.
    sigma : float, default=20.0
        Width of the exponential weights; 70 neighbours suit the default.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all.
    n_random : int, default=200
        Number of shuffled copies of every feature that the intervals and p-values come from; 0 for none. Copies do
        not take part in the distance.
    percentile : float, default=0.025
        Fraction of copies outside the interval on each side.
    bins : int, default=10
        A column of at most this many different values keeps each as a level; others are put into bins of equal
        frequency.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    levels_ : dict of str to list
        One entry per level of every feature: "feature", "level", "rows", "up", "down", "anchor" and, with copies,
        their bounds "up_low", "up_high" and so on. NaN where no pair is of the kind, as for the upward reinforcement
        of the lowest level. ``pandas.DataFrame(levels_)`` is a table; `fewer.report.ord_eval.reinforcement` draws it.

    Notes
    -----
    The book speaks of the most similar instance; as in the implementation of its authors, several are used. A missing
    value at R or S leaves that feature out of the pair, where the authors count one at S as no change; in the distance
    it counts as the mean difference from the values of its feature. The source gives no score per feature. The net
    change is one that does not depend on the frequencies of the classes: U alone is P(y_R > y_S) for a feature without
    effect. It has a sign in the column "net": U and D of a feature of negative sign speak of changes against its
    order, so its levels should be reversed before they are read. Only the order of y counts; give numbers.

    As the source has it, copies do not take part in the distance while the feature does. Neighbours that differ in a
    feature are therefore a little more alike in the others than those that differ in a copy of it, and the fractions of
    a feature without effect lie a little below the middle of their intervals: what exceeds an interval is evidence,
    what falls below one is not. For the same reason p-values do not hold beside few features that are rare zeros and
    ones: among three such features without effect, 9 to 14 % were below 0.05.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, chapter 9, section 9.4.3, 2008.
    .. [2] M. Robnik-Šikonja and K. Vanhoof, "Evaluation of ordinal attributes at value level", Data Mining and
       Knowledge Discovery 14, 2007.

    Examples
    --------
    >>> from fewer.synth import make_ordinal_kano
    >>> data = make_ordinal_kano(500, random_state=0)
    >>> ordered = OrdEval(2, n_random=0).fit(data.X, data.y)
    >>> [data.names[j] for j in ordered.selection_.indices]
    ['performance_strong', 'performance_weak']
    """

    method_tags = MethodTags(
        targets=("ordered classes", "numbers"),
        views=("dense",),
        handles_nan=True,
        deterministic=False,
        invariance=("row_order", "scale", "monotone"),
        cost="n^2*d + n_random*n*n_neighbors*d",
    )
    criterion = NetChange()
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "neighbor_weights": [StrOptions({"equal", "exponential"})],
        "sigma": [Interval(Real, 0, None, closed="neither")],
        "n_samples": [None, Interval(Integral, 1, None, closed="left")],
        "n_random": [Interval(Integral, 0, None, closed="left")],
        "percentile": [Interval(Real, 0, 0.5, closed="left")],
        "bins": [Interval(Integral, 2, 1000, closed="both")],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int = 10,
        neighbor_weights: str = "equal",
        sigma: float = 20.0,
        n_samples: int | None = None,
        n_random: int = 200,
        percentile: float = 0.025,
        bins: int = 10,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.neighbor_weights = neighbor_weights
        self.sigma = sigma
        self.n_samples = n_samples
        self.n_random = n_random
        self.percentile = percentile
        self.bins = bins
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        kept = INVARIANCES if self.n_samples is None else ("scale", "monotone")
        return self.method_tags.unchanged_only_by(kept)

    def _criterion(self) -> NetChange:
        return NetChange(
            n_neighbors=self.n_neighbors,
            neighbor_weights=self.neighbor_weights,
            sigma=self.sigma,
            n_samples=self.n_samples,
            n_random=self.n_random,
            percentile=self.percentile,
            bins=self.bins,
            seed=self.random_state,
        )

    def _select(self, data: View, parts: Parts) -> Selection:
        criterion = parts.criterion

        def probes(wanted: int) -> np.ndarray:
            return probe_scores(replace(criterion, n_random=0), data, data.reordered, wanted)

        def knockoffs(fixed: bool, seed: int) -> tuple[np.ndarray, np.ndarray]:
            more = knockoffs_of(data, fixed, seed, "OrdEval")
            return halved_scores(replace(criterion, n_random=0), data.with_columns(more))

        return top_ranked(lambda: criterion.scores(data), parts.size, probes, knockoffs)

    @property
    def levels_(self) -> dict[str, list[Any]]:
        """One entry per level of every feature, with its name."""
        return self.selection_.tables["levels"].named(self.selection_.feature_names)


def _table(found: Changes) -> ResultTable:
    """Return one row per level of every feature."""
    levels = found.levels
    features = np.repeat(np.arange(len(levels.n_levels)), levels.n_levels)
    columns = {"feature": features, "level": levels.labels, "rows": levels.rows, **found.by_level}
    return ResultTable("What each level of a feature does to the target", columns, features=("feature",))
