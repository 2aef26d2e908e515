"""Chains of a Gibbs sampler with a spike at zero, and what they say together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.kernels import gibbs, latent
from fewer.core.runners.fits import run_fits
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.spread import check_varies
from fewer.core.views.view import View
from fewer.methods.embedded._convergence import hits_agreement, lengths_of

MODELS = {"linear": latent.LINEAR, "probit": latent.PROBIT, "logistic": latent.LOGISTIC}
# Of every chain; even, because chains are split in halves.
N_BATCHES = 20
# Beyond, the products of all pairs of columns take too much memory, and rows are read instead.
MOST_PRODUCTS = 2_000


@dataclass(frozen=True, eq=False)
class Standard:
    """Columns that vary, with mean 0 and variance 1, one after another; and the target as the sampler reads it."""

    columns: np.ndarray
    varies: np.ndarray
    mean: np.ndarray
    scale: np.ndarray
    y: np.ndarray
    y_mean: float
    y_scale: float

    @classmethod
    def of(cls, name: str, data: View, model: str) -> Standard:
        """Read the rows of a view, which are in memory."""
        block, extent = data.whole(), data.fold(ColumnExtent())
        data.check_finite(extent.high - extent.low)
        varies = extent.high > extent.low
        mean, scale = np.zeros(data.n_features), np.ones(data.n_features)
        columns = np.ascontiguousarray(block.X.T[varies], dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            mean[varies] = columns.mean(axis=1)
            columns -= mean[varies, None]
            # Squares of fractions of the range are in range.
            columns /= (extent.high - extent.low)[varies, None]
            spread = columns.std(axis=1)
            columns /= spread[:, None]
            scale[varies] = spread * (extent.high - extent.low)[varies]
        data.check_finite(mean, scale)
        if model != "linear":
            return cls(columns, varies, mean, scale, block.y.astype(np.float64), 0.0, 1.0)
        check_varies(name, block.y)
        width = float(block.y.max() - block.y.min())
        middle = float(block.y[0] + (block.y - block.y[0]).mean())
        return cls(columns, varies, mean, scale, (block.y - middle) / width, middle, width)


@dataclass(frozen=True, eq=False)
class Chains:
    """The sampler on one data set; called with the number of a chain it runs that chain.

    Attributes
    ----------
    data : Standard
        What is sampled from.
    model : str
        Of `MODELS`.
    slab : float
        Prior variance of coefficients that are in.
    odds, size_odds : ndarray
        Prior log odds by feature, and those added for the number of others that are in.
    burn_in, n_sweeps, n_draws : int
        Sweeps left out, sweeps kept, and how many of the latter are kept whole.
    n_chains, seed : int
        How many, and where their random numbers begin.
    """

    data: Standard
    model: str
    slab: float
    odds: np.ndarray
    size_odds: np.ndarray
    burn_in: int
    n_sweeps: int
    n_draws: int
    n_chains: int
    seed: int

    @cached_property
    def products(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Products of all columns with each other and with the target, where the sampler needs nothing else."""
        columns = self.data.columns
        if self.model != "linear" or len(columns) > MOST_PRODUCTS:
            return None
        return columns @ columns.T, columns @ self.data.y

    def shapes(self) -> list[tuple[int, int]]:
        """Return the shapes of what a chain returns: hits, sums, course and draws."""
        p = len(self.data.columns)
        return [(N_BATCHES, p), (3, p), (self.n_sweeps, 2), (self.n_draws, p + 2)]

    def __call__(self, number: int) -> np.ndarray:
        """Run one chain and return what it counted, in one row."""
        rng = np.random.default_rng([self.seed, number])
        found = [np.zeros(shape) for shape in self.shapes()]
        beta, inside = self._start(number, rng)
        order = rng.permutation(len(beta))
        rest = (self.slab, self.odds, self.size_odds, self.burn_in, self.n_sweeps, rng, order, beta, inside, *found)
        y = self.data.y
        if self.products is None:
            gibbs.gibbs_rows(self.data.columns, y, MODELS[self.model], *rest)
        else:
            gibbs.gibbs_gram(*self.products, float(y @ y), len(y), *rest)
        return np.concatenate([part.ravel() for part in found])

    def _start(self, number: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return where a chain begins: the first with no feature, the last with many, so that agreement tells."""
        p, n = self.data.columns.shape
        most = min(p, n // 2) * number // max(self.n_chains - 1, 1)
        beta, inside = np.zeros(p), np.zeros(p, np.int64)
        some = rng.choice(p, most, replace=False)
        inside[some] = 1
        beta[some] = 0.1 * rng.standard_normal(most) * self.data.y.std()
        return beta, inside

    def run(self, runner: Any) -> SampledPosterior:
        """Run all chains, side by side, and put together what they found."""
        # Made once, before threads ask for it.
        _ = self.products
        rows = run_fits(runner, self, range(self.n_chains), what="chains")
        ends = np.cumsum([np.prod(shape) for shape in self.shapes()])[:-1]
        parts = [
            [part.reshape(shape) for part, shape in zip(np.split(row, ends), self.shapes(), strict=True)]
            for row in rows
        ]
        return SampledPosterior.of(self, *(np.stack(kind) for kind in zip(*parts, strict=True)))


@dataclass(frozen=True, eq=False)
class SampledPosterior:
    """What the chains say together, of all features and in the units of the data.

    Attributes
    ----------
    inclusion, rhat, ess : ndarray of shape (n_features,)
        Probability to be in the model, and how well the chains know it.
    coef, sd : ndarray of shape (n_features,)
        Mean and standard deviation of the coefficients, 0 where a feature is out.
    intercept : float
        Mean of the intercepts.
    draws : csr_array of shape (n_draws, n_features)
        Coefficients of some sweeps, evenly spaced; ``draw_intercepts`` belong to them.
    course : ndarray of shape (n_chains, n_sweeps, 2)
        Number of features, and noise variance or log likelihood, of every sweep.
    """

    inclusion: np.ndarray
    rhat: np.ndarray
    ess: np.ndarray
    coef: np.ndarray
    sd: np.ndarray
    intercept: float
    draws: Any
    draw_intercepts: np.ndarray
    course: np.ndarray

    @classmethod
    def of(
        cls, chains: Chains, hits: np.ndarray, sums: np.ndarray, course: np.ndarray, draws: np.ndarray
    ) -> SampledPosterior:
        """Put the counts of all chains together."""
        data = chains.data
        n, varies = chains.n_chains * chains.n_sweeps, data.varies
        chance, first, second = sums.sum(axis=0) / n
        unit = data.y_scale / data.scale[varies]

        def wide(values: np.ndarray, other: float) -> np.ndarray:
            out = np.full(len(varies), other)
            out[varies] = values
            return out

        rhat, ess = hits_agreement(hits, lengths_of(chains.n_sweeps, N_BATCHES))
        coef = wide(first * unit, 0.0)
        draws = draws.reshape(-1, draws.shape[2])
        each = np.zeros((len(draws), len(varies)))
        each[:, varies] = draws[:, 2:] * unit
        middle = data.y_mean + data.y_scale * draws[:, 0]
        centre = float(middle.mean())
        if chains.model == "linear":
            # The mean of the flat intercept is known; the draws only scatter about it.
            centre, course = data.y_mean, course * np.array([1.0, data.y_scale**2])
        return cls(
            wide(chance, 0.0),
            wide(rhat, np.nan),
            wide(ess, np.nan),
            coef,
            wide(np.sqrt(np.maximum(second - first**2, 0.0)) * unit, 0.0),
            float(centre - data.mean @ coef),
            scipy.sparse.csr_array(each),
            middle - each @ data.mean,
            course,
        )

    def values(self, X: Any) -> np.ndarray:
        """Return the linear predictor of every row in every draw, (n_rows, n_draws)."""
        return np.asarray((self.draws @ X.T).T) + self.draw_intercepts
