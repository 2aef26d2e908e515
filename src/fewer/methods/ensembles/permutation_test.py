"""PermutationTest: importances with p-values, by permuting features out of bag or the target."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.importance.models import check_model, tags_with_model
from fewer.core.records.errors import NothingFoundWarning
from fewer.core.records.params import StrOptions, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.checkpoint import fit_journal
from fewer.core.stop.significance import PValue, adjust
from fewer.core.views.view import View
from fewer.methods.ensembles._importance_fits import ForestSize
from fewer.methods.ensembles._permutation_scores import OutOfBagScore, TargetScore


class PermutationTest(ScoreBase):
    r"""Test importances against those that chance gives, with a p-value per feature.

    With ``kind="target"`` a model is fitted on the target and again and again on permuted targets (null importances
    [2]_). Of n null importances k are at least as large as the actual one: :math:`p = (k + 1) / (n + 1)`, so ties count
    against the feature. The score is the distance from the mean of the null importances in standard deviations.

    With ``kind="oob"`` (section 7.4.1.3 of [1]_) S models are fitted on bootstrap samples; :math:`d_s` is what model s
    loses of its accuracy (or gains in squared error) out of bag when the values of a feature are permuted there. The
    score is :math:`z = \bar d / (\mathrm{sd}(d) / \sqrt S)`, with the one-sided p-value :math:`1 - \Phi(z)`.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="p:0.05"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "p:0.05" bounds
        the errors per feature, "fdr:0.05" those among the kept; None keeps all.
    kind : {"target", "oob"}, default="target"
        What is permuted: the target before the fit, or each feature after it.
    estimator : estimator or None, default=None
        What reports importances: any estimator with ``feature_importances_`` or ``coef_`` after `fit`; None is a forest
        on bins. For "oob": what is fitted on bootstrap samples, any estimator; None is a tree that looks at the root of
        the number of features at every node, and of a forest its trees are taken, as many as it has.
    n_permutations : int, default=100
        Permuted targets; no p-value is below 1 / (n_permutations + 1). For "fdr:0.05" and many features take more.
    n_estimators : int, default=100
        Models for "oob".
    n_trees : int or None, default=None
        Trees of the forest on bins; None lets every column be drawn about 100 times.
    tree_depth : int, default=5
        Depth of its trees.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which fits are written, and from which a run that was stopped goes on; needs a whole number as
        ``random_state``.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Warnings
    --------
    With ``kind="oob"`` more models inflate z: they are fitted on the same rows, so that their differences are no sample
    of the data, and z grows with the root of their number for a feature that is important by chance. Its p-values order
    features; they do not bound errors. Those of ``kind="target"`` do.

    See Also
    --------
    fewer.Shadow : Compares with shuffled features instead.

    Notes
    -----
    A permuted target is independent of all features at once, so p-values of "target" are exact for data in which no
    feature matters; where others matter, a feature without effect is compared with importances in pure noise.
    Importances that an estimator divides by their sum say nothing of a single feature. Columns that are equal share the
    mean of their importances. A feature that no model uses has d = 0 and p = 1. Of a forest ``max_samples`` and
    ``class_weight`` hold for its trees; its ``bootstrap`` is always as if true.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, section 7.4.1.3.
    .. [2] A. Altmann, L. Tolosi, O. Sander and T. Lengauer, "Permutation importance: a corrected feature importance
       measure", Bioinformatics 26(10), 2010.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 8))
    >>> y = X[:, 2] + X[:, 5] > 0
    >>> found = PermutationTest(random_state=0).fit(X, y).selection_
    >>> sorted(found.indices.tolist()), float(found.columns["pvalue"][2].round(4))
    ([2, 5], 0.0099)
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        handles_nan=True,
        handles_nominal=True,
        deterministic=False,
        invariance=(),
        cost="fits",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "kind": [StrOptions({"target", "oob"})],
        "estimator": "no_validation",
        "n_permutations": [whole_from(1)],
        "n_estimators": [whole_from(2)],
        "n_trees": [None, whole_from(1)],
        "tree_depth": [whole_from(1)],
        "categorical_features": ["array-like", None],
        "checkpoint": "no_validation",
        "random_state": [None, whole_from(0), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: Any = "p:0.05",
        *,
        kind: str = "target",
        estimator: Any = None,
        n_permutations: int = 100,
        n_estimators: int = 100,
        n_trees: int | None = None,
        tree_depth: int = 5,
        categorical_features: Any = None,
        checkpoint: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.kind = kind
        self.estimator = estimator
        self.n_permutations = n_permutations
        self.n_estimators = n_estimators
        self.n_trees = n_trees
        self.tree_depth = tree_depth
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> Any:
        if self.kind == "oob":
            return OutOfBagScore(self.estimator, self.n_estimators, self.random_state)
        forest = ForestSize(self.n_trees, self.tree_depth)
        return TargetScore(self.estimator, self.n_permutations, forest, self.random_state)

    def _parts(self) -> Parts:
        check_model(type(self).__name__, self.estimator)
        return super()._parts()

    def _tags_in_use(self) -> MethodTags:
        if self.estimator is None and self.kind == "target":
            return self.method_tags
        tags = tags_with_model(self.estimator, self.method_tags)
        return replace(tags, handles_sparse=False, handles_weights=False)

    def _select(self, data: View, parts: Parts) -> Selection:
        journal = fit_journal(self, data, ("n_permutations", "n_estimators"))
        parts = replace(parts, criterion=replace(parts.criterion, journal=journal))
        found = super()._select(data, parts)
        if self.kind == "target" and isinstance(parts.size, PValue) and not len(found):
            _warn_of_few(self.n_permutations, parts.size, found.columns["pvalue"])
        return found


def _warn_of_few(n_permutations: int, rule: PValue, pvalues: np.ndarray) -> None:
    """Warn if nothing was kept because no p-value can be small enough after so few permutations."""
    floor = 1 / (n_permutations + 1)
    best = pvalues <= floor * (1 + 1e-9)
    if not best.any():
        if floor <= rule.alpha:
            return
        best = pvalues == pvalues.min()

    def enough(n: int) -> bool:
        return bool((adjust(np.where(best, 1 / (n + 1), pvalues), rule.method) <= rule.alpha).any())

    low, high = n_permutations, 2 * n_permutations
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    warnings.warn(
        f"PermutationTest keeps no feature by {str(rule)!r}, because after n_permutations={n_permutations} no p-value "
        f"is below {floor:.3g}; pass n_permutations={high} or more.",
        NothingFoundWarning,
        stacklevel=5,
    )
