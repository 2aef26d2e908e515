"""HITON: the blanket by parents and children of parents and children, and a wrapper."""

from __future__ import annotations

from typing import Any

from fewer.core.estimators.parts import Parts
from fewer.core.records.result import Selection
from fewer.core.search.neighbourhoods import interleaved_neighbours
from fewer.core.search.questions import Questions
from fewer.core.views.view import View
from fewer.methods.causal._base import LocalSelector, keep
from fewer.methods.causal._local import blanket
from fewer.methods.causal._wrapped import eliminated


class HITON(LocalSelector):
    r"""Keep the Markov blanket of the target: parents, children and spouses, by small given sets.

    Parents and children as by `HITONPC`, of y and of each of them. A neighbour of a neighbour that some set separates
    from y, but that depends on y when that neighbour is given as well, is another parent of a child: a spouse [1]_.

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
    wrapper : bool, default=False
        Whether features leave the blanket as long as the cross-validated score does not fall; the roles stay.
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers. Used with ``wrapper`` only.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, fewer if a class has fewer rows.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    HITONPC : Parents and children only.
    MMMB : The same with another search for parents and children.

    Notes
    -----
    The paper tests every subset for spouses; here, as is equivalent in faithful distributions, the one that separated
    them. In the paper the wrapper is part of the method: ``wrapper=True``.
    Of near copies, each of which separates the others from y, the strongest comes back; the others are redundant to it.
    A test with too few rows neither admits nor drops a feature; such a feature is "not reached", as its reason says.

    References
    ----------
    .. [1] C. F. Aliferis, I. Tsamardinos and A. Statnikov, "HITON: a novel Markov blanket algorithm for optimal
       variable selection", AMIA 2003.
    .. [2] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, section 4.5.2.

    Examples
    --------
    >>> from fewer.synth import make_lung_cancer
    >>> data = make_lung_cancer(5000, random_state=0)
    >>> found = HITON().fit(data.X, data.y).selection_
    >>> sorted(data.names[j] for j in found.indices)
    ['Allergy', 'Biomarker1', 'Biomarker2', 'Coughing', 'GeneticFactor1', 'HormonalFactor', 'Metastasis', 'Smoking']
    """

    _parameter_constraints: dict = {
        **LocalSelector._parameter_constraints,
        "wrapper": ["boolean"],
        # The selector that evaluates subsets reads these.
        **dict.fromkeys(("estimator", "scoring", "cv"), "no_validation"),
    }

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
        wrapper: bool = False,
        estimator: Any = None,
        scoring: Any = None,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())

    def _blanket(self, questions: Questions) -> Selection:
        return blanket(questions, interleaved_neighbours, self.symmetry)

    def _select(self, data: View, parts: Parts) -> Selection:
        selection = super()._select(data, parts)
        how = {"estimator": self.estimator, "scoring": self.scoring, "cv": self.cv}
        return eliminated(selection, data, how) if self.wrapper and len(selection) else selection
