"""Winnow: weights that mistakes multiply."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d, validate_data

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.predicting import ClassifyingSelector
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.reading.memory import plain_view
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.records.params import StrOptions, number_above, number_from, whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner
from fewer.core.search import top_ranked
from fewer.core.stop import Stop
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View
from fewer.methods.embedded._winnow_state import Rules, WinnowState, class_numbers, known_classes


class Winnow(ClassifyingSelector):
    r"""Keep features with the largest weights of a linear classifier whose mistakes multiply its weights.

    Rows come one after another. Where one is misclassified, every weight becomes
    :math:`w_j \leftarrow w_j \exp(\eta x_j y)` with y = 1 or -1 (eq. 6.9 of [1]_), so that weights of irrelevant
    features fall behind fast: the number of mistakes grows with the logarithm of their number [2]_. Of several classes
    each is told from all others.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    variant : {"balanced", "plain", "glm"}, default="balanced"
        Weights for and against a class; weights for it only, and a threshold; or a logistic model of
        :math:`\theta^\top (w * x)`, where mistakes move w and the likelihood moves :math:`\theta`.
    eta : float, default=0.1
        Learning rate; a mistake on a value of 1 multiplies or divides by :math:`e^\eta`.
    normalize : bool, default=False
        Whether the weights of a class always sum to 1 (normalised Winnow), of "glm" to the number of features.
    margin : float, default=0.0
        Rows on the right side by no more than this count as mistakes, too (large margin Winnow).
    threshold : float or None, default=None
        Of the plain variant: what the weighted sum must exceed; None is the number of features, or 0.1 of weights that
        sum to 1.
    scaling : {"max", "none"}, default="max"
        Whether columns are divided by their largest absolute value.
    n_passes : int, default=10
        Passes over the rows, at most; none follows one without a step.
    shuffle : bool, default=False
        Whether every pass takes the rows in a new random order, which needs them in memory.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The linear classifiers in the units of the data, one row per class, of two classes one.
    n_mistakes_ : int
        Mistakes before each row was learned from, over all passes and calls of `partial_fit`.

    See Also
    --------
    fewer.OnlineIRelief : Margins by neighbours in place of a linear classifier, row by row.

    Notes
    -----
    The source states eq. 6.9, names the variants, and puts w into a generalised linear model without a rule for
    :math:`\theta`. There :math:`\theta` follows the gradient of every row's likelihood with the same rate, and w moves
    by :math:`\eta x_j y\,\mathrm{sign}(\theta_j)`, because with a negative :math:`\theta_j` eq. 6.9 would move away
    from the row. Weights stay between 1e-150 and 1e150; a value within rounding of 0 is 0.

    The bound of mistakes holds for "plain" on columns of 0 and 1, see `disjunction_bound`. Scores are fractions of
    all weights, averaged over classes; of the balanced variant they are those of :math:`|w_j^+ - w_j^-|`, of "glm" of
    :math:`|\theta_j| w_j`. Columns with one value have score 0. Rows sorted by class teach little: shuffle them, or
    the file. Files are read in batches, once for the ranges of columns and once per pass; `partial_fit` divides by the
    largest value so far.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", in: A Practical Approach to Microarray Data Analysis,
       2003, section 3.1.
    .. [2] N. Littlestone, "Learning quickly when irrelevant attributes abound", Machine Learning 2, 1988.

    Examples
    --------
    >>> import fewer
    >>> data = fewer.synth.make_m_of_n(1, 3, 30, n_samples=400, random_state=0)
    >>> sorted(Winnow(3, variant="plain").fit(data.X, data.y).selection_.indices.tolist())
    [0, 1, 2]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense", "sparse"),
        handles_sparse=True,
        invariance=(),
        cost="n*d*passes*classes",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "variant": [StrOptions({"balanced", "plain", "glm"})],
        "eta": [number_above(0)],
        "normalize": ["boolean"],
        "margin": [number_from(0)],
        "threshold": [None, number_above(0)],
        "scaling": [StrOptions({"max", "none"})],
        "n_passes": [whole_from(1)],
        "shuffle": ["boolean"],
        "random_state": [None, whole_from(0), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        variant: str = "balanced",
        eta: float = 0.1,
        normalize: bool = False,
        margin: float = 0.0,
        threshold: float | None = None,
        scaling: str = "max",
        n_passes: int = 10,
        shuffle: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.variant = variant
        self.eta = eta
        self.normalize = normalize
        self.margin = margin
        self.threshold = threshold
        self.scaling = scaling
        self.n_passes = n_passes
        self.shuffle = shuffle
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _begin(self) -> None:
        self._state: WinnowState | None = None

    def _tags_in_use(self) -> MethodTags:
        return replace(self.method_tags, deterministic=not self.shuffle)

    def _reads_batches(self, parts: Parts) -> bool:
        return not self.shuffle

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Winnow:
        """Learn from more rows, each once.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            More rows, one or many.
        y : array-like of shape (n_samples,)
            Their classes.
        classes : array-like, optional
            All classes that will ever come, for the first call; without, those of its rows.

        Returns
        -------
        self : object
            The selector with the features that are best by now.
        """
        parts, begin = self.check(), time.perf_counter()
        first = getattr(self, "_state", None) is None
        rows = validate_data(
            self, check_structure(type(self).__name__, X), reset=first, accept_sparse="csc", dtype=np.float64
        )
        known = known_classes(column_or_1d(y, warn=True), classes, None if first else self.classes_)
        numbers = class_numbers(column_or_1d(y), known, rows.shape[0])
        self._begin() if first else None
        with ThreadRunner(self.n_jobs) as run:
            data = replace(plain_view(rows, run).with_target(numbers), classes=known, target_kind="classes")
            names = getattr(self, "feature_names_in_", None)
            data = replace(data, names=None if names is None else tuple(names))
            self._once = True
            try:
                self._run(data, parts, begin)
            finally:
                del self._once
        return self

    def _rules(self, n_features: int) -> Rules:
        usual = 0.1 if self.normalize else float(n_features)
        threshold = usual if self.threshold is None else float(self.threshold)
        variant, margin = self.variant, float(self.margin)
        return Rules(variant, float(self.eta), threshold if variant == "plain" else 0.0, margin, self.normalize)

    def _select(self, data: View, parts: Parts) -> Selection:
        if self.shuffle and not data.run.in_memory:
            raise RequirementError(
                f"Winnow with shuffle=True needs all rows in memory, but the data are on the {data.run.name} runner; "
                "load them first, or shuffle the file and pass shuffle=False."
            )
        return top_ranked(lambda: self._learn(data), parts.size)

    def _learn(self, data: View) -> Ranking:
        rules = self._rules(data.n_features)
        mine = (data.n_features, data.n_classes, self.variant, self.scaling)
        if self._state is None:
            self._state = WinnowState.start(*mine)
            self._rng = np.random.default_rng(self.random_state)
        state, mistakes = self._state, []
        if state.made_for != mine:
            raise ParameterError(
                "Winnow.partial_fit goes on with {} features, {} classes, variant={!r} and scaling={!r}, but ".format(
                    *state.made_for
                )
                + "got {}, {}, {!r} and {!r}; leave them as they were, or begin anew with fit.".format(*mine)
            )
        extent = data.fold(ColumnExtent())
        data.check_finite(extent.low, extent.high)
        state.widen(extent)
        factor = 1.0 / state.largest if self.scaling == "max" else np.ones(data.n_features)
        for number in range(1 if hasattr(self, "_once") else self.n_passes):
            order = self._rng.permutation(data.n_rows) if self.shuffle else None
            wrong, steps = state.show(data.blocks, rules, factor, order)
            mistakes.append(wrong)
            progress.report("Winnow", number + 1, self.n_passes)
            if steps == 0 and self.variant != "glm":
                break
        return self._found(state, rules, factor, mistakes)

    def _found(self, state: WinnowState, rules: Rules, factor: np.ndarray, mistakes: list[float]) -> Ranking:
        """Store the classifiers and return the scores."""
        coef, intercept = state.linear(rules)
        size = np.abs(coef)
        whole = size.sum(axis=1, keepdims=True)
        varies = state.low < state.high
        scores = np.divide(size, whole, out=np.zeros_like(size), where=whole > 0).mean(axis=0) * varies
        coef, single = coef * factor, len(coef) == 1
        self.coef_, self.intercept_ = (coef[0], float(intercept[0])) if single else (coef, intercept)
        self.n_mistakes_ = int(state.facts[:, 2].sum())
        table = ResultTable.numbered("Mistakes in every pass", "pass", {"mistakes": mistakes}, "curve")
        columns = {"weight": coef[0]} if single else {}
        return Ranking(scores, columns=columns, constant=~varies, tables={"passes": table})

    @staticmethod
    def disjunction_bound(n_relevant: int, n_features: int, eta: float, threshold: float) -> float:
        r"""Return how many mistakes a plain Winnow makes at most on an "or" of some of n features of 0 and 1.

        With :math:`\alpha = e^\eta`, weights from 1 on and threshold :math:`\Theta \ge 1`, each of the k features is
        promoted at most :math:`\log_\alpha \Theta + 1` times, and weights cannot sum to less than 0: there are at most
        :math:`(1 + \alpha) k (\log_\alpha \Theta + 1) + n \alpha / ((\alpha - 1) \Theta)` mistakes
        (Littlestone 1988).

        Examples
        --------
        >>> round(Winnow.disjunction_bound(3, 64, np.log(2), 64))
        65
        """
        if not (0 < eta < np.inf and 1 <= threshold < np.inf and 0 <= n_relevant <= n_features):
            raise ParameterError(
                f"Winnow.disjunction_bound got {n_relevant} of {n_features} features, eta={eta:g} and "
                f"threshold={threshold:g}, but takes eta above 0, a threshold of at least 1 and at most all features; "
                "pass those of the Winnow."
            )
        alpha = np.exp(eta)
        return float(
            (1 + alpha) * n_relevant * (np.log(threshold) / eta + 1) + n_features * alpha / ((alpha - 1) * threshold)
        )
