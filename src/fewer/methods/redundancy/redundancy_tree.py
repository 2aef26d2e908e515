"""Redundancy of binary features: who covers whom, and what may go."""

from __future__ import annotations

import time
from dataclasses import replace
from numbers import Integral, Real

import numpy as np

from fewer.core.discretize.codes import codes_view
from fewer.core.discretize.user_edges import UserEdges
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector, WeightedFit
from fewer.core.measures import information_gain
from fewer.core.measures.covers import Covers, find_covers
from fewer.core.records.forest import RedundancyForest
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.records.trace import Step, Trace
from fewer.core.stop import Stop
from fewer.core.stop.sizes import Fraction
from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.pairs import PresencePairs
from fewer.core.views.view import View


class RedundancyTree(WeightedFit, BaseSelector):
    r"""Drop binary features that another feature covers and that cover none themselves.

    A feature is present in a row if its value is above a threshold. For two features that occur together,
    :math:`R(i, j) = \Phi(i, j)\, n_{ij} / n_i` (eq. 16.16 of [1]_) says how well j stands for i:
    :math:`n_{ij} / n_i` is the fraction of the rows with i that have j as well, and :math:`\Phi` compares what the pair
    and what both alone tell about the class (eq. 16.13). Each feature hangs below the one with the largest :math:`R`;
    the leaves of these trees are redundant. What is left is ranked by information gain, the score.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that are not redundant.
    rule : {"tree", "matrix"}, default="tree"
        Which features are redundant: leaves of the trees, or features that are nobody's best cover, which keeps both
        of two duplicates.
    top_fraction : float, default=None
        Fraction of the features, those of highest information gain, among which redundancy is looked for; others are
        not reached. None takes all features.
    tau : float, default=0.5
        Two features belong to one set if one of them covers this fraction of the other; covers are looked for in the
        set.
    clip : bool, default=False
        Whether to cut :math:`\Phi` at 1, which features that tell little exceed.
    threshold : float, default=0.0
        A feature is present where its value is larger.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    tree_ : RedundancyForest
        The trees of all features; ``print(tree_)`` and ``tree_.plot()`` show them.

    See Also
    --------
    InformationGain : Ranks without regard to redundancy.

    Notes
    -----
    The text leaves open how sets of correlated features follow from the inclusion of one in another; see `tau`. It
    says that :math:`\Phi` is at most one, which does not hold. It looks for redundancy among the tenth of the
    features of highest information gain; features that tell nearly nothing have large :math:`\Phi`, so use
    `top_fraction` where there are many. Features that half of the rows have cover half of each other by chance: use
    a larger `tau` for such data. Features that no row or every row has are irrelevant. Nominal columns are refused:
    encode each level as a feature of its own. The matrices of m dense features need about 8 m^2 bytes per class;
    those of sparse features hold only pairs that occur together.

    References
    ----------
    .. [1] M. Makrehchi and M. S. Kamel, "Aggressive feature selection by feature ranking", ch. 16 of H. Liu and
       H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> X = [[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]
    >>> selector = RedundancyTree().fit(X, [0, 0, 0, 1, 1, 1])
    >>> selector.selection_.indices.tolist()
    [0, 2]
    >>> print(selector.tree_)
    x0
      x1 (0.8165)
    1 feature alone
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("codes",),
        handles_sparse=True,
        handles_weights=True,
        weights_count_rows=True,
        streams=True,
        cost="n*d^2",
    )
    _parameter_constraints: dict = {
        # as_stop reads it and says in one sentence what is allowed.
        "n_features_to_select": "no_validation",
        "rule": [StrOptions({"tree", "matrix"})],
        "top_fraction": [None, Interval(Real, 0, 1, closed="right")],
        "tau": [Interval(Real, 0, 1, closed="right")],
        "clip": ["boolean"],
        "threshold": [Interval(Real, None, None, closed="neither")],
        "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        rule: str = "tree",
        top_fraction: float | None = None,
        tau: float = 0.5,
        clip: bool = False,
        threshold: float = 0.0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.rule = rule
        self.top_fraction = top_fraction
        self.tau = tau
        self.clip = clip
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _select(self, data: View, parts: Parts) -> Selection:
        begin = time.perf_counter()
        view = codes_view(data, UserEdges([self.threshold]))
        counts = view.fold(TargetCounts(view.n_classes))
        information = information_gain(counts)
        absent, present = (counts.table[counts.offsets[:-1] + level].sum(axis=1) for level in (0, 1))
        order = np.argsort(-information, kind="stable")
        reached = np.zeros(view.n_features, bool)
        reached[order[: self._n_top(view.n_features)]] = True
        constant = {int(j): "no row has it" for j in np.flatnonzero(present == 0)}
        constant |= {int(j): "all rows have it" for j in np.flatnonzero(absent == 0)}
        reached[list(constant)] = False
        features = np.flatnonzero(reached)
        covers = self._covers(view, features, counts.of(0).sum(axis=0), information)
        forest = RedundancyForest(covers.parents, np.where(covers.parents >= 0, covers.value, 0.0))
        selection = self._selection(covers, features, information, order, constant, parts.size)
        step = Step(
            added=tuple(selection.indices.tolist()),
            value=float(information[selection.indices].sum()),
            evaluations=view.n_features,
            seconds=time.perf_counter() - begin,
        )
        return replace(selection, trace=Trace([step]), tables={"tree": forest.table()})

    @property
    def tree_(self) -> RedundancyForest:
        """Who covers whom."""
        found = self.selection_
        return RedundancyForest.from_table(found.tables["tree"], found.n_features, found.names)

    def _n_top(self, n_features: int) -> int:
        share = self.top_fraction
        return n_features if share is None or share == 1 else Fraction(share).count(n_features)

    def _covers(self, view: View, features: np.ndarray, sizes: np.ndarray, information: np.ndarray) -> Covers:
        """Find the covers of some features, by their numbers in the data."""
        n = view.n_features
        best, value, parents = np.full(n, -1, np.int64), np.zeros(n), np.full(n, -1, np.int64)
        if len(features):
            pairs = view.fold(PresencePairs(view.n_classes, tuple(features.tolist()))).pairs
            found = find_covers(pairs, sizes, information[features], tau=self.tau, clip=self.clip)
            named = np.append(features, -1)
            best[features], value[features], parents[features] = named[found.best], found.value, named[found.parents]
        return Covers(best, value, parents)

    def _selection(
        self,
        covers: Covers,
        features: np.ndarray,
        information: np.ndarray,
        order: np.ndarray,
        constant: dict[int, str],
        size: Stop,
    ) -> Selection:
        redundant = covers.redundant(self.rule)
        left = features[~redundant[features]]
        cut = size.cut(Ranking(information[left]))
        group = np.full(len(information), 3)
        group[features] = 2
        group[left] = np.where(cut.kept, 0, 1)
        order = order[np.argsort(group[order], kind="stable")]
        kept = order[: int(cut.kept.sum())]
        threshold = np.full(len(information), np.nan)
        threshold[left] = cut.threshold
        rule = cut.rule if self.top_fraction is None else f"{cut.rule}; among a fraction of {self.top_fraction:g} only"
        kind = np.full(len(information), NOT_REACHED, np.uint8)
        kind[left[cut.irrelevant]] = IRRELEVANT
        kind[kept], kind[redundant], kind[list(constant)] = KEPT, REDUNDANT, IRRELEVANT
        related = {int(j): (int(covers.best[j]),) for j in np.flatnonzero(redundant)}
        amount = {j: float(covers.value[j]) for j in related}
        reasons = Reasons(kind, threshold, rule, related, amount, constant)
        return Selection.build(kept, order, reasons, information)
