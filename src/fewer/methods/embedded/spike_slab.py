"""SpikeSlab: how probable it is that a feature is in the model, by Gibbs sampling."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.metaestimators import available_if

from fewer.core.estimators.parts import Parts
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import FRACTION, StrOptions
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import known_labels
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.embedded._gibbs import GIBBS_CONSTRAINTS, GibbsSelector

# Features that are expected in the model by default, unless half of all are fewer.
EXPECTED = 10


def size_prior(n: int) -> np.ndarray:
    """Return log odds of one more feature given k others, k = 0, 1, ..., where every size is as probable (Ng, Jordan).

    Examples
    --------
    >>> np.exp(size_prior(3)).round(3).tolist()
    [0.333, 1.0, 3.0]
    """
    k = np.arange(n)
    return np.log((k + 1) / (n - k))


class SpikeSlab(GibbsSelector):
    r"""Keep features that are in a linear, probit or logistic model with the largest posterior probability.

    Every feature has a switch: :math:`\eta = \theta_0 + \sum_j z_j \theta_j x_j` with prior
    :math:`P(z_j = 1) = p_j` and normal :math:`\theta_j` (eq. 6.10 and 6.11 of [1]_). A Gibbs sampler draws each switch
    with its coefficient given all others; scores are the fractions of the posterior in which a switch is on.
    Predictions average over the posterior, features and coefficients alike (eq. 6.12).

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        "threshold:0.5" keeps the median probability model.
    model : {"auto", "linear", "probit", "logistic"}, default="auto"
        "auto" is linear for numbers and logistic for two classes; "linear" reads whole numbers as numbers.
    inclusion : float, "uniform", array-like or None, default=None
        Prior probability that a feature is in, for all or for each; "uniform" makes every number of features as
        probable as any other; None is ten features among all, at most one half.
    slab : float, default=1.0
        Prior variance of coefficients in the model, of columns scaled to variance 1; of numbers in units of the noise.
    n_chains : int, default=4
        Chains that begin at different places.
    n_sweeps : int, default=2000
        Sweeps of every chain that count.
    burn_in : int, default=500
        Sweeps of every chain before those.
    n_draws : int, default=200
        Sweeps that are kept whole, of all chains together, for predictions.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    inclusion_ : ndarray of shape (n_features,)
        Posterior probability to be in the model.
    rhat_, ess_ : ndarray of shape (n_features,)
        Whether chains agree on it (1; above 1.1 a warning says so), and how many independent draws they are worth.
    coef_, intercept_ : ndarray, float
        Posterior means in the units of the data; features that are out count as 0.
    model_ : str
        The model that was sampled.

    See Also
    --------
    VotingGibbs : Every size is as probable as any other, and draws vote.

    Notes
    -----
    The paper names the sampler of George and McCulloch and leaves the rest open. Here columns have mean 0 and variance
    1, a spike is exactly 0, the intercept is flat for numbers (normal with variance 100 for classes), and the noise
    variance has density :math:`1 / \sigma^2`. A switch is drawn with its coefficient integrated out. Probit models get
    latent normal numbers (Albert and Chib 1993), logistic models Polya-Gamma weights [2]_; no step is approximate.
    Columns with one value stay out. Single switches cross slowly between features that stand for each other, so once in
    a sweep a feature may take the place of another (a Metropolis step); R-hat tells whether that was enough. Where
    features separate the classes, only the slab holds their coefficients, and chains with a wide one drift for long:
    the R-hat of the log likelihood tells that, too.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", in: A Practical Approach to Microarray Data Analysis,
       2003, section 3.2; E. I. George and R. E. McCulloch, "Approaches for Bayesian variable selection", Statistica
       Sinica 7, 1997.
    .. [2] N. G. Polson, J. G. Scott and J. Windle, "Bayesian inference for logistic models using Polya-Gamma latent
       variables", Journal of the American Statistical Association 108, 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = SpikeSlab("threshold:0.9", model="linear", random_state=0).fit(X, y)
    >>> found.selection_.indices.tolist()
    [2, 8, 3, 1]
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        binary_only=True,
        deterministic=False,
        invariance=(),
        cost="chains*sweeps*n*d",
    )
    _parameter_constraints: dict = {
        **GIBBS_CONSTRAINTS,
        "model": [StrOptions({"auto", "linear", "probit", "logistic"})],
        "inclusion": [FRACTION, StrOptions({"uniform"}), "array-like", None],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        model: str = "auto",
        inclusion: Any = None,
        slab: float = 1.0,
        n_chains: int = 4,
        n_sweeps: int = 2000,
        burn_in: int = 500,
        n_draws: int = 200,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.model = model
        self.inclusion = inclusion
        self.slab = slab
        self.n_chains = n_chains
        self.n_sweeps = n_sweeps
        self.burn_in = burn_in
        self.n_draws = n_draws
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        if self.model == "auto":
            return self.method_tags
        return replace(self.method_tags, targets=("numbers",) if self.model == "linear" else ("classes",))

    def _model(self, data: View) -> str:
        if self.model != "auto":
            return self.model
        return "linear" if data.classes is None else "logistic"

    def _prior(self, varies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = int(varies.sum())
        if isinstance(self.inclusion, str):
            return np.zeros(n), size_prior(n)
        given = min(0.5, EXPECTED / max(len(varies), 1)) if self.inclusion is None else self.inclusion
        chance = np.asarray(given, dtype=np.float64)
        if (chance.ndim and chance.shape != varies.shape) or not ((chance >= 0) & (chance <= 1)).all():
            raise ParameterError(
                f"SpikeSlab got inclusion with {chance.size} values from {chance.min(initial=1.0):g} to "
                f"{chance.max(initial=0.0):g}, but takes probabilities from 0 to 1, one for all or one for each of the "
                f"{len(varies)} features; pass for example inclusion=0.1."
            )
        chance = np.broadcast_to(chance, varies.shape)[varies]
        with np.errstate(divide="ignore"):
            return np.log(chance) - np.log1p(-chance), np.zeros(n)

    def _select(self, data: View, parts: Parts) -> Selection:
        if data.classes is not None:
            self.classes_ = known_labels(np.asarray(data.classes))
        return super()._select(data, parts)

    def _begin(self) -> None:
        # A fit on numbers after one on classes has none.
        if hasattr(self, "classes_"):
            del self.classes_

    @available_if(lambda self: getattr(self, "model_", self.model) in ("auto", "probit", "logistic"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of both classes, averaged over the posterior (eq. 6.12), (n_samples, 2)."""
        second = self._averaged(self._rows(X))
        return np.column_stack([1 - second, second])

    def predict(self, X: Any) -> np.ndarray:
        """Return the mean of the posterior prediction of every row, or the more probable class, (n_samples,)."""
        rows = self._rows(X)
        if self.model_ == "linear":
            return np.asarray(rows @ self.coef_ + self.intercept_)
        return self.classes_[(self._averaged(rows) > 0.5).astype(np.int64)]

    def score(self, X: Any, y: Any) -> float:
        """Return how well rows are predicted: R^2 of numbers, the fraction of right classes."""
        said = self.predict(X)
        return float(r2_score(y, said) if self.model_ == "linear" else accuracy_score(y, said))
