"""FeatureSaliency: a mixture that learns which features tell its components apart."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fewer.core.clustering.salient_components import first_means, salient_components
from fewer.core.clustering.salient_mixture import SalientFit
from fewer.core.clustering.standard_columns import standard_columns
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.needs import MORE_THAN, Need
from fewer.core.records.numerals import numeral
from fewer.core.records.params import number_from, whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.unsupervised._cluster_tables import cluster_table


class FeatureSaliency(BaseSelector):
    r"""Keep the features that most probably tell the components of a mixture apart.

    The model is :math:`p(x) = \sum_j \alpha_j \prod_l [\rho_l N(x_l; \mu_{jl}, \sigma_{jl}^2) + (1 - \rho_l) N(x_l;
    \lambda_l)]` [1]_: with probability :math:`\rho_l`, its saliency, a feature has a mean of its own in every
    component, else it is noise common to all. Saliencies and the number of components follow from the message length
    :math:`-L + (K + N) \ln(M) / 2 + \sum_{jl} \ln(M \alpha_j \rho_l) + \sum_l \ln(M (1 - \rho_l))`.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary), of the features
        with a saliency above 0; None keeps all of these.
    max_clusters : int, default=10
        Most clusters.
    n_starts : int, default=5
        How often the climb is started, from other rows; the shortest message is kept.
    tol : float, default=1e-5
        Relative change of the message length at which a climb ends.
    max_iter : int, default=500
        Most iterations of a climb.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    saliencies_ : ndarray of shape (n_features,)
        The saliency of every feature.
    labels_ : ndarray of int of shape (n_samples,)
        The most probable component of every row.
    n_clusters_ : int
        Number of components.
    message_length_ : float
        Of the chosen model, in nats.
    n_iter_ : int
        Iterations of the climb to it.

    See Also
    --------
    FSSEM : Clusters the rows again in every subset of features.

    Notes
    -----
    Columns are scaled to variance 1, and no variance falls below 1e-4 of that, or below h^2 / (2 pi) where values are h
    apart at least. A component must hold as many rows as there are features to pay for its parameters; where no
    component can, none is dropped in that step. Of one component the saliencies say
    nothing about clusters, only whether the values of a feature are those of two Gaussians rather than one; 1 is the
    same as 0 then. The steps of [1]_ end in minima of the message length that are not the least: saliencies between 0
    and 1 are then moved to the end where the message is shorter. Noise may keep a few hundredths, which the price of
    parameters does not forbid; ``"threshold:0.5"`` keeps what is more often relevant than not. Starts are
    shared out among the threads.

    References
    ----------
    .. [1] M. H. C. Law, M. A. T. Figueiredo and A. K. Jain, "Simultaneous feature selection and clustering using
       mixture models", IEEE Transactions on Pattern Analysis and Machine Intelligence 26, 2004.
    .. [2] J. G. Dy, "Unsupervised feature selection", in: H. Liu and H. Motoda (eds.), Computational Methods of Feature
       Selection, 2008, section 2.4.2.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> centres = np.array([[0, 3], [1, 9], [6, 4], [7, 10]])[rng.integers(0, 4, 400)]
    >>> X = np.hstack([centres + rng.normal(size=(400, 2)), rng.normal(size=(400, 4))])
    >>> found = FeatureSaliency(2, random_state=0).fit(X)
    >>> found.selection_.indices.tolist(), found.n_clusters_
    ([0, 1], 4)
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense",),
        deterministic=False,
        nested=False,
        invariance=(),
        cost="n*d*K per iteration",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "max_clusters": [whole_from(1)],
        "n_starts": [whole_from(1)],
        "tol": [number_from(0)],
        "max_iter": [whole_from(1)],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        max_clusters: int = 10,
        n_starts: int = 5,
        tol: float = 1e-5,
        max_iter: int = 500,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.max_clusters = max_clusters
        self.n_starts = n_starts
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _select(self, data: View, parts: Parts) -> Selection:
        Z, constant = standard_columns(data.whole().X)
        varying = np.flatnonzero(~constant)
        saliencies = np.zeros(data.n_features)
        if not len(varying):
            note = dict.fromkeys(range(data.n_features), "the column is constant")
            reasons = Reasons.of_kept(data.n_features, [], IRRELEVANT, note=note, rule="no column varies")
            self._keep(saliencies, np.ones((data.n_rows, 1)), 0.0)
            self.n_iter_ = 0
            return Selection.build([], np.arange(data.n_features), reasons, saliencies)
        best, fits = self._fitted(data, np.ascontiguousarray(Z[:, varying]))
        saliencies[varying] = best.model.saliency
        if len(best.model) == 1:
            # A single Gaussian, whether it is called that of the component or noise.
            saliencies[saliencies == 1] = 0.0
        self._keep(saliencies, best.memberships, best.message_length)
        self.n_iter_ = len(best.history) - 1
        return self._told(data, parts, best, fits, constant)

    def _keep(self, saliencies: np.ndarray, memberships: np.ndarray, length: float) -> None:
        self.saliencies_, self.message_length_ = saliencies, length
        self.labels_, self.n_clusters_ = memberships.argmax(axis=1).astype(np.int32), memberships.shape[1]

    def _fitted(self, data: View, Z: np.ndarray) -> tuple[SalientFit, list[SalientFit]]:
        """Return the best of several starts; of equal ones the first."""
        rng = np.random.default_rng(self.random_state)
        starts = [first_means(Z, self.max_clusters, rng) for _ in range(self.n_starts)]

        def one_start(start: int, stop: int) -> tuple[SalientFit, list[SalientFit]]:
            return salient_components(Z, starts[start], tol=self.tol, max_iter=self.max_iter)

        found = data.run.scan(one_start, self.n_starts, 1)
        best, fits = min(found, key=lambda one: one[0].message_length)
        if len(best.history) > self.max_iter:
            warnings.warn(
                f"FeatureSaliency made max_iter={self.max_iter} iterations and its message still grew shorter by more "
                f"than tol={self.tol:g}; raise max_iter.",
                ConvergenceWarning,
                stacklevel=7,
            )
        return best, fits

    def _told(
        self, data: View, parts: Parts, best: SalientFit, fits: list[SalientFit], constant: np.ndarray
    ) -> Selection:
        """Return the kept features, those with a saliency, and why others are not."""
        scores = self.saliencies_
        chosen = top_ranked(lambda: Ranking(scores), parts.size)
        kept = chosen.indices[scores[chosen.indices] > 0]
        found = f"{len(best.model)} components"
        if len(best.model) == 1:
            found = "one component, so that saliencies tell features of two kinds of values, not clusters"
        rule = f"{chosen.reasons.rule}; {found}, a message of {numeral(best.message_length)} nats"
        note = {int(j): "the column is constant" for j in np.flatnonzero(constant)}
        needs = (*chosen.reasons.needs, Need("saliency", scores, 0.0, how=MORE_THAN))
        reasons = replace(chosen.reasons, rule=rule, note={**chosen.reasons.note, **note}, needs=needs)
        reasons.kind[scores == 0] = IRRELEVANT
        shown = cluster_table(data, best.memberships, kept)
        return Selection.build(
            kept,
            chosen.order,
            reasons,
            scores,
            chosen.trace,
            chosen.columns,
            tables={"lengths": _lengths(fits), "clusters": shown},
            meta={"clusters": len(best.model), "message length": best.message_length},
        )


def _lengths(fits: list[SalientFit]) -> ResultTable:
    """Return the shortest message by number of components."""
    best = {len(fit.model): fit for fit in sorted(fits, key=lambda fit: -fit.message_length)}
    fits = [best[k] for k in sorted(best)]
    columns = {
        "components": [len(fit.model) for fit in fits],
        "message length": [fit.message_length for fit in fits],
        "salient features": [int((fit.model.saliency > 0).sum()) for fit in fits],
    }
    return ResultTable("Message length by number of components", columns, "curve")
