"""Features by what clusters tell about them, and features whose clusters tell most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search import Problem, top_ranked
from fewer.core.search.sequential import Sequential
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.unsupervised._clusters import check_clusterer
from fewer.methods.unsupervised._utility_search import Salience, UtilityOfClusters


class CategoryUtility(BaseSelector):
    r"""Keep features that are guessed best if the cluster of a row is known.

    The category utility of K clusters is :math:`\frac{1}{K} \sum_k P(C_k) \sum_i [\sum_v P(A_i = v | C_k)^2 - \sum_v
    P(A_i = v)^2]` (eq. 6.13 of [1]_), and for numbers :math:`\frac{1}{K} \sum_k P(C_k) \sum_i \frac{1}{2 \sqrt{\pi}}
    (1 / \sigma_{ik} - 1 / \sigma_i)`, with no :math:`\sigma` below the acuity. It is a sum over features. "attention"
    [2]_ clusters the rows once, on all features, and ranks features by what they add; "forward" and "backward" [3]_
    cluster the rows again for every subset, and look for the subset whose clusters have most utility.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        "best" is for "forward" and "backward", rules that cut a ranking are for "attention".
    search : {"attention", "forward", "backward"}, default="attention"
        How subsets are visited: one ranking, or a wrapper that adds or removes features one by one.
    clusterer : clusterer, int or None, default=3
        What groups rows: a clusterer with fit_predict, or a number of clusters for k-means.
    acuity : float, default=0.1
        The smallest standard deviation that counts, as a fraction of that of the feature.
    scope : {"all", "subset"}, default="all"
        Whether clusters found on a subset are evaluated by all features, so that subsets of any size compare, or by
        those of the subset.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result. It is that of k-means.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.measures.category_utility : The measure, of tables of levels by clusters.

    Notes
    -----
    Numbers are brought to mean 0 and variance 1 first: :math:`1 / \sigma` has a unit, and sums over features need a
    common one. [3]_ clusters by COBWEB, and speeds it up by AICC, which reuses a hierarchy; neither is here, any
    clusterer serves. "forward" ends when no feature raises the utility, "backward" when every removal lowers it, unless
    a number is asked for. ``selection_.tables["attention"]`` tells what the attention of [2]_ would save: the fraction
    of rows that must look at a feature until no other can change to which cluster they would be added.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", section 4, in A Practical Approach to Microarray
       Data Analysis, 2003.
    .. [2] J. H. Gennari, "Concept formation and attention", Proc. 13th Conf. of the Cognitive Science Society, 1991.
    .. [3] M. Devaney and A. Ram, "Efficient feature selection in conceptual clustering", ICML 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> CategoryUtility(2, random_state=0).fit(X).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense",),
        handles_nominal=True,
        deterministic=False,
        invariance=(),
        cost="n*d",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "search": [StrOptions({"attention", "forward", "backward"})],
        # `_parts` reads it.
        "clusterer": "no_validation",
        "acuity": [Interval(Real, 0, 1, closed="neither")],
        "scope": [StrOptions({"all", "subset"})],
        "categorical_features": ["array-like", None],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        search: str = "attention",
        clusterer: Any = 3,
        acuity: float = 0.1,
        scope: str = "all",
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.search = search
        self.clusterer = clusterer
        self.acuity = acuity
        self.scope = scope
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> Any:
        seed = int(np.random.default_rng(self.random_state).integers(2**31 - 1))
        if self.search == "attention":
            return Salience(self.clusterer, self.acuity, seed)
        return UtilityOfClusters(self.clusterer, self.acuity, self.scope, seed)

    def _offers(self, criterion: Any) -> Iterable[str]:
        return ("cut",) if self.search == "attention" else ("subsets",)

    def _parts(self) -> Parts:
        check_clusterer("CategoryUtility", self.clusterer, "fit_predict")
        parts = super()._parts()
        if self.search == "attention":
            return parts
        parts = replace(parts, search=Sequential(self.search))
        parts.search.check("CategoryUtility", parts.criterion, parts.size)
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        if self.search == "attention":
            return top_ranked(lambda: parts.criterion.scores(data), parts.size)
        return parts.search.run(Problem(data, parts.criterion, parts.size, who="CategoryUtility"))
