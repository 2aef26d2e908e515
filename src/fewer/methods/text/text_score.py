"""TextScore: terms by any score of presence and class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.measures.spread_lists import round_order
from fewer.core.measures.term_scores import AGGREGATES, TERM_SCORES, named_score
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.stop import Stop
from fewer.core.summaries.term_counts import TermCounts
from fewer.methods.text._term_criteria import TermCriterion
from fewer.methods.text._term_selector import TERM_CONSTRAINTS, TermSelector
from fewer.methods.text._term_tables import subset_table


class TextScore(TermSelector):
    r"""Keep the terms whose presence in documents tells the classes apart.

    X holds counts or weights of terms, as `CountVectorizer` and `TfidfVectorizer` make them; only whether they are
    there is looked at. From the documents of a class with and without the term, tp and fn, and those of the others, fp
    and tn, come all scores: for "bns" :math:`|\Phi^{-1}(tp / (tp + fn)) - \Phi^{-1}(fp / (fp + tn))|`, the distance of
    the normal quantiles of both rates [1]_.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        With scope="local" of every class.
    score : str, default="bns"
        "bns" (bi-normal separation), "ig" (information gain), "nig" (over the entropy of the term), "chi2",
        "odds_ratio", "odds_numerator", "power", "probability_ratio", "accuracy", "balanced_accuracy", "f1",
        "document_frequency", "word_frequency", "stp" (single-term prediction), "pip" or "pip_poisson" (log Bayes
        factors).
    scope : {"global", "local"}, default="global"
        Whether there is one ranking of the terms, or one for every class against the rest, whose best are put together.
    aggregate : {"weighted", "max", "mean", "joint"} or None, default=None
        What makes one score of those of all classes: their mean by the number of documents, the largest, the plain
        mean, or the form of the score for all classes at once. None is "joint" for information gain, document frequency
        and single-term prediction, "weighted" for others and where documents have several labels.
    one_sided : bool, default=False
        Whether terms that are rarer in a class than outside get a minus there, for scores that treat both sides alike.
    backoff : {"clip", "count"}, default="clip"
        How "bns" avoids rates of 0 and 1: no closer than 0.0005, or a tenth of a document for none.
    score_params : dict or None, default=None
        Further options of the score, those of its function in `fewer.measures`.
    min_df : int, float or None, default=None
        Fewest documents that a term must be in; a float is a fraction of all.
    max_df : int, float or None, default=None
        Most documents that a term may be in; a float is a fraction of all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    counts_ : TermCounts
        Documents by class and term, from which `fewer.measures.class_scores` makes any other score.
    class_subsets_ : dict of str to ndarray of int
        With scope="local": the terms of every class, best first.

    See Also
    --------
    fewer.SpreadFx : Classes take turns, so that easy ones do not take all places.
    fewer.PIP : Ranks by the probability that the term belongs into a naive Bayes classifier.
    fewer.InformationGain : Looks at how often a term is there, by bins.

    Notes
    -----
    Terms in no document, or in all, score 0 by "bns", "ig", "nig", "chi2", "odds_numerator", "power" and
    "balanced_accuracy", 1 by "odds_ratio", and what their formula says by others. Chapter 13 of [2]_ backs off by
    counts; the clip is that of the paper [1]_ and of chapter 14, and is the default.
    `sklearn.feature_selection.chi2` leaves out the documents without the term: its value times :math:`N / (N - n_F)` is
    that of "chi2" with "joint".

    References
    ----------
    .. [1] G. Forman, "An extensive empirical study of feature selection metrics for text classification", Journal of
       Machine Learning Research 3, 2003.
    .. [2] G. Forman, "Feature selection for text classification", and S. Eyheramendy and D. Madigan, "A Bayesian
       feature selection score based on naive Bayes models", in: H. Liu and H. Motoda (eds.), Computational Methods of
       Feature Selection, 2008, ch. 13 and 14.

    Examples
    --------
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> texts, y = ["a good film", "good and fun", "a bad film", "bad, and dull"], [1, 1, 0, 0]
    >>> chosen = make_pipeline(CountVectorizer(), TextScore(2)).fit(texts, y)
    >>> chosen.get_feature_names_out().tolist()
    ['bad', 'good']
    """

    _parameter_constraints: dict = {
        **TERM_CONSTRAINTS,
        "score": [StrOptions(set(TERM_SCORES))],
        "scope": [StrOptions({"global", "local"})],
        "aggregate": [StrOptions(set(AGGREGATES)), None],
        "one_sided": ["boolean"],
        "backoff": [StrOptions({"clip", "count"})],
        "score_params": [dict, None],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        score: str = "bns",
        scope: str = "global",
        aggregate: str | None = None,
        one_sided: bool = False,
        backoff: str = "clip",
        score_params: Mapping[str, Any] | None = None,
        min_df: float | None = None,
        max_df: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.score = score
        self.scope = scope
        self.aggregate = aggregate
        self.one_sided = one_sided
        self.backoff = backoff
        self.score_params = score_params
        self.min_df = min_df
        self.max_df = max_df
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> TermCriterion:
        options = {**({"backoff": self.backoff} if self.score == "bns" else {}), **(self.score_params or {})}
        known = named_score(self.score, options)
        if self.aggregate == "joint" and (known.joint is None or self.one_sided or self.scope == "local"):
            which = ", ".join(name for name, one in TERM_SCORES.items() if one.joint is not None)
            raise ParameterError(
                f"TextScore got aggregate='joint' with score={self.score!r}, one_sided={self.one_sided} and "
                f"scope={self.scope!r}, but all classes at once are scored by {which}, two-sided and global; pass "
                "another aggregate."
            )
        return TermCriterion(self.score, self.aggregate, self.one_sided, options)

    def _cut(self, counts: TermCounts, parts: Parts, labels: tuple[str, ...]) -> Selection:
        if self.scope == "global":
            return super()._cut(counts, parts, labels)
        each = parts.criterion.each(counts)
        rankings = [Ranking(scores) for scores in each]
        cuts = [parts.size.cut(ranking) for ranking in rankings]
        orders = [ranking.order for ranking in rankings]
        subsets = {label: order[cut.kept[order]] for label, order, cut in zip(labels, orders, cuts)}
        together, order = np.any([cut.kept for cut in cuts], axis=0), round_order(np.stack(orders))
        kept = order[together[order]]
        rule = f"of every class against the rest {cuts[0].rule}"
        reasons = Reasons.of_kept(counts.n_terms, kept, NOT_REACHED, rule=rule)
        self.class_subsets_, scores = subsets, dict(zip(labels, each))
        table = subset_table("Terms of every class, best first", "class", subsets, scores)
        return Selection.build(kept, order, reasons, each.max(axis=0), tables={"class_subsets": table})

    def _select(self, data: Any, parts: Parts) -> Selection:
        self.__dict__.pop("class_subsets_", None)
        found = super()._select(data, parts)
        if self.scope == "local":
            self.class_subsets_ = self._among_all(self.class_subsets_)
        return replace(found, meta={**found.meta, "score": parts.criterion.words(self.counts_.exclusive)})
