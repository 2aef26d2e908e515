"""PIP and PIPPoisson: the probability that a term belongs into a naive Bayes classifier."""

from __future__ import annotations

from numbers import Real
from typing import Any

from fewer.core.measures.term_inclusion import BETAS, SCALES, SHAPES
from fewer.core.records.params import Interval, StrOptions
from fewer.core.stop import Stop
from fewer.methods.text._term_criteria import InclusionCriterion
from fewer.methods.text._term_selector import TERM_CONSTRAINTS, TermSelector

THREE = ["array-like"]
PIP_CONSTRAINTS: dict[str, Any] = {
    **TERM_CONSTRAINTS,
    "aggregate": [StrOptions({"weighted", "max", "mean"})],
    "prior_inclusion": [Interval(Real, 0, 1, closed="neither")],
}


class PIP(TermSelector):
    r"""Keep the terms that most probably belong into a naive Bayes classifier, by presence in documents.

    For a class k against the rest the marginal likelihood of the documents with and without the term is
    :math:`l_0 = \frac{B(n_{kF} + \alpha_k, n_{k\bar F} + \beta_k)}{B(\alpha_k, \beta_k)} \frac{B(n_{\bar k F} +
    \alpha_{\bar k}, n_{\bar k \bar F} + \beta_{\bar k})}{B(\alpha_{\bar k}, \beta_{\bar k})}` if its rate depends on
    the class and :math:`l = B(n_F + \alpha, n_{\bar F} + \beta) / B(\alpha, \beta)` if not; the posterior inclusion
    probability is :math:`PIP = l_0 / (l_0 + l)` (book ch. 14, eqs. 14.1 to 14.6), and that of several classes their
    mean by documents. The score is its log odds, which do not end at 1.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    aggregate : {"weighted", "max", "mean"}, default="weighted"
        What makes one probability of those of all classes: their mean by the number of documents, the largest, or the
        plain mean.
    alphas : sequence of three float, default=(0.1, 0.1, 0.2)
        First parameters of the beta priors: of the class, of the others, and of all documents.
    betas : sequence of three float, default=(0.04, 0.04, 0.08)
        Second parameters of the beta priors.
    prior_inclusion : float, default=0.5
        Probability of inclusion before the documents are seen.
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
        Documents by class and term.

    See Also
    --------
    fewer.PIPPoisson : The same of counts.
    fewer.TextScore : Other scores; score="pip" aggregates log Bayes factors instead of probabilities.

    Notes
    -----
    The column ``inclusion`` of the selection holds the probability; ranks go by its log odds, computed without forming
    it, because all strong terms have 1.0 in double precision. Where documents have several labels the weights of the
    mean are divided by their sum. The priors of the chapter favour very frequent words, which it removed before;
    ``max_df`` does that.

    References
    ----------
    .. [1] S. Eyheramendy and D. Madigan, "A Bayesian feature selection score based on naive Bayes models", in: H. Liu
       and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, ch. 14.

    Examples
    --------
    >>> X, y = [[1, 1, 0], [1, 0, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [0, 0, 1]], [1, 1, 1, 0, 0, 0]
    >>> found = PIP(1).fit(X, y).selection_
    >>> found.indices.tolist(), found.columns["inclusion"].round(3).tolist()
    ([0], [0.991, 0.091, 0.774])
    """

    _parameter_constraints: dict = {**PIP_CONSTRAINTS, "alphas": THREE, "betas": THREE}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        aggregate: str = "weighted",
        alphas: Any = SHAPES,
        betas: Any = BETAS,
        prior_inclusion: float = 0.5,
        min_df: float | None = None,
        max_df: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.aggregate = aggregate
        self.alphas = alphas
        self.betas = betas
        self.prior_inclusion = prior_inclusion
        self.min_df = min_df
        self.max_df = max_df
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> InclusionCriterion:
        priors = {"alphas": tuple(self.alphas), "betas": tuple(self.betas)}
        return InclusionCriterion("pip", self.aggregate, False, priors, self.prior_inclusion)


class PIPPoisson(TermSelector):
    r"""Keep the terms that most probably belong into a naive Bayes classifier, by their counts.

    Counts of a term are Poisson with gamma priors of the mean. For n documents with S occurrences in all the marginal
    likelihood is, up to a factor that cancels, :math:`m(S, n) = \frac{\Gamma(S + \alpha)}{\Gamma(\alpha) \beta^\alpha}
    (\frac{\beta}{n \beta + 1})^{S + \alpha}`; inclusion in the model of class k compares :math:`m(N_{kF}, n_k)
    m(N_{\bar k F}, n_{\bar k})` with :math:`m(N_F, N)` (book ch. 14, section 14.2.3). The score is the log odds of the
    mean probability.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    aggregate : {"weighted", "max", "mean"}, default="weighted"
        What makes one probability of those of all classes: their mean by the number of documents, the largest, or the
        plain mean.
    shapes : sequence of three float, default=(0.1, 0.1, 0.2)
        Shapes of the gamma priors: of the class, of the others, and of all documents.
    scales : sequence of three float, default=(25.0, 25.0, 12.5)
        Scales of the gamma priors.
    prior_inclusion : float, default=0.5
        Probability of inclusion before the documents are seen.
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
        Documents and occurrences by class and term.

    See Also
    --------
    fewer.PIP : The same of presence.

    Notes
    -----
    The chapter prints document counts in the exponents; the marginal likelihood needs occurrences. It gives the numbers
    1/25, 1/25 and 2/25 beside the shapes: read as rates they are diffuse, as it says, and the default; pass them as
    ``scales`` for the other reading, which expects 0.004 occurrences per document. Lengths of documents play no part.

    References
    ----------
    .. [1] S. Eyheramendy and D. Madigan, "A Bayesian feature selection score based on naive Bayes models", in: H. Liu
       and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, ch. 14.

    Examples
    --------
    >>> X, y = [[5, 1, 0], [4, 0, 1], [6, 1, 0], [1, 0, 1], [0, 1, 1], [2, 0, 1]], [1, 1, 1, 0, 0, 0]
    >>> PIPPoisson(1).fit(X, y).selection_.indices.tolist()
    [0]
    """

    _parameter_constraints: dict = {**PIP_CONSTRAINTS, "shapes": THREE, "scales": THREE}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        aggregate: str = "weighted",
        shapes: Any = SHAPES,
        scales: Any = SCALES,
        prior_inclusion: float = 0.5,
        min_df: float | None = None,
        max_df: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.aggregate = aggregate
        self.shapes = shapes
        self.scales = scales
        self.prior_inclusion = prior_inclusion
        self.min_df = min_df
        self.max_df = max_df
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> InclusionCriterion:
        priors = {"shapes": tuple(self.shapes), "scales": tuple(self.scales)}
        return InclusionCriterion("pip_poisson", self.aggregate, False, priors, self.prior_inclusion)
