"""SpreadFx: the classes name their best terms in turns."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.measures.spread_lists import DUPLICATES, SCHEDULERS, round_order, spread_lists
from fewer.core.measures.term_scores import TERM_SCORES, named_score
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.stop import Stop
from fewer.core.summaries.term_counts import TermCounts
from fewer.methods.text._term_criteria import TermCriterion
from fewer.methods.text._term_selector import TERM_CONSTRAINTS, TermSelector


class SpreadFx(TermSelector):
    """Keep terms that the classes name in turns, each its best against the rest.

    A ranking by one score of all classes can be filled by classes that are easy to tell, and others starve. Here every
    class ranks the terms against the rest, and a schedule says whose next best comes next [1]_. A class whose scores
    are all low still names its part of the terms.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    score : str, default="bns"
        What ranks the terms of a class, a score of `TextScore`.
    scheduler : {"round", "random"}, default="round"
        Whose turn it is: one class after another, or a class drawn in proportion to its documents.
    on_duplicate : {"consume", "skip"}, default="consume"
        Whether naming a term that is there already uses up the turn, or the class names its best that is not.
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
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    counts_ : TermCounts
        Documents by class and term.

    See Also
    --------
    fewer.TextScore : One ranking; scope="local" puts the best of every class together.

    Notes
    -----
    Scores are one over the place in the list; the column ``best_class_score`` holds the largest score of any class.
    Classes take turns in ascending order of their labels. With two classes and a score that treats both alike the list
    is the plain ranking.

    References
    ----------
    .. [1] G. Forman, "A pitfall and solution in multi-class feature selection for text classification", ICML 2004.
    .. [2] G. Forman, "Feature selection for text classification", in: H. Liu and H. Motoda (eds.), Computational
       Methods of Feature Selection, 2008, ch. 13.

    Examples
    --------
    >>> X, y = [[1, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 1, 0]], [0, 0, 1, 1, 2, 2]
    >>> SpreadFx(3).fit(X, y).selection_.indices.tolist()
    [0, 1, 2]
    """

    _parameter_constraints: dict = {
        **TERM_CONSTRAINTS,
        "score": [StrOptions(set(TERM_SCORES))],
        "scheduler": [StrOptions(set(SCHEDULERS))],
        "on_duplicate": [StrOptions(set(DUPLICATES))],
        "one_sided": ["boolean"],
        "backoff": [StrOptions({"clip", "count"})],
        "score_params": [dict, None],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        score: str = "bns",
        scheduler: str = "round",
        on_duplicate: str = "consume",
        one_sided: bool = False,
        backoff: str = "clip",
        score_params: Mapping[str, Any] | None = None,
        min_df: float | None = None,
        max_df: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.score = score
        self.scheduler = scheduler
        self.on_duplicate = on_duplicate
        self.one_sided = one_sided
        self.backoff = backoff
        self.score_params = score_params
        self.min_df = min_df
        self.max_df = max_df
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> TermCriterion:
        options = {**({"backoff": self.backoff} if self.score == "bns" else {}), **(self.score_params or {})}
        named_score(self.score, options)
        return TermCriterion(self.score, "max", self.one_sided, options)

    def _ranking(self, counts: TermCounts, parts: Parts) -> Ranking:
        each = parts.criterion.each(counts)
        # A label that all documents have, or none, tells nothing and has no turns.
        told = np.flatnonzero((counts.sizes > 0) & (counts.sizes < counts.n_documents))
        orders = np.stack([Ranking(each[k]).order for k in told])
        if self.scheduler == "round" and self.on_duplicate == "consume":
            order = round_order(orders)
        else:
            order = np.asarray(
                spread_lists(
                    orders.tolist(),
                    scheduler=self.scheduler,
                    on_duplicate=self.on_duplicate,
                    weights=counts.sizes[told].tolist(),
                    random_state=self.random_state,
                ),
                dtype=np.int64,
            )
        places = np.empty(len(order))
        places[order] = 1.0 / np.arange(1, len(order) + 1)
        return Ranking(places, columns={"best_class_score": each[told].max(axis=0)})
