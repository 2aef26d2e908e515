"""VotingGibbs: draws from the posterior of a model with few features vote."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.estimators.predicting import ClassifyingSelector
from fewer.core.records.params import StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.embedded._gibbs import GIBBS_CONSTRAINTS, GibbsSelector
from fewer.methods.embedded._posterior import SampledPosterior
from fewer.methods.embedded.spike_slab import size_prior


class VotingGibbs(GibbsSelector, ClassifyingSelector):
    r"""Keep features that are in the model with the largest posterior probability; classify by votes of draws.

    The number r of relevant features is uniform on 0, ..., n, and so is the set of that size, so that one more feature
    beside k others has prior odds :math:`(k + 1) / (n - k)`. Each of N draws of the parameters from the posterior draws
    a class from :math:`p(y \mid x, \theta)`, and the majority is the prediction ([1]_, section 3.2). The number of rows
    that are needed grows with the logarithm of the number of irrelevant features [2]_.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        "threshold:0.5" keeps the median probability model.
    link : {"logistic", "probit"}, default="logistic"
        How the linear predictor becomes a probability.
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

    See Also
    --------
    SpikeSlab : Prior probabilities of single features, and averages in place of votes.

    Notes
    -----
    Each draw uses one random number for all rows, so that the prediction of a row does not depend on the rows beside
    it; for every single row the votes are draws as in the paper. The sampler is that of `SpikeSlab`.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", in: A Practical Approach to Microarray Data Analysis,
       2003.
    .. [2] A. Y. Ng and M. I. Jordan, "Convergence rates of the Voting Gibbs classifier, with application to Bayesian
       feature selection", ICML 2001.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = VotingGibbs(2, random_state=0).fit(X[50:], y[50:])
    >>> found.selection_.indices.tolist()
    [3, 2]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        binary_only=True,
        deterministic=False,
        invariance=(),
        cost="chains*sweeps*n*d",
    )
    _parameter_constraints: dict = {**GIBBS_CONSTRAINTS, "link": [StrOptions({"logistic", "probit"})]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        link: str = "logistic",
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
        self.link = link
        self.slab = slab
        self.n_chains = n_chains
        self.n_sweeps = n_sweeps
        self.burn_in = burn_in
        self.n_draws = n_draws
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _model(self, data: View) -> str:
        return self.link

    def _prior(self, varies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = int(varies.sum())
        return np.zeros(n), size_prior(n)

    def _keep(self, found: SampledPosterior, seed: int) -> None:
        super()._keep(found, seed)
        # Drawn once, so that the same row always gets the same votes.
        self._dice = np.random.default_rng(seed).random(found.draws.shape[0])

    def _agreed(self, chances: np.ndarray) -> np.ndarray:
        return (self._dice < chances).mean(axis=1)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the fraction of votes for both classes, (n_samples, 2)."""
        second = self._averaged(self._rows(X))
        return np.column_stack([1 - second, second])

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the fraction of votes for the second class, less one half, (n_samples,)."""
        return self._averaged(self._rows(X)) - 0.5
