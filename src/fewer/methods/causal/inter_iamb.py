"""IAMB that shrinks at every step."""

from __future__ import annotations

from fewer.core.criteria.independence_contract import Y
from fewer.core.records.result import Selection
from fewer.core.search.grow_shrink import GrowShrinkSearch
from fewer.core.search.questions import Questions
from fewer.methods.causal._base import BlanketSelector
from fewer.methods.causal._result import MEMBER, selection_of


class InterIAMB(BlanketSelector):
    r"""Keep the Markov blanket of the target, found by incremental association that shrinks at every step.

    As `IAMB`, but members that became independent of y given the others are dropped after each admission, so that
    fewer are given and the tests have more rows [1]_.

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
    h : float, default=5.0
        A test is reliable with at least so many rows per cell of its table, or per coefficient of a regression;
        "information" takes 1 for enough, and "fisher_z" does not use it.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=3
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    IAMB : Shrinks only once, at the end.

    Notes
    -----
    With tests that err, admitting and dropping may lead in a circle. From the second time that a set of members is
    met, the search only grows, and shrinks once at the end.
    A test with too few rows neither admits nor drops a feature; such a feature is "not reached", as its reason says.

    References
    ----------
    .. [1] I. Tsamardinos, C. F. Aliferis and A. Statnikov, "Algorithms for large scale Markov blanket discovery",
       FLAIRS 2003.
    .. [2] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, section 4.5.2.

    Examples
    --------
    >>> from fewer.synth import make_lung_cancer
    >>> data = make_lung_cancer(5000, random_state=0)
    >>> found = InterIAMB().fit(data.X, data.y).selection_
    >>> sorted(data.names[j] for j in found.indices)
    ['Allergy', 'Biomarker1', 'Biomarker2', 'Coughing', 'GeneticFactor1', 'HormonalFactor', 'Metastasis', 'Smoking']
    """

    def _blanket(self, questions: Questions) -> Selection:
        kept = GrowShrinkSearch("best", interleaved=True).run(questions, Y)
        return selection_of(questions, kept, dict.fromkeys(kept, (MEMBER,)))
