"""What selectors share that sample models with a spike at zero: chains, a ranking, and what is said of mixing."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.predicting import PredictingSelector
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.records.errors import MixingWarning
from fewer.core.records.needs import apart
from fewer.core.records.params import number_above, whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.search import top_ranked
from fewer.core.views.view import View
from fewer.methods.embedded._convergence import series_agreement
from fewer.methods.embedded._posterior import N_BATCHES, Chains, SampledPosterior, Standard

# Chains whose R-hat is above this do not agree.
AGREED = 1.1
# Rows whose predictions are made at once.
ROWS = 4_096
GIBBS_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    "slab": [number_above(0)],
    "n_chains": [whole_from(1)],
    "n_sweeps": [whole_from(2 * N_BATCHES)],
    "burn_in": [whole_from(0)],
    "n_draws": [whole_from(1)],
    "random_state": [None, whole_from(0), np.random.Generator],
}


class GibbsSelector(PredictingSelector):
    """Keeps features that are in the model with the largest posterior probability."""

    n_chains: int
    n_sweeps: int
    burn_in: int
    n_draws: int
    slab: float
    random_state: Any

    def _model(self, data: View) -> str:
        """Return which model is sampled."""
        raise NotImplementedError

    def _prior(self, varies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return prior log odds by feature, of those that vary, and those added for 0, 1, ... others in the model."""
        raise NotImplementedError

    def _select(self, data: View, parts: Parts) -> Selection:
        self.model_ = self._model(data)
        standard = Standard.of(type(self).__name__, data, self.model_)
        per_chain = -(-min(self.n_draws, self.n_chains * self.n_sweeps) // self.n_chains)
        seed = int(np.random.default_rng(self.random_state).integers(2**63))
        chains = Chains(
            standard,
            self.model_,
            float(self.slab),
            *self._prior(standard.varies),
            self.burn_in,
            self.n_sweeps,
            per_chain,
            self.n_chains,
            seed,
        )
        found = chains.run(data.run)
        self._keep(found, seed)
        course = course_table(found, self.model_)
        notes = self._said(data, found, course)
        selection = top_ranked(lambda: ranking_of(found, standard.varies, self.model_, course), parts.size)
        return selection.with_meta(notes=notes) if notes else selection

    def _keep(self, found: SampledPosterior, seed: int) -> None:
        """Store what predictions and readers need; chains themselves are gone."""
        self._posterior = found
        self.inclusion_, self.rhat_, self.ess_ = found.inclusion, found.rhat, found.ess
        self.coef_, self.intercept_ = found.coef, found.intercept

    def _said(self, data: View, found: SampledPosterior, course: ResultTable) -> list[str]:
        """Warn in one sentence if the chains do not agree, and return it."""
        known = np.where(np.isnan(found.rhat), 1.0, found.rhat)
        worst = int(np.argmax(course.columns["R-hat"]))
        if len(known) and known.max() > AGREED:
            shown, line = apart(float(known.max()), AGREED, 3)
            words = (
                f"The chains do not agree on {int((known > AGREED).sum())} of {data.n_features} features (column "
                f"{data.name_of(int(known.argmax()))} has R-hat {shown}, wanted is at most {line}); take "
                f"more than n_sweeps={self.n_sweeps}, or read their inclusion as uncertain."
            )
        elif course.columns["R-hat"][worst] > AGREED:
            shown, line = apart(float(course.columns["R-hat"][worst]), AGREED, 3)
            words = (
                f"The chains agree on the features, but not on the {course.columns['quantity'][worst]} (R-hat {shown}, "
                f"wanted is at most {line}); take more than n_sweeps={self.n_sweeps}, or, if features separate the "
                f"classes, a slab below {self.slab:g}."
            )
        else:
            return []
        warnings.warn(f"{type(self).__name__}: {words}", MixingWarning, stacklevel=2)
        return [words]

    def _chances(self, X: Any) -> np.ndarray:
        """Return the probability of the second class of every row in every draw, (n_rows, n_draws)."""
        link = ndtr if self.model_ == "probit" else expit
        return link(self._posterior.values(X))

    def _averaged(self, X: Any) -> np.ndarray:
        """Return the probability of the second class, averaged over draws (eq. 6.12), of rows that were checked."""
        parts = [self._agreed(self._chances(X[start : start + ROWS])) for start in range(0, len(X), ROWS)]
        return np.concatenate(parts)

    def _agreed(self, chances: np.ndarray) -> np.ndarray:
        """Return one probability per row out of those of all draws."""
        return chances.mean(axis=1)


def course_table(found: SampledPosterior, model: str) -> ResultTable:
    """Return whether the chains agree on the number of features, and on what else was followed through all sweeps."""
    agreed = np.array([series_agreement(found.course[:, :, k]) for k in range(2)])
    columns = {
        "quantity": ["number of features", followed(model)],
        "R-hat": agreed[:, 0],
        "effective draws": agreed[:, 1],
    }
    return ResultTable("Whether the chains agree", columns)


def followed(model: str) -> str:
    """Return what is followed through all sweeps beside the number of features."""
    return "noise variance" if model == "linear" else "log likelihood"


def ranking_of(found: SampledPosterior, varies: np.ndarray, model: str, course: ResultTable) -> Ranking:
    """Return the probabilities as scores, with coefficients, diagnostics, sizes and the course of the chains."""
    sizes, counts = np.unique(found.course[:, :, 0].astype(np.int64), return_counts=True)
    means = found.course.mean(axis=1)
    tables = {
        "sizes": ResultTable(
            "How many features the model has", {"features": sizes, "probability": counts / counts.sum()}, "curve"
        ),
        "chains": ResultTable.numbered(
            "What the chains found",
            "chain",
            {"mean number of features": means[:, 0], followed(model): means[:, 1]},
        ),
        "convergence": course,
    }
    columns = {"coefficient": found.coef, "sd": found.sd, "rhat": found.rhat, "effective_draws": found.ess}
    return Ranking(found.inclusion, columns=columns, constant=~varies, tables=tables)
