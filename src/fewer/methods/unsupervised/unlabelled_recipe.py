"""What `fewer.select` does without a target."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.estimators.graph_scores import GraphOptions
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.hygiene.examine import examine
from fewer.core.records.errors import InputError, NothingFoundWarning
from fewer.core.records.needs import AT_MOST, Need
from fewer.core.records.params import StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.stop import Stop, TopGap
from fewer.core.views.view import View
from fewer.methods.unsupervised._standing_out import (
    LEAST_FEATURES,
    LEAST_ROWS,
    OF_CHANCE,
    SHUFFLES,
    StandingOut,
    standing_out,
)
from fewer.methods.unsupervised._term_weights import are_counts, weight_variances

NOTHING = "nothing stands out: no feature agrees with the near rows of the other features beyond chance"


@dataclass(frozen=True, eq=False)
class _Found:
    """Scores, what they are held against, and what is said of them."""

    ranking: Ranking
    out: StandingOut | None
    words: str


class UnlabelledRecipe(BaseSelector):
    """Leave out what is no feature, and keep the features on which rows that are near by the others agree.

    Without a target: identifiers, constant and duplicate columns are left out. The others are scaled to variance 1 and
    dealt to ten groups; each is scored on the graph of rows that are near by the columns of the other groups, by 2 less
    its Laplacian score (see `LaplacianScore`), about 1 by chance. The same scores of shuffled rows say which columns
    stand out, at 5 % for all of them together. Among these the largest gap between scores says how many are kept. Of
    sparse counts, such as words of texts, the variance of tf.idf weights is the score, and no test is made.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="gap"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        Only "gap" looks at what stands out beyond chance.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    keep : str, list of str or int, or None, default=None
        Columns that are not left out, whatever is found of them: names or numbers, or "all".
    drop : str, list of str or int, or None, default=None
        What is left out beside identifiers, constant, duplicate and date columns: "leaks", or another kind of finding
        that is only flagged otherwise; and names or numbers of columns.
    if_nothing : {"best", "none", "error"}, default="best"
        What happens if nothing stands out: the one best feature is kept, with a warning, so that pipelines go on; or
        nothing is kept; or an error is raised. `fewer.select` keeps nothing.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    LaplacianScore : The score on one graph of all features.
    DefaultRecipe : What is done with a target.

    Notes
    -----
    Scored on a graph of its own, a feature of few values or with a long tail looks smooth by that alone. On the graph
    of the others it does not, and shuffled rows keep its values; so features are not chosen for their kind of values,
    but what no other feature shares is not found: two states of a single column, for which there is `MixtureOverlap`.
    What stands out may be clusters, or columns that rise together. Missing values are taken for the mean of their
    column. Nominal columns of more than two levels are left aside, because rows have no distance in them. Of more than
    10,000 rows as many are drawn. The graph has five neighbours and heat weights.

    Examples
    --------
    >>> import numpy as np
    >>> from fewer.methods.unsupervised.unlabelled_recipe import UnlabelledRecipe
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 8))
    >>> X[:100, [2, 5, 6]] += 4
    >>> sorted(UnlabelledRecipe().fit(X).selection_.indices.tolist())
    [2, 5, 6]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        handles_nan=True,
        handles_nominal=True,
        handles_dates=True,
        nested=False,
        invariance=(),
        cost="n^2*d",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "categorical_features": ["array-like", None],
        # The look at the columns reads both.
        "keep": "no_validation",
        "drop": "no_validation",
        "if_nothing": [StrOptions({"best", "none", "error"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = "gap",
        *,
        categorical_features: Any = None,
        keep: Any = None,
        drop: Any = None,
        if_nothing: str = "best",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.keep = keep
        self.drop = drop
        self.if_nothing = if_nothing
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _select(self, data: View, parts: Parts) -> Selection:
        seen = examine(data, self.keep, self.drop)
        left = data.columns(seen.left)
        levels = np.array([len(left.labels.get(j, ())) for j in range(left.n_features)])
        scored = np.flatnonzero(~(left.nominal & (levels > 2)))
        if not len(scored):
            raise InputError(
                f"UnlabelledRecipe got {left.n_features} columns that are all nominal with more than two levels, but "
                "near rows are found by numbers; encode them as numbers, or name a method for nominal columns."
            )
        view = filled(left.columns(scored))
        chosen = self._chosen(view, parts)
        note = "nominal with more than two levels, so that rows have no distance in it"
        wide = chosen if len(scored) == left.n_features else chosen.on(scored, left.n_features, note=note)
        return seen.widened(wide, data).with_meta(**chosen.meta)

    def _chosen(self, view: View, parts: Parts) -> Selection:
        """Return the selection among columns that were examined."""
        found = _found(view)
        by_gap = isinstance(parts.size, TopGap)
        size, nothing = parts.size, False
        if found.out is not None and by_gap:
            beyond = found.out.beyond[found.ranking.order]
            nothing = not beyond.any()
            last = 1 if nothing else int(np.flatnonzero(beyond)[-1]) + 1
            asked = last if parts.size.max_features is None else min(parts.size.max_features, last)
            size = replace(parts.size, min_features=min(parts.size.min_features, asked), max_features=asked)
        chosen = top_ranked(lambda: found.ranking, size)
        if found.out is None:
            reasons = replace(chosen.reasons, rule=f"{found.words}; {chosen.reasons.rule}")
            return replace(chosen, reasons=reasons).with_meta(words=reasons.rule)
        kept = chosen.indices
        if by_gap:
            kept = kept[: self._if_nothing(found.words)] if nothing else kept[found.out.beyond[kept]]
        return _said(chosen, kept, found, by_gap, nothing)

    def _if_nothing(self, words: str) -> int:
        """Return how many features are kept where nothing stands out; warn or raise as was asked."""
        if self.if_nothing == "error":
            raise InputError(
                f"UnlabelledRecipe finds that {words}; give other features or more rows, or pass if_nothing='best' or "
                "'none'."
            )
        if self.if_nothing == "best":
            warnings.warn(
                f"UnlabelledRecipe finds that {words}, and keeps the one best feature; pass if_nothing='none' to keep "
                "nothing, or 'error'.",
                NothingFoundWarning,
                stacklevel=2,
            )
        return 1 if self.if_nothing == "best" else 0


def filled(view: View) -> View:
    """Return the view with the mean of a column in place of missing values."""
    if not view.may_miss:
        return view
    block = view.whole()
    if view.kind == "sparse":
        X = block.X.copy()
        column = np.repeat(np.arange(view.n_features), np.diff(X.indptr))
        gone = np.isnan(X.data)
        known = np.diff(X.indptr) * 0 + view.n_rows - np.bincount(column, gone, view.n_features)
        mean = np.bincount(column, np.where(gone, 0.0, X.data), view.n_features) / np.maximum(known, 1)
        X.data[gone] = mean[column[gone]]
    else:
        X = np.array(block.X, dtype=np.float64)
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    return replace(view, blocks=[replace(block, X=X)], may_miss=False, _memo={})


def _found(view: View) -> _Found:
    X = view.whole().X
    if are_counts(X):
        words = "counts are ordered by the variance of their tf.idf weights, which is not held against chance"
        return _Found(Ranking(weight_variances(X)), None, words)
    out = standing_out(view, GraphOptions())
    if view.n_features < LEAST_FEATURES or view.n_rows < LEAST_ROWS:
        return _Found(Ranking(out.scores, columns={"pvalue": out.pvalues}), out, _too_little(view))
    n = int(out.beyond.sum())
    against = f"({SHUFFLES} shuffles of the rows, p <= {OF_CHANCE:g} for all {view.n_features} features together)"
    some = f"{n} of {view.n_features} features agree with the near rows of the other features beyond chance"
    ranking = Ranking(out.scores, columns={"pvalue": out.pvalues})
    return _Found(ranking, out, f"{some if n else NOTHING} {against}")


def _too_little(view: View) -> str:
    """Return why nothing can stand out."""
    if view.n_features < LEAST_FEATURES:
        return "nothing can stand out: one feature has no others whose near rows it could agree with"
    return f"nothing can stand out: {view.n_rows} rows are fewer than the {LEAST_ROWS} that are needed"


def _said(chosen: Selection, kept: np.ndarray, found: _Found, by_gap: bool, nothing: bool) -> Selection:
    """Return the selection with reasons."""
    assert found.out is not None
    need = Need(
        "p-value corrected for the number of features", found.out.pvalues, OF_CHANCE, how=AT_MOST, why="to stand out"
    )
    rule = found.words if nothing else f"{found.words}; {chosen.reasons.rule}"
    reasons = replace(chosen.reasons, rule=rule, needs=(need,) if by_gap else ())
    if by_gap:
        reasons = replace(reasons, threshold=np.nan) if nothing else reasons
        kind = np.where(found.out.beyond, chosen.reasons.kind, IRRELEVANT).astype(np.uint8)
        kind[kept] = chosen.reasons.kind[chosen.indices[0]]
        reasons = replace(reasons, kind=kind)
    return Selection.build(
        kept, chosen.order, reasons, chosen.scores, chosen.trace, chosen.columns, tables=chosen.tables
    ).with_meta(words=rule)
