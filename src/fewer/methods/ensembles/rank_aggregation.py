"""What several rankings agree on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer import registry
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.estimators.selector import BaseSelector
from fewer.core.estimators.whole_methods import joint_targets
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import StrOptions, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.checkpoint import fit_journal
from fewer.core.views.view import View
from fewer.methods.ensembles._importance_fits import first_seed
from fewer.methods.ensembles._lists import AggregatedRanks

FOR_CLASSES, FOR_NUMBERS = ("FTest", "SymmetricalUncertainty", "ReliefF"), ("Pearson", "VarianceReduction", "RReliefF")
# Kemeny's order looks at all pairs of features again and again.
MOST_PAIRED = 3000


def defaults(view: View) -> tuple[Any, ...]:
    """Return three unlike methods that suit the target."""
    return tuple(registry.load_selector(name)() for name in (FOR_CLASSES if view.n_classes else FOR_NUMBERS))


class RankAggregation(ScoreBase):
    r"""Rank the features by several methods, or from several samples of the rows, and make one ranking of all.

    What single methods or samples find by chance, others do not find; what all find stays. Four ways make one order:

    - "borda": the mean over all lists of the fraction of the other features that the feature is ranked before;
    - "median": the same of the median of its ranks;
    - "kemeny": the order that contradicts the fewest pairs of the lists, by local search; beside it stands the sum over
      all pairs of the minority, which no order can go below;
    - "rra": robust rank aggregation [1]_, :math:`-\ln \rho`, :math:`\rho = \min_k P(B_{k,n} \le r_{(k)})`, where
      :math:`r_{(k)}` is the k-th smallest of the n ranks divided by the number of features, and :math:`B_{k,n}` follows
      the beta distribution with k and n - k + 1. It finds features that part of the lists put first.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    selectors : sequence of str or selector, or None, default=None
        What ranks: names of methods, or selectors. A number of features that they have plays no part; a rule such as
        "fdr:0.05", or the end of a search, makes a list that leaves features out. None is F test, symmetrical
        uncertainty and ReliefF on classes; Pearson, variance reduction and RReliefF on numbers.
    aggregation : {"borda", "median", "kemeny", "rra"}, default="borda"
        What makes one order of all.
    selector_weights : sequence of float or None, default=None
        What each selector counts; None is alike. Not for "rra".
    resampling : {"bootstrap", "half"} or None, default=None
        Samples of the rows that each selector ranks: as many with replacement, or half of them without, class by class;
        None is all rows, once.
    n_repeats : int, default=20
        Number of samples.
    checkpoint : str or path, default=None
        A file to which evaluations are written, and from which a search that was stopped goes on: here rankings. Needs
        a whole number as ``random_state``.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result. It draws the samples, and is passed on to
        selectors that have a random part and no seed.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.StabilitySelection : How often features are selected from halves of the rows, with a bound on false ones.
    fewer.FeatureVoting : Votes of pipelines by their accuracy.

    Notes
    -----
    Equal scores share their mean rank. Features that a list leaves out share the mean of its last places; for "rra"
    they are last. ``selection_.columns`` holds the mean rank by every selector, ``selection_.tables["ranks"]`` the
    spread over samples, ``tables["kemeny"]`` disagreement and bound; equal, they prove that no order is better.

    The p-value of "rra" (``columns["agreement_pvalue"]``; exact up to 30 lists, n times rho beyond [1]_) is that of
    lists in independent random order. Lists from the same rows are not independent even of irrelevant features, so it
    says how far they agree and not whether a feature is relevant, and no rule takes it.

    References
    ----------
    .. [1] R. Kolde, S. Laur, P. Adler and J. Vilo, "Robust rank aggregation for gene list integration and
       meta-analysis", Bioinformatics 28, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> found = RankAggregation(3).fit(X, y).selection_
    >>> found.indices.tolist()
    [6, 12, 11]
    >>> [int(found.columns[f"rank_by_{name}"][6]) for name in ("FTest", "SymmetricalUncertainty", "ReliefF")]
    [1, 1, 2]
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"), views=("dense",), invariance=("row_order_untied", "scale"), cost="selectors"
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        # Read by `_made`, one sentence each.
        "selectors": "no_validation",
        "selector_weights": "no_validation",
        "aggregation": [StrOptions({"borda", "median", "kemeny", "rra"})],
        "resampling": [None, StrOptions({"bootstrap", "half"})],
        "n_repeats": [whole_from(1)],
        "checkpoint": "no_validation",
        "random_state": [None, whole_from(0), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: Any = 10,
        *,
        selectors: Any = None,
        aggregation: str = "borda",
        selector_weights: Any = None,
        resampling: str | None = None,
        n_repeats: int = 20,
        checkpoint: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.selectors = selectors
        self.aggregation = aggregation
        self.selector_weights = selector_weights
        self.resampling = resampling
        self.n_repeats = n_repeats
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _made(self) -> tuple[Any, ...] | None:
        """Return the selectors, None for those that the target decides."""
        if self.selectors is None:
            return None
        several = isinstance(self.selectors, Sequence) and not isinstance(self.selectors, str)
        given = self.selectors if several else ()
        made = tuple(registry.load_selector(one)() if isinstance(one, str) else one for one in given)
        if not made or not all(isinstance(one, BaseSelector) for one in made):
            raise ParameterError(
                f"RankAggregation got selectors={self.selectors!r}, but takes a list of names of methods or selectors "
                "of this library; pass for example ['FTest', fewer.ReliefF()]."
            )
        return made

    def _tags_in_use(self) -> MethodTags:
        made, tags = self._made(), self.method_tags
        if self.resampling is not None:
            tags = replace(tags.unchanged_only_by(("scale",)), deterministic=False)
        if made is None:
            return tags
        parts = [one._tags_in_use() for one in made]
        return replace(
            tags,
            targets=joint_targets(parts),
            handles_nan=all(part.handles_nan for part in parts),
            handles_nominal=all(part.handles_nominal for part in parts),
            handles_sparse=all(part.handles_sparse for part in parts),
            deterministic=tags.deterministic and all(part.deterministic for part in parts),
            binary_only=any(part.binary_only for part in parts),
            invariance=tuple(name for name in tags.invariance if all(name in part.invariance for part in parts)),
        )

    def _criterion(self) -> AggregatedRanks:
        weights = self.selector_weights
        return AggregatedRanks(
            self._made(),
            self.aggregation,
            None if weights is None else tuple(weights),
            self.resampling,
            self.n_repeats,
            first_seed(self.random_state),
            defaults=defaults,
        )

    def _offers(self, criterion: Any) -> tuple[str, ...]:
        # Places of probes are places among more features, and a feature would win ties against its knockoff.
        return self._serves

    def _parts(self) -> Parts:
        made, weights = self._made(), self.selector_weights
        for one in made or ():
            one.check()
        n = len(FOR_CLASSES if made is None else made)
        if weights is not None and not _are_weights(weights, n):
            raise ParameterError(
                f"RankAggregation got selector_weights={weights!r}, but takes one number above 0 for each of the {n} "
                "selectors; pass such a list, or None."
            )
        if weights is not None and self.aggregation == "rra":
            raise ParameterError(
                "RankAggregation got selector_weights and aggregation='rra', which knows no weights; pass None, or "
                "another aggregation."
            )
        return super()._parts()

    def _select(self, data: View, parts: Parts) -> Selection:
        if self.aggregation == "kemeny" and data.n_features > MOST_PAIRED:
            raise InputError(
                f"RankAggregation got {data.n_features} features with aggregation='kemeny', which compares all pairs "
                f"of at most {MOST_PAIRED}; select so many first, or pass 'borda'."
            )
        journal = fit_journal(self, data, ("aggregation", "selector_weights", "n_repeats"))
        parts = replace(parts, criterion=replace(parts.criterion, journal=journal))
        return super()._select(data, parts)


def _are_weights(weights: Any, n: int) -> bool:
    numbers = isinstance(weights, (Sequence, np.ndarray)) and not isinstance(weights, str) and len(weights) == n
    return numbers and all(isinstance(w, Real) and 0 < float(w) < float("inf") for w in weights)
