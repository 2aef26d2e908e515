"""Strongly relevant, weakly relevant and irrelevant features, as Kohavi and John define them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.criteria.independence_contract import Y
from fewer.core.discretize.codes import codes_view
from fewer.core.estimators.parts import Parts
from fewer.core.measures.relevance import IRRELEVANT, STRONG, WEAK, optimal_subsets, relevance_categories
from fewer.core.records.reasons import IRRELEVANT as NOT_RELEVANT
from fewer.core.records.reasons import KEPT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search.cut_found import cut_by
from fewer.core.search.neighbourhoods import interleaved_neighbours
from fewer.core.search.questions import Questions
from fewer.core.views.view import View
from fewer.methods.causal._base import COUNTS, IN_MEMORY, LocalSelector, keep
from fewer.methods.causal._local import blanket


class RelevanceClasses(LocalSelector):
    r"""Keep what is needed to predict the target, and say of every feature how relevant it is.

    A feature is strongly relevant if it tells something about y given all others, weakly relevant if it does given some
    of them (or none), and else irrelevant. In faithful distributions the strongly relevant ones are the Markov blanket;
    these are kept. With ``exact`` a smallest subset is kept that tells as much as all features do, which may hold
    weakly relevant ones, too: of two copies one is needed.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that are found; there may be fewer than asked for.
    alpha : float, default=0.05
        A reliable test with a p-value above this says independent.
    test : {"auto", "g", "chi2", "information", "fisher_z", "mixed"} or IndependenceTest, default="auto"
        How independence is tested. "g" and "chi2" count levels, "information" counts them against shuffles, "fisher_z"
        correlates numbers (y: numbers or two classes), "mixed" compares regressions. "auto" is "g" where y holds
        classes, "fisher_z" where all are numbers, else "mixed".
    max_k : int or None, default=3
        Most features that are given at once; None for no bound.
    h : float, default=5.0
        A test is reliable with at least so many rows per cell of its table, or per coefficient of a regression.
    symmetry : bool, default=True
        Whether a feature is a parent or child only if y is found from there, too.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=3
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    exact : bool, default=False
        Whether the rows are the whole distribution, each as likely as another, so that all subsets of at most 16
        features are looked at; otherwise independence is tested.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    HITON : Finds the blanket, which is the strongly relevant features.

    Notes
    -----
    Without ``exact`` the strongly relevant features are the blanket that `HITON` finds; weakly relevant are those of
    the others for which some reliable test found a dependence. On a sample hardly any information is exactly 0, so that
    ``exact`` is for whole distributions, such as truth tables; scores are then 2, 1 and 0.

    References
    ----------
    .. [1] R. Kohavi and G. H. John, "Wrappers for feature subset selection", Artificial Intelligence 97, 1997.
    .. [2] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, sections 4.2 and 17.2.1.

    Examples
    --------
    >>> from fewer.synth import make_boolean_redundant
    >>> data = make_boolean_redundant("xor")
    >>> found = RelevanceClasses(exact=True).fit(data.X, data.y).selection_
    >>> found.indices.tolist(), found.tables["relevance"].columns["relevance"]
    ([0, 1], ['strong', 'weak', 'weak', 'irrelevant', 'irrelevant'])
    """

    _parameter_constraints: dict = {**LocalSelector._parameter_constraints, "exact": ["boolean"]}

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        alpha: float = 0.05,
        test: Any = "auto",
        max_k: int | None = 3,
        h: float = 5.0,
        symmetry: bool = True,
        discretizer: Any = "quantile",
        bins: int = 3,
        categorical_features: Any = None,
        exact: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())

    def _tags_in_use(self) -> MethodTags:
        return super()._tags_in_use() if not self.exact else replace(super()._tags_in_use(), **COUNTS, **IN_MEMORY)

    def _select(self, data: View, parts: Parts) -> Selection:
        if not self.exact:
            return super()._select(data, parts)
        return cut_by(_exactly(codes_view(data, parts.discretizer)), parts.size)

    def _blanket(self, questions: Questions) -> Selection:
        found = blanket(questions, interleaved_neighbours, self.symmetry)
        dependent = {j for pair in questions.weakest for j in pair if Y in pair}
        words = [STRONG if s else WEAK if j in dependent else IRRELEVANT for j, s in enumerate(found.support)]
        return found.with_tables(relevance=_table(words))


def _exactly(view: View) -> Selection:
    """Look at all subsets of the levels of all rows."""
    codes, y = view.whole().rows, view.whole().y
    words = relevance_categories(codes, y)
    kept = list(optimal_subsets(codes, y)[0])
    scores = np.array([(IRRELEVANT, WEAK, STRONG).index(word) for word in words], dtype=np.float64)
    kind = np.where(scores > 0, NOT_REACHED, NOT_RELEVANT).astype(np.uint8)
    kind[kept] = KEPT
    note = {j: f"relevance: {word}" for j, word in enumerate(words)}
    kept.sort(key=lambda j: (-scores[j], j))
    selection = Selection.build(kept, kept, Reasons(kind, note=note), scores, then=scores)
    return selection.with_tables(relevance=_table(words))


def _table(words: list[str]) -> ResultTable:
    columns = {"feature": list(range(len(words))), "relevance": words}
    return ResultTable("Relevance as Kohavi and John define it", columns, "rows", ("feature",))
