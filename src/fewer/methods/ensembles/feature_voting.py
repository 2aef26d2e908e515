"""Votes of many pipelines for features, weighted by how accurate and how small they are."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import StratifiedKFold, check_cv

from fewer.core.criteria.splitters import check_scores, splitter
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import StrOptions, number_above, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.checkpoint import fit_journal
from fewer.core.views.view import View
from fewer.methods.ensembles._ensemble import CLASSIFIERS, Ensemble, classifier_named, evaluated, options, told
from fewer.methods.ensembles._pipelines import REPRESENTATIVES, SECONDARY, Option, Pipelines, grid
from fewer.methods.ensembles._spectra import NORMALIZATIONS
from fewer.methods.ensembles._votes import feature_votes, incremental_set


class FeatureVoting(BaseSelector):
    r"""Let many pipelines vote for the features they use, weighted by their accuracy; for robust biomarkers.

    Every combination of options is a pipeline: rows are normalised or not; the ``preselect`` features of least p-value
    of the rank-sum test stay; neighbours on the scale of the coordinates, such as m/z, are put into bins, of which one
    represents each; a second round selects among these; a classifier is cross-validated on what is left. A feature j
    gets :math:`ws_j = \sum_i e_{ij} a_i / F_i` over the pipelines i that use it, :math:`e_{ij} = 1`, where a is the
    accuracy and F the number of features; or :math:`s_j = \sum_i e_{ij} a_i` (eq. 19.1 and 19.2 of [1]_). Features join
    the final set in that order until neither the accuracy nor the relative absolute error improves.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "best" adds
        features until accuracy and relative absolute error both stall; None keeps all.
    coordinates : array-like of shape (n_features,), "names" or None, default=None
        Where each feature lies, such as its m/z; "names" reads the names of the columns as numbers. With None nothing
        is binned or merged.
    normalizations : sequence of {"none", "nv", "zscore"} or "all", default="all"
        How intensities are normalised: not, from 0 to 1, or to mean 0 and standard deviation 1.
    axis : {"rows", "columns"}, default="rows"
        Whether rows (spectra) are normalised, or columns, which changes neither the test nor its bins.
    preselect : int, default=100
        How many features the rank-sum test leaves.
    gap : float, default=1.0
        Coordinates closer than this, one to the next, share a bin; so do features when votes are counted.
    bin_representatives : sequence of {"min_p", "max_mean"} or "all", default="all"
        Which feature stands for a bin: that of least p-value, or of largest mean.
    secondary : sequence of str or "all", default=("none", "cfs_greedy", "cfs_best_first", "pca")
        The second round: "none", "cfs_" or "wrapper_" with "greedy", "best_first" or "genetic", and "pca".
    classifiers : sequence of str or classifier, or "all", default=("naive_bayes", "tree")
        What is cross-validated, and fitted by wrappers: "naive_bayes", "tree", "svm", "neural_net", or classifiers.
    weighting : {"ws", "s"}, default="ws"
        Which of the two scores orders the features.
    choose_in_folds : bool, default=False
        Whether accuracies are those of pipelines that choose their features again in every fold; honest, but as many
        times as much work as there are folds.
    estimator : classifier or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. Here the
        classifier of the final set; None is the first of ``classifiers``.
    cv : int, str, splitter, iterable or None, default=10
        Splits of the rows, the same for all subsets; None is five folds. A final set of
        open size needs splits that test each row once. A number is lowered to the rows of the smaller class.
    patience : int or None, default=0
        How many steps in a row may fail to find a better subset before no further feature joins; None is no end.
    checkpoint : str or path, default=None
        A file to which evaluations are written, and from which a search that was stopped goes on: here choices and
        accuracies of pipelines. Needs a whole number as ``random_state``.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.RankAggregation : Joins rankings instead of subsets.
    fewer.evaluate.robustness.cross_dataset_robustness : Whether a set does as well on other data.

    Notes
    -----
    ``secondary="all", classifiers="all"`` is Table 19.1 of [1]_ with its 3 x 2 x 8 x 4 = 192 pipelines; the default
    leaves out the wrappers, genetic searches and the two slow classifiers. Choices that do not depend on the classifier
    are made once, and equal sets are evaluated once.

    The chapter leaves open, and here is: rows are normalised (scaling columns would leave the test as it is); the
    wrapper fits the classifier of its pipeline, by five folds; principal components vote for as many features as there
    are components for 95 % of the variance, those of largest :math:`\sum_k \lambda_k v_{jk}^2`; features with votes
    whose coordinates follow each other by less than ``gap`` are one, for which the one with most votes stands. Features
    are chosen on all rows before the classifier is cross-validated, as in the chapter: the accuracies are optimistic,
    and where all are near 1, ws counts little more than 1 / F; see ``choose_in_folds``.

    References
    ----------
    .. [1] D. Chan, S. Bridges and S. Burgess, "An ensemble method for identifying robust features for biomarker
       discovery", ch. 19 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = FeatureVoting(3, normalizations=["none"], cv=3, random_state=0).fit(X, y).selection_
    >>> found.indices.tolist()
    [13, 20, 22]
    >>> len(found.tables["pipelines"])
    16
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        binary_only=True,
        deterministic=False,
        nested=False,
        invariance=(),
        cost="pipelines",
    )
    _serves = ("subsets",)
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "coordinates": "no_validation",
        "normalizations": "no_validation",
        "axis": [StrOptions({"rows", "columns"})],
        "preselect": [whole_from(1)],
        "gap": [number_above(0)],
        "bin_representatives": "no_validation",
        "secondary": "no_validation",
        "classifiers": "no_validation",
        "weighting": [StrOptions({"ws", "s"})],
        "choose_in_folds": ["boolean"],
        "estimator": "no_validation",
        "cv": "no_validation",
        "patience": [None, whole_from(0)],
        "checkpoint": "no_validation",
        "random_state": [None, whole_from(0), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: Any = "best",
        *,
        coordinates: Any = None,
        normalizations: Any = "all",
        axis: str = "rows",
        preselect: int = 100,
        gap: float = 1.0,
        bin_representatives: Any = "all",
        secondary: Any = ("none", "cfs_greedy", "cfs_best_first", "pca"),
        classifiers: Any = ("naive_bayes", "tree"),
        weighting: str = "ws",
        choose_in_folds: bool = False,
        estimator: Any = None,
        cv: Any = 10,
        patience: int | None = 0,
        checkpoint: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.coordinates = coordinates
        self.normalizations = normalizations
        self.axis = axis
        self.preselect = preselect
        self.gap = gap
        self.bin_representatives = bin_representatives
        self.secondary = secondary
        self.classifiers = classifiers
        self.weighting = weighting
        self.choose_in_folds = choose_in_folds
        self.estimator = estimator
        self.cv = cv
        self.patience = patience
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _options(self) -> list[Option]:
        """Return all pipelines, or say which option there is not."""
        steps = (
            options("normalizations", self.normalizations, tuple(NORMALIZATIONS)),
            options("bin_representatives", self.bin_representatives, REPRESENTATIVES),
            options("secondary", self.secondary, SECONDARY),
        )
        return grid(*steps, len(options("classifiers", self.classifiers, CLASSIFIERS, _is_model)))

    def _parts(self) -> Parts:
        self._options()
        check_scores("FeatureVoting", None, self.cv)
        if self.estimator is not None and not _is_model(self.estimator):
            raise ParameterError(
                f"FeatureVoting got estimator={self.estimator!r}, but takes a classifier or None; pass for example "
                "GaussianNB()."
            )
        parts = super()._parts()
        wanted = parts.size.wanted(10**6)
        if wanted.patience is not None or wanted.choose == "parsimonious":
            raise ParameterError(
                f"FeatureVoting got n_features_to_select={self.n_features_to_select!r}, but adds features until they "
                "do not help; pass 'best', a range or a number."
            )
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = int(np.random.default_rng(seed).integers(2**31))
        wanted = parts.size.wanted(data.n_features)
        coordinates, splits = self._coordinates(data), self._splits(data, wanted.low < wanted.high)
        given = options("classifiers", self.classifiers, CLASSIFIERS, _is_model)
        made = tuple(classifier_named(one, seed) if isinstance(one, str) else one for one in given)
        axis = 1 if self.axis == "rows" else 0
        pipelines = Pipelines.of(data, coordinates, self.preselect, self.gap, axis, made, splits, seed)
        journal = fit_journal(self, data, ("weighting", "estimator", "patience"))
        found = Ensemble.of(data.run, pipelines, self._options(), self.choose_in_folds, journal)
        votes = feature_votes(found.sets, found.accuracies, data.n_features, coordinates, self.gap)
        scores = votes.ws if self.weighting == "ws" else votes.s
        order = np.argsort(-scores, kind="stable")
        model = made[0] if self.estimator is None else self.estimator
        final = None
        if wanted.low < wanted.high:
            patience = data.n_features if self.patience is None else self.patience
            voted = order[: int((scores > 0).sum())][: wanted.high]
            final = incremental_set(voted, lambda columns: evaluated(data, columns, model, splits), patience)
        size = wanted.high if final is None else min(max(final.size, wanted.low if len(voted) else 0), wanted.high)
        return told(order[:size], order, scores, votes, final, found.table(given))

    def _coordinates(self, data: View) -> np.ndarray | None:
        """Return where each feature lies, None if nothing is known of that."""
        given = data.names if isinstance(self.coordinates, str) and self.coordinates == "names" else self.coordinates
        if self.coordinates is None:
            return None
        try:
            out = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            out = np.empty(0)
        if out.shape != (data.n_features,) or not np.isfinite(out).all():
            raise InputError(
                f"FeatureVoting got coordinates={self.coordinates!r}, but takes one finite number for each of the "
                f"{data.n_features} features, or 'names' where column names are numbers; pass such, or None."
            )
        return out

    def _splits(self, data: View, once: bool) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the rows that each fold trains on and those that it tests on, each row once if it must be."""
        y, cv = data.whole().y, self.cv
        if isinstance(cv, Integral) and not isinstance(cv, bool):
            fewest = int(np.bincount(y).min())
            if fewest < 2:
                raise InputError(
                    f"FeatureVoting cross-validates, but a class has {fewest} row; give at least two rows of each."
                )
            folds: Any = StratifiedKFold(min(int(cv), fewest))
        else:
            folds = check_cv(splitter(cv, data), y, classifier=True)
        try:
            pairs = [(np.asarray(a), np.asarray(b)) for a, b in folds.split(np.zeros((len(y), 1)), y, data.groups)]
        except ValueError as error:
            raise InputError(
                f"FeatureVoting got cv={cv!r}, which cannot split these rows ({str(error).rstrip('.')}); pass a number "
                "of folds such as 10, or (train, test) pairs."
            ) from error
        tested = np.bincount(np.concatenate([np.arange(len(y))[b] for _, b in pairs]), minlength=len(y))
        if once and (tested != 1).any():
            raise ParameterError(
                f"FeatureVoting got cv={cv!r}, which tests {(tested != 1).sum()} of {len(y)} rows not at all or more "
                "than once, but evaluates the final set by splits that test every row once; pass a number of folds "
                "such as 10, or the number of features."
            )
        return pairs


def _is_model(made: Any) -> bool:
    """Return whether this is a classifier, and not a class or anything else."""
    return not isinstance(made, type) and hasattr(made, "fit") and is_classifier(made)
