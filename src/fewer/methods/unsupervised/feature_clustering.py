"""Groups of similar features, of which one each is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.criteria.column_similarity import OF_LEVELS, SIMILARITIES, similarity_matrix
from fewer.core.discretize.codes import codes_view
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CODES_CONSTRAINTS, tags_of_levels
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import StrOptions, whole_from
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection, after
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search.contract import MANY_UNITS
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.unsupervised._medoids import Dendrogram, Grouping, best_medoids, by_linkage

# A feature less similar to what stands for it is not called redundant.
REDUNDANT_FROM = 0.5


class FeatureClustering(BaseSelector):
    r"""Group features that go together and keep the middle of each group.

    "medoids" is k-means on columns (section 2.4.1 of [1]_): each feature belongs to the medoid with the largest
    similarity, :math:`|\rho|` by default; the new medoid of a group is :math:`\arg\max_{f \in C} \sum_{g \in C}
    |\rho_{fg}|`; until the sum of all similarities to medoids rises no more. "linkage" joins the two most similar
    groups until as many are left as features shall be kept, and keeps the medoid of each. The score of a feature is the
    sum of its similarities to its group, itself included.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). Here a number or a
        fraction, which is the number of groups; None keeps all that vary.
    algorithm : {"medoids", "linkage"}, default="medoids"
        How features are grouped.
    similarity : {"pearson", "spearman", "cramer", "su"}, default="pearson"
        What goes together: correlation of values, of ranks, Cramer's V or symmetrical uncertainty of levels.
    signed : bool, default=False
        Whether features that are opposite count as different rather than as the same.
    linkage : {"average", "complete", "single"}, default="average"
        Similarity of two groups joined by "linkage": the mean of all pairs, the lowest, or the highest.
    n_starts : int, default=10
        How often "medoids" begins, each time with another first medoid; the best result counts.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. For
        "cramer" and "su" only.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so. Only "cramer" and "su" take such
        columns.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    labels_ : ndarray of int of shape (n_features,)
        The kept feature that stands for the group of every feature; -1 for constant columns.

    See Also
    --------
    CorrelationFilter : Leaves out what is correlated with a better column, by a threshold.

    Notes
    -----
    Only redundancy is removed: a feature that is similar to no other is a group of its own and kept. Constant columns
    are in no group. Medoids begin with the features most similar to all others, one start after the other, and go on
    with the one least similar to those chosen; so there is no random part, where [1]_ and others draw starts. All
    pairs of columns are held at once, 8 bytes each. Of equal features the lowest number stands for its group. A
    dropped feature is called redundant if its similarity to the kept one is at least 0.5.

    References
    ----------
    .. [1] J. G. Dy, "Unsupervised feature selection", ch. 2 of H. Liu and H. Motoda (eds.), "Computational Methods of
       Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> found = FeatureClustering(2).fit(X)
    >>> found.selection_.indices.tolist(), found.labels_.tolist()
    ([2, 1], [2, 1, 2, 2])
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense",),
        nested=False,
        invariance=("row_order", "scale"),
        cost="n*d^2",
    )
    _serves = ("subsets",)
    _parameter_constraints: dict = {
        **CODES_CONSTRAINTS,
        "algorithm": [StrOptions({"medoids", "linkage"})],
        "similarity": [StrOptions(set(SIMILARITIES))],
        "signed": ["boolean"],
        "linkage": [StrOptions({"average", "complete", "single"})],
        "n_starts": [whole_from(1)],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        algorithm: str = "medoids",
        similarity: str = "pearson",
        signed: bool = False,
        linkage: str = "average",
        n_starts: int = 10,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.algorithm = algorithm
        self.similarity = similarity
        self.signed = signed
        self.linkage = linkage
        self.n_starts = n_starts
        self.discretizer = discretizer
        self.bins = bins
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        tags = self.method_tags
        if self.similarity == "spearman":
            return replace(tags, invariance=("row_order", "scale", "monotone"))
        if self.similarity == "pearson":
            return tags
        levels = replace(tags, views=("codes",), handles_nominal=True, handles_nan=True)
        return tags_of_levels(replace(levels, invariance=("row_order", "scale", "monotone")), self.discretizer)

    def _parts(self) -> Parts:
        parts = super()._parts()
        wanted = parts.size.wanted(MANY_UNITS)
        limits = (wanted.gain, wanted.patience, wanted.seconds, wanted.evaluations)
        if wanted.low != wanted.high or any(limit is not None for limit in limits):
            raise RequirementError(
                f"FeatureClustering got n_features_to_select={str(parts.size)!r}, but makes as many groups as it is "
                "told to; pass a number or a fraction."
            )
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        view = codes_view(data, parts.discretizer) if self.similarity in OF_LEVELS else data
        similar, constant = similarity_matrix(view, self.similarity, self.signed)
        left = np.flatnonzero(~constant)
        self.labels_ = np.full(data.n_features, -1)
        kind = np.full(data.n_features, IRRELEVANT, np.uint8)
        note = dict.fromkeys(np.flatnonzero(constant).tolist(), "it has one value in all rows")
        if not len(left):
            reasons = Reasons(kind, rule="no column varies", note=note)
            return Selection.build([], np.arange(data.n_features), reasons, np.zeros(data.n_features))
        similar = similar[np.ix_(left, left)]
        k = parts.size.wanted(len(left)).high
        found, tables = self._grouped(similar, k)
        self.labels_[left] = left[found.member]
        return self._selection(data, similar, left, found, kind, note).with_tables(
            **{name: table.on(left) for name, table in tables.items()}
        )

    def _grouped(self, similar: np.ndarray, k: int) -> tuple[Grouping, dict[str, ResultTable]]:
        """Return the groups of columns that vary, and tables of what was done."""
        if self.algorithm == "medoids":
            found = best_medoids(similar, k, self.n_starts)
            course = ResultTable.numbered("Similarity to medoids, step by step", "step", {"sum": found.course}, "curve")
            return found, {"course": course}
        tree = Dendrogram.of(similar, self.linkage)
        low, (first, second, height, size) = tree.lowest(), tree.merges.T
        ends = np.sort([low[first.astype(int)], low[second.astype(int)]], axis=0)
        columns = {
            "group of": ends[0],
            "and group of": ends[1],
            "similarity": 1.0 - height,
            "features": size.astype(int),
        }
        title = "Groups that were joined, most similar first, each named by its first feature"
        joined = ResultTable(title, columns, "rows", ("group of", "and group of"))
        return by_linkage(similar, tree, k), {"dendrogram": joined}

    def _selection(
        self, data: View, similar: np.ndarray, left: np.ndarray, found: Grouping, kind: np.ndarray, note: dict[int, str]
    ) -> Selection:
        to = similar[np.arange(len(left)), found.member]
        scores = np.zeros(data.n_features)
        together = found.member[:, None] == found.member
        scores[left] = np.where(together, similar, 0.0).sum(axis=1)
        kept = left[found.medoids[np.argsort(-scores[left][found.medoids], kind="stable")]]
        near = to >= REDUNDANT_FROM
        kind[left] = np.where(near, REDUNDANT, NOT_REACHED)
        kind[kept] = KEPT
        names = data.names or tuple(f"x{j}" for j in range(data.n_features))
        dropped = [p for p in range(len(left)) if found.member[p] != p]
        related = {int(left[p]): (int(left[found.member[p]]),) for p in dropped if near[p]}
        amount = {int(left[p]): float(to[p]) for p in dropped if near[p]}
        for p in dropped:
            if not near[p]:
                note[int(left[p])] = f"in the group of {names[left[found.member[p]]]}, similar to it by {to[p]:.4g}"
        many = "1 group" if len(kept) == 1 else f"{len(kept)} groups"
        rule = f"{many} of features, one kept of each"
        reasons = Reasons(kind, rule=rule, related=related, amount=amount, note=note)
        groups = ResultTable(
            "Groups of features",
            {"feature": left, "stands for it": left[found.member], "similarity": to},
            "rows",
            ("feature", "stands for it"),
        )
        order = after(kept, np.argsort(-scores, kind="stable"))
        meta = {"value": found.value, "binned": self.similarity in OF_LEVELS}
        return Selection.build(kept, order, reasons, scores, meta=meta, tables={"groups": groups})
