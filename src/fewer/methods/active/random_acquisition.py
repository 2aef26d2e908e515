"""Any missing value: what choosing is compared with."""

from __future__ import annotations

from typing import Any

from fewer.methods.active._relevance_acquirer import CONSTRAINTS, RelevanceAcquirer


class RandomAcquisition(RelevanceAcquirer):
    """Ask for any missing value, each equally likely: the baseline of active acquisition.

    Relevances are estimated as `MAC` does, so that only the order of the questions differs (section 5.5 of [1]_).

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
    tol : float or None, default=None
        Nothing more is asked for when the last `patience` values changed no relevance by as much.
    patience : int, default=10
        How many values in a row must change nothing.
    n_components : int, default=1
        Product distributions per class; 1 is naive Bayes, in closed form.
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
    MAC : Asks for the value that is expected to change the estimates most.

    References
    ----------
    .. [1] E. Olivetti, S. Veeramachaneni and P. Avesani, "Active learning of feature relevance", in Computational
       Methods of Feature Selection, 2008, chapter 5.

    Examples
    --------
    >>> import numpy as np
    >>> from fewer.synth import make_binary_channels
    >>> data = make_binary_channels(random_state=0)
    >>> lab = RandomAcquisition(budget=60, random_state=0)
    >>> nothing = np.full(data.X.shape, np.nan)
    >>> _ = lab.start(nothing, data.y, domains={j: [0, 1] for j in range(3)})
    >>> len(lab.run(lambda asked: data.X[asked.row, asked.column]).acquisitions_)
    60
    """

    _informed = False
    _parameter_constraints: dict = CONSTRAINTS

    def __init__(
        self,
        n_features_to_select: Any = 10,
        *,
        budget: int | None = None,
        max_cost: float | None = None,
        costs: Any = None,
        tol: float | None = None,
        patience: int = 10,
        n_components: int = 1,
        smoothing: float = 1.0,
        bins: int = 10,
        categorical_features: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.budget = budget
        self.max_cost = max_cost
        self.costs = costs
        self.tol = tol
        self.patience = patience
        self.n_components = n_components
        self.smoothing = smoothing
        self.bins = bins
        self.categorical_features = categorical_features
        self.random_state = random_state
