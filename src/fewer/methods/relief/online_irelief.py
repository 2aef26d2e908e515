"""Iterative Relief that learns from one row at a time."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.measures.margins_closed import closed_form_weights
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._soft_margins import SoftMargins
from fewer.methods.relief._weights import LearnedWeights, ranges, unit_columns


@dataclass
class Running:
    """What an online learner knows: the mean margin, how many rows it is from, and the ranges it refers to."""

    nu: np.ndarray
    weights: np.ndarray
    n_seen: int
    low: np.ndarray
    high: np.ndarray
    learned: bool = False

    def widen(self, low: np.ndarray, high: np.ndarray) -> None:
        """Take in the ranges of more rows; margins are fractions of the range and shrink as it grows."""
        old = self.high - self.low
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)
        new = self.high - self.low
        self.nu = self.nu * np.divide(old, new, out=np.ones_like(new), where=new > 0)

    def learn(self, margin: np.ndarray, decay: float) -> None:
        """Move nu towards the margin of one more row by 1 / (decay * T), but not beyond it."""
        self.n_seen += 1
        self.nu = self.nu + min(1.0 / (decay * self.n_seen), 1.0) * (margin - self.nu)
        # Weights stay as they are until some feature has a positive margin.
        if (self.nu > 0).any():
            self.weights, self.learned = closed_form_weights(self.nu), True


class OnlineIRelief(LearnedWeights):
    r"""Keep features with the largest weights of iterative Relief, learned from one row at a time.

    Step T draws a row and finds its part :math:`\pi = \gamma (\bar m - \bar h)` of :math:`\nu` of `IRelief` under the
    current weights; then :math:`\nu \leftarrow \nu + \eta_T (\pi - \nu)` with :math:`\eta_T = \min(1, 1 / (a T))` and
    the weights are :math:`(\nu)^+ / \|(\nu)^+\|_2` (section 12.5 of [1]_). One pass over the rows costs as much as
    Relief and ends close to the weights of `IRelief`, also where those alternate.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    multiclass : {"min", "average"}, default="min"
        With more than two classes: one nearest miss among all other classes (I-Relief-2, eq. 12.8), or one in each,
        averaged by the fractions of the classes (I-Relief-1, eq. 12.7).
    sigma : float, default=1.0
        Width of the kernel; the smaller, the more only the nearest rows count.
    decay : float, default=1.0
        a of the learning rate 1 / (a T), in (0, 1]; 1 makes :math:`\nu` the mean over all steps, less forgets sooner.
    n_passes : int, default=1
        Passes over the rows, at most, each in a new random order.
    tol : float, default=1e-5
        Change of the weights over a whole pass below which no further pass is made.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    n_steps_ : int
        Number of rows learned from, over all passes and calls of `partial_fit`.

    See Also
    --------
    IRelief : All rows at once, to a fixed point.

    Notes
    -----
    The text allows :math:`a < 1`, where the first steps would go beyond :math:`\pi`; the rate is therefore at most 1.
    While no :math:`\nu_j > 0` the weights stay as they are, at first 1/d; if that never ended, the scores are those of
    `closed_form_weights`. The only row of a class has no hit and makes no step.

    The text is silent on where the neighbours of a row come from if rows arrive in a stream. `partial_fit` looks for
    them among the rows of the same call, keeps no rows, and widens the ranges to which margins refer as needed. The
    column ``"margin"`` of the selection holds :math:`\nu`.

    References
    ----------
    .. [1] Y. Sun, "Feature weighting through local learning", in: H. Liu and H. Motoda (eds.), Computational Methods
       of Feature Selection, 2008, chapter 12.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> OnlineIRelief(2, random_state=0).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        deterministic=False,
        invariance=("scale",),
        cost="n^2*d*passes",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "multiclass": [StrOptions({"min", "average"})],
        "sigma": [Interval(Real, 0, None, closed="neither")],
        "decay": [Interval(Real, 0, 1, closed="right")],
        "n_passes": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        multiclass: str = "min",
        sigma: float = 1.0,
        decay: float = 1.0,
        n_passes: int = 1,
        tol: float = 1e-5,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.multiclass = multiclass
        self.sigma = sigma
        self.decay = decay
        self.n_passes = n_passes
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _begin(self) -> None:
        self._running: Running | None = None

    def partial_fit(self, X: Any, y: Any) -> OnlineIRelief:
        """Learn from more rows, whose neighbours are looked for among themselves.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            More rows.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : object
            The selector with the features that are best by now.
        """
        if hasattr(self, "selection_"):
            validate_data(self, X, reset=False, skip_check_array=True)
        else:
            self._begin()
        self._learn_from(X, y)
        return self

    def _learn(self, data: View) -> Ranking:
        low, width = ranges(data)
        n_features = data.n_features
        if self._running is None:
            start = np.full(n_features, 1.0 / n_features)
            self._running = Running(np.zeros(n_features), start, 0, low, low + width)
            self._rng = np.random.default_rng(self.random_state)
        running, y = self._running, data.whole().y
        with np.errstate(over="ignore"):
            data.check_finite(np.maximum(running.high, low + width) - np.minimum(running.low, low))
        running.widen(low, low + width)
        X = unit_columns(data.whole().X, running.low, running.high - running.low)
        soft = SoftMargins(X, y, data.n_classes, self.multiclass == "average", self.sigma, data.run)
        changes: list[float] = []
        while len(changes) < self.n_passes and not (changes and changes[-1] < self.tol):
            before = running.weights
            for done, i in enumerate(self._rng.permutation(len(y))):
                margin = soft.one_row(int(i), running.weights)
                if margin is not None:
                    running.learn(margin, self.decay)
                if done % 100 == 99:
                    progress.report("online I-Relief", running.n_seen, None)
            changes.append(float(np.linalg.norm(running.weights - before)))
        self.n_steps_ = running.n_seen
        table = ResultTable.numbered("Change of the weights in every pass", "pass", {"change": changes}, "curve")
        weights = running.weights if running.learned else closed_form_weights(running.nu)
        return Ranking(weights, columns={"margin": running.nu}, tables={"passes": table})
