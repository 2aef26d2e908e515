"""LarsEN: the elastic net by LARS-EN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.predicting import RegressingSelector
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions, number_from, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.stop import All, Stop
from fewer.core.stop.wanted import Wanted
from fewer.core.views.view import View
from fewer.methods.embedded._columns import UnitColumns
from fewer.methods.embedded._elastic_net_path import ElasticNetPath
from fewer.methods.embedded._lars_en import lars_en
from fewer.methods.embedded._path_choice import FRACTIONS, Errors, PathFolds, errors_along, first_of_size, sizes_wanted
from fewer.methods.embedded._path_result import PathChoice, path_selection


class LarsEN(RegressingSelector):
    r"""Keep the features of an elastic net, along its whole path.

    With columns of mean 0 and length 1 the naive elastic net minimises
    :math:`\|y - X\beta\|^2 + \lambda_2 \|\beta\|^2 + \lambda_1 \|\beta\|_1`, and the elastic net is
    :math:`1 + \lambda_2` times its solution (eq. 20.9 of [1]_). LARS-EN [2]_ follows the solution from
    :math:`\lambda_1` so large that all coefficients are 0 down to `l1`: features join one by one, and some leave again.
    Unlike the lasso (`l2` = 0) it can keep more features than there are rows, and features that say the same share
    their weight.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary): the path is left
        there, or where the error on held-out rows is least ("best", "parsimonious", "3-10"). None goes to its end.
    l2 : float or list of float, default=1.0
        The second penalty, at least 0; of several the one with the least error on held-out rows is taken.
    l1 : float, default=0.0
        The first penalty at which the path ends, at least 0.
    rescale : bool, default=True
        Whether coefficients are those of the elastic net; otherwise those of the naive one.
    along : {"step", "fraction"}, default="step"
        Whether held-out rows choose the number of steps, or the fraction of the largest L1 norm of the coefficients.
    max_steps : int or None, default=500
        The most steps of a path; None for no limit.
    cv : int, str, splitter, iterable or None, default=10
        Splits of the rows, the same for all subsets; None is five folds. Rows held out choose where they are asked.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients of the columns as they were given.
    intercept_ : float
        What is predicted for a row of zeros.
    l1_, l2_ : float
        The penalties where the path was left.
    n_steps_ : int
        The number of steps there; 0 is the empty model.

    See Also
    --------
    Bridge : Other powers of the coefficients as penalty.
    GramSchmidtRanker : Forward regression without shrinking.

    Notes
    -----
    With n rows this is scikit-learn's ``ElasticNet(alpha=l1 / (2 * n) + l2 / n, l1_ratio=l1 / (l1 + 2 * l2))`` on such
    columns with ``rescale=False``; for unit variance instead of unit length `l2` must be n times as large. The score is
    the absolute coefficient in columns of length 1. ``selection_.tables["path"]`` holds all knots, with the error on
    held-out rows where these choose, ``selection_.tables["groups"]`` the kept pairs that are correlated by 0.9 or
    more, with the difference of their coefficients and the bound of eq. 20.12.

    [1]_ tunes both penalties over the grid 0, 0.01, 0.1, 1, 10, 100, where `l2` has a fixed value here by default; pass
    the grid to do the same. Of equal errors the smaller number of steps and the `l2` that was named first win. Where
    copies of a feature join at the same time and a number of features falls between them, those of lower number are
    kept and the model is fitted again to the kept features, with the same penalties.

    References
    ----------
    .. [1] H. Zou and T. Hastie, "Model building and feature selection with genomic data", in H. Liu and H. Motoda
       (eds.), Computational Methods of Feature Selection, 2008, section 20.4.
    .. [2] H. Zou and T. Hastie, "Regularization and variable selection via the elastic net", Journal of the Royal
       Statistical Society B 67, 2005.

    Examples
    --------
    >>> from fewer.synth import make_elastic_net_groups
    >>> data = make_elastic_net_groups(random_state=0)
    >>> found = LarsEN(3, l2=0.5).fit(data.X, data.y)
    >>> sorted(found.selection_.indices.tolist())
    [0, 1, 2]
    >>> round(found.score(data.X, data.y), 2)
    0.95
    """

    method_tags = MethodTags(
        targets=("numbers",),
        views=("dense",),
        nested=False,
        invariance=("row_order", "scale"),
        cost="n*d*steps",
    )
    _serves = ("subsets",)
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        # _penalties says what is allowed.
        "l2": [Real, "array-like"],
        "l1": [number_from(0)],
        "rescale": ["boolean"],
        "along": [StrOptions({"step", "fraction"})],
        "max_steps": [None, whole_from(1)],
        # The splitter reads it.
        "cv": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        l2: float | Sequence[float] = 1.0,
        l1: float = 0.0,
        rescale: bool = True,
        along: str = "step",
        max_steps: int | None = 500,
        cv: Any = 10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.l2 = l2
        self.l1 = l1
        self.rescale = rescale
        self.along = along
        self.max_steps = max_steps
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        # Folds depend on the order of the rows.
        held_out = isinstance(self.n_features_to_select, (str, tuple)) or np.ndim(self.l2) > 0
        return replace(self.method_tags, invariance=("scale",)) if held_out else self.method_tags

    def _parts(self) -> Parts:
        parts = super()._parts()
        self._penalties()
        sizes_wanted(type(self).__name__, parts.size, 1)
        return parts

    def _penalties(self) -> tuple[float, ...]:
        """Return the second penalties to try."""
        asked: Any = self.l2
        given = [asked] if np.ndim(asked) == 0 else list(asked)
        fine = [isinstance(v, Real) and not isinstance(v, bool) and 0 <= float(v) < np.inf for v in given]
        if not given or not all(fine):
            raise ParameterError(
                f"{type(self).__name__} got l2={self.l2!r}, but takes finite numbers of at least 0; pass one, such as "
                "1.0, or a list of them."
            )
        return tuple(float(v) for v in given)

    def _select(self, data: View, parts: Parts) -> Selection:
        block, penalties = data.whole(), self._penalties()
        unit = UnitColumns.of(block.X, block.y)
        data.check_finite(unit.lengths)
        wanted = sizes_wanted(type(self).__name__, parts.size, data.n_features)
        to_end, tuned = isinstance(parts.size, All), wanted.low < wanted.high
        # A fraction is one of the whole path.
        whole = to_end or tuned or (self.along == "fraction" and len(penalties) > 1)
        enough = None if whole else wanted.high
        paths = [lars_en(unit.rows, unit.target, l2, self.max_steps, enough, self.l1) for l2 in penalties]
        errors = self._errors(data, penalties, paths) if tuned or len(penalties) > 1 else []
        if tuned:
            chosen = self._tuned(paths, errors, wanted)
        else:
            knots = [len(path) - 1 if to_end else first_of_size(path, wanted.high) for path in paths]
            places = [self._place(path, knot) for path, knot in zip(paths, knots)]
            best = int(np.argmin([e.mean[p] for e, p in zip(errors, places)])) if errors else 0
            chosen = PathChoice.at_knot(paths[best], knots[best], errors[best].mean[places[best]] if errors else None)
        chosen = chosen if to_end else chosen.with_at_most(wanted.high, unit)
        which = [path is chosen.path for path in paths].index(True)
        along = errors[which].mean if errors else None
        self.l1_, self.l2_, self.n_steps_ = chosen.l1, chosen.path.l2, chosen.knot
        factor = 1.0 if self.rescale else 1.0 / (1.0 + chosen.path.l2)
        self.coef_, self.intercept_ = unit.given(factor * chosen.beta)
        at_knots = None if along is None else self._at_knots(chosen.path, along)
        fixed = not tuned and not to_end
        return path_selection(data, unit, chosen, factor, at_knots, self.along, fixed)

    def _errors(self, data: View, penalties: tuple[float, ...], paths: list[ElasticNetPath]) -> list[Errors]:
        block = data.whole()
        steps = max(len(path) for path in paths) - 1 if self.along == "step" else None
        X, y = np.asarray(block.X, dtype=np.float64), np.asarray(block.y, dtype=np.float64)

        def folds_of(splits: Any) -> PathFolds:
            return PathFolds(X, y, splits, penalties, steps, self.max_steps, self.l1, not self.rescale)

        return errors_along(data, self.cv, folds_of, len(penalties), type(self).__name__)

    def _tuned(self, paths: list[ElasticNetPath], errors: list[Errors], wanted: Wanted) -> PathChoice:
        """Return where the error is least, among the sizes that are allowed."""
        found = []
        for path, error in zip(paths, errors):
            sizes = path.sizes if self.along == "step" else [int((path.at_fraction(s) != 0).sum()) for s in FRACTIONS]
            sizes = np.asarray([*sizes, *[sizes[-1]] * (len(error.mean) - len(sizes))])
            allowed = (sizes >= wanted.low) & (sizes <= wanted.high)
            if self.along == "step":
                # Behind its last knot a path stays as it is.
                allowed[len(path) :] = False
            if not allowed.any():
                allowed = sizes == sizes[sizes <= wanted.high].max()
            found.append((error, error.least(allowed, wanted.choose == "parsimonious")))
        best = int(np.argmin([error.mean[at] for error, at in found]))
        error, at = found[best]
        if self.along == "step":
            return PathChoice.at_knot(paths[best], min(at, len(paths[best]) - 1), error.mean[at], error.mean[0])
        return PathChoice.at_fraction(paths[best], float(FRACTIONS[at]), error.mean[at], error.mean[0])

    def _place(self, path: ElasticNetPath, knot: int) -> int:
        """Return where the errors hold that of a knot."""
        if self.along == "step":
            return knot
        fraction = path.norms[knot] / max(path.norms[-1], np.finfo(float).tiny)
        return int(np.argmin(np.abs(FRACTIONS - fraction)))

    def _at_knots(self, path: ElasticNetPath, along: np.ndarray) -> np.ndarray:
        """Return the errors at the knots of a path."""
        if self.along == "step":
            return along[: len(path)]
        return np.interp(path.norms / max(path.norms[-1], np.finfo(float).tiny), FRACTIONS, along)
