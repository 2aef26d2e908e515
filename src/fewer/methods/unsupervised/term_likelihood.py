"""TermLikelihood: terms that tell clusters of documents apart, by the integrated likelihood of their counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.clustering.term_clusters import TermClusters, climb_terms, first_labels
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.measures.text_likelihood import term_evidence
from fewer.core.records.errors import InputError
from fewer.core.records.needs import MORE_THAN, Need
from fewer.core.records.numerals import numeral
from fewer.core.records.params import number_above, whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.stop import Stop
from fewer.core.views.view import View

# Log gammas of more tokens have no digits left for one of them.
MOST_TOKENS = 1e12
# Terms that are shown per cluster.
SHOWN = 5


class TermLikelihood(BaseSelector):
    r"""Keep the terms whose counts tell clusters of documents apart.

    Documents are divided into clusters, and terms into useful ones U with a distribution in every cluster and noise
    with one for all, so that the likelihood with all parameters integrated out is largest [1]_: the log of
    :math:`P(U\text{-tokens}, \text{noise tokens}) P(\text{noise terms}) P(\text{cluster sizes}) \prod_k P(\text{terms
    of } U \text{ in } k)` under Dirichlet priors. It always speaks of all terms, so that subsets of any size and any
    number of clusters compare. The score of a term is its evidence: by how much the log is larger with it in U.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary), of the useful
        terms; None keeps all of these.
    max_clusters : int, default=10
        Most clusters.
    n_groups : int, default=10
        Most groups of terms with like distributions, which become useful or noise as a whole; 0 for none.
    prior : float, default=1.0
        Parameter of all Dirichlet priors; 1 is uniform.
    n_starts : int, default=5
        How often each number of clusters is started, from other documents; the largest likelihood is kept.
    max_iter : int, default=100
        Most iterations, rounds of moves of documents and of terms.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    labels_ : ndarray of int of shape (n_samples,)
        Cluster of every document.
    n_clusters_ : int
        Number of clusters.
    log_likelihood_ : float
        The integrated likelihood, in nats.
    n_iter_ : int
        Rounds of moves to it.

    See Also
    --------
    fewer.measures.integrated_likelihood : The number that is maximised.

    Notes
    -----
    U is a union of groups of terms with like distributions over the clusters [1]_; then single terms move between U and
    noise, too, in turns with single documents between clusters. Every move is evaluated exactly and taken only if the
    likelihood grows. Documents start at the most alike of some that were drawn far apart. With one cluster no term is
    useful. The likelihood is that of the best of very many divisions: short documents of pure noise are divided, too,
    so compare its gain over one cluster with that of shuffled counts where it matters. Sparse counts stay sparse;
    numbers need not be whole. Starts are shared out among the threads.

    References
    ----------
    .. [1] S. Vaithyanathan and B. Dom, "Model selection in unsupervised learning with applications to document
       clustering", ICML 1999; "Generalized model selection for unsupervised learning in high dimensions", NIPS 1999.
    .. [2] J. G. Dy, "Unsupervised feature selection", in: H. Liu and H. Motoda (eds.), Computational Methods of Feature
       Selection, 2008, section 2.4.2.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> topic = rng.integers(0, 2, 60)
    >>> X = rng.poisson(np.column_stack([1 + 5 * topic, 6 - 5 * topic, np.full((60, 4), 3)]))
    >>> found = TermLikelihood(random_state=0).fit(X)
    >>> sorted(found.selection_.indices.tolist()), found.n_clusters_
    ([0, 1], 2)
    """

    method_tags = MethodTags(
        nonnegative=True,
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        deterministic=False,
        nested=False,
        invariance=(),
        cost="nonzeros * K^2 per sweep",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "max_clusters": [whole_from(1)],
        "n_groups": [whole_from(0)],
        "prior": [number_above(0)],
        "n_starts": [whole_from(1)],
        "max_iter": [whole_from(1)],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        max_clusters: int = 10,
        n_groups: int = 10,
        prior: float = 1.0,
        n_starts: int = 5,
        max_iter: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.max_clusters = max_clusters
        self.n_groups = n_groups
        self.prior = prior
        self.n_starts = n_starts
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _select(self, data: View, parts: Parts) -> Selection:
        X = _counts(data)
        found, curve = self._found(data, X)
        self.labels_, self.n_clusters_ = found.labels.astype(np.int32), len(found)
        self.log_likelihood_, self.n_iter_ = found.value, len(found.history) // 2
        scores = term_evidence(found.counts, found.useful, self.prior, self.prior)
        if len(found) == 1:
            # All terms have the same distribution in every cluster.
            scores = np.minimum(scores, 0.0)
        scores[found.counts.sum(axis=0) == 0] = np.minimum(scores.min(initial=0.0), 0.0)
        return self._told(data, parts, found, scores, curve)

    def _found(self, data: View, X: Any) -> tuple[TermClusters, dict[int, float]]:
        """Return the best division, of equal ones that with fewer clusters, and the best value by their number."""
        rng = np.random.default_rng(self.random_state)
        everything = np.ones(X.shape[1], dtype=bool)
        sizes = [
            k for k in range(1, min(self.max_clusters, X.shape[0]) + 1) for _ in range(self.n_starts if k > 1 else 1)
        ]
        starts = [first_labels(X, k, rng) for k in sizes]

        def one_start(start: int, stop: int) -> TermClusters:
            return climb_terms(X, starts[start], everything, self.n_groups, self.prior, self.max_iter)

        best: TermClusters | None = None
        curve: dict[int, float] = {}
        for made in data.run.scan(one_start, len(starts), 1):
            curve[len(made)] = max(curve.get(len(made), -np.inf), made.value)
            if best is None or made.value > best.value + 1e-9 * abs(best.value):
                best = made
        assert best is not None  # one cluster at least
        return best, dict(sorted(curve.items()))

    def _told(
        self, data: View, parts: Parts, found: TermClusters, scores: np.ndarray, curve: dict[int, float]
    ) -> Selection:
        """Return the kept terms, those that are useful, and why others are not."""
        chosen = top_ranked(lambda: Ranking(scores), parts.size)
        kept = chosen.indices[scores[chosen.indices] > 0]
        clusters = f"{len(found)} cluster{'' if len(found) == 1 else 's'}"
        rule = f"{chosen.reasons.rule}; {clusters}, an integrated log-likelihood of {numeral(found.value)}"
        needs = (*chosen.reasons.needs, Need("evidence", scores, 0.0, how=MORE_THAN))
        reasons = replace(chosen.reasons, rule=rule, needs=needs)
        reasons.kind[scores <= 0] = IRRELEVANT
        if len(found) == 1:
            note = dict.fromkeys(range(data.n_features), "the documents are one cluster, which no term divides")
            reasons = replace(reasons, note=note)
        lengths = {"clusters": list(curve), "log-likelihood": list(curve.values())}
        tables = {
            "likelihoods": ResultTable("Integrated log-likelihood by number of clusters", lengths, "curve"),
            "clusters": _cluster_terms(data, found, scores),
        }
        return Selection.build(
            kept,
            chosen.order,
            reasons,
            scores,
            chosen.trace,
            chosen.columns,
            tables=tables,
            meta={"clusters": len(found), "log-likelihood": found.value},
        )


def _counts(data: View) -> Any:
    """Return the counts by rows, sparse, or explain why they are none."""
    given = data.whole().X
    X = scipy.sparse.csr_array(given, dtype=np.float64)
    X.eliminate_zeros()
    X.sort_indices()
    if X.nnz and X.data.min() < 0:
        raise InputError(
            "Negative values in data passed to TermLikelihood, but it takes counts from 0; pass how often every term "
            "occurs in every document."
        )
    with np.errstate(over="ignore"):
        data.check_finite(np.asarray(X.sum(axis=0)).ravel())
    total = float(X.sum())
    if total > MOST_TOKENS:
        raise InputError(
            f"TermLikelihood got {total:.3g} tokens, but takes up to {MOST_TOKENS:g}, beyond which one more leaves no "
            "trace; pass counts, or rescale them."
        )
    return X


def _cluster_terms(data: View, found: TermClusters, scores: np.ndarray) -> ResultTable:
    """Return documents, tokens and the most typical useful terms of every cluster."""
    names = data.names or tuple(f"x{j}" for j in range(data.n_features))
    useful = np.flatnonzero(scores > 0)
    shares = found.counts[:, useful] + 1e-300
    typical = np.log(shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300))
    typical = found.counts[:, useful] * (typical - typical.mean(axis=0))
    columns = {
        "documents": np.bincount(found.labels, minlength=len(found)),
        "tokens": found.counts.sum(axis=1),
        "typical terms": [
            ", ".join(names[useful[j]] for j in np.argsort(-row, kind="stable")[:SHOWN] if row[j] > 0)
            for row in typical
        ],
    }
    return ResultTable.numbered("Clusters of documents", "cluster", columns)
