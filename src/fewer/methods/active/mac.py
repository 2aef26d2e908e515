"""Maximum average change: which missing value to measure, so that relevances are known with few measurements."""

from __future__ import annotations

from typing import Any

from fewer.methods.active._relevance_acquirer import CONSTRAINTS, PART, RelevanceAcquirer


class MAC(RelevanceAcquirer):
    r"""Ask for the missing value that is expected to change the estimated relevances most.

    Classes are known, feature values are missing and cost something each. The relevance :math:`\hat g_j` of a feature
    is its mutual information with the class under a model of the known values: one mixture of product distributions
    per class (eqs. 5.5, 5.10 of [1]_). The benefit of measuring feature f of row i is :math:`B(i, f) = \sum_x
    p(x_{if} = x | D) \sum_j (\hat g_j(D, x_{if} = x) - \hat g_j(D))^2` (eq. 5.4); of equal ones a cell is drawn.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    budget : int or None, default=None
        Most values to ask for.
    max_cost : float or None, default=None
        Most to spend; what costs more than is left is not asked for.
    costs : dict, array-like or None, default=None
        What a value of each column costs, by name or one per column; 1 where nothing is said.
    by_cost : bool, default=False
        Whether benefits are divided by costs.
    tol : float or None, default=None
        Nothing more is asked for when the last `patience` values changed no relevance by as much.
    patience : int, default=10
        How many values in a row must change nothing.
    n_components : int, default=1
        Product distributions per class; 1 is naive Bayes, in closed form.
    candidate_fraction : float, default=1.0
        Fraction of the missing values that are looked at for each question, drawn again every time.
    smoothing : float, default=1.0
        Added to the count of every level.
    bins : int, default=10
        Columns of numbers with more different known values have so many bins of about equal frequency.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    relevances_ : ndarray of shape (n_features,)
        Estimated relevances, in nats.
    trajectory_ : ndarray of shape (n_acquired + 1, n_features)
        Estimates at first and after every value that was told.
    acquisitions_ : list of Acquisition
        What was told, in order.
    selection_ : Selection
        Features by estimated relevance, with what was acquired of each.
    stopped_ : str
        Why nothing more is asked for; empty as long as something is.

    See Also
    --------
    RandomAcquisition : The baseline: any missing value.
    fewer.evaluate.acquisition.relevance_error_curve : How fast estimates come near to the truth.

    Notes
    -----
    Algorithm 5.2.1 of the paper adds benefits without the weight p(x), which eq. 5.4 has and which is used here. Eq.
    5.8 as printed is the entropy of class and feature together; the entropy of the feature is meant (eq. 5.10). The
    M-step 5.18 with smoothing leaves open how much is added: 1 per level by default. Missing values are left out of
    it, which has the same fixed points and is reached sooner; with one component it is a closed form. Benefits within
    1e-12 of the largest count as equal, and each such *cell* is equally likely. The draw depends on the seed and the
    number of values told, so that asking again asks the same, also after a restart. With several components, the
    model is fitted again after every value from where it was and from three fresh starts, since equal components
    never part; a benefit is found from where the model is. Costs are no part of the paper beyond the rule to stop
    when they are spent.

    References
    ----------
    .. [1] E. Olivetti, S. Veeramachaneni and P. Avesani, "Active learning of feature relevance", in Computational
       Methods of Feature Selection, 2008, chapter 5.

    Examples
    --------
    >>> import numpy as np
    >>> from fewer.synth import make_binary_channels
    >>> data = make_binary_channels(random_state=0)
    >>> lab = MAC(budget=60, random_state=0)
    >>> nothing = np.full(data.X.shape, np.nan)
    >>> _ = lab.start(nothing, data.y, domains={j: [0, 1] for j in range(3)})
    >>> question = lab.ask()
    >>> _ = lab.tell(question.row, question.column, data.X[question.row, question.column])
    >>> _ = lab.run(lambda asked: data.X[asked.row, asked.column])
    >>> lab.stopped_, lab.selection_.order.tolist()
    ('the budget of 60 values is spent', [0, 1, 2])
    """

    _informed = True
    _parameter_constraints: dict = {**CONSTRAINTS, "by_cost": ["boolean"], "candidate_fraction": PART}

    def __init__(
        self,
        n_features_to_select: Any = 10,
        *,
        budget: int | None = None,
        max_cost: float | None = None,
        costs: Any = None,
        by_cost: bool = False,
        tol: float | None = None,
        patience: int = 10,
        n_components: int = 1,
        candidate_fraction: float = 1.0,
        smoothing: float = 1.0,
        bins: int = 10,
        categorical_features: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.budget = budget
        self.max_cost = max_cost
        self.costs = costs
        self.by_cost = by_cost
        self.tol = tol
        self.patience = patience
        self.n_components = n_components
        self.candidate_fraction = candidate_fraction
        self.smoothing = smoothing
        self.bins = bins
        self.categorical_features = categorical_features
        self.random_state = random_state
