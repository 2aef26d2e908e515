"""MMPC: next comes whose weakest dependence is strongest."""

from __future__ import annotations

from fewer.core.records.result import Selection
from fewer.core.search.neighbourhoods import max_min_neighbours
from fewer.core.search.questions import Questions
from fewer.methods.causal._base import LocalSelector
from fewer.methods.causal._local import parents_and_children


class MMPC(LocalSelector):
    r"""Keep parents and children of the target: next comes whose weakest dependence is strongest.

    Every candidate is tested given all subsets of at most ``max_k`` members; one that some subset separates from y is
    out, and of the others the one whose weakest association is strongest is admitted. At last members leave that a
    subset of the others separates [1]_. Parents cannot be told from children.

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
        A test is reliable with at least so many rows per cell of its table, or per coefficient of a regression;
        "information" takes 1 for enough, and "fisher_z" does not use it.
    symmetry : bool, default=True
        Whether a feature is a parent or child only if y is found from there, too.
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
    MMMB : Adds the spouses.
    HITONPC : Looks at all members again after each admission.

    Notes
    -----
    Without ``symmetry``, descendants of y may stay that only their own parents separate from it.
    Of near copies, each of which separates the others from y, the strongest comes back; the others are redundant to it.
    A test with too few rows neither admits nor drops a feature; such a feature is "not reached", as its reason says.

    References
    ----------
    .. [1] I. Tsamardinos, L. E. Brown and C. F. Aliferis, "The max-min hill-climbing Bayesian network structure
       learning algorithm", Machine Learning 65, 2006.
    .. [2] I. Tsamardinos, C. F. Aliferis and A. Statnikov, "Time and sample efficient discovery of Markov blankets and
       direct causal relations", KDD 2003.

    Examples
    --------
    >>> from fewer.synth import make_lung_cancer
    >>> data = make_lung_cancer(5000, random_state=0)
    >>> found = MMPC().fit(data.X, data.y).selection_
    >>> sorted(data.names[j] for j in found.indices)
    ['Biomarker1', 'Coughing', 'GeneticFactor1', 'Metastasis', 'Smoking']
    """

    def _blanket(self, questions: Questions) -> Selection:
        return parents_and_children(questions, max_min_neighbours, self.symmetry)
